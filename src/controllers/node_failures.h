#pragma once

#include <memory>
#include <set>
#include <string>

#include "controllers/node_health.h"
#include "controllers/settings.h"
#include "kube/informer.h"
#include "runtime/driver.h"

namespace kueue::controllers {

// Indexes: admitted Workloads by the names of the nodes they have places on; pods with a place by
// the node they are bound to or selected onto.
inline constexpr char kWorkloadsByNode[] = "topology-node";
inline constexpr char kPodsByNode[] = "topology-node";

// Keeps status.unhealthyNodes of the Workloads that have pods on a node; gives them up when a
// second node fails; ends pods that can never be bound (spec/topology.md §15.5). Keys: nodes.
class NodeFailureReconciler final : public runtime::Reconciler {
 public:
  // All must outlive it.
  NodeFailureReconciler(const kube::Cache& cache, const Settings& settings)
      : cache_(cache), settings_(settings) {}
  std::string name() const override { return "topology-node"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  struct Round;
  std::vector<std::shared_ptr<const api::Workload>> Affected(const std::string& node) const;
  // Not evicted yet; false if it is evicted now.
  bool Mark(Round& round, const api::Workload& workload) const;
  void Unmark(Round& round, const api::Workload& workload) const;
  void JudgeAll(Round& round, const api::Node& node) const;
  void Terminate(Round& round, const api::Pod& pod) const;
  ReplacementRules Rules() const;

  const kube::Cache& cache_;
  const Settings& settings_;
};

}  // namespace kueue::controllers
