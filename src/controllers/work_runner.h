#pragma once

#include "controllers/settings.h"
#include "kube/informer.h"
#include "runtime/driver.h"

namespace kueue::controllers {

// Runs Workloads of the simple dialect that no job owns: once admitted, their pods are made from
// their pod sets; on eviction the pods go, and the quota after them; when all pods have ended, the
// Workload is Finished.
class WorkRunner final : public runtime::Reconciler {
 public:
  WorkRunner(const kube::Cache& cache, const Settings& settings)
      : cache_(cache), settings_(settings) {}
  std::string name() const override { return "workrunner"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  using Pods = std::vector<std::shared_ptr<const api::Pod>>;
  runtime::Intents Stop(const api::Workload& workload, const Pods& pods, base::Time now) const;
  runtime::Intents Run(const api::Workload& workload, const Pods& pods, base::Time now) const;
  runtime::Intents End(const api::Workload& workload, const Pods& pods, size_t wanted,
                       base::Time now) const;

  const kube::Cache& cache_;
  const Settings& settings_;
};

// Registers it with the informers it needs. Arguments must outlive the driver.
void AddWorkRunner(kube::Cache& cache, runtime::Driver& driver, const Settings& settings);

}  // namespace kueue::controllers
