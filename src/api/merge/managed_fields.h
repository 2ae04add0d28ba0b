#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/merge/field_set.h"
#include "api/types/json.h"
#include "base/result.h"
#include "base/time.h"

// metadata.managedFields: who has set which fields of an object.
namespace kueue::api {

// A set of fields that never changes, with its text made once. Shared between the versions of an
// object. The text is made on first use: from one thread.
class OwnedFields {
 public:
  explicit OwnedFields(FieldSet set) : set_(std::move(set)) {}
  const FieldSet& set() const { return set_; }
  const std::string& Text() const;

 private:
  const FieldSet set_;
  mutable std::string text_;
};

struct ManagedEntry {
  std::string manager;
  bool applied = false;     // operation Apply; otherwise Update
  std::string api_version;  // in which the fields are named
  std::string subresource;  // "" for the object itself
  std::optional<base::Time> time;
  std::shared_ptr<const OwnedFields> fields;  // never null

  const FieldSet& set() const { return fields->set(); }
  void set_fields(FieldSet set) { fields = std::make_shared<const OwnedFields>(std::move(set)); }
  // One manager has one entry per operation and subresource, for updates also per version.
  bool SameOwner(const ManagedEntry& other) const;
};

// Entries of different owners, in the order of the wire: by operation, time in whole seconds,
// manager, version, subresource.
using ManagedFields = std::vector<ManagedEntry>;

void SortManagedFields(ManagedFields& managed);
// Null if there is none.
ManagedEntry* FindOwner(ManagedFields& managed, const ManagedEntry& owner);
const ManagedEntry* FindOwner(const ManagedFields& managed, const ManagedEntry& owner);
// Equal but for the times.
bool SameOwnership(const ManagedFields& a, const ManagedFields& b);

// The list as it stands in metadata, and back. Null or an empty list is nothing.
Json EncodeManagedFields(const ManagedFields& managed);
// The same as compact text.
std::string ManagedFieldsText(const ManagedFields& managed);
base::Result<ManagedFields> DecodeManagedFields(const Json* list);
// Whether a client asks for all ownership to be forgotten: an empty list, or one empty entry.
bool ResetsManagedFields(const Json* list);

}  // namespace kueue::api
