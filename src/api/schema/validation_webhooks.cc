#include <algorithm>
#include <set>

#include "api/match/name_rules.h"
#include "api/rules/expression_scope.h"
#include "api/schema/validation_parts.h"

// Rules of ValidatingWebhookConfiguration and MutatingWebhookConfiguration.
// https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
namespace kueue::api {
namespace {

constexpr std::string_view kScheme = "https";

// A url like https://host:port/path and nothing more.
void CheckUrl(std::string_view url, const std::string& path, FieldErrors& errors) {
  const size_t fragment = url.find('#');
  const size_t query = url.substr(0, fragment).find('?');
  const std::string_view whole = url.substr(0, std::min(fragment, query));
  const size_t colon = whole.find(':');
  const bool has_scheme = colon != std::string_view::npos && whole.find('/') > colon;
  if (!has_scheme || whole.substr(0, colon) != kScheme) {
    AddInvalid(errors, path, "must be like https://host[/path]");
  }
  std::string_view authority;
  const std::string_view rest = has_scheme ? whole.substr(colon + 1) : whole;
  if (rest.substr(0, 2) == "//") {
    authority = rest.substr(2);
    authority = authority.substr(0, authority.find('/'));
  }
  const size_t at = authority.rfind('@');
  if (authority.substr(at == std::string_view::npos ? 0 : at + 1).empty()) {
    AddInvalid(errors, path, "must name a host");
  }
  if (at != std::string_view::npos) AddInvalid(errors, path, "must not name a user");
  if (fragment != std::string_view::npos && fragment + 1 < url.size()) {
    AddInvalid(errors, path, "must not have a fragment (#...)");
  }
  const bool has_query = query != std::string_view::npos;
  if (has_query && query + 1 < std::min(fragment, url.size())) {
    AddInvalid(errors, path, "must not have a query (?...)");
  }
}

// The path of a service: "/" and names between slashes.
void CheckServicePath(std::string_view text, const std::string& path, FieldErrors& errors) {
  if (text.empty() || text == "/") return;
  if (text == "//") return AddInvalid(errors, path, "has an empty part");
  if (text[0] != '/') AddInvalid(errors, path, "must start with \"/\"");
  std::string_view rest = text.substr(1);
  if (!rest.empty() && rest.back() == '/') rest.remove_suffix(1);
  while (true) {
    const size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    if (part.empty()) {
      AddInvalid(errors, path, "has an empty part");
    } else {
      AddInvalid(errors, path, DnsSubdomainProblems(part));
    }
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

void CheckService(const Json& service, const std::string& path, FieldErrors& errors) {
  for (const char* member : {"name", "namespace"}) {
    if (Text(service, member).empty()) AddRequired(errors, Field(path, member));
  }
  CheckServicePath(Text(service, "path"), Field(path, "path"), errors);
  const int64_t port = Int(service, "port").value_or(443);
  if (port < 1 || port > 65535) {
    AddInvalid(errors, Field(path, "port"), "must be between 1 and 65535");
  }
}

void CheckClientConfig(const Json* client, const std::string& path, FieldErrors& errors) {
  const Json* url = client != nullptr ? client->Find("url") : nullptr;
  const Json* service = client != nullptr ? client->Find("service") : nullptr;
  if ((url != nullptr) == (service != nullptr)) {
    return AddRequired(errors, path, "must have either a url or a service");
  }
  if (url != nullptr) CheckUrl(Text(*client, "url"), Field(path, "url"), errors);
  if (service != nullptr) CheckService(*service, Field(path, "service"), errors);
}

void CheckVersions(const Json::Array& versions, const std::string& path, FieldErrors& errors) {
  if (versions.empty()) return AddRequired(errors, path);
  std::set<std::string> known;
  for (size_t i = 0; i < versions.size(); ++i) {
    const std::string version = versions[i].IsString() ? versions[i].AsString() : "";
    if (!known.insert(version).second) AddInvalid(errors, Field(path, i), "is there twice");
  }
  if (known.count("v1") == 0 && known.count("v1beta1") == 0) {
    AddInvalid(errors, path, "must name v1 or v1beta1");
  }
}

void CheckWebhook(const Json& webhook, const std::string& path, bool mutating,
                  FieldErrors& errors) {
  const std::string_view name = Text(webhook, "name");
  if (name.empty()) {
    AddRequired(errors, Field(path, "name"));
  } else if (std::count(name.begin(), name.end(), '.') < 2 || !IsDnsSubdomain(name)) {
    AddInvalid(errors, Field(path, "name"), "must be a domain name of at least three parts");
  }
  const Json::Array& rules = Items(webhook, "rules");
  for (size_t i = 0; i < rules.size(); ++i) {
    CheckNamedRule(rules[i], Field(Field(path, "rules"), i), errors);
  }
  CheckAllowed(webhook, path, "failurePolicy", {"Fail", "Ignore"}, errors);
  ExpressionScope::Has scope;
  scope.namespace_object = false;
  CheckMatchConditions(webhook, path, ExpressionScope(scope), errors);
  CheckAllowed(webhook, path, "matchPolicy", {"Equivalent", "Exact"}, errors);
  if (mutating) CheckAllowed(webhook, path, "reinvocationPolicy", {"IfNeeded", "Never"}, errors);
  if (Text(webhook, "sideEffects").empty()) {
    AddRequired(errors, Field(path, "sideEffects"), "must be None or NoneOnDryRun");
  } else {
    CheckAllowed(webhook, path, "sideEffects", {"None", "NoneOnDryRun"}, errors);
  }
  CheckVersions(Items(webhook, "admissionReviewVersions"), Field(path, "admissionReviewVersions"),
                errors);
  const int64_t seconds = Int(webhook, "timeoutSeconds").value_or(10);
  if (seconds < 1 || seconds > 30) {
    AddInvalid(errors, Field(path, "timeoutSeconds"), "must be between 1 and 30");
  }
  for (const char* selector : {"namespaceSelector", "objectSelector"}) {
    if (webhook.Find(selector)) {
      CheckLabelSelector(webhook.Find(selector), Field(path, selector), errors);
    }
  }
  CheckClientConfig(webhook.Find("clientConfig"), Field(path, "clientConfig"), errors);
}

}  // namespace

void CheckWebhookRules(const Json& object, const Json*, FieldErrors& errors) {
  const bool mutating = Text(object, "kind") == "MutatingWebhookConfiguration";
  const Json::Array& webhooks = Items(object, "webhooks");
  std::set<std::string_view> names;
  for (size_t i = 0; i < webhooks.size(); ++i) {
    const std::string path = Field("webhooks", i);
    CheckWebhook(webhooks[i], path, mutating, errors);
    const std::string_view name = Text(webhooks[i], "name");
    if (!name.empty() && !names.insert(name).second) {
      AddError(errors, FieldErrorType::kDuplicate, Field(path, "name"), "is there twice");
    }
  }
}

}  // namespace kueue::api
