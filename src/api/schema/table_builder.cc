#include "api/schema/table_builder.h"

#include <algorithm>

#include "api/schema/described.h"
#include "api/schema/patterns.h"
#include "base/check.h"

namespace kueue::api {

const FieldSetter& FieldSetter::Required() const {
  field_->required = true;
  return *this;
}
const FieldSetter& FieldSetter::AlwaysWritten() const {
  field_->always_written = true;
  return *this;
}
const FieldSetter& FieldSetter::Atomic() const {
  if (field_->ops->kind == FieldKind::kList) {
    field_->list_type = ListType::kAtomic;
  } else {
    field_->atomic = true;
  }
  return *this;
}
const FieldSetter& FieldSetter::Set() const {
  field_->list_type = ListType::kSet;
  return *this;
}
const FieldSetter& FieldSetter::MapBy(std::string_view key) const {
  field_->list_type = ListType::kMap;
  field_->list_keys = {key};
  return *this;
}
const FieldSetter& FieldSetter::MapBy(std::string_view key, std::string_view second_key) const {
  field_->list_type = ListType::kMap;
  field_->list_keys = {key, second_key};
  return *this;
}
const FieldSetter& FieldSetter::Default(std::string_view json) const {
  field_->default_json = json;
  return *this;
}
const FieldSetter& FieldSetter::Pattern(std::string_view pattern) const {
  field_->pattern = pattern;
  return *this;
}
const FieldSetter& FieldSetter::Enum(std::initializer_list<std::string_view> values) const {
  field_->enum_values = values;
  return *this;
}
const FieldSetter& FieldSetter::Min(int64_t minimum) const {
  field_->minimum = minimum;
  return *this;
}
const FieldSetter& FieldSetter::Max(int64_t maximum) const {
  field_->maximum = maximum;
  return *this;
}
const FieldSetter& FieldSetter::Length(int64_t least, int64_t most) const {
  field_->min_length = least;
  field_->max_length = most;
  return *this;
}
const FieldSetter& FieldSetter::MaxLength(int64_t most) const {
  field_->max_length = most;
  return *this;
}
const FieldSetter& FieldSetter::Items(int64_t least, int64_t most) const {
  field_->min_items = least;
  field_->max_items = most;
  return *this;
}
const FieldSetter& FieldSetter::MaxItems(int64_t most) const {
  field_->max_items = most;
  return *this;
}
const FieldSetter& FieldSetter::MaxProperties(int64_t most) const {
  field_->max_properties = most;
  return *this;
}
const FieldSetter& FieldSetter::Immutable() const {
  field_->immutable = true;
  return *this;
}
const FieldSetter& FieldSetter::Doc(std::string_view sentence) const {
  field_->doc = sentence;
  return *this;
}
const FieldSetter& FieldSetter::Rule(std::string_view rule, std::string_view message) const {
  field_->rules.push_back({rule, message});
  return *this;
}
const FieldSetter& FieldSetter::MicroTime() const {
  KUEUE_CHECK(field_->ops == &table_detail::OpsOf<std::optional<Time>>::kOps);
  field_->ops = &table_detail::kOptionalMicroTimeOps;
  return *this;
}
const FieldSetter& FieldSetter::ItemPattern(std::string_view pattern) const {
  field_->item.pattern = pattern;
  return *this;
}
const FieldSetter& FieldSetter::ItemLength(int64_t least, int64_t most) const {
  if (least > 0) field_->item.min_length = least;
  field_->item.max_length = most;
  return *this;
}
const FieldSetter& FieldSetter::ItemMin(int64_t minimum) const {
  field_->item.minimum = minimum;
  return *this;
}
const FieldSetter& FieldSetter::ObjectName() const {
  return Pattern(patterns::kDnsSubdomain).MaxLength(253);
}
const FieldSetter& FieldSetter::ItemObjectName() const {
  return ItemPattern(patterns::kDnsSubdomain).ItemLength(0, 253);
}

FieldSetter TableBuilder::Add(std::string_view json_name, const ValueOps* ops,
                              void* (*member)(void*)) {
  FieldDescriptor& field = fields_.emplace_back();
  field.json_name = json_name;
  field.ops = ops;
  field.member = member;
  field.keeps_zero = ops->optional;
  return FieldSetter(&field);
}

void IndexFields(StructDescriptor& table) {
  table.by_name.clear();
  for (size_t i = 0; i < table.fields.size(); ++i) {
    table.by_name.push_back(static_cast<uint16_t>(i));
  }
  const auto& fields = table.fields;
  std::sort(table.by_name.begin(), table.by_name.end(), [&](uint16_t a, uint16_t b) {
    return fields[a].json_name < fields[b].json_name;
  });
  for (size_t i = 1; i < table.by_name.size(); ++i) {
    KUEUE_CHECK(fields[table.by_name[i - 1]].json_name != fields[table.by_name[i]].json_name);
  }
}

StructDescriptor FinishTable(std::string_view name, unsigned flags, Extra* (*extra)(void*),
                             void (*describe)(TableBuilder&)) {
  TableBuilder builder;
  describe(builder);
  StructDescriptor table;
  table.name = name;
  table.fields = builder.Take();
  table.extra = extra;
  table.complete = (flags & kComplete) != 0;
  table.top_level = (flags & kTopLevel) != 0;
  table.rules = builder.TakeRules();
  IndexFields(table);
  return table;
}

StructDescriptor FinishKubernetesTable(std::string_view facts_name, Extra* (*extra)(void*),
                                       void (*describe)(TableBuilder&)) {
  TableBuilder builder;
  describe(builder);
  StructDescriptor table;
  table.fields = builder.Take();
  table.rules = builder.TakeRules();
  table.extra = extra;
  CompleteFromFacts(facts_name, table);
  return table;
}

}  // namespace kueue::api
