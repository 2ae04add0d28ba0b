#include "simulation/day.h"

#include <algorithm>
#include <map>

#include "api/types/batch.h"
#include "api/types/names.h"
#include "base/check.h"

namespace kueue::simulation {
namespace {

constexpr char kQueues[] = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: gpu}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: shared}
spec:
  namespaceSelector: {}
  preemption: {withinClusterQueue: LowerPriority}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources: [{name: cpu, nominalQuota: "32"}]
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - name: gpu
      resources: [{name: nvidia.com/gpu, nominalQuota: "8"}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team-a, namespace: default}
spec: {clusterQueue: shared}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team-b, namespace: default}
spec: {clusterQueue: shared}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team-c, namespace: default}
spec: {clusterQueue: shared}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: high}
value: 100
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: low}
value: 10
)";

api::Json MakeJob(int number, base::Random& random) {
  static constexpr const char* kTeams[] = {"team-a", "team-b", "team-c"};
  api::Job job;
  job.metadata.name = "job-" + std::to_string(number);
  job.metadata.namespace_name = "default";
  job.metadata.labels[api::names::kQueueLabel] = kTeams[random.Below(3)];
  job.metadata.labels[api::names::kPriorityClassLabel] = random.OneIn(5) ? "high" : "low";
  const int32_t pods = static_cast<int32_t>(1 + random.Below(4));
  job.spec.parallelism = job.spec.completions = pods;
  job.spec.pod_template.metadata.annotations[api::names::kRunSeconds] =
      std::to_string(60 + random.Below(600));
  job.spec.pod_template.spec.restart_policy = "Never";
  api::Container container;
  container.name = "main";
  container.image = "registry.example/work:1";
  container.resources.requests["cpu"] =
      api::Quantity::FromUnits(static_cast<int64_t>(1 + random.Below(2)));
  if (random.OneIn(4)) {
    const api::Quantity one = api::Quantity::FromUnits(1);
    container.resources.requests["nvidia.com/gpu"] = one;
    container.resources.limits["nvidia.com/gpu"] = one;
  }
  job.spec.pod_template.spec.containers.push_back(std::move(container));
  return api::EncodeObject(job);
}

// Reservations of all workloads against the quota of the one queue. Invariant 1 of the design.
class QuotaWatch {
 public:
  QuotaWatch(apiserver::Store& store, DayReport& report) {
    const std::map<std::string, int64_t> nominal{{"default/cpu", 32000}, {"gpu/nvidia.com/gpu", 8}};
    store.AddWatcher(&api::KindOf<api::Workload>(),
                     [this, nominal, &report](const apiserver::StoreChange& change) {
                       Count(change.before, -1);
                       if (change.type != apiserver::ChangeType::kDeleted) Count(change.object, +1);
                       for (const auto& [cell, limit] : nominal) {
                         if (used_[cell] > limit) ++report.over_quota;
                       }
                       WatchPreemption(change, report);
                     });
  }

 private:
  // A run that ends because somebody else needs the room.
  static void WatchPreemption(const apiserver::StoreChange& change, DayReport& report) {
    if (!change.before || change.type == apiserver::ChangeType::kDeleted) return;
    const auto before = api::Decode<api::Workload>(change.before->object());
    const auto after = api::Decode<api::Workload>(change.object->object());
    if (!before.ok() || !after.ok()) return;
    const auto& conditions = after->status.conditions;
    const api::Condition* const evicted = api::FindCondition(conditions, api::names::kEvicted);
    const api::Condition* const admitted = api::FindCondition(conditions, api::names::kAdmitted);
    if (evicted == nullptr || evicted->status != api::ConditionStatus::kTrue ||
        evicted->reason != api::names::kPreempted || admitted == nullptr ||
        admitted->status != api::ConditionStatus::kTrue ||
        api::IsConditionTrue(before->status.conditions, api::names::kEvicted)) {
      return;
    }
    const base::Duration ran = *evicted->last_transition_time - *admitted->last_transition_time;
    auto& shortest = report.shortest_preempted_run;
    shortest = shortest ? std::min(*shortest, ran) : ran;
  }
  void Count(const apiserver::StoredPtr& stored, int sign) {
    if (!stored) return;
    const auto workload = api::Decode<api::Workload>(stored->object());
    if (!workload.ok() || !workload->status.admission ||
        api::IsConditionTrue(workload->status.conditions, api::names::kFinished)) {
      return;
    }
    for (const auto& set : workload->status.admission->pod_set_assignments) {
      for (const auto& [resource, quantity] : set.resource_usage) {
        used_[set.flavors.at(resource) + "/" + resource] +=
            sign * resources::RequestUnits(resource, quantity);
      }
    }
  }
  std::map<std::string, int64_t> used_;
};

void Annotate(World& world, const api::KindInfo& kind, const kube::ObjectKey& key,
              const api::StringMap& annotations) {
  if (annotations.empty()) return;
  api::Json patch;
  for (const auto& [name, value] : annotations) {
    patch["metadata"]["annotations"].Set(name, value);
  }
  const auto done = world.Patch(kind, key, patch);
  KUEUE_CHECK(done.ok());
}

}  // namespace

DayReport RunDay(const DayOptions& options) {
  WorldOptions world_options;
  world_options.seed = options.seed;
  world_options.plane.cluster.nodes =
      *localcluster::ParseNodeSpec("8x(cpu=6,memory=24Gi,nvidia.com/gpu=1)");
  world_options.plane.manager = options.manager;
  World world(std::move(world_options));
  DayReport report;
  const QuotaWatch watch(world.plane().server().store(), report);
  if (auto created = world.CreateAll(kQueues); !created.ok()) return report;
  Annotate(world, api::KindOf<api::ClusterQueue>(), {"", "shared"}, options.queue_annotations);
  for (const char* team : {"team-a", "team-b", "team-c"}) {
    Annotate(world, api::KindOf<api::LocalQueue>(), {"default", team},
             options.local_queue_annotations);
  }

  base::Random random(options.seed + 1);
  const base::Time start = world.executor().clock().Now();
  // Arrivals end early enough for the last jobs to finish within the day.
  const uint64_t window = static_cast<uint64_t>((options.length * 5 / 6).count());
  for (int i = 0; i < options.jobs; ++i) {
    const base::Duration at(static_cast<int64_t>(random.Below(window)));
    world.executor().PostAfter(at, [&world, &report, job = MakeJob(i, random)] {
      world.client().Create(api::KindOf<api::Job>(), job, [&report](const auto& outcome) {
        report.created += outcome.ok() ? 1 : 0;
      });
    });
  }
  world.executor().RunUntil(start + options.length);

  for (const api::Job& job : world.All<api::Job>()) {
    for (const api::PodCondition& c : job.status.conditions) {
      if (c.status != api::ConditionStatus::kTrue) continue;
      report.finished += c.type == "Complete" ? 1 : 0;
      report.failed += c.type == "Failed" ? 1 : 0;
    }
  }
  for (const api::Workload& workload : world.All<api::Workload>()) {
    if (!workload.status.scheduling_stats) continue;
    for (const auto& e : workload.status.scheduling_stats->evictions) report.evictions += e.count;
  }
  report.digest = world.digest();
  report.writes = world.writes();
  report.tasks = world.executor().tasks_run();
  return report;
}

}  // namespace kueue::simulation
