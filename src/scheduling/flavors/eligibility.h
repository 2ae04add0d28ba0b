#pragma once

#include <string>
#include <vector>

#include "api/types/kueue.h"

namespace kueue::scheduling {

// Why a flavor is out of the question for a pod set (spec/scheduling.md §6.5), before any quota is
// looked at.
enum class Refusal : uint8_t {
  kNone, kMissing, kTaint, kNodeLabels, kNeedsTopology, kHasTopology, kLacksLevel,
  kPinnedElsewhere,
};

struct EligibilityOptions {
  bool topology_aware = true;   // gate TopologyAwareScheduling
  bool topology_only = false;   // every flavor of the queue has a topology
  // Of the flavor at hand (spec/topology.md §14.1): the level keys of its topology, null where it
  // is not known; and whether the pod set itself requests none of what its group covers.
  const std::vector<std::string>* level_keys = nullptr;
  bool requests_nothing_of_group = false;
};

// `flavor` null: the ResourceFlavor does not exist.
Refusal CheckEligibility(const api::PodSet& pod_set, const api::ResourceFlavor* flavor,
                         const EligibilityOptions& options);
// For people: "has a taint that is not tolerated".
std::string Describe(Refusal refusal);

}  // namespace kueue::scheduling
