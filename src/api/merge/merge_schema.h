#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/codec/descriptor.h"
#include "api/types/json.h"

// What merging, comparing and owning need to know of types: plain data, made from our tables or
// from the structural schema of a definition. A value that no schema speaks of has the type
// Deduced().
namespace kueue::api {

enum class ScalarType : uint8_t { kNone, kString, kNumber, kBool, kAny };

// What may stand in one place: any of a scalar, a list and a map. A null fits everywhere.
struct MergeSchema {
  struct Field {
    std::string name;
    const MergeSchema* type = nullptr;
    std::optional<Json> default_value;  // for a key of a list that is not given
  };

  ScalarType scalar = ScalarType::kNone;

  bool list = false;
  bool list_atomic = true;             // one value; otherwise entries have owners of their own
  std::vector<std::string> list_keys;  // entries are told apart by these; none: by their value
  const MergeSchema* item = nullptr;   // of a list

  bool map = false;
  bool map_atomic = false;
  std::vector<Field> fields;            // declared, sorted by name
  const MergeSchema* values = nullptr;  // of members that are not declared; null: there are none

  const Field* Find(std::string_view name) const;
  // Null: not allowed.
  const MergeSchema* MemberType(std::string_view name) const {
    const Field* field = Find(name);
    return field != nullptr ? field->type : values;
  }

  // Anything: lists are atomic, the members of maps have owners of their own.
  static const MergeSchema& Deduced();
  // Anything, as one value.
  static const MergeSchema& Untyped();
};

// Of a kind's or a type's table. Lives for the whole process, as the table must. Safe from any
// thread.
const MergeSchema& MergeSchemaOf(const StructDescriptor& table);

// Schemas made at run time, with the object that owns them.
class OwnedMergeSchema {
 public:
  // Of a structural schema (the openAPIV3Schema of a definition's version): types, properties,
  // additionalProperties, items, defaults, and x-kubernetes-list-type, -list-map-keys, -map-type,
  // -int-or-string, -preserve-unknown-fields. apiVersion, kind and metadata are added.
  // Whatever cannot be understood is taken as Deduced().
  static std::unique_ptr<OwnedMergeSchema> OfStructural(const Json& schema,
                                                        const MergeSchema& metadata);
  const MergeSchema& root() const { return *root_; }

 private:
  const MergeSchema* Convert(const Json& schema);

  std::vector<std::unique_ptr<MergeSchema>> parts_;
  const MergeSchema* root_ = nullptr;
};

}  // namespace kueue::api
