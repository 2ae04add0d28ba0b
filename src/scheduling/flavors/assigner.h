#pragma once

#include <vector>

#include "scheduling/flavors/assignment.h"
#include "scheduling/preemption/search.h"
#include "scheduling/world.h"

namespace kueue::scheduling {

// Flavors that a recomputation may use (spec/scheduling.md §5.6): those chosen before.
struct Pin {
  uint32_t pod_set = 0;
  ResourceId resource;
  FlavorId flavor;
};

// Goes through the pod sets and resource groups of one workload (§6.3). Leaves usage as it found
// it; needs the tree's journal to be on.
class Assigner {
 public:
  Assigner(World& world, const WorkItem& item, const ClusterQueue& queue);

  // From now on only these flavors. `pins` must stay.
  void PinTo(const std::vector<Pin>* pins) { pins_ = pins; }
  // The workload replaces a running slice (§11): only the growth counts.
  void Replacing(const WorkItem* old_slice);

  Assignment Assign(const std::vector<int32_t>& counts);

  // The victims that make room for this amount in one cell (§6.6); asked once per amount, since
  // nothing changes while one workload is looked at. The reference stays good until the next call.
  const std::vector<Victim>& VictimsForCell(const SlotAmount& want);

  // What the pod set at this place of the replaced slice held; 0 without one.
  int64_t HeldBefore(uint32_t pod_set, ResourceId resource) const;

 private:
  using Members = std::vector<uint32_t>;
  struct Scan {
    bool found = false;
    Rating best;
    std::vector<Choice> choices;
  };
  std::vector<Members> GroupPodSets() const;
  bool AssignGroup(const Members& members, Assignment& assignment);
  Scan ScanGroup(const Members& members, ResourceId driver, const RequestVector& requests,
                 Assignment& assignment);
  uint32_t FirstFlavor(uint32_t pod_set, ResourceId driver, const RuleGroup& group) const;
  Refusal Refuses(const Members& members, ResourceId driver, FlavorId flavor) const;
  // Rates every requested resource of the group in one flavor; the worst counts (§6.4 step 4).
  Rating RateFlavor(const Members& members, const RuleGroup& group, uint32_t flavor_index,
                    const RequestVector& requests, Assignment& assignment,
                    std::vector<Choice>& choices);
  CellAttempt RateCell(CellId cell, uint32_t slot, Amount amount);
  Rating AskOracle(CellId cell, uint32_t slot, Amount amount, int level);
  bool TakeIt(const Rating& rating) const;
  bool IsGrouped(uint32_t pod_set) const;
  bool HasTopology(FlavorId flavor) const;
  bool HasOtherFlavorBefore(const Members& members, ResourceId resource, FlavorId flavor) const;

  World& world_;
  const WorkItem& item_;
  const ClusterQueue& queue_;
  const std::vector<Pin>* pins_ = nullptr;
  const WorkItem* old_slice_ = nullptr;
  std::vector<RequestVector> held_before_;  // by pod set, with a replaced slice
  EligibilityOptions eligibility_;
  struct Answer {
    SlotAmount want;
    std::vector<Victim> victims;
  };
  std::vector<Answer> answers_;
};

// The lowest subtree with room for the amount (§6.6): its height, and whether something is above.
struct FittingLevel {
  int height = 0;
  bool below_root = false;
};
FittingLevel LowestFit(const Node& queue, uint32_t slot, Amount amount);

}  // namespace kueue::scheduling
