#pragma once

#include <string>

#include "kube/informer.h"
#include "localcluster/workload_object.h"
#include "runtime/driver.h"

namespace kueue::embedded {

inline constexpr char kManagerNamespace[] = "kueue-system";
inline constexpr char kManagerName[] = "kueue-controller-manager";
inline constexpr char kMetricsService[] = "kueue-controller-manager-metrics-service";

struct PresenceOptions {
  uint16_t metrics_port = 0;  // 0: there is no metrics port, and no Service for it
  std::string version;        // of the image's tag
};

// Shows the manager in this process where users of a cluster look for it: a Deployment and its Pod
// in namespace kueue-system, made when absent and kept true. A manifest of the same name that
// somebody applies changes the Deployment's spec and starts nothing: the process is the pod. The
// pod takes no room on any node.
//
// Keys: the Deployment's.
class ManagerPresence final : public runtime::Reconciler {
 public:
  // The cache has an informer of Deployments (localcluster::WorkloadControllers makes it).
  // `started` is when the process began.
  ManagerPresence(const kube::Cache& cache, base::Time started, PresenceOptions options)
      : cache_(cache), started_(started), options_(std::move(options)) {}

  std::string name() const override { return "manager-presence"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

  static kube::ObjectKey Key() { return {kManagerNamespace, kManagerName}; }

 private:
  void ShowPod(const localcluster::WorkloadObject& deployment, base::Time now,
               runtime::Intents& intents);
  void ShowStatus(const localcluster::WorkloadObject& deployment, base::Time now,
                  runtime::Intents& intents) const;

  const kube::Cache& cache_;
  const base::Time started_;
  const PresenceOptions options_;
};

// The Service of the metrics port.
api::Json MetricsService(uint16_t port);

// Whether the pod shows this process.
bool ShowsManager(const api::ObjectMeta& pod);

}  // namespace kueue::embedded
