#include "localcluster/binder.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "localcluster/conditions.h"
#include "localcluster/pod_life.h"

namespace kueue::localcluster {

using runtime::Intents;

namespace {

// The counts in a message change with every pod that comes and goes; telling each would be noise.
constexpr base::Duration kRetellAfter = base::seconds(10);
// Pods that end at the same (virtual) time make room together: one decision for all.
constexpr base::Duration kGatherRoom = base::milliseconds(1);

// Pods with equal shape fit into the same nodes.
bool SameShape(const api::PodSpec& a, const api::PodSpec& b) {
  return a.containers == b.containers && a.init_containers == b.init_containers &&
         a.node_selector == b.node_selector && a.affinity == b.affinity &&
         a.tolerations == b.tolerations && a.overhead == b.overhead && a.resources == b.resources;
}

// High priority first, then the older, then by key.
bool Earlier(const std::shared_ptr<const api::Pod>& a, const std::shared_ptr<const api::Pod>& b) {
  const int32_t a_priority = a->spec.priority.value_or(0);
  const int32_t b_priority = b->spec.priority.value_or(0);
  return std::tie(b_priority, a->metadata.creation_timestamp, a->metadata.namespace_name,
                  a->metadata.name) < std::tie(a_priority, b->metadata.creation_timestamp,
                                               b->metadata.namespace_name, b->metadata.name);
}

// A node's change that may let a pod in: anything but the times of its conditions.
bool MayMatter(const api::Node& before, const api::Node& after) {
  const auto ready = [](const api::Node& node) {
    return std::any_of(node.status.conditions.begin(), node.status.conditions.end(),
                       [](const api::NodeCondition& c) {
                         return c.type == "Ready" && c.status != api::ConditionStatus::kTrue;
                       });
  };
  return before.metadata.labels != after.metadata.labels || !(before.spec == after.spec) ||
         before.status.allocatable != after.status.allocatable || ready(before) != ready(after);
}

}  // namespace

bool WaitsForNode(const api::Pod& pod) {
  return pod.spec.node_name.empty() && pod.spec.scheduling_gates.empty() &&
         !pod.metadata.deletion_timestamp && !HasEnded(pod) &&
         (pod.spec.scheduler_name.empty() || pod.spec.scheduler_name == "default-scheduler");
}

void Binder::StopWaiting(const kube::ObjectKey& key, const std::string& uid) {
  const auto it = waiting_.find(key);
  if (it == waiting_.end() || it->second.pod->metadata.uid != uid) return;
  waiting_.erase(it);
  undecided_.erase(key);
}

void Binder::OnPod(const std::shared_ptr<const api::Pod>& before,
                   const std::shared_ptr<const api::Pod>& after) {
  if (before && (!after || after->metadata.uid != before->metadata.uid)) {
    StopWaiting(kube::KeyOf(before->metadata), before->metadata.uid);
    if (placement_.Release(before->metadata.uid)) decide_all_ = true;
  }
  if (after && WaitsForNode(*after)) {
    const kube::ObjectKey key = kube::KeyOf(after->metadata);
    Waiting& waiting = waiting_[key];
    // Only what decides where it may go makes a waiting pod undecided again.
    const bool changed = !waiting.pod || !(waiting.pod->spec == after->spec);
    waiting.pod = after;
    if (changed && waiting.node_name.empty()) undecided_.insert(key);
  } else if (after) {
    StopWaiting(kube::KeyOf(after->metadata), after->metadata.uid);
    const bool takes_room = !after->spec.node_name.empty() && !HasEnded(*after);
    if (takes_room) {
      placement_.Occupy(after->metadata.uid, after->spec.node_name, after->spec);
    } else {
      if (placement_.Release(after->metadata.uid)) decide_all_ = true;
    }
  }
  if (queue_ == nullptr) return;
  if (decide_all_ && !waiting_.empty()) queue_->AddAfter(waiting_.begin()->first, kGatherRoom);
  if (!undecided_.empty()) queue_->Add(*undecided_.begin());
}

void Binder::OnNode(const std::shared_ptr<const api::Node>& before,
                    const std::shared_ptr<const api::Node>& after) {
  if (!after) {
    placement_.RemoveNode(before->metadata.name);
    return;
  }
  placement_.SetNode(after);
  if (before && !MayMatter(*before, *after)) return;
  decide_all_ = true;
  if (queue_ != nullptr && !waiting_.empty()) {
    queue_->AddAfter(waiting_.begin()->first, kGatherRoom);
  }
}

void Binder::Decide(const kube::ObjectKey& current) {
  if (!decide_all_ && undecided_.empty()) return;
  std::vector<std::shared_ptr<const api::Pod>> pods;
  for (const auto& [key, waiting] : waiting_) {
    if (waiting.node_name.empty() && (decide_all_ || undecided_.count(key) > 0)) {
      pods.push_back(waiting.pod);
    }
  }
  decide_all_ = false;
  undecided_.clear();
  std::sort(pods.begin(), pods.end(), Earlier);
  // Room only shrinks from here on: what did not fit does not fit later in this round.
  const api::Pod* refused = nullptr;
  std::string why_refused;
  for (const auto& pod : pods) {
    const kube::ObjectKey key = kube::KeyOf(pod->metadata);
    Waiting& waiting = waiting_.at(key);
    const std::string known = std::exchange(waiting.why_not, "");
    if (refused != nullptr && SameShape(refused->spec, pod->spec)) {
      waiting.why_not = why_refused;
    } else {
      Choice choice = placement_.Choose(pod->spec);
      waiting.node_name = choice.node_name;
      waiting.why_not = choice.why_not;
      if (choice.node_name.empty()) {
        refused = pod.get();
        why_refused = choice.why_not;
      } else {
        placement_.Occupy(pod->metadata.uid, choice.node_name, pod->spec);
      }
    }
    const bool news = waiting.why_not.empty() || waiting.why_not != known;
    if (queue_ != nullptr && news && key != current && !waiting.failed) queue_->Add(key);
  }
}

Intents Binder::Reconcile(const kube::ObjectKey& key, base::Time now) {
  if (const auto own = waiting_.find(key); own != waiting_.end()) own->second.failed = false;
  Decide(key);
  const auto it = waiting_.find(key);
  if (it == waiting_.end() || it->second.bound) return {};
  Waiting& waiting = it->second;
  if (waiting.node_name.empty()) return Tell(waiting, now);
  Intents intents;
  const api::Pod& pod = *waiting.pod;
  api::Json body = api::Json::MakeObject();
  body.Set("apiVersion", "v1");
  body.Set("kind", "Binding");
  body["metadata"].Set("name", pod.metadata.name);
  body["metadata"].Set("namespace", pod.metadata.namespace_name);
  body["metadata"].Set("uid", pod.metadata.uid);
  body["target"].Set("apiVersion", "v1");
  body["target"].Set("kind", "Node");
  body["target"].Set("name", waiting.node_name);
  intents.writes.push_back({runtime::WriteVerb::kCreateSub,
                            &api::KindOf<api::Pod>(),
                            key,
                            "binding",
                            std::move(body),
                            {}});
  intents.events.push_back({runtime::ReferenceTo(pod), "Normal", "Scheduled",
                            "Assigned " + key.ToString() + " to " + waiting.node_name});
  return intents;
}

Intents Binder::Tell(Waiting& waiting, base::Time now) const {
  Intents intents;
  const api::Pod& before = *waiting.pod;
  if (waiting.why_not.empty()) return intents;
  const api::PodCondition* told = FindCondition(before.status.conditions, "PodScheduled");
  const bool known = told != nullptr && told->reason == "Unschedulable";
  if (known && told->message == waiting.why_not) return intents;
  if (known && waiting.told && now - *waiting.told < kRetellAfter) {
    intents.look_again = *waiting.told + kRetellAfter - now;
    return intents;
  }
  api::Pod after = before;
  SetCondition(after.status.conditions, "PodScheduled", false, "Unschedulable", waiting.why_not,
               now);
  intents.Add(runtime::PatchStatus(before, after));
  waiting.told = now;
  if (!known) {
    intents.events.push_back(
        {runtime::ReferenceTo(before), "Warning", "FailedScheduling", waiting.why_not});
  }
  return intents;
}

void Binder::OnWritten(const kube::ObjectKey& key, const runtime::Write& write,
                       const base::Result<api::Json>& outcome) {
  const auto it = waiting_.find(key);
  if (it == waiting_.end()) return;
  if (write.subresource != "binding") {
    if (!outcome.ok()) it->second.told.reset();
    return;
  }
  if (outcome.ok()) {
    it->second.bound = true;
    return;
  }
  // The place is free again; the driver brings the key back after a while.
  placement_.Release(it->second.pod->metadata.uid);
  it->second.node_name.clear();
  it->second.failed = true;
  undecided_.insert(key);
  decide_all_ = true;
}

}  // namespace kueue::localcluster
