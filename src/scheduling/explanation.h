#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "scheduling/plan.h"
#include "scheduling/state.h"

// Why a workload waits, and what would help.
namespace kueue::scheduling {

enum class Standing : uint8_t {
  kUnknown,  // no such workload
  kFinished,
  kReserved,    // it holds quota
  kHeld,        // it stands in no queue: `blockers` say why
  kWaiting,     // it will be tried
  kBackingOff,  // not before a time
};

// Something other than quota that keeps it from being admitted.
struct Blocker {
  std::string reason;  // as in condition QuotaReserved=False where there is such a reason
  std::string message;
};

// More quota of one (flavor, resource) for its ClusterQueue, in units of quota (milli cpu, whole
// units of all else).
struct QuotaIncrease {
  std::string flavor, resource;
  int64_t amount = 0;
};

struct Explanation {
  Standing standing = Standing::kUnknown;
  std::string cluster_queue, local_queue;
  std::vector<Blocker> blockers;
  // Workloads in front of it in its ClusterQueue, in order; its position is their number.
  std::vector<std::string> ahead;
  // What would be decided were it the only one to try now.
  FlavorMode mode = FlavorMode::kNoFit;
  std::vector<FlavorAttempt> attempts;
  std::vector<PlaceRefusal> places;  // of pod sets for which there is quota but no place
  std::vector<std::string> victims;
  // What policies beyond the reference do about it, in sentences.
  std::vector<std::string> policies;
  // The least change that makes it fit at once when nobody is ahead (design.md, invariant 7): all
  // increases together, in one flavor or, where one is not enough, in one of each resource group,
  // and each of them needed to the last unit. Empty: it fits, or more quota does not help.
  std::vector<QuotaIncrease> least_change;
};

// `workload`: "namespace/name". Changes nothing that a decision depends on, though it tries things
// out in the State; on its owner's thread.
Explanation Explain(State& state, const std::string& workload, base::Time now);
class World;
Explanation Explain(World& world, const std::string& workload, base::Time now);

}  // namespace kueue::scheduling
