#include "api/schema/described.h"

#include <map>
#include <memory>
#include <string>

#include "api/schema/facts/facts.h"
#include "api/schema/table_builder.h"
#include "base/check.h"

namespace kueue::api {
namespace {

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool HasPrefix(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Plain values by their name in the facts.
constexpr std::pair<std::string_view, FieldKind> kPlainTypes[] = {
    {"bool", FieldKind::kBool},         {"bytes", FieldKind::kBytes},
    {"duration", FieldKind::kDuration}, {"int32", FieldKind::kInt32},
    {"int64", FieldKind::kInt64},       {"intorstring", FieldKind::kIntOrString},
    {"json", FieldKind::kJson},         {"microtime", FieldKind::kMicroTime},
    {"number", FieldKind::kNumber},     {"quantity", FieldKind::kQuantity},
    {"string", FieldKind::kString},     {"time", FieldKind::kTime},
};

// Everything but name, operations and member.
void Complete(const facts::FieldFacts& from, FieldDescriptor& field) {
  const bool is_list = field.ops->kind == FieldKind::kList;
  const bool is_struct = field.ops->kind == FieldKind::kStruct;
  field.required = (from.flags & facts::kRequired) != 0;
  field.keeps_zero = (from.flags & facts::kPointer) != 0;
  field.always_stored = (from.flags & facts::kWritten) != 0;
  // A client writes no empty part unless it is asked for.
  field.always_written = field.always_stored && (field.required || !is_struct);
  const bool is_bytes = field.ops->kind == FieldKind::kBytes;
  if ((from.flags & facts::kAtomic) != 0 && (is_list || is_bytes)) {
    field.list_type = ListType::kAtomic;
  }
  field.atomic = (from.flags & facts::kAtomic) != 0 && !is_list && !is_bytes;
  if ((from.flags & facts::kSet) != 0) field.list_type = ListType::kSet;
  if ((from.flags & facts::kMap) != 0) field.list_type = ListType::kMap;
  field.list_keys = Split(from.keys, ',');
  field.patch_merges = (from.flags & facts::kMerge) != 0;
  field.patch_retains_keys = (from.flags & facts::kRetainKeys) != 0;
  field.patch_replaces = (from.flags & facts::kReplace) != 0;
  field.merge_key = from.merge_key;
  field.default_json = from.default_json;
  field.enum_values = Split(from.values, '|');
}

// All described tables. They refer to each other, some in circles, so all are there before the
// first is filled.
class Registry {
 public:
  Registry() {
    for (const auto& part :
         {facts::MetaFacts(), facts::VolumesFacts(), facts::PodsFacts(), facts::CoreFacts(),
          facts::AdmissionFacts(), facts::DefinitionsFacts(), facts::WorkloadsFacts(),
          facts::AutoscalingFacts(), facts::AccessFacts(), facts::NetworkFacts(),
          facts::DevicesFacts(), facts::ControlFacts(), facts::OthersFacts()}) {
      for (const facts::StructFacts& type : part) types_[type.name].facts = &type;
    }
    for (auto& [name, type] : types_) Fill(*type.facts, type.table);
  }

  const StructDescriptor* Find(std::string_view name) const {
    const auto it = types_.find(name);
    return it == types_.end() ? nullptr : &it->second.table;
  }

 private:
  struct Type {
    const facts::StructFacts* facts = nullptr;
    StructDescriptor table;
  };

  void Fill(const facts::StructFacts& from, StructDescriptor& table) {
    const size_t dot = from.name.rfind('.');
    table.name = from.name.substr(dot + 1);
    table.component = from.name;
    table.top_level = (from.flags & facts::kTopLevel) != 0;
    table.atomic = (from.flags & facts::kAtomicStruct) != 0;
    table.complete = true;
    table.built_in = true;
    table.required_order = Split(from.required, ',');
    table.fields.resize(from.fields.size());
    for (size_t i = 0; i < from.fields.size(); ++i) {
      const facts::FieldFacts& field = from.fields[i];
      table.fields[i].json_name = field.name;
      table.fields[i].ops = Ops(field.type, (field.flags & facts::kPointer) != 0);
      Complete(field, table.fields[i]);
    }
    IndexFields(table);
  }

  // The operations of a type that no C++ type stands for.
  const ValueOps* Ops(std::string_view type, bool pointer) {
    std::unique_ptr<ValueOps>& ops = ops_[{type, pointer}];
    if (ops) return ops.get();
    ops = std::make_unique<ValueOps>();
    ops->optional = pointer;
    if (HasPrefix(type, "[]") || HasPrefix(type, "{}")) {
      ops->kind = type[0] == '[' ? FieldKind::kList : FieldKind::kMap;
      ops->item = Ops(type.substr(2), false);
      return ops.get();
    }
    for (const auto& [name, kind] : kPlainTypes) {
      if (name != type) continue;
      ops->kind = kind;
      return ops.get();
    }
    const auto it = types_.find(type);
    KUEUE_CHECK_MSG(it != types_.end(), std::string(type) + ": no facts");
    ops->kind = FieldKind::kStruct;
    ops->described = &it->second.table;
    return ops.get();
  }

  std::map<std::string_view, Type> types_;
  std::map<std::pair<std::string_view, bool>, std::unique_ptr<ValueOps>> ops_;
};

const Registry& AllTables() {
  static const auto* const registry = new Registry;
  return *registry;
}

// What the facts say about a field, into one that has a member.
void TakeOver(const FieldDescriptor& from, FieldDescriptor& field) {
  field.required = from.required;
  field.always_written = from.always_written;
  field.keeps_zero = from.keeps_zero;
  field.always_stored = from.always_stored;
  field.atomic = from.atomic;
  field.list_type = from.list_type;
  field.list_keys = from.list_keys;
  field.patch_merges = from.patch_merges;
  field.patch_retains_keys = from.patch_retains_keys;
  field.patch_replaces = from.patch_replaces;
  field.merge_key = from.merge_key;
  field.default_json = from.default_json;
  field.enum_values = from.enum_values;
}

// The operations of a member whose C++ type stands for more than one sort of value; null if what
// the facts say and the member's type have nothing to do with each other.
const ValueOps* OpsOfMember(const ValueOps& member, const ValueOps& described) {
  const FieldKind kind = described.kind;
  const bool is_text = member.kind == FieldKind::kString;
  if (member.kind == FieldKind::kTime && kind == FieldKind::kMicroTime && member.optional) {
    return &table_detail::kOptionalMicroTimeOps;
  }
  if (is_text && kind == FieldKind::kBytes && !member.optional) return &table_detail::kBytesOps;
  if (member.kind == FieldKind::kMap && kind == FieldKind::kMap &&
      member.item->kind == FieldKind::kString && described.item->kind == FieldKind::kBytes) {
    return &table_detail::kBytesMapOps;
  }
  const bool is_status = member.kind == FieldKind::kConditionStatus && kind == FieldKind::kString;
  return member.kind == kind || is_status ? &member : nullptr;
}

}  // namespace

const StructDescriptor* DescribedTable(std::string_view name) { return AllTables().Find(name); }

void CompleteFromFacts(std::string_view name, StructDescriptor& table) {
  const StructDescriptor* described = DescribedTable(name);
  KUEUE_CHECK_MSG(described != nullptr, std::string(name) + ": no facts");
  table.name = described->name;
  table.component = described->component;
  table.required_order = described->required_order;
  table.top_level = described->top_level;
  table.atomic = described->atomic;
  table.complete = true;
  table.built_in = true;
  for (FieldDescriptor& field : table.fields) {
    const FieldDescriptor* known = described->Find(field.json_name);
    KUEUE_CHECK_MSG(known != nullptr,
                    std::string(name) + " has no " + std::string(field.json_name));
    field.ops = OpsOfMember(*field.ops, *known->ops);
    KUEUE_CHECK_MSG(field.ops != nullptr,
                    std::string(name) + "." + std::string(field.json_name) + ": another type");
    TakeOver(*known, field);
  }
  IndexFields(table);
  std::vector<FieldDescriptor> missing;
  for (const FieldDescriptor& field : described->fields) {
    if (table.Find(field.json_name) == nullptr) missing.push_back(field);
  }
  table.fields.insert(table.fields.end(), missing.begin(), missing.end());
  IndexFields(table);
}

}  // namespace kueue::api
