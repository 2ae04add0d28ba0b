#pragma once

#include <optional>
#include <string>

#include "api/match/policy_annotations.h"
#include "base/time.h"

// Wall-time budgets (docs/using/wall-time-budgets.md): what the workloads of a LocalQueue may run
// together in each period.
namespace kueue::scheduling {

struct LocalQueue;
struct WorkItem;

// Periods follow each other from the epoch of Unix time on.
struct BudgetPeriod {
  base::Time begin, end;
};
BudgetPeriod PeriodAt(const api::WallTimeBudget& budget, base::Time now);

struct BudgetState {
  BudgetPeriod period;
  base::Duration used{0};      // by work that ran or runs, in this period
  base::Duration promised{0};  // what running work may still use of it, where it has a limit
  base::Duration left(const api::WallTimeBudget& budget) const;  // never negative
};
// From the workloads that exist, and what is remembered of others.
BudgetState ReadBudget(const LocalQueue& queue, base::Time now);

// The workload is about to be deleted: what it ran still counts in this period.
void RememberRuns(LocalQueue& queue, const WorkItem& item, base::Time now);

// What the workload may use of the period if it starts now: its limit, or nothing said.
std::optional<base::Duration> WantedTime(const WorkItem& item, const BudgetPeriod& period,
                                         base::Time now);

// Why the workload has to wait for the next period; nothing if it need not.
struct BudgetRefusal {
  std::string message;
  base::Time until;
};
std::optional<BudgetRefusal> RefusedByBudget(const WorkItem& item, base::Time now);

}  // namespace kueue::scheduling
