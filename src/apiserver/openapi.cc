#include "apiserver/openapi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "api/codec/json_text.h"
#include "apiserver/openapi_paths.h"
#include "apiserver/openapi_protobuf.h"
#include "apiserver/openapi_v2.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kProtobuf2[] = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
constexpr char kProtobuf3[] = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
// As older clients write it.
constexpr char kOldProtobuf2[] = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
constexpr char kKeysPath[] = "openid/v1/jwks";
constexpr char kIssuerPath[] = ".well-known/openid-configuration";

// FNV-1a: names a document's content.
std::string HashOf(const std::string& text) {
  uint64_t hash = 14695981039346656037ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return fmt::format("{:016X}", hash);
}

Json Info() {
  Json info = Json::MakeObject();
  info.Set("title", "Kubernetes");
  info.Set("version", "1.36");
  return info;
}

Json CustomInfo() {
  Json info = Json::MakeObject();
  info.Set("title", "Kubernetes CRD Swagger");
  info.Set("version", "v0.1.0");
  return info;
}

Json BearerToken() {
  Json token = Json::MakeObject();
  token.Set("type", "apiKey");
  token.Set("description", "Bearer Token authentication");
  token.Set("name", "authorization");
  token.Set("in", "header");
  return token;
}

// "rbac.authorization.k8s.io" -> "rbacAuthorization".
std::string TagOf(const std::string& group) {
  std::string tag = CamelGroup(group);
  tag[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(tag[0])));
  return tag;
}

const std::vector<std::string_view> kObjectTypes = {
    "application/json", "application/vnd.kubernetes.protobuf", "application/yaml"};
const std::vector<std::string_view> kCustomTypes = {"application/json", "application/yaml"};
const std::vector<std::string_view> kJsonType = {"application/json"};

// "apis/batch/v1" -> {"batch", "v1"}; {"", ""} for what is no group's version.
std::pair<std::string, std::string> GroupVersionOf(const std::string& path) {
  if (path.compare(0, 4, "api/") == 0) return {"", path.substr(4)};
  const size_t slash = path.find('/', 5);
  if (path.compare(0, 5, "apis/") != 0 || slash == std::string::npos) return {"", ""};
  return {path.substr(5, slash - 5), path.substr(slash + 1)};
}

bool IsVersionPath(const std::string& path) { return !GroupVersionOf(path).second.empty(); }

// Paths that are no resource's: lists of groups, versions and resources, the server's version.
void AddPlainPath(OpenApiPaths& paths, const std::string& path) {
  const std::string at = "/" + path + "/";
  if (path == "api") {
    paths.AddRead(at, "getCoreAPIVersions", "core", "versions of the core group",
                  "meta.v1.APIVersions", kObjectTypes);
  } else if (path == "apis") {
    paths.AddRead(at, "getAPIVersions", "apis", "all groups", "meta.v1.APIGroupList", kObjectTypes);
  } else if (path == "version") {
    paths.AddRead(at, "getCodeVersion", "version", "the server's version", "version.Info",
                  kJsonType);
  } else if (path == kKeysPath) {
    paths.AddRead(at, "getServiceAccountIssuerOpenIDKeyset", "openid",
                  "keys that service account tokens are signed with", "",
                  {"application/jwk-set+json"});
  } else if (path == kIssuerPath) {
    paths.AddRead(at, "getServiceAccountIssuerOpenIDConfiguration", "WellKnown",
                  "who issues service account tokens", "", kJsonType);
  } else {
    const std::string group = path.substr(5);
    paths.AddRead(at, "get" + CamelGroup(group) + "APIGroup", TagOf(group), "the group's versions",
                  "meta.v1.APIGroup", kObjectTypes);
  }
}

// The best of what the client accepts: "json", "protobuf", or "" for nothing that is here.
std::string FormOf(std::string_view accept, std::initializer_list<std::string_view> protobuf) {
  if (accept.empty()) return "json";
  for (const AcceptedType& accepted : ParseAccept(accept)) {
    if (std::find(protobuf.begin(), protobuf.end(), accepted.type) != protobuf.end()) {
      return "protobuf";
    }
    if (accepted.type == "application/json" || accepted.type == "*/*" ||
        accepted.type == "application/*") {
      return "json";
    }
  }
  return "";
}

void SendDocument(Call& call, const std::string& text, const std::string& etag, const char* type,
                  bool forever) {
  net::Headers headers;
  headers.emplace_back("Cache-Control", forever ? "public, immutable" : "no-cache, private");
  headers.emplace_back("ETag", etag);
  headers.emplace_back("Vary", "Accept");
  if (call.Header("if-none-match") == etag) {
    call.responder->Start(304, std::move(headers));
    return call.responder->End();
  }
  headers.emplace_back("Content-Type", type);
  headers.emplace_back("Content-Length", std::to_string(text.size()));
  call.responder->Start(200, std::move(headers));
  call.responder->Write(text);
  call.responder->End();
}

// Of a custom resource that was defined at run time; null: the kind's table says it.
const Json* SchemaOf(const api::KindInfo& kind) {
  return kind.definition != nullptr ? &kind.definition->schema_json() : nullptr;
}

void SendNotAcceptable(Call& call) {
  net::Headers headers = AnswerHeaders(call, "");
  headers.erase(headers.begin());
  headers.emplace_back("Vary", "Accept");
  headers.emplace_back("Content-Length", "0");
  call.responder->Start(406, std::move(headers));
  call.responder->End();
}

}  // namespace

std::vector<std::string> OpenApi::Paths() const {
  std::vector<std::string> paths = {kIssuerPath, "api", "apis", kKeysPath, "version"};
  for (const KindRegistry::Group& group : kinds_.Groups()) {
    const std::string base = group.name.empty() ? "api" : "apis/" + group.name;
    if (!group.name.empty() && !group.custom) paths.push_back(base);
    for (const std::string& version : group.versions) paths.push_back(base + "/" + version);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

api::OpenApiComponents::GroupVersions OpenApi::AllVersions() const {
  api::OpenApiComponents::GroupVersions all;
  for (const KindRegistry::Group& group : kinds_.Groups()) {
    for (const std::string& version : group.versions) all.emplace_back(group.name, version);
  }
  std::sort(all.begin(), all.end());
  return all;
}

Json OpenApi::Version3(const std::string& path) const {
  const auto [group, version] = GroupVersionOf(path);
  const bool custom = IsVersionPath(path) && kinds_.FindGroup(group)->custom;
  api::OpenApiComponents components(
      custom ? AllVersions() : api::OpenApiComponents::GroupVersions{{group, version}});
  OpenApiPaths paths(components, group, version);
  if (!IsVersionPath(path)) {
    AddPlainPath(paths, path);
  } else {
    if (!custom) {
      std::string camel_version = version;
      camel_version[0] = 'V';
      paths.AddRead("/" + path + "/", "get" + CamelGroup(group) + camel_version + "APIResources",
                    TagOf(group) + "_" + version, "the version's resources",
                    "meta.v1.APIResourceList", kObjectTypes);
    }
    for (const api::KindInfo* kind : ResourcesOf(kinds_, group, version)) {
      paths.AddKind(*kind, SchemaOf(*kind));
    }
    for (const api::KindInfo* kind : PublishedRequests(group, version)) paths.AddRequest(*kind);
  }
  Json json = Json::MakeObject();
  json.Set("openapi", "3.0.0");
  json.Set("info", custom ? CustomInfo() : Info());
  json.Set("paths", paths.Take());
  Json schemas = components.Take();
  if (schemas.size() > 0) json["components"].Set("schemas", std::move(schemas));
  if (!custom) json["components"]["securitySchemes"].Set("BearerToken", BearerToken());
  return json;
}

Json OpenApi::Version2() const {
  api::OpenApiComponents components(AllVersions());
  Json paths = Json::MakeObject();
  for (const std::string& path : Paths()) {
    const auto [group, version] = GroupVersionOf(path);
    OpenApiPaths part(components, group, version);
    if (IsVersionPath(path)) {
      for (const api::KindInfo* kind : ResourcesOf(kinds_, group, version)) {
        part.AddKind(*kind, SchemaOf(*kind));
      }
      for (const api::KindInfo* kind : PublishedRequests(group, version)) part.AddRequest(*kind);
    } else {
      AddPlainPath(part, path);
    }
    const Json taken = part.Take();
    for (const Json::Member& member : taken.AsObject()) {
      paths.AsObject().push_back({member.key, PathInVersion2(member.value)});
    }
  }
  Json definitions = Json::MakeObject();
  const Json schemas = components.Take();
  for (const Json::Member& member : schemas.AsObject()) {
    definitions.AsObject().push_back({member.key, SchemaInVersion2(member.value)});
  }
  Json json = Json::MakeObject();
  json.Set("swagger", "2.0");
  json.Set("info", Info());
  json.Set("paths", std::move(paths));
  json.Set("definitions", std::move(definitions));
  json["securityDefinitions"].Set("BearerToken", BearerToken());
  Json use = Json::MakeObject();
  use.Set("BearerToken", Json::MakeArray());
  json["security"].Append(std::move(use));
  return json;
}

void OpenApi::Renew() {
  if (generation_ == kinds_.generation()) return;
  generation_ = kinds_.generation();
  hashes_.clear();
  documents_.clear();
}

const std::string& OpenApi::HashOfPath(const std::string& path) {
  auto [it, missing] = hashes_.try_emplace(path);
  if (missing) it->second = HashOf(api::WriteJson(Version3(path)));
  return it->second;
}

std::string OpenApi::Index() {
  Json paths = Json::MakeObject();
  for (const std::string& path : Paths()) {
    Json item = Json::MakeObject();
    item.Set("serverRelativeURL", fmt::format("/openapi/v3/{}?hash={}", path, HashOfPath(path)));
    paths.AsObject().push_back({path, std::move(item)});
  }
  Json json = Json::MakeObject();
  json.Set("paths", std::move(paths));
  return api::WriteJson(json);
}

void OpenApi::SendVersion3(Call& call, const std::string& path) {
  const std::string form = FormOf(call.Header("accept"), {kProtobuf3});
  if (form.empty()) return SendNotAcceptable(call);
  const std::string hash = HashOfPath(path);
  const std::optional<std::string> asked = call.target.Query("hash");
  if (asked && *asked != hash) {
    net::Headers headers = AnswerHeaders(call, "application/json");
    headers.emplace_back("ETag", "\"" + hash + "\"");
    headers.emplace_back("Vary", "Accept");
    headers.emplace_back("Location", fmt::format("/openapi/v3/{}?hash={}", path, hash));
    headers.emplace_back("Content-Length", "0");
    call.responder->Start(301, std::move(headers));
    return call.responder->End();
  }
  Document& document = documents_[form + " " + path];
  if (document.text.empty()) {
    const Json json = Version3(path);
    document.text = form == "json" ? api::WriteJson(json) : OpenApi3Protobuf(json);
    document.etag = "\"" + hash + "\"";
  }
  SendDocument(call, document.text, document.etag, form == "json" ? "application/json" : kProtobuf3,
               asked.has_value());
}

void OpenApi::SendVersion2(Call& call) {
  const std::string form = FormOf(call.Header("accept"), {kProtobuf2, kOldProtobuf2});
  if (form.empty()) return SendNotAcceptable(call);
  Document& document = documents_[form];
  if (document.text.empty()) {
    const Json json = Version2();
    document.text = form == "json" ? api::WriteJson(json) : OpenApi2Protobuf(json);
    document.etag = "\"" + HashOf(document.text) + "\"";
  }
  SendDocument(call, document.text, document.etag, form == "json" ? "application/json" : kProtobuf2,
               false);
}

bool OpenApi::Handle(Call& call) {
  const auto& segments = call.segments;
  if (segments.size() < 2) return false;
  Renew();
  if (segments[1] == "v2" && segments.size() == 2) {
    SendVersion2(call);
    return true;
  }
  if (segments[1] != "v3") return false;
  if (segments.size() == 2) {
    // Kubernetes calls the index a text, and clients are used to it.
    SendText(call, 200, Index());
    return true;
  }
  std::string path;
  for (size_t i = 2; i < segments.size(); ++i) path += (i > 2 ? "/" : "") + segments[i];
  const std::vector<std::string> known = Paths();
  if (std::find(known.begin(), known.end(), path) == known.end()) {
    SendText(call, 404, "");
  } else {
    SendVersion3(call, path);
  }
  return true;
}

}  // namespace kueue::apiserver
