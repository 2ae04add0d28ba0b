#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/types/core.h"
#include "apiserver/admission.h"
#include "apiserver/kind_registry.h"
#include "apiserver/store.h"

// Which writes a policy (or a binding of one) has a say in.
// https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
// section "Resource scoping"
namespace kueue::apiserver {

// The namespace a request is in: of a Namespace itself, that one.
std::string NamespaceOf(const AdmissionRequest& request);
bool IsNamespace(const api::KindInfo& kind);
// "CREATE", "UPDATE", "DELETE".
std::string_view NameOf(Operation operation);

// matchConstraints of a policy, matchResources of a binding.
class PolicyMatch {
 public:
  // `match` is a MatchResources that passed validation; null: everything matches.
  explicit PolicyMatch(const api::Json* match);

  // The version in which expressions see the object: the one asked for, or with matchPolicy
  // Equivalent another of the same resource that a rule names. Null: there is no match.
  const api::KindInfo* Matches(const AdmissionRequest& request, const KindRegistry& kinds,
                               const Store& store) const;

 private:
  // A resourceRule; an empty list of names is every name.
  struct Rule {
    std::vector<std::string> operations, groups, versions, resources, names;
    std::string scope;

    bool Matches(const AdmissionRequest& request, const api::KindInfo& kind) const;
  };

  static std::vector<Rule> RulesOf(const api::Json* list);
  const api::KindInfo* FindRule(const std::vector<Rule>& rules, const AdmissionRequest& request,
                                const KindRegistry& kinds) const;
  bool MatchesNamespace(const AdmissionRequest& request, const Store& store) const;
  bool MatchesObject(const AdmissionRequest& request) const;

  std::vector<Rule> rules_, excluded_;
  bool any_rule_ = true;
  bool exact_ = false;
  std::optional<api::LabelSelector> namespaces_, objects_;  // nothing: all
};

// The selector as a struct; nothing if there is none or it is empty.
std::optional<api::LabelSelector> SelectorIn(const api::Json* selector);
// Whether the labels of `object` (null: it has none) match.
bool LabelsMatch(const api::LabelSelector& selector, const api::Json* object);

}  // namespace kueue::apiserver
