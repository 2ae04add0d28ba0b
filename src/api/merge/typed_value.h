#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/merge/field_set.h"
#include "api/merge/merge_schema.h"
#include "api/types/json.h"
#include "base/result.h"

// Values under a schema: checking, comparing, merging, and which fields they name. Everything here
// is a function of its arguments.
namespace kueue::api {

// Which step of a list an entry is. An error if it lacks all keys, or cannot be told apart at all.
// REQUIRES: the list is not atomic.
base::Result<PathElement> ElementOf(const MergeSchema& list, const Json& entry);

// Whether the value is of that type. Entries of a list that are the same one are a mistake unless
// `duplicates` lets them pass. The message names every mistake with its path.
base::Status CheckTyped(const MergeSchema& schema, const Json& value, bool duplicates);

// The fields a value names. Members of maps that are not declared and entries of lists are in the
// set themselves, declared fields only where the value ends. REQUIRES: CheckTyped was content.
FieldSet FieldsOf(const MergeSchema& schema, const Json& value);

// How two objects differ. No field is in more than one of the sets.
struct Comparison {
  FieldSet removed, modified, added;
  bool Same() const { return removed.empty() && modified.empty() && added.empty(); }
};
// Parts that do not fit the schema are compared as if nothing were known about them.
Comparison Compare(const MergeSchema& schema, const Json& before, const Json& after);

// `config` over `live`: nothing is removed, leaves are taken from `config`; lists with owners keep
// the order of `config` where it speaks and of `live` where it does not.
// An error where an entry of a list cannot be told from others. Null if nothing is left.
base::Result<Json> MergeTyped(const MergeSchema& schema, const Json& live, const Json& config);

// The value without those fields; without a member that is left, maps and lists become null.
Json RemoveFields(const MergeSchema& schema, const Json& value, const FieldSet& fields);
// Only those fields, with everything below a leaf of the set.
Json ExtractFields(const MergeSchema& schema, const Json& value, const FieldSet& fields);

// The set with all declared fields that are on the way to a field in it.
FieldSet WithNamedParents(const MergeSchema& schema, const FieldSet& set);
// The set as the schema would have it: what owns parts of an atomic value owns the whole.
FieldSet ReconcileFields(const MergeSchema& schema, const FieldSet& set);

}  // namespace kueue::api
