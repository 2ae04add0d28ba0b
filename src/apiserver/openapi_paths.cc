#include "apiserver/openapi_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace kueue::apiserver {

using api::Json;

namespace {

using Names = std::vector<std::string_view>;

struct Parameter {
  std::string_view name, type, description;
  bool in_path = false;
};

// Everything an operation can be given beside its body.
constexpr Parameter kParameters[] = {
    {"allowWatchBookmarks", "boolean", "A watch may be told the version it has reached."},
    {"command", "string", "The command to run, word by word."},
    {"container", "string", "The container; may be left out if there is only one."},
    {"continue", "string", "Goes on with a list from where the page that gave this token ended."},
    {"dryRun", "string", "All: everything is checked and answered, nothing is stored."},
    {"fieldManager", "string", "Who owns the fields that this request sets."},
    {"fieldSelector", "string", "Only objects with these values of selectable fields."},
    {"fieldValidation", "string",
     "What to do about unknown and repeated fields: Ignore, Warn or Strict."},
    {"follow", "boolean", "Goes on sending what is added."},
    {"force", "boolean", "Takes over fields that others own (server-side apply only)."},
    {"gracePeriodSeconds", "integer", "Seconds until the object is gone; 0: at once."},
    {"ignoreStoreReadErrorWithClusterBreakingPotential", "boolean",
     "Removes an object that cannot be read from the store."},
    {"insecureSkipTLSVerifyBackend", "boolean", "Does not check the kubelet's certificate."},
    {"labelSelector", "string", "Only objects with these labels."},
    {"limit", "integer", "At most so many objects in one answer."},
    {"limitBytes", "integer", "At most so many bytes."},
    {"name", "string", "name of the object", true},
    {"namespace", "string", "namespace of the object", true},
    {"orphanDependents", "boolean", "Old form of propagationPolicy: true is Orphan."},
    {"path", "string", "The path to ask for behind the proxy."},
    {"ports", "integer", "The ports to forward."},
    {"pretty", "string", "true: the answer is indented."},
    {"previous", "boolean", "Of the container's last run before this one."},
    {"propagationPolicy", "string",
     "What becomes of dependents: Orphan, Background or Foreground."},
    {"resourceVersion", "string", "How old the answer may be; a watch begins after it."},
    {"resourceVersionMatch", "string", "How resourceVersion is meant: Exact or NotOlderThan."},
    {"sendInitialEvents", "boolean", "A watch begins with what there is."},
    {"shardSelector", "string", "Only objects of this share of the key space."},
    {"sinceSeconds", "integer", "Only lines of the last seconds."},
    {"stderr", "boolean", "Passes on standard error."},
    {"stdin", "boolean", "Passes on standard input."},
    {"stdout", "boolean", "Passes on standard output."},
    {"stream", "string", "All, Stdout or Stderr."},
    {"tailLines", "integer", "Only the last lines."},
    {"timeoutSeconds", "integer", "A list or watch ends after so many seconds."},
    {"timestamps", "boolean", "Each line begins with its time."},
    {"tty", "boolean", "Gives the command a terminal."},
    {"watch", "boolean", "Changes instead of a list."},
};

const Names kListNames = {"allowWatchBookmarks",
                          "continue",
                          "fieldSelector",
                          "labelSelector",
                          "limit",
                          "resourceVersion",
                          "resourceVersionMatch",
                          "sendInitialEvents",
                          "shardSelector",
                          "timeoutSeconds",
                          "watch"};
const Names kWriteNames = {"dryRun", "fieldManager", "fieldValidation"};
const Names kPatchNames = {"dryRun", "fieldManager", "fieldValidation", "force"};
const Names kDeleteNames = {"dryRun", "gracePeriodSeconds",
                            "ignoreStoreReadErrorWithClusterBreakingPotential", "orphanDependents",
                            "propagationPolicy"};
const Names kDeleteListNames = {"continue",
                                "dryRun",
                                "fieldSelector",
                                "gracePeriodSeconds",
                                "ignoreStoreReadErrorWithClusterBreakingPotential",
                                "labelSelector",
                                "limit",
                                "orphanDependents",
                                "propagationPolicy",
                                "resourceVersion",
                                "resourceVersionMatch",
                                "sendInitialEvents",
                                "shardSelector",
                                "timeoutSeconds"};
const Names kLogNames = {"container",  "follow",    "insecureSkipTLSVerifyBackend",
                         "limitBytes", "previous",  "sinceSeconds",
                         "stream",     "tailLines", "timestamps"};

const Names kTypes = {"application/json", "application/vnd.kubernetes.protobuf",
                      "application/yaml"};
const Names kListTypes = {"application/json", "application/json;stream=watch",
                          "application/vnd.kubernetes.protobuf",
                          "application/vnd.kubernetes.protobuf;stream=watch", "application/yaml"};
const Names kLogTypes = {"application/json", "application/vnd.kubernetes.protobuf",
                         "application/yaml", "text/plain"};
const Names kCustomTypes = {"application/json", "application/yaml"};
const Names kAnyType = {"*/*"};
const Names kPatchTypes = {"application/apply-patch+yaml", "application/json-patch+json",
                           "application/merge-patch+json",
                           "application/strategic-merge-patch+json"};
const Names kCustomPatchTypes = {"application/apply-patch+yaml", "application/json-patch+json",
                                 "application/merge-patch+json"};

const Names& ConnectNames(std::string_view sub) {
  static const Names attach = {"container", "stderr", "stdin", "stdout", "tty"};
  static const Names exec = {"command", "container", "stderr", "stdin", "stdout", "tty"};
  static const Names ports = {"ports"};
  static const Names path = {"path"};
  return sub == "attach" ? attach : sub == "exec" ? exec : sub == "proxy" ? path : ports;
}

Json ParameterJson(const Parameter& parameter) {
  Json schema = Json::MakeObject();
  schema.Set("type", parameter.type);
  schema.Set("uniqueItems", true);
  Json json = Json::MakeObject();
  json.Set("name", parameter.name);
  json.Set("in", parameter.in_path ? "path" : "query");
  json.Set("description", parameter.description);
  if (parameter.in_path) json.Set("required", true);
  json.Set("schema", std::move(schema));
  return json;
}

// Behind a proxy there are two parameters of one name: the rest of the path and a query.
constexpr char kRestOfPath[] = "path#1";
constexpr char kPathQuery[] = "path#2";

Json ParameterJson(const std::string& name) {
  if (name == kRestOfPath) {
    return ParameterJson(Parameter{"path", "string", "path to the resource", true});
  }
  if (name == kPathQuery) return ParameterJson(std::string("path"));
  for (const Parameter& parameter : kParameters) {
    if (parameter.name == name) return ParameterJson(parameter);
  }
  return ParameterJson(Parameter{name, "string", "", false});
}

Json TextSchema() {
  Json schema = Json::MakeObject();
  schema.Set("type", "string");
  return schema;
}

Json Content(const Names& types, const Json& schema) {
  Json content = Json::MakeObject();
  for (const std::string_view type : types) content[type].Set("schema", schema);
  return content;
}

std::string Capital(std::string_view text) {
  std::string out(text);
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

}  // namespace

std::string CamelGroup(std::string_view group) {
  constexpr std::string_view kOwn = ".k8s.io";
  if (group.empty()) return "Core";
  if (group.size() > kOwn.size() && group.substr(group.size() - kOwn.size()) == kOwn) {
    group.remove_suffix(kOwn.size());
  }
  std::string out;
  bool upper = true;
  for (const char c : group) {
    if (c == '.' || c == '-') {
      upper = true;
      continue;
    }
    out += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return out;
}

struct OpenApiPaths::Operation {
  std::string_view method;
  std::string id, description;
  std::string_view action;  // empty: of no kind
  Json kind;
  std::set<std::string> parameters;
  Json body;  // a schema; null: none
  Names body_types;
  bool body_required = false;
  std::vector<int> codes = {200};
  Json answer;
  Names types;
};

// Where a kind's resource is.
struct OpenApiPaths::Context {
  const api::KindInfo& kind;
  std::string collection, scope;  // scope: "Namespaced" or ""
  Json object, list, gvk;
  std::set<std::string> names;  // of the object's path
  std::set<std::string> space;  // of the collection's path
  bool custom = false;
};

OpenApiPaths::OpenApiPaths(api::OpenApiComponents& components, std::string_view group,
                           std::string_view version)
    : components_(components), group_(group), version_(version) {
  root_ = group.empty() ? "/api/" + version_ : "/apis/" + group_ + "/" + version_;
  const std::string camel = CamelGroup(group);
  camel_ = camel + Capital(version);
  tag_ = camel + "_" + version_;
  tag_[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(tag_[0])));
}

Json OpenApiPaths::OperationJson(const Operation& operation,
                                 const std::set<std::string>& shared) const {
  Json json = Json::MakeObject();
  json["tags"].Append(tag_);
  json.Set("description", operation.description);
  json.Set("operationId", operation.id);
  Json parameters = Json::MakeArray();
  for (const std::string& name : operation.parameters) {
    if (shared.count(name) == 0) parameters.Append(ParameterJson(name));
  }
  if (parameters.size() > 0) json.Set("parameters", std::move(parameters));
  if (!operation.body.IsNull()) {
    json["requestBody"].Set("content", Content(operation.body_types, operation.body));
    if (operation.body_required) json["requestBody"].Set("required", true);
  }
  Json responses = Json::MakeObject();
  for (const int code : operation.codes) {
    Json response = Json::MakeObject();
    response.Set("description", code == 200 ? "OK" : code == 201 ? "Created" : "Accepted");
    response.Set("content", Content(operation.types, operation.answer));
    responses.Set(std::to_string(code), std::move(response));
  }
  responses["401"].Set("description", "Unauthorized");
  json.Set("responses", std::move(responses));
  if (!operation.action.empty()) {
    json.Set("x-kubernetes-action", operation.action);
    json.Set("x-kubernetes-group-version-kind", operation.kind);
  }
  return json;
}

// What all operations of a path take is said once, for the path.
void OpenApiPaths::AddPath(const std::string& path, std::vector<Operation> operations) {
  std::set<std::string> shared = operations.front().parameters;
  for (const Operation& operation : operations) {
    for (auto it = shared.begin(); it != shared.end();) {
      it = operation.parameters.count(*it) > 0 ? std::next(it) : shared.erase(it);
    }
  }
  Json item = Json::MakeObject();
  for (const Operation& operation : operations) {
    item.Set(operation.method, OperationJson(operation, shared));
  }
  Json parameters = Json::MakeArray();
  for (const std::string& name : shared) parameters.Append(ParameterJson(name));
  if (parameters.size() > 0) item.Set("parameters", std::move(parameters));
  paths_[path] = std::move(item);
}

void OpenApiPaths::AddCollection(const Context& at) {
  const std::string kind(at.kind.kind);
  const Names& types = at.custom ? kCustomTypes : kListTypes;
  const auto make = [&](std::string_view method, const std::string& id, std::string_view action,
                        const std::string& description) {
    Operation operation;
    operation.method = method;
    operation.id = id;
    operation.action = action;
    operation.description = description;
    operation.kind = at.gvk;
    operation.parameters = at.space;
    return operation;
  };
  std::vector<Operation> operations;
  Operation list = make("get", "list" + camel_ + at.scope + kind, "list",
                        "list or watch objects of kind " + kind);
  list.parameters.insert(kListNames.begin(), kListNames.end());
  list.answer = at.list;
  list.types = types;
  operations.push_back(list);
  const bool read_only = TraitsOf(at.kind).read_only;
  if (!read_only) {
    Operation create = make("post", "create" + camel_ + at.scope + kind, "post",
                            "create an object of kind " + kind);
    create.parameters.insert(kWriteNames.begin(), kWriteNames.end());
    create.body = at.object;
    create.body_types = at.custom ? kCustomTypes : kAnyType;
    create.body_required = true;
    create.codes = {200, 201, 202};
    create.answer = at.object;
    create.types = at.custom ? kCustomTypes : kTypes;
    operations.push_back(std::move(create));
  }
  if (!read_only && TraitsOf(at.kind).delete_collection) {
    Operation remove = make("delete", "delete" + camel_ + "Collection" + at.scope + kind,
                            "deletecollection", "delete objects of kind " + kind);
    const Names& names = at.custom ? kListNames : kDeleteListNames;
    remove.parameters.insert(names.begin(), names.end());
    if (!at.custom) {
      remove.body = components_.Reference("meta.v1.DeleteOptions");
      remove.body_types = kAnyType;
    }
    remove.answer = components_.Reference("meta.v1.Status");
    remove.types = at.custom ? kCustomTypes : kTypes;
    operations.push_back(std::move(remove));
  }
  AddPath(at.collection, std::move(operations));
  if (!at.scope.empty()) {
    list.id = "list" + camel_ + kind + "ForAllNamespaces";
    list.parameters.erase("namespace");
    AddPath(root_ + "/" + std::string(at.kind.plural), {std::move(list)});
  }
}

void OpenApiPaths::AddObject(const Context& at) {
  const std::string kind(at.kind.kind);
  const std::string end = camel_ + at.scope + kind;
  const Names& types = at.custom ? kCustomTypes : kTypes;
  const auto make = [&](std::string_view method, const std::string& id, std::string_view action,
                        const std::string& description, const Names& names) {
    Operation operation;
    operation.method = method;
    operation.id = id + end;
    operation.action = action;
    operation.description = description + kind;
    operation.kind = at.gvk;
    operation.parameters = at.names;
    operation.parameters.insert(names.begin(), names.end());
    operation.answer = at.object;
    operation.types = types;
    return operation;
  };
  std::vector<Operation> operations;
  Operation get = make("get", "read", "get", "read an object of kind ", {});
  if (at.custom) get.parameters.insert("resourceVersion");
  operations.push_back(std::move(get));
  if (!TraitsOf(at.kind).read_only) {
    Operation put = make("put", "replace", "put", "replace an object of kind ", kWriteNames);
    put.body = at.object;
    put.body_types = at.custom ? kCustomTypes : kAnyType;
    put.body_required = true;
    put.codes = {200, 201};
    operations.push_back(std::move(put));
    Operation remove =
        make("delete", "delete", "delete", "delete an object of kind ", kDeleteNames);
    remove.body = components_.Reference("meta.v1.DeleteOptions");
    remove.body_types = at.custom ? kCustomTypes : kAnyType;
    remove.codes = {200, 202};
    if (!TraitsOf(at.kind).returns_deleted) {
      remove.answer = components_.Reference("meta.v1.Status");
    }
    operations.push_back(std::move(remove));
    Operation patch =
        make("patch", "patch", "patch", "change parts of an object of kind ", kPatchNames);
    patch.body = components_.Reference("meta.v1.Patch");
    patch.body_types = at.custom ? kCustomPatchTypes : kPatchTypes;
    patch.body_required = true;
    if (!at.custom) patch.codes = {200, 201};
    operations.push_back(std::move(patch));
  }
  AddPath(at.collection + "/{name}", std::move(operations));
}

void OpenApiPaths::AddWatches(const Context& at) {
  const std::string kind(at.kind.kind), plural(at.kind.plural);
  const auto add = [&](const std::string& path, const std::string& id, std::string_view action,
                       std::set<std::string> parameters) {
    Operation watch;
    watch.method = "get";
    watch.id = "watch" + camel_ + id;
    watch.action = action;
    watch.description = "old form of a list with watch=true, of kind " + kind;
    watch.kind = at.gvk;
    watch.parameters = std::move(parameters);
    watch.parameters.insert(kListNames.begin(), kListNames.end());
    watch.answer = components_.Reference("meta.v1.WatchEvent");
    watch.types = kListTypes;
    AddPath(path, {std::move(watch)});
  };
  const std::string inside = at.collection.substr(root_.size());
  add(root_ + "/watch" + inside, at.scope + kind + "List", "watchlist", at.space);
  add(root_ + "/watch" + inside + "/{name}", at.scope + kind, "watch", at.names);
  if (!at.scope.empty()) {
    add(root_ + "/watch/" + plural, kind + "ListForAllNamespaces", "watchlist", {"pretty"});
  }
}

Json OpenApiPaths::BodyReference(const Context& at, const Subresource& sub) {
  if (sub.kind == at.kind.kind && sub.group == at.kind.group) return at.object;
  for (const api::KindInfo* kind : api::RequestKinds()) {
    if (kind->group == sub.group && kind->version == sub.version && kind->kind == sub.kind) {
      return components_.Reference(*kind);
    }
  }
  return TextSchema();
}

void OpenApiPaths::AddConnect(const Context& at, const Subresource& sub) {
  const bool proxy = sub.name == "proxy";
  const Names methods = proxy ? Names{"get", "put", "post", "delete", "options", "head", "patch"}
                              : Names{"get", "post"};
  for (const bool deep : {false, true}) {
    if (deep && !proxy) break;
    std::vector<Operation> operations;
    for (const std::string_view method : methods) {
      Operation connect;
      connect.method = method;
      connect.id = "connect" + camel_ + Capital(method) + at.scope + std::string(at.kind.kind) +
                   Capital(sub.name) + (deep ? "WithPath" : "");
      connect.action = "connect";
      connect.description =
          fmt::format("connect {} requests to {} of {}", method, sub.name, at.kind.kind);
      connect.kind = api::GroupVersionKind(sub.group, sub.version, sub.kind);
      connect.parameters = at.names;
      connect.parameters.erase("pretty");
      const Names& names = ConnectNames(sub.name);
      connect.parameters.insert(names.begin(), names.end());
      if (deep) {
        connect.parameters.erase("path");
        connect.parameters.insert({kRestOfPath, kPathQuery});
      }
      connect.answer = TextSchema();
      connect.types = kAnyType;
      operations.push_back(std::move(connect));
    }
    AddPath(fmt::format("{}/{{name}}/{}{}", at.collection, sub.name, deep ? "/{path}" : ""),
            std::move(operations));
  }
}

void OpenApiPaths::AddSubresource(const Context& at, const Subresource& sub) {
  if (sub.kind.size() > 7 && sub.kind.substr(sub.kind.size() - 7) == "Options") {
    return AddConnect(at, sub);
  }
  const std::string kind(at.kind.kind);
  const Json body = BodyReference(at, sub);
  const Names& types = at.custom ? kCustomTypes : sub.name == "log" ? kLogTypes : kTypes;
  const auto make = [&](std::string_view method, const std::string& id, std::string_view action,
                        const Names& names) {
    Operation operation;
    operation.method = method;
    operation.id = id + camel_ + at.scope + kind + Capital(sub.name);
    operation.action = action;
    operation.description = fmt::format("{} {} of an object of kind {}", id, sub.name, kind);
    operation.kind = api::GroupVersionKind(sub.group, sub.version, sub.kind);
    operation.parameters = at.names;
    operation.parameters.insert(names.begin(), names.end());
    operation.answer = sub.name == "log" ? TextSchema() : body;
    operation.types = types;
    if (names.empty()) return operation;
    operation.body = body;
    operation.body_types = at.custom ? kCustomTypes : kAnyType;
    operation.body_required = true;
    operation.codes = {200, 201};
    return operation;
  };
  const auto has = [&](std::string_view verb) {
    return std::find(sub.verbs.begin(), sub.verbs.end(), verb) != sub.verbs.end();
  };
  std::vector<Operation> operations;
  if (has("get")) {
    Operation get = make("get", "read", "get", {});
    if (sub.name == "log") get.parameters.insert(kLogNames.begin(), kLogNames.end());
    if (at.custom) get.parameters.insert("resourceVersion");
    operations.push_back(std::move(get));
  }
  if (has("update")) operations.push_back(make("put", "replace", "put", kWriteNames));
  if (has("create")) {
    Operation create = make("post", "create", "post", kWriteNames);
    create.codes = {200, 201, 202};
    operations.push_back(std::move(create));
  }
  if (has("patch")) {
    Operation patch = make("patch", "patch", "patch", kPatchNames);
    patch.body = components_.Reference("meta.v1.Patch");
    patch.body_types = at.custom ? kCustomPatchTypes : kPatchTypes;
    if (at.custom) patch.codes = {200};
    operations.push_back(std::move(patch));
  }
  AddPath(fmt::format("{}/{{name}}/{}", at.collection, sub.name), std::move(operations));
}

void OpenApiPaths::AddKind(const api::KindInfo& kind, const Json* schema) {
  Context at{
      kind,
      root_ + (kind.namespaced ? "/namespaces/{namespace}/" : "/") + std::string(kind.plural),
      kind.namespaced ? "Namespaced" : "",
      components_.Reference(kind, schema),
      components_.ListReference(kind, schema),
      api::GroupVersionKind(kind.group, kind.version, kind.kind),
      {"name", "pretty"},
      {"pretty"},
      kind.custom_resource};
  if (kind.namespaced) {
    at.names.insert("namespace");
    at.space.insert("namespace");
  }
  AddCollection(at);
  AddObject(at);
  if (!at.custom && !TraitsOf(kind).read_only) AddWatches(at);
  for (const Subresource& sub : PublishedSubresources(kind)) AddSubresource(at, sub);
}

void OpenApiPaths::AddRequest(const api::KindInfo& kind) {
  Operation create;
  create.method = "post";
  create.id = "create" + camel_ + (kind.namespaced ? "Namespaced" : "") + std::string(kind.kind);
  create.action = "post";
  create.description = "create an object of kind " + std::string(kind.kind);
  create.kind = api::GroupVersionKind(kind.group, kind.version, kind.kind);
  create.parameters = {"pretty"};
  create.parameters.insert(kWriteNames.begin(), kWriteNames.end());
  if (kind.namespaced) create.parameters.insert("namespace");
  create.body = components_.Reference(kind);
  create.body_types = kAnyType;
  create.body_required = true;
  create.codes = {200, 201, 202};
  create.answer = create.body;
  create.types = kTypes;
  AddPath(root_ + (kind.namespaced ? "/namespaces/{namespace}/" : "/") + std::string(kind.plural),
          {std::move(create)});
}

void OpenApiPaths::AddRead(const std::string& path, const std::string& operation,
                           const std::string& tag, std::string_view description,
                           std::string_view component, Names types) {
  Operation read;
  read.method = "get";
  read.id = operation;
  read.description = description;
  read.answer = component.empty() ? TextSchema() : components_.Reference(component);
  read.types = std::move(types);
  const std::string own = std::exchange(tag_, tag);
  AddPath(path, {std::move(read)});
  tag_ = own;
}

Json OpenApiPaths::Take() {
  Json all = Json::MakeObject();
  for (auto& [path, item] : paths_) all.AsObject().push_back({path, std::move(item)});
  paths_.clear();
  return all;
}

}  // namespace kueue::apiserver
