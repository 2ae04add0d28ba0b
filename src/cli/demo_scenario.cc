#include "cli/demo_scenario.h"

#include <algorithm>

#include "api/schema/kind.h"
#include "api/types/batch.h"
#include "api/types/names.h"
#include "base/random.h"

namespace kueue::cli {
namespace {

constexpr const char* kQueues[] = {"computer-vision-queue", "natural-language-processing-queue",
                                   "robotics-queue"};
constexpr const char* kTeams[] = {"vision", "language", "robotics"};

base::Duration Between(base::Random& random, int64_t from_ms, int64_t to_ms) {
  return base::milliseconds(
      from_ms + static_cast<int64_t>(random.Below(static_cast<uint64_t>(to_ms - from_ms))));
}

int32_t Pick(base::Random& random, int32_t from, int32_t to) {
  return from + static_cast<int32_t>(random.Below(static_cast<uint64_t>(to - from + 1)));
}

// A job of the `number`-th team in turn.
DemoJob OfTeam(int number, const std::string& what) {
  DemoJob job;
  job.queue = kQueues[number % 3];
  job.name = std::string(kTeams[number % 3]) + "-" + what + "-" + std::to_string(number + 1);
  return job;
}

}  // namespace

std::vector<DemoJob> PlanDemo(uint64_t seed) {
  base::Random random(seed);
  std::vector<DemoJob> jobs;
  for (int i = 0; i < 8; ++i) {  // fills the GPUs
    DemoJob job = OfTeam(i, "train");
    job.at = Between(random, 0, 3000);
    job.priority_class = "background";
    job.pods = 2;
    job.cpu = 4;
    job.gpus = 1;
    job.seconds = Pick(random, 6, 9);
    jobs.push_back(std::move(job));
  }
  for (int i = 8; i < 14; ++i) {  // wants them now
    DemoJob job = OfTeam(i, "evaluate");
    job.at = Between(random, 5000, 12000);
    job.priority_class = "deadline";
    job.pods = Pick(random, 2, 4);
    job.cpu = 2;
    job.gpus = 1;
    job.seconds = Pick(random, 2, 3);
    jobs.push_back(std::move(job));
  }
  for (int i = 14; i < 30; ++i) {  // needs none
    DemoJob job = OfTeam(i, "prepare");
    job.at = Between(random, 0, 14000);
    job.priority_class = i % 4 == 0 ? "deadline" : "background";
    job.pods = Pick(random, 2, 6);
    job.cpu = Pick(random, 1, 3);
    job.seconds = Pick(random, 2, 4);
    jobs.push_back(std::move(job));
  }
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const DemoJob& a, const DemoJob& b) { return a.at < b.at; });
  return jobs;
}

api::Json MakeDemoJob(const DemoJob& job) {
  api::Job object;
  object.metadata.name = job.name;
  object.metadata.namespace_name = "default";
  object.metadata.labels[api::names::kQueueLabel] = job.queue;
  object.metadata.labels[api::names::kPriorityClassLabel] = job.priority_class;
  object.spec.parallelism = object.spec.completions = job.pods;
  object.spec.pod_template.metadata.annotations[api::names::kRunSeconds] =
      std::to_string(job.seconds);
  object.spec.pod_template.spec.restart_policy = "Never";
  api::Container container;
  container.name = "main";
  container.image = "registry.example/work:1";
  container.resources.requests["cpu"] = api::Quantity::FromUnits(job.cpu);
  container.resources.requests["memory"] =
      *api::Quantity::Parse(std::to_string(2 * job.cpu) + "Gi");
  if (job.gpus > 0) {
    const api::Quantity gpus = api::Quantity::FromUnits(job.gpus);
    container.resources.requests["nvidia.com/gpu"] = gpus;
    container.resources.limits["nvidia.com/gpu"] = gpus;
  }
  object.spec.pod_template.spec.containers.push_back(std::move(container));
  return api::EncodeObject(object);
}

}  // namespace kueue::cli
