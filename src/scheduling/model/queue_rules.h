#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "scheduling/model/catalog.h"
#include "scheduling/model/quota_tree.h"

namespace kueue::scheduling {

// Who may be taken away (spec/scheduling.md §7.1). kUnset: the field was empty, which only an
// object without API defaults can have; it permits nothing.
enum class PreemptionPolicy : uint8_t {
  kUnset, kNever, kLowerPriority, kLowerOrNewerEqualPriority, kAny,
};

struct RuleFlavor {
  FlavorId flavor;
  std::vector<uint32_t> slots;  // by the group's resources, in the queue's node
};
struct RuleGroup {
  std::vector<ResourceId> resources;
  std::vector<RuleFlavor> flavors;  // in the order they are tried
};

// The spec of a ClusterQueue with its defaults (§3.1), in numbers.
struct QueueRules {
  std::vector<RuleGroup> groups;
  bool strict_fifo = false;
  bool stopped = false;
  bool next_when_borrowing = false;   // whenCanBorrow = TryNextFlavor (§6.7)
  bool next_when_preempting = true;   // whenCanPreempt = TryNextFlavor (§6.7)
  bool level_before_mode = false;     // preference = PreemptionOverBorrowing (§6.2)
  bool covers_pods = false;           // some group covers `pods` (§1.8)
  PreemptionPolicy within_queue = PreemptionPolicy::kNever;
  PreemptionPolicy reclaim = PreemptionPolicy::kNever;
  bool borrowing_forbidden = true;    // borrowWithinCohort unset or Never (§7.4)
  bool may_preempt_borrowing = false; // §6.6: asked with the empty value passing
  std::optional<int64_t> max_priority_threshold;

  // Where a resource stands: group and place in the group; none if no group covers it.
  struct Place {
    uint32_t group = UINT32_MAX, index = 0;
    bool valid() const { return group != UINT32_MAX; }
  };
  Place PlaceOf(ResourceId resource) const {
    return resource.index() < places.size() ? places[resource.index()] : Place{};
  }
  std::vector<Place> places;  // by resource number
};

// `fair_sharing`: whether the configuration has it.
QueueRules ReadRules(const api::ClusterQueueSpec& spec, bool fair_sharing, Catalog& catalog);
// Fills in the slots of every flavor.
void BindSlots(QueueRules& rules, Node* node, QuotaTree& tree);
// The quotas in resource groups, of a ClusterQueue or a Cohort.
Quotas ReadQuotas(const std::vector<api::ResourceGroup>& groups, Catalog& catalog);
double ReadWeight(const std::optional<api::FairSharing>& fair_sharing);

}  // namespace kueue::scheduling
