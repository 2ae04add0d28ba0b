#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/types/kueue.h"

// Which pod of a pod set goes to which domain of its assignment (spec/topology.md §16). Pure.
namespace kueue::controllers {

using PodPtr = std::shared_ptr<const api::Pod>;

// A gated pod that may be placed now, and the node selector that does it.
struct Ungating {
  PodPtr pod;
  api::StringMap node_selector;
};

// `pods`: those of the pod set, in any order; terminated ones are left out by it. By rank where
// every pod's labels tell a good one, else greedily in the order of creation and name; pods for
// which there is no domain left stay gated, and so do those that would go to an unhealthy node.
std::vector<Ungating> PlanUngating(const api::Workload& workload,
                                   const api::PodSetAssignment& assignment,
                                   std::vector<PodPtr> pods);

}  // namespace kueue::controllers
