#pragma once

#include "api/types/core.h"
#include "resources/resource_vector.h"

namespace kueue::api {

// Requests of one pod: containers, sidecars, init containers, pod-level resources, overhead
// (spec/scheduling.md §1.4). From `requests` only; see FillRequestsFromLimits.
resources::ResourceVector PodRequests(const PodSpec& pod);
// The same as exact quantities, for status fields and nodes.
ResourceList PodRequestQuantities(const PodSpec& pod);
// Missing requests take the limit, per resource (spec/scheduling.md §1.5, step 3).
void FillRequestsFromLimits(PodSpec& pod);

}  // namespace kueue::api
