#include "kube/kubeconfig.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "api/codec/json_text.h"
#include "base/base64.h"

namespace kueue::kube {
namespace {

using api::Json;

base::Error Wrong(const std::string& text) { return base::BadRequest("kubeconfig: " + text); }

// The entry of a named list: the value beside its name ("cluster", "user", "context"), or null.
const Json* EntryOf(const Json& config, const char* list, const char* member,
                    const std::string& name) {
  const Json* entries = config.Find(list);
  if (entries == nullptr || !entries->IsArray()) return nullptr;
  for (const Json& entry : entries->AsArray()) {
    if (entry.StringAt({"name"}) == name) return entry.Find(member);
  }
  return nullptr;
}

std::string InFolder(const std::string& folder, const std::string& path) {
  if (path.empty() || path.front() == '/' || folder.empty()) return path;
  return folder + "/" + path;
}

// Where values come from that may stand in the text or in a file beside it.
struct Source {
  const Json& entry;
  const std::string& folder;
  const ReadFile& read_file;

  // "<name>-data" in base64 or the file named by "<name>"; "" if there is neither.
  base::Result<std::string> Pem(const std::string& name) const {
    const std::string data = entry.StringAt({name + "-data"});
    if (!data.empty()) {
      base::DecodedBase64 decoded = base::DecodeBase64(data);
      if (!decoded.illegal_at) return std::move(decoded.bytes);
      return Wrong(name + "-data is not base64: unexpected character or end at offset " +
                   std::to_string(*decoded.illegal_at));
    }
    return File(name);
  }
  base::Result<std::string> File(const std::string& name) const {
    const std::string path = entry.StringAt({name});
    if (path.empty()) return std::string();
    return read_file(InFolder(folder, path));
  }
};

base::Status ReadServer(const std::string& server, ClusterAccess& access) {
  const size_t scheme_end = server.find("://");
  const std::string scheme = server.substr(0, scheme_end);
  if (scheme_end == std::string::npos || (scheme != "https" && scheme != "http")) {
    return Wrong("the server '" + server + "' is no http or https URL");
  }
  access.connection.tls = scheme == "https";
  std::string rest = server.substr(scheme_end + 3);
  const size_t path_begin = rest.find('/');
  if (path_begin != std::string::npos) {
    access.path_prefix = rest.substr(path_begin);
    while (!access.path_prefix.empty() && access.path_prefix.back() == '/') {
      access.path_prefix.pop_back();
    }
    rest.resize(path_begin);
  }
  // The colons of an IPv6 address stand in brackets.
  const size_t bracket = rest.rfind(']');
  const size_t colon = rest.rfind(':');
  const bool has_port =
      colon != std::string::npos && (bracket == std::string::npos || colon > bracket);
  access.connection.port = has_port ? rest.substr(colon + 1) : access.connection.tls ? "443" : "80";
  std::string host = has_port ? rest.substr(0, colon) : rest;
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  if (host.empty() || access.connection.port.empty()) {
    return Wrong("the server '" + server + "' lacks a host or a port");
  }
  access.connection.host = std::move(host);
  return {};
}

base::Status ReadCluster(const Source& source, ClusterAccess& access) {
  for (const char* unknown : {"proxy-url", "tls-server-name"}) {
    if (!source.entry.StringAt({unknown}).empty()) {
      return Wrong(std::string(unknown) + " is not supported");
    }
  }
  const base::Status server = ReadServer(source.entry.StringAt({"server"}), access);
  if (!server.ok()) return server;
  auto authority = source.Pem("certificate-authority");
  if (!authority.ok()) return authority.error();
  access.connection.authority_pem = std::move(*authority);
  const Json* insecure = source.entry.Find("insecure-skip-tls-verify");
  access.connection.insecure = insecure != nullptr && insecure->IsBool() && insecure->AsBool();
  return {};
}

base::Status ReadUser(const Source& source, ClusterAccess& access) {
  for (const char* unknown : {"exec", "auth-provider", "username", "as"}) {
    if (source.entry.Find(unknown) != nullptr) {
      return Wrong(std::string("the user's '") + unknown +
                   "' is not supported: use a token or a client certificate");
    }
  }
  auto certificate = source.Pem("client-certificate");
  if (!certificate.ok()) return certificate.error();
  auto key = source.Pem("client-key");
  if (!key.ok()) return key.error();
  if (certificate->empty() != key->empty()) {
    return Wrong("a client certificate and its key go together, one of them is missing");
  }
  access.connection.certificate_pem = std::move(*certificate);
  access.connection.key_pem = std::move(*key);
  access.bearer_token = source.entry.StringAt({"token"});
  if (access.bearer_token.empty()) {
    auto token = source.File("tokenFile");
    if (!token.ok()) return token.error();
    access.bearer_token = std::move(*token);
    while (!access.bearer_token.empty() && access.bearer_token.back() == '\n') {
      access.bearer_token.pop_back();
    }
  }
  return {};
}

base::Result<Json> ParseConfig(const std::string& text) {
  auto documents = api::ParseYaml(text);
  if (!documents.ok()) return Wrong(documents.error().message);
  if (documents->empty()) return Json::MakeObject();
  if (documents->size() != 1 || !documents->front().IsObject()) {
    return Wrong("expected one YAML document with an object");
  }
  return std::move(documents->front());
}

void EraseNamed(Json& config, const char* list, const std::string& name) {
  Json* entries = config.Find(list);
  if (entries == nullptr || !entries->IsArray()) return;
  auto& array = entries->AsArray();
  array.erase(std::remove_if(array.begin(), array.end(),
                             [&](const Json& e) { return e.StringAt({"name"}) == name; }),
              array.end());
}

// In the place of the namesake, or at the end.
void PutNamed(Json& config, const char* list, const char* member, const std::string& name,
              Json value) {
  Json entry;
  entry.Set("name", name);
  entry.Set(member, std::move(value));
  Json& entries = config[list];
  if (!entries.IsArray()) entries = Json::MakeArray();
  for (Json& present : entries.AsArray()) {
    if (present.StringAt({"name"}) == name) {
      present = std::move(entry);
      return;
    }
  }
  entries.Append(std::move(entry));
}

void SetData(Json& object, const char* member, const std::string& pem) {
  if (!pem.empty()) object.Set(member, base::EncodeBase64(pem));
}

}  // namespace

base::Result<std::string> ReadWholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return base::NotFound("the file " + path + " cannot be opened");
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return base::Unavailable("the file " + path + " cannot be read");
  return text;
}

base::Result<ClusterAccess> ParseKubeconfig(const std::string& text, const std::string& context,
                                            const std::string& folder, const ReadFile& read_file) {
  const auto config = ParseConfig(text);
  if (!config.ok()) return config.error();
  ClusterAccess access;
  access.context = context.empty() ? config->StringAt({"current-context"}) : context;
  if (access.context.empty()) return Wrong("no context is current: name one");
  const Json* names = EntryOf(*config, "contexts", "context", access.context);
  if (names == nullptr) {
    return base::NotFound("kubeconfig: there is no context '" + access.context + "'");
  }
  access.namespace_name = names->StringAt({"namespace"}, "default");
  const std::string cluster_name = names->StringAt({"cluster"});
  const Json* cluster = EntryOf(*config, "clusters", "cluster", cluster_name);
  if (cluster == nullptr) {
    return base::NotFound("kubeconfig: there is no cluster '" + cluster_name + "'");
  }
  const base::Status read = ReadCluster(Source{*cluster, folder, read_file}, access);
  if (!read.ok()) return read.error();
  const std::string user_name = names->StringAt({"user"});
  if (user_name.empty()) return access;
  const Json* user = EntryOf(*config, "users", "user", user_name);
  if (user == nullptr) {
    return base::NotFound("kubeconfig: there is no user '" + user_name + "'");
  }
  const base::Status read_user = ReadUser(Source{*user, folder, read_file}, access);
  if (!read_user.ok()) return read_user.error();
  return access;
}

base::Result<ClusterAccess> ReadKubeconfig(const std::string& path, const std::string& context) {
  const auto text = ReadWholeFile(path);
  if (!text.ok()) return text.error();
  const size_t slash = path.rfind('/');
  return ParseKubeconfig(*text, context,
                         slash == std::string::npos ? std::string() : path.substr(0, slash));
}

base::Result<ClusterAccess> InClusterAccess(const std::string& folder, const std::string& host,
                                            const std::string& port) {
  if (host.empty() || port.empty()) {
    return base::NotFound("not in a cluster: KUBERNETES_SERVICE_HOST or _PORT is not set");
  }
  ClusterAccess access;
  access.connection.host = host;
  access.connection.port = port;
  auto token = ReadWholeFile(folder + "/token");
  if (!token.ok()) return token.error();
  auto authority = ReadWholeFile(folder + "/ca.crt");
  if (!authority.ok()) return authority.error();
  access.bearer_token = std::move(*token);
  access.connection.authority_pem = std::move(*authority);
  const auto namespace_name = ReadWholeFile(folder + "/namespace");
  access.namespace_name = namespace_name.ok() ? *namespace_name : "default";
  return access;
}

std::string WriteKubeconfig(const KubeconfigEntry& entry) {
  return MergeKubeconfig("", entry, true).value();
}

base::Result<std::string> MergeKubeconfig(const std::string& text, const KubeconfigEntry& entry,
                                          bool make_current) {
  auto config = ParseConfig(text);
  if (!config.ok()) return config.error();
  if (config->Find("apiVersion") == nullptr) config->Set("apiVersion", "v1");
  if (config->Find("kind") == nullptr) config->Set("kind", "Config");
  Json cluster, user = Json::MakeObject(), context;
  cluster.Set("server", entry.server);
  SetData(cluster, "certificate-authority-data", entry.authority_pem);
  SetData(user, "client-certificate-data", entry.certificate_pem);
  SetData(user, "client-key-data", entry.key_pem);
  if (!entry.bearer_token.empty()) user.Set("token", entry.bearer_token);
  context.Set("cluster", entry.name);
  context.Set("user", entry.name);
  if (!entry.namespace_name.empty()) context.Set("namespace", entry.namespace_name);
  PutNamed(*config, "clusters", "cluster", entry.name, std::move(cluster));
  PutNamed(*config, "users", "user", entry.name, std::move(user));
  PutNamed(*config, "contexts", "context", entry.name, std::move(context));
  if (make_current) config->Set("current-context", entry.name);
  return api::WriteYaml(*config);
}

base::Result<std::string> RemoveFromKubeconfig(const std::string& text, const std::string& name) {
  auto config = ParseConfig(text);
  if (!config.ok()) return config.error();
  EraseNamed(*config, "clusters", name);
  EraseNamed(*config, "users", name);
  EraseNamed(*config, "contexts", name);
  if (config->StringAt({"current-context"}) == name) config->Set("current-context", "");
  return api::WriteYaml(*config);
}

}  // namespace kueue::kube
