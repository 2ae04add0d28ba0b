#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/codec/codec.h"
#include "api/types/meta.h"
#include "base/time.h"

// Policies beyond the reference that an administrator turns on by annotations of a queue
// (docs/using/policies.md). Without them nothing is different.
namespace kueue::api {

namespace names {
// Of a ClusterQueue. Durations as Go writes them ("90s", "1h30m").
inline constexpr char kPriorityAgingInterval[] = "kueue-cpp.dev/priority-aging-interval";
inline constexpr char kPriorityAgingLimit[] = "kueue-cpp.dev/priority-aging-limit";
inline constexpr char kMinimumRunTime[] = "kueue-cpp.dev/minimum-run-time";
inline constexpr char kPreemptionDamping[] = "kueue-cpp.dev/preemption-damping";
inline constexpr char kBackfillRunTime[] = "kueue-cpp.dev/backfill-run-time";
// Of a LocalQueue.
inline constexpr char kWallTimeBudget[] = "kueue-cpp.dev/wall-time-budget";
inline constexpr char kWallTimePeriod[] = "kueue-cpp.dev/wall-time-period";
// Written by the product: what workloads that were deleted have used.
inline constexpr char kWallTimeDeleted[] = "kueue-cpp.dev/wall-time-deleted";
}  // namespace names

// What a ClusterQueue asks for; a duration of 0 is: not.
struct QueuePolicies {
  base::Duration aging_interval{0};  // of waiting that counts as one more priority
  int64_t aging_limit = 100;         // more than this is never added
  base::Duration minimum_run{0};     // before it may be preempted
  base::Duration damping{0};         // the same after the first preemption; doubles with each
  base::Duration backfill{0};        // how long work runs that does not say it
  bool spares() const { return minimum_run.count() > 0 || damping.count() > 0; }
  friend bool operator==(const QueuePolicies&, const QueuePolicies&) = default;
};

// What the workloads of a LocalQueue may run together in each period; a period of 0: without limit.
struct WallTimeBudget {
  base::Duration budget{0}, period{0};
  friend bool operator==(const WallTimeBudget&, const WallTimeBudget&) = default;
};

// What deleted workloads of a LocalQueue ran in the period that began then.
struct DeletedRuns {
  base::Time period;
  base::Duration used{0};
  friend bool operator==(const DeletedRuns&, const DeletedRuns&) = default;
};
// "2026-03-01T00:00:00Z 1h30m0s"; nothing if it is not there or says something else.
DeletedRuns ReadDeletedRuns(const StringMap& annotations);
std::string DeletedRunsText(const DeletedRuns& runs);

// An annotation that CheckPolicyAnnotations refuses counts as not there.
QueuePolicies ReadQueuePolicies(const StringMap& annotations);
WallTimeBudget ReadWallTimeBudget(const StringMap& annotations);

// What cannot be read, at "metadata.annotations[key]".
std::vector<FieldError> CheckPolicyAnnotations(const StringMap& annotations);

}  // namespace kueue::api
