#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "kube/informer.h"
#include "localcluster/workload_object.h"
#include "runtime/driver.h"

namespace kueue::localcluster {

// Runs ReplicaSets, Deployments, StatefulSets, DaemonSets and CronJobs: wires the plans of each to
// the cache and the driver. Adds informers and indexes; does nothing by itself.
//
// Cache and driver must outlive it and run on one executor, on which it must be destroyed.
class WorkloadControllers {
 public:
  // Before the cache is started. `stranger` tells Deployments that somebody else runs.
  WorkloadControllers(kube::Cache& cache, runtime::Driver& driver,
                      std::function<bool(const kube::ObjectKey&)> stranger);

  // Every change of the cache; either side may be null.
  void OnPod(const std::shared_ptr<const api::Pod>& before,
             const std::shared_ptr<const api::Pod>& after);
  void OnNode();
  void OnJob(const std::shared_ptr<const api::Job>& before,
             const std::shared_ptr<const api::Job>& after);

 private:
  using Plan = std::function<runtime::Intents(const WorkloadObject&, base::Time)>;

  kube::Informer& InformerFor(const char* group, const char* kind, bool indexed);
  // Objects of the kind are looked at by `plan` when they change.
  void Run(const char* kind, const char* name, Plan plan);
  void Notify(const api::ObjectMeta& meta);
  Workloads Owned(const char* kind, const std::string& uid) const;

  kube::Cache& cache_;
  runtime::Driver& driver_;
  base::Scope scope_;
  std::map<std::string, kube::Informer*> informers_;  // by kind
  std::map<std::string, runtime::Queue*> queues_;     // by kind
  std::map<std::string, NameMemory> names_;           // by uid of the owner
};

// Index of pods and Jobs by the uid of their controller.
inline constexpr char kByController[] = "localcluster/controller-uid";

}  // namespace kueue::localcluster
