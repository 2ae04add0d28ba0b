#include "api/schema/openapi_schema.h"

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "api/schema/crd.h"
#include "api/schema/described.h"
#include "api/schema/table_index.h"
#include "base/check.h"

namespace kueue::api {
namespace {

constexpr std::string_view kReferenceRoot = "#/components/schemas/";

bool HasPrefix(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Types that are one value in JSON, by component.
struct PlainType {
  std::string_view component, name, schema;
};
constexpr PlainType kPlainTypes[] = {
    {"resource.Quantity", "io.k8s.apimachinery.pkg.api.resource.Quantity",
     R"({"oneOf":[{"type":"string"},{"type":"number"}]})"},
    {"meta.v1.Time", "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
     R"({"type":"string","format":"date-time"})"},
    {"meta.v1.MicroTime", "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
     R"({"type":"string","format":"date-time"})"},
    {"meta.v1.Duration", "io.k8s.apimachinery.pkg.apis.meta.v1.Duration", R"({"type":"string"})"},
    {"meta.v1.FieldsV1", "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", R"({"type":"object"})"},
    {"meta.v1.Patch", "io.k8s.apimachinery.pkg.apis.meta.v1.Patch", R"({"type":"object"})"},
    {"intstr.IntOrString", "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
     R"({"oneOf":[{"type":"integer"},{"type":"string"}],"format":"int-or-string"})"},
    {"runtime.RawExtension", "io.k8s.apimachinery.pkg.runtime.RawExtension",
     R"({"type":"object"})"},
    {"version.Info", "io.k8s.apimachinery.pkg.version.Info",
     R"({"type":"object","required":["major","minor","gitVersion","gitCommit","gitTreeState",
     "buildDate","goVersion","compiler","platform"],"properties":{
     "buildDate":{"type":"string","default":""},"compiler":{"type":"string","default":""},
     "emulationMajor":{"type":"string"},"emulationMinor":{"type":"string"},
     "gitCommit":{"type":"string","default":""},"gitTreeState":{"type":"string","default":""},
     "gitVersion":{"type":"string","default":""},"goVersion":{"type":"string","default":""},
     "major":{"type":"string","default":""},"minCompatibilityMajor":{"type":"string"},
     "minCompatibilityMinor":{"type":"string"},"minor":{"type":"string","default":""},
     "platform":{"type":"string","default":""}}})"},
};
// The parts of a definition's schema that may have several forms: nothing is said about them.
constexpr std::string_view kFreeTypes[] = {
    "apiextensions.v1.JSON", "apiextensions.v1.JSONSchemaPropsOrArray",
    "apiextensions.v1.JSONSchemaPropsOrBool", "apiextensions.v1.JSONSchemaPropsOrStringArray"};

// Values of any type have a component of their own where they stand; elsewhere RawExtension.
struct AnyValue {
  std::string_view table, field, component;
};
constexpr AnyValue kAnyValues[] = {
    {"apiextensions.v1.CustomResourceSubresources", "status",
     "apiextensions.v1.CustomResourceSubresourceStatus"},
    {"apiextensions.v1.JSONSchemaProps", "additionalItems",
     "apiextensions.v1.JSONSchemaPropsOrBool"},
    {"apiextensions.v1.JSONSchemaProps", "additionalProperties",
     "apiextensions.v1.JSONSchemaPropsOrBool"},
    {"apiextensions.v1.JSONSchemaProps", "default", "apiextensions.v1.JSON"},
    {"apiextensions.v1.JSONSchemaProps", "dependencies",
     "apiextensions.v1.JSONSchemaPropsOrStringArray"},
    {"apiextensions.v1.JSONSchemaProps", "enum", "apiextensions.v1.JSON"},
    {"apiextensions.v1.JSONSchemaProps", "example", "apiextensions.v1.JSON"},
    {"apiextensions.v1.JSONSchemaProps", "items", "apiextensions.v1.JSONSchemaPropsOrArray"},
    {"meta.v1.ManagedFieldsEntry", "fieldsV1", "meta.v1.FieldsV1"},
};

// Types of which one part is chosen by another (x-kubernetes-unions).
struct Union {
  std::string_view table, unions;
};
constexpr Union kUnions[] = {
    {"core.v1.AppArmorProfile",
     R"([{"discriminator":"type","fields-to-discriminateBy":
         {"localhostProfile":"LocalhostProfile"}}])"},
    {"core.v1.PodSchedulingGroup",
     R"([{"fields-to-discriminateBy":{"podGroupName":"PodGroupName"}}])"},
    {"core.v1.SeccompProfile",
     R"([{"discriminator":"type","fields-to-discriminateBy":
         {"localhostProfile":"LocalhostProfile"}}])"},
    {"flowcontrol.v1.LimitResponse",
     R"([{"discriminator":"type","fields-to-discriminateBy":{"queuing":"Queuing"}}])"},
    {"flowcontrol.v1.PriorityLevelConfigurationSpec",
     R"([{"discriminator":"type","fields-to-discriminateBy":
         {"exempt":"Exempt","limited":"Limited"}}])"},
    {"flowcontrol.v1.Subject",
     R"([{"discriminator":"kind","fields-to-discriminateBy":
         {"group":"Group","serviceAccount":"ServiceAccount","user":"User"}}])"},
};

Json Read(std::string_view text) {
  auto json = ParseJson(text);
  KUEUE_CHECK_MSG(json.ok(), std::string(text) + " is no JSON");
  return std::move(*json);
}

Json Refer(const std::string& name) {
  Json reference = Json::MakeObject();
  reference.Set("$ref", std::string(kReferenceRoot) + name);
  return reference;
}

Json Typed(const char* type, const char* format = nullptr) {
  Json schema = Json::MakeObject();
  schema.Set("type", type);
  if (format != nullptr) schema.Set("format", format);
  return schema;
}

Json Texts(const std::vector<std::string_view>& texts) {
  Json list = Json::MakeArray();
  for (const std::string_view text : texts) list.Append(text);
  return list;
}

// A reference that has something beside it.
Json Wrapped(Json reference) {
  Json all = Json::MakeArray();
  all.Append(std::move(reference));
  Json schema = Json::MakeObject();
  schema.Set("allOf", std::move(all));
  return schema;
}

bool IsReference(const Json& schema) { return schema.Find("$ref") != nullptr; }

// What a value is when it is always there and nobody set it.
Json ZeroOf(const ValueOps& ops) {
  switch (ops.kind) {
    case FieldKind::kBool:
      return false;
    case FieldKind::kInt32:
    case FieldKind::kInt64:
    case FieldKind::kNumber:
      return 0;
    case FieldKind::kString:
    case FieldKind::kConditionStatus:
      return "";
    case FieldKind::kStruct:
      return Json::MakeObject();
    default:
      return nullptr;
  }
}

void AddListType(const FieldDescriptor& field, Json& schema) {
  if (field.list_type == ListType::kNone) return;
  static constexpr const char* kNames[] = {"", "atomic", "set", "map"};
  if (field.list_type == ListType::kMap) {
    schema.Set("x-kubernetes-list-map-keys", Texts(field.list_keys));
  }
  schema.Set("x-kubernetes-list-type", kNames[static_cast<size_t>(field.list_type)]);
}

void AddPatchStrategy(const FieldDescriptor& field, Json& schema) {
  if (!field.merge_key.empty()) schema.Set("x-kubernetes-patch-merge-key", field.merge_key);
  if (field.patch_replaces) schema.Set("x-kubernetes-patch-strategy", "replace");
  if (!field.patch_merges && !field.patch_retains_keys) return;
  schema.Set("x-kubernetes-patch-strategy", !field.patch_retains_keys ? "merge"
                                            : field.patch_merges      ? "merge,retainKeys"
                                                                      : "retainKeys");
}

// "kueue.x-k8s.io" -> "io.x-k8s.kueue"
std::string ReversedGroup(std::string_view group) {
  std::string out;
  while (!group.empty()) {
    const size_t dot = group.rfind('.');
    const size_t start = dot == std::string_view::npos ? 0 : dot + 1;
    if (!out.empty()) out += '.';
    out += group.substr(start);
    group = group.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  return out;
}

void AddSelectableFields(const KindInfo& kind, Json& schema) {
  if (!kind.custom_resource || kind.selectable_fields.empty()) return;
  Json fields = Json::MakeArray();
  for (const std::string_view path : kind.selectable_fields) {
    Json field = Json::MakeObject();
    field.Set("fieldPath", path);
    fields.Append(std::move(field));
  }
  schema.Set("x-kubernetes-selectable-fields", std::move(fields));
}

}  // namespace

Json GroupVersionKind(std::string_view group, std::string_view version, std::string_view kind) {
  Json json = Json::MakeObject();
  json.Set("group", group);
  json.Set("kind", kind);
  json.Set("version", version);
  return json;
}

std::string ComponentName(std::string_view component) {
  for (const PlainType& plain : kPlainTypes) {
    if (plain.component == component) return std::string(plain.name);
  }
  const char* root = HasPrefix(component, "meta.") ? "io.k8s.apimachinery.pkg.apis."
                     : HasPrefix(component, "apiextensions.")
                         ? "io.k8s.apiextensions-apiserver.pkg.apis."
                     : HasPrefix(component, "apiregistration.") ? "io.k8s.kube-aggregator.pkg.apis."
                                                                : "io.k8s.api.";
  return root + std::string(component);
}

std::string ComponentName(const KindInfo& kind) {
  if (kind.table != nullptr && !kind.table->component.empty() && !kind.custom_resource) {
    return ComponentName(kind.table->component);
  }
  return ReversedGroup(kind.group) + "." + std::string(kind.version) + "." + std::string(kind.kind);
}

std::string ListComponentName(const KindInfo& kind) { return ComponentName(kind) + "List"; }

Json OpenApiComponents::Reference(std::string_view component) {
  const StructDescriptor* table = DescribedTable(component);
  return table != nullptr ? AddTable(*table) : AddPlain(component);
}

Json OpenApiComponents::AddPlain(std::string_view component) {
  const std::string name = ComponentName(component);
  const auto [it, is_new] = schemas_.emplace(name, Json());
  if (is_new) {
    const bool free =
        std::find(std::begin(kFreeTypes), std::end(kFreeTypes), component) != std::end(kFreeTypes);
    it->second = free ? Json::MakeObject() : Typed("object");
    for (const PlainType& plain : kPlainTypes) {
      if (plain.component == component) it->second = Read(plain.schema);
    }
  }
  return Refer(name);
}

Json OpenApiComponents::AddTable(const StructDescriptor& table) {
  KUEUE_CHECK_MSG(!table.component.empty(), std::string(table.name) + " is no type of Kubernetes");
  const std::string name = ComponentName(table.component);
  // Types may hold themselves: the name is taken before the schema is made.
  if (schemas_.emplace(name, Json()).second) {
    Json schema = TableSchema(table);
    schemas_[name] = std::move(schema);
  }
  return Refer(name);
}

Json OpenApiComponents::TableSchema(const StructDescriptor& table) {
  Json properties = Json::MakeObject();
  std::vector<std::string_view> required;
  const bool plain_fields = table.Find("kind") == nullptr;
  if (table.top_level && plain_fields) {
    properties.Set("apiVersion", Typed("string"));
    properties.Set("kind", Typed("string"));
  }
  for (const uint16_t index : table.by_name) {
    const FieldDescriptor& field = table.fields[index];
    if (field.required) required.push_back(field.json_name);
    properties.Set(field.json_name, FieldSchema(table, field));
  }
  Json schema = Typed("object");
  if (!table.required_order.empty()) required = table.required_order;
  if (!required.empty()) schema.Set("required", Texts(required));
  if (properties.size() > 0) schema.Set("properties", std::move(properties));
  if (table.atomic) schema.Set("x-kubernetes-map-type", "atomic");
  for (const Union& each : kUnions) {
    if (each.table == table.component) schema.Set("x-kubernetes-unions", Read(each.unions));
  }
  AddKinds(table, schema);
  return schema;
}

void OpenApiComponents::AddKinds(const StructDescriptor& table, Json& schema) const {
  Json kinds = Json::MakeArray();
  for (const auto* list : {&AllKinds(), &RequestKinds()}) {
    for (const KindInfo* kind : *list) {
      if (kind->custom_resource || kind->table->component != table.component) continue;
      kinds.Append(GroupVersionKind(kind->group, kind->version, kind->kind));
    }
  }
  if (HasPrefix(table.component, "meta.") && (table.top_level || table.name == "WatchEvent")) {
    kinds.Append(GroupVersionKind("", "v1", table.name));
    if (table.name == "DeleteOptions" || table.name == "WatchEvent") {
      for (const auto& [group, version] : groups_) {
        if (!group.empty()) kinds.Append(GroupVersionKind(group, version, table.name));
      }
    }
  }
  if (kinds.size() > 0) schema.Set("x-kubernetes-group-version-kind", std::move(kinds));
}

Json OpenApiComponents::FieldSchema(const StructDescriptor& table, const FieldDescriptor& field) {
  Json schema = ValueSchema(table, field, *field.ops);
  if (IsReference(schema)) schema = Wrapped(std::move(schema));
  if (!field.doc.empty()) schema.Set("description", field.doc);
  if (const Json* value = DefaultOf(field)) {
    schema.Set("default", *value);
  } else if (!field.keeps_zero && (field.always_stored || field.ops->kind == FieldKind::kStruct)) {
    if (Json zero = ZeroOf(*field.ops); !zero.IsNull()) schema.Set("default", std::move(zero));
  }
  if (!field.enum_values.empty()) {
    Json* entries = schema.Find("items");
    if (entries == nullptr) entries = schema.Find("additionalProperties");
    (entries != nullptr ? *entries : schema).Set("enum", Texts(field.enum_values));
  }
  if (field.atomic) schema.Set("x-kubernetes-map-type", "atomic");
  AddListType(field, schema);
  AddPatchStrategy(field, schema);
  return schema;
}

Json OpenApiComponents::ItemSchema(const StructDescriptor& table, const FieldDescriptor& field,
                                   const ValueOps& ops) {
  Json schema = ValueSchema(table, field, ops);
  Json zero = ZeroOf(ops);
  if (zero.IsNull()) return schema;
  if (IsReference(schema)) schema = Wrapped(std::move(schema));
  schema.Set("default", std::move(zero));
  return schema;
}

Json OpenApiComponents::ValueSchema(const StructDescriptor& table, const FieldDescriptor& field,
                                    const ValueOps& ops) {
  switch (ops.kind) {
    case FieldKind::kBool:
      return Typed("boolean");
    case FieldKind::kInt32:
      return Typed("integer", "int32");
    case FieldKind::kInt64:
      return Typed("integer", "int64");
    case FieldKind::kNumber:
      return Typed("number", "double");
    case FieldKind::kString:
    case FieldKind::kConditionStatus:
      return Typed("string");
    case FieldKind::kBytes:
      return Typed("string", "byte");
    case FieldKind::kTime:
      return AddPlain("meta.v1.Time");
    case FieldKind::kMicroTime:
      return AddPlain("meta.v1.MicroTime");
    case FieldKind::kDuration:
      return AddPlain("meta.v1.Duration");
    case FieldKind::kQuantity:
      return AddPlain("resource.Quantity");
    case FieldKind::kIntOrString:
      return AddPlain("intstr.IntOrString");
    case FieldKind::kStruct:
      return AddTable(ops.Table());
    case FieldKind::kList: {
      Json schema = Typed("array");
      schema.Set("items", ItemSchema(table, field, *ops.item));
      return schema;
    }
    case FieldKind::kMap: {
      Json schema = Typed("object");
      schema.Set("additionalProperties", ItemSchema(table, field, *ops.item));
      return schema;
    }
    case FieldKind::kJson:
      break;
  }
  for (const AnyValue& any : kAnyValues) {
    if (any.table == table.component && any.field == field.json_name) {
      return Reference(any.component);
    }
  }
  return AddPlain("runtime.RawExtension");
}

Json OpenApiComponents::Reference(const KindInfo& kind, const Json* schema) {
  if (!kind.custom_resource) return AddTable(*kind.table);
  const std::string name = ComponentName(kind);
  if (!schemas_.emplace(name, Json()).second) return Refer(name);
  Json own = schema != nullptr ? *schema : StructuralSchema(kind);
  Json& properties = own["properties"];
  properties.Set("apiVersion", Typed("string"));
  properties.Set("kind", Typed("string"));
  properties.Set("metadata", Wrapped(Reference("meta.v1.ObjectMeta")));
  Json kinds = Json::MakeArray();
  kinds.Append(GroupVersionKind(kind.group, kind.version, kind.kind));
  own.Set("x-kubernetes-group-version-kind", std::move(kinds));
  AddSelectableFields(kind, own);
  schemas_[name] = std::move(own);
  return Refer(name);
}

Json OpenApiComponents::ListReference(const KindInfo& kind, const Json* schema) {
  const std::string name = ListComponentName(kind);
  if (!schemas_.emplace(name, Json()).second) return Refer(name);
  Json item = Reference(kind, schema);
  Json metadata = Wrapped(Reference("meta.v1.ListMeta"));
  if (!kind.custom_resource) {
    item = Wrapped(std::move(item));
    item.Set("default", Json::MakeObject());
    metadata.Set("default", Json::MakeObject());
  }
  Json items = Typed("array");
  items.Set("items", std::move(item));
  Json properties = Json::MakeObject();
  properties.Set("apiVersion", Typed("string"));
  properties.Set("items", std::move(items));
  properties.Set("kind", Typed("string"));
  properties.Set("metadata", std::move(metadata));
  Json list = Typed("object");
  list.Set("required", Texts({"items"}));
  list.Set("properties", std::move(properties));
  Json kinds = Json::MakeArray();
  kinds.Append(GroupVersionKind(kind.group, kind.version, std::string(kind.kind) + "List"));
  list.Set("x-kubernetes-group-version-kind", std::move(kinds));
  AddSelectableFields(kind, list);
  schemas_[name] = std::move(list);
  return Refer(name);
}

Json OpenApiComponents::Take() {
  Json all = Json::MakeObject();
  for (auto& [name, schema] : schemas_) {
    all.AsObject().push_back({name, std::move(schema)});
  }
  schemas_.clear();
  return all;
}

}  // namespace kueue::api
