#pragma once

#include <string>

#include "api/types/kueue.h"

namespace kueue::scheduling {

// Why a flavor is out of the question for a pod set (spec/scheduling.md §6.5), before any quota is
// looked at.
enum class Refusal : uint8_t {
  kNone, kMissing, kTaint, kNodeLabels, kNeedsTopology, kHasTopology, kPinnedElsewhere,
};

struct EligibilityOptions {
  bool topology_aware = true;   // gate TopologyAwareScheduling
  bool topology_only = false;   // every flavor of the queue has a topology
};

// `flavor` null: the ResourceFlavor does not exist.
Refusal CheckEligibility(const api::PodSet& pod_set, const api::ResourceFlavor* flavor,
                         const EligibilityOptions& options);
// For people: "has a taint that is not tolerated".
std::string Describe(Refusal refusal);

}  // namespace kueue::scheduling
