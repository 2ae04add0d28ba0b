#include <limits>
#include <map>
#include <set>

#include "api/codec/json_text.h"
#include "api/match/name_rules.h"
#include "api/schema/table_index.h"
#include "api/schema/validation_parts.h"
#include "api/types/place.h"
#include "base/base64.h"
#include "base/time.h"

namespace kueue::api {
namespace {

size_t CountCharacters(std::string_view text) {
  size_t count = 0;
  for (const char c : text) {
    if ((static_cast<uint8_t>(c) & 0xc0) != 0x80) ++count;
  }
  return count;
}

const char* TypeName(FieldKind kind) {
  switch (kind) {
    case FieldKind::kBool: return "boolean";
    case FieldKind::kInt32:
    case FieldKind::kInt64: return "integer";
    case FieldKind::kNumber: return "number";
    case FieldKind::kList: return "array";
    case FieldKind::kStruct:
    case FieldKind::kMap: return "object";
    case FieldKind::kQuantity:
    case FieldKind::kIntOrString: return "integer or string";
    default: return "string";
  }
}

// The text of a MicroTime: exactly six digits behind the point.
bool HasSixDigits(std::string_view text) {
  const size_t point = text.find('.');
  if (point == std::string_view::npos) return false;
  const size_t end = text.find_first_not_of("0123456789", point + 1);
  return end == point + 7;
}

ValueBounds BoundsOf(const FieldDescriptor& field) {
  return {field.pattern, field.minimum, field.maximum, field.min_length, field.max_length};
}

class SchemaChecker {
 public:
  // `types_only`: nothing but what makes a value unreadable, and null counts as absent.
  SchemaChecker(bool types_only, FieldErrors& errors) : types_only_(types_only), errors_(errors) {}

  void Root(const StructDescriptor& table, const Json& object, const Json* before) {
    const Place root;
    Struct(table, object, before, root);
  }
  void RootMember(const FieldDescriptor& field, const Json& value) {
    const Place root;
    FieldValue(field, true, value, nullptr, Place{&root, field.json_name});
  }

 private:
  // A mistake in a part that an update left as it was does not count (ratcheting).
  static bool IsUnchanged(const Json& value, const Json* before) {
    return before && *before == value;
  }

  void Wrong(FieldErrorType type, const Json& value, const Json* before, std::string field,
             std::string message) {
    if (IsUnchanged(value, before)) return;
    AddError(errors_, type, std::move(field), std::move(message));
  }
  void Wrong(FieldErrorType type, const Json& value, const Json* before, const Place& place,
             std::string message) {
    if (IsUnchanged(value, before)) return;
    AddError(errors_, type, place.Words(), std::move(message));
  }

  void Struct(const StructDescriptor& table, const Json& object, const Json* before,
              const Place& place) {
    for (const FieldDescriptor& field : table.fields) {
      const Json* member = object.Find(field.json_name);
      const Place at{&place, field.json_name};
      if (!types_only_ && !place.parent && field.json_name == "metadata") continue;
      if (!member) {
        if (field.required && !types_only_) {
          Wrong(FieldErrorType::kRequired, object, before, Field(place.Words(), field.json_name),
                "must be set");
        }
        continue;
      }
      const Json* old = before ? before->Find(field.json_name) : nullptr;
      FieldValue(field, table.built_in, *member, old, at);
    }
  }

  // `built_in`: of a type of Kubernetes itself.
  void FieldValue(const FieldDescriptor& field, bool built_in, const Json& value,
                  const Json* before, const Place& place) {
    const ValueOps& ops = *field.ops;
    if (types_only_ && value.IsNull()) return;
    const bool typed = HasType(ops, value, before, place);
    const bool status = ops.kind == FieldKind::kConditionStatus;
    // A value of another type is none of those allowed either.
    if (!types_only_ && (!built_in || status)) Enum(field, value, before, place);
    if (!typed) return;
    if (!types_only_) {
      Bounds(BoundsOf(field), value, before, place);
    }
    switch (ops.kind) {
      case FieldKind::kStruct: return Struct(ops.Table(), value, before, place);
      case FieldKind::kList: return List(field, value, before, place);
      case FieldKind::kMap: return Map(field, value, before, place);
      default: return;
    }
  }

  void List(const FieldDescriptor& field, const Json& value, const Json* before,
            const Place& place) {
    const int64_t size = static_cast<int64_t>(value.size());
    if (!types_only_) {
      if (field.min_items && size < *field.min_items) {
        Wrong(FieldErrorType::kInvalid, value, before, place,
              "must have at least " + std::to_string(*field.min_items) + " items");
      }
      if (field.max_items && size > *field.max_items) {
        Wrong(FieldErrorType::kTooMany, value, before, place,
              "must have at most " + std::to_string(*field.max_items) + " items");
      }
    }
    // An entry corresponds to the one that had its keys; without keys, only if nothing changed.
    const Entries old = ByIdentity(field, before);
    const bool unchanged = before && field.list_type != ListType::kMap && *before == value;
    for (size_t i = 0; i < value.size(); ++i) {
      const Json& item = value.AsArray()[i];
      const Json* was = unchanged ? &item : nullptr;
      if (!old.empty()) {
        const auto it = old.find(Identity(field, item));
        if (it != old.end()) was = it->second;
      }
      const Place at{&place, {}, i, true};
      Entry(field, item, was, at);
    }
    if (!types_only_) Duplicates(field, value, before, place);
  }

  void Map(const FieldDescriptor& field, const Json& value, const Json* before,
           const Place& place) {
    if (!types_only_ && field.max_properties &&
        static_cast<int64_t>(value.size()) > *field.max_properties) {
      Wrong(FieldErrorType::kTooMany, value, before, place,
            "must have at most " + std::to_string(*field.max_properties) + " entries");
    }
    for (const Json::Member& entry : value.AsObject()) {
      const Place at{&place, entry.key};
      Entry(field, entry.value, before ? before->Find(entry.key) : nullptr, at);
    }
  }

  // One entry of a list or a map.
  void Entry(const FieldDescriptor& field, const Json& value, const Json* before,
             const Place& place) {
    const ValueOps& ops = *field.ops->item;
    if (types_only_ && value.IsNull()) return;
    if (!HasType(ops, value, before, place)) return;
    if (!types_only_) Bounds(field.item, value, before, place);
    if (ops.kind == FieldKind::kStruct) return Struct(ops.Table(), value, before, place);
    if (ops.kind != FieldKind::kList && ops.kind != FieldKind::kMap) return;
    // Lists of lists have no bounds of their own.
    FieldDescriptor inner;
    inner.ops = &ops;
    ops.kind == FieldKind::kList ? List(inner, value, before, place)
                                 : Map(inner, value, before, place);
  }

  // What makes two entries one and the same: the keys' values, or the whole entry of a set.
  static std::string Identity(const FieldDescriptor& field, const Json& item) {
    if (field.list_type != ListType::kMap) return WriteJson(item);
    std::string text;
    for (const std::string_view key : field.list_keys) {
      const Json* value = item.Find(key);
      text += value ? WriteJson(*value) : "-";
      text += ' ';
    }
    return text;
  }

  using Entries = std::map<std::string, const Json*>;
  static Entries ByIdentity(const FieldDescriptor& field, const Json* list) {
    Entries entries;
    if (field.list_type != ListType::kMap) return entries;
    for (const Json& item : Items(list)) entries.emplace(Identity(field, item), &item);
    return entries;
  }

  static std::vector<size_t> RepeatedItems(const FieldDescriptor& field, const Json& value) {
    std::vector<size_t> repeated;
    std::set<std::string> seen;
    const Json::Array& items = Items(&value);
    for (size_t i = 0; i < items.size(); ++i) {
      if (!seen.insert(Identity(field, items[i])).second) repeated.push_back(i);
    }
    return repeated;
  }

  void Duplicates(const FieldDescriptor& field, const Json& value, const Json* before,
                  const Place& place) {
    if (field.list_type != ListType::kSet && field.list_type != ListType::kMap) return;
    if (field.list_type == ListType::kMap) {
      const Json::Array& items = value.AsArray();
      for (size_t i = 0; i < items.size(); ++i) {
        if (items[i].IsObject() || items[i].IsNull()) continue;
        // Told once, and then nothing about duplicates.
        const Place at{&place, {}, i, true};
        return Wrong(FieldErrorType::kInvalid, value, before, at,
                     "must be an object: entries are told apart by their members");
      }
    }
    if (value.size() < 2) return;
    const std::vector<size_t> repeated = RepeatedItems(field, value);
    if (repeated.empty() || (before && !RepeatedItems(field, *before).empty())) return;
    for (const size_t i : repeated) {
      const Place at{&place, {}, i, true};
      AddError(errors_, FieldErrorType::kDuplicate, at.Words(), "is there twice");
    }
  }

  bool HasType(const ValueOps& ops, const Json& value, const Json* before, const Place& place) {
    if (ReadableAs(ops.kind, value)) {
      if (InRange(ops.kind, value)) return true;
      const std::string message = "is out of the range of its type";
      if (types_only_) {
        Wrong(FieldErrorType::kTypeInvalid, value, before, place, message);
      } else {
        // A schema's check of number formats does not say where.
        Wrong(FieldErrorType::kInvalid, value, before, "<nil>", place.Words() + " " + message);
      }
      return false;
    }
    if (value.IsString() && ops.kind == FieldKind::kQuantity) {
      Wrong(types_only_ ? FieldErrorType::kTypeInvalid : FieldErrorType::kInvalid, value, before,
            place, "must be a quantity, for example 2, 1.5, 100m or 8Gi");
      return false;
    }
    const std::string message = std::string("must be of type ") + TypeName(ops.kind);
    Wrong(FieldErrorType::kTypeInvalid, value, before, place, message);
    const bool integer = ops.kind == FieldKind::kInt32 || ops.kind == FieldKind::kInt64;
    if (!types_only_ && integer && value.IsNumber()) {
      // The check of the number's format fails as well, and does not say where.
      Wrong(FieldErrorType::kInvalid, value, before, "<nil>", place.Words() + " has a fraction");
    }
    const bool alternatives =
        ops.kind == FieldKind::kQuantity || ops.kind == FieldKind::kIntOrString;
    if (types_only_ || !alternatives) return false;
    // One mistake for each type it might have had, without a place for those.
    Wrong(FieldErrorType::kTypeInvalid, value, before, place, message);
    Wrong(FieldErrorType::kInvalid, value, before, "<nil>", place.Words() + " has no allowed type");
    Wrong(FieldErrorType::kInvalid, value, before, "<nil>", place.Words() + " has no allowed type");
    return false;
  }

  static bool ReadableText(FieldKind kind, const std::string& text) {
    switch (kind) {
      case FieldKind::kQuantity:
        return IsQuantityText(text);
      case FieldKind::kTime:
        return base::ParseTime(text).ok();
      case FieldKind::kMicroTime:
        return HasSixDigits(text) && base::ParseTime(text).ok();
      case FieldKind::kBytes: return !base::DecodeBase64(text).illegal_at;
      case FieldKind::kDuration: return base::ParseDuration(text).ok();
      default: return true;
    }
  }

  bool ReadableAs(FieldKind kind, const Json& value) const {
    switch (kind) {
      case FieldKind::kJson: return true;
      case FieldKind::kBool: return value.IsBool();
      case FieldKind::kInt32:
      case FieldKind::kInt64: return value.IsInt();
      case FieldKind::kNumber: return value.IsNumber();
      case FieldKind::kIntOrString: return value.IsInt() || value.IsString();
      case FieldKind::kQuantity:
        // A schema only compares a quantity with a pattern; reading one asks for more.
        if (types_only_) return QuantityIn(&value).has_value();
        return value.IsInt() || (value.IsString() && ReadableText(kind, value.AsString()));
      case FieldKind::kList: return value.IsArray();
      case FieldKind::kMap:
      case FieldKind::kStruct: return value.IsObject();
      default: return value.IsString() && ReadableText(kind, value.AsString());
    }
  }

  static bool InRange(FieldKind kind, const Json& value) {
    if (kind != FieldKind::kInt32) return true;
    return value.AsInt() >= std::numeric_limits<int32_t>::min() &&
           value.AsInt() <= std::numeric_limits<int32_t>::max();
  }

  void Bounds(const ValueBounds& bounds, const Json& value, const Json* before,
              const Place& place) {
    if (value.IsInt()) {
      if (bounds.minimum && value.AsInt() < *bounds.minimum) {
        Wrong(FieldErrorType::kInvalid, value, before, place,
              "must be at least " + std::to_string(*bounds.minimum));
      }
      if (bounds.maximum && value.AsInt() > *bounds.maximum) {
        Wrong(FieldErrorType::kInvalid, value, before, place,
              "must be at most " + std::to_string(*bounds.maximum));
      }
    }
    if (!value.IsString()) return;
    const std::string& text = value.AsString();
    if (bounds.max_length && text.size() > static_cast<size_t>(*bounds.max_length) &&
        CountCharacters(text) > static_cast<size_t>(*bounds.max_length)) {
      Wrong(FieldErrorType::kTooLong, value, before, place,
            "must have at most " + std::to_string(*bounds.max_length) + " characters");
    }
    if (bounds.min_length && CountCharacters(text) < static_cast<size_t>(*bounds.min_length)) {
      Wrong(FieldErrorType::kInvalid, value, before, place,
            "must have at least " + std::to_string(*bounds.min_length) + " characters");
    }
    if (!bounds.pattern.empty() && !PatternMatches(bounds.pattern, text)) {
      Wrong(FieldErrorType::kInvalid, value, before, place,
            "must match " + std::string(bounds.pattern));
    }
  }

  void Enum(const FieldDescriptor& field, const Json& value, const Json* before,
            const Place& place) {
    static const std::vector<std::string_view> kStatuses = {"True", "False", "Unknown"};
    const bool is_status = field.ops->kind == FieldKind::kConditionStatus;
    const auto& allowed = is_status ? kStatuses : field.enum_values;
    if (allowed.empty() || IsUnchanged(value, before)) return;
    const std::string text = value.IsString() ? value.AsString() : WriteJson(value);
    for (const std::string_view one : allowed) {
      if (value.IsString() && one == text) return;
    }
    AddNotSupported(errors_, place.Words(), text, allowed);
  }

  const bool types_only_;
  FieldErrors& errors_;
};

}  // namespace

void CheckTypes(const StructDescriptor& table, const Json& object, FieldErrors& errors) {
  SchemaChecker(true, errors).Root(table, object, nullptr);
}

void CheckMetadataTypes(const StructDescriptor& table, const Json& object, FieldErrors& errors) {
  const FieldDescriptor* field = table.Find("metadata");
  const Json* metadata = object.Find("metadata");
  if (field && metadata) SchemaChecker(true, errors).RootMember(*field, *metadata);
}

void CheckSchema(const StructDescriptor& table, const Json& object, const Json* before,
                 FieldErrors& errors) {
  SchemaChecker(false, errors).Root(table, object, before);
}

}  // namespace kueue::api
