#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/executor.h"
#include "kube/informer.h"
#include "localcluster/job_plan.h"
#include "localcluster/node_spec.h"
#include "localcluster/pod_life.h"
#include "runtime/driver.h"

namespace kueue::localcluster {

class Binder;
class Kubelet;
class WorkloadControllers;

// On a pod that runs somewhere in truth: nothing of it is simulated.
inline constexpr char kRuntimeAnnotation[] = "kueue-cpp.dev/runtime";

struct Options {
  std::vector<NodeGroup> nodes;  // see ParseNodeSpec
  PodLifeOptions pods;
  JobOptions jobs;
  // A Job is looked at so long after one of its pods changed, so that changes of many pods at the
  // same (virtual) time are one look and one status write. Kubernetes waits a second.
  base::Duration job_delay = base::milliseconds(1);
  // Deployments that somebody else runs. Absent: none.
  std::function<bool(const kube::ObjectKey&)> stranger = nullptr;
};

// What a cluster does around its API server: nodes, binding, kubelets and the controllers of Jobs,
// CronJobs and the kinds of group apps, simulated. Adds its informers, indexes and handlers to the
// cache and its reconcilers to the driver; does nothing by itself: the owner starts the cache, and
// the driver when the cache has synced.
//
// Cache and driver must outlive it and run on one executor, on which it must be destroyed.
class LocalCluster {
 public:
  // Before the cache is started.
  LocalCluster(kube::Cache& cache, runtime::Driver& driver, Options options);
  ~LocalCluster();
  LocalCluster(const LocalCluster&) = delete;
  LocalCluster& operator=(const LocalCluster&) = delete;

 private:
  using PodPtr = std::shared_ptr<const api::Pod>;
  using NodePtr = std::shared_ptr<const api::Node>;

  void AddIndexes();
  void AddHandlers();
  void OnPod(const PodPtr& before, const PodPtr& after);
  void OnNode(const NodePtr& before, const NodePtr& after);
  void NotifyJob(const api::Pod& pod);
  void NotifyOfNode(const api::Pod& pod);

  kube::Cache& cache_;
  const base::Duration job_delay_;
  base::Scope scope_;
  // Owned by the driver.
  Binder* binder_ = nullptr;
  Kubelet* kubelet_ = nullptr;
  runtime::Queue* node_queue_ = nullptr;
  runtime::Queue* pod_queue_ = nullptr;
  runtime::Queue* job_queue_ = nullptr;
  runtime::Queue* orphan_queue_ = nullptr;
  runtime::Queue* life_queue_ = nullptr;
  runtime::Queue* eviction_queue_ = nullptr;
  std::unique_ptr<WorkloadControllers> workloads_;
};

}  // namespace kueue::localcluster
