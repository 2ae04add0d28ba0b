#pragma once

#include <functional>

#include "base/clock.h"
#include "kube/informer.h"
#include "scheduling/state.h"

namespace kueue::controllers {

// Tells the state of objects that decide what workloads ask for although they are no part of them:
// LimitRanges, RuntimeClasses (spec/controllers.md §2.3) and, with gate KueueDRAIntegration,
// devices (spec/scheduling.md §1.9). `changed` is called after each fact. Before the cache is
// started; all must outlive it.
void FeedSurroundings(kube::Cache& cache, scheduling::State& state, const base::Clock& clock,
                      const std::function<void()>& changed);

}  // namespace kueue::controllers
