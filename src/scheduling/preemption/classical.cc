#include "scheduling/preemption/classical.h"
#include "scheduling/mutation.h"

#include <algorithm>

namespace kueue::scheduling {
namespace {

// Room in the subtree's own quota; `rest` becomes what has to be found above (§7.4).
bool FitsIn(const Node& node, std::vector<SlotAmount>& rest) {
  bool fits = true;
  for (SlotAmount& want : rest) {
    const Slot& slot = node.slots[want.slot];
    fits &= slot.subtree >= slot.usage + want.amount;
    want.amount = std::max(Amount(0), want.amount - slot.LocalAvailable());
    want.slot = slot.parent_slot;
  }
  return fits;
}

}  // namespace

std::vector<Victim> ClassicalSearch::Find() {
  CollectForeign();
  const PreemptionPolicy own = s_.queue_.rules.within_queue;
  if (!Forbids(own)) AddStream(kOwn, VictimsOf(s_.world_.tree, s_.queue_), own, nullptr, nullptr);
  if (Empty(kHierarchy) && Empty(kPriority) && Empty(kOwn)) return {};
  for (const bool borrowing : Attempts()) {
    std::vector<Victim> victims = Attempt(borrowing);
    if (!victims.empty()) return victims;
  }
  return {};
}

void ClassicalSearch::AddStream(List list, const VictimList& victims, PreemptionPolicy policy,
                                const Node* common, const Node* not_below) {
  const CandidateCursor leaving(s_, victims, policy, CandidatePart::kLeaving, not_below);
  if (leaving.item() != nullptr) leaving_[list].push_back({leaving, common});
  const CandidateCursor staying(s_, victims, policy, CandidatePart::kStaying, not_below);
  if (staying.item() != nullptr) staying_[list].push_back({staying, common});
}

void ClassicalSearch::CollectForeign() {
  const Node& node = *s_.queue_.node;
  const PreemptionPolicy policy = s_.queue_.rules.reclaim;
  if (node.parent == nullptr || Forbids(policy)) return;
  std::vector<SlotAmount> rest = s_.amounts_;
  // The first level's advantage is decided by the queue's own quota, the next by the subtree
  // below; once gained it holds (§7.4).
  bool advantage = FitsIn(node, rest);
  const Node* below = &node;
  for (const Node* cohort = node.parent; cohort != nullptr; cohort = cohort->parent) {
    borrowers_.push_back(BorrowersBelow(s_.world_.tree, *cohort, s_.needed_));
    AddStream(advantage ? kHierarchy : kPriority, *borrowers_.back(), policy, cohort, below);
    advantage |= FitsIn(*cohort, rest) && !Mutated(kNoAdvantageAbove);
    below = cohort;
  }
}

ClassicalSearch::Candidate ClassicalSearch::Classify(List list, const Stream& stream) const {
  WorkItem* const item = stream.cursor.item();
  const QueueRules& rules = s_.queue_.rules;
  if (list == kOwn) return {item, nullptr, PreemptionReason::kInClusterQueue, false};
  if (list == kHierarchy) {
    return {item, stream.common, PreemptionReason::kInCohortReclamation, false};
  }
  const bool above_threshold =
      rules.max_priority_threshold && item->priority > *rules.max_priority_threshold;
  if (rules.borrowing_forbidden || item->priority >= s_.preemptor_.priority || above_threshold) {
    return {item, stream.common, PreemptionReason::kInCohortReclamation, true};
  }
  return {item, stream.common, PreemptionReason::kInCohortReclaimWhileBorrowing, false};
}

std::vector<bool> ClassicalSearch::Attempts() const {
  const bool forbidden = s_.queue_.rules.borrowing_forbidden;
  const Node& node = *s_.queue_.node;
  const bool full = std::any_of(s_.needed_.begin(), s_.needed_.end(), [&](CellId cell) {
    const Slot* slot = node.Find(cell);
    return slot == nullptr || slot->usage >= slot->nominal;
  });
  if ((Empty(kHierarchy) && Empty(kPriority)) || (forbidden && full)) return {true};
  if (forbidden && Empty(kHierarchy) && !Mutated(kBorrowsFirst)) return {false, true};
  return {true, false};
}

// Checked again when its turn comes (§7.4).
bool ClassicalSearch::StillValid(const Candidate& candidate, bool borrowing) const {
  if (candidate.common == nullptr) return true;
  if (borrowing && candidate.only_without_borrowing && !Mutated(kBorrowerTakesAnybody))
    return false;
  for (const Node* node = candidate.item->accounted_in->node; node != candidate.common;
       node = node->parent) {
    if (QuotaTree::WithinNominal(*node, s_.needed_) && !Mutated(kTakesBelowNominal)) return false;
  }
  return true;
}

// The streams of a list are merged as far as needed.
bool ClassicalSearch::TakeFrom(List list, const Streams& streams, bool borrowing,
                               std::vector<Victim>& victims) const {
  Streams heap = streams;
  const auto later = [&](const Stream& a, const Stream& b) {
    return s_.Before(*b.cursor.item(), *a.cursor.item());
  };
  std::make_heap(heap.begin(), heap.end(), later);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    Stream& first = heap.back();
    const Candidate candidate = Classify(list, first);
    first.cursor.Next();
    if (first.cursor.item() != nullptr) {
      std::push_heap(heap.begin(), heap.end(), later);
    } else {
      heap.pop_back();
    }
    if (!StillValid(candidate, borrowing)) continue;
    TakeFromView(s_.world_.tree, candidate.item);
    victims.push_back({candidate.item, candidate.reason});
    if (s_.Fits(borrowing)) return true;
  }
  return false;
}

// Those that leave anyway first, then foreign before own (§7.4).
std::vector<Victim> ClassicalSearch::Attempt(bool borrowing) const {
  QuotaTree& tree = s_.world_.tree;
  const QuotaTree::Mark mark = tree.Here();
  std::vector<Victim> victims;
  bool done = false;
  for (const auto* part : {&leaving_, &staying_}) {
    for (const List list : {kHierarchy, kPriority, kOwn}) {
      done = done || TakeFrom(list, (*part)[list], borrowing, victims);
    }
  }
  if (done) s_.FillBack(victims, borrowing);
  tree.Undo(mark);
  return done ? victims : std::vector<Victim>();
}

}  // namespace kueue::scheduling
