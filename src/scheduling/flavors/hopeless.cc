#include "scheduling/flavors/hopeless.h"

#include <algorithm>

#include "api/types/names.h"
#include "scheduling/mutation.h"

namespace kueue::scheduling {
namespace {

bool PreemptsNobody(PreemptionPolicy policy) {
  return policy == PreemptionPolicy::kNever || policy == PreemptionPolicy::kUnset;
}

// The pod sets that are assigned first: those of the first one's group (§6.3).
bool IsAssignedFirst(const Demand& demand, const PodSetDemand& pod_set) {
  const PodSetDemand& first = demand.pod_sets.front();
  if (&pod_set == &first) return true;
  const auto name = [](const PodSetDemand& of) -> const std::string* {
    const auto& request = of.spec->topology_request;
    return request && request->pod_set_group_name ? &*request->pod_set_group_name : nullptr;
  };
  return name(first) != nullptr && name(pod_set) != nullptr && *name(first) == *name(pod_set);
}

}  // namespace

Hopeless::Hopeless(const World& world, const ClusterQueue& queue) : world_(world), queue_(queue) {
  const Node& node = *queue.node;
  if (node.cyclic) return;  // such heads are turned away for that (§5.2)
  alone_ = node.parent == nullptr && PreemptsNobody(queue.rules.within_queue);
  single_flavors_ = std::all_of(queue.rules.groups.begin(), queue.rules.groups.end(),
                                [](const RuleGroup& group) { return group.flavors.size() <= 1; });
  for (const RuleGroup& group : queue.rules.groups) {
    for (size_t i = 0; i < group.resources.size(); ++i) {
      // Counted apart from the requests (§1.8).
      if (world.catalog.Name(group.resources[i]) == "pods") continue;
      Bound bound{group.resources[i], Amount(0), Amount(0)};
      for (const RuleFlavor& flavor : group.flavors) {
        const Slot& slot = node.slots[flavor.slots[i]];
        const Amount free = QuotaTree::AvailableToQueue(node, flavor.slots[i]);
        const bool may_preempt = node.parent != nullptr || queue.rules.may_preempt_borrowing;
        const Amount most =
            may_preempt ? slot.potential : std::max(free, std::min(slot.nominal, slot.potential));
        bound.ever = std::max(bound.ever, most);
        bound.now = std::max(bound.now, std::min(free, slot.potential));
      }
      bounds_.push_back(bound);
    }
  }
}

// What holds for the group's first member, as long as it is the first and does not change.
void Hopeless::Judge(ShapeGroup& group) const {
  const WorkItem& item = *group.first();
  const Demand& demand = *item.demand;
  const Gates& gates = world_.config.gates;
  group.judged_by = &item;
  group.need_count = 0;
  group.has_one_pod_set = demand.pod_sets.size() == 1;
  const bool replaces =
      gates.elastic_jobs_via_workload_slices &&
      item.object->metadata.annotations.contains(api::names::kWorkloadSliceReplacementFor);
  group.may_be_passed = !replaces && demand.violation.empty() && !item.check_refuses &&
                        item.variant == nullptr && !item.preemption_gate_closed &&
                        !demand.pod_sets.empty();
  for (const Bound& bound : bounds_) {
    if (group.need_count == ShapeGroup::kMostNeeds) break;
    int64_t least = 0;
    for (size_t i = 0; i < demand.pod_sets.size(); ++i) {
      const PodSetDemand& pod_set = demand.pod_sets[i];
      if (!IsAssignedFirst(demand, pod_set)) continue;
      const int64_t count = std::min(item.counts[i], pod_set.spec->min_count.value_or(INT32_MAX));
      least = resources::SaturatingAdd(
          least, resources::SaturatingMul(AmountOf(pod_set.per_pod, bound.resource), count));
    }
    if (least > 0) group.needs[group.need_count++] = {bound.resource, least};
  }
}

bool Hopeless::operator()(ShapeGroup& group) const {
  if (group.judged_by != group.first()) Judge(group);
  if (!group.may_be_passed) return false;
  const bool judge_by_now =
      alone_ && (single_flavors_ || (queue_.rules.groups.size() == 1 && group.has_one_pod_set));
  for (uint32_t i = 0; i < group.need_count; ++i) {
    const auto bound = std::find_if(bounds_.begin(), bounds_.end(), [&](const Bound& entry) {
      return entry.resource == group.needs[i].resource;
    });
    if (bound == bounds_.end()) continue;
    const Amount most = judge_by_now || Mutated(kWaitingIsHopeless) ? bound->now : bound->ever;
    if (Amount(group.needs[i].amount) > most) return true;
  }
  return false;
}

}  // namespace kueue::scheduling
