#include "scheduling/fairness/share.h"
#include "scheduling/preemption/fair.h"

namespace kueue::scheduling {

TargetOrder::TargetOrder(QuotaTree& tree, Node* preemptor,
                         const std::vector<WorkItem*>& candidates,
                         std::function<bool(const WorkItem&, const WorkItem&)> earlier)
    : tree_(tree), preemptor_(preemptor), earlier_(std::move(earlier)), epoch_(tree.NewEpoch()) {
  for (WorkItem* item : candidates) {
    const auto [at, added] = list_of_.emplace(item->accounted_in->node, lists_.size());
    if (added) lists_.emplace_back();
    lists_[at->second].items.push_back(item);
  }
}

WorkItem* TargetOrder::Head(const Node* queue) const {
  const auto found = list_of_.find(queue);
  if (found == list_of_.end()) return nullptr;
  const List& list = lists_[found->second];
  return list.next < list.items.size() ? list.items[list.next] : nullptr;
}

WorkItem* TargetOrder::PopFrom(const Node* queue) {
  WorkItem* const head = Head(queue);
  if (head != nullptr) ++ListOf(queue).next;
  return head;
}

std::vector<WorkItem*> TargetOrder::TakeAll(const Node* queue) {
  List& list = ListOf(queue);
  std::vector<WorkItem*> left(list.items.begin() + static_cast<std::ptrdiff_t>(list.next),
                              list.items.end());
  list.next = list.items.size();
  return left;
}

bool TargetOrder::IsAncestor(const Node* cohort) const {
  for (const Node* up = preemptor_->parent; up != nullptr; up = up->parent) {
    if (up == cohort) return true;
  }
  return false;
}

Node* TargetOrder::Next() {
  if (preemptor_->parent == nullptr) return Empty(preemptor_) ? nullptr : preemptor_;
  Node* const root = preemptor_->root;
  while (root->marked_at != epoch_) {
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
    if (!child->is_queue() || !child->in_view || child->marked_at == epoch_) continue;
    const Share& share = tree_.ShareOf(*child);
    if (Empty(child) || (!share.borrowing && child != preemptor_)) {
      child->marked_at = epoch_;
      continue;
    }
    if (best == nullptr) {
      best = child;
      continue;
    }
    const Share& most = tree_.ShareOf(*best);
    if (ShareLess(most, share) ||
        (!ShareLess(share, most) && earlier_(*Head(child), *Head(best)))) {
      best = child;
    }
  }
  return best;
}

Node* TargetOrder::BestCohort(const Node& cohort) {
  Node* best = nullptr;
  for (Node* child : cohort.children) {
    if (child->is_queue() || child->marked_at == epoch_) continue;
    const Share& share = tree_.ShareOf(*child);
    if (!share.borrowing && !IsAncestor(child)) {
      child->marked_at = epoch_;
      continue;
    }
    // By name; of equal ones the last (§15).
    if (best == nullptr || !ShareLess(share, tree_.ShareOf(*best))) best = child;
  }
  return best;
}

}  // namespace kueue::scheduling
