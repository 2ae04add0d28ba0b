#pragma once

#include <string>
#include <vector>

#include "scheduling/flavors/assignment.h"
#include "scheduling/world.h"

// Who has to leave so that a workload fits (spec/scheduling.md §7).
namespace kueue::scheduling {

enum class PreemptionReason : uint8_t {
  kInClusterQueue,
  kInCohortReclamation,
  kInCohortFairSharing,
  kInCohortReclaimWhileBorrowing,
};
const char* NameOf(PreemptionReason reason);

struct Victim {
  WorkItem* item = nullptr;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;
};

// Membership and usage of an accounted workload leave the view, or come back (§3.2). Written to
// the journal.
void TakeFromView(QuotaTree& tree, WorkItem* item);
void PutIntoView(QuotaTree& tree, WorkItem* item);

// One search: for one workload in one queue. Leaves the view exactly as it was (§7.8); needs the
// journal to be on.
class VictimSearch {
 public:
  // `amounts`: what has to fit, in the queue's slots. `needed`: the cells for which preemption is
  // wanted; a candidate uses at least one of them. `wants`: what has to find places as well
  // (spec/topology.md §14.4), or null; has to stay.
  VictimSearch(World& world, const WorkItem& preemptor, const ClusterQueue& queue,
               std::vector<SlotAmount> amounts, std::vector<CellId> needed,
               const std::vector<topology::Want>* wants = nullptr);

  // Empty if there is no way. The order means nothing.
  std::vector<Victim> Find() const;

  const WorkItem& preemptor() const { return preemptor_; }
  const std::vector<CellId>& needed() const { return needed_; }
  // In view, permitted by the policy, and holding something needed.
  bool MayTake(PreemptionPolicy policy, const WorkItem& candidate) const;

 private:
  // What is needed, and also those who only keep places busy (reports T11).
  struct Wider {};
  VictimSearch(const VictimSearch& other, Wider) : VictimSearch(other) { beside_ = true; }
  VictimSearch(const VictimSearch&) = default;
  std::vector<Victim> Search() const;
  bool HoldsNeeded(const WorkItem& candidate) const;
  bool OnlyKeepsPlaces(const WorkItem& candidate) const;
  friend class ClassicalSearch;
  friend class FairSearch;
  friend class TargetOrder;
  // §7.1.
  bool Permits(PreemptionPolicy policy, const WorkItem& candidate) const;
  // The order in which candidates are tried (§7.2); total.
  bool Before(const WorkItem& a, const WorkItem& b) const;
  // §7.3.
  bool Fits(bool borrowing) const;
  // §7.6: puts back who is not needed.
  void FillBack(std::vector<Victim>& victims, bool borrowing) const;

  World& world_;
  const WorkItem& preemptor_;
  const ClusterQueue& queue_;
  const std::vector<SlotAmount> amounts_;
  const std::vector<CellId> needed_;
  const std::vector<topology::Want>* const wants_;
  bool beside_ = false;
};

// Quota reserves nothing from these policies.
inline bool Forbids(PreemptionPolicy policy) {
  return policy == PreemptionPolicy::kNever || policy == PreemptionPolicy::kUnset;
}

}  // namespace kueue::scheduling
