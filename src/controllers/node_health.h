#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "controllers/topology_pods.h"

// Whether a node is still good for the pods a Workload has on it (spec/topology.md §15.5). Pure.
namespace kueue::controllers {

// Gates of node replacement.
struct ReplacementRules {
  bool on_pod_termination = true;  // a failed node counts once the pods there are gone
  bool after_fixed_time = false;   // or 30 s after it failed, pods or not
  bool on_taints = true;
};
// So long a node may be not ready where only time decides.
inline constexpr base::Duration kNotReadyLimit = base::seconds(30);

struct NodeCondition {
  bool known = false;  // the node exists and has a condition Ready
  bool ready = false;
  std::optional<base::Time> since;  // last transition of Ready
};
// `node`: null if there is none.
NodeCondition ConditionOf(const api::Node* node);

using FlavorTable = std::map<std::string, std::shared_ptr<const api::ResourceFlavor>>;

// What becomes of one Workload.
struct NodeVerdict {
  bool unhealthy = false;
  std::vector<std::shared_ptr<const api::Pod>> to_terminate;
};
// `node` exists and has a condition Ready; `workload`: null if it is gone; `pods`: those of the
// workload whose node it is, by binding or by selector.
NodeVerdict Judge(const api::Node& node, const api::Workload* workload,
                  const std::vector<std::shared_ptr<const api::Pod>>& pods,
                  const FlavorTable& flavors, const ReplacementRules& rules);

// What a change of the node may mean for Workloads on it: it came, went, became ready or not, or
// (with the gate) has other taints.
bool ConcernsPlaces(const api::Node* before, const api::Node* after, bool taints);
// What a change of a pod may mean for its node; the node to be looked at, or "".
std::string NodeConcernedBy(const api::Pod& pod);

}  // namespace kueue::controllers
