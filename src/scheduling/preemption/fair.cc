#include "scheduling/preemption/fair.h"

#include <algorithm>

#include "scheduling/fairness/share.h"
#include "scheduling/mutation.h"

namespace kueue::scheduling {
namespace {

using Strategy = FairPreemptionStrategy;

// The nodes just below the lowest common ancestor, on the preemptor's and the target's side.
struct Sides {
  const Node* preemptor;
  Node* target;
};

int Depth(const Node* node) {
  int depth = 0;
  for (; node->parent != nullptr; node = node->parent) ++depth;
  return depth;
}

Sides BelowCommonAncestor(const Node* preemptor, Node* target) {
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

void FairSearch::AddOwnAmounts() {
  for (const SlotAmount& want : s_.amounts_) tree_.Add(s_.queue_.node, want.slot, want.amount);
}

void FairSearch::RemoveOwnAmounts() {
  for (const SlotAmount& want : s_.amounts_) tree_.Remove(s_.queue_.node, want.slot, want.amount);
}

std::vector<Victim> FairSearch::Find() {
  const QuotaTree::Mark mark = tree_.Here();
  strategies_ = s_.world_.config.fair_sharing->preemption_strategies;
  if (strategies_.empty()) {
    strategies_ = {Strategy::kLessThanOrEqualToFinalShare, Strategy::kLessThanInitialShare};
  }
  AddOwnAmounts();
  Node* const own = s_.queue_.node;
  within_nominal_ = s_.world_.config.gates.fair_sharing_preempt_within_nominal &&
                    std::all_of(s_.needed_.begin(), s_.needed_.end(), [&](CellId cell) {
                      const Slot* slot = own->Find(cell);
                      return slot == nullptr || slot->usage <= slot->nominal;
                    });
  TargetOrder first(s_, tree_, own, nullptr);
  FirstStrategy(first);
  if (!done_ && strategies_.size() > 1 && !Mutated(kNoSecondStrategy)) SecondStrategy(first);
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

void FairSearch::FirstStrategy(TargetOrder& order) {
  Node* const own = s_.queue_.node;
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

// Looks from the side down to the target for the largest part of the tree in which nobody could
// leave that side enough: its share does not change until somebody is taken, so they all fail.
bool FairSearch::TurnsAwayMany(TargetOrder& order, Node* side, Node* target, const Share& mine) {
  if (tree_.uneven()) return false;
  way_.clear();
  for (Node* node = target; node != side; node = node->parent) way_.push_back(node);
  way_.push_back(side);
  for (auto at = way_.rbegin(); at != way_.rend(); ++at) {
    if (!ShareLess(MostLeft(tree_, *at, *side), mine)) continue;
    order.TurnAwayBelow(*at);
    return true;
  }
  return false;
}

WorkItem* FairSearch::FirstUnfair(TargetOrder& order, Node* target) {
  const Sides sides = BelowCommonAncestor(s_.queue_.node, target);
  const Share mine = tree_.ShareOf(*sides.preemptor);
  const Share theirs = tree_.ShareOf(*sides.target);
  const bool final_share = strategies_[0] == Strategy::kLessThanOrEqualToFinalShare;
  // A share only falls when something is taken away, so nobody on that side passes.
  const bool hopeless = (mine.endless && !theirs.endless) ||
                        (final_share ? ShareLess(theirs, mine) : !ShareLess(mine, theirs));
  if (hopeless) {
    order.TurnAwayHopeless(sides.preemptor, sides.target);
    return nullptr;
  }
  if (final_share && TurnsAwayMany(order, sides.target, target, mine)) return nullptr;
  while (WorkItem* item = order.PopFrom(target)) {
    if (!final_share) return item;
    const QuotaTree::Mark mark = tree_.Here();
    TakeFromView(tree_, item);
    const bool passed = Mutated(kFinalShareMayNotBeEqual)
                            ? ShareLess(mine, tree_.ShareOf(*sides.target))
                            : !ShareLess(tree_.ShareOf(*sides.target), mine);
    tree_.Undo(mark);
    if (passed) return item;
    order.TurnAway(target, item);
  }
  return nullptr;
}

void FairSearch::SecondStrategy(const TargetOrder& first) {
  TargetOrder order(s_, tree_, s_.queue_.node, &first);
  while (Node* target = order.Next()) {
    WorkItem* const item = order.PopFrom(target);
    const Sides sides = BelowCommonAncestor(s_.queue_.node, target);
    if (!ShareLess(tree_.ShareOf(*sides.preemptor), tree_.ShareOf(*sides.target))) {
      order.TurnAwayHopeless(sides.preemptor, sides.target);
    } else if (Take(item, PreemptionReason::kInCohortFairSharing)) {
      return;
    }
  }
}

}  // namespace kueue::scheduling
