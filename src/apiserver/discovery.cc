#include "apiserver/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "api/codec/json_text.h"
#include "apiserver/openapi.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kAggregatedType[] =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

// FNV-1a: names a document's content.
std::string HashOf(const std::string& text) {
  uint64_t hash = 14695981039346656037ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return fmt::format("{:016X}", hash);
}

std::string GroupVersion(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

template <class Strings>
Json StringList(const Strings& strings) {
  Json list = Json::MakeArray();
  for (const auto& text : strings) list.Append(text);
  return list;
}

std::vector<std::string_view> VerbsOf(const api::KindInfo& kind) {
  if (TraitsOf(kind).computed) return {"get", "list"};
  if (kind.custom_resource) {
    return {"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"};
  }
  std::vector<std::string_view> verbs = {"create", "delete"};
  if (TraitsOf(kind).delete_collection) verbs.push_back("deletecollection");
  for (const char* verb : {"get", "list", "patch", "update", "watch"}) verbs.push_back(verb);
  return verbs;
}

Json ResponseKind(std::string_view group, std::string_view version, std::string_view kind) {
  Json json = Json::MakeObject();
  json.Set("group", group);
  json.Set("version", version);
  json.Set("kind", kind);
  return json;
}

Json AggregatedResource(const api::KindInfo& kind) {
  Json json = Json::MakeObject();
  json.Set("resource", kind.plural);
  json.Set("responseKind", ResponseKind(kind.group, kind.version, kind.kind));
  json.Set("scope", kind.namespaced ? "Namespaced" : "Cluster");
  json.Set("singularResource", kind.singular);
  json.Set("verbs", StringList(VerbsOf(kind)));
  if (!kind.short_names.empty()) json.Set("shortNames", StringList(kind.short_names));
  if (!kind.categories.empty()) json.Set("categories", StringList(kind.categories));
  Json subresources = Json::MakeArray();
  for (const Subresource& sub : SubresourcesOf(kind)) {
    Json item = Json::MakeObject();
    item.Set("subresource", sub.name);
    item.Set("responseKind", ResponseKind(sub.group, sub.version, sub.kind));
    item.Set("verbs", StringList(sub.verbs));
    subresources.Append(std::move(item));
  }
  if (subresources.size() > 0) json.Set("subresources", std::move(subresources));
  return json;
}

Json AggregatedVirtual(const VirtualResource& resource) {
  Json json = Json::MakeObject();
  json.Set("resource", resource.plural);
  json.Set("responseKind", ResponseKind(resource.group, resource.version, resource.kind));
  json.Set("scope", resource.namespaced ? "Namespaced" : "Cluster");
  json.Set("singularResource", resource.singular);
  json.Set("verbs", StringList(std::vector<std::string_view>{"create"}));
  return json;
}

// Kinds of one version, by name of the resource.
std::vector<const api::KindInfo*> KindsOf(const KindRegistry& kinds, std::string_view group,
                                          std::string_view version) {
  std::vector<const api::KindInfo*> out;
  for (const api::KindInfo* kind : kinds.kinds()) {
    if (kind->group == group && kind->version == version) out.push_back(kind);
  }
  std::sort(out.begin(), out.end(), [](const api::KindInfo* a, const api::KindInfo* b) {
    return a->plural < b->plural;
  });
  return out;
}

Json AggregatedGroup(const KindRegistry& kinds, const KindRegistry::Group& group) {
  Json versions = Json::MakeArray();
  for (const std::string& version : group.versions) {
    Json resources = Json::MakeArray();
    for (const api::KindInfo* kind : KindsOf(kinds, group.name, version)) {
      resources.Append(AggregatedResource(*kind));
    }
    for (const VirtualResource& resource : VirtualResources()) {
      if (resource.group == group.name && resource.version == version) {
        resources.Append(AggregatedVirtual(resource));
      }
    }
    Json item = Json::MakeObject();
    item.Set("version", version);
    item.Set("resources", std::move(resources));
    item.Set("freshness", "Current");
    versions.Append(std::move(item));
  }
  Json metadata = Json::MakeObject();
  if (!group.name.empty()) metadata.Set("name", group.name);
  metadata.Set("creationTimestamp", nullptr);
  Json json = Json::MakeObject();
  json.Set("metadata", std::move(metadata));
  json.Set("versions", std::move(versions));
  return json;
}

std::string Aggregated(const KindRegistry& kinds, bool core) {
  Json items = Json::MakeArray();
  for (const KindRegistry::Group& group : kinds.Groups()) {
    if (group.name.empty() == core) items.Append(AggregatedGroup(kinds, group));
  }
  Json json = Json::MakeObject();
  json.Set("kind", "APIGroupDiscoveryList");
  json.Set("apiVersion", "apidiscovery.k8s.io/v2");
  json.Set("metadata", Json::MakeObject());
  json.Set("items", std::move(items));
  return api::WriteJson(json);
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

Json ClassicResource(const api::KindInfo& kind) {
  Json json = Json::MakeObject();
  json.Set("name", kind.plural);
  json.Set("singularName", kind.singular);
  json.Set("namespaced", kind.namespaced);
  json.Set("kind", kind.kind);
  json.Set("verbs", StringList(VerbsOf(kind)));
  if (!kind.short_names.empty()) json.Set("shortNames", StringList(kind.short_names));
  if (!kind.categories.empty()) json.Set("categories", StringList(kind.categories));
  json.Set("storageVersionHash", HashOf(kind.GroupResource() + "/" + std::string(kind.version)));
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

}  // namespace

const Discovery::Document& Discovery::Kept(const std::string& name,
                                           std::string (Discovery::*make)() const) {
  if (documents_generation_ != kinds_.generation()) {
    documents_.clear();
    documents_generation_ = kinds_.generation();
  }
  auto [it, missing] = documents_.try_emplace(name);
  if (missing) {
    it->second.text = (this->*make)();
    it->second.etag = "\"" + HashOf(it->second.text) + "\"";
  }
  return it->second;
}

std::string Discovery::AggregatedCore() const { return Aggregated(kinds_, true); }
std::string Discovery::AggregatedGroups() const { return Aggregated(kinds_, false); }

void Discovery::SendDocument(Call& call, const Document& document, const char* content_type) {
  net::Headers headers;
  headers.emplace_back("Cache-Control", "public");
  headers.emplace_back("ETag", document.etag);
  headers.emplace_back("Vary", "Accept");
  if (call.Header("if-none-match") == document.etag) {
    call.responder->Start(304, std::move(headers));
    call.responder->End();
    return;
  }
  headers.emplace_back("Content-Type", content_type);
  headers.emplace_back("Content-Length", std::to_string(document.text.size()));
  call.responder->Start(200, std::move(headers));
  call.responder->Write(document.text);
  call.responder->End();
}

void Discovery::SendGroups(Call& call, bool core) {
  if (AcceptsAggregatedDiscovery(call.Header("accept"))) {
    const Document& document =
        core ? Kept("core", &Discovery::AggregatedCore)
             : Kept("groups", &Discovery::AggregatedGroups);
    return SendDocument(call, document, kAggregatedType);
  }
  if (!AcceptsPlain(call.Header("accept"))) return SendError(call, NotAcceptableError());
  Json json = Json::MakeObject();
  if (core) {
    json.Set("kind", "APIVersions");
    json.Set("versions", StringList(std::vector<std::string_view>{"v1"}));
    Json address = Json::MakeObject();
    address.Set("clientCIDR", "0.0.0.0/0");
    address.Set("serverAddress", call.Header("host"));
    Json addresses = Json::MakeArray();
    addresses.Append(std::move(address));
    json.Set("serverAddressByClientCIDRs", std::move(addresses));
  } else {
    json.Set("kind", "APIGroupList");
    json.Set("apiVersion", "v1");
    Json groups = Json::MakeArray();
    for (const KindRegistry::Group& group : kinds_.Groups()) {
      if (!group.name.empty()) groups.Append(GroupJson(group, false));
    }
    json.Set("groups", std::move(groups));
  }
  SendJson(call, 200, api::WriteJson(json));
}

void Discovery::SendGroup(Call& call, const std::string& name) {
  const KindRegistry::Group* group = kinds_.FindGroup(name);
  if (group == nullptr || name.empty()) return SendText(call, 404, "404 page not found\n");
  if (!AcceptsPlain(call.Header("accept"))) return SendError(call, NotAcceptableError());
  SendJson(call, 200, api::WriteJson(GroupJson(*group, true)));
}

void Discovery::SendResources(Call& call, const std::string& group, const std::string& version) {
  if (!kinds_.HasVersion(group, version)) {
    const KindRegistry::Group* known = kinds_.FindGroup(group);
    if (known == nullptr || known->custom) return SendText(call, 404, "404 page not found\n");
    return SendError(call, NoSuchPathError());
  }
  if (!AcceptsPlain(call.Header("accept"))) return SendError(call, NotAcceptableError());
  Json resources = Json::MakeArray();
  for (const api::KindInfo* kind : KindsOf(kinds_, group, version)) {
    resources.Append(ClassicResource(*kind));
    for (const Subresource& sub : SubresourcesOf(*kind)) {
      resources.Append(ClassicSubresource(*kind, sub));
    }
  }
  for (const VirtualResource& resource : VirtualResources()) {
    if (resource.group != group || resource.version != version) continue;
    Json json = Json::MakeObject();
    json.Set("name", resource.plural);
    json.Set("singularName", resource.singular);
    json.Set("namespaced", resource.namespaced);
    json.Set("kind", resource.kind);
    json.Set("verbs", StringList(std::vector<std::string_view>{"create"}));
    resources.Append(std::move(json));
  }
  Json json = Json::MakeObject();
  json.Set("kind", "APIResourceList");
  json.Set("apiVersion", "v1");
  json.Set("groupVersion", GroupVersion(group, version));
  json.Set("resources", std::move(resources));
  SendJson(call, 200, api::WriteJson(json));
}

bool Discovery::HandleOpenApi(Call& call) {
  const auto& segments = call.segments;
  if (segments.size() < 2) return false;
  if (segments[1] == "v2" && segments.size() == 2) {
    const bool json = AcceptsPlain(call.Header("accept"));
    if (!json) {
      SendError(call, NotAcceptableError());
    } else {
      SendDocument(call, Kept("openapi2", &Discovery::OpenApi2), "application/json");
    }
    return true;
  }
  if (segments[1] != "v3") return false;
  if (segments.size() == 2) {
    // Kubernetes calls the index a text, and clients are used to it.
    SendText(call, 200, OpenApi3Index());
    return true;
  }
  std::string group, version;
  if (segments.size() == 4 && segments[2] == "api") {
    version = segments[3];
  } else if (segments.size() == 5 && segments[2] == "apis") {
    group = segments[3];
    version = segments[4];
  }
  if (!kinds_.HasVersion(group, version)) {
    SendText(call, 404, "");
    return true;
  }
  Document document;
  document.text = OpenApi3Of(group, version);
  document.etag = "\"" + HashOf(document.text) + "\"";
  SendDocument(call, document, "application/json");
  return true;
}

std::string Discovery::OpenApi2() const { return OpenApi2Document(); }

std::string Discovery::OpenApi3Of(const std::string& group, const std::string& version) const {
  return OpenApi3Document(group, version, KindsOf(kinds_, group, version));
}

std::string Discovery::OpenApi3Index() const {
  Json paths = Json::MakeObject();
  for (const KindRegistry::Group& group : kinds_.Groups()) {
    for (const std::string& version : group.versions) {
      const std::string path = group.name.empty()
                                   ? "api/" + version
                                   : fmt::format("apis/{}/{}", group.name, version);
      Json item = Json::MakeObject();
      item.Set("serverRelativeURL", fmt::format("/openapi/v3/{}?hash={}", path,
                                                HashOf(OpenApi3Of(group.name, version))));
      paths.Set(path, std::move(item));
    }
  }
  Json json = Json::MakeObject();
  json.Set("paths", std::move(paths));
  return api::WriteJson(json);
}

bool Discovery::HandleHealth(Call& call) {
  const auto& segments = call.segments;
  if (segments[0] != "healthz" && segments[0] != "livez" && segments[0] != "readyz") return false;
  if (segments.size() == 1) {
    const bool verbose = call.target.Query("verbose").has_value();
    SendText(call, 200, verbose ? "[+]ping ok\n" + segments[0] + " check passed\n" : "ok");
  } else if (segments.size() == 2 && segments[1] == "ping") {
    SendText(call, 200, "ok");
  } else {
    SendText(call, 404, "404 page not found\n");
  }
  return true;
}

bool Discovery::Handle(Call& call) {
  const auto& segments = call.segments;
  const bool root = segments.empty();
  const std::string first = root ? "" : segments[0];
  const bool api = first == "api", apis = first == "apis";
  if ((api && segments.size() > 2) || (apis && segments.size() > 3)) return false;
  const bool known = root || api || apis || first == "version" || first == "openapi" ||
                     first == "healthz" || first == "livez" || first == "readyz";
  if (known && call.request.method != "GET") {
    SendError(call, MethodNotAllowedError());
    return true;
  }
  if (root) {
    Json json = Json::MakeObject();
    Json paths = Json::MakeArray();
    for (const KindRegistry::Group& group : kinds_.Groups()) {
      const std::string base = group.name.empty() ? "/api" : "/apis/" + group.name;
      paths.Append(base);
      for (const std::string& version : group.versions) paths.Append(base + "/" + version);
      if (group.name.empty()) paths.Append("/apis");
    }
    for (const char* path : {"/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz",
                             "/version"}) {
      paths.Append(path);
    }
    json.Set("paths", std::move(paths));
    SendJson(call, 200, api::WriteJson(json));
    return true;
  }
  if (api || (apis && segments.size() == 1)) {
    if (segments.size() == 1) {
      SendGroups(call, api);
    } else {
      SendResources(call, "", segments[1]);
    }
    return true;
  }
  if (apis) {
    if (segments.size() == 2) {
      SendGroup(call, segments[1]);
    } else {
      SendResources(call, segments[1], segments[2]);
    }
    return true;
  }
  if (first == "version" && segments.size() == 1) {
    SendJson(call, 200, api::WriteJson(VersionJson()));
    return true;
  }
  if (first == "openapi") return HandleOpenApi(call);
  return HandleHealth(call);
}

}  // namespace kueue::apiserver
