#pragma once

#include "controllers/settings.h"
#include "kube/informer.h"
#include "runtime/driver.h"
#include "scheduling/state.h"

namespace kueue::controllers {

// Moves a Workload through its life: activation, back-off, checks, stop policies, limits
// (spec/controllers.md §3.2). Every step that changes something ends the call; the change itself
// brings the next one.
class WorkloadReconciler final : public runtime::Reconciler {
 public:
  // All must outlive the reconciler and live on the driver's executor.
  WorkloadReconciler(const kube::Cache& cache, const scheduling::State& state,
                     const Settings& settings);

  std::string name() const override { return "workload"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  struct Context;
  // Each gives intents if it acted.
  using Step = std::optional<runtime::Intents> (WorkloadReconciler::*)(Context&) const;
  std::optional<runtime::Intents> Orphan(Context& c) const;
  std::optional<runtime::Intents> PreemptionGates(Context& c) const;
  std::optional<runtime::Intents> Parent(Context& c) const;
  std::optional<runtime::Intents> Retention(Context& c) const;
  std::optional<runtime::Intents> CheckDelay(Context& c) const;
  std::optional<runtime::Intents> Devices(Context& c) const;
  std::optional<runtime::Intents> Activity(Context& c) const;
  std::optional<runtime::Intents> RetriedChecks(Context& c) const;
  std::optional<runtime::Intents> Restart(Context& c) const;
  std::optional<runtime::Intents> AdmissionGate(Context& c) const;
  std::optional<runtime::Intents> ListChecks(Context& c) const;
  std::optional<runtime::Intents> Admit(Context& c) const;
  std::optional<runtime::Intents> FailedChecks(Context& c) const;
  std::optional<runtime::Intents> StoppedQueues(Context& c) const;
  std::optional<runtime::Intents> PodsReadyTimeout(Context& c) const;
  std::optional<runtime::Intents> ExecutionLimit(Context& c) const;

  const kube::Cache& cache_;
  const scheduling::State& state_;
  const Settings& settings_;
};

}  // namespace kueue::controllers
