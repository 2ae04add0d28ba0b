#include "apiserver/discovery.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "api/codec/json_text.h"
#include "apiserver/discovery_protobuf.h"
#include "apiserver/health.h"
#include "apiserver/openapi_paths.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kAggregatedType[] =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
constexpr char kProtobufType[] = "application/vnd.kubernetes.protobuf";

// FNV-1a: names a document's content.
std::string HashOf(const std::string& text) {
  uint64_t hash = 14695981039346656037ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return fmt::format("{:016X}", hash);
}

std::string GroupVersion(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

// Clients compare it to see whether the stored version changed: the first 8 bytes of the SHA-256
// of group, version and kind, in base 64, as Kubernetes makes it.
std::string StorageVersionHash(const api::KindInfo& kind) {
  const api::KindInfo& stored = kind.stored != nullptr ? *kind.stored : kind;
  std::string name = fmt::format("{}/{}/{}", stored.group, stored.version, stored.kind);
  // Events of both groups are stored in the old form, autoscalers as version 2.
  if (stored.kind == "Event") name = "/v1/Event";
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(name.data(), name.size(), digest, &size, EVP_sha256(), nullptr);
  unsigned char text[16];
  EVP_EncodeBlock(text, digest, 8);
  return reinterpret_cast<const char*>(text);
}

template <class Strings>
Json StringList(const Strings& strings) {
  Json list = Json::MakeArray();
  for (const auto& text : strings) list.Append(text);
  return list;
}

std::vector<std::string_view> VerbsOf(const api::KindInfo& kind) {
  if (kind.custom_resource) {
    return {"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"};
  }
  const KindTraits traits = TraitsOf(kind);
  if (traits.read_only) return {"get", "list"};
  std::vector<std::string_view> verbs = {"create", "delete"};
  if (traits.delete_collection) verbs.push_back("deletecollection");
  for (const char* verb : {"get", "list", "patch", "update", "watch"}) verbs.push_back(verb);
  return verbs;
}

// A resource of one version: of stored objects, or one that only takes a POST.
struct Resource {
  const api::KindInfo* kind;
  bool stored = true;
};

std::vector<Resource> ResourcesIn(const KindRegistry& kinds, std::string_view group,
                                  std::string_view version) {
  std::vector<Resource> all;
  for (const api::KindInfo* kind : ResourcesOf(kinds, group, version)) all.push_back({kind});
  for (const api::KindInfo* kind : PublishedRequests(group, version)) {
    all.push_back({kind, false});
  }
  std::stable_sort(all.begin(), all.end(), [](const Resource& a, const Resource& b) {
    return a.kind->plural < b.kind->plural;
  });
  return all;
}

// A built-in resource's own kind goes without group and version.
Json ResponseKind(const api::KindInfo& of, std::string_view group, std::string_view version,
                  std::string_view kind) {
  const bool own = !of.custom_resource && group == of.group && version == of.version;
  Json json = Json::MakeObject();
  json.Set("group", own ? std::string_view() : group);
  json.Set("version", own ? std::string_view() : version);
  json.Set("kind", kind);
  return json;
}

Json AggregatedResource(const Resource& resource) {
  const api::KindInfo& kind = *resource.kind;
  Json json = Json::MakeObject();
  json.Set("resource", kind.plural);
  json.Set("responseKind", ResponseKind(kind, kind.group, kind.version, kind.kind));
  json.Set("scope", kind.namespaced ? "Namespaced" : "Cluster");
  json.Set("singularResource", SingularOf(kind));
  json.Set("verbs",
           StringList(resource.stored ? VerbsOf(kind) : std::vector<std::string_view>{"create"}));
  if (!kind.short_names.empty()) json.Set("shortNames", StringList(kind.short_names));
  if (!kind.categories.empty()) json.Set("categories", StringList(kind.categories));
  if (!resource.stored) return json;
  Json subresources = Json::MakeArray();
  for (const Subresource& sub : PublishedSubresources(kind)) {
    Json item = Json::MakeObject();
    item.Set("subresource", sub.name);
    item.Set("responseKind", ResponseKind(kind, sub.group, sub.version, sub.kind));
    item.Set("verbs", StringList(sub.verbs));
    subresources.Append(std::move(item));
  }
  if (subresources.size() > 0) json.Set("subresources", std::move(subresources));
  return json;
}

Json AggregatedGroup(const KindRegistry& kinds, const KindRegistry::Group& group) {
  Json versions = Json::MakeArray();
  for (const std::string& version : group.versions) {
    Json resources = Json::MakeArray();
    for (const Resource& resource : ResourcesIn(kinds, group.name, version)) {
      resources.Append(AggregatedResource(resource));
    }
    Json item = Json::MakeObject();
    item.Set("version", version);
    item.Set("resources", std::move(resources));
    item.Set("freshness", "Current");
    versions.Append(std::move(item));
  }
  Json metadata = Json::MakeObject();
  if (!group.name.empty()) metadata.Set("name", group.name);
  Json json = Json::MakeObject();
  json.Set("metadata", std::move(metadata));
  json.Set("versions", std::move(versions));
  return json;
}

Json GroupJson(const KindRegistry::Group& group, bool typed) {
  const auto version_json = [&](const std::string& version) {
    Json json = Json::MakeObject();
    json.Set("groupVersion", GroupVersion(group.name, version));
    json.Set("version", version);
    return json;
  };
  Json json = Json::MakeObject();
  if (typed) {
    json.Set("kind", "APIGroup");
    json.Set("apiVersion", "v1");
  }
  json.Set("name", group.name);
  Json versions = Json::MakeArray();
  for (const std::string& version : group.versions) versions.Append(version_json(version));
  json.Set("versions", std::move(versions));
  json.Set("preferredVersion", version_json(group.versions.front()));
  return json;
}

Json ClassicResource(const Resource& resource) {
  const api::KindInfo& kind = *resource.kind;
  Json json = Json::MakeObject();
  json.Set("name", kind.plural);
  json.Set("singularName", SingularOf(kind));
  json.Set("namespaced", kind.namespaced);
  json.Set("kind", kind.kind);
  json.Set("verbs",
           StringList(resource.stored ? VerbsOf(kind) : std::vector<std::string_view>{"create"}));
  if (!kind.short_names.empty()) json.Set("shortNames", StringList(kind.short_names));
  if (!kind.categories.empty()) json.Set("categories", StringList(kind.categories));
  if (resource.stored && !TraitsOf(kind).read_only) {
    json.Set("storageVersionHash", StorageVersionHash(kind));
  }
  return json;
}

Json ClassicSubresource(const api::KindInfo& kind, const Subresource& sub) {
  Json json = Json::MakeObject();
  json.Set("name", fmt::format("{}/{}", kind.plural, sub.name));
  json.Set("singularName", "");
  json.Set("namespaced", kind.namespaced);
  if (sub.group != kind.group || sub.version != kind.version) {
    json.Set("group", sub.group);
    json.Set("version", sub.version);
  }
  json.Set("kind", sub.kind);
  json.Set("verbs", StringList(sub.verbs));
  return json;
}

Json VersionJson() {
  Json json = Json::MakeObject();
  const std::pair<const char*, const char*> fields[] = {
      {"major", "1"},
      {"minor", "36"},
      {"emulationMajor", "1"},
      {"emulationMinor", "36"},
      {"minCompatibilityMajor", "1"},
      {"minCompatibilityMinor", "35"},
      {"gitVersion", "v1.36.0+kueue-cpp"},
      {"gitCommit", ""},
      {"gitTreeState", "clean"},
      {"buildDate", "1970-01-01T00:00:00Z"},
      {"goVersion", ""},
      {"compiler", "c++"},
      {"platform", "linux/amd64"},
  };
  for (const auto& [key, value] : fields) json.Set(key, value);
  return json;
}

// Who issues tokens of service accounts. No key signs any: a token proves itself to this server
// alone.
Json IssuerJson(const Call& call) {
  Json json = Json::MakeObject();
  json.Set("issuer", "https://kubernetes.default.svc");
  json.Set("jwks_uri", fmt::format("https://{}/openid/v1/jwks", call.Header("host")));
  json.Set("response_types_supported", StringList(std::vector<std::string_view>{"id_token"}));
  json.Set("subject_types_supported", StringList(std::vector<std::string_view>{"public"}));
  json.Set("id_token_signing_alg_values_supported",
           StringList(std::vector<std::string_view>{"RS256"}));
  return json;
}

void SendPublic(Call& call, const char* type, const std::string& text) {
  net::Headers headers;
  headers.emplace_back("Content-Type", type);
  headers.emplace_back("Cache-Control", "public, max-age=3600");
  headers.emplace_back("Content-Length", std::to_string(text.size()));
  call.responder->Start(200, std::move(headers));
  call.responder->Write(text);
  call.responder->End();
}

// A list of groups, versions or resources in the form that is accepted: JSON, YAML or protobuf.
void SendList(Call& call, const Json& json) {
  if (AcceptsPlain(call.Header("accept"))) {
    call.form = *Negotiate(call.Header("accept"), AnswerKind::kPlain);
    return SendJson(call, 200, call.form.yaml ? api::WriteYaml(json) : api::WriteJson(json));
  }
  for (const AcceptedType& accepted : ParseAccept(call.Header("accept"))) {
    if (accepted.type != kProtobufType) continue;
    const std::string bytes = DiscoveryProtobuf(json);
    net::Headers headers = AnswerHeaders(call, kProtobufType);
    headers.emplace_back("Content-Length", std::to_string(bytes.size()));
    call.responder->Start(200, std::move(headers));
    call.responder->Write(bytes);
    return call.responder->End();
  }
  SendError(call, NotAcceptableError());
}

}  // namespace

const Discovery::Document& Discovery::Aggregated(bool core) {
  if (generation_ != kinds_.generation()) aggregated_.clear();
  generation_ = kinds_.generation();
  auto [it, missing] = aggregated_.try_emplace(core);
  if (!missing) return it->second;
  Json items = Json::MakeArray();
  for (const KindRegistry::Group& group : kinds_.Groups()) {
    if (group.name.empty() == core) items.Append(AggregatedGroup(kinds_, group));
  }
  Json json = Json::MakeObject();
  json.Set("kind", "APIGroupDiscoveryList");
  json.Set("apiVersion", "apidiscovery.k8s.io/v2");
  json.Set("metadata", Json::MakeObject());
  json.Set("items", std::move(items));
  it->second.text = api::WriteJson(json);
  it->second.etag = "\"" + HashOf(it->second.text) + "\"";
  return it->second;
}

void Discovery::SendAggregated(Call& call, bool core) {
  const Document& document = Aggregated(core);
  net::Headers headers;
  headers.emplace_back("Cache-Control", "public");
  headers.emplace_back("ETag", document.etag);
  headers.emplace_back("Vary", "Accept");
  if (call.Header("if-none-match") == document.etag) {
    call.responder->Start(304, std::move(headers));
    call.responder->End();
    return;
  }
  headers.emplace_back("Content-Type", kAggregatedType);
  headers.emplace_back("Content-Length", std::to_string(document.text.size()));
  call.responder->Start(200, std::move(headers));
  call.responder->Write(document.text);
  call.responder->End();
}

void Discovery::SendGroups(Call& call, bool core) {
  if (AcceptsAggregatedDiscovery(call.Header("accept"))) return SendAggregated(call, core);
  Json json = Json::MakeObject();
  if (core) {
    json.Set("kind", "APIVersions");
    json.Set("versions", StringList(std::vector<std::string_view>{"v1"}));
    Json address = Json::MakeObject();
    address.Set("clientCIDR", "0.0.0.0/0");
    address.Set("serverAddress", call.Header("host"));
    json["serverAddressByClientCIDRs"].Append(std::move(address));
  } else {
    json.Set("kind", "APIGroupList");
    json.Set("apiVersion", "v1");
    Json groups = Json::MakeArray();
    for (const KindRegistry::Group& group : kinds_.Groups()) {
      if (!group.name.empty()) groups.Append(GroupJson(group, false));
    }
    json.Set("groups", std::move(groups));
  }
  SendList(call, json);
}

void Discovery::SendGroup(Call& call, const std::string& name) {
  const KindRegistry::Group* group = kinds_.FindGroup(name);
  if (group == nullptr || name.empty()) return SendText(call, 404, "404 page not found\n");
  SendList(call, GroupJson(*group, true));
}

void Discovery::SendResources(Call& call, const std::string& group, const std::string& version) {
  if (!kinds_.HasVersion(group, version)) {
    const KindRegistry::Group* known = kinds_.FindGroup(group);
    if (known == nullptr || known->custom) return SendText(call, 404, "404 page not found\n");
    return SendError(call, NoSuchPathError());
  }
  Json resources = Json::MakeArray();
  for (const Resource& resource : ResourcesIn(kinds_, group, version)) {
    resources.Append(ClassicResource(resource));
    if (!resource.stored) continue;
    for (const Subresource& sub : PublishedSubresources(*resource.kind)) {
      resources.Append(ClassicSubresource(*resource.kind, sub));
    }
  }
  Json json = Json::MakeObject();
  json.Set("kind", "APIResourceList");
  if (!group.empty()) json.Set("apiVersion", "v1");
  json.Set("groupVersion", GroupVersion(group, version));
  json.Set("resources", std::move(resources));
  SendList(call, json);
}

void Discovery::SendPaths(Call& call) {
  std::vector<std::string> paths = {"/.well-known/openid-configuration",
                                    "/apis",
                                    "/apis/",
                                    "/metrics",
                                    "/openapi/v2",
                                    "/openapi/v3",
                                    "/openapi/v3/",
                                    "/openid/v1/jwks",
                                    "/version"};
  for (const KindRegistry::Group& group : kinds_.Groups()) {
    const std::string base = group.name.empty() ? "/api" : "/apis/" + group.name;
    paths.push_back(base);
    for (const std::string& version : group.versions) paths.push_back(base + "/" + version);
  }
  for (const std::string& path : HealthPaths()) paths.push_back(path);
  std::sort(paths.begin(), paths.end());
  Json json = Json::MakeObject();
  json.Set("paths", StringList(paths));
  SendJson(call, 200, api::WriteJson(json));
}

bool Discovery::Handle(Call& call) {
  const auto& segments = call.segments;
  const std::string first = segments.empty() ? "" : segments[0];
  const size_t depth = segments.size();
  const bool api = first == "api", apis = first == "apis";
  if ((api && depth > 2) || (apis && depth > 3)) return false;
  const bool issuer = depth == 2 && first == ".well-known" && segments[1] == "openid-configuration";
  const bool keys = depth == 3 && first == "openid" && segments[1] == "v1" && segments[2] == "jwks";
  const bool version = depth == 1 && first == "version";
  if (depth > 0 && !api && !apis && !issuer && !keys && !version && first != "openapi") {
    return false;
  }
  if (call.request.method != "GET") {
    SendError(call, MethodNotAllowedError());
    return true;
  }
  if (first == "openapi") return openapi_.Handle(call);
  if (depth == 0) {
    SendPaths(call);
  } else if (issuer) {
    SendPublic(call, "application/json", api::WriteJson(IssuerJson(call)));
  } else if (keys) {
    SendPublic(call, "application/jwk-set+json", "{\"keys\":[]}");
  } else if (version) {
    SendJson(call, 200, api::WriteJson(VersionJson()));
  } else if (depth == 1) {
    SendGroups(call, api);
  } else if (api) {
    SendResources(call, "", segments[1]);
  } else if (depth == 2) {
    SendGroup(call, segments[1]);
  } else {
    SendResources(call, segments[1], segments[2]);
  }
  return true;
}

}  // namespace kueue::apiserver
