#include "controllers/node_health.h"

#include <algorithm>

#include "api/match/selector.h"
#include "api/types/names.h"

namespace kueue::controllers {
namespace {

using Pods = std::vector<std::shared_ptr<const api::Pod>>;

// Selected onto the node, never bound, and waiting for nothing else.
bool IsStuck(const api::Pod& pod) {
  return pod.spec.node_name.empty() && pod.status.phase == "Pending" && !HasTopologyGate(pod) &&
         pod.spec.node_selector.contains(api::names::kHostnameLabel);
}

Pods StuckAmong(const Pods& pods) {
  Pods stuck;
  std::copy_if(pods.begin(), pods.end(), std::back_inserter(stuck),
               [](const auto& pod) { return IsStuck(*pod); });
  return stuck;
}

NodeVerdict CheckPods(const Pods& pods) {
  NodeVerdict verdict;
  verdict.unhealthy = std::none_of(pods.begin(), pods.end(), [](const auto& pod) {
    return !pod->spec.node_name.empty() && IsProgressing(*pod);
  });
  verdict.to_terminate = StuckAmong(pods);
  return verdict;
}

bool KeepsAway(const api::Taint& taint) {
  return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
}

enum class Tolerance { kAlways, kForAWhile, kNot };

Tolerance ToleranceOf(const std::vector<api::Toleration>& tolerations, const api::Taint& taint) {
  Tolerance best = Tolerance::kNot;
  for (const api::Toleration& toleration : tolerations) {
    // Comparing operators do not count here (§15.5).
    if (toleration.op == "Lt" || toleration.op == "Gt" || !api::Tolerates(toleration, taint)) {
      continue;
    }
    if (!toleration.toleration_seconds) return Tolerance::kAlways;
    best = Tolerance::kForAWhile;
  }
  return best;
}

// The least tolerance that some pod set on the node has for some taint of it.
Tolerance LeastTolerance(const api::Node& node, const api::Workload& workload,
                         const FlavorTable& flavors) {
  Tolerance least = Tolerance::kAlways;
  for (const auto& assignment : workload.status.admission->pod_set_assignments) {
    if (!IsOnNode(assignment, node.metadata.name)) continue;
    const auto tolerations = EffectiveTolerations(workload, assignment, flavors);
    for (const api::Taint& taint : node.spec.taints) {
      if (KeepsAway(taint)) least = std::max(least, ToleranceOf(tolerations, taint));
    }
  }
  return least;
}

}  // namespace

NodeCondition ConditionOf(const api::Node* node) {
  NodeCondition out;
  if (node == nullptr) return out;
  for (const api::NodeCondition& condition : node->status.conditions) {
    if (condition.type != "Ready") continue;
    out.known = true;
    out.ready = condition.status == api::ConditionStatus::kTrue;
    out.since = condition.last_transition_time;
  }
  return out;
}

NodeVerdict Judge(const api::Node& node, const api::Workload* workload, const Pods& pods,
                  const FlavorTable& flavors, const ReplacementRules& rules) {
  if (workload == nullptr) return {};
  const std::vector<std::string> nodes = NodesOf(*workload);
  if (!std::binary_search(nodes.begin(), nodes.end(), node.metadata.name)) {
    return {false, StuckAmong(pods)};
  }
  if (!ConditionOf(&node).ready) {
    return rules.on_pod_termination ? CheckPods(pods) : NodeVerdict{true, {}};
  }
  if (!rules.on_taints) return {};
  switch (LeastTolerance(node, *workload, flavors)) {
    case Tolerance::kAlways:
      return {};
    case Tolerance::kForAWhile:
      return CheckPods(pods);
    case Tolerance::kNot:
      break;
  }
  return rules.on_pod_termination ? CheckPods(pods) : NodeVerdict{true, {}};
}

bool ConcernsPlaces(const api::Node* before, const api::Node* after, bool taints) {
  if (before == nullptr || after == nullptr) return true;
  const NodeCondition was = ConditionOf(before), is = ConditionOf(after);
  return was.known != is.known || was.ready != is.ready ||
         (taints && before->spec.taints != after->spec.taints);
}

std::string NodeConcernedBy(const api::Pod& pod) {
  if (!IsTopologyPod(pod)) return "";
  const bool bound = !pod.spec.node_name.empty();
  return bound && IsProgressing(pod) ? "" : NodeOf(pod);
}

}  // namespace kueue::controllers
