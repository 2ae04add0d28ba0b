#pragma once

#include <vector>

#include "admission/names.h"
#include "api/types/kueue.h"
#include "api/types/kueue_features.h"

namespace kueue::admission {

// spec/api.md §8.5 (WL-W1..W20), of the main resource and of its status. `before` is null on
// create.
FieldErrors ValidateWorkload(const api::FeatureGates& gates, const api::Workload* before,
                             const api::Workload& workload);

// ---- its parts

// WL-W1..W6.
void CheckPodSets(const api::FeatureGates& gates, const api::Workload& workload,
                  FieldErrors& errors);
// WL-W7..W12.
void CheckStatus(const api::FeatureGates& gates, const api::Workload* before,
                 const api::Workload& workload, FieldErrors& errors);
// WL-W15..W19.
void CheckChanges(const api::FeatureGates& gates, const api::Workload& before,
                  const api::Workload& workload, FieldErrors& errors);
// WL-W13 and WL-W20.
void CheckGatedBy(const api::Workload* before, const api::Workload& workload, FieldErrors& errors);

bool IsReserved(const api::Workload& workload);
// May be resized by replacing it with another slice.
bool IsElastic(const api::FeatureGates& gates, const api::Workload& workload);
// Null if there is no such pod set.
const api::PodSet* FindPodSet(const api::Workload& workload, const std::string& name);

}  // namespace kueue::admission
