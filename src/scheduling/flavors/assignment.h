#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scheduling/flavors/eligibility.h"
#include "scheduling/model/queue_rules.h"
#include "scheduling/model/work_item.h"
#include "scheduling/plan.h"
#include "scheduling/topology/atlas.h"

namespace kueue::scheduling {

// How well one resource fits one flavor, worst to best (spec/scheduling.md §6.1).
enum class Fitness : uint8_t { kNoFit, kNoCandidates, kPreempt, kReclaim, kFit };
FlavorMode ModeOf(Fitness fitness);

struct Rating {
  Fitness fitness = Fitness::kFit;
  int level = 0;  // borrowing height, 0 is best
};
// Strict preference (§6.2). `level_first`: preference PreemptionOverBorrowing.
bool Better(const Rating& a, const Rating& b, bool level_first);

// The flavor given to one resource of a pod set.
struct Choice {
  ResourceId resource;
  FlavorId flavor;
  CellId cell;
  uint32_t slot = 0;
  Rating rating;
  int32_t tried = 0;  // index of the last flavor attempted; -1: it was the last of the group
};

// Why a resource does not simply fit; also the severity order of §6.12 (larger is worse).
enum class Shortage : uint8_t {
  kNone, kNoPlace, kWaitingForQuota, kExceedsMaxQuota, kNoMatchingFlavor,
};
const char* NameOf(Shortage shortage);

// One resource tried in one flavor, with the numbers of that moment.
struct CellAttempt {
  ResourceId resource;
  Rating rating;
  Shortage shortage = Shortage::kNone;
  Amount requested, used, nominal, available, potential;
};
// One flavor tried for one resource group of a pod set.
struct Attempt {
  uint32_t pod_set = 0, group = 0;
  FlavorId flavor;
  Refusal refusal = Refusal::kNone;
  Fitness fitness = Fitness::kNoFit;
  uint32_t first_cell = 0, cell_count = 0;  // in Assignment::cells
};

struct PodSetResult {
  uint32_t index = 0;    // in the workload
  int32_t count = 0;
  RequestVector requests;  // at that count, with `pods` where counted (§1.8)
  std::vector<Choice> choices;
  bool failed = false;
  bool complained = false;      // some flavor did not simply fit (§6.8)
  ResourceId uncovered;         // no group has it; then failed
  uint32_t first_attempt = 0, attempt_count = 0;

  // ---- where its pods go (spec/topology.md §14.3)
  FlavorId topology_flavor;     // that it gets places in; none: it wants no topology
  std::string delayed;          // delayedTopologyRequest: "", Pending or Ready
  bool no_place = false;        // there would be none on an empty cluster either; then failed
  std::string place_problem;    // why there is no place right now
  // The same as data; null: nothing was looked for, or it was found.
  std::shared_ptr<const topology::Failure> place_failure;
  std::optional<topology::Given> place;

  const Choice* ChoiceFor(ResourceId resource) const;
  FlavorMode mode() const;
};

struct SlotAmount {
  CellId cell;
  uint32_t slot = 0;
  Amount amount;
};

// What flavors a whole workload would get.
struct Assignment {
  std::vector<PodSetResult> pod_sets;
  std::vector<SlotAmount> usage;  // net of a replaced slice (§11)
  int level = 0;
  bool deferred = false;          // DeferredFit (§5.6)
  std::vector<Attempt> attempts;
  std::vector<CellAttempt> cells;

  FlavorMode mode() const;
  Amount UsageOf(uint32_t slot) const;
  void AddUsage(CellId cell, uint32_t slot, Amount amount);
  bool HasPlaces() const;
  // Cells that want victims (§6.11).
  std::vector<CellId> NeedingPreemption() const;
};

}  // namespace kueue::scheduling
