#pragma once

#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "scheduling/state.h"

// Topologies as text for people.
namespace kueue::cli {

// The tree of a flavor: for each domain its nodes, and for each resource what is used by workloads
// with a place, by other pods ("+2 by others") and what there is.
std::string TopologyText(const std::string& flavor,
                         const scheduling::State::TopologyReport& report);

// Where the pods of an admitted workload are: each domain with its path and its number of pods.
// `reports`: of flavors, by name, for the paths of hosts; may lack some.
struct FlavorReport {
  std::string flavor;
  scheduling::State::TopologyReport report;
};
std::string WorkloadPlacesText(const api::Workload& workload,
                               const std::vector<FlavorReport>& reports);

}  // namespace kueue::cli
