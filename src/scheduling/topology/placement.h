#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scheduling/topology/placer.h"
#include "scheduling/topology/tables.h"

namespace kueue::scheduling::topology {

// Gates that change where pods go (spec/topology.md §0).
struct Rules {
  Profile profile;
  bool respect_preferred_affinity = false;
  bool share_assumed = true;  // gate TASHandleOverlappingFlavors
};

// A space with what is remembered about it.
struct Ground {
  Space& space;
  Tables& tables;
};

// How one placement is meant.
struct Conditions {
  bool empty = false;  // as if no Workload held anything (§4.4)
  Range inside;        // only on these positions (§12.3)
  bool ranged = false;
  bool explain = true;  // a failure counts what was excluded
};

struct Placed {
  bool ok = false;
  Portions workers, leader;
  Failure failure;  // if not ok
};

// Places one pod set, or two that go together (§6 to §10). `leader`: may be null.
Placed Place(const Ground& ground, const Request& workers, const Request* leader,
             const Conditions& conditions, const Rules& rules, Catalog& catalog);

// Indices into the requests, by group name; those without one alone (§11.1).
std::vector<std::vector<size_t>> GroupRequests(const std::vector<Request>& requests);
// Of a group: the workers and the leader (null for one alone). The larger count works; of equals
// the first.
struct Roles {
  const Request* workers = nullptr;
  const Request* leader = nullptr;
};
Roles RolesIn(const std::vector<Request>& requests, const std::vector<size_t>& group);

// Takes from the room what was just placed, so that what comes
// later does not get it again (§11.1). `trial` collects what has to be undone.
void Assume(Space& space, const Request& request, const Portions& portions, Catalog& catalog,
            std::vector<TrialRow>& trial);

}  // namespace kueue::scheduling::topology
