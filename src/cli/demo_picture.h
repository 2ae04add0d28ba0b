#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/types/batch.h"
#include "api/types/kueue.h"

// What the demonstration shows, from API objects alone.
namespace kueue::cli {

// Everything the demonstration looks at, at one moment.
struct DemoView {
  std::vector<std::shared_ptr<const api::ClusterQueue>> cluster_queues;
  std::vector<std::shared_ptr<const api::Workload>> workloads;
  std::vector<std::shared_ptr<const api::Job>> jobs;
};

// "Pending", "Reserved", "Running", "Evicted", "Finished"; with the reason a pending one waits.
struct WorkloadState {
  std::string state, reason;
};
WorkloadState StateOf(const api::Workload& workload);
// Jobs that have condition Complete or Failed.
size_t CountEnded(const DemoView& view);

// A screenful for a terminal of that size: queues with bars, workloads with state and reason.
std::string DrawTable(const DemoView& view, int columns, int rows);

// Lines about what changed since `before`: "vision-train-1 (…): Pending -> Running".
std::vector<std::string> DescribeChanges(const DemoView& before, const DemoView& after);

// Waits, utilisation per flavor and preemptions, from conditions and statuses.
std::string Summarise(const DemoView& view);

}  // namespace kueue::cli
