#include <algorithm>
#include <charconv>
#include <cmath>

#include "api/schema/defaults_built_in.h"
#include "api/schema/kind.h"
#include "api/schema/table_index.h"
#include "api/schema/validation_parts.h"

namespace kueue::api {
namespace {

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

bool IsZero(const Json& value) {
  switch (value.type()) {
    case Json::Type::kNull:
      return true;
    case Json::Type::kBool:
      return !value.AsBool();
    case Json::Type::kInt:
      return value.AsInt() == 0;
    case Json::Type::kNumber:
      return false;
    case Json::Type::kString:
      return value.AsString().empty();
    case Json::Type::kArray:
    case Json::Type::kObject:
      return value.size() == 0;
  }
  return false;
}

// Puts the table's defaults in. Fields whose default would only be seen through a parent that is
// absent are not filled: so does structural schema defaulting. Nothing is nullable (spec/api.md
// §1.4): a null counts as absent.
class Filler {
 public:
  Filler(bool custom_resource, Nulls nulls)
      : custom_resource_(custom_resource), keep_nulls_(nulls == Nulls::kStay) {}

  void Struct(const StructDescriptor& table, Json& object) const {
    if (!object.IsObject()) return;
    for (const FieldDescriptor& field : table.fields) {
      Json* member = object.Find(field.json_name);
      if (member && member->IsNull() && field.ops->kind != FieldKind::kJson) {
        if (keep_nulls_ && DefaultOf(field) == nullptr) continue;
        object.Erase(field.json_name);
        member = nullptr;
      }
      if (!member) {
        const Json* value = DefaultOf(field);
        if (!value) continue;
        // What a built-in kind drops when it is stored is not put in either.
        if (!custom_resource_ && !field.keeps_zero && IsZero(*value)) continue;
        member = &object.Set(field.json_name, *value);
      }
      Value(*field.ops, *member);
    }
  }

 private:
  void Value(const ValueOps& ops, Json& value) const {
    if (ops.kind == FieldKind::kStruct) {
      Struct(ops.Table(), value);
    } else if (ops.kind == FieldKind::kList && value.IsArray()) {
      if (!ops.Struct()) return;
      for (Json& item : value.AsArray()) Value(*ops.item, item);
    } else if (ops.kind == FieldKind::kMap && value.IsObject()) {
      Json::Object& entries = value.AsObject();
      entries.erase(std::remove_if(entries.begin(), entries.end(),
                                   [](const Json::Member& entry) { return entry.value.IsNull(); }),
                    entries.end());
      for (Json::Member& entry : entries) Value(*ops.item, entry.value);
    } else if (ops.kind == FieldKind::kInt32 || ops.kind == FieldKind::kInt64 ||
               ops.kind == FieldKind::kQuantity || ops.kind == FieldKind::kIntOrString) {
      TakeAsInteger(value);
    }
  }

  const bool custom_resource_, keep_nulls_;
};

// As a stored value of that type has it when nothing was given.
Json ZeroOf(const ValueOps& ops) {
  switch (ops.kind) {
    case FieldKind::kString:
    case FieldKind::kBytes:
      return "";
    case FieldKind::kBool:
      return false;
    case FieldKind::kInt32:
    case FieldKind::kInt64:
    case FieldKind::kIntOrString:
      return 0;
    case FieldKind::kQuantity:
      return "0";
    case FieldKind::kDuration:
      return "0s";
    case FieldKind::kStruct:
      return Json::MakeObject();
    default:
      return nullptr;
  }
}
Json ZeroOf(const FieldDescriptor& field) { return field.keeps_zero ? Json() : ZeroOf(*field.ops); }

// A whole number with at most one of the suffixes, and few enough digits to be read as one: such
// text stays as it was written ("1e0", "+1").
bool StaysAsWritten(std::string_view text, Quantity::Format format) {
  constexpr size_t kMostDigits = 15;
  size_t at = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  const size_t first = at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  const size_t digits = at - first;
  if (digits == 0 || format != Quantity::Format::kDecimalExponent) {
    // Only the sign can make a difference.
    return text[0] == '+' && digits > 0 && digits <= kMostDigits && at == text.size();
  }
  return digits <= kMostDigits && at + 1 < text.size() && text[at + 1] != '-';
}

// As a stored ResourceList has it: canonical, nothing finer than a thousandth.
void StoredQuantity(Json& value) {
  const auto quantity = QuantityIn(&value);
  if (!quantity) return;
  if (value.IsString() && !value.AsString().empty() &&
      StaysAsWritten(value.AsString(), quantity->format())) {
    return;
  }
  constexpr __int128 kMilli = 1000000;
  __int128 nano = quantity->nano();
  if (nano % kMilli != 0) nano = nano / kMilli * kMilli + (nano > 0 ? kMilli : 0);
  value = Quantity::FromNano(nano, quantity->format()).ToString();
}

void ReadForm(const ValueOps& ops, Json& value);

// What reading leaves of an object: no null, and no zero where it is as if absent.
void ReadStruct(const StructDescriptor& table, Json& object) {
  if (!object.IsObject()) return;
  Json::Object kept;
  kept.reserve(object.size());
  for (Json::Member& member : object.AsObject()) {
    if (member.value.IsNull()) continue;
    if (const FieldDescriptor* field = table.Find(member.key)) {
      const bool omittable = !field->always_stored && !field->keeps_zero &&
                             field->ops->kind != FieldKind::kStruct &&
                             field->ops->kind != FieldKind::kJson;
      if (omittable && IsZero(member.value)) continue;
      ReadForm(*field->ops, member.value);
    }
    kept.push_back(std::move(member));
  }
  object = Json(std::move(kept));
}

void ReadForm(const ValueOps& ops, Json& value) {
  switch (ops.kind) {
    case FieldKind::kStruct:
      return ReadStruct(ops.Table(), value);
    case FieldKind::kList:
      if (!value.IsArray()) return;
      for (Json& item : value.AsArray()) {
        if (item.IsNull()) item = ZeroOf(*ops.item);
        ReadForm(*ops.item, item);
      }
      return;
    case FieldKind::kMap:
      if (!value.IsObject()) return;
      for (Json::Member& entry : value.AsObject()) {
        if (entry.value.IsNull()) entry.value = ZeroOf(*ops.item);
        ReadForm(*ops.item, entry.value);
      }
      return;
    case FieldKind::kQuantity:
      return StoredQuantity(value);
    default:
      return;
  }
}

void AddAlwaysStored(const ValueOps& ops, Json& value);

// What the server's own encoding never leaves out.
void AddAlwaysStored(const StructDescriptor& table, Json& object) {
  if (!object.IsObject()) return;
  for (const FieldDescriptor& field : table.fields) {
    Json* member = object.Find(field.json_name);
    if (!member && field.always_stored) member = &object.Set(field.json_name, ZeroOf(field));
    if (member) AddAlwaysStored(*field.ops, *member);
  }
}

void AddAlwaysStored(const ValueOps& ops, Json& value) {
  if (!ops.Struct()) return;
  if (ops.kind == FieldKind::kStruct) {
    AddAlwaysStored(ops.Table(), value);
  } else if (ops.kind == FieldKind::kList && value.IsArray()) {
    for (Json& item : value.AsArray()) AddAlwaysStored(*ops.item, item);
  } else if (ops.kind == FieldKind::kMap && value.IsObject()) {
    for (Json::Member& entry : value.AsObject()) AddAlwaysStored(*ops.item, entry.value);
  }
}

}  // namespace

void ApplyDefaults(const KindInfo& kind, Json& object, Nulls nulls) {
  if (!object.IsObject()) return;
  if (kind.definition != nullptr) return kind.definition->ApplyDefaults(object);
  const Filler filler(kind.custom_resource, kind.custom_resource ? nulls : Nulls::kAreAbsent);
  if (kind.custom_resource) return filler.Struct(*kind.table, object);
  ReadStruct(*kind.table, object);
  filler.Struct(*kind.table, object);
  DefaultBuiltIn(kind, object);
  AddAlwaysStored(*kind.table, object);
}

Json NewObject(const KindInfo& kind) {
  Json object = Json::MakeObject();
  object.Set("kind", kind.kind);
  object.Set("apiVersion", kind.ApiVersion());
  if (!kind.custom_resource) AddAlwaysStored(*kind.table, object);
  return object;
}

void PrepareForCreate(const KindInfo& kind, Json& object) {
  if (!object.IsObject()) return;
  if (kind.custom_resource) {
    if (kind.has_status) object.Erase("status");
    return;
  }
  PrepareBuiltIn(kind, object);
  AddAlwaysStored(*kind.table, object);
}

void PrepareForUpdate(const KindInfo& kind, const Json& before, Json& object) {
  if (kind.custom_resource || !object.IsObject() || !before.IsObject()) return;
  PrepareUpdateOfBuiltIn(kind, before, object);
}

}  // namespace kueue::api
