#pragma once

#include "api/merge/merge_schema.h"
#include "api/types/json.h"

// Which of the forms that a schema allows a value has. Shared by the walks over typed values.
namespace kueue::api {

enum class ValueShape : uint8_t { kInvalid, kMap, kScalar, kList };

// Of a value that has none of the allowed forms, of null and of a value that is not there: the
// first allowed one of map, scalar, list.
inline ValueShape ShapeOf(const MergeSchema& schema, const Json* value) {
  if (value != nullptr) {
    switch (value->type()) {
      case Json::Type::kNull:
        break;
      case Json::Type::kArray:
        if (schema.list) return ValueShape::kList;
        break;
      case Json::Type::kObject:
        if (schema.map) return ValueShape::kMap;
        break;
      default:
        if (schema.scalar != ScalarType::kNone) return ValueShape::kScalar;
    }
  }
  if (schema.map) return ValueShape::kMap;
  if (schema.scalar != ScalarType::kNone) return ValueShape::kScalar;
  return schema.list ? ValueShape::kList : ValueShape::kInvalid;
}

inline bool FitsScalar(ScalarType type, const Json* value) {
  if (value == nullptr || value->IsNull()) return true;
  switch (type) {
    case ScalarType::kString:
      return value->IsString();
    case ScalarType::kNumber:
      return value->IsNumber();
    case ScalarType::kBool:
      return value->IsBool();
    case ScalarType::kAny:
      return !value->IsArray() && !value->IsObject();
    case ScalarType::kNone:
      return false;
  }
  return false;
}

// The type of a member; what is not declared anywhere is Deduced().
inline const MergeSchema& KnownMember(const MergeSchema& schema, std::string_view name) {
  const MergeSchema* type = schema.MemberType(name);
  return type != nullptr ? *type : MergeSchema::Deduced();
}

// Null if the value is no array (or not there).
inline const Json::Array* ArrayIn(const Json* value) {
  return value != nullptr && value->IsArray() ? &value->AsArray() : nullptr;
}
inline const Json::Object* ObjectIn(const Json* value) {
  return value != nullptr && value->IsObject() ? &value->AsObject() : nullptr;
}

}  // namespace kueue::api
