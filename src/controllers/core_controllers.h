#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "controllers/settings.h"
#include "integrations/job.h"
#include "kube/informer.h"
#include "runtime/driver.h"
#include "scheduling/state.h"

namespace kueue::controllers {

// Connects the caches with the scheduling state and the reconcilers: every change is first told to
// the state as a fact, then puts the keys it concerns into work queues
// (spec/controllers.md §3.1-§3.8).
class CoreControllers {
 public:
  struct Parts {
    kube::Cache& cache;
    runtime::Driver& driver;
    scheduling::State& state;
    const base::Clock& clock;
    const Settings& settings;
    std::vector<const integrations::Integration*> integrations;
    std::function<void()> wake_scheduler;  // called after facts that may let work proceed
  };
  // Registers informers, indexes, handlers and reconcilers; nothing runs before the cache and the
  // driver are started. All parts must outlive this.
  explicit CoreControllers(Parts parts);

 private:
  template <class T>
  using Ptr = std::shared_ptr<const T>;

  void AddIndexes();
  void FeedState();
  void FeedWorkloads();
  void AddReconcilers();
  void AddJobs();
  void OnWorkload(const Ptr<api::Workload>& before, const Ptr<api::Workload>& after);
  void OnLocalQueue(const Ptr<api::LocalQueue>& before, const Ptr<api::LocalQueue>& after);
  void OnClusterQueue(const Ptr<api::ClusterQueue>& before, const Ptr<api::ClusterQueue>& after);
  void OnFlavor(const Ptr<api::ResourceFlavor>& before, const Ptr<api::ResourceFlavor>& after);
  void QueueSummaries(const api::Workload& workload);
  void QueueWorkloadsOf(const api::LocalQueue& queue);
  void QueueOwner(const api::Workload& workload);

  Parts parts_;
  runtime::Queue* workloads_ = nullptr;
  runtime::Queue* cluster_queues_ = nullptr;
  runtime::Queue* local_queues_ = nullptr;
  runtime::Queue* cohorts_ = nullptr;
  runtime::Queue* flavors_ = nullptr;
  runtime::Queue* checks_ = nullptr;
  runtime::Queue* priority_classes_ = nullptr;
  struct JobKind {
    const api::KindInfo* kind;
    runtime::Queue* queue;
  };
  std::vector<JobKind> jobs_;
};

}  // namespace kueue::controllers
