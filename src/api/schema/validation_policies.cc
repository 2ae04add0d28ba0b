#include <algorithm>
#include <set>

#include "api/match/name_rules.h"
#include "api/rules/expression_scope.h"
#include "api/schema/validation_parts.h"

// Rules of admission policies, their bindings and match conditions. Expressions are compiled.
// https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
namespace kueue::api {
namespace {

using Result = ExpressionScope::Result;
using Names = std::vector<std::string_view>;

constexpr size_t kMostMatchConditions = 64;
constexpr size_t kMostAuditAnnotations = 20;
// Of our own: each is compiled against all before it.
constexpr size_t kMostVariables = 500;
constexpr size_t kLongestValueExpression = 5 * 1024;

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}
bool HasLines(std::string_view text) { return text.find_first_of("\r\n") != text.npos; }

std::string_view Trim(std::string_view text) {
  if (IsBlank(text)) return {};
  const size_t first = text.find_first_not_of(" \t\r\n");
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

const Json& Part(const Json& object, std::string_view member) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* part = object.Find(member);
  return part && part->IsObject() ? *part : *none;
}

void CheckExpression(const Json& object, const std::string& path, std::string_view member,
                     const ExpressionScope& scope, Result result, bool with_authorizer,
                     FieldErrors& errors) {
  const std::string_view text = Text(object, member);
  if (IsBlank(text)) return AddRequired(errors, Field(path, member), "must be an expression");
  const auto program = scope.Compile(text, result, with_authorizer);
  if (!program.ok()) AddInvalid(errors, Field(path, member), program.error().message);
}

void CheckMessage(const Json& validation, const std::string& path, FieldErrors& errors) {
  const std::string_view message = Text(validation, "message");
  if (HasLines(Trim(Text(validation, "expression"))) && IsBlank(message)) {
    AddRequired(errors, Field(path, "message"), "must be set, as the expression has several lines");
  }
  if (!message.empty() && IsBlank(message)) {
    AddInvalid(errors, Field(path, "message"), "must not be blank");
  } else if (HasLines(Trim(message))) {
    AddInvalid(errors, Field(path, "message"), "must be one line");
  }
}

void CheckValidation(const Json& validation, const std::string& path, const ExpressionScope& scope,
                     FieldErrors& errors) {
  CheckExpression(validation, path, "expression", scope, Result::kBool, true, errors);
  const std::string_view told = Text(validation, "messageExpression");
  if (!told.empty() && IsBlank(told)) {
    AddInvalid(errors, Field(path, "messageExpression"), "must not be blank");
  } else if (!told.empty()) {
    CheckExpression(validation, path, "messageExpression", scope, Result::kText, false, errors);
  }
  CheckMessage(validation, path, errors);
  CheckAllowed(validation, path, "reason", {"Forbidden", "Invalid", "RequestEntityTooLarge"},
               errors);
}

void CheckVariables(const Json& spec, ExpressionScope& scope, FieldErrors& errors) {
  const Json::Array& variables = Items(spec, "variables");
  if (variables.size() > kMostVariables) {
    return AddError(errors, FieldErrorType::kTooMany, "spec.variables",
                    "must have at most 500 items");
  }
  std::set<std::string_view> known;
  for (size_t i = 0; i < variables.size(); ++i) {
    const std::string path = Field("spec.variables", i);
    const std::string_view name = Text(variables[i], "name");
    if (name.empty()) {
      AddRequired(errors, Field(path, "name"));
    } else if (!IsCelIdentifier(name)) {
      AddInvalid(errors, Field(path, "name"), "must be a CEL identifier");
    } else if (!known.insert(name).second) {
      AddError(errors, FieldErrorType::kDuplicate, Field(path, "name"), "is there twice");
    }
    const std::string_view text = Text(variables[i], "expression");
    if (IsBlank(text)) {
      AddRequired(errors, Field(path, "expression"), "must be an expression");
      continue;
    }
    const auto program = scope.Declare(std::string(name), text);
    if (!program.ok()) AddInvalid(errors, Field(path, "expression"), program.error().message);
  }
}

void CheckAuditAnnotations(const Json& object, const Json& spec, const ExpressionScope& scope,
                           FieldErrors& errors) {
  const Json::Array& items = Items(spec, "auditAnnotations");
  if (items.size() > kMostAuditAnnotations) {
    return AddError(errors, FieldErrorType::kTooMany, "spec.auditAnnotations",
                    "must have at most 20 items");
  }
  std::set<std::string_view> known;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string path = Field("spec.auditAnnotations", i);
    const std::string_view key = Text(items[i], "key");
    const std::string full = object.StringAt({"metadata", "name"}) + "/" + std::string(key);
    AddInvalid(errors, Field(path, "key"), QualifiedNameProblems(full));
    if (Text(items[i], "valueExpression").size() > kLongestValueExpression) {
      AddError(errors, FieldErrorType::kTooLong, Field(path, "valueExpression"),
               "must have at most 5120 bytes");
    } else {
      CheckExpression(items[i], path, "valueExpression", scope, Result::kTextOrNull, false, errors);
    }
    if (!key.empty() && !known.insert(key).second) {
      AddError(errors, FieldErrorType::kDuplicate, Field(path, "key"), "is there twice");
    }
  }
}

// One of the lists a rule must have, where "*" stands alone.
void CheckRuleList(const Json& rule, const std::string& path, std::string_view member,
                   FieldErrors& errors) {
  const Json::Array& items = Items(rule, member);
  if (items.empty()) return AddRequired(errors, Field(path, member));
  const bool all = std::any_of(items.begin(), items.end(), [](const Json& item) {
    return item.IsString() && item.AsString() == "*";
  });
  if (all && items.size() > 1) {
    AddInvalid(errors, Field(path, member), "\"*\" must stand alone");
  }
}

}  // namespace

void CheckNamedRule(const Json& rule, const std::string& path, FieldErrors& errors) {
  CheckRuleList(rule, path, "operations", errors);
  CheckRuleList(rule, path, "apiGroups", errors);
  CheckRuleList(rule, path, "apiVersions", errors);
  const Json::Array& operations = Items(rule, "operations");
  static const Names kOperations = {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"};
  for (size_t i = 0; i < operations.size(); ++i) {
    const std::string text = operations[i].IsString() ? operations[i].AsString() : "";
    if (std::find(kOperations.begin(), kOperations.end(), text) != kOperations.end()) continue;
    AddNotSupported(errors, Field(Field(path, "operations"), i), text, kOperations);
  }
  const Json::Array& resources = Items(rule, "resources");
  if (resources.empty()) AddRequired(errors, Field(path, "resources"));
  for (size_t i = 0; i < resources.size(); ++i) {
    const bool empty = !resources[i].IsString() || resources[i].AsString().empty();
    if (empty) AddRequired(errors, Field(Field(path, "resources"), i));
  }
  const Json::Array& names = Items(rule, "resourceNames");
  std::set<std::string_view> known;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].IsString() || known.insert(names[i].AsString()).second) continue;
    AddError(errors, FieldErrorType::kDuplicate, Field(Field(path, "resourceNames"), i),
             "is there twice");
  }
  CheckAllowed(rule, path, "scope", {"*", "Cluster", "Namespaced"}, errors);
}

namespace {

void CheckMatchResources(const Json& match, const std::string& path, FieldErrors& errors) {
  CheckAllowed(match, path, "matchPolicy", {"Equivalent", "Exact"}, errors);
  CheckLabelSelector(match.Find("namespaceSelector"), Field(path, "namespaceSelector"), errors);
  CheckLabelSelector(match.Find("objectSelector"), Field(path, "objectSelector"), errors);
  for (const char* member : {"resourceRules", "excludeResourceRules"}) {
    const Json::Array& rules = Items(match, member);
    for (size_t i = 0; i < rules.size(); ++i) {
      CheckNamedRule(rules[i], Field(Field(path, member), i), errors);
    }
  }
}

void CheckParamKind(const Json& kind, const std::string& path, FieldErrors& errors) {
  const std::string_view version = Text(kind, "apiVersion");
  if (version.empty()) {
    AddRequired(errors, Field(path, "apiVersion"));
  } else if (std::count(version.begin(), version.end(), '/') > 1) {
    AddInvalid(errors, Field(path, "apiVersion"), "must be a version, with a group or without");
  }
  std::string name(Text(kind, "kind"));
  if (name.empty()) return AddRequired(errors, Field(path, "kind"));
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  AddInvalid(errors, Field(path, "kind"), DnsLabelProblems(name));
}

void CheckParamRef(const Json& ref, const std::string& path, FieldErrors& errors) {
  const bool name = !Text(ref, "name").empty();
  const Json* selector = ref.Find("selector");
  if (name && selector) {
    for (const char* member : {"name", "selector"}) {
      AddError(errors, FieldErrorType::kForbidden, Field(path, member),
               "only one of name and selector may be set");
    }
  } else if (!name && !selector) {
    AddRequired(errors, path, "one of name and selector must be set");
  }
  if (selector) CheckLabelSelector(selector, Field(path, "selector"), errors);
  const std::string_view action = Text(ref, "parameterNotFoundAction");
  if (action.empty()) {
    AddRequired(errors, Field(path, "parameterNotFoundAction"));
  } else {
    CheckAllowed(ref, path, "parameterNotFoundAction", {"Allow", "Deny"}, errors);
  }
}

}  // namespace

void CheckMatchConditions(const Json& object, const std::string& path, const ExpressionScope& scope,
                          FieldErrors& errors) {
  const Json::Array& conditions = Items(object, "matchConditions");
  const std::string list = Field(path, "matchConditions");
  if (conditions.size() > kMostMatchConditions) {
    AddError(errors, FieldErrorType::kTooMany, list, "must have at most 64 items");
  }
  std::set<std::string_view> known;
  for (size_t i = 0; i < conditions.size(); ++i) {
    const std::string at = Field(list, i);
    CheckExpression(conditions[i], at, "expression", scope, Result::kBool, true, errors);
    const std::string_view name = Text(conditions[i], "name");
    if (name.empty()) {
      AddRequired(errors, Field(at, "name"));
      continue;
    }
    AddInvalid(errors, Field(at, "name"), QualifiedNameProblems(name));
    if (!known.insert(name).second) {
      AddError(errors, FieldErrorType::kDuplicate, Field(at, "name"), "is there twice");
    }
  }
}

void CheckAdmissionPolicyRules(const Json& object, const Json*, FieldErrors& errors) {
  const Json& spec = Part(object, "spec");
  CheckAllowed(spec, "spec", "failurePolicy", {"Fail", "Ignore"}, errors);
  const Json* kind = spec.Find("paramKind");
  if (kind) CheckParamKind(*kind, "spec.paramKind", errors);
  const Json* match = spec.Find("matchConstraints");
  if (!match || !match->IsObject()) {
    AddRequired(errors, "spec.matchConstraints");
  } else {
    CheckMatchResources(*match, "spec.matchConstraints", errors);
    if (Items(*match, "resourceRules").empty()) {
      AddRequired(errors, "spec.matchConstraints.resourceRules");
    }
  }
  ExpressionScope::Has has;
  has.params = kind != nullptr;
  has.variables = !Items(spec, "variables").empty();
  ExpressionScope scope(has);
  CheckVariables(spec, scope, errors);
  CheckMatchConditions(spec, "spec", scope, errors);
  const Json::Array& validations = Items(spec, "validations");
  if (validations.empty() && Items(spec, "auditAnnotations").empty()) {
    for (const char* member : {"spec.validations", "spec.auditAnnotations"}) {
      AddRequired(errors, member, "validations or auditAnnotations must have an item");
    }
  }
  for (size_t i = 0; i < validations.size(); ++i) {
    CheckValidation(validations[i], Field("spec.validations", i), scope, errors);
  }
  CheckAuditAnnotations(object, spec, scope, errors);
}

void CheckAdmissionBindingRules(const Json& object, const Json*, FieldErrors& errors) {
  const Json& spec = Part(object, "spec");
  const std::string_view policy = Text(spec, "policyName");
  if (policy.empty()) {
    AddRequired(errors, "spec.policyName");
  } else {
    AddInvalid(errors, "spec.policyName", DnsSubdomainProblems(policy));
  }
  if (const Json* ref = spec.Find("paramRef")) CheckParamRef(*ref, "spec.paramRef", errors);
  const Json* match = spec.Find("matchResources");
  if (match && match->IsObject()) CheckMatchResources(*match, "spec.matchResources", errors);
  const Json::Array& actions = Items(spec, "validationActions");
  if (actions.empty()) AddRequired(errors, "spec.validationActions");
  std::set<std::string> known;
  static const Names kActions = {"Audit", "Deny", "Warn"};
  for (size_t i = 0; i < actions.size(); ++i) {
    const std::string text = actions[i].IsString() ? actions[i].AsString() : "";
    const std::string at = Field("spec.validationActions", i);
    if (std::find(kActions.begin(), kActions.end(), text) == kActions.end()) {
      AddNotSupported(errors, at, text, kActions);
    } else if (!known.insert(text).second) {
      AddError(errors, FieldErrorType::kDuplicate, at, "is there twice");
    }
  }
  if (known.count("Deny") > 0 && known.count("Warn") > 0) {
    AddInvalid(errors, "spec.validationActions", "Deny and Warn together would say it twice");
  }
}

}  // namespace kueue::api
