#include "scheduling/policies/aging.h"

#include <algorithm>

#include "api/types/names.h"

namespace kueue::scheduling {

int64_t AgingRule::TickAt(base::Time now) const {
  const int64_t at = now.time_since_epoch().count(), each = interval.count();
  return at / each - (at % each < 0 ? 1 : 0);
}

base::Time AgingRule::TimeOf(int64_t tick) const {
  return base::Time(base::Duration(tick * interval.count()));
}

int64_t AgingRule::AgeAt(int64_t tick, base::Time since) const {
  return std::clamp<int64_t>(tick - TickAt(since), 0, limit);
}

std::optional<base::Time> WaitsSince(const api::Workload& workload) {
  const api::Condition* const evicted =
      api::FindCondition(workload.status.conditions, api::names::kEvicted);
  if (evicted != nullptr && evicted->status == api::ConditionStatus::kTrue &&
      evicted->last_transition_time) {
    return evicted->last_transition_time;
  }
  return workload.metadata.creation_timestamp;
}

}  // namespace kueue::scheduling
