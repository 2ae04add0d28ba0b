#pragma once

#include <functional>
#include <memory>

#include "controllers/settings.h"
#include "kube/informer.h"
#include "runtime/driver.h"
#include "scheduling/state.h"

namespace kueue::controllers {

// Connects topologies, nodes and pods with the scheduling state and with the reconcilers of
// topology-aware scheduling (spec/topology.md §3, §15, §16). Nothing at all while gate
// TopologyAwareScheduling is off.
class TopologyControllers {
 public:
  struct Parts {
    kube::Cache& cache;
    runtime::Driver& driver;
    scheduling::State& state;
    const base::Clock& clock;
    const Settings& settings;
    std::function<void()> wake_scheduler;  // called after facts that may let work proceed
  };
  // To be made before the controllers whose facts build on these. All parts must outlive it.
  explicit TopologyControllers(Parts parts);

 private:
  void FeedState();
  void FeedPods();
  void AddIndexes();
  void AddReconcilers();
  void WakeIfAsked(const std::function<void()>& fact);
  void OnPod(const api::Pod& pod);

  Parts parts_;
  runtime::Queue* topologies_ = nullptr;
  runtime::Queue* ungater_ = nullptr;
  runtime::Queue* pods_ = nullptr;
  runtime::Queue* nodes_ = nullptr;
};

// Keeps the finalizer of a Topology while a flavor uses it (spec/topology.md §1.1).
class TopologyReconciler final : public runtime::Reconciler {
 public:
  explicit TopologyReconciler(const kube::Cache& cache) : cache_(cache) {}
  std::string name() const override { return "topology"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
};

}  // namespace kueue::controllers
