#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/merge/managed_fields.h"
#include "api/merge/merge_schema.h"
#include "api/types/json.h"
#include "base/result.h"
#include "base/time.h"

// The rules of ownership: what a write makes of an object and of its managedFields. After
// structured-merge-diff as Kubernetes uses it. Objects come without metadata.managedFields.
namespace kueue::api {

// The versions in which an object may be named.
class MergeVersions {
 public:
  virtual ~MergeVersions() = default;
  // Null: there is no such version (any more); what was owned in it is forgotten.
  virtual const MergeSchema* SchemaOf(const std::string& api_version) const = 0;
  // False: it cannot be shown so, `object` is then undefined. REQUIRES: both versions exist.
  virtual bool Convert(const std::string& from, const std::string& to, Json& object) const = 0;
  // Fields nobody owns by this way of writing, with all below them (the status of an object that
  // has it apart). Null: none.
  virtual const FieldSet* NeverOwned(const std::string& api_version) const = 0;
};

// Who writes, how and when.
struct Writing {
  std::string manager;      // "" counts as "unknown"
  std::string api_version;  // of the request
  std::string subresource;
  base::Time now;
};

// A plain write made `after` of `before` (of a new object: what a new one has by itself). The
// fields that changed are the manager's from now on, the time of its entry is now, and what is gone
// is nobody's.
ManagedFields TrackUpdate(const MergeVersions& versions, const Writing& writing, const Json& before,
                          const Json& after, const ManagedFields& managed);

// Brings entries a client has written itself in line with the schemas.
void Reconcile(const MergeVersions& versions, ManagedFields& managed);

struct FieldConflict {
  ManagedEntry owner;
  FieldPath path;
};

struct Applied {
  // Not empty: nothing is done, because others own these fields.
  std::vector<FieldConflict> conflicts;
  // The object after it; nothing if it is as it was.
  std::optional<Json> object;
  ManagedFields managed;
};

// Server-side apply of `config` to `live`. `force` takes fields over from others. An error if the
// two cannot be merged; REQUIRES: both are CheckTyped.
base::Result<Applied> ApplyConfiguration(const MergeVersions& versions, const Writing& writing,
                                         const Json& live, const Json& config,
                                         const ManagedFields& managed, bool force);

// "Apply failed with 1 conflict: conflict with "a": .spec.x", in the words that Kubernetes uses.
std::string ConflictText(const std::vector<FieldConflict>& conflicts);
// "conflict with "a" using v1"
std::string ConflictCause(const FieldConflict& conflict);

// A scale is a view of another object's replicas: entries of that object as the scale has them, and
// the other way round. `replicas` gives for a version of the object the path of its replicas;
// null: there is none.
using ReplicasPath = const FieldPath* (*)(const void* context, const std::string& api_version);
struct ScaleMapping {
  ReplicasPath path;
  const void* context;
  std::string parent_version;  // of the object as the request names it
};
ManagedFields ToScale(const ScaleMapping& mapping, const ManagedFields& parent);
ManagedFields FromScale(const ScaleMapping& mapping, const ManagedFields& parent,
                        const ManagedFields& scale);

}  // namespace kueue::api
