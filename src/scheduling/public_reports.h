#pragma once

#include <string>
#include <vector>

#include "scheduling/test_cluster.h"

namespace kueue::scheduling {

// For tests: a cluster in which evicted workloads stop at once and whoever may retry does.
class LivingCluster : public TestCluster {
 public:
  using TestCluster::TestCluster;

  // So many cycles; what was evicted in them, "victim reason".
  std::vector<std::string> Run(int cycles) {
    std::vector<std::string> evicted;
    for (int i = 0; i < cycles; ++i) {
      state.CarryOutAllRetries(now);
      const Plan plan = Cycle();
      for (const Reservation& reservation : plan.reservations) {
        ClearEvicted(reservation.workload.substr(3));
      }
      for (const Eviction& eviction : plan.evictions) Stop(eviction.workload.substr(3));
      for (std::string& line : Evicted(plan)) evicted.push_back(std::move(line));
    }
    state.CarryOutAllRetries(now);
    return evicted;
  }
  bool Holds(const std::string& name) const {
    return api::IsConditionTrue(workloads.at(name)->status.conditions, api::names::kQuotaReserved);
  }
  // Flavor of cpu in the first pod set; "" without quota.
  std::string FlavorOf(const std::string& name) const {
    const auto& admission = workloads.at(name)->status.admission;
    return Holds(name) ? admission->pod_set_assignments[0].flavors.at("cpu") : std::string();
  }

 private:
  void ClearEvicted(const std::string& name) {
    api::Workload workload = *workloads.at(name);
    if (!api::IsConditionTrue(workload.status.conditions, api::names::kEvicted)) return;
    SetCondition(workload, api::names::kEvicted, false, "QuotaReserved");
    SetCondition(workload, api::names::kPreempted, false, "QuotaReserved");
    Tell(std::move(workload));
  }
};

inline std::shared_ptr<api::ClusterQueue> WithPreemption(std::shared_ptr<api::ClusterQueue> queue,
                                                         const std::string& within,
                                                         const std::string& reclaim) {
  queue->spec.preemption->within_cluster_queue = within;
  queue->spec.preemption->reclaim_within_cohort = reclaim;
  return queue;
}

}  // namespace kueue::scheduling
