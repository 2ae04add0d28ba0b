#include "scheduling/model/queue_rules.h"

#include "resources/resource_vector.h"

namespace kueue::scheduling {
namespace {

PreemptionPolicy ReadPolicy(const std::string& text) {
  if (text.empty()) return PreemptionPolicy::kUnset;
  if (text == "LowerPriority") return PreemptionPolicy::kLowerPriority;
  if (text == "LowerOrNewerEqualPriority") return PreemptionPolicy::kLowerOrNewerEqualPriority;
  if (text == "Any") return PreemptionPolicy::kAny;
  return PreemptionPolicy::kNever;
}

void ReadPreemption(const api::ClusterQueuePreemption& preemption, bool fair, QueueRules& rules) {
  rules.within_queue = ReadPolicy(preemption.within_cluster_queue);
  rules.reclaim = ReadPolicy(preemption.reclaim_within_cohort);
  bool may_borrow = false;
  if (preemption.borrow_within_cohort) {
    const std::string& policy = preemption.borrow_within_cohort->policy;
    may_borrow = policy != "Never";
    rules.borrowing_forbidden = policy == "Never" || policy.empty();
    rules.max_priority_threshold = preemption.borrow_within_cohort->max_priority_threshold;
  }
  rules.may_preempt_borrowing = may_borrow || (fair && rules.reclaim != PreemptionPolicy::kNever);
}

RuleGroup ReadGroup(const api::ResourceGroup& group, Catalog& catalog) {
  RuleGroup out;
  for (const std::string& name : group.covered_resources) {
    out.resources.push_back(catalog.Resource(name));
  }
  for (const api::FlavorQuotas& flavor : group.flavors) {
    out.flavors.push_back({catalog.Flavor(flavor.name), {}});
  }
  return out;
}

}  // namespace

QueueRules ReadRules(const api::ClusterQueueSpec& spec, bool fair_sharing, Catalog& catalog) {
  QueueRules rules;
  for (const api::ResourceGroup& group : spec.resource_groups) {
    rules.groups.push_back(ReadGroup(group, catalog));
    const RuleGroup& added = rules.groups.back();
    for (uint32_t i = 0; i < added.resources.size(); ++i) {
      const ResourceId resource = added.resources[i];
      if (rules.places.size() <= resource.index()) rules.places.resize(resource.index() + 1);
      // One group covers a resource (§3.3); an old object may say otherwise, and then the first
      // does.
      QueueRules::Place& place = rules.places[resource.index()];
      if (!place.valid()) place = {static_cast<uint32_t>(rules.groups.size() - 1), i};
    }
  }
  rules.covers_pods = rules.PlaceOf(catalog.Resource("pods")).valid();
  rules.strict_fifo = spec.queueing_strategy == "StrictFIFO";
  rules.stopped = spec.stop_policy && !spec.stop_policy->empty() && *spec.stop_policy != "None";
  if (spec.flavor_fungibility) {
    const api::FlavorFungibility& fungibility = *spec.flavor_fungibility;
    rules.next_when_borrowing = fungibility.when_can_borrow == "TryNextFlavor";
    rules.next_when_preempting = fungibility.when_can_preempt.empty() ||
                                 fungibility.when_can_preempt == "TryNextFlavor";
    rules.level_before_mode = fungibility.preference == "PreemptionOverBorrowing";
  }
  if (spec.preemption) ReadPreemption(*spec.preemption, fair_sharing, rules);
  return rules;
}

void BindSlots(QueueRules& rules, Node* node, QuotaTree& tree) {
  for (RuleGroup& group : rules.groups) {
    for (RuleFlavor& flavor : group.flavors) {
      flavor.slots.clear();
      for (ResourceId resource : group.resources) {
        flavor.slots.push_back(tree.EnsureSlot(node, tree.catalog().Cell(flavor.flavor, resource)));
      }
    }
  }
}

Quotas ReadQuotas(const std::vector<api::ResourceGroup>& groups, Catalog& catalog) {
  Quotas quotas;
  const auto limit = [](const std::string& name, const std::optional<resources::Quantity>& q) {
    return q ? std::optional<Amount>(resources::QuotaUnits(name, *q)) : std::nullopt;
  };
  for (const api::ResourceGroup& group : groups) {
    for (const api::FlavorQuotas& flavor : group.flavors) {
      for (const api::ResourceQuota& quota : flavor.resources) {
        const CellId cell =
            catalog.Cell(catalog.Flavor(flavor.name), catalog.Resource(quota.name));
        quotas.emplace_back(cell, Quota{resources::QuotaUnits(quota.name, quota.nominal_quota),
                                        limit(quota.name, quota.borrowing_limit),
                                        limit(quota.name, quota.lending_limit)});
      }
    }
  }
  return quotas;
}

double ReadWeight(const std::optional<api::FairSharing>& fair_sharing) {
  if (!fair_sharing || !fair_sharing->weight) return 1;
  return fair_sharing->weight->ToDouble();
}

}  // namespace kueue::scheduling
