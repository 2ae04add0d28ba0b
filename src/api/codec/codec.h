#pragma once

#include <string>
#include <vector>

#include "api/codec/descriptor.h"
#include "api/types/json.h"
#include "base/result.h"

// Between JSON and the plain structs, by table. Reading keeps unknown members in `extra`; writing
// puts them back, so a round trip loses nothing.
namespace kueue::api {

// What kind of mistake a field has: the cause types of a Kubernetes Status.
enum class FieldErrorType {
  kRequired, kInvalid, kNotSupported, kDuplicate, kForbidden, kTooLong, kTooMany, kTypeInvalid,
  kNotFound,
};
// "FieldValueRequired", "FieldValueInvalid", ... as in Status.details.causes[].reason.
const char* CauseReason(FieldErrorType type);
struct FieldError {
  FieldErrorType type = FieldErrorType::kInvalid;
  std::string field;    // "spec.resourceGroups[0].flavors[1].name"
  std::string message;  // what is wrong with the value and what is allowed
};
// "spec.a: ...; spec.b: ..." in one line.
std::string JoinFieldErrors(const std::vector<FieldError>& errors);

// The table of T. Every described struct has its own in api/schema (schema/descriptors.h).
template <class T>
const StructDescriptor& DescriptorOf();

// Fills `object` (a zero value of the described struct) from `json`. A member that is null counts
// as absent. A wrong type is an error with its path (below `path`, which may be ""); other values
// are still read. Returns all errors found. Whether a required member is there is not looked at.
std::vector<FieldError> DecodeStruct(const StructDescriptor& table, void* object, const Json& json,
                                     const std::string& path);
// Zero values are left out unless the table says always_written; an optional that is set is always
// written. Map members come sorted by key, what the struct kept in `extra` comes last. apiVersion
// and kind are the caller's: see EncodeObject in schema/kind.h.
Json EncodeStruct(const StructDescriptor& table, const void* object);

template <class T>
base::Result<T> Decode(const Json& json) {
  T object{};
  const auto errors = DecodeStruct(DescriptorOf<T>(), &object, json, "");
  if (!errors.empty()) return base::BadRequest(JoinFieldErrors(errors));
  return object;
}
template <class T>
Json Encode(const T& object) {
  return EncodeStruct(DescriptorOf<T>(), &object);
}

}  // namespace kueue::api
