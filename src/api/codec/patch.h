#pragma once

#include "api/types/json.h"
#include "base/result.h"

namespace kueue::api {

// RFC 7386: objects are merged, null deletes, everything else replaces.
Json ApplyMergePatch(Json target, const Json& patch);
// The smallest merge patch that turns `before` into `after`; an empty object if they are equal by
// meaning. Lists are replaced whole.
Json DiffMergePatch(const Json& before, const Json& after);
// RFC 6902 as a Kubernetes API server understands it: replacing a member that is not there sets it,
// testing it against null succeeds, copying it gives null, a missing value is null, and negative
// indices count from the end. Errors (kInvalid) name the operation's index and the path.
base::Result<Json> ApplyJsonPatch(Json target, const Json& patch);

}  // namespace kueue::api
