#include "localcluster/node_lifecycle.h"

#include <algorithm>

#include "api/match/selector.h"
#include "localcluster/conditions.h"
#include "localcluster/kubelet.h"
#include "localcluster/pod_life.h"

namespace kueue::localcluster {

using runtime::Intents;

namespace {

constexpr char kNotReady[] = "node.kubernetes.io/not-ready";
constexpr char kUnreachable[] = "node.kubernetes.io/unreachable";
constexpr char kUnschedulable[] = "node.kubernetes.io/unschedulable";
constexpr char kToldBy[] = "the annotation kueue-cpp.dev/node-state says so";

const api::NodeCondition* ReadyOf(const api::Node& node) {
  for (const api::NodeCondition& condition : node.status.conditions) {
    if (condition.type == "Ready") return &condition;
  }
  return nullptr;
}

void SetReady(api::Node& node, api::ConditionStatus status, const char* reason, const char* message,
              base::Time now) {
  auto& conditions = node.status.conditions;
  auto it = std::find_if(conditions.begin(), conditions.end(),
                         [](const api::NodeCondition& c) { return c.type == "Ready"; });
  if (it == conditions.end()) {
    conditions.emplace_back();
    it = conditions.end() - 1;
    it->type = "Ready";
  }
  if (it->status != status || !it->last_transition_time) {
    it->last_transition_time = it->last_heartbeat_time = base::CutToSeconds(now);
  }
  it->status = status;
  it->reason = reason;
  it->message = message;
}

// The condition as the annotation wants it. Unknown texts are taken as Ready.
void FollowAnnotation(api::Node& node, base::Time now) {
  const auto it = node.metadata.annotations.find(kNodeStateAnnotation);
  const std::string state = it == node.metadata.annotations.end() ? "" : it->second;
  const api::NodeCondition* ready = ReadyOf(node);
  if (state == "NotReady") {
    SetReady(node, api::ConditionStatus::kFalse, "KubeletNotReady", kToldBy, now);
  } else if (state == "Unknown") {
    SetReady(node, api::ConditionStatus::kUnknown, "NodeStatusUnknown", kToldBy, now);
  } else if (ready != nullptr && ready->message == kToldBy) {
    SetReady(node, api::ConditionStatus::kTrue, "KubeletReady", "the simulated node takes pods",
             now);
  }
}

void SetTaint(std::vector<api::Taint>& taints, const char* key, const char* effect, bool wanted,
              base::Time now) {
  const auto it = std::find_if(taints.begin(), taints.end(), [&](const api::Taint& taint) {
    return taint.key == key && taint.effect == effect;
  });
  if (wanted == (it != taints.end())) return;
  if (!wanted) {
    taints.erase(it);
    return;
  }
  api::Taint taint;
  taint.key = key;
  taint.effect = effect;
  taint.time_added = base::CutToSeconds(now);
  taints.push_back(std::move(taint));
}

// When the node's taints end the pod; nothing: never.
std::optional<base::Time> EvictionTime(const api::Pod& pod, const api::Node& node, base::Time now) {
  std::optional<base::Time> due;
  for (const api::Taint& taint : node.spec.taints) {
    if (taint.effect != "NoExecute") continue;
    bool tolerated = false;
    for (const api::Toleration& toleration : pod.spec.tolerations) {
      if (!api::Tolerates(toleration, taint)) continue;
      tolerated = true;
      if (!toleration.toleration_seconds) continue;
      const base::Time end =
          taint.time_added.value_or(now) +
          base::seconds(std::clamp<int64_t>(*toleration.toleration_seconds, 0, 1 << 30));
      due = due ? std::min(*due, end) : end;
    }
    if (!tolerated) return now;
  }
  return due;
}

}  // namespace

bool TroublesPods(const api::Node& node) {
  return !KubeletWorks(node) ||
         std::any_of(node.spec.taints.begin(), node.spec.taints.end(),
                     [](const api::Taint& taint) { return taint.effect == "NoExecute"; });
}

Intents PlanNodeState(const api::Node& node, base::Time now) {
  Intents intents;
  if (node.metadata.deletion_timestamp) return intents;
  api::Node after = node;
  FollowAnnotation(after, now);
  intents.Add(runtime::PatchStatus(node, after));
  if (!intents.writes.empty()) {
    const bool ready = KubeletWorks(after);
    intents.events.push_back({runtime::ReferenceTo(node), "Normal",
                              ready ? "NodeReady" : "NodeNotReady",
                              "Node " + node.metadata.name +
                                  " status is now: " + (ready ? "NodeReady" : "NodeNotReady")});
    return intents;
  }
  const api::NodeCondition* ready = ReadyOf(node);
  const bool lost = ready != nullptr && ready->status == api::ConditionStatus::kUnknown;
  const bool failed = ready != nullptr && ready->status == api::ConditionStatus::kFalse;
  auto& taints = after.spec.taints;
  for (const char* effect : {"NoSchedule", "NoExecute"}) {
    SetTaint(taints, kNotReady, effect, failed, now);
    SetTaint(taints, kUnreachable, effect, lost, now);
  }
  SetTaint(taints, kUnschedulable, "NoSchedule", node.spec.unschedulable, now);
  intents.Add(runtime::PatchObject(node, after));
  return intents;
}

Intents PlanEviction(const api::Pod& pod, const api::Node& node, base::Time now) {
  Intents intents;
  if (pod.metadata.deletion_timestamp || HasEnded(pod)) return intents;
  api::Pod after = pod;
  const auto due = EvictionTime(pod, node, now);
  if (due && *due <= now) {
    SetCondition(after.status.conditions, "DisruptionTarget", true, "DeletionByTaintManager",
                 "Taint manager: deleting due to NoExecute taint", now);
    intents.Add(runtime::PatchStatus(pod, after));
    intents.writes.push_back(runtime::DeleteObject(pod));
    intents.events.push_back(
        {runtime::ReferenceTo(pod), "Normal", "TaintManagerEviction",
         "Marking for deletion Pod " + pod.metadata.namespace_name + "/" + pod.metadata.name});
    return intents;
  }
  if (due) intents.look_again = *due - now;
  if (!KubeletWorks(node) && IsTrue(pod.status.conditions, "Ready")) {
    SetCondition(after.status.conditions, "Ready", false, "", "", now);
    intents.Add(runtime::PatchStatus(pod, after));
    intents.events.push_back(
        {runtime::ReferenceTo(pod), "Warning", "NodeNotReady", "Node is not ready"});
  }
  return intents;
}

Intents NodeLifecycle::Reconcile(const kube::ObjectKey& key, base::Time now) {
  const auto node = cache_.Get<api::Node>(key);
  return node ? PlanNodeState(*node, now) : Intents();
}

Intents TaintEviction::Reconcile(const kube::ObjectKey& key, base::Time now) {
  const auto pod = cache_.Get<api::Pod>(key);
  if (!pod || pod->spec.node_name.empty()) return {};
  const auto node = cache_.Get<api::Node>({"", pod->spec.node_name});
  return node ? PlanEviction(*pod, *node, now) : Intents();
}

}  // namespace kueue::localcluster
