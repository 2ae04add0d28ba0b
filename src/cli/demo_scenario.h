#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/types/json.h"
#include "base/time.h"

namespace kueue::cli {

// A job of the demonstration and when it is handed in.
struct DemoJob {
  base::Duration at{0};
  std::string name, queue, priority_class;
  int32_t pods = 1, cpu = 1, gpus = 0;  // of each pod: cpu, gpus
  int32_t seconds = 1;
};

// Thirty jobs of three teams: long background work that fills the GPUs first, short work with a
// deadline that comes later and displaces some of it, and work without GPUs in between.
std::vector<DemoJob> PlanDemo(uint64_t seed);
// The batch/v1 Job.
api::Json MakeDemoJob(const DemoJob& job);

// The text of examples/research/queues.yaml.
extern const char kResearchQueues[];
// Nodes that hold exactly the quota of those queues.
inline constexpr char kDemoNodes[] = "8x(cpu=10,memory=20Gi,nvidia.com/gpu=1)";

}  // namespace kueue::cli
