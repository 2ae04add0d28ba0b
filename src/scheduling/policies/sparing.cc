#include "scheduling/policies/sparing.h"

#include <algorithm>
#include <tuple>

#include "api/types/names.h"
#include "scheduling/world.h"

namespace kueue::scheduling {
namespace {

// The time of damping doubles with each preemption, so often at most.
constexpr int64_t kMostDoublings = 10;

}  // namespace

std::optional<base::Time> RunsSince(const WorkItem& item) {
  if (!item.admitted) return std::nullopt;
  if (item.assumed != nullptr && !item.assumed_again) return item.assumed_at;
  const api::Condition* const admitted =
      api::FindCondition(item.object->status.conditions, api::names::kAdmitted);
  if (admitted == nullptr || !admitted->last_transition_time) return item.reserved_at;
  return admitted->last_transition_time;
}

int64_t TimesPreempted(const api::Workload& workload) {
  int64_t count = 0;
  if (!workload.status.scheduling_stats) return count;
  for (const api::EvictionCount& entry : workload.status.scheduling_stats->evictions) {
    if (entry.reason == api::names::kPreempted) count += std::max(entry.count, 0);
  }
  return count;
}

std::optional<Spared> SparesNow(const WorkItem& candidate, const WorkItem& preemptor,
                                base::Time now) {
  const api::QueuePolicies& policies = candidate.accounted_in->policies;
  if (!policies.spares() || candidate.leaving()) return std::nullopt;
  const auto since = RunsSince(candidate);
  if (!since) return std::nullopt;
  Spared out{*since + policies.minimum_run, candidate.key, false};
  // More important work cannot be part of a cycle of equals that push each other out.
  if (policies.damping.count() > 0 && preemptor.priority <= candidate.priority) {
    const int64_t times = TimesPreempted(*candidate.object);
    const int64_t factor = times == 0 ? 0 : int64_t{1} << std::min(times - 1, kMostDoublings);
    const base::Time damped = *since + policies.damping * factor;
    if (damped > out.until) out = {damped, candidate.key, true};
  }
  return out.until > now ? std::optional(std::move(out)) : std::nullopt;
}

void KeepEarlier(const std::optional<Spared>& other, std::optional<Spared>& best) {
  if (!other) return;
  if (!best || std::tie(other->until, other->workload) < std::tie(best->until, best->workload)) {
    best = other;
  }
}

std::string Describe(const Spared& spared) {
  return "workload " + spared.workload +
         (spared.damped ? ", preempted before, may run undisturbed until "
                        : " may run undisturbed until ") +
         base::FormatTime(spared.until);
}

}  // namespace kueue::scheduling
