#pragma once

#include <unordered_map>
#include <vector>

#include "scheduling/preemption/search.h"

namespace kueue::scheduling {

// Which queue gives the next victim (spec/scheduling.md §7.7): from the root down along the
// highest shares.
class TargetOrder {
 public:
  // `candidates` in the order of §7.2. `earlier`: that order.
  TargetOrder(QuotaTree& tree, Node* preemptor, const std::vector<WorkItem*>& candidates,
              std::function<bool(const WorkItem&, const WorkItem&)> earlier);

  // Null when nobody is left.
  Node* Next();
  // The first candidate of a queue that still has one, taken off its list.
  WorkItem* PopFrom(const Node* queue);
  bool Empty(const Node* queue) const { return Head(queue) == nullptr; }
  // Takes all that are left of a queue.
  std::vector<WorkItem*> TakeAll(const Node* queue);

 private:
  struct List {
    std::vector<WorkItem*> items;
    size_t next = 0;
  };
  WorkItem* Head(const Node* queue) const;
  List& ListOf(const Node* queue) { return lists_[list_of_.at(queue)]; }
  Node* Descend(Node* cohort);
  Node* BestQueue(const Node& cohort);
  Node* BestCohort(const Node& cohort);
  bool IsAncestor(const Node* cohort) const;

  QuotaTree& tree_;
  Node* const preemptor_;
  const std::function<bool(const WorkItem&, const WorkItem&)> earlier_;
  const uint64_t epoch_;  // nodes marked with it are pruned
  std::vector<List> lists_;
  std::unordered_map<const Node*, size_t> list_of_;  // only looked up
};

// The search with fair sharing (§7.7).
class FairSearch {
 public:
  explicit FairSearch(const VictimSearch& search) : s_(search), tree_(search.world_.tree) {}
  std::vector<Victim> Find();

 private:
  std::vector<WorkItem*> Collect() const;
  void FirstStrategy(const std::vector<WorkItem*>& candidates);
  // The first candidate of the queue that passes the strategy; those that fail may be retried.
  WorkItem* FirstUnfair(TargetOrder& order, const Node* target);
  void SecondStrategy();
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
  std::vector<WorkItem*> retry_;
};

}  // namespace kueue::scheduling
