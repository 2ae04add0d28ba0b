#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "manager/manager.h"
#include "simulation/world.h"

// A random day of three teams: the test of the architecture, and a yardstick for its speed.
namespace kueue::simulation {

struct DayOptions {
  uint64_t seed = 1;
  int jobs = 1000;
  base::Duration length = base::hours(24);
  // Of the ClusterQueue and of every LocalQueue: policies beyond the reference.
  api::StringMap queue_annotations, local_queue_annotations;
  manager::ManagerOptions manager;
};

struct DayReport {
  uint64_t digest = 0, writes = 0, tasks = 0;
  int created = 0, finished = 0, failed = 0;
  int evictions = 0;
  // (flavor, resource) cells whose reservations were ever above nominal quota: must stay 0.
  int over_quota = 0;
  // The shortest time that a preempted workload had run; nothing if none was.
  std::optional<base::Duration> shortest_preempted_run;
};

// Makes queues and nodes, lets jobs arrive over the first part of the day, and runs the day to its
// end in virtual time.
DayReport RunDay(const DayOptions& options);

}  // namespace kueue::simulation
