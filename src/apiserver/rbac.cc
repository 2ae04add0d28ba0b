#include "apiserver/rbac.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kGroup[] = "rbac.authorization.k8s.io";

const api::KindInfo& AccessKind(const KindRegistry& kinds, const char* name) {
  const api::KindInfo* kind = kinds.FindKind(kGroup, "v1", name);
  KUEUE_CHECK(kind != nullptr);
  return *kind;
}

std::vector<std::string> Texts(const Json& object, const char* member) {
  std::vector<std::string> texts;
  const Json* list = object.Find(member);
  if (list == nullptr || !list->IsArray()) return texts;
  for (const Json& item : list->AsArray()) {
    if (item.IsString()) texts.push_back(item.AsString());
  }
  return texts;
}

bool Has(const std::vector<std::string>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool HasOrAll(const std::vector<std::string>& texts, std::string_view text) {
  return Has(texts, "*") || Has(texts, text);
}

bool ResourceMatches(const std::vector<std::string>& resources, const std::string& resource,
                     const std::string& subresource) {
  const std::string combined = subresource.empty() ? resource : resource + "/" + subresource;
  if (HasOrAll(resources, combined)) return true;
  return !subresource.empty() && Has(resources, "*/" + subresource);
}

bool PathMatches(const std::string& rule, const std::string& path) {
  if (rule == "*" || rule == path) return true;
  if (rule.empty() || rule.back() != '*') return false;
  const std::string_view prefix = std::string_view(rule).substr(0, rule.find_last_not_of('*') + 1);
  return path.compare(0, prefix.size(), prefix) == 0;
}

bool PathsMatch(const std::vector<std::string>& rules, const std::string& path) {
  return std::any_of(rules.begin(), rules.end(),
                     [&](const std::string& rule) { return PathMatches(rule, path); });
}

// `name` of a subject if it means the user, else "". In the words of Kubernetes' own reasons.
std::string MatchingSubject(const User& user, const Json& subject, const std::string& home) {
  const std::string kind = subject.StringAt({"kind"});
  const std::string name = subject.StringAt({"name"});
  if (kind == "User" && user.name == name) return fmt::format("User \"{}\"", name);
  if (kind == "Group" && user.InGroup(name)) return fmt::format("Group \"{}\"", name);
  if (kind != "ServiceAccount") return "";
  const std::string space = subject.StringAt({"namespace"}, home);
  if (space.empty() || user.name != kServiceAccountPrefix + space + ":" + name) return "";
  return fmt::format("ServiceAccount \"{}/{}\"", name, space);
}

std::string Quoted(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ' ';
    out += '"' + text + '"';
  }
  return out + "]";
}

// One verb, one resource or path, at most one name.
std::vector<AccessRule> TakeApart(const AccessRule& rule) {
  std::vector<AccessRule> parts;
  for (const std::string& verb : rule.verbs) {
    for (const std::string& path : rule.paths) parts.push_back({{verb}, {}, {}, {}, {path}});
    for (const std::string& group : rule.groups) {
      for (const std::string& resource : rule.resources) {
        if (rule.names.empty()) parts.push_back({{verb}, {group}, {resource}, {}, {}});
        for (const std::string& name : rule.names) {
          parts.push_back({{verb}, {group}, {resource}, {name}, {}});
        }
      }
    }
  }
  return parts;
}

// Whether one rule covers a part made by TakeApart.
bool Covers(const AccessRule& held, const AccessRule& part) {
  if (!HasOrAll(held.verbs, part.verbs[0])) return false;
  if (!part.paths.empty()) {
    const std::string& path = part.paths[0];
    return std::any_of(held.paths.begin(), held.paths.end(), [&](const std::string& rule) {
      return rule == path || PathMatches(rule, path);
    });
  }
  const std::string& resource = part.resources[0];
  const size_t slash = resource.find('/');
  const bool same =
      HasOrAll(held.resources, resource) ||
      (slash != std::string::npos && Has(held.resources, "*" + resource.substr(slash)));
  if (!HasOrAll(held.groups, part.groups[0]) || !same) return false;
  return held.names.empty() || (!part.names.empty() && Has(held.names, part.names[0]));
}

}  // namespace

std::vector<AccessRule> RulesOf(const Json& role) {
  std::vector<AccessRule> rules;
  const Json* list = role.Find("rules");
  if (list == nullptr || !list->IsArray()) return rules;
  for (const Json& rule : list->AsArray()) {
    rules.push_back({Texts(rule, "verbs"), Texts(rule, "apiGroups"), Texts(rule, "resources"),
                     Texts(rule, "resourceNames"), Texts(rule, "nonResourceURLs")});
  }
  return rules;
}

bool RuleAllows(const AccessRule& rule, const AccessAttributes& access) {
  if (!HasOrAll(rule.verbs, access.verb)) return false;
  if (!access.path.empty()) return PathsMatch(rule.paths, access.path);
  return HasOrAll(rule.groups, access.group) &&
         ResourceMatches(rule.resources, access.resource, access.subresource) &&
         (rule.names.empty() || Has(rule.names, access.name));
}

std::vector<AccessRule> Uncovered(const std::vector<AccessRule>& held,
                                  const std::vector<AccessRule>& wanted) {
  std::vector<AccessRule> missing;
  for (const AccessRule& rule : wanted) {
    for (AccessRule& part : TakeApart(rule)) {
      const bool covered = std::any_of(held.begin(), held.end(),
                                       [&](const AccessRule& h) { return Covers(h, part); });
      if (!covered) missing.push_back(std::move(part));
    }
  }
  return missing;
}

std::string Describe(const AccessRule& rule) {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, const std::vector<std::string>& values) {
    if (!values.empty()) parts.push_back(name + Quoted(values));
  };
  add("APIGroups:", rule.groups);
  add("Resources:", rule.resources);
  add("ResourceNames:", rule.names);
  add("NonResourceURLs:", rule.paths);
  add("Verbs:", rule.verbs);
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

RbacAuthorizer::RbacAuthorizer(const Store& store, const KindRegistry& kinds)
    : store_(store),
      roles_(AccessKind(kinds, "Role")),
      cluster_roles_(AccessKind(kinds, "ClusterRole")),
      bindings_(AccessKind(kinds, "RoleBinding")),
      cluster_bindings_(AccessKind(kinds, "ClusterRoleBinding")) {}

std::vector<AccessRule> RbacAuthorizer::RulesOfReference(const Json& reference,
                                                         const std::string& namespace_name,
                                                         std::string& error) const {
  const std::string name = reference.StringAt({"name"});
  const bool cluster = reference.StringAt({"kind"}) == "ClusterRole";
  const api::KindInfo& kind = cluster ? cluster_roles_ : roles_;
  const StoredPtr role = store_.Get(kind, cluster ? name : StoreKey(namespace_name, name));
  if (role != nullptr) return RulesOf(role->object());
  error = fmt::format("{}.{} \"{}\" not found", cluster ? "clusterrole" : "role", kGroup, name);
  return {};
}

bool RbacAuthorizer::VisitBinding(
    const User& user, const Json& binding, bool cluster,
    const std::function<bool(const Grant& grant, const AccessRule& rule)>& visit,
    std::vector<std::string>& errors) const {
  const std::string home = binding.StringAt({"metadata", "namespace"});
  const Json* subjects = binding.Find("subjects");
  if (subjects == nullptr || !subjects->IsArray()) return true;
  Grant grant;
  for (const Json& subject : subjects->AsArray()) {
    grant.subject = MatchingSubject(user, subject, home);
    if (!grant.subject.empty()) break;
  }
  const Json* reference = binding.Find("roleRef");
  if (grant.subject.empty() || reference == nullptr) return true;
  const std::string name = binding.StringAt({"metadata", "name"});
  grant.binding = cluster ? fmt::format("ClusterRoleBinding \"{}\"", name)
                          : fmt::format("RoleBinding \"{}/{}\"", name, home);
  grant.role_kind = reference->StringAt({"kind"});
  grant.role_name = reference->StringAt({"name"});
  std::string error;
  for (const AccessRule& rule : RulesOfReference(*reference, home, error)) {
    if (!visit(grant, rule)) return false;
  }
  if (!error.empty()) errors.push_back(std::move(error));
  return true;
}

void RbacAuthorizer::Visit(
    const User& user, const std::string& namespace_name,
    const std::function<bool(const Grant& grant, const AccessRule& rule)>& visit,
    std::vector<std::string>& errors) const {
  bool go_on = true;
  store_.Scan(cluster_bindings_, "", "", [&](const std::string&, const StoredPtr& binding) {
    go_on = VisitBinding(user, binding->object(), true, visit, errors);
    return go_on;
  });
  if (!go_on || namespace_name.empty()) return;
  store_.Scan(bindings_, namespace_name + "/", "",
              [&](const std::string&, const StoredPtr& binding) {
                return VisitBinding(user, binding->object(), false, visit, errors);
              });
}

Decision RbacAuthorizer::Decide(const User& user, const AccessAttributes& access) const {
  if (user.InGroup(kOwnersGroup)) return {true, ""};
  Decision decision;
  std::vector<std::string> errors;
  Visit(
      user, access.namespace_name,
      [&](const Grant& grant, const AccessRule& rule) {
        if (!RuleAllows(rule, access)) return true;
        decision.allowed = true;
        decision.reason = fmt::format("RBAC: allowed by {} of {} \"{}\" to {}", grant.binding,
                                      grant.role_kind, grant.role_name, grant.subject);
        return false;
      },
      errors);
  if (!decision.allowed && !errors.empty()) {
    decision.reason = fmt::format("RBAC: {}", fmt::join(errors, ", "));
  }
  return decision;
}

std::vector<AccessRule> RbacAuthorizer::RulesFor(const User& user,
                                                 const std::string& namespace_name) const {
  std::vector<AccessRule> rules;
  std::vector<std::string> errors;
  Visit(
      user, namespace_name,
      [&](const Grant&, const AccessRule& rule) {
        rules.push_back(rule);
        return true;
      },
      errors);
  return rules;
}

bool EscalationGuard::Concerns(const AdmissionRequest& request, bool mutating) const {
  return !mutating && request.kind->group == kGroup && request.operation != Operation::kDelete &&
         request.user != nullptr && !request.user->InGroup(kOwnersGroup);
}

bool EscalationGuard::May(const AdmissionRequest& request, const char* verb,
                          const std::string& resource, const std::string& name) const {
  AccessAttributes access;
  access.verb = verb;
  access.group = kGroup;
  access.resource = resource;
  access.namespace_name = request.namespace_name;
  access.name = name;
  return authorizer_.Allows(*request.user, access);
}

Verdict EscalationGuard::Judge(const AdmissionRequest& request,
                               const std::vector<AccessRule>& wanted,
                               const std::string& error) const {
  if (!error.empty()) return Verdict::Deny(error);
  const auto missing = Uncovered(rbac_.RulesFor(*request.user, request.namespace_name), wanted);
  if (missing.empty()) return Verdict::Allow();
  std::vector<std::string> lines;
  for (const AccessRule& rule : missing) lines.push_back(Describe(rule));
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return Verdict::Deny(
      fmt::format("user \"{}\" (groups={}) is attempting to grant RBAC "
                  "permissions not currently held:\n{}",
                  request.user->name, Quoted(request.user->groups), fmt::join(lines, "\n")));
}

Verdict EscalationGuard::Validate(const AdmissionRequest& request) {
  const Json& object = *request.object;
  const Json* old = request.old_object;
  const auto unchanged = [&](const char* member) {
    const Json* before = old != nullptr ? old->Find(member) : nullptr;
    const Json* now = object.Find(member);
    return old != nullptr && (before == nullptr) == (now == nullptr) &&
           (now == nullptr || *before == *now);
  };
  const bool is_role = request.kind->kind == "Role" || request.kind->kind == "ClusterRole";
  if (is_role) {
    const bool aggregates = object.Find("aggregationRule") != nullptr;
    if (unchanged("rules") && unchanged("aggregationRule")) return Verdict::Allow();
    const std::string resource(request.kind->plural);
    if (May(request, "escalate", resource, request.name)) return Verdict::Allow();
    if (aggregates) {
      const std::vector<AccessRule> all = {{{"*"}, {"*"}, {"*"}, {}, {}},
                                           {{"*"}, {}, {}, {}, {"*"}}};
      if (!Uncovered(rbac_.RulesFor(*request.user, ""), all).empty()) {
        return Verdict::Deny("must have cluster-admin privileges to use an aggregationRule");
      }
    }
    return Judge(request, RulesOf(object), "");
  }
  if (unchanged("roleRef") && unchanged("subjects")) return Verdict::Allow();
  const Json* reference = object.Find("roleRef");
  if (reference == nullptr) return Verdict::Allow();
  const bool cluster = reference->StringAt({"kind"}) == "ClusterRole";
  if (May(request, "bind", cluster ? "clusterroles" : "roles", reference->StringAt({"name"}))) {
    return Verdict::Allow();
  }
  std::string error;
  const auto rules = rbac_.RulesOfReference(*reference, request.namespace_name, error);
  return Judge(request, rules, error);
}

}  // namespace kueue::apiserver
