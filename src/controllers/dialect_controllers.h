#pragma once

#include "controllers/settings.h"
#include "kube/informer.h"
#include "runtime/driver.h"

// What the simple dialect adds to the controllers (docs/using/dialect.md). Only objects that were
// written in it are looked after.
namespace kueue::controllers {

// Registers informers and reconcilers; nothing happens with the dialect off. Arguments must outlive
// the driver.
void AddDialectControllers(kube::Cache& cache, runtime::Driver& driver, const Settings& settings);

// Keeps the LocalQueue of a Queue, and tells in the Queue what becomes of it.
class SimpleQueueReconciler final : public runtime::Reconciler {
 public:
  explicit SimpleQueueReconciler(const kube::Cache& cache) : cache_(cache) {}
  std::string name() const override { return "simplequeue"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
};

// Creates the ResourceFlavors that a ClusterQueue names and nobody declared, empty.
class MissingFlavorReconciler final : public runtime::Reconciler {
 public:
  explicit MissingFlavorReconciler(const kube::Cache& cache) : cache_(cache) {}
  std::string name() const override { return "missingflavors"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
};

}  // namespace kueue::controllers
