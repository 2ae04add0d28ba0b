#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "api/types/names.h"
#include "scheduling/state.h"

// For tests: short ways to make objects, and a cluster in which every write succeeds at once.
namespace kueue::scheduling {

// A quota of one resource in one flavor.
struct TestQuota {
  int64_t nominal = 0;
  std::optional<int64_t> borrowing_limit, lending_limit;
};

inline api::ResourceGroup CpuGroup(const std::vector<std::pair<std::string, TestQuota>>& flavors) {
  const auto limit = [](const std::optional<int64_t>& value) {
    return value ? std::optional(resources::Quantity::FromUnits(*value)) : std::nullopt;
  };
  api::ResourceGroup group;
  group.covered_resources = {"cpu"};
  for (const auto& [name, quota] : flavors) {
    api::FlavorQuotas& flavor = group.flavors.emplace_back();
    flavor.name = name;
    api::ResourceQuota& cpu = flavor.resources.emplace_back();
    cpu.name = "cpu";
    cpu.nominal_quota = resources::Quantity::FromUnits(quota.nominal);
    cpu.borrowing_limit = limit(quota.borrowing_limit);
    cpu.lending_limit = limit(quota.lending_limit);
  }
  return group;
}

// A ClusterQueue with API defaults and cpu in flavor "default".
inline std::shared_ptr<api::ClusterQueue> MakeQueue(const std::string& name, TestQuota cpu,
                                                    const std::string& cohort = "") {
  auto queue = std::make_shared<api::ClusterQueue>();
  queue->metadata.name = name;
  queue->spec.cohort_name = cohort;
  queue->spec.namespace_selector.emplace();
  queue->spec.queueing_strategy = "BestEffortFIFO";
  queue->spec.resource_groups = {CpuGroup({{"default", cpu}})};
  queue->spec.preemption.emplace();
  queue->spec.preemption->within_cluster_queue = "Never";
  queue->spec.preemption->reclaim_within_cohort = "Never";
  queue->spec.flavor_fungibility.emplace();
  queue->spec.flavor_fungibility->when_can_borrow = "MayStopSearch";
  queue->spec.flavor_fungibility->when_can_preempt = "TryNextFlavor";
  return queue;
}

class TestCluster {
 public:
  explicit TestCluster(Config config = {}) : state(std::move(config)) {
    api::Namespace home;
    home.metadata.name = "ns";
    state.SetNamespace(home, now);
    AddFlavor("default");
  }

  void AddFlavor(const std::string& name) {
    auto flavor = std::make_shared<api::ResourceFlavor>();
    flavor->metadata.name = name;
    state.SetResourceFlavor(flavor, now);
  }
  // With a LocalQueue of the same name in namespace "ns".
  void Add(std::shared_ptr<api::ClusterQueue> queue) {
    queue->metadata.generation = ++generation_;
    const std::string name = queue->metadata.name;
    state.SetClusterQueue(queue, now);
    AddLocalQueue(name, name);
  }
  void AddLocalQueue(const std::string& name, const std::string& target,
                     const std::string& stop_policy = "None") {
    auto local = std::make_shared<api::LocalQueue>();
    local->metadata.name = name;
    local->metadata.namespace_name = "ns";
    local->spec.cluster_queue = target;
    local->spec.stop_policy = stop_policy;
    state.SetLocalQueue(local, now);
  }
  void AddCohort(const std::string& name, const std::string& parent = "",
                 std::vector<api::ResourceGroup> groups = {}) {
    auto cohort = std::make_shared<api::Cohort>();
    cohort->metadata.name = name;
    cohort->metadata.generation = ++generation_;
    cohort->spec.parent_name = parent;
    cohort->spec.resource_groups = std::move(groups);
    state.SetCohort(cohort, now);
  }

  // A workload of `count` pods with `cpu` each; a second younger than the one before.
  static api::Workload Make(const std::string& name, const std::string& queue, int64_t cpu,
                            int32_t priority = 0, int32_t count = 1) {
    api::Workload workload;
    workload.metadata.name = name;
    workload.metadata.namespace_name = "ns";
    workload.metadata.uid = "uid-" + name;
    workload.metadata.generation = 1;
    workload.spec.queue_name = queue;
    workload.spec.priority = priority;
    api::PodSet& pods = workload.spec.pod_sets.emplace_back();
    pods.name = "main";
    pods.count = count;
    api::Container& container = pods.pod_template.spec.containers.emplace_back();
    container.name = "c";
    container.resources.requests["cpu"] = resources::Quantity::FromUnits(cpu);
    return workload;
  }
  void Submit(const std::string& name, const std::string& queue, int64_t cpu,
              int32_t priority = 0) {
    Submit(Make(name, queue, cpu, priority));
  }
  void Submit(api::Workload workload) {
    created_ += base::seconds(1);
    workload.metadata.creation_timestamp = created_;
    Tell(std::move(workload));
  }
  // A workload that has quota already, in flavor "default" of the ClusterQueue named as its queue.
  void SubmitReserved(const std::string& name, const std::string& queue, int64_t cpu,
                      int32_t priority = 0) {
    api::Workload workload = Make(name, queue, cpu, priority);
    api::Admission& admission = workload.status.admission.emplace();
    admission.cluster_queue = queue;
    api::PodSetAssignment& pods = admission.pod_set_assignments.emplace_back();
    pods.name = "main";
    pods.count = 1;
    pods.flavors["cpu"] = "default";
    pods.resource_usage["cpu"] = resources::Quantity::FromUnits(cpu);
    SetCondition(workload, api::names::kQuotaReserved, true, "QuotaReserved");
    SetCondition(workload, api::names::kAdmitted, true, "Admitted");
    Submit(std::move(workload));
  }

  void Tell(api::Workload workload) {
    auto shared = std::make_shared<const api::Workload>(std::move(workload));
    workloads[shared->metadata.name] = shared;
    state.SetWorkload(shared, now);
  }
  void SetCondition(api::Workload& workload, const char* type, bool value,
                    const std::string& reason) const {
    api::Condition condition;
    condition.type = type;
    condition.status = value ? api::ConditionStatus::kTrue : api::ConditionStatus::kFalse;
    condition.reason = reason;
    api::SetCondition(workload.status.conditions, std::move(condition), now);
  }
  void Finish(const std::string& name) {
    api::Workload workload = *workloads.at(name);
    SetCondition(workload, api::names::kFinished, true, "Succeeded");
    Tell(std::move(workload));
  }

  // One cycle; what it decided is written and seen.
  Plan Cycle() {
    Plan plan = Step(state, now);
    for (const Reservation& reservation : plan.reservations) {
      api::Workload workload = *workloads.at(reservation.workload.substr(3));
      workload.status.admission = reservation.admission;
      SetCondition(workload, api::names::kQuotaReserved, true, "QuotaReserved");
      if (reservation.also_admitted) {
        SetCondition(workload, api::names::kAdmitted, true, "Admitted");
      }
      Tell(std::move(workload));
    }
    for (const Eviction& eviction : plan.evictions) {
      api::Workload workload = *workloads.at(eviction.workload.substr(3));
      SetCondition(workload, api::names::kPreempted, true, eviction.preempted_reason);
      SetCondition(workload, api::names::kEvicted, true, eviction.evicted_reason);
      Tell(std::move(workload));
    }
    now += base::seconds(1);
    return plan;
  }
  // The evicted workload has stopped: its quota is free and it waits again.
  void Stop(const std::string& name) {
    api::Workload workload = *workloads.at(name);
    SetCondition(workload, api::names::kRequeued, true, "Preempted");
    SetCondition(workload, api::names::kQuotaReserved, false, "Pending");
    workload.status.admission.reset();
    Tell(std::move(workload));
  }

  static std::vector<std::string> Reserved(const Plan& plan) {
    std::vector<std::string> names;
    for (const Reservation& reservation : plan.reservations) names.push_back(reservation.workload);
    return names;
  }
  // "victim reason".
  static std::vector<std::string> Evicted(const Plan& plan) {
    std::vector<std::string> lines;
    for (const Eviction& eviction : plan.evictions) {
      lines.push_back(eviction.workload + " " + eviction.preempted_reason);
    }
    return lines;
  }

  base::Time now = base::Time(base::hours(24 * 365 * 56));
  State state;
  std::map<std::string, std::shared_ptr<const api::Workload>> workloads;  // by name

 private:
  base::Time created_ = base::Time(base::hours(24 * 365 * 55));
  int64_t generation_ = 0;
};

}  // namespace kueue::scheduling
