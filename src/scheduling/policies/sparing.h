#pragma once

#include <optional>
#include <string>

#include "api/types/kueue.h"
#include "base/time.h"

// Running work that may not be preempted for a while: until it has run for the time its
// ClusterQueue guarantees (docs/using/minimum-run-time.md), and, the longer the more often it was
// preempted before, by work that is not more important (docs/using/preemption-damping.md).
namespace kueue::scheduling {

struct WorkItem;

// A candidate that a search had to leave alone.
struct Spared {
  base::Time until;
  std::string workload;  // "namespace/name"
  bool damped = false;   // for having been preempted so often
};

// Nothing: it may go. REQUIRES that `candidate` is accounted.
std::optional<Spared> SparesNow(const WorkItem& candidate, const WorkItem& preemptor,
                                base::Time now);
// Of several the one that may go first; equals by name.
void KeepEarlier(const std::optional<Spared>& other, std::optional<Spared>& best);
// "ns/a may run undisturbed until ..."
std::string Describe(const Spared& spared);

// Since when it runs; nothing if it is not admitted.
std::optional<base::Time> RunsSince(const WorkItem& item);
// How often it was preempted (status.schedulingStats).
int64_t TimesPreempted(const api::Workload& workload);

}  // namespace kueue::scheduling
