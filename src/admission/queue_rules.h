#pragma once

#include <vector>

#include "api/codec/codec.h"
#include "api/types/kueue.h"
#include "api/types/kueue_features.h"

namespace kueue::admission {

// spec/api.md §2.4 (RG-W1..W7), §2.5 (FS-W1), §5.3 (CQ-W1, CQ-W4..W12). `before` is null on create.
// CQ-W2 and CQ-W3 are the schema's already.
std::vector<api::FieldError> ValidateClusterQueue(const api::FeatureGates& gates,
                                                  const api::ClusterQueue* before,
                                                  const api::ClusterQueue& queue);
// spec/api.md §6.
std::vector<api::FieldError> ValidateCohort(const api::Cohort& cohort);

}  // namespace kueue::admission
