#pragma once

#include "api/types/core.h"
#include "kube/informer.h"
#include "runtime/driver.h"

namespace kueue::localcluster {

// On a node, to play a failure: NotReady (its kubelet says that it cannot run pods) or Unknown (it
// is not heard of any more). Taking the annotation away brings the node back.
inline constexpr char kNodeStateAnnotation[] = "kueue-cpp.dev/node-state";

// What follows from a node's state, at most one write: the Ready condition that its annotation asks
// for; the taints not-ready, unreachable and unschedulable of node.kubernetes.io that its
// conditions and spec ask for.
runtime::Intents PlanNodeState(const api::Node& node, base::Time now);

// What a node's NoExecute taints mean for one of its pods: deletion at once, after
// tolerationSeconds, or nothing. A pod on a node that is not ready is not ready either.
runtime::Intents PlanEviction(const api::Pod& pod, const api::Node& node, base::Time now);

// Keys are nodes.
class NodeLifecycle final : public runtime::Reconciler {
 public:
  explicit NodeLifecycle(const kube::Cache& cache) : cache_(cache) {}
  std::string name() const override { return "node-lifecycle"; }
  std::string event_source() const override { return "node-controller"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
};

// Keys are pods.
class TaintEviction final : public runtime::Reconciler {
 public:
  explicit TaintEviction(const kube::Cache& cache) : cache_(cache) {}
  std::string name() const override { return "taint-eviction"; }
  std::string event_source() const override { return "taint-eviction-controller"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
};

// Whether the node may drive pods away or make them unready.
bool TroublesPods(const api::Node& node);

}  // namespace kueue::localcluster
