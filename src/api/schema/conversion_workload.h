#pragma once

#include "api/schema/validation_parts.h"

namespace kueue::api {

// v1beta1 <-> v1beta2 of Workload (spec/api.md §18); see schema/conversion.h.
FieldErrors WorkloadToStored(Json& object);
FieldErrors WorkloadFromStored(Json& object);

}  // namespace kueue::api
