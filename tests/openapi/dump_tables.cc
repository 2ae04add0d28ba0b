// Prints every table of Kubernetes' own types as JSON, for compare.py:
// {"kinds": {"apps/v1 Deployment": 3, ...}, "tables": [{"field": {"type": ...}, ...}, ...]}.
// A type is as in the facts: [] a list, {} a map, a number the index of a table.

#include <cstdio>
#include <map>
#include <string>

#include "api/codec/json_text.h"
#include "api/schema/kind.h"

namespace kueue::api {
namespace {

class Dumper {
 public:
  int64_t Index(const StructDescriptor& table) {
    const auto [it, is_new] = index_.emplace(&table, static_cast<int64_t>(index_.size()));
    if (!is_new) return it->second;
    const int64_t index = it->second;
    tables_.push_back(Json::MakeObject());
    Json dumped = Json::MakeObject();
    for (const FieldDescriptor& field : table.fields) {
      dumped.Set(field.json_name, Field(field));
    }
    tables_[static_cast<size_t>(index)] = std::move(dumped);
    return index;
  }

  Json Take() { return Json(std::move(tables_)); }

 private:
  static const char* Name(FieldKind kind) {
    switch (kind) {
      case FieldKind::kBool:
        return "bool";
      case FieldKind::kInt32:
        return "int32";
      case FieldKind::kInt64:
        return "int64";
      case FieldKind::kString:
      case FieldKind::kConditionStatus:
        return "string";
      case FieldKind::kQuantity:
        return "quantity";
      case FieldKind::kTime:
        return "time";
      case FieldKind::kMicroTime:
        return "microtime";
      case FieldKind::kDuration:
        return "duration";
      case FieldKind::kBytes:
        return "bytes";
      case FieldKind::kNumber:
        return "number";
      case FieldKind::kIntOrString:
        return "intorstring";
      case FieldKind::kJson:
        return "json";
      default:
        return "";
    }
  }

  std::string Type(const ValueOps& ops) {
    if (ops.kind == FieldKind::kList) return "[]" + Type(*ops.item);
    if (ops.kind == FieldKind::kMap) return "{}" + Type(*ops.item);
    if (ops.kind == FieldKind::kStruct) return std::to_string(Index(ops.Table()));
    return Name(ops.kind);
  }

  Json Field(const FieldDescriptor& field) {
    static constexpr const char* kListTypes[] = {"", "atomic", "set", "map"};
    Json out = Json::MakeObject();
    out.Set("type", Type(*field.ops));
    out.Set("required", field.required);
    out.Set("atomic",
            field.atomic || (field.ops->kind == FieldKind::kStruct && field.ops->Table().atomic));
    out.Set("list_type", kListTypes[static_cast<size_t>(field.list_type)]);
    out.Set("merges", field.patch_merges);
    out.Set("retains", field.patch_retains_keys);
    out.Set("merge_key", field.merge_key);
    out.Set("default", field.default_json);
    out.Set("keys", Json::MakeArray());
    for (const std::string_view key : field.list_keys) out["keys"].Append(key);
    out.Set("values", Json::MakeArray());
    for (const std::string_view value : field.enum_values) out["values"].Append(value);
    return out;
  }

  std::map<const StructDescriptor*, int64_t> index_;
  Json::Array tables_;
};

}  // namespace
}  // namespace kueue::api

int main() {
  using namespace kueue::api;  // NOLINT: a program of one function
  Dumper dumper;
  Json kinds = Json::MakeObject();
  for (const auto* list : {&AllKinds(), &RequestKinds()}) {
    for (const KindInfo* kind : *list) {
      if (kind->custom_resource) continue;
      kinds.Set(kind->ApiVersion() + " " + std::string(kind->kind), dumper.Index(*kind->table));
    }
  }
  Json out = Json::MakeObject();
  out.Set("kinds", std::move(kinds));
  out.Set("tables", dumper.Take());
  std::puts(WriteJson(out).c_str());
  return 0;
}
