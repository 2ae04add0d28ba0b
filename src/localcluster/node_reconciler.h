#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kube/informer.h"
#include "localcluster/node_spec.h"
#include "runtime/driver.h"

namespace kueue::localcluster {

// What to write so that node `have` (null: there is none) becomes like `want`; at most one write.
//
// Only what is missing is filled in, so that a person or a test may change labels, taints,
// conditions and capacity of a running node; when the group's text has changed, everything the
// group says is written. There are no heartbeats: an unchanged node is silent.
runtime::Intents PlanNode(const api::Node* have, const api::Node& want);

// Makes the nodes of the groups once and completes them. A node that is deleted while the process
// runs stays away (a machine that was lost); nodes of ours that no group names are removed.
class NodeReconciler final : public runtime::Reconciler {
 public:
  NodeReconciler(const kube::Cache& cache, const std::vector<NodeGroup>& groups);

  std::string name() const override { return "simulated-node"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

  // The keys of all wanted nodes, to be looked at once at the start.
  std::vector<kube::ObjectKey> Keys() const;

 private:
  const kube::Cache& cache_;
  std::map<std::string, api::Node> wanted_;  // by name; times are set when written
  std::set<std::string> seen_;               // wanted nodes that have existed since the start
};

}  // namespace kueue::localcluster
