#pragma once

#include "scheduling/state.h"
#include "scheduling/world.h"

// What the statuses of queues and cohorts say (spec/scheduling.md §2.5, §3.1, §4.10).
namespace kueue::scheduling {

State::ClusterQueueReport ReportOn(const World& world, const std::string& cluster_queue);
// `key`: "namespace/name".
State::LocalQueueReport ReportOnLocal(const World& world, const std::string& key);
State::PendingReport ReportWaiting(const World& world, const std::string& cluster_queue);
State::CohortReport ReportOnCohort(const World& world, const std::string& name);
// Heap and parked in heap order.
std::vector<std::string> PendingInOrder(const World& world, const std::string& cluster_queue);

}  // namespace kueue::scheduling
