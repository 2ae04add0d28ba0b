#include "apiserver/openapi_v2.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr std::string_view kOldRoot = "#/definitions/";
constexpr std::string_view kNewRoot = "#/components/schemas/";

Json Reference(const Json& reference) {
  const std::string& text = reference.AsString();
  const bool known = std::string_view(text).substr(0, kNewRoot.size()) == kNewRoot;
  Json json = Json::MakeObject();
  json.Set("$ref", known ? std::string(kOldRoot) + text.substr(kNewRoot.size()) : text);
  return json;
}

Json Properties(const Json& properties) {
  Json out = Json::MakeObject();
  for (const Json::Member& member : properties.AsObject()) {
    out.AsObject().push_back({member.key, SchemaInVersion2(member.value)});
  }
  return out;
}

// Of several forms the text, if it is one of them.
bool MayBeText(const Json& forms) {
  return std::any_of(forms.AsArray().begin(), forms.AsArray().end(),
                     [](const Json& form) { return form.StringAt({"type"}) == "string"; });
}

bool IsTrue(const Json& schema, std::string_view member) {
  const Json* value = schema.Find(member);
  return value != nullptr && value->IsBool() && value->AsBool();
}

Json ParameterInVersion2(const Json& parameter) {
  Json out = Json::MakeObject();
  for (const Json::Member& member : parameter.AsObject()) {
    if (member.key != "schema") out.Set(member.key, member.value);
  }
  if (const Json* schema = parameter.Find("schema")) {
    for (const Json::Member& member : schema->AsObject()) out.Set(member.key, member.value);
  }
  return out;
}

// The schema of a request's or an answer's content, and what it comes in.
const Json* SchemaOfContent(const Json& holder, Json* types) {
  const Json* content = holder.Find("content");
  if (content == nullptr) return nullptr;
  const Json* schema = nullptr;
  for (const Json::Member& member : content->AsObject()) {
    if (types != nullptr) types->Append(member.key);
    schema = member.value.Find("schema");
  }
  return schema;
}

Json ParametersInVersion2(const Json& operation) {
  Json parameters = Json::MakeArray();
  if (const Json* body = operation.Find("requestBody")) {
    Json parameter = Json::MakeObject();
    parameter.Set("name", "body");
    parameter.Set("in", "body");
    if (IsTrue(*body, "required")) parameter.Set("required", true);
    const Json* schema = SchemaOfContent(*body, nullptr);
    if (schema != nullptr) parameter.Set("schema", SchemaInVersion2(*schema));
    parameters.Append(std::move(parameter));
  }
  if (const Json* given = operation.Find("parameters")) {
    for (const Json& parameter : given->AsArray()) {
      parameters.Append(ParameterInVersion2(parameter));
    }
  }
  return parameters;
}

Json OperationInVersion2(const Json& operation) {
  Json consumes = Json::MakeArray(), produces, responses = Json::MakeObject();
  if (const Json* body = operation.Find("requestBody")) SchemaOfContent(*body, &consumes);
  if (consumes.size() == 0) consumes.Append("*/*");
  for (const Json::Member& response : operation.Find("responses")->AsObject()) {
    Json out = Json::MakeObject();
    out.Set("description", response.value.StringAt({"description"}));
    Json types = Json::MakeArray();
    if (const Json* schema = SchemaOfContent(response.value, &types)) {
      out.Set("schema", SchemaInVersion2(*schema));
    }
    if (produces.IsNull() && types.size() > 0) produces = std::move(types);
    responses.Set(response.key, std::move(out));
  }
  Json parameters = ParametersInVersion2(operation);
  Json out = Json::MakeObject();
  out.Set("description", operation.StringAt({"description"}));
  out.Set("consumes", std::move(consumes));
  if (produces.IsArray()) out.Set("produces", std::move(produces));
  out["schemes"].Append("https");
  for (const Json::Member& member : operation.AsObject()) {
    if (member.key == "tags" || member.key == "operationId") out.Set(member.key, member.value);
  }
  if (parameters.size() > 0) out.Set("parameters", std::move(parameters));
  out.Set("responses", std::move(responses));
  for (const Json::Member& member : operation.AsObject()) {
    if (member.key.compare(0, 2, "x-") == 0) out.Set(member.key, member.value);
  }
  return out;
}

}  // namespace

Json SchemaInVersion2(const Json& schema) {
  if (!schema.IsObject()) return schema;
  if (const Json* reference = schema.Find("$ref")) return Reference(*reference);
  const bool anything = IsTrue(schema, "x-kubernetes-preserve-unknown-fields");
  const bool nullable = IsTrue(schema, "nullable");
  Json out = Json::MakeObject();
  for (const Json::Member& member : schema.AsObject()) {
    const std::string& key = member.key;
    if (key == "allOf" && member.value.size() == 1 && member.value.AsArray()[0].Find("$ref")) {
      out.Set("$ref", *Reference(*member.value.AsArray()[0].Find("$ref")).Find("$ref"));
    } else if (key == "oneOf") {
      if (MayBeText(member.value)) out.Set("type", "string");
    } else if (key == "properties") {
      if (!anything && !nullable) out.Set(key, Properties(member.value));
    } else if (key == "items") {
      if (!anything && !nullable) out.Set(key, SchemaInVersion2(member.value));
    } else if (key == "additionalProperties") {
      out.Set(key, SchemaInVersion2(member.value));
    } else if (key == "type") {
      if (!nullable) out.Set(key, member.value);
    } else if (key != "default" && key != "allOf" && key != "anyOf" && key != "not" &&
               key != "nullable") {
      out.Set(key, member.value);
    }
  }
  return out;
}

Json PathInVersion2(const Json& item) {
  Json out = Json::MakeObject();
  for (const Json::Member& member : item.AsObject()) {
    if (member.key != "parameters") {
      out.Set(member.key, OperationInVersion2(member.value));
      continue;
    }
    Json parameters = Json::MakeArray();
    for (const Json& parameter : member.value.AsArray()) {
      parameters.Append(ParameterInVersion2(parameter));
    }
    out.Set(member.key, std::move(parameters));
  }
  return out;
}

}  // namespace kueue::apiserver
