#include "localcluster/node_reconciler.h"

#include <algorithm>

namespace kueue::localcluster {

using runtime::Intents;

namespace {

void SetTimes(api::Node& node, base::Time now) {
  for (api::NodeCondition& condition : node.status.conditions) {
    condition.last_heartbeat_time = condition.last_transition_time = base::CutToSeconds(now);
  }
}

// The status with what is missing filled in, or as the group says if it was written anew.
api::NodeStatus CompletedStatus(const api::NodeStatus& have, const api::NodeStatus& want,
                                bool group_changed) {
  api::NodeStatus status = have;
  if (group_changed || status.capacity.empty()) status.capacity = want.capacity;
  if (group_changed || status.allocatable.empty()) status.allocatable = want.allocatable;
  if (status.addresses.empty()) status.addresses = want.addresses;
  if (status.node_info.kubelet_version.empty()) status.node_info = want.node_info;
  for (const api::NodeCondition& condition : want.conditions) {
    const bool present =
        std::any_of(status.conditions.begin(), status.conditions.end(),
                    [&](const api::NodeCondition& other) { return other.type == condition.type; });
    if (!present) status.conditions.push_back(condition);
  }
  return status;
}

}  // namespace

Intents PlanNode(const api::Node* have, const api::Node& want) {
  Intents intents;
  if (have == nullptr) {
    intents.writes.push_back(runtime::CreateObject(want));
    return intents;
  }
  if (have->metadata.deletion_timestamp) return intents;
  const auto text = have->metadata.annotations.find(kNodeSpecAnnotation);
  const std::string& wanted_text = want.metadata.annotations.at(kNodeSpecAnnotation);
  const bool changed = text == have->metadata.annotations.end() || text->second != wanted_text;
  // The status first: the annotation says that all is as the group says.
  api::Node after = *have;
  after.status = CompletedStatus(have->status, want.status, changed);
  intents.Add(runtime::PatchStatus(*have, after));
  if (!intents.writes.empty()) return intents;
  for (const auto& [key, value] : want.metadata.labels) {
    if (changed) {
      after.metadata.labels[key] = value;
    } else {
      after.metadata.labels.emplace(key, value);
    }
  }
  after.metadata.annotations[kNodeSpecAnnotation] = wanted_text;
  if (changed) after.spec.taints = want.spec.taints;
  if (after.spec.pod_cidr.empty()) after.spec.pod_cidr = want.spec.pod_cidr;
  intents.Add(runtime::PatchObject(*have, after));
  return intents;
}

NodeReconciler::NodeReconciler(const kube::Cache& cache, const std::vector<NodeGroup>& groups)
    : cache_(cache) {
  for (api::Node& node : BuildNodes(groups, base::Time())) {
    wanted_.emplace(node.metadata.name, std::move(node));
  }
}

std::vector<kube::ObjectKey> NodeReconciler::Keys() const {
  std::vector<kube::ObjectKey> keys;
  for (const auto& [name, node] : wanted_) keys.push_back({"", name});
  return keys;
}

Intents NodeReconciler::Reconcile(const kube::ObjectKey& key, base::Time now) {
  Intents intents;
  const auto have = cache_.Get<api::Node>(key);
  const auto wanted = wanted_.find(key.name);
  if (wanted == wanted_.end()) {
    // A leftover of an earlier run with other groups.
    const bool ours = have && have->metadata.annotations.count(kNodeSpecAnnotation) > 0;
    if (ours && !have->metadata.deletion_timestamp) {
      intents.writes.push_back(runtime::DeleteObject(*have));
    }
    return intents;
  }
  if (have) seen_.insert(key.name);
  if (!have && seen_.count(key.name) > 0) return intents;
  api::Node want = wanted->second;
  SetTimes(want, now);
  return PlanNode(have.get(), want);
}

}  // namespace kueue::localcluster
