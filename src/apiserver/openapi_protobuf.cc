#include "apiserver/openapi_protobuf.h"

#include "apiserver/protobuf_writer.h"

namespace kueue::apiserver {

using api::Json;
using protobuf_out::Form;
using protobuf_out::Message;

namespace {

// ---- version 2, by the field numbers gnostic publishes

namespace v2 {

const Message& Schema();

const Message& AdditionalProperties() {
  static const Message message{{}, 0, {{"", "", 1, Schema}}, 2};
  return message;
}
const Message& OneSchema() {
  static const Message message{{}, 0, {{"", "", 1, Schema}}};
  return message;
}
const Message& Schema() {
  static const Message message{{{"$ref", 1, Form::kText},
                                {"format", 2, Form::kText},
                                {"title", 3, Form::kText},
                                {"description", 4, Form::kText},
                                {"default", 5, Form::kAny},
                                {"multipleOf", 6, Form::kDouble},
                                {"maximum", 7, Form::kDouble},
                                {"exclusiveMaximum", 8, Form::kBool},
                                {"minimum", 9, Form::kDouble},
                                {"exclusiveMinimum", 10, Form::kBool},
                                {"maxLength", 11, Form::kInt},
                                {"minLength", 12, Form::kInt},
                                {"pattern", 13, Form::kText},
                                {"maxItems", 14, Form::kInt},
                                {"minItems", 15, Form::kInt},
                                {"uniqueItems", 16, Form::kBool},
                                {"maxProperties", 17, Form::kInt},
                                {"minProperties", 18, Form::kInt},
                                {"required", 19, Form::kTexts},
                                {"enum", 20, Form::kAnys},
                                {"additionalProperties", 21, Form::kMessage, AdditionalProperties},
                                {"type", 22, Form::kTextList},
                                {"items", 23, Form::kMessage, OneSchema},
                                {"allOf", 24, Form::kMessages, Schema},
                                {"properties", 25, Form::kNamed, Schema}},
                               31};
  return message;
}
const Message& BodyParameter() {
  static const Message message{{{"description", 1, Form::kText},
                                {"name", 2, Form::kText},
                                {"in", 3, Form::kText},
                                {"required", 4, Form::kBool},
                                {"schema", 5, Form::kMessage, Schema}},
                               6};
  return message;
}
const Message& QueryParameter() {
  static const Message message{{{"required", 1, Form::kBool},
                                {"in", 2, Form::kText},
                                {"description", 3, Form::kText},
                                {"name", 4, Form::kText},
                                {"type", 6, Form::kText},
                                {"format", 7, Form::kText},
                                {"uniqueItems", 20, Form::kBool}},
                               23};
  return message;
}
const Message& PathParameter() {
  static const Message message{{{"required", 1, Form::kBool},
                                {"in", 2, Form::kText},
                                {"description", 3, Form::kText},
                                {"name", 4, Form::kText},
                                {"type", 5, Form::kText},
                                {"format", 6, Form::kText},
                                {"uniqueItems", 19, Form::kBool}},
                               22};
  return message;
}
const Message& NonBodyParameter() {
  static const Message message{
      {}, 0, {{"in", "path", 4, PathParameter}, {"", "", 3, QueryParameter}}};
  return message;
}
const Message& Parameter() {
  static const Message message{
      {}, 0, {{"in", "body", 1, BodyParameter}, {"", "", 2, NonBodyParameter}}};
  return message;
}
const Message& ParametersItem() {
  static const Message message{{}, 0, {{"", "", 1, Parameter}}};
  return message;
}
const Message& Response() {
  static const Message message{
      {{"description", 1, Form::kText}, {"schema", 2, Form::kMessage, OneSchema}}, 5};
  return message;
}
const Message& ResponseValue() {
  static const Message message{{}, 0, {{"", "", 1, Response}}};
  return message;
}
const Message& Operation() {
  static const Message message{{{"tags", 1, Form::kTexts},
                                {"description", 3, Form::kText},
                                {"operationId", 5, Form::kText},
                                {"produces", 6, Form::kTexts},
                                {"consumes", 7, Form::kTexts},
                                {"parameters", 8, Form::kMessages, ParametersItem},
                                {"responses", 9, Form::kNamed, ResponseValue},
                                {"schemes", 10, Form::kTexts}},
                               13};
  return message;
}
const Message& PathItem() {
  static const Message message{{{"get", 2, Form::kMessage, Operation},
                                {"put", 3, Form::kMessage, Operation},
                                {"post", 4, Form::kMessage, Operation},
                                {"delete", 5, Form::kMessage, Operation},
                                {"options", 6, Form::kMessage, Operation},
                                {"head", 7, Form::kMessage, Operation},
                                {"patch", 8, Form::kMessage, Operation},
                                {"parameters", 9, Form::kMessages, ParametersItem}},
                               10};
  return message;
}
const Message& Info() {
  static const Message message{{{"title", 1, Form::kText}, {"version", 2, Form::kText}}};
  return message;
}
const Message& ApiKey() {
  static const Message message{{{"type", 1, Form::kText},
                                {"name", 2, Form::kText},
                                {"in", 3, Form::kText},
                                {"description", 4, Form::kText}}};
  return message;
}
const Message& SecurityDefinition() {
  static const Message message{{}, 0, {{"", "", 2, ApiKey}}};
  return message;
}
const Message& Nothing() {
  static const Message message;
  return message;
}
const Message& Document() {
  static const Message message{{{"swagger", 1, Form::kText},
                                {"info", 2, Form::kMessage, Info},
                                {"paths", 8, Form::kNamed, PathItem, 2},
                                {"definitions", 9, Form::kNamed, Schema},
                                {"security", 12, Form::kEntries, Nothing},
                                {"securityDefinitions", 13, Form::kNamed, SecurityDefinition}},
                               16};
  return message;
}

}  // namespace v2

// ---- version 3

namespace v3 {

const Message& Schema();

const Message& Reference() {
  static const Message message{{{"$ref", 1, Form::kText}}};
  return message;
}
const Message& SchemaOrReference() {
  static const Message message{{}, 0, {{"$ref", "", 2, Reference}, {"", "", 1, Schema}}};
  return message;
}
const Message& AdditionalProperties() {
  static const Message message{{}, 0, {{"", "", 1, SchemaOrReference}}, 2};
  return message;
}
const Message& OneSchema() {
  static const Message message{{}, 0, {{"", "", 1, SchemaOrReference}}};
  return message;
}
const Message& Default() {
  static const Message message{{}, 0, {}, 0, true};
  return message;
}
const Message& Schema() {
  static const Message message{{{"nullable", 1, Form::kBool},
                                {"title", 9, Form::kText},
                                {"multipleOf", 10, Form::kDouble},
                                {"maximum", 11, Form::kDouble},
                                {"exclusiveMaximum", 12, Form::kBool},
                                {"minimum", 13, Form::kDouble},
                                {"exclusiveMinimum", 14, Form::kBool},
                                {"maxLength", 15, Form::kInt},
                                {"minLength", 16, Form::kInt},
                                {"pattern", 17, Form::kText},
                                {"maxItems", 18, Form::kInt},
                                {"minItems", 19, Form::kInt},
                                {"uniqueItems", 20, Form::kBool},
                                {"maxProperties", 21, Form::kInt},
                                {"minProperties", 22, Form::kInt},
                                {"required", 23, Form::kTexts},
                                {"enum", 24, Form::kAnys},
                                {"type", 25, Form::kText},
                                {"allOf", 26, Form::kMessages, SchemaOrReference},
                                {"oneOf", 27, Form::kMessages, SchemaOrReference},
                                {"anyOf", 28, Form::kMessages, SchemaOrReference},
                                {"not", 29, Form::kMessage, Schema},
                                {"items", 30, Form::kMessage, OneSchema},
                                {"properties", 31, Form::kNamed, SchemaOrReference},
                                {"additionalProperties", 32, Form::kMessage, AdditionalProperties},
                                {"default", 33, Form::kMessage, Default},
                                {"description", 34, Form::kText},
                                {"format", 35, Form::kText}},
                               36};
  return message;
}
const Message& MediaType() {
  static const Message message{{{"schema", 1, Form::kMessage, SchemaOrReference}}};
  return message;
}
const Message& RequestBody() {
  static const Message message{
      {{"content", 2, Form::kNamed, MediaType}, {"required", 3, Form::kBool}}};
  return message;
}
const Message& RequestBodyOrReference() {
  static const Message message{{}, 0, {{"", "", 1, RequestBody}}};
  return message;
}
const Message& Response() {
  static const Message message{
      {{"description", 1, Form::kText}, {"content", 3, Form::kNamed, MediaType}}};
  return message;
}
const Message& ResponseOrReference() {
  static const Message message{{}, 0, {{"", "", 1, Response}}};
  return message;
}
const Message& Parameter() {
  static const Message message{{{"name", 1, Form::kText},
                                {"in", 2, Form::kText},
                                {"description", 3, Form::kText},
                                {"required", 4, Form::kBool},
                                {"schema", 10, Form::kMessage, SchemaOrReference}}};
  return message;
}
const Message& ParameterOrReference() {
  static const Message message{{}, 0, {{"", "", 1, Parameter}}};
  return message;
}
const Message& Operation() {
  static const Message message{{{"tags", 1, Form::kTexts},
                                {"description", 3, Form::kText},
                                {"operationId", 5, Form::kText},
                                {"parameters", 6, Form::kMessages, ParameterOrReference},
                                {"requestBody", 7, Form::kMessage, RequestBodyOrReference},
                                {"responses", 8, Form::kNamed, ResponseOrReference, 2}},
                               13};
  return message;
}
const Message& PathItem() {
  static const Message message{{{"get", 4, Form::kMessage, Operation},
                                {"put", 5, Form::kMessage, Operation},
                                {"post", 6, Form::kMessage, Operation},
                                {"delete", 7, Form::kMessage, Operation},
                                {"options", 8, Form::kMessage, Operation},
                                {"head", 9, Form::kMessage, Operation},
                                {"patch", 10, Form::kMessage, Operation},
                                {"parameters", 13, Form::kMessages, ParameterOrReference}},
                               14};
  return message;
}
const Message& Info() {
  static const Message message{{{"title", 1, Form::kText}, {"version", 6, Form::kText}}};
  return message;
}
const Message& SecurityScheme() {
  static const Message message{{{"type", 1, Form::kText},
                                {"description", 2, Form::kText},
                                {"name", 3, Form::kText},
                                {"in", 4, Form::kText}}};
  return message;
}
const Message& SecuritySchemeOrReference() {
  static const Message message{{}, 0, {{"", "", 1, SecurityScheme}}};
  return message;
}
const Message& Components() {
  static const Message message{{{"schemas", 1, Form::kNamed, SchemaOrReference},
                                {"securitySchemes", 7, Form::kNamed, SecuritySchemeOrReference}}};
  return message;
}
const Message& Document() {
  static const Message message{{{"openapi", 1, Form::kText},
                                {"info", 2, Form::kMessage, Info},
                                {"paths", 4, Form::kNamed, PathItem},
                                {"components", 5, Form::kMessage, Components}}};
  return message;
}

}  // namespace v3

}  // namespace

std::string OpenApi2Protobuf(const Json& document) {
  return protobuf_out::Encode(v2::Document(), document);
}

std::string OpenApi3Protobuf(const Json& document) {
  return protobuf_out::Encode(v3::Document(), document);
}

}  // namespace kueue::apiserver
