#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/types/json.h"

// The description of a type as ordinary data: one table per type says for every field its JSON
// name, sort, bounds, list type and default, with an accessor that reaches the C++ member. Codec,
// defaults, validation, pruning, columns and schemas are interpreters over these tables; none of
// them is a template over the types.
//
// Tables do not depend on members. A field that nobody reads typed is described only: it has no
// accessor and its value lives in the struct's Extra. A type that nobody reads typed has a table of
// such fields and no struct at all. What works on Json (defaults, validation, pruning, merging)
// does not see the difference.
namespace kueue::api {

struct StructDescriptor;

enum class FieldKind : uint8_t {
  kBool,
  kInt32,
  kInt64,
  kString,
  kQuantity,
  kTime,
  kMicroTime,
  kDuration,
  kConditionStatus,
  kBytes,        // base64 text
  kNumber,       // a number with a fraction; described only
  kIntOrString,  // a Json that is an integer or a string
  kJson,         // any value, kept as it is
  kStruct,       // described by `element`
  kList,
  kMap,  // of `item`; maps have string keys
};

// How lists merge and which entries are one and the same (x-kubernetes-list-type).
enum class ListType : uint8_t { kNone, kAtomic, kSet, kMap };

// Called for one entry of a list (`key` null) or a map.
using EntryVisitor = void (*)(void* context, const std::string* key, const void* entry);

// Type-erased operations of one C++ member type. `p` points to a member of that type; where the
// member is optional, everything but has, get and emplace takes the value inside. The C++ type
// behind each kind is fixed: bool, int32_t, int64_t, std::string, Quantity, Time (both time
// kinds), Duration, ConditionStatus, Json (kIntOrString, kJson), a described struct,
// std::vector<T>, std::map<std::string, T>. Of a field that is described only, all functions are
// null.
struct ValueOps {
  FieldKind kind;
  bool optional = false;                           // std::optional around the value
  const StructDescriptor* (*element)() = nullptr;  // kStruct with members: its table
  const StructDescriptor* described = nullptr;     // kStruct without members: its table
  const ValueOps* item = nullptr;                  // kList, kMap: operations of the entries
  // Optional members only.
  bool (*has)(const void* p) = nullptr;
  const void* (*get)(const void* p) = nullptr;  // the value inside; REQUIRES has(p)
  void* (*emplace)(void* p) = nullptr;          // the value inside, made if need be
  // kList and kMap only.
  size_t (*size)(const void* p) = nullptr;
  void (*reserve)(void* p, size_t n) = nullptr;              // room for n entries; may do nothing
  void* (*append)(void* p) = nullptr;                        // kList: a new zero entry at the end
  void* (*insert)(void* p, std::string_view key) = nullptr;  // kMap: the entry of that key
  // Visits lists in order, maps by key.
  void (*for_each)(const void* p, void* context, EntryVisitor visit) = nullptr;

  // REQUIRES: kind == kStruct.
  const StructDescriptor& Table() const { return element != nullptr ? *element() : *described; }
  // The table behind this value, its list entries or its map values; null if there is none.
  const StructDescriptor* Struct() const {
    const ValueOps* ops = this;
    while (ops->item != nullptr) ops = ops->item;
    return ops->kind == FieldKind::kStruct ? &ops->Table() : nullptr;
  }
};

// Bounds of one value. Lengths count Unicode characters.
struct ValueBounds {
  std::string_view pattern;  // RE2, must match somewhere (^$ written out)
  std::optional<int64_t> minimum, maximum;
  std::optional<int64_t> min_length, max_length;
};

// A rule in CEL that a definition carries beside the schema (x-kubernetes-validations). `self` is
// the value the rule is attached to; a rule that names `oldSelf` compares an update with what was.
struct CelRule {
  std::string_view rule;
  std::string_view message;  // what is allowed, in a sentence for people
  std::string_view message_expression = {};  // CEL that says it; message where that fails
  // FieldValueForbidden, FieldValueRequired, FieldValueDuplicate; empty: FieldValueInvalid.
  std::string_view reason = {};
  std::string_view field_path = {};  // where below self an error belongs: ".a.b"; empty: at self
  bool optional_old_self = false;    // looked at on a create too; oldSelf is optional then
};

struct FieldDescriptor {
  std::string_view json_name;
  const ValueOps* ops = nullptr;
  // Address of the member in its struct; null: described only.
  void* (*member)(void* object) = nullptr;

  bool required = false;        // must be present in the input
  bool always_written = false;  // written even when zero (no omitempty)
  bool keeps_zero = false;      // a zero that was given is not as if absent
  // The form a built-in kind is stored in has the field even when it was not given: as zero, an
  // empty object or null.
  bool always_stored = false;
  bool atomic = false;  // struct or map that server-side apply replaces whole
  ListType list_type = ListType::kNone;
  std::vector<std::string_view> list_keys;  // of a kMap list
  // Strategic merge patches: entries are merged and not replaced; by this key if it is not empty;
  // $retainKeys names the members that stay.
  bool patch_merges = false, patch_retains_keys = false;
  bool patch_replaces = false;  // the value is replaced whole, and it is said so
  std::string_view merge_key;
  std::string_view default_json;  // JSON text put in when absent; empty: none
  std::string_view pattern;       // RE2, must match somewhere (^$ written out)
  std::vector<std::string_view> enum_values;
  std::optional<int64_t> minimum, maximum;
  std::optional<int64_t> min_length, max_length, min_items, max_items, max_properties;
  ValueBounds item;            // of the entries of a list, of the values of a map
  bool immutable = false;      // may not change once the object exists
  std::string_view doc;        // one sentence for the reference page
  std::vector<CelRule> rules;  // of this field's value
};

struct StructDescriptor {
  std::string_view name;
  // Of a type of Kubernetes itself: its name with package and version, "batch.v1.JobSpec".
  std::string_view component;
  std::vector<FieldDescriptor> fields;
  std::vector<CelRule> rules;  // of every value of this type
  // Required members in the order a schema lists them; empty: by name.
  std::vector<std::string_view> required_order;
  // Indices into `fields` in the order of their JSON names.
  std::vector<uint16_t> by_name;
  // Reaches the Extra member: unknown members are kept there. Null: they are dropped.
  Extra* (*extra)(void* object) = nullptr;
  // A whole object: its JSON has apiVersion and kind beside the fields. They are no members of the
  // struct, so reading skips them and writing leaves them to the caller.
  bool top_level = false;
  // The table names every field of the type, so that unknown ones may be pruned by the server.
  // Otherwise the server keeps what it does not know.
  bool complete = false;
  bool atomic = false;  // server-side apply replaces values of this type whole
  // A type of Kubernetes itself: its enums say what is usual, what is allowed is the kind's rule.
  bool built_in = false;

  // Null if there is no such field.
  const FieldDescriptor* Find(std::string_view json_name) const;
};

}  // namespace kueue::api
