#pragma once

#include "api/schema/kind.h"
#include "api/types/json.h"
#include "apiserver/api_error.h"

namespace kueue::apiserver {

// Strategic merge patch of built-in kinds: objects merge; lists that are known by a key merge
// entry by entry, finalizers as a set, all others are replaced. Understands $patch (replace,
// delete, merge), $deleteFromPrimitiveList, $setElementOrder and $retainKeys.
// A patch that cannot be applied is refused as Kubernetes does it: 500 without a reason.
Outcome<api::Json> ApplyStrategicPatch(const api::KindInfo& kind, const api::Json& target,
                                       const api::Json& patch);

}  // namespace kueue::apiserver
