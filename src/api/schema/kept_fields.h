#pragma once

#include <string_view>
#include <vector>

#include "api/codec/codec.h"
#include "api/schema/kind.h"
#include "api/schema/validation_parts.h"

// What conversions are made of: fields kept in an annotation, and the encoder's form.
namespace kueue::api {

// A field that an older version does not have: "spec", "preemptionGates". In the parent's path
// "podSets[]" goes through a list whose entries are told apart by name.
struct KeptField {
  std::string_view parent;  // "spec.podSets[].topologyRequest"
  std::string_view member;
};
using KeptFields = std::vector<KeptField>;

// Moves the fields that are there into the annotation names::kNewerFields.
void Keep(const KeptFields& fields, Json& object);
// The way back: takes the annotation away and puts its fields where they were, as far as their
// place still exists. An annotation that is no such text, or whose values `kind` (the newer
// version) does not allow, is an error.
FieldErrors PutBackKept(const KindInfo& kind, const KeptFields& fields, Json& object);

// Reads the object as a T and writes it again, apiVersion, kind and metadata aside: no zero values
// that are as good as absent, quantities canonical, spec and status there even if empty. Errors:
// what cannot be read.
template <class T>
FieldErrors InEncodedForm(Json& object) {
  T value{};
  FieldErrors errors = DecodeStruct(DescriptorOf<T>(), &value, object, "");
  if (!errors.empty()) return errors;
  Json encoded = EncodeStruct(DescriptorOf<T>(), &value);
  for (const char* member : {"apiVersion", "kind", "metadata"}) {
    Json* kept = object.Find(member);
    encoded.Erase(member);
    if (kept != nullptr) encoded.Set(member, std::move(*kept));
  }
  for (const char* member : {"spec", "status"}) {
    if (encoded.Find(member) == nullptr) encoded.Set(member, Json::MakeObject());
  }
  object = std::move(encoded);
  return {};
}

}  // namespace kueue::api
