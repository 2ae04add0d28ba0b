#include "scheduling/policies/budget.h"

#include <algorithm>

#include "api/types/names.h"
#include "scheduling/policies/sparing.h"
#include "scheduling/world.h"

namespace kueue::scheduling {
namespace {

constexpr base::Duration kNone{0};

base::Duration Overlap(base::Time from, base::Time to, const BudgetPeriod& period) {
  return std::max(kNone, std::min(to, period.end) - std::max(from, period.begin));
}

std::optional<base::Duration> LimitOf(const api::Workload& workload) {
  const auto& limit = workload.spec.maximum_execution_time_seconds;
  if (!limit) return std::nullopt;
  const int32_t past = workload.status.accumulated_past_execution_time_seconds.value_or(0);
  return std::max(kNone, base::Duration(base::seconds(*limit - past)));
}

// What it ran before it was admitted last; at most the time of the period before `until`.
base::Duration PastOf(const api::Workload& workload, base::Time until, const BudgetPeriod& period) {
  const int32_t past = workload.status.accumulated_past_execution_time_seconds.value_or(0);
  const base::Time since = workload.metadata.creation_timestamp.value_or(period.begin);
  return std::min(base::Duration(base::seconds(past)), Overlap(since, until, period));
}

void Add(const WorkItem& item, base::Time now, BudgetState& state) {
  const api::Workload& workload = *item.object;
  if (item.finished) {
    const auto time_of = [&](const char* type) -> std::optional<base::Time> {
      const api::Condition* const found = api::FindCondition(workload.status.conditions, type);
      if (found == nullptr || found->status != api::ConditionStatus::kTrue) return std::nullopt;
      return found->last_transition_time;
    };
    const auto from = time_of(api::names::kAdmitted), to = time_of(api::names::kFinished);
    if (from && to) state.used += Overlap(*from, *to, state.period);
    state.used += PastOf(workload, from.value_or(to.value_or(now)), state.period);
    return;
  }
  const auto since = RunsSince(item);
  state.used += PastOf(workload, since.value_or(now), state.period);
  if (!since && !item.reserved) return;
  if (since) state.used += Overlap(*since, now, state.period);
  if (item.leaving()) return;
  const auto limit = LimitOf(workload);
  if (limit) state.promised += Overlap(now, since.value_or(now) + *limit, state.period);
}

std::string Text(base::Duration duration) {
  return base::FormatDuration(std::chrono::floor<base::seconds>(duration));
}

}  // namespace

BudgetPeriod PeriodAt(const api::WallTimeBudget& budget, base::Time now) {
  const int64_t at = now.time_since_epoch().count(), each = budget.period.count();
  const int64_t number = at / each - (at % each < 0 ? 1 : 0);
  return {base::Time(base::Duration(number * each)),
          base::Time(base::Duration((number + 1) * each))};
}

base::Duration BudgetState::left(const api::WallTimeBudget& budget) const {
  return std::max(kNone, budget.budget - used - promised);
}

BudgetState ReadBudget(const LocalQueue& queue, base::Time now) {
  BudgetState state;
  state.period = PeriodAt(queue.budget, now);
  for (const WorkItem* item : queue.items) Add(*item, now, state);
  if (queue.deleted_runs.period == state.period.begin) state.used += queue.deleted_runs.used;
  return state;
}

void RememberRuns(LocalQueue& queue, const WorkItem& item, base::Time now) {
  if (queue.budget.period.count() == 0) return;
  BudgetState state;
  state.period = PeriodAt(queue.budget, now);
  Add(item, now, state);
  if (state.used == kNone) return;
  api::DeletedRuns& runs = queue.deleted_runs;
  if (runs.period != state.period.begin) runs = {state.period.begin, kNone};
  runs.used += state.used;
}

std::optional<base::Duration> WantedTime(const WorkItem& item, const BudgetPeriod& period,
                                         base::Time now) {
  const auto limit = LimitOf(*item.object);
  if (!limit) return std::nullopt;
  return Overlap(now, now + *limit, period);
}

std::optional<BudgetRefusal> RefusedByBudget(const WorkItem& item, base::Time now) {
  const LocalQueue* const queue = item.local_queue;
  if (queue == nullptr || queue->budget.period.count() == 0) return std::nullopt;
  const BudgetState state = ReadBudget(*queue, now);
  const base::Duration left = state.left(queue->budget);
  const auto wanted = WantedTime(item, state.period, now);
  if (left > kNone && wanted.value_or(kNone) <= left) return std::nullopt;
  BudgetRefusal out;
  out.until = state.period.end;
  out.message = "LocalQueue " + queue->key + " has " + Text(left) + " left of its " +
                Text(queue->budget.budget) + " of wall time until " +
                base::FormatTime(state.period.end);
  if (wanted && left > kNone) out.message += ", and the workload may run for " + Text(*wanted);
  return out;
}

}  // namespace kueue::scheduling
