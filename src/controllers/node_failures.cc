#include "controllers/node_failures.h"

#include <map>

#include "controllers/workload_status.h"

namespace kueue::controllers {

using runtime::Intents;

// One call.
struct NodeFailureReconciler::Round {
  std::string node;
  base::Time now;
  Intents intents;
  std::set<kube::ObjectKey> marked;  // by the fixed time: stay marked whatever their pods do
};

namespace {

bool IsOpen(const api::Workload& workload) {
  return !IsFinished(workload) && !IsEvicted(workload) && !workload.metadata.deletion_timestamp;
}

}  // namespace

ReplacementRules NodeFailureReconciler::Rules() const {
  using api::Feature;
  ReplacementRules rules;
  rules.on_pod_termination = settings_.gates.Enabled(Feature::kTASReplaceNodeOnPodTermination);
  rules.after_fixed_time =
      settings_.gates.Enabled(Feature::kTASReplaceNodeDueToNotReadyOverFixedTime);
  rules.on_taints = settings_.gates.Enabled(Feature::kTASReplaceNodeOnNodeTaints);
  return rules;
}

std::vector<std::shared_ptr<const api::Workload>> NodeFailureReconciler::Affected(
    const std::string& node) const {
  auto workloads = cache_.ByIndex<api::Workload>(kWorkloadsByNode, node);
  std::erase_if(workloads, [](const auto& workload) { return !IsOpen(*workload); });
  return workloads;
}

Intents NodeFailureReconciler::Reconcile(const kube::ObjectKey& key, base::Time now) {
  Round round;
  round.node = key.name;
  round.now = now;
  const auto node = cache_.Get<api::Node>({"", key.name});
  const NodeCondition condition = ConditionOf(node.get());
  const ReplacementRules rules = Rules();
  if (!condition.known) {
    for (const auto& workload : Affected(key.name)) Mark(round, *workload);
    return std::move(round.intents);
  }
  if (!condition.ready) {
    const base::Duration left = condition.since.value_or(base::Time()) + kNotReadyLimit - now;
    if (left > base::Duration(0)) {
      if (!rules.on_pod_termination || rules.after_fixed_time) round.intents.look_again = left;
      if (!rules.on_pod_termination) return std::move(round.intents);
    } else if (rules.after_fixed_time) {
      for (const auto& workload : Affected(key.name)) {
        Mark(round, *workload);
        round.marked.insert(kube::KeyOf(workload->metadata));
      }
    }
  }
  JudgeAll(round, *node);
  return std::move(round.intents);
}

// Those with places on the node, and those whose pods are there without; each once, by name.
void NodeFailureReconciler::JudgeAll(Round& round, const api::Node& node) const {
  struct Subject {
    std::shared_ptr<const api::Workload> workload;
    std::vector<std::shared_ptr<const api::Pod>> pods;
  };
  std::map<kube::ObjectKey, Subject> subjects;
  for (const auto& workload : Affected(round.node)) {
    subjects[kube::KeyOf(workload->metadata)].workload = workload;
  }
  std::map<std::string, std::vector<std::shared_ptr<const api::Pod>>> by_slice;
  for (const auto& pod : cache_.ByIndex<api::Pod>(kPodsByNode, round.node)) {
    const std::string& home = pod->metadata.namespace_name;
    by_slice[home + "/" + SliceNameOf(*pod)].push_back(pod);
    // A pod that is bound and goes on says nothing about a Workload without a place here.
    const kube::ObjectKey owner{home, WorkloadOf(*pod)};
    if (!pod->spec.node_name.empty() || owner.name.empty() || subjects.contains(owner)) continue;
    const auto workload = cache_.Get<api::Workload>(owner);
    if (!workload || IsOpen(*workload)) subjects[owner].workload = workload;
  }
  FlavorTable flavors;
  for (const auto& flavor : cache_.List<api::ResourceFlavor>()) {
    flavors[flavor->metadata.name] = flavor;
  }
  for (auto& [key, subject] : subjects) {
    const std::string slice = subject.workload ? SliceNameOf(*subject.workload) : key.name;
    const auto& pods = by_slice[key.namespace_name + "/" + slice];
    const NodeVerdict verdict = Judge(node, subject.workload.get(), pods, flavors, Rules());
    bool goes_on = true;
    if (subject.workload && !round.marked.contains(key)) {
      if (verdict.unhealthy) {
        goes_on = Mark(round, *subject.workload);
      } else {
        Unmark(round, *subject.workload);
      }
    }
    if (!goes_on) continue;  // its pods are stopped anyway
    for (const auto& pod : verdict.to_terminate) Terminate(round, *pod);
  }
}

bool NodeFailureReconciler::Mark(Round& round, const api::Workload& workload) const {
  if (IsUnhealthy(workload, round.node)) return true;
  api::Workload after = workload;
  if (workload.status.unhealthy_nodes.empty()) {
    after.status.unhealthy_nodes.push_back({round.node, {}});
    round.intents.Add(runtime::PatchStatus(workload, after));
    return true;
  }
  const std::string message = "Nodes " + workload.status.unhealthy_nodes.front().name + " and " +
                              round.node + " of its places failed";
  Evict(after, "NodeFailures", "", message, round.now);
  round.intents.Add(runtime::PatchStatus(workload, after));
  round.intents.events.push_back(
      {runtime::ReferenceTo(workload), "Normal", EvictionEventReason("NodeFailures", ""), message});
  return false;
}

void NodeFailureReconciler::Unmark(Round& round, const api::Workload& workload) const {
  if (!IsUnhealthy(workload, round.node)) return;
  api::Workload after = workload;
  std::erase_if(after.status.unhealthy_nodes,
                [&](const auto& node) { return node.name == round.node; });
  round.intents.Add(runtime::PatchStatus(workload, after));
}

void NodeFailureReconciler::Terminate(Round& round, const api::Pod& pod) const {
  const std::string message = "Node " + round.node + " takes no pods of its workload any more";
  api::Pod after = pod;
  after.status.phase = "Failed";
  api::PodCondition condition;
  condition.type = "TerminatedByKueue";
  condition.status = api::ConditionStatus::kTrue;
  condition.reason = "UnschedulableOnAssignedNode";
  condition.message = message;
  condition.last_transition_time = base::CutToSeconds(round.now);
  after.status.conditions.push_back(std::move(condition));
  round.intents.Add(runtime::PatchStatus(pod, after));
  round.intents.events.push_back(
      {runtime::ReferenceTo(pod), "Normal", "PodTerminatedByKueue", message});
}

}  // namespace kueue::controllers
