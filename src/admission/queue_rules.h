#pragma once

#include <vector>

#include "api/schema/kind.h"

namespace kueue::admission {

// spec/api.md §2.4 (RG-W1..W7), §2.5 (FS-W1), §5.3 (CQ-W4..W7). `object` is a whole ClusterQueue.
std::vector<api::FieldError> ValidateClusterQueue(const api::Json& object);
// spec/api.md §6.
std::vector<api::FieldError> ValidateCohort(const api::Json& object);

}  // namespace kueue::admission
