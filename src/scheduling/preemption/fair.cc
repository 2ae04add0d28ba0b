#include "scheduling/preemption/fair.h"

#include <algorithm>

#include "scheduling/fairness/share.h"

namespace kueue::scheduling {
namespace {

using Strategy = FairPreemptionStrategy;

// The nodes just below the lowest common ancestor, on the preemptor's and the target's side.
struct Sides {
  const Node* preemptor;
  const Node* target;
};

int Depth(const Node* node) {
  int depth = 0;
  for (; node->parent != nullptr; node = node->parent) ++depth;
  return depth;
}

Sides BelowCommonAncestor(const Node* preemptor, const Node* target) {
  int p = Depth(preemptor), t = Depth(target);
  for (; p > t; --p) preemptor = preemptor->parent;
  for (; t > p; --t) target = target->parent;
  while (preemptor->parent != target->parent) {
    preemptor = preemptor->parent;
    target = target->parent;
  }
  return {preemptor, target};
}

}  // namespace

std::vector<WorkItem*> FairSearch::Collect() const {
  std::vector<WorkItem*> found;
  const auto keep = [&](WorkItem* item) { found.push_back(item); };
  const QueueRules& rules = s_.queue_.rules;
  s_.ForCandidates(s_.queue_, rules.within_queue, keep);
  const Node* const own = s_.queue_.node;
  if (own->parent != nullptr && !Forbids(rules.reclaim)) {
    std::vector<Node*> queues;
    CollectQueues(own->root, queues);
    for (const Node* queue : queues) {
      if (queue == own || !queue->in_view) continue;
      const bool borrowing =
          std::any_of(s_.needed_.begin(), s_.needed_.end(), [&](CellId cell) {
            const Slot* slot = queue->Find(cell);
            return slot != nullptr && slot->usage > slot->nominal;
          });
      if (borrowing) s_.ForCandidates(*queue->queue, rules.reclaim, keep);
    }
  }
  std::sort(found.begin(), found.end(),
            [&](const WorkItem* a, const WorkItem* b) { return s_.Before(*a, *b); });
  return found;
}

void FairSearch::AddOwnAmounts() {
  for (const SlotAmount& want : s_.amounts_) tree_.Add(s_.queue_.node, want.slot, want.amount);
}

void FairSearch::RemoveOwnAmounts() {
  for (const SlotAmount& want : s_.amounts_) tree_.Remove(s_.queue_.node, want.slot, want.amount);
}

std::vector<Victim> FairSearch::Find() {
  const std::vector<WorkItem*> candidates = Collect();
  if (candidates.empty()) return {};
  const QuotaTree::Mark mark = tree_.Here();
  strategies_ = s_.world_.config.fair_sharing->preemption_strategies;
  if (strategies_.empty()) {
    strategies_ = {Strategy::kLessThanOrEqualToFinalShare, Strategy::kLessThanInitialShare};
  }
  AddOwnAmounts();
  const Node& own = *s_.queue_.node;
  within_nominal_ = s_.world_.config.gates.fair_sharing_preempt_within_nominal &&
                    std::all_of(s_.needed_.begin(), s_.needed_.end(), [&](CellId cell) {
                      const Slot* slot = own.Find(cell);
                      return slot == nullptr || slot->usage <= slot->nominal;
                    });
  FirstStrategy(candidates);
  if (!done_ && strategies_.size() > 1) SecondStrategy();
  if (done_) {
    RemoveOwnAmounts();
    s_.FillBack(victims_, true);
  } else {
    victims_.clear();
  }
  tree_.Undo(mark);
  return std::move(victims_);
}

bool FairSearch::Take(WorkItem* item, PreemptionReason reason) {
  TakeFromView(tree_, item);
  victims_.push_back({item, reason});
  const QuotaTree::Mark mark = tree_.Here();
  RemoveOwnAmounts();
  done_ = s_.Fits(true);
  tree_.Undo(mark);
  return done_;
}

void FairSearch::FirstStrategy(const std::vector<WorkItem*>& candidates) {
  Node* const own = s_.queue_.node;
  TargetOrder order(tree_, own, candidates, [&](const WorkItem& a, const WorkItem& b) {
    return s_.Before(a, b);
  });
  while (Node* target = order.Next()) {
    WorkItem* chosen = nullptr;
    PreemptionReason reason = PreemptionReason::kInCohortFairSharing;
    if (target == own) {
      chosen = order.PopFrom(target);
      reason = PreemptionReason::kInClusterQueue;
    } else if (within_nominal_) {
      chosen = order.PopFrom(target);
      reason = PreemptionReason::kInCohortReclamation;
    } else {
      chosen = FirstUnfair(order, target);
    }
    if (chosen != nullptr && Take(chosen, reason)) return;
  }
}

WorkItem* FairSearch::FirstUnfair(TargetOrder& order, const Node* target) {
  const Sides sides = BelowCommonAncestor(s_.queue_.node, target);
  const Share mine = tree_.ShareOf(*sides.preemptor);
  const Share theirs = tree_.ShareOf(*sides.target);
  if (mine.endless && !theirs.endless) {
    const std::vector<WorkItem*> left = order.TakeAll(target);
    retry_.insert(retry_.end(), left.begin(), left.end());
    return nullptr;
  }
  while (WorkItem* item = order.PopFrom(target)) {
    bool passed = false;
    if (strategies_[0] == Strategy::kLessThanInitialShare) {
      passed = ShareLess(mine, theirs);
    } else {
      const QuotaTree::Mark mark = tree_.Here();
      TakeFromView(tree_, item);
      passed = !ShareLess(tree_.ShareOf(*sides.target), mine);
      tree_.Undo(mark);
    }
    if (passed) return item;
    retry_.push_back(item);
  }
  return nullptr;
}

void FairSearch::SecondStrategy() {
  TargetOrder order(tree_, s_.queue_.node, retry_, [&](const WorkItem& a, const WorkItem& b) {
    return s_.Before(a, b);
  });
  while (Node* target = order.Next()) {
    WorkItem* const item = order.PopFrom(target);
    order.TakeAll(target);  // one a queue (§16 (72))
    const Sides sides = BelowCommonAncestor(s_.queue_.node, target);
    const bool passed =
        ShareLess(tree_.ShareOf(*sides.preemptor), tree_.ShareOf(*sides.target));
    if (passed && Take(item, PreemptionReason::kInCohortFairSharing)) return;
  }
}

}  // namespace kueue::scheduling
