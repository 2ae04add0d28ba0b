#include "scheduling/preemption/search.h"

#include <algorithm>

#include "scheduling/mutation.h"
#include "scheduling/preemption/candidates.h"
#include "scheduling/preemption/classical.h"
#include "scheduling/preemption/fair.h"

namespace kueue::scheduling {

const char* NameOf(PreemptionReason reason) {
  switch (reason) {
    case PreemptionReason::kInClusterQueue:
      return "InClusterQueue";
    case PreemptionReason::kInCohortReclamation:
      return "InCohortReclamation";
    case PreemptionReason::kInCohortFairSharing:
      return "InCohortFairSharing";
    case PreemptionReason::kInCohortReclaimWhileBorrowing:
      return "InCohortReclaimWhileBorrowing";
  }
  return "";
}

void TakeFromView(QuotaTree& tree, WorkItem* item) {
  Node* const node = item->accounted_in->node;
  for (const CellUse& use : item->usage) tree.Remove(node, use.slot, Amount(use.amount));
  if (!item->domains.empty()) tree.atlas()->TakeOut(item->domains);
  tree.Hide(item, true);
}

void PutIntoView(QuotaTree& tree, WorkItem* item) {
  Node* const node = item->accounted_in->node;
  for (const CellUse& use : item->usage) tree.Add(node, use.slot, Amount(use.amount));
  if (!item->domains.empty()) tree.atlas()->PutBack(item->domains);
  tree.Hide(item, false);
}

VictimSearch::VictimSearch(World& world, const WorkItem& preemptor, const ClusterQueue& queue,
                           std::vector<SlotAmount> amounts, std::vector<CellId> needed,
                           const std::vector<topology::Want>* wants)
    : world_(world),
      preemptor_(preemptor),
      queue_(queue),
      amounts_(std::move(amounts)),
      needed_(std::move(needed)),
      wants_(wants) {}

std::vector<Victim> VictimSearch::Search() const {
  return world_.config.fair_sharing ? FairSearch(*this).Find() : ClassicalSearch(*this).Find();
}

// Work that uses nothing of what is short may still sit on the nodes: it takes a pod's slot, or cpu
// where only GPUs are asked for. It is asked to leave only when nobody else can make room (reports
// T11), so that nothing changes where the others suffice.
// Which policy a queue needs for whom: §8.
std::vector<Victim> VictimSearch::Find() const {
  std::vector<Victim> victims = Search();
  if (!victims.empty() || wants_ == nullptr || wants_->empty()) return victims;
  const bool others =
      std::any_of(world_.queues.begin(), world_.queues.end(), [&](const ClusterQueue* queue) {
        return std::any_of(queue->accounted.begin(), queue->accounted.end(),
                           [&](const WorkItem* item) { return OnlyKeepsPlaces(*item); });
      });
  return others ? VictimSearch(*this, Wider()).Search() : victims;
}

bool VictimSearch::HoldsNeeded(const WorkItem& candidate) const {
  // By flavor assignment, even with amount 0 (§7.1).
  return std::any_of(candidate.usage.begin(), candidate.usage.end(), [&](const CellUse& use) {
    return std::find(needed_.begin(), needed_.end(), use.cell) != needed_.end();
  });
}

bool VictimSearch::OnlyKeepsPlaces(const WorkItem& candidate) const {
  if (HoldsNeeded(candidate)) return false;
  return std::any_of(candidate.domains.begin(), candidate.domains.end(), [&](const DomainUse& use) {
    return std::any_of(wants_->begin(), wants_->end(),
                       [&](const topology::Want& want) { return want.flavor == use.flavor; });
  });
}

bool VictimSearch::Permits(PreemptionPolicy policy, const WorkItem& candidate) const {
  const bool own = candidate.accounted_in == &queue_;
  if (own && preemptor_.queue_priority != candidate.queue_priority) {
    return !Forbids(policy) && (policy == PreemptionPolicy::kAny ||
                                preemptor_.queue_priority > candidate.queue_priority);
  }
  switch (policy) {
    case PreemptionPolicy::kUnset:
    case PreemptionPolicy::kNever:
      return false;
    case PreemptionPolicy::kAny:
      return true;
    case PreemptionPolicy::kLowerPriority:
      return Mutated(kLowerPriorityTakesEqual) ? preemptor_.priority >= candidate.priority
                                               : preemptor_.priority > candidate.priority;
    case PreemptionPolicy::kLowerOrNewerEqualPriority:
      return preemptor_.priority > candidate.priority ||
             (preemptor_.priority == candidate.priority &&
              (Mutated(kEqualPriorityTakesOlder) ? preemptor_.order_time > candidate.order_time
                                                 : preemptor_.order_time < candidate.order_time));
  }
  return false;
}

bool VictimSearch::MayTake(PreemptionPolicy policy, const WorkItem& candidate) const {
  if (candidate.hidden || &candidate == &preemptor_ || !Permits(policy, candidate)) return false;
  if (!HoldsNeeded(candidate) && !(beside_ && OnlyKeepsPlaces(candidate))) return false;
  if (!candidate.accounted_in->policies.spares()) return true;
  const auto spared = SparesNow(candidate, preemptor_, world_.cycle_time);
  KeepEarlier(spared, world_.spared);
  return !spared;
}

bool VictimSearch::Before(const WorkItem& a, const WorkItem& b) const {
  if (a.leaving() != b.leaving()) return a.leaving();
  const bool a_own = a.accounted_in == &queue_, b_own = b.accounted_in == &queue_;
  if (a_own != b_own) return b_own != Mutated(kOwnVictimsFirst);
  return GoesBefore(a, b);
}

bool VictimSearch::Fits(bool borrowing) const {
  const Node& node = *queue_.node;
  const bool fits = std::all_of(amounts_.begin(), amounts_.end(), [&](const SlotAmount& want) {
    const Slot& slot = node.slots[want.slot];
    if (!borrowing && !Mutated(kAttemptMayAlwaysBorrow) &&
        slot.nominal < slot.usage + want.amount) {
      return false;
    }
    return want.amount <= QuotaTree::AvailableToQueue(node, want.slot);
  });
  if (!fits || wants_ == nullptr || wants_->empty()) return fits;
  topology::Occasion occasion;
  occasion.explain = false;
  return world_.atlas.Place(*wants_, occasion).ok();
}

void VictimSearch::FillBack(std::vector<Victim>& victims, bool borrowing) const {
  for (size_t i = victims.size() < 2 ? 0 : victims.size() - 1; i-- > 0;) {
    WorkItem* const item = victims[i].item;
    PutIntoView(world_.tree, item);
    if (Fits(borrowing) && !Mutated(kNobodyIsFilledBack)) {
      victims[i] = victims.back();
      victims.pop_back();
    } else {
      TakeFromView(world_.tree, item);
    }
  }
}

}  // namespace kueue::scheduling
