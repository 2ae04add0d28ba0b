#pragma once

#include <cstdint>
#include <string>

namespace kueue::properties {

// Tells a State random changes of nodes, pods, topologies, flavors and workloads, and after each
// compares what it says of every domain with a State that is told only what there is at the end.
// "" or what differs.
std::string CheckTopologyFacts(uint64_t seed, int steps);

}  // namespace kueue::properties
