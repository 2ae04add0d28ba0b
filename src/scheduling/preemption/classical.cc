#include "scheduling/preemption/classical.h"

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
  CollectOwn();
  if (hierarchy_.empty() && priority_.empty() && own_.empty()) return {};
  const std::vector<bool> attempts = Attempts();
  const Candidates sequence = InSequence();
  for (const bool borrowing : attempts) {
    std::vector<Victim> victims = Attempt(sequence, borrowing);
    if (!victims.empty()) return victims;
  }
  return {};
}

void ClassicalSearch::CollectOwn() {
  s_.ForCandidates(s_.queue_, s_.queue_.rules.within_queue, [&](WorkItem* item) {
    own_.push_back({item, nullptr, PreemptionReason::kInClusterQueue, false});
  });
}

void ClassicalSearch::CollectForeign() {
  const Node& node = *s_.queue_.node;
  if (node.parent == nullptr || Forbids(s_.queue_.rules.reclaim)) return;
  std::vector<SlotAmount> rest = s_.amounts_;
  // The first level's advantage is decided by the queue's own quota, the next by the subtree
  // below; once gained it holds (§7.4).
  bool advantage = FitsIn(node, rest);
  const Node* skip = nullptr;
  for (const Node* cohort = node.parent; cohort != nullptr; cohort = cohort->parent) {
    CollectBorrowers(*cohort, skip, *cohort, advantage);
    advantage |= FitsIn(*cohort, rest);
    skip = cohort;
  }
}

void ClassicalSearch::CollectBorrowers(const Node& cohort, const Node* skip, const Node& common,
                                       bool advantage) {
  for (const Node* child : cohort.children) {
    if (child == skip || child == s_.queue_.node) continue;
    if (child->is_queue() && !child->in_view) continue;
    if (QuotaTree::WithinNominal(*child, s_.needed_)) continue;
    if (!child->is_queue()) {
      CollectBorrowers(*child, nullptr, common, advantage);
      continue;
    }
    Candidates& list = advantage ? hierarchy_ : priority_;
    s_.ForCandidates(*child->queue, s_.queue_.rules.reclaim, [&](WorkItem* item) {
      list.push_back(Foreign(item, common, advantage));
    });
  }
}

ClassicalSearch::Candidate ClassicalSearch::Foreign(WorkItem* item, const Node& common,
                                                    bool advantage) const {
  const QueueRules& rules = s_.queue_.rules;
  if (advantage) return {item, &common, PreemptionReason::kInCohortReclamation, false};
  const bool above_threshold =
      rules.max_priority_threshold && item->priority > *rules.max_priority_threshold;
  if (rules.borrowing_forbidden || item->priority >= s_.preemptor_.priority || above_threshold) {
    return {item, &common, PreemptionReason::kInCohortReclamation, true};
  }
  return {item, &common, PreemptionReason::kInCohortReclaimWhileBorrowing, false};
}

// Those that leave anyway first, then foreign before own (§7.4).
ClassicalSearch::Candidates ClassicalSearch::InSequence() {
  Candidates sequence;
  sequence.reserve(hierarchy_.size() + priority_.size() + own_.size());
  for (Candidates* list : {&hierarchy_, &priority_, &own_}) {
    std::sort(list->begin(), list->end(), [&](const Candidate& a, const Candidate& b) {
      return s_.Before(*a.item, *b.item);
    });
  }
  for (const bool leaving : {true, false}) {
    for (const Candidates* list : {&hierarchy_, &priority_, &own_}) {
      for (const Candidate& candidate : *list) {
        if (candidate.item->leaving() == leaving) sequence.push_back(candidate);
      }
    }
  }
  return sequence;
}

// With borrowing or without, in which order (§7.5).
std::vector<bool> ClassicalSearch::Attempts() const {
  const bool forbidden = s_.queue_.rules.borrowing_forbidden;
  const Node& node = *s_.queue_.node;
  const bool full = std::any_of(s_.needed_.begin(), s_.needed_.end(), [&](CellId cell) {
    const Slot* slot = node.Find(cell);
    return slot == nullptr || slot->usage >= slot->nominal;
  });
  if ((hierarchy_.empty() && priority_.empty()) || (forbidden && full)) return {true};
  if (forbidden && hierarchy_.empty()) return {false, true};
  return {true, false};
}

// Checked again when its turn comes (§7.4).
bool ClassicalSearch::StillValid(const Candidate& candidate, bool borrowing) const {
  if (candidate.common == nullptr) return true;
  if (borrowing && candidate.only_without_borrowing) return false;
  for (const Node* node = candidate.item->accounted_in->node; node != candidate.common;
       node = node->parent) {
    if (QuotaTree::WithinNominal(*node, s_.needed_)) return false;
  }
  return true;
}

std::vector<Victim> ClassicalSearch::Attempt(const Candidates& sequence, bool borrowing) const {
  QuotaTree& tree = s_.world_.tree;
  const QuotaTree::Mark mark = tree.Here();
  std::vector<Victim> victims;
  bool done = false;
  for (const Candidate& candidate : sequence) {
    if (!StillValid(candidate, borrowing)) continue;
    TakeFromView(tree, candidate.item);
    victims.push_back({candidate.item, candidate.reason});
    done = s_.Fits(borrowing);
    if (done) break;
  }
  if (done) s_.FillBack(victims, borrowing);
  tree.Undo(mark);
  return done ? victims : std::vector<Victim>();
}

}  // namespace kueue::scheduling
