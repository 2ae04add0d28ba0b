#pragma once

#include <vector>

#include "scheduling/preemption/candidates.h"
#include "scheduling/preemption/search.h"

namespace kueue::scheduling {

// Which queue gives the next victim (spec/scheduling.md §7.7): from the root down along the
// highest shares. Queues are looked into when the way leads to them.
class TargetOrder {
 public:
  // `first`: an order that is done with; then only what it turned away takes part, one workload a
  // queue (§16 (72)). Else null.
  TargetOrder(const VictimSearch& search, QuotaTree& tree, Node* preemptor,
              const TargetOrder* first);

  // Null when nobody is left.
  Node* Next();
  // The first candidate of a queue that still has one, taken off its list.
  WorkItem* PopFrom(Node* queue);
  // A popped candidate that may be tried again by a later order.
  void TurnAway(Node* queue, WorkItem* item);
  // All candidates left in or below the node are turned away.
  void TurnAwayBelow(Node* node);
  // The share of `mine`, the preemptor's side, is not below that of its sibling `theirs`, to which
  // the way led: nobody there passes. If nobody is left on the preemptor's side its share stays
  // what it is, and the other siblings, whose shares are no higher, have no chance either; else
  // they may have one later.
  void TurnAwayHopeless(const Node* mine, Node* theirs);

 private:
  struct List {
    CandidateCursor cursor;
    WorkItem* single = nullptr;       // instead of the cursor, in a second order
    WorkItem* turned_away = nullptr;  // the first one
  };
  List& ListOf(Node* queue);
  List OpenList(Node* queue) const;
  WorkItem* Head(Node* queue);
  // What a second order finds in a queue.
  WorkItem* FirstTurnedAway(Node* queue) const;
  bool IsCandidateQueue(const Node* queue) const;
  bool Pruned(const Node* node) const { return node->marked_at == epoch_; }
  Node* Descend(Node* cohort);
  Node* BestQueue(const Node& cohort);
  Node* BestCohort(const Node& cohort);
  bool IsAncestor(const Node* cohort) const;

  const VictimSearch& search_;
  QuotaTree& tree_;
  Node* const preemptor_;
  const TargetOrder* const first_;
  const uint64_t epoch_;  // nodes marked with it are pruned; queues listed with it have a list
  std::vector<List> lists_;
};

// The search with fair sharing (§7.7).
class FairSearch {
 public:
  explicit FairSearch(const VictimSearch& search) : s_(search), tree_(search.world_.tree) {}
  std::vector<Victim> Find();

 private:
  void FirstStrategy(TargetOrder& order);
  // The first candidate of the queue that passes the strategy; those that fail are turned away.
  WorkItem* FirstUnfair(TargetOrder& order, Node* target);
  bool TurnsAwayMany(TargetOrder& order, Node* side, Node* target, const Share& mine);
  void SecondStrategy(const TargetOrder& first);
  // Takes a victim; true when the workload fits.
  bool Take(WorkItem* item, PreemptionReason reason);
  void AddOwnAmounts();
  void RemoveOwnAmounts();

  const VictimSearch& s_;
  QuotaTree& tree_;
  std::vector<FairPreemptionStrategy> strategies_;
  bool within_nominal_ = false;
  bool done_ = false;
  std::vector<Victim> victims_;
  std::vector<Node*> way_;  // of TurnsAwayMany
};

}  // namespace kueue::scheduling
