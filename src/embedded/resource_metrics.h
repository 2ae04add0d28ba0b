#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "apiserver/aggregated.h"
#include "apiserver/server.h"
#include "kube/informer.h"

namespace kueue::embedded {

// metrics.k8s.io/v1beta1 NodeMetrics and PodMetrics, which `kubectl top` shows. A simulated pod
// that runs uses what it requests; a node what its pods use; the pod that shows this process what
// the process really uses.
class ResourceMetrics {
 public:
  // Adds the two kinds to the server. All must outlive this, and this the server's last request.
  ResourceMetrics(apiserver::Server& server, const kube::Cache& cache);
  ~ResourceMetrics();
  ResourceMetrics(const ResourceMetrics&) = delete;
  ResourceMetrics& operator=(const ResourceMetrics&) = delete;

 private:
  class Nodes;
  class PodsOf;
  std::unique_ptr<apiserver::ComputedObjects> nodes_, pods_;
};

}  // namespace kueue::embedded
