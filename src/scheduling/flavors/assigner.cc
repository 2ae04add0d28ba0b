#include "scheduling/flavors/assigner.h"

#include <algorithm>

#include "scheduling/mutation.h"
#include "scheduling/preemption/search.h"

namespace kueue::scheduling {
namespace {

// Sum of member requests in vector order (§6.3).
void AddRequests(RequestVector& sum, const RequestVector& more, const Catalog& catalog) {
  for (const ResourceAmount& entry : more) {
    const auto at = std::find_if(sum.begin(), sum.end(), [&](const ResourceAmount& known) {
      return !catalog.VectorLess(known.resource, entry.resource);
    });
    if (at != sum.end() && at->resource == entry.resource) {
      at->amount = resources::SaturatingAdd(at->amount, entry.amount);
    } else {
      sum.insert(at, entry);
    }
  }
}

}  // namespace

FittingLevel LowestFit(const Node& queue, uint32_t slot, Amount amount) {
  const Slot& own = queue.slots[slot];
  if (queue.parent == nullptr || !QuotaTree::BorrowsWith(queue, own, amount)) {
    return {0, queue.parent != nullptr};
  }
  Amount rest = amount - own.LocalAvailable();
  uint32_t at = own.parent_slot;
  for (const Node* up = queue.parent;; up = up->parent) {
    const Slot& above = up->slots[at];
    if (up->parent == nullptr || !QuotaTree::BorrowsWith(*up, above, rest)) {
      return {up->height, up->parent != nullptr};
    }
    rest -= above.LocalAvailable();
    at = above.parent_slot;
  }
}

Assigner::Assigner(World& world, const WorkItem& item, const ClusterQueue& queue)
    : world_(world), item_(item), queue_(queue) {
  eligibility_.topology_aware = world.config.gates.topology_aware_scheduling;
  eligibility_.topology_only = queue.topology_only;
}

void Assigner::Replacing(const WorkItem* old_slice) {
  old_slice_ = old_slice;
  held_before_.clear();
  if (old_slice == nullptr) return;
  for (const PodSetDemand& pod_set : item_.demand->pod_sets) {
    held_before_.push_back(HeldBy(*old_slice->admission(), pod_set.spec->name, world_.catalog));
  }
}

int64_t Assigner::HeldBefore(uint32_t pod_set, ResourceId resource) const {
  return old_slice_ == nullptr ? 0 : AmountOf(held_before_[pod_set], resource);
}

// Pod sets with one group name are placed together (§6.3); the others alone.
std::vector<Assigner::Members> Assigner::GroupPodSets() const {
  const auto& pod_sets = item_.demand->pod_sets;
  if (pod_sets.size() == 1) return {{0}};
  std::vector<Members> groups;
  std::vector<const std::string*> names;
  for (uint32_t i = 0; i < pod_sets.size(); ++i) {
    const auto& request = pod_sets[i].spec->topology_request;
    const std::string* name =
        request && request->pod_set_group_name ? &*request->pod_set_group_name : nullptr;
    const auto known = std::find_if(names.begin(), names.end(), [&](const std::string* other) {
      return name != nullptr && other != nullptr && *name == *other;
    });
    if (known != names.end()) {
      groups[static_cast<size_t>(known - names.begin())].push_back(i);
      continue;
    }
    groups.push_back({i});
    names.push_back(name);
  }
  return groups;
}

Assignment Assigner::Assign(const std::vector<int32_t>& counts) {
  Assignment assignment;
  const auto& pod_sets = item_.demand->pod_sets;
  std::vector<PodSetResult> results(pod_sets.size());
  for (uint32_t i = 0; i < pod_sets.size(); ++i) {
    results[i].index = i;
    results[i].count = counts[i];
    results[i].requests = Scaled(pod_sets[i].per_pod, counts[i]);
    if (queue_.rules.covers_pods) {
      const ResourceId pods = world_.catalog.Resource("pods");
      std::erase_if(results[i].requests,
                    [&](const ResourceAmount& entry) { return entry.resource == pods; });
      AddRequests(results[i].requests, {{pods, counts[i]}}, world_.catalog);
    }
  }
  for (const Members& members : GroupPodSets()) {
    const size_t first = assignment.pod_sets.size();
    for (uint32_t member : members) assignment.pod_sets.push_back(std::move(results[member]));
    if (!AssignGroup(members, assignment)) break;
    for (size_t i = first; i < assignment.pod_sets.size(); ++i) {
      const PodSetResult& result = assignment.pod_sets[i];
      for (const Choice& choice : result.choices) {
        const int64_t amount = resources::SaturatingSub(AmountOf(result.requests, choice.resource),
                                                        HeldBefore(result.index, choice.resource));
        assignment.AddUsage(choice.cell, choice.slot, Amount(amount));
        assignment.level = std::max(assignment.level, choice.rating.level);
      }
    }
  }
  std::sort(assignment.pod_sets.begin(), assignment.pod_sets.end(),
            [](const PodSetResult& a, const PodSetResult& b) { return a.index < b.index; });
  return assignment;
}

// The last `members.size()` results of the assignment are the members'. False if the group failed.
bool Assigner::AssignGroup(const Members& members, Assignment& assignment) {
  PodSetResult* const results = &assignment.pod_sets[assignment.pod_sets.size() - members.size()];
  RequestVector sum;
  if (members.size() > 1) sum = results[0].requests;
  for (size_t i = 1; i < members.size(); ++i) {
    AddRequests(sum, results[i].requests, world_.catalog);
  }
  const RequestVector& requests = members.size() > 1 ? sum : results[0].requests;
  std::vector<Choice> choices;
  const auto first_attempt = static_cast<uint32_t>(assignment.attempts.size());
  bool failed = false, complained = false;
  ResourceId uncovered;
  for (const ResourceAmount& entry : requests) {
    const bool done = std::any_of(choices.begin(), choices.end(), [&](const Choice& choice) {
      return choice.resource == entry.resource;
    });
    if (done) continue;
    if (!queue_.rules.PlaceOf(entry.resource).valid()) {
      const bool ignored =
          world_.config.gates.quota_check_strategy && world_.config.ignore_undeclared_resources;
      if (entry.amount == 0 || ignored) continue;  // §1.11
      uncovered = entry.resource;
      failed = true;
      break;
    }
    Scan scan = ScanGroup(members, entry.resource, requests, assignment);
    failed = !scan.found;
    complained |= scan.found && scan.best.fitness != Fitness::kFit;
    if (failed) break;
    if (choices.empty()) {
      choices = std::move(scan.choices);
    } else {
      choices.insert(choices.end(), scan.choices.begin(), scan.choices.end());
    }
  }
  for (size_t i = 0; i < members.size(); ++i) {
    PodSetResult& result = results[i];
    result.failed = failed;
    result.complained = complained || failed;
    result.uncovered = uncovered;
    result.first_attempt = first_attempt;
    result.attempt_count = static_cast<uint32_t>(assignment.attempts.size()) - first_attempt;
    if (failed) continue;
    for (const Choice& choice : choices) {
      const bool requested = std::any_of(
          result.requests.begin(), result.requests.end(),
          [&](const ResourceAmount& entry) { return entry.resource == choice.resource; });
      // A grouped pod set that requests nothing takes places where its group does
      // (spec/topology.md §14.1).
      if (requested ||
          (result.requests.empty() && IsGrouped(result.index) && HasTopology(choice.flavor))) {
        result.choices.push_back(choice);
      }
    }
  }
  return !failed;
}

bool Assigner::IsGrouped(uint32_t pod_set) const {
  const auto& request = item_.demand->pod_sets[pod_set].spec->topology_request;
  return request && request->pod_set_group_name.has_value();
}

bool Assigner::HasTopology(FlavorId flavor) const {
  const api::ResourceFlavor* const object = world_.FindFlavor(flavor);
  return world_.config.gates.topology_aware_scheduling && object != nullptr &&
         object->spec.topology_name.has_value();
}

uint32_t Assigner::FirstFlavor(uint32_t pod_set, ResourceId driver, const RuleGroup& group) const {
  if (item_.progress == nullptr || !world_.config.gates.flavor_fungibility) return 0;
  const uint32_t first = item_.progress->NextIndex(pod_set, driver);
  return first < group.flavors.size() ? first : 0;  // flavors may have been removed (§6.9)
}

Refusal Assigner::Refuses(const Members& members, ResourceId driver, FlavorId flavor) const {
  if (pins_ != nullptr) {
    const bool pinned = std::any_of(pins_->begin(), pins_->end(), [&](const Pin& pin) {
      return pin.resource == driver && pin.flavor == flavor &&
             std::find(members.begin(), members.end(), pin.pod_set) != members.end();
    });
    if (!pinned) return Refusal::kPinnedElsewhere;
  }
  const api::ResourceFlavor* const object = world_.FindFlavor(flavor);
  EligibilityOptions options = eligibility_;
  if (const topology::Space* space = world_.atlas.Find(flavor)) {
    options.level_keys = &space->spec().keys;
  }
  const uint32_t group = queue_.rules.PlaceOf(driver).group;
  for (uint32_t member : members) {
    const PodSetDemand& demand = item_.demand->pod_sets[member];
    options.requests_nothing_of_group =
        std::none_of(demand.placed.begin(), demand.placed.end(), [&](const ResourceAmount& entry) {
          return queue_.rules.PlaceOf(entry.resource).group == group;
        });
    const Refusal refusal = CheckEligibility(*demand.spec, object, options);
    if (refusal != Refusal::kNone) return refusal;
  }
  return Refusal::kNone;
}

// Goes through the flavors of the driver's resource group in order (§6.4).
Assigner::Scan Assigner::ScanGroup(const Members& members, ResourceId driver,
                                   const RequestVector& requests, Assignment& assignment) {
  const uint32_t group_index = queue_.rules.PlaceOf(driver).group;
  const RuleGroup& group = queue_.rules.groups[group_index];
  const bool fungible = world_.config.gates.flavor_fungibility;
  Scan scan;
  scan.best = {Fitness::kNoFit, INT32_MAX};
  uint32_t last = 0;
  for (uint32_t i = FirstFlavor(members[0], driver, group); i < group.flavors.size(); ++i) {
    last = i;
    const FlavorId flavor = group.flavors[i].flavor;
    if (item_.variant != nullptr && !item_.variant->Allows(world_.catalog.Name(flavor))) {
      continue;  // §6.4 (2): not even a reason
    }
    Attempt attempt{members[0], group_index, flavor, Refuses(members, driver, flavor),
                    Fitness::kNoFit, static_cast<uint32_t>(assignment.cells.size()), 0};
    if (attempt.refusal != Refusal::kNone) {
      assignment.attempts.push_back(attempt);
      continue;
    }
    std::vector<Choice> choices;
    const Rating rating = RateFlavor(members, group, i, requests, assignment, choices);
    attempt.fitness = rating.fitness;
    attempt.cell_count = static_cast<uint32_t>(assignment.cells.size()) - attempt.first_cell;
    assignment.attempts.push_back(attempt);
    const bool stop = fungible ? TakeIt(rating) : rating.fitness == Fitness::kFit;
    const bool better = fungible ? Better(rating, scan.best, queue_.rules.level_before_mode)
                                 : rating.fitness > scan.best.fitness;
    if (stop || better) {
      scan.best = rating;
      scan.choices = std::move(choices);
    }
    if (stop) break;
  }
  scan.found = scan.best.fitness != Fitness::kNoFit;
  const bool at_end = last + 1 == group.flavors.size();
  for (Choice& choice : scan.choices) {
    const bool over = at_end && !Mutated(kLastFlavorIsNotTheEnd);
    choice.tried = !fungible ? 0 : over ? -1 : static_cast<int32_t>(last);  // §6.7
  }
  return scan;
}

// §11: flavors must be the ones of the replaced slice; matched by place.
bool Assigner::HasOtherFlavorBefore(const Members& members, ResourceId resource,
                                    FlavorId flavor) const {
  if (old_slice_ == nullptr) return false;
  const auto& before = old_slice_->admission()->pod_set_assignments;
  const std::string& name = world_.catalog.Name(resource);
  return std::any_of(members.begin(), members.end(), [&](uint32_t member) {
    if (member >= before.size()) return true;
    const auto found = before[member].flavors.find(name);
    return found == before[member].flavors.end() || found->second != world_.catalog.Name(flavor);
  });
}

Rating Assigner::RateFlavor(const Members& members, const RuleGroup& group, uint32_t flavor_index,
                            const RequestVector& requests, Assignment& assignment,
                            std::vector<Choice>& choices) {
  const RuleFlavor& flavor = group.flavors[flavor_index];
  Rating worst{Fitness::kFit, 0};
  for (const ResourceAmount& entry : requests) {
    const QueueRules::Place place = queue_.rules.PlaceOf(entry.resource);
    if (!place.valid() || &queue_.rules.groups[place.group] != &group) continue;
    const uint32_t slot = flavor.slots[place.index];
    const CellId cell = queue_.node->slots[slot].cell;
    int64_t before = 0;
    for (uint32_t member : members) before += HeldBefore(member, entry.resource);
    const Amount amount =
        assignment.UsageOf(slot) + Amount(resources::SaturatingSub(entry.amount, before));
    CellAttempt attempt = RateCell(cell, slot, amount);
    if (HasOtherFlavorBefore(members, entry.resource, flavor.flavor)) {
      attempt.rating = {Fitness::kNoFit, 0};
      attempt.shortage = Shortage::kNoMatchingFlavor;
    }
    attempt.resource = entry.resource;
    assignment.cells.push_back(attempt);
    choices.push_back({entry.resource, flavor.flavor, cell, slot, attempt.rating, 0});
    // The single worst pair, not the worst of each component (§16 (49)).
    if (Better(worst, attempt.rating, queue_.rules.level_before_mode)) worst = attempt.rating;
  }
  return worst;
}

CellAttempt Assigner::RateCell(CellId cell, uint32_t slot, Amount amount) {
  const Slot& own = queue_.node->slots[slot];
  CellAttempt out;
  out.requested = amount;
  out.used = own.usage;
  out.nominal = own.nominal;
  out.potential = own.potential;
  out.available = QuotaTree::AvailableToQueue(*queue_.node, slot);
  if (amount > out.potential) {
    out.rating = {Fitness::kNoFit, 0};
    out.shortage = Shortage::kExceedsMaxQuota;
    return out;
  }
  const FittingLevel level = LowestFit(*queue_.node, slot, amount);
  if (amount <= out.available) {
    out.rating = {Fitness::kFit, level.height};
    return out;
  }
  out.shortage = Shortage::kWaitingForQuota;
  const bool may_preempt =
      own.nominal >= amount || level.below_root || queue_.rules.may_preempt_borrowing;
  out.rating = may_preempt ? AskOracle(cell, slot, amount, level.height)
                           : Rating{Fitness::kNoFit, level.height};
  return out;
}

const std::vector<Victim>& Assigner::VictimsForCell(const SlotAmount& want) {
  for (const Answer& known : answers_) {
    if (known.want.slot == want.slot && known.want.amount == want.amount) return known.victims;
  }
  VictimSearch search(world_, item_, queue_, {want}, {want.cell});
  return answers_.emplace_back(Answer{want, search.Find()}).victims;
}

// Would victims make room for this amount alone (§6.6)? The level is that after they are gone.
Rating Assigner::AskOracle(CellId cell, uint32_t slot, Amount amount, int level) {
  const std::vector<Victim>& victims = VictimsForCell({cell, slot, amount});
  if (victims.empty()) return {Fitness::kNoCandidates, level};
  const QuotaTree::Mark mark = world_.tree.Here();
  bool own = false;
  for (const Victim& victim : victims) {
    own |= victim.item->accounted_in == &queue_;
    TakeFromView(world_.tree, victim.item);
  }
  const int level_after = LowestFit(*queue_.node, slot, amount).height;
  world_.tree.Undo(mark);
  return {own ? Fitness::kPreempt : Fitness::kReclaim, level_after};
}

// §6.7.
bool Assigner::TakeIt(const Rating& rating) const {
  if (rating.fitness <= Fitness::kNoCandidates) return false;
  if (rating.fitness != Fitness::kFit && queue_.rules.next_when_preempting &&
      !Mutated(kStopsToPreempt)) {
    return false;
  }
  return !(rating.level > 0 && queue_.rules.next_when_borrowing) || Mutated(kStopsToBorrow);
}

}  // namespace kueue::scheduling
