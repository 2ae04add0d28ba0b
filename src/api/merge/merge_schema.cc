#include "api/merge/merge_schema.h"

#include <algorithm>
#include <map>
#include <utility>

#include "api/codec/json_text.h"
#include "base/mutex.h"

namespace kueue::api {

namespace {

void SortFields(MergeSchema& schema) {
  std::sort(
      schema.fields.begin(), schema.fields.end(),
      [](const MergeSchema::Field& a, const MergeSchema::Field& b) { return a.name < b.name; });
}

const MergeSchema& Scalar(ScalarType type) {
  static const std::vector<MergeSchema>& all = *[] {
    auto* made = new std::vector<MergeSchema>(5);
    for (size_t i = 0; i < made->size(); ++i) (*made)[i].scalar = static_cast<ScalarType>(i);
    return made;
  }();
  return all[static_cast<size_t>(type)];
}

// Schemas of tables: each part is made once and then shared.
class TableSchemas {
 public:
  const MergeSchema& Of(const StructDescriptor& table) {
    const base::MutexLock lock(mutex_);
    return Struct(table, table.atomic);
  }

 private:
  const MergeSchema& Struct(const StructDescriptor& table, bool atomic) REQUIRES_LOCK(mutex_) {
    auto& place = structs_[{&table, atomic}];
    if (place != nullptr) return *place;
    place = std::make_unique<MergeSchema>();
    MergeSchema& schema = *place;  // a table may contain itself
    schema.map = true;
    schema.map_atomic = atomic;
    for (const FieldDescriptor& field : table.fields) {
      schema.fields.push_back({std::string(field.json_name), &FieldType(field), DefaultOf(field)});
    }
    if (table.top_level) {
      for (const char* name : {"apiVersion", "kind"}) {
        schema.fields.push_back({name, &Scalar(ScalarType::kString), std::nullopt});
      }
    }
    SortFields(schema);
    if (!table.complete || table.fields.empty()) schema.values = &MergeSchema::Deduced();
    return schema;
  }

  static std::optional<Json> DefaultOf(const FieldDescriptor& field) {
    if (field.default_json.empty()) return std::nullopt;
    auto value = ParseJson(field.default_json);
    if (!value.ok()) return std::nullopt;
    return std::move(*value);
  }

  const MergeSchema& FieldType(const FieldDescriptor& field) REQUIRES_LOCK(mutex_) {
    const ValueOps& ops = *field.ops;
    if (ops.kind == FieldKind::kStruct) {
      return Struct(ops.Table(), field.atomic || ops.Table().atomic);
    }
    if (ops.kind == FieldKind::kMap) return Map(*ops.item, field.atomic);
    if (ops.kind != FieldKind::kList) return Value(ops);
    // A list that merges in strategic patches and says nothing else is as granular here.
    const bool merges = field.list_type == ListType::kNone && field.patch_merges;
    std::vector<std::string> keys;
    for (const std::string_view key : field.list_keys) keys.emplace_back(key);
    if (merges && !field.merge_key.empty()) keys.emplace_back(field.merge_key);
    const bool atomic =
        !merges && (field.list_type == ListType::kNone || field.list_type == ListType::kAtomic);
    return List(*ops.item, atomic, std::move(keys));
  }

  const MergeSchema& Value(const ValueOps& ops) REQUIRES_LOCK(mutex_) {
    switch (ops.kind) {
      case FieldKind::kBool:
        return Scalar(ScalarType::kBool);
      case FieldKind::kInt32:
      case FieldKind::kInt64:
      case FieldKind::kNumber:
        return Scalar(ScalarType::kNumber);
      case FieldKind::kString:
      case FieldKind::kConditionStatus:
      case FieldKind::kDuration:
      case FieldKind::kBytes:
        return Scalar(ScalarType::kString);
      case FieldKind::kQuantity:
      case FieldKind::kTime:
      case FieldKind::kMicroTime:
      case FieldKind::kIntOrString:
        return Scalar(ScalarType::kAny);
      case FieldKind::kJson:
        return MergeSchema::Deduced();
      case FieldKind::kStruct:
        return Struct(ops.Table(), ops.Table().atomic);
      case FieldKind::kList:
        return List(*ops.item, true, {});
      case FieldKind::kMap:
        return Map(*ops.item, false);
    }
    return MergeSchema::Deduced();
  }

  const MergeSchema& List(const ValueOps& item, bool atomic, std::vector<std::string> keys)
      REQUIRES_LOCK(mutex_) {
    MergeSchema& schema = New();
    schema.list = true;
    schema.list_atomic = atomic;
    schema.list_keys = std::move(keys);
    schema.item = &Value(item);
    return schema;
  }

  const MergeSchema& Map(const ValueOps& item, bool atomic) REQUIRES_LOCK(mutex_) {
    MergeSchema& schema = New();
    schema.map = true;
    schema.map_atomic = atomic;
    schema.values = &Value(item);
    return schema;
  }

  MergeSchema& New() REQUIRES_LOCK(mutex_) {
    others_.push_back(std::make_unique<MergeSchema>());
    return *others_.back();
  }

  base::Mutex mutex_;
  std::map<std::pair<const StructDescriptor*, bool>, std::unique_ptr<MergeSchema>> structs_
      GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<MergeSchema>> others_ GUARDED_BY(mutex_);
};

bool Says(const Json& schema, std::string_view marker) {
  const Json* value = schema.Find(marker);
  return value != nullptr && value->IsBool() && value->AsBool();
}

}  // namespace

const MergeSchema::Field* MergeSchema::Find(std::string_view name) const {
  const auto at = std::lower_bound(fields.begin(), fields.end(), name,
                                   [](const Field& field, std::string_view wanted) {
                                     return std::string_view(field.name) < wanted;
                                   });
  return at != fields.end() && at->name == name ? &*at : nullptr;
}

const MergeSchema& MergeSchema::Untyped() {
  static const MergeSchema& schema = *[] {
    auto* made = new MergeSchema;
    made->scalar = ScalarType::kAny;
    made->list = made->map = made->map_atomic = true;
    made->item = made->values = made;
    return made;
  }();
  return schema;
}

const MergeSchema& MergeSchema::Deduced() {
  static const MergeSchema& schema = *[] {
    auto* made = new MergeSchema;
    made->scalar = ScalarType::kAny;
    made->list = made->map = true;
    made->item = &Untyped();
    made->values = made;
    return made;
  }();
  return schema;
}

const MergeSchema& MergeSchemaOf(const StructDescriptor& table) {
  static TableSchemas& schemas = *new TableSchemas;
  return schemas.Of(table);
}

std::unique_ptr<OwnedMergeSchema> OwnedMergeSchema::OfStructural(const Json& schema,
                                                                 const MergeSchema& metadata) {
  auto owned = std::make_unique<OwnedMergeSchema>();
  auto root = std::make_unique<MergeSchema>(*owned->Convert(schema));
  root->map = true;
  auto& fields = root->fields;
  fields.erase(std::remove_if(fields.begin(), fields.end(),
                              [](const MergeSchema::Field& field) {
                                return field.name == "apiVersion" || field.name == "kind" ||
                                       field.name == "metadata";
                              }),
               fields.end());
  fields.push_back({"apiVersion", &Scalar(ScalarType::kString), std::nullopt});
  fields.push_back({"kind", &Scalar(ScalarType::kString), std::nullopt});
  fields.push_back({"metadata", &metadata, std::nullopt});
  SortFields(*root);
  owned->root_ = root.get();
  owned->parts_.push_back(std::move(root));
  return owned;
}

const MergeSchema* OwnedMergeSchema::Convert(const Json& schema) {
  if (Says(schema, "x-kubernetes-int-or-string")) return &Scalar(ScalarType::kAny);
  const std::string type = schema.StringAt({"type"});
  if (type == "string") {
    const bool plain = schema.StringAt({"format"}).empty() || schema.StringAt({"format"}) == "byte";
    return &Scalar(plain ? ScalarType::kString : ScalarType::kAny);
  }
  if (type == "integer" || type == "number") return &Scalar(ScalarType::kNumber);
  if (type == "boolean") return &Scalar(ScalarType::kBool);
  if (type != "object" && type != "array") return &MergeSchema::Deduced();
  parts_.push_back(std::make_unique<MergeSchema>());
  MergeSchema& made = *parts_.back();
  if (type == "array") {
    const std::string list_type = schema.StringAt({"x-kubernetes-list-type"});
    made.list = true;
    made.list_atomic = list_type != "set" && list_type != "map";
    const Json* keys = schema.Find("x-kubernetes-list-map-keys");
    if (list_type == "map" && keys != nullptr && keys->IsArray()) {
      for (const Json& key : keys->AsArray()) {
        if (key.IsString()) made.list_keys.push_back(key.AsString());
      }
    }
    const Json* items = schema.Find("items");
    made.item = items != nullptr ? Convert(*items) : &MergeSchema::Deduced();
    return &made;
  }
  made.map = true;
  made.map_atomic = schema.StringAt({"x-kubernetes-map-type"}) == "atomic";
  if (const Json* properties = schema.Find("properties"); properties && properties->IsObject()) {
    for (const Json::Member& member : properties->AsObject()) {
      const Json* value = member.value.Find("default");
      made.fields.push_back({member.key, Convert(member.value),
                             value != nullptr ? std::optional<Json>(*value) : std::nullopt});
    }
  }
  SortFields(made);
  const Json* others = schema.Find("additionalProperties");
  if (others != nullptr && others->IsObject()) {
    made.values = Convert(*others);
  } else if (Says(schema, "x-kubernetes-preserve-unknown-fields") || made.fields.empty() ||
             (others != nullptr && others->IsBool() && others->AsBool())) {
    made.values = &MergeSchema::Deduced();
  }
  return &made;
}

}  // namespace kueue::api
