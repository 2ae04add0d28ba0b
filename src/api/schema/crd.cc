#include "api/schema/crd.h"

#include "api/codec/json_text.h"
#include "api/schema/kinds_kueue.h"
#include "api/schema/patterns.h"
#include "api/schema/table_index.h"
#include "base/check.h"

namespace kueue::api {
namespace {

Json Texts(const std::vector<std::string_view>& texts) {
  Json list = Json::MakeArray();
  for (const std::string_view text : texts) list.Append(text);
  return list;
}

Json Typed(const char* type, const char* format = nullptr) {
  Json schema = Json::MakeObject();
  if (format != nullptr) schema.Set("format", format);
  schema.Set("type", type);
  return schema;
}

Json IntegerOrString() {
  Json either = Json::MakeArray();
  either.Append(Typed("integer"));
  either.Append(Typed("string"));
  Json schema = Json::MakeObject();
  schema.Set("anyOf", std::move(either));
  schema.Set("x-kubernetes-int-or-string", true);
  return schema;
}

Json RulesJson(const std::vector<CelRule>& rules) {
  Json list = Json::MakeArray();
  for (const CelRule& rule : rules) {
    Json item = Json::MakeObject();
    if (!rule.field_path.empty()) item.Set("fieldPath", rule.field_path);
    item.Set("message", rule.message);
    if (!rule.message_expression.empty()) item.Set("messageExpression", rule.message_expression);
    if (rule.optional_old_self) item.Set("optionalOldSelf", true);
    if (!rule.reason.empty()) item.Set("reason", rule.reason);
    item.Set("rule", rule.rule);
    list.Append(std::move(item));
  }
  return list;
}

void AddRules(const std::vector<CelRule>& rules, Json& schema) {
  if (rules.empty()) return;
  Json& list = schema["x-kubernetes-validations"];
  const Json more = RulesJson(rules);
  for (const Json& rule : more.AsArray()) list.Append(rule);
}

// Where a table stands: a definition has metadata of its own form at both places.
enum class Place { kRoot, kInside };

Json TableSchema(const StructDescriptor& table, Place place);

Json ValueSchema(const ValueOps& ops) {
  switch (ops.kind) {
    case FieldKind::kBool:
      return Typed("boolean");
    case FieldKind::kInt32:
      return Typed("integer", "int32");
    case FieldKind::kInt64:
      return Typed("integer", "int64");
    case FieldKind::kNumber:
      return Typed("number");
    case FieldKind::kBytes:
      return Typed("string", "byte");
    case FieldKind::kTime:
    case FieldKind::kMicroTime:
      return Typed("string", "date-time");
    case FieldKind::kString:
    case FieldKind::kDuration:
      return Typed("string");
    case FieldKind::kConditionStatus: {
      Json schema = Typed("string");
      schema.Set("enum", Texts({"True", "False", "Unknown"}));
      return schema;
    }
    case FieldKind::kQuantity: {
      Json schema = IntegerOrString();
      schema.Set("pattern", patterns::kQuantity);
      return schema;
    }
    case FieldKind::kIntOrString:
      return IntegerOrString();
    case FieldKind::kStruct:
      return TableSchema(ops.Table(), Place::kInside);
    case FieldKind::kList: {
      Json schema = Typed("array");
      schema.Set("items", ValueSchema(*ops.item));
      return schema;
    }
    case FieldKind::kMap: {
      Json schema = Typed("object");
      schema.Set("additionalProperties", ValueSchema(*ops.item));
      return schema;
    }
    case FieldKind::kJson:
      break;
  }
  // A structural schema would have to keep what it does not know; no kind of ours has such a field.
  KUEUE_CHECK_MSG(false, "a field of any type has no schema");
  return {};
}

void AddBounds(const ValueBounds& bounds, Json& schema) {
  if (bounds.minimum) schema.Set("minimum", *bounds.minimum);
  if (bounds.maximum) schema.Set("maximum", *bounds.maximum);
  if (bounds.min_length) schema.Set("minLength", *bounds.min_length);
  if (bounds.max_length) schema.Set("maxLength", *bounds.max_length);
  if (!bounds.pattern.empty()) schema.Set("pattern", bounds.pattern);
}

void AddListType(const FieldDescriptor& field, Json& schema) {
  switch (field.list_type) {
    case ListType::kNone:
      return;
    case ListType::kAtomic:
      schema.Set("x-kubernetes-list-type", "atomic");
      return;
    case ListType::kSet:
      schema.Set("x-kubernetes-list-type", "set");
      return;
    case ListType::kMap:
      break;
  }
  schema.Set("x-kubernetes-list-map-keys", Texts(field.list_keys));
  schema.Set("x-kubernetes-list-type", "map");
}

// Of a type of Kubernetes only the structure counts: its enums and bounds are rules of the kinds
// that use it.
Json FieldSchema(const FieldDescriptor& field, bool built_in) {
  Json schema = ValueSchema(*field.ops);
  if (!field.doc.empty()) schema.Set("description", field.doc);
  if (const Json* value = DefaultOf(field)) schema.Set("default", *value);
  if (!field.enum_values.empty() && !built_in) schema.Set("enum", Texts(field.enum_values));
  AddBounds({field.pattern, field.minimum, field.maximum, field.min_length, field.max_length},
            schema);
  if (Json* items = schema.Find("items")) AddBounds(field.item, *items);
  if (Json* values = schema.Find("additionalProperties")) AddBounds(field.item, *values);
  if (field.min_items) schema.Set("minItems", *field.min_items);
  if (field.max_items) schema.Set("maxItems", *field.max_items);
  if (field.max_properties) schema.Set("maxProperties", *field.max_properties);
  if (field.atomic) schema.Set("x-kubernetes-map-type", "atomic");
  AddListType(field, schema);
  AddRules(field.rules, schema);
  return schema;
}

// What the metadata of a template keeps (spec/api.md §8.1).
Json TemplateMetadata() {
  Json texts = Typed("object");
  texts.Set("additionalProperties", Typed("string"));
  Json list = Typed("array");
  list.Set("items", Typed("string"));
  Json properties = Json::MakeObject();
  properties.Set("annotations", texts);
  properties.Set("finalizers", std::move(list));
  properties.Set("labels", texts);
  properties.Set("name", Typed("string"));
  properties.Set("namespace", Typed("string"));
  Json schema = Typed("object");
  schema.Set("properties", std::move(properties));
  return schema;
}

Json TableSchema(const StructDescriptor& table, Place place) {
  if (place == Place::kInside && table.name == "ObjectMeta") return TemplateMetadata();
  Json properties = Json::MakeObject();
  std::vector<std::string_view> required;
  if (place == Place::kRoot) {
    properties.Set("apiVersion", Typed("string"));
    properties.Set("kind", Typed("string"));
  }
  for (const uint16_t index : table.by_name) {
    const FieldDescriptor& field = table.fields[index];
    if (field.required) required.push_back(field.json_name);
    const bool own = place == Place::kRoot && field.json_name == "metadata";
    properties.Set(field.json_name, own ? Typed("object") : FieldSchema(field, table.built_in));
  }
  Json schema = Typed("object");
  schema.Set("properties", std::move(properties));
  if (!required.empty()) schema.Set("required", Texts(required));
  if (table.atomic) schema.Set("x-kubernetes-map-type", "atomic");
  AddRules(table.rules, schema);
  return schema;
}

Json ColumnsJson(const std::vector<PrinterColumn>& columns) {
  Json list = Json::MakeArray();
  for (const PrinterColumn& column : columns) {
    Json item = Json::MakeObject();
    item.Set("jsonPath", column.json_path);
    item.Set("name", column.name);
    if (column.priority != 0) item.Set("priority", column.priority);
    item.Set("type", column.type);
    list.Append(std::move(item));
  }
  return list;
}

Json VersionJson(const KindInfo& kind) {
  Json version = Json::MakeObject();
  if (!kind.columns.empty()) {
    version.Set("additionalPrinterColumns", ColumnsJson(kind.columns));
  }
  if (!kind.deprecation.empty()) {
    version.Set("deprecated", true);
    version.Set("deprecationWarning", kind.ApiVersion() + " " + std::string(kind.kind) + ": " +
                                          std::string(kind.deprecation));
  }
  version.Set("name", kind.version);
  Json schema = Json::MakeObject();
  schema.Set("openAPIV3Schema", TableSchema(*kind.table, Place::kRoot));
  version.Set("schema", std::move(schema));
  if (!kind.selectable_fields.empty()) {
    Json fields = Json::MakeArray();
    for (const std::string_view field : kind.selectable_fields) {
      Json item = Json::MakeObject();
      item.Set("jsonPath", "." + std::string(field));
      fields.Append(std::move(item));
    }
    version.Set("selectableFields", std::move(fields));
  }
  version.Set("served", true);
  version.Set("storage", kind.stored == nullptr);
  if (kind.has_status) version["subresources"].Set("status", Json::MakeObject());
  return version;
}

// The manager converts; it puts its certificate in when it starts.
Json ConversionJson() {
  Json service = Json::MakeObject();
  service.Set("name", "webhook-service");
  service.Set("namespace", "kueue-system");
  service.Set("path", "/convert");
  Json webhook = Json::MakeObject();
  webhook["clientConfig"].Set("service", std::move(service));
  webhook.Set("conversionReviewVersions", Texts({"v1"}));
  Json conversion = Json::MakeObject();
  conversion.Set("strategy", "Webhook");
  conversion.Set("webhook", std::move(webhook));
  return conversion;
}

}  // namespace

Json StructuralSchema(const KindInfo& kind) {
  KUEUE_CHECK(kind.custom_resource && kind.table != nullptr);
  return TableSchema(*kind.table, Place::kRoot);
}

Json CrdManifest(const KindInfo& kind) {
  KUEUE_CHECK(kind.custom_resource && kind.stored == nullptr);
  Json names = Json::MakeObject();
  names.Set("kind", kind.kind);
  names.Set("listKind", std::string(kind.kind) + "List");
  names.Set("plural", kind.plural);
  if (!kind.short_names.empty()) names.Set("shortNames", Texts(kind.short_names));
  names.Set("singular", kind.singular);

  Json spec = Json::MakeObject();
  Json versions = Json::MakeArray();
  bool converts = false;
  for (const KindInfo* other : AllKinds()) {
    if (other != &kind && other->stored != &kind) continue;
    converts = converts || other->to_stored != nullptr;
    versions.Append(VersionJson(*other));
  }
  if (converts) spec.Set("conversion", ConversionJson());
  spec.Set("group", kind.group);
  spec.Set("names", std::move(names));
  spec.Set("scope", kind.namespaced ? "Namespaced" : "Cluster");
  spec.Set("versions", std::move(versions));

  Json manifest = Json::MakeObject();
  manifest.Set("apiVersion", "apiextensions.k8s.io/v1");
  manifest.Set("kind", "CustomResourceDefinition");
  manifest["metadata"].Set("name", kind.GroupResource());
  manifest.Set("spec", std::move(spec));
  return manifest;
}

std::vector<CrdFile> CrdFiles() {
  std::vector<CrdFile> files;
  for (const KindInfo* kind : KueueKinds()) {
    if (kind->stored != nullptr) continue;
    files.push_back({std::string(kind->group) + "_" + std::string(kind->plural) + ".yaml",
                     WriteYaml(CrdManifest(*kind))});
  }
  return files;
}

}  // namespace kueue::api
