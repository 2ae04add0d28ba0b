#pragma once

#include <string>
#include <vector>

#include "api/match/topology_assignment.h"
#include "scheduling/topology/placement.h"

namespace kueue::scheduling::topology {

// The sites of domains as an assignment names them, in its order; empty unless all have a usable
// node. Never called with no domains.
Portions SitesOf(const Space& space, const std::vector<api::TopologyDomain>& domains);
// One list in the order of values; counts on the same site are added.
Portions Merged(const Space& space, Portions portions);

// What changed of a pod set's places: all of them, and the new part alone.
struct Replaced {
  bool ok = false;
  Portions all, fresh;
  Failure failure;
};

// New places for the pods of a failed node; the others stay (spec/topology.md §12.3 from step 2).
// `held`: the pod set's assignment. `failed`: the last value of a failed domain.
Replaced ReplaceNode(const Ground& ground, const Request& request,
                     const std::vector<api::TopologyDomain>& held, const std::string& failed,
                     const Rules& rules, Catalog& catalog);

// Exactly one owner, and it is a Pod that is no member of a group (§12.3 step 1).
bool OwnedBySinglePod(const api::Workload& workload);

// A scaled workload beside the places of the slice it replaces (§12.4): keeps them, gives some up,
// or finds places for the growth. `held_leader`: of the leader's pod set, may be empty.
// `fell_back`: some domain is gone, so that it has to be placed from scratch.
// REQUIRES: the replaced slice's own usage is out of the room.
struct Scaled {
  bool fell_back = false;
  Placed placed;
};
Scaled PlaceGrowth(const Ground& ground, const Request& workers, const Request* leader,
                   const std::vector<api::TopologyDomain>& held,
                   const std::vector<api::TopologyDomain>& held_leader,
                   const Conditions& conditions, const Rules& rules, Catalog& catalog);

}  // namespace kueue::scheduling::topology
