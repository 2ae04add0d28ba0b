#include "apiserver/policy_match.h"

#include <algorithm>

#include "api/match/selector.h"
#include "api/schema/conversion.h"

namespace kueue::apiserver {

using api::Json;

namespace {

std::vector<std::string> TextsIn(const Json& object, std::string_view member) {
  std::vector<std::string> texts;
  const Json* list = object.Find(member);
  if (list == nullptr || !list->IsArray()) return texts;
  for (const Json& item : list->AsArray()) {
    if (item.IsString()) texts.push_back(item.AsString());
  }
  return texts;
}

bool Names(const std::vector<std::string>& list, std::string_view text) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& item) { return item == "*" || item == text; });
}

// "pods", "pods/status", "*/scale", "*", "*/*".
bool NamesResource(const std::vector<std::string>& list, std::string_view plural,
                   std::string_view subresource) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& item) {
    const size_t slash = item.find('/');
    const std::string_view whole(item);
    const std::string_view resource = whole.substr(0, slash);
    const std::string_view below =
        slash == std::string::npos ? std::string_view() : whole.substr(slash + 1);
    return (resource == "*" || resource == plural) && (below == "*" || below == subresource);
  });
}

}  // namespace

bool IsNamespace(const api::KindInfo& kind) {
  return kind.group.empty() && kind.kind == "Namespace";
}

std::string NamespaceOf(const AdmissionRequest& request) {
  return IsNamespace(*request.kind) ? request.name : request.namespace_name;
}

std::string_view NameOf(Operation operation) {
  switch (operation) {
    case Operation::kCreate:
      return "CREATE";
    case Operation::kUpdate:
      return "UPDATE";
    case Operation::kDelete:
      break;
  }
  return "DELETE";
}

std::optional<api::LabelSelector> SelectorIn(const Json* selector) {
  if (selector == nullptr || !selector->IsObject() || selector->size() == 0) return std::nullopt;
  api::LabelSelector decoded;
  if (!api::DecodeStruct(api::DescriptorOf<api::LabelSelector>(), &decoded, *selector, "")
           .empty()) {
    return std::nullopt;
  }
  return decoded;
}

bool LabelsMatch(const api::LabelSelector& selector, const Json* object) {
  if (object == nullptr) return false;
  api::StringMap labels;
  const Json* found = object->FindPath({"metadata", "labels"});
  if (found != nullptr && found->IsObject()) {
    for (const Json::Member& label : found->AsObject()) {
      if (label.value.IsString()) labels[label.key] = label.value.AsString();
    }
  }
  const auto matches = api::MatchesLabels(&selector, labels);
  return matches.ok() && *matches;
}

PolicyMatch::PolicyMatch(const Json* match) {
  if (match == nullptr || !match->IsObject()) return;
  rules_ = RulesOf(match->Find("resourceRules"));
  any_rule_ = rules_.empty();
  excluded_ = RulesOf(match->Find("excludeResourceRules"));
  exact_ = match->StringAt({"matchPolicy"}) == "Exact";
  namespaces_ = SelectorIn(match->Find("namespaceSelector"));
  objects_ = SelectorIn(match->Find("objectSelector"));
}

std::vector<PolicyMatch::Rule> PolicyMatch::RulesOf(const Json* list) {
  std::vector<Rule> rules;
  if (list == nullptr || !list->IsArray()) return rules;
  for (const Json& item : list->AsArray()) {
    rules.push_back({TextsIn(item, "operations"), TextsIn(item, "apiGroups"),
                     TextsIn(item, "apiVersions"), TextsIn(item, "resources"),
                     TextsIn(item, "resourceNames"), item.StringAt({"scope"}, "*")});
  }
  return rules;
}

bool PolicyMatch::Rule::Matches(const AdmissionRequest& request, const api::KindInfo& kind) const {
  const bool cluster = IsNamespace(kind) || request.namespace_name.empty();
  if (scope == "Cluster" ? !cluster : scope == "Namespaced" && cluster) return false;
  return Names(operations, NameOf(request.operation)) && Names(groups, kind.group) &&
         Names(versions, kind.version) &&
         NamesResource(resources, kind.plural, request.subresource) &&
         (names.empty() || std::find(names.begin(), names.end(), request.name) != names.end());
}

const api::KindInfo* PolicyMatch::FindRule(const std::vector<Rule>& rules,
                                           const AdmissionRequest& request,
                                           const KindRegistry& kinds) const {
  const api::KindInfo* asked = request.requested != nullptr ? request.requested : request.kind;
  for (const Rule& rule : rules) {
    if (rule.Matches(request, *asked)) return asked;
  }
  if (exact_) return nullptr;
  for (const Rule& rule : rules) {
    for (const api::KindInfo* other : kinds.kinds()) {
      const bool equivalent = other != asked && &api::StoredKind(*other) == request.kind;
      if (equivalent && rule.Matches(request, *other)) return other;
    }
  }
  return nullptr;
}

bool PolicyMatch::MatchesNamespace(const AdmissionRequest& request, const Store& store) const {
  if (!namespaces_) return true;
  if (IsNamespace(*request.kind)) {
    return LabelsMatch(*namespaces_,
                       request.object != nullptr ? request.object : request.old_object);
  }
  if (request.namespace_name.empty()) return true;
  const StoredPtr found = store.Get(api::KindOf<api::Namespace>(), request.namespace_name);
  return found != nullptr && LabelsMatch(*namespaces_, &found->object());
}

bool PolicyMatch::MatchesObject(const AdmissionRequest& request) const {
  return !objects_ || LabelsMatch(*objects_, request.object) ||
         LabelsMatch(*objects_, request.old_object);
}

const api::KindInfo* PolicyMatch::Matches(const AdmissionRequest& request,
                                          const KindRegistry& kinds, const Store& store) const {
  const api::KindInfo* asked = request.requested != nullptr ? request.requested : request.kind;
  const api::KindInfo* seen = any_rule_ ? asked : FindRule(rules_, request, kinds);
  if (seen == nullptr || FindRule(excluded_, request, kinds) != nullptr) return nullptr;
  return MatchesNamespace(request, store) && MatchesObject(request) ? seen : nullptr;
}

}  // namespace kueue::apiserver
