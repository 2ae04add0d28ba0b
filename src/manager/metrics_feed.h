#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "api/types/core.h"
#include "api/types/kueue.h"
#include "base/clock.h"
#include "integrations/job.h"
#include "kube/informer.h"
#include "manager/queue_metrics.h"
#include "scheduling/state.h"

namespace kueue::manager {

// Fills QueueMetrics: counts what happens to workloads as the cache hears of it, whoever wrote it,
// and computes gauges when they are asked for (spec/controllers.md §17). On one executor.
class MetricsFeed {
 public:
  struct Parts {
    kube::Cache& cache;
    const scheduling::State& state;
    const base::Clock& clock;
    QueueMetrics& metrics;
    const MetricsSettings& settings;
    const std::vector<const integrations::Integration*>& integrations;
  };
  // All parts must outlive it. Before the cache starts.
  explicit MetricsFeed(Parts parts);

  // From now on what appears is new; before, it was there already and is not counted.
  void Start() { started_ = true; }

  // ---- told by the scheduling loop
  void OnCycle(const scheduling::Plan& plan, base::Duration took);
  // The eviction was written.
  void OnPreempted(const scheduling::Eviction& eviction);
  void OnSliceReplaced(const api::Workload& slice);

  // Brings gauges up to date.
  void Refresh();

 private:
  template <class T>
  using Ptr = std::shared_ptr<const T>;

  void OnWorkload(const Ptr<api::Workload>& before, const Ptr<api::Workload>& after);
  void OnPod(const Ptr<api::Pod>& before, const Ptr<api::Pod>& after);
  void Created(const api::Workload& workload);
  void Reserved(const api::Workload& workload);
  void Admitted(const api::Workload& before, const api::Workload& after);
  void Ready(const api::Workload& workload);
  void Evicted(const api::Workload& before, const api::Workload& after);
  void Released(const api::Workload& before, const api::Workload& after);
  void Finished(const api::Workload& workload);

  void RefreshClusterQueue(const api::ClusterQueue& queue);
  void RefreshResources(const api::ClusterQueue& queue,
                        const scheduling::State::ClusterQueueReport& report);
  void RefreshUtilization(const api::ClusterQueue& queue,
                          const scheduling::State::ClusterQueueReport& report);
  void RefreshCohort(const std::string& name);
  void RefreshLocalQueue(const api::LocalQueue& queue);
  void RefreshWorkloads();

  // Whether the ClusterQueue was written in the dialect with this metric in spec.metrics.
  static bool AsksFor(const api::ClusterQueue& queue, std::string_view metric);
  // The ClusterQueue a workload would go to; "" if there is none.
  std::string TargetOf(const api::Workload& workload) const;
  // Name and namespace of its LocalQueue if that is shown, else nothing.
  std::optional<metrics::LabelValues> LocalOf(const api::Workload& workload) const;
  bool IsShown(const api::LocalQueue& queue) const;
  // For the queue of each sort: under kueue_<name> and kueue_local_queue_<name>.
  void CountBoth(const char* name, const std::string& cluster_queue, const api::Workload& workload,
                 const metrics::LabelValues& more);
  void ObserveBoth(const char* name, const std::string& cluster_queue,
                   const api::Workload& workload, double seconds);
  double SecondsSince(std::optional<base::Time> time) const;

  const Parts parts_;
  bool started_ = false;
};

}  // namespace kueue::manager
