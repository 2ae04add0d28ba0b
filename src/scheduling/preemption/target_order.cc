#include <algorithm>

#include "scheduling/fairness/share.h"
#include "scheduling/mutation.h"
#include "scheduling/preemption/fair.h"

namespace kueue::scheduling {

TargetOrder::TargetOrder(const VictimSearch& search, QuotaTree& tree, Node* preemptor,
                         const TargetOrder* first)
    : search_(search), tree_(tree), preemptor_(preemptor), first_(first), epoch_(tree.NewEpoch()) {}

// Foreign queues take part when they are above nominal on something needed. Asked before anything
// was taken from the queue, so the answer is that of the beginning.
bool TargetOrder::IsCandidateQueue(const Node* queue) const {
  return queue == preemptor_ ||
         std::any_of(search_.needed().begin(), search_.needed().end(), [&](CellId cell) {
           const Slot* slot = queue->Find(cell);
           return slot != nullptr && slot->usage > slot->nominal;
         });
}

TargetOrder::List TargetOrder::OpenList(Node* queue) const {
  List list;
  if (first_ != nullptr) {
    list.single = first_->FirstTurnedAway(queue);
  } else if (IsCandidateQueue(queue)) {
    const QueueRules& rules = preemptor_->queue->rules;
    const PreemptionPolicy policy = queue == preemptor_ ? rules.within_queue : rules.reclaim;
    if (Forbids(policy)) return list;
    list.cursor =
        CandidateCursor(search_, VictimsOf(tree_, *queue->queue), policy, CandidatePart::kAll);
  }
  return list;
}

TargetOrder::List& TargetOrder::ListOf(Node* queue) {
  if (queue->listed_in != epoch_) {
    lists_.push_back(OpenList(queue));  // may look up the queue's place in an earlier order
    queue->listed_in = epoch_;
    queue->listed_at = static_cast<uint32_t>(lists_.size() - 1);
  }
  return lists_[queue->listed_at];
}

WorkItem* TargetOrder::FirstTurnedAway(Node* queue) const {
  const bool listed = queue->listed_in == epoch_;
  if (listed && lists_[queue->listed_at].turned_away != nullptr) {
    return lists_[queue->listed_at].turned_away;
  }
  const Node* node = queue;
  while (node != nullptr && node->turned_away_in != epoch_) node = node->parent;
  if (node == nullptr) return nullptr;
  return listed ? lists_[queue->listed_at].cursor.item() : OpenList(queue).cursor.item();
}

WorkItem* TargetOrder::Head(Node* queue) {
  List& list = ListOf(queue);
  return first_ != nullptr ? list.single : list.cursor.item();
}

WorkItem* TargetOrder::PopFrom(Node* queue) {
  WorkItem* const head = Head(queue);
  if (head == nullptr) return nullptr;
  List& list = ListOf(queue);
  if (first_ != nullptr) {
    list.single = nullptr;
  } else {
    list.cursor.Next();
  }
  return head;
}

void TargetOrder::TurnAway(Node* queue, WorkItem* item) {
  List& list = ListOf(queue);
  if (list.turned_away == nullptr) list.turned_away = item;
}

void TargetOrder::TurnAwayHopeless(const Node* mine, Node* theirs) {
  if (!Pruned(mine) && !Mutated(kEqualShareEndsAll)) return TurnAwayBelow(theirs);
  for (Node* child : mine->parent->children) {
    if (!Pruned(child)) TurnAwayBelow(child);
  }
}

void TargetOrder::TurnAwayBelow(Node* node) {
  node->marked_at = epoch_;
  node->turned_away_in = epoch_;
}

bool TargetOrder::IsAncestor(const Node* cohort) const {
  for (const Node* up = preemptor_->parent; up != nullptr; up = up->parent) {
    if (up == cohort) return true;
  }
  return false;
}

Node* TargetOrder::Next() {
  if (preemptor_->parent == nullptr || Forbids(preemptor_->queue->rules.reclaim)) {
    return Head(preemptor_) == nullptr ? nullptr : preemptor_;
  }
  Node* const root = preemptor_->root;
  while (!Pruned(root)) {
    if (Node* found = Descend(root)) return found;
  }
  return nullptr;
}

// Null after pruning something: then the way starts anew.
Node* TargetOrder::Descend(Node* cohort) {
  while (true) {
    Node* const queue = BestQueue(*cohort);
    Node* const inner = BestCohort(*cohort);
    if (queue == nullptr && inner == nullptr) {
      cohort->marked_at = epoch_;
      return nullptr;
    }
    // With equal shares the cohort.
    const bool down = inner != nullptr && (queue == nullptr || !ShareLess(tree_.ShareOf(*inner),
                                                                          tree_.ShareOf(*queue)));
    if (!down) return queue;
    cohort = inner;
  }
}

Node* TargetOrder::BestQueue(const Node& cohort) {
  Node* best = nullptr;
  for (Node* child : cohort.children) {
    if (!child->is_queue() || !child->in_view || Pruned(child)) continue;
    const Share& share = tree_.ShareOf(*child);
    // Whoever has less is not looked into: that is done when its time comes.
    if (best != nullptr && ShareLess(share, tree_.ShareOf(*best))) continue;
    if ((!share.borrowing && child != preemptor_) || Head(child) == nullptr) {
      child->marked_at = epoch_;
      continue;
    }
    if (best == nullptr || ShareLess(tree_.ShareOf(*best), share) ||
        search_.Before(*Head(child), *Head(best))) {
      best = child;
    }
  }
  return best;
}

Node* TargetOrder::BestCohort(const Node& cohort) {
  Node* best = nullptr;
  for (Node* child : cohort.children) {
    if (child->is_queue() || Pruned(child)) continue;
    const Share& share = tree_.ShareOf(*child);
    if (!share.borrowing && !IsAncestor(child)) {
      child->marked_at = epoch_;
      continue;
    }
    // By name; of equal ones the last (§15).
    if (best == nullptr ||
        (Mutated(kFirstOfEqualCohorts) ? ShareLess(tree_.ShareOf(*best), share)
                                       : !ShareLess(share, tree_.ShareOf(*best)))) {
      best = child;
    }
  }
  return best;
}

}  // namespace kueue::scheduling
