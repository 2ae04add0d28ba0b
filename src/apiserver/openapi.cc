#include "apiserver/openapi.h"

#include <fmt/format.h>

#include <utility>

#include "api/codec/json_text.h"

namespace kueue::apiserver {

using api::Json;

namespace {

Json Info() {
  Json info = Json::MakeObject();
  info.Set("title", "kueue-cpp");
  info.Set("version", "v1.36.0");
  return info;
}

Json StringParameter(const char* name) {
  Json schema = Json::MakeObject();
  schema.Set("type", "string");
  schema.Set("uniqueItems", true);
  Json parameter = Json::MakeObject();
  parameter.Set("name", name);
  parameter.Set("in", "query");
  parameter.Set("schema", std::move(schema));
  return parameter;
}

Json WriteOperation(const api::KindInfo& kind, const char* action) {
  Json gvk = Json::MakeObject();
  gvk.Set("group", kind.group);
  gvk.Set("kind", kind.kind);
  gvk.Set("version", kind.version);
  Json parameters = Json::MakeArray();
  for (const char* name : {"dryRun", "fieldManager", "fieldValidation"}) {
    parameters.Append(StringParameter(name));
  }
  Json answer = Json::MakeObject();
  answer.Set("description", "OK");
  Json answers = Json::MakeObject();
  answers.Set("200", std::move(answer));
  Json operation = Json::MakeObject();
  operation.Set("operationId", fmt::format("{}{}", action, kind.kind));
  operation.Set("parameters", std::move(parameters));
  operation.Set("responses", std::move(answers));
  operation.Set("x-kubernetes-action", action);
  operation.Set("x-kubernetes-group-version-kind", std::move(gvk));
  return operation;
}

}  // namespace

std::string OpenApi2Document() {
  Json json = Json::MakeObject();
  json.Set("swagger", "2.0");
  json.Set("info", Info());
  json.Set("paths", Json::MakeObject());
  json.Set("definitions", Json::MakeObject());
  return api::WriteJson(json);
}

std::string OpenApi3Document(const std::string& group, const std::string& version,
                             const std::vector<const api::KindInfo*>& kinds) {
  const std::string root =
      group.empty() ? "/api/" + version : fmt::format("/apis/{}/{}", group, version);
  Json paths = Json::MakeObject();
  for (const api::KindInfo* kind : kinds) {
    const std::string collection =
        fmt::format("{}{}/{}", root, kind->namespaced ? "/namespaces/{namespace}" : "",
                    kind->plural);
    Json post = Json::MakeObject();
    post.Set("post", WriteOperation(*kind, "post"));
    paths.Set(collection, std::move(post));
    Json object = Json::MakeObject();
    object.Set("put", WriteOperation(*kind, "put"));
    object.Set("patch", WriteOperation(*kind, "patch"));
    paths.Set(collection + "/{name}", std::move(object));
  }
  Json components = Json::MakeObject();
  components.Set("schemas", Json::MakeObject());
  Json json = Json::MakeObject();
  json.Set("openapi", "3.0.0");
  json.Set("info", Info());
  json.Set("paths", std::move(paths));
  json.Set("components", std::move(components));
  return api::WriteJson(json);
}

}  // namespace kueue::apiserver
