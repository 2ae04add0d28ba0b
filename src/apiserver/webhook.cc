#include "apiserver/webhook.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/codec/json_text.h"
#include "api/schema/conversion.h"
#include "base/base64.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kServiceNameLabel[] = "kubernetes.io/service-name";
constexpr int64_t kDefaultPort = 443;

Json MatchOf(const Json& webhook) {
  Json match = Json::MakeObject();
  const std::pair<const char*, const char*> members[] = {{"rules", "resourceRules"},
                                                         {"matchPolicy", "matchPolicy"},
                                                         {"namespaceSelector", "namespaceSelector"},
                                                         {"objectSelector", "objectSelector"}};
  for (const auto& [from, to] : members) {
    if (const Json* value = webhook.Find(from)) match.Set(to, *value);
  }
  return match;
}

// Match conditions as a policy without validations has them.
Json ConditionsOf(const Json& webhook) {
  Json spec = Json::MakeObject();
  for (const char* member : {"failurePolicy", "matchConditions"}) {
    if (const Json* value = webhook.Find(member)) spec.Set(member, *value);
  }
  return spec;
}

// The first version that both sides know.
std::string VersionOf(const Json& webhook) {
  const Json* versions = webhook.Find("admissionReviewVersions");
  if (versions == nullptr || !versions->IsArray()) return "v1";
  for (const Json& version : versions->AsArray()) {
    if (version == Json("v1") || version == Json("v1beta1")) return version.AsString();
  }
  return "v1";
}

int64_t IntOr(const Json* value, int64_t otherwise) {
  return value != nullptr && value->IsInt() ? value->AsInt() : otherwise;
}

const Json::Array& ItemsOf(const Json& object, std::string_view member) {
  static const Json::Array* const none = new Json::Array;
  const Json* list = object.Find(member);
  return list != nullptr && list->IsArray() ? list->AsArray() : *none;
}

// "host", "host:port", "[::1]:port".
void SplitAuthority(std::string_view authority, std::string& host, std::string& port) {
  const size_t colon = authority.rfind(':');
  const size_t bracket = authority.rfind(']');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  host = authority.substr(0, has_port ? colon : authority.size());
  port = has_port ? authority.substr(colon + 1) : std::to_string(kDefaultPort);
  if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
}

struct Address {
  std::string host;
  int64_t port = 0;
};

// The port of a list of endpoints that has that name; one without a name if there is just one.
int64_t PortNamed(const Json& endpoints, const std::string& name) {
  const Json::Array& ports = ItemsOf(endpoints, "ports");
  for (const Json& port : ports) {
    if (port.StringAt({"name"}) == name) return IntOr(port.Find("port"), 0);
  }
  return ports.size() == 1 ? IntOr(ports[0].Find("port"), 0) : 0;
}

std::optional<Address> FromSlice(const Json& slice, const std::string& port_name) {
  const int64_t port = PortNamed(slice, port_name);
  for (const Json& endpoint : ItemsOf(slice, "endpoints")) {
    const Json* ready = endpoint.FindPath({"conditions", "ready"});
    if (ready != nullptr && *ready == Json(false)) continue;
    const Json::Array& addresses = ItemsOf(endpoint, "addresses");
    if (port != 0 && !addresses.empty() && addresses[0].IsString()) {
      return Address{addresses[0].AsString(), port};
    }
  }
  return std::nullopt;
}

std::optional<Address> FromEndpoints(const Json& endpoints, const std::string& port_name) {
  for (const Json& subset : ItemsOf(endpoints, "subsets")) {
    const int64_t port = PortNamed(subset, port_name);
    const Json::Array& addresses = ItemsOf(subset, "addresses");
    if (port != 0 && !addresses.empty()) return Address{addresses[0].StringAt({"ip"}), port};
  }
  return std::nullopt;
}

std::optional<Address> FindEndpoint(const Store& store, const KindRegistry& kinds,
                                    const std::string& namespace_name, const std::string& name,
                                    const std::string& port_name) {
  std::optional<Address> found;
  if (const api::KindInfo* slices = kinds.FindKind("discovery.k8s.io", "v1", "EndpointSlice")) {
    store.Scan(api::StoredKind(*slices), namespace_name + "/", "",
               [&](const std::string&, const StoredPtr& slice) {
                 const Json& object = slice->object();
                 if (object.StringAt({"metadata", "labels", kServiceNameLabel}) == name) {
                   found = FromSlice(object, port_name);
                 }
                 return !found.has_value();
               });
  }
  const api::KindInfo* endpoints = kinds.FindKind("", "v1", "Endpoints");
  if (found || endpoints == nullptr) return found;
  const StoredPtr object = store.Get(*endpoints, StoreKey(namespace_name, name));
  return object == nullptr ? std::nullopt : FromEndpoints(object->object(), port_name);
}

}  // namespace

Webhook::Webhook(std::string configuration, bool mutating, const Json& webhook)
    : configuration_(std::move(configuration)),
      name_(webhook.StringAt({"name"})),
      mutating_(mutating),
      has_rules_(!ItemsOf(webhook, "rules").empty()),
      match_([&] {
        const Json match = MatchOf(webhook);
        return PolicyMatch(&match);
      }()),
      conditions_(ConditionsOf(webhook)),
      ignores_failures_(webhook.StringAt({"failurePolicy"}, "Fail") == "Ignore"),
      reinvoked_(webhook.StringAt({"reinvocationPolicy"}) == "IfNeeded"),
      timeout_(base::seconds(IntOr(webhook.Find("timeoutSeconds"), 10))),
      review_version_(VersionOf(webhook)) {
  const std::string effects = webhook.StringAt({"sideEffects"});
  has_side_effects_ = effects != "None" && effects != "NoneOnDryRun";
  const Json* client = webhook.Find("clientConfig");
  client_config_ = client != nullptr && client->IsObject() ? *client : Json::MakeObject();
  authority_pem_ = base::DecodeBase64(client_config_.StringAt({"caBundle"})).bytes;
  if (client_config_.Find("service") != nullptr) {
    service_ = client_config_.StringAt({"service", "namespace"}) + "/" +
               client_config_.StringAt({"service", "name"});
  }
}

const api::KindInfo* Webhook::Matches(const AdmissionRequest& request, const KindRegistry& kinds,
                                      const Store& store) const {
  return has_rules_ ? match_.Matches(request, kinds, store) : nullptr;
}

base::Status Webhook::Locate(const Store& store, const KindRegistry& kinds,
                             WebhookTarget& target) const {
  target.authority_pem = authority_pem_;
  return service_.empty() ? LocateUrl(target) : LocateService(store, kinds, target);
}

base::Status Webhook::LocateUrl(WebhookTarget& target) const {
  constexpr std::string_view kScheme = "https://";
  const std::string url = client_config_.StringAt({"url"});
  target.url = url;
  if (url.compare(0, kScheme.size(), kScheme) != 0) return base::Invalid("its url is not https");
  const size_t slash = std::min(url.find('/', kScheme.size()), url.size());
  SplitAuthority(std::string_view(url).substr(kScheme.size(), slash - kScheme.size()), target.host,
                 target.port);
  target.path = slash < url.size() ? url.substr(slash) : "/";
  if (slash == url.size()) target.url += '/';
  target.tls_name = target.host;
  return {};
}

base::Status Webhook::LocateService(const Store& store, const KindRegistry& kinds,
                                    WebhookTarget& target) const {
  const std::string namespace_name = client_config_.StringAt({"service", "namespace"});
  const std::string name = client_config_.StringAt({"service", "name"});
  const int64_t port = IntOr(client_config_.FindPath({"service", "port"}), kDefaultPort);
  target.path = client_config_.StringAt({"service", "path"});
  if (target.path.empty() || target.path[0] != '/') target.path = "/" + target.path;
  target.tls_name = name + "." + namespace_name + ".svc";
  target.url = fmt::format("https://{}:{}{}", target.tls_name, port, target.path);
  const api::KindInfo* services = kinds.FindKind("", "v1", "Service");
  const StoredPtr service =
      services == nullptr ? nullptr : store.Get(*services, StoreKey(namespace_name, name));
  if (service == nullptr) return base::Unavailable(fmt::format("service \"{}\" not found", name));
  const Json* spec = service->object().Find("spec");
  if (spec == nullptr) return base::Unavailable(fmt::format("service \"{}\" has no spec", name));
  if (spec->StringAt({"type"}) == "ExternalName") {
    target.host = spec->StringAt({"externalName"});
    target.port = std::to_string(port);
    return {};
  }
  const Json::Array& ports = ItemsOf(*spec, "ports");
  const auto same = [&](const Json& entry) { return IntOr(entry.Find("port"), 0) == port; };
  const auto entry = std::find_if(ports.begin(), ports.end(), same);
  if (entry == ports.end()) {
    return base::Unavailable(
        fmt::format("no service port {} found for service \"{}\"", port, name));
  }
  const auto address = FindEndpoint(store, kinds, namespace_name, name, entry->StringAt({"name"}));
  if (!address) {
    return base::Unavailable(fmt::format("no endpoints available for service \"{}\"", name));
  }
  target.host = address->host;
  target.port = std::to_string(address->port);
  return {};
}

namespace {

// What a client of a server in Kubernetes says about an answer that is no success.
std::string HttpFailure(const WebhookReply& reply) {
  const auto status = api::ParseJson(reply.body);
  if (status.ok() && status->StringAt({"kind"}) == "Status" &&
      !status->StringAt({"message"}).empty()) {
    return status->StringAt({"message"});
  }
  // Only what says that it is a text is shown.
  const bool is_text = reply.content_type.empty() || reply.content_type.compare(0, 5, "text/") == 0;
  std::string text = is_text ? reply.body : "";
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (text.empty()) text = "unknown";
  switch (reply.status) {
    case 400:
      return "the server rejected our request for an unknown reason";
    case 401:
      return "the server has asked for the client to provide credentials";
    case 403:
      return text;
    case 404:
      return "the server could not find the requested resource";
    case 405:
      return "the server does not allow this method on the requested resource";
    case 429:
      return "the server has received too many requests and has asked us to try again later";
    case 503:
      return "the server is currently unable to handle the request";
    case 504:
      return "the server was unable to return a response in the time allotted, but may still be "
             "processing the request";
    default:
      break;
  }
  if (reply.status >= 500) {
    return fmt::format("an error on the server ({}) has prevented the request from succeeding",
                       api::WriteJson(Json(text)));
  }
  return fmt::format(
      "the server responded with the status code {} but did not return more "
      "information",
      reply.status);
}

base::Error BadReply(const std::string& why) {
  return base::Invalid("received invalid webhook response: " + why);
}

base::Status CheckReview(const Webhook& webhook, const std::string& uid, const Json& review,
                         const Json& response) {
  const bool patch = !response.StringAt({"patch"}).empty();
  const Json* type = response.Find("patchType");
  const bool typed = type != nullptr && !type->IsNull();
  if (webhook.review_version() != "v1") return {};
  if (response.StringAt({"uid"}) != uid) {
    return BadReply(
        fmt::format("expected response.uid=\"{}\", got \"{}\"", uid, response.StringAt({"uid"})));
  }
  const std::string version = review.StringAt({"apiVersion"}), kind = review.StringAt({"kind"});
  if (version != "admission.k8s.io/v1" || kind != "AdmissionReview") {
    return BadReply(fmt::format(
        "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got {}, Kind={}",
        version.empty() ? "/" : version, kind));
  }
  if (!webhook.mutating()) {
    if (patch) return BadReply("validating webhook may not return response.patch");
    if (typed) return BadReply("validating webhook may not return response.patchType");
    return {};
  }
  if (patch && !typed)
    return BadReply("webhook returned response.patch but not response.patchType");
  if (!patch && typed)
    return BadReply("webhook returned response.patchType but not response.patch");
  if (typed && response.StringAt({"patchType"}).empty()) {
    return BadReply("webhook returned invalid response.patchType of \"\"");
  }
  return {};
}

base::Status TakePatch(const Webhook& webhook, const Json& response, WebhookAnswer& answer) {
  const std::string text = response.StringAt({"patch"});
  if (!webhook.mutating() || text.empty()) return {};
  const base::DecodedBase64 patch_text = base::DecodeBase64(text);
  if (patch_text.illegal_at) {
    return base::Invalid("failed to call webhook: response.patch is not base64");
  }
  auto patch = api::ParseJson(patch_text.bytes);
  if (!patch.ok() || !patch->IsArray()) {
    return base::Invalid("received undecodable patch in webhook response: " +
                         (patch.ok() ? std::string("it is no list") : patch.error().message));
  }
  const std::string type = response.StringAt({"patchType"}, "JSONPatch");
  if (patch->size() > 0 && type != "JSONPatch") {
    return base::Invalid(fmt::format("unsupported patch type \"{}\"", type));
  }
  answer.patch = *std::move(patch);
  return {};
}

}  // namespace

base::Result<WebhookAnswer> ReadWebhookReply(const Webhook& webhook, const std::string& uid,
                                             const WebhookReply& reply) {
  if (reply.status < 200 || reply.status > 206) {
    return base::Unavailable("failed to call webhook: " + HttpFailure(reply));
  }
  if (reply.body.empty()) {
    return base::Unavailable(fmt::format(
        "failed to call webhook: 0-length response with status code: {} and content type: {}",
        reply.status, reply.content_type));
  }
  const auto review = api::ParseJson(reply.body);
  if (!review.ok() || !review->IsObject()) {
    return base::Invalid("failed to call webhook: the answer is no JSON object: " +
                         (review.ok() ? std::string("something else") : review.error().message));
  }
  const Json* response = review->Find("response");
  if (response == nullptr || !response->IsObject()) return BadReply("webhook response was absent");
  if (base::Status status = CheckReview(webhook, uid, *review, *response); !status.ok()) {
    return status.error();
  }
  WebhookAnswer answer;
  const Json* allowed = response->Find("allowed");
  if (allowed != nullptr && !allowed->IsBool() && !allowed->IsNull()) {
    return base::Invalid("failed to call webhook: response.allowed is neither true nor false");
  }
  answer.allowed = allowed != nullptr && *allowed == Json(true);
  const Json* result = response->Find("status");
  if (result != nullptr && result->IsObject()) answer.result = *result;
  for (const Json& warning : ItemsOf(*response, "warnings")) {
    if (warning.IsString()) answer.warnings.push_back(warning.AsString());
  }
  const Json* annotations = response->Find("auditAnnotations");
  if (annotations != nullptr && annotations->IsObject()) {
    for (const Json::Member& member : annotations->AsObject()) {
      if (member.value.IsString()) answer.annotations[member.key] = member.value.AsString();
    }
  }
  if (base::Status status = TakePatch(webhook, *response, answer); !status.ok()) {
    return status.error();
  }
  return answer;
}

ApiError WebhookDenial(const Webhook& webhook, const Json& result) {
  ApiError error;
  error.code = 400;
  const std::string denied =
      fmt::format("admission webhook \"{}\" denied the request", webhook.name());
  const std::string message = result.IsObject() ? result.StringAt({"message"}) : "";
  error.reason = result.IsObject() ? result.StringAt({"reason"}) : "";
  if (!message.empty()) {
    error.message = denied + ": " + message;
  } else if (!error.reason.empty()) {
    error.message = denied + ": " + error.reason;
  } else {
    error.message = denied + " without explanation";
  }
  if (!result.IsObject()) return error;
  const int64_t code = IntOr(result.Find("code"), 0);
  if (code >= 400 && code < 1000) error.code = static_cast<int>(code);
  const Json* details = result.Find("details");
  if (details == nullptr || !details->IsObject()) return error;
  error.has_details = true;
  error.name = details->StringAt({"name"});
  error.group = details->StringAt({"group"});
  error.kind = details->StringAt({"kind"});
  error.retry_after_seconds = static_cast<int>(
      std::clamp<int64_t>(IntOr(details->Find("retryAfterSeconds"), 0), 0, 1 << 20));
  for (const Json& cause : ItemsOf(*details, "causes")) {
    error.causes.push_back(
        {cause.StringAt({"reason"}), cause.StringAt({"field"}), cause.StringAt({"message"})});
  }
  return error;
}

}  // namespace kueue::apiserver
