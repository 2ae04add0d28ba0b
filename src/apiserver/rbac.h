#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/types/json.h"
#include "apiserver/admission.h"
#include "apiserver/authz.h"
#include "apiserver/kind_registry.h"
#include "apiserver/store.h"

// Access by roles and bindings, as rbac.authorization.k8s.io defines it.
namespace kueue::apiserver {

// The rules of a Role or ClusterRole object.
std::vector<AccessRule> RulesOf(const api::Json& role);
bool RuleAllows(const AccessRule& rule, const AccessAttributes& access);
// The parts of `wanted` that nothing in `held` covers: one verb on one resource or path each.
std::vector<AccessRule> Uncovered(const std::vector<AccessRule>& held,
                                  const std::vector<AccessRule>& wanted);
// `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`
std::string Describe(const AccessRule& rule);

// Judges by the roles and bindings that the store holds at that moment. Owners (system:masters) may
// do everything, whatever the store says.
class RbacAuthorizer final : public Authorizer {
 public:
  // Both must outlive this.
  RbacAuthorizer(const Store& store, const KindRegistry& kinds);

  Decision Decide(const User& user, const AccessAttributes& access) const override;
  std::vector<AccessRule> RulesFor(const User& user,
                                   const std::string& namespace_name) const override;

  // The rules a binding's roleRef stands for; `error` tells of a role that is not there.
  std::vector<AccessRule> RulesOfReference(const api::Json& role_reference,
                                           const std::string& namespace_name,
                                           std::string& error) const;

 private:
  struct Grant {
    std::string binding, role_kind, role_name, subject;  // for people
  };
  // Every rule that holds for the user, until `visit` returns false. An empty namespace: bindings
  // of the cluster only. Roles that are missing are told in `errors`.
  void Visit(const User& user, const std::string& namespace_name,
             const std::function<bool(const Grant& grant, const AccessRule& rule)>& visit,
             std::vector<std::string>& errors) const;
  bool VisitBinding(const User& user, const api::Json& binding, bool cluster,
                    const std::function<bool(const Grant& grant, const AccessRule& rule)>& visit,
                    std::vector<std::string>& errors) const;

  const Store& store_;
  const api::KindInfo& roles_;
  const api::KindInfo& cluster_roles_;
  const api::KindInfo& bindings_;
  const api::KindInfo& cluster_bindings_;
};

// Nobody hands out more than they have: roles and bindings are refused that would, unless their
// writer may "escalate" or "bind".
class EscalationGuard final : public Admission {
 public:
  // `rbac` resolves what is held; `authorizer` is asked whether one may escalate. Both must outlive
  // this.
  EscalationGuard(const RbacAuthorizer& rbac, const Authorizer& authorizer)
      : rbac_(rbac), authorizer_(authorizer) {}

  bool Concerns(const AdmissionRequest& request, bool mutating) const override;
  Verdict Validate(const AdmissionRequest& request) override;

 private:
  Verdict Judge(const AdmissionRequest& request, const std::vector<AccessRule>& wanted,
                const std::string& error) const;
  bool May(const AdmissionRequest& request, const char* verb, const std::string& resource,
           const std::string& name) const;

  const RbacAuthorizer& rbac_;
  const Authorizer& authorizer_;
};

}  // namespace kueue::apiserver
