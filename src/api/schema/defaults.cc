#include <algorithm>
#include <charconv>
#include <cmath>

#include "api/schema/defaults_built_in.h"
#include "api/schema/kind.h"
#include "api/schema/table_index.h"
#include "api/schema/validation_parts.h"

namespace kueue::api {
namespace {

void FillValue(const ValueOps& ops, Json& value);

// "5.0" and "5e0" are the integer 5 in JSON. Beyond 2^53 a fraction cannot be told apart.
void TakeAsInteger(Json& value) {
  if (value.type() != Json::Type::kNumber) return;
  const std::string text = value.NumberText();
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return;
  if (std::abs(number) > 9007199254740992.0 || number != std::floor(number)) return;
  value = static_cast<int64_t>(number);
}

// Fields whose default would only be seen through a parent that is absent are not filled: so does
// structural schema defaulting. Nothing is nullable (spec/api.md §1.4): a null counts as absent.
void FillStruct(const StructDescriptor& table, Json& object) {
  if (!object.IsObject()) return;
  for (const FieldDescriptor& field : table.fields) {
    Json* member = object.Find(field.json_name);
    if (member && member->IsNull() && field.ops->kind != FieldKind::kJson) {
      object.Erase(field.json_name);
      member = nullptr;
    }
    if (!member) {
      const Json* value = DefaultOf(field);
      if (!value) continue;
      object.Set(field.json_name, *value);
      member = object.Find(field.json_name);
    }
    FillValue(*field.ops, *member);
  }
}

void FillValue(const ValueOps& ops, Json& value) {
  if (ops.kind == FieldKind::kStruct) {
    FillStruct(*ops.element(), value);
  } else if (ops.kind == FieldKind::kList && value.IsArray()) {
    if (!ops.Struct()) return;
    for (Json& item : value.AsArray()) FillValue(*ops.item, item);
  } else if (ops.kind == FieldKind::kMap && value.IsObject()) {
    Json::Object& entries = value.AsObject();
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [](const Json::Member& entry) { return entry.value.IsNull(); }),
                  entries.end());
    for (Json::Member& entry : entries) FillValue(*ops.item, entry.value);
  } else if (ops.kind == FieldKind::kInt32 || ops.kind == FieldKind::kInt64) {
    TakeAsInteger(value);
  }
}

bool IsZero(const Json& value) {
  switch (value.type()) {
    case Json::Type::kNull: return true;
    case Json::Type::kBool: return !value.AsBool();
    case Json::Type::kInt: return value.AsInt() == 0;
    case Json::Type::kNumber: return false;
    case Json::Type::kString: return value.AsString().empty();
    case Json::Type::kArray:
    case Json::Type::kObject: return value.size() == 0;
  }
  return false;
}

void StoredForm(const ValueOps& ops, Json& value);

// What the server's own encoding never leaves out.
void AddAlwaysWritten(const StructDescriptor& table, Json& object) {
  for (const FieldDescriptor& field : table.fields) {
    if (!field.always_written || object.Find(field.json_name)) continue;
    switch (field.ops->kind) {
      case FieldKind::kString: object.Set(field.json_name, ""); break;
      case FieldKind::kBool: object.Set(field.json_name, false); break;
      case FieldKind::kInt32:
      case FieldKind::kInt64: object.Set(field.json_name, 0); break;
      default: break;
    }
  }
}

// As a stored ResourceList has it: canonical, nothing finer than a thousandth.
void StoredQuantity(Json& value) {
  const auto quantity = QuantityIn(&value);
  if (!quantity) return;
  constexpr __int128 kMilli = 1000000;
  __int128 nano = quantity->nano();
  if (nano % kMilli != 0) nano = nano / kMilli * kMilli + (nano > 0 ? kMilli : 0);
  value = Quantity::FromNano(nano, quantity->format()).ToString();
}

void StoredStruct(const StructDescriptor& table, Json& object) {
  if (!object.IsObject()) return;
  Json::Object kept;
  kept.reserve(object.size());
  for (Json::Member& member : object.AsObject()) {
    const FieldDescriptor* field = table.Find(member.key);
    if (member.value.IsNull()) continue;
    if (field) {
      const bool omittable = !field->always_written && !field->ops->optional &&
                             field->ops->kind != FieldKind::kStruct &&
                             field->ops->kind != FieldKind::kJson;
      if (omittable && IsZero(member.value)) continue;
      StoredForm(*field->ops, member.value);
    }
    kept.push_back(std::move(member));
  }
  object = Json(std::move(kept));
  AddAlwaysWritten(table, object);
}

void StoredForm(const ValueOps& ops, Json& value) {
  switch (ops.kind) {
    case FieldKind::kStruct: return StoredStruct(*ops.element(), value);
    case FieldKind::kList:
      if (!value.IsArray()) return;
      for (Json& item : value.AsArray()) StoredForm(*ops.item, item);
      return;
    case FieldKind::kMap:
      if (!value.IsObject()) return;
      for (Json::Member& entry : value.AsObject()) {
        if (entry.value.IsNull() && ops.item->kind == FieldKind::kString) entry.value = "";
        StoredForm(*ops.item, entry.value);
      }
      return;
    case FieldKind::kQuantity: return StoredQuantity(value);
    default: return;
  }
}

}  // namespace

void ApplyDefaults(const KindInfo& kind, Json& object) {
  if (!object.IsObject()) return;
  if (!kind.custom_resource) StoredStruct(*kind.table, object);
  FillStruct(*kind.table, object);
  if (!kind.custom_resource) DefaultBuiltIn(kind, object);
}

void PrepareForCreate(const KindInfo& kind, Json& object) {
  if (!object.IsObject()) return;
  if (kind.custom_resource) {
    if (kind.has_status) object.Erase("status");
    return;
  }
  PrepareBuiltIn(kind, object);
}

}  // namespace kueue::api
