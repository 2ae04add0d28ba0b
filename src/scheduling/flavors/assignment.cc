#include "scheduling/flavors/assignment.h"
#include "scheduling/mutation.h"

#include <algorithm>

namespace kueue::scheduling {

FlavorMode ModeOf(Fitness fitness) {
  if (fitness == Fitness::kNoFit) return FlavorMode::kNoFit;
  return fitness == Fitness::kFit ? FlavorMode::kFit : FlavorMode::kPreempt;
}

bool Better(const Rating& a, const Rating& b, bool level_first) {
  if (a.fitness == Fitness::kNoFit) return false;
  if (b.fitness == Fitness::kNoFit) return true;
  const bool a_hopeless = a.fitness == Fitness::kNoCandidates;
  const bool b_hopeless = b.fitness == Fitness::kNoCandidates;
  if (a_hopeless != b_hopeless) return b_hopeless != Mutated(kHopelessFlavorIsBetter);
  if (level_first && a.level != b.level && !Mutated(kBorrowingIsNotCompared)) {
    return a.level < b.level;
  }
  if (a.fitness != b.fitness) return a.fitness > b.fitness;
  return a.level < b.level;
}

const char* NameOf(Shortage shortage) {
  switch (shortage) {
    case Shortage::kNone:
      return "";
    case Shortage::kNoPlace:
      return "TopologyPlacementFailed";
    case Shortage::kWaitingForQuota:
      return "WaitingForQuota";
    case Shortage::kExceedsMaxQuota:
      return "ExceedsMaxQuota";
    case Shortage::kNoMatchingFlavor:
      return "NoMatchingFlavor";
  }
  return "";
}

const Choice* PodSetResult::ChoiceFor(ResourceId resource) const {
  for (const Choice& choice : choices) {
    if (choice.resource == resource) return &choice;
  }
  return nullptr;
}

FlavorMode PodSetResult::mode() const {
  if (failed) return FlavorMode::kNoFit;
  if (!complained) return FlavorMode::kFit;
  if (choices.empty()) return FlavorMode::kNoFit;
  FlavorMode worst = FlavorMode::kFit;
  for (const Choice& choice : choices) worst = std::min(worst, ModeOf(choice.rating.fitness));
  return worst;
}

FlavorMode Assignment::mode() const {
  if (deferred) return FlavorMode::kDeferredFit;
  if (pod_sets.empty()) return FlavorMode::kNoFit;
  FlavorMode worst = FlavorMode::kFit;
  for (const PodSetResult& pod_set : pod_sets) worst = std::min(worst, pod_set.mode());
  return worst;
}

bool Assignment::HasPlaces() const {
  return std::any_of(pod_sets.begin(), pod_sets.end(),
                     [](const PodSetResult& pod_set) { return pod_set.place.has_value(); });
}

Amount Assignment::UsageOf(uint32_t slot) const {
  for (const SlotAmount& use : usage) {
    if (use.slot == slot) return use.amount;
  }
  return Amount(0);
}

void Assignment::AddUsage(CellId cell, uint32_t slot, Amount amount) {
  for (SlotAmount& use : usage) {
    if (use.slot != slot) continue;
    use.amount += amount;
    return;
  }
  usage.push_back({cell, slot, amount});
}

std::vector<CellId> Assignment::NeedingPreemption() const {
  std::vector<CellId> cells_needed;
  for (const PodSetResult& pod_set : pod_sets) {
    for (const Choice& choice : pod_set.choices) {
      if (ModeOf(choice.rating.fitness) != FlavorMode::kPreempt) continue;
      if (std::find(cells_needed.begin(), cells_needed.end(), choice.cell) == cells_needed.end()) {
        cells_needed.push_back(choice.cell);
      }
    }
  }
  return cells_needed;
}

}  // namespace kueue::scheduling
