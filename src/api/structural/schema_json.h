#pragma once

#include <string>
#include <string_view>

#include "api/types/json.h"

// Reading JSONSchemaProps as they are written.
namespace kueue::api::structural {

inline std::string TextAt(const Json& json, std::string_view member) {
  const Json* value = json.Find(member);
  return value != nullptr && value->IsString() ? value->AsString() : std::string();
}
inline bool TrueAt(const Json& json, std::string_view member) {
  const Json* value = json.Find(member);
  return value != nullptr && value->IsBool() && value->AsBool();
}
inline const Json* ObjectAt(const Json& json, std::string_view member) {
  const Json* value = json.Find(member);
  return value != nullptr && value->IsObject() ? value : nullptr;
}
inline const Json::Array& ListAt(const Json& json, std::string_view member) {
  static const Json::Array kNone;
  const Json* value = json.Find(member);
  return value != nullptr && value->IsArray() ? value->AsArray() : kNone;
}
inline const Json::Object& MembersAt(const Json& json, std::string_view member) {
  static const Json::Object kNone;
  const Json* value = json.Find(member);
  return value != nullptr && value->IsObject() ? value->AsObject() : kNone;
}
// Null counts as absent.
inline bool Has(const Json& json, std::string_view member) {
  const Json* value = json.Find(member);
  return value != nullptr && !value->IsNull();
}

}  // namespace kueue::api::structural
