#include "controllers/topology_ungater.h"

#include <algorithm>

#include "api/types/names.h"
#include "controllers/topology_pods.h"
#include "controllers/workload_status.h"

namespace kueue::controllers {

using runtime::Intents;
namespace names = api::names;

void Ungatings::Plan(const kube::ObjectKey& workload, const Ungating& ungating) {
  const kube::ObjectKey pod = kube::KeyOf(ungating.pod->metadata);
  orders_[pod] = {workload, ungating.pod->metadata.uid, ungating.node_selector};
  left_[workload].insert(pod);
  pods_->Add(pod);
}

const Ungatings::Order* Ungatings::Find(const kube::ObjectKey& pod) const {
  const auto found = orders_.find(pod);
  return found == orders_.end() ? nullptr : &found->second;
}

void Ungatings::Drop(const kube::ObjectKey& pod, base::Duration delay) {
  const auto found = orders_.find(pod);
  if (found == orders_.end()) return;
  const kube::ObjectKey workload = found->second.workload;
  orders_.erase(found);
  const auto left = left_.find(workload);
  left->second.erase(pod);
  if (!left->second.empty()) return;
  left_.erase(left);
  workloads_->AddAfter(workload, delay);
}

Intents TopologyUngater::Reconcile(const kube::ObjectKey& key, base::Time) {
  // What was decided before counts as if it were done: wait until it is seen.
  if (ungatings_->Outstanding(key)) return {};
  const auto workload = cache_.Get<api::Workload>(key);
  if (!workload || !HasPlaces(*workload) || IsEvicted(*workload) ||
      workload->metadata.annotations.contains(names::kConcurrentAdmissionParent)) {
    return {};
  }
  const auto all =
      cache_.ByIndex<api::Pod>(kPodsBySlice, key.namespace_name + "/" + SliceNameOf(*workload));
  if (all.empty()) return {};
  for (const auto& assignment : workload->status.admission->pod_set_assignments) {
    std::vector<PodPtr> pods;
    for (const PodPtr& pod : all) {
      const auto label = pod->metadata.labels.find(names::kPodSetLabel);
      if (label == pod->metadata.labels.end() || label->second != assignment.name) continue;
      pods.push_back(pod);
    }
    for (const Ungating& ungating : PlanUngating(*workload, assignment, std::move(pods))) {
      ungatings_->Plan(key, ungating);
    }
  }
  return {};
}

Intents PodUngater::Reconcile(const kube::ObjectKey& key, base::Time) {
  const Ungatings::Order* const order = ungatings_->Find(key);
  if (order == nullptr) return {};
  const auto pod = cache_.Get<api::Pod>(key);
  const auto workload = cache_.Get<api::Workload>(order->workload);
  const bool valid = pod && pod->metadata.uid == order->pod_uid && HasTopologyGate(*pod) &&
                     !IsTerminated(*pod) && workload && HasPlaces(*workload);
  if (!valid) {
    ungatings_->Drop(key);
    return {};
  }
  api::Pod after = *pod;
  std::erase_if(after.spec.scheduling_gates,
                [](const auto& gate) { return gate.name == names::kTopologyGate; });
  for (const auto& [level, value] : order->node_selector) {
    after.spec.node_selector[level] = value;
  }
  Intents intents;
  intents.Add(runtime::PatchObject(*pod, after));
  return intents;
}

// After a failure the Workload is looked at anew, with what is true then.
void PodUngater::OnWritten(const kube::ObjectKey& key, const runtime::Write&,
                           const base::Result<api::Json>& outcome) {
  const bool again = !outcome.ok() && outcome.error().code != base::Code::kConflict;
  ungatings_->Drop(key, again ? base::seconds(1) : base::Duration(0));
}

}  // namespace kueue::controllers
