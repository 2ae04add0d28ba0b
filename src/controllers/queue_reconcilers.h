#pragma once

#include "controllers/settings.h"
#include "kube/informer.h"
#include "runtime/driver.h"
#include "scheduling/state.h"

// Statuses and finalizers of the queue kinds (spec/controllers.md §3.3-§3.8). All arguments must
// outlive the reconcilers and live on the driver's executor.
namespace kueue::controllers {

// Finalizer, usage, counts and condition Active (§3.3).
class ClusterQueueReconciler final : public runtime::Reconciler {
 public:
  ClusterQueueReconciler(const kube::Cache& cache, const scheduling::State& state)
      : cache_(cache), state_(state) {}
  std::string name() const override { return "clusterqueue"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
  const scheduling::State& state_;
};

// Usage, counts, condition Active, and what was used in the past (§3.4).
class LocalQueueReconciler final : public runtime::Reconciler {
 public:
  LocalQueueReconciler(const kube::Cache& cache, scheduling::State& state)
      : cache_(cache), state_(state) {}
  std::string name() const override { return "localqueue"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  std::optional<runtime::Intents> KeepDeletedRuns(const api::LocalQueue& queue) const;
  std::optional<base::Duration> SamplePastUse(api::LocalQueue& queue, base::Time now);

  const kube::Cache& cache_;
  scheduling::State& state_;
};

// Weighted share (§3.5).
class CohortReconciler final : public runtime::Reconciler {
 public:
  CohortReconciler(const kube::Cache& cache, const scheduling::State& state)
      : cache_(cache), state_(state) {}
  std::string name() const override { return "cohort"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
  const scheduling::State& state_;
};

// Finalizer: a flavor goes only when no ClusterQueue names it (§3.7).
class ResourceFlavorReconciler final : public runtime::Reconciler {
 public:
  ResourceFlavorReconciler(const kube::Cache& cache, const scheduling::State& state)
      : cache_(cache), state_(state) {}
  std::string name() const override { return "resourceflavor"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
  const scheduling::State& state_;
};

// Finalizer: a check goes only when no ClusterQueue names it (§3.6).
class AdmissionCheckReconciler final : public runtime::Reconciler {
 public:
  AdmissionCheckReconciler(const kube::Cache& cache, const scheduling::State& state)
      : cache_(cache), state_(state) {}
  std::string name() const override { return "admissioncheck"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
  const scheduling::State& state_;
};

// Keeps spec.priority of workloads at their class's value (§3.8). Needs index kByPriorityClass.
class WorkloadPriorityClassReconciler final : public runtime::Reconciler {
 public:
  explicit WorkloadPriorityClassReconciler(const kube::Cache& cache) : cache_(cache) {}
  std::string name() const override { return "workloadpriorityclass"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
};

// Names of the indexes over Workloads (§3.1).
inline constexpr char kByQueue[] = "spec.queueName";                 // "namespace/queue"
inline constexpr char kByOwner[] = "metadata.ownerReferences.uid";   // owner uid
inline constexpr char kByPriorityClass[] = "spec.priorityClassRef";  // WorkloadPriorityClass name
// Over LocalQueues.
inline constexpr char kByClusterQueue[] = "spec.clusterQueue";

}  // namespace kueue::controllers
