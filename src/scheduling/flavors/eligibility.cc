#include "scheduling/flavors/eligibility.h"

#include <algorithm>

#include "api/match/selector.h"
#include "scheduling/topology/request.h"

namespace kueue::scheduling {
namespace {

// The flavor's own tolerations count as the pod's (§6.5).
bool ToleratesFlavor(const api::PodSpec& pod, const api::ResourceFlavorSpec& flavor) {
  return std::all_of(
      flavor.node_taints.begin(), flavor.node_taints.end(), [&](const api::Taint& taint) {
        if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") return true;
        const auto tolerates = [&](const api::Toleration& t) { return api::Tolerates(t, taint); };
        return std::any_of(pod.tolerations.begin(), pod.tolerations.end(), tolerates) ||
               std::any_of(flavor.tolerations.begin(), flavor.tolerations.end(), tolerates);
      });
}

// Keys that are no label of this flavor do not count; a term that has nothing left lets all pass.
bool AffinityMatches(const api::PodSpec& pod, const api::StringMap& labels) {
  if (!pod.affinity || !pod.affinity->node_affinity) return true;
  const auto& required =
      pod.affinity->node_affinity->required_during_scheduling_ignored_during_execution;
  if (!required || required->node_selector_terms.empty()) return true;
  api::NodeSelector known;
  for (const api::NodeSelectorTerm& term : required->node_selector_terms) {
    api::NodeSelectorTerm& kept = known.node_selector_terms.emplace_back();
    for (const api::NodeSelectorRequirement& expression : term.match_expressions) {
      if (labels.contains(expression.key)) kept.match_expressions.push_back(expression);
    }
    if (kept.match_expressions.empty()) return true;
  }
  return api::MatchesNodeSelector(known, labels, "");
}

bool LabelsMatch(const api::PodSpec& pod, const api::StringMap& labels) {
  if (labels.empty()) return true;
  for (const auto& [key, value] : pod.node_selector) {
    const auto label = labels.find(key);
    if (label != labels.end() && label->second != value) return false;
  }
  return AffinityMatches(pod, labels);
}

// A flavor with a topology takes only pod sets that ask for one, with levels it has, or that have
// no other choice; pod sets that ask take no other flavor, unless it is for resources they do not
// request themselves.
Refusal CheckTopology(const api::PodSet& pod_set, const api::ResourceFlavorSpec& flavor,
                      const EligibilityOptions& options) {
  if (!options.topology_aware) return Refusal::kNone;
  const bool has_topology = flavor.topology_name.has_value();
  if (!topology::AsksForTopology(pod_set)) {
    return has_topology && !options.topology_only ? Refusal::kHasTopology : Refusal::kNone;
  }
  if (!has_topology) {
    return options.requests_nothing_of_group ? Refusal::kNone : Refusal::kNeedsTopology;
  }
  const bool has_levels =
      options.level_keys != nullptr &&
      topology::HasLevels(*pod_set.topology_request, *options.level_keys);
  return has_levels ? Refusal::kNone : Refusal::kLacksLevel;
}

}  // namespace

Refusal CheckEligibility(const api::PodSet& pod_set, const api::ResourceFlavor* flavor,
                         const EligibilityOptions& options) {
  if (flavor == nullptr) return Refusal::kMissing;
  const Refusal topology = CheckTopology(pod_set, flavor->spec, options);
  if (topology != Refusal::kNone) return topology;
  const api::PodSpec& pod = pod_set.pod_template.spec;
  if (!ToleratesFlavor(pod, flavor->spec)) return Refusal::kTaint;
  return LabelsMatch(pod, flavor->spec.node_labels) ? Refusal::kNone : Refusal::kNodeLabels;
}

std::string Describe(Refusal refusal) {
  switch (refusal) {
    case Refusal::kNone: return "";
    case Refusal::kMissing: return "does not exist";
    case Refusal::kTaint: return "has a taint that is not tolerated";
    case Refusal::kNodeLabels: return "does not match the node selector or affinity";
    case Refusal::kNeedsTopology: return "has no topology";
    case Refusal::kHasTopology: return "is for topology-aware pod sets only";
    case Refusal::kLacksLevel: return "has no topology with the levels that are asked for";
    case Refusal::kPinnedElsewhere: return "is not the flavor chosen before";
  }
  return "";
}

}  // namespace kueue::scheduling
