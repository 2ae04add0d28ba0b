#pragma once

#include <cstdint>
#include <optional>

#include "api/types/kueue.h"
#include "base/time.h"

// Priority aging (docs/using/priority-aging.md): work that waits long comes nearer to the front of
// its queue. Only the order of waiting work follows it, never who may preempt whom.
namespace kueue::scheduling {

// Time is divided into intervals, the same ones for everybody, so that all waiting work ages at the
// same instants, and the order among work below the limit never changes.
struct AgingRule {
  base::Duration interval{0};  // 0: nobody ages
  int64_t limit = 0;
  bool on() const { return interval.count() > 0; }
  int64_t TickAt(base::Time now) const;
  base::Time TimeOf(int64_t tick) const;
  // What is added at `tick` to the priority of work that waits since `since`: 0 to limit.
  int64_t AgeAt(int64_t tick, base::Time since) const;
  friend bool operator==(const AgingRule&, const AgingRule&) = default;
};

// Since when the workload waits: it was made, or was evicted last. Nothing if it does not say.
std::optional<base::Time> WaitsSince(const api::Workload& workload);

}  // namespace kueue::scheduling
