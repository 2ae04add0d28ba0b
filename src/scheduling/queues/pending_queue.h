#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/time.h"
#include "scheduling/model/shape_table.h"
#include "scheduling/model/work_item.h"
#include "scheduling/policies/aging.h"
#include "scheduling/queues/parked_shapes.h"
#include "scheduling/queues/waiting_heap.h"

namespace kueue::scheduling {

// Why a head goes back (spec/scheduling.md §4.6).
enum class RequeueReason : uint8_t {
  kGeneric,
  kFailedAfterNomination,
  kNamespaceMismatch,
  kPreemptionGated,
  kPendingPreemption,
  kPendingMigration,
  kPreemptionFailed,
  kNoFit,
  kPreemptionNoCandidates,
  kWallTimeBudget,  // ours: policies/budget.h
};
// The name in a Plan; "" for kGeneric.
const char* NameOf(RequeueReason reason);

// The waiting workloads of one ClusterQueue (§4.1): those to be tried, and those parked until
// something changes that may help them. Items carry their place, so every move is O(log n) at most.
class PendingQueue {
 public:
  using InScope = std::function<bool(const WorkItem&)>;

  // `home`: what items are told to be queued in. `hashing`: gate SchedulingEquivalenceHashing.
  // `in_scope`: whether the queue takes work of the item's namespace now; a retry moves only such
  // items (§4.8).
  PendingQueue(ClusterQueue* home, bool hashing, InScope in_scope)
      : home_(home), hashing_(hashing), in_scope_(std::move(in_scope)), heap_(Order{this}) {}
  PendingQueue(const PendingQueue&) = delete;
  PendingQueue& operator=(const PendingQueue&) = delete;

  void SetStrict(bool strict) { strict_ = strict; }
  // Another namespace may be in scope now, or out of it.
  void ScopeChanged() { Dissolve(); }
  // Whether what LocalQueues used in the past comes before everything else (§4.3). The heap is put
  // in order, and nothing is parked by shape: which of a shape is first changes by itself then.
  void SetByPastUse(bool by_past_use);
  // Whether work that waits comes nearer to the front. Nothing is parked by shape then, for the
  // same reason.
  void SetAging(const AgingRule& rule, base::Time now);
  // As of `now`; O(1) unless an interval has ended since the last call.
  void AgeTo(base::Time now);
  // When a blocked head may be somebody else by itself; nothing if that does not happen.
  std::optional<base::Time> NextAging() const;
  // Puts the heap in order after many of its items moved at once.
  void Rebuild() { heap_.Rebuild(); }

  // A new or changed item, not parked anywhere (§4.4 from step 3 on).
  void PushOrUpdate(WorkItem* item, base::Time now);
  // Straight to the heap (§4.4, bulk insertion).
  void PushToHeap(WorkItem* item);
  // Takes a parked item out for good reason: it changed.
  void Unpark(WorkItem* item);
  // The item left this queue: reserved, finished, deleted, moved (§4.6: ends its record as
  // preemptor).
  void Forget(WorkItem* item);

  // The first in order, which is in flight from now on; null when there is none (§4.5).
  WorkItem* Pop();
  // After a cycle (§4.6). `parked_reason`: the QR reason to remember for its shape.
  void Requeue(WorkItem* item, RequeueReason reason, const std::string& parked_reason,
               base::Time now);
  // The record names this very generation of the item (§4.5).
  bool IsPreemptor(const WorkItem& item) const;

  // Carries out a retry (§4.8): parked items whose back-off is over and whose namespace is in
  // scope are to be tried again. True if there are any.
  bool Retry(base::Time now);
  // A parked item whose back-off ended by itself.
  void BackoffEnded(WorkItem* item, base::Time now);

  // ---- what is known to fail without looking
  // Shapes at the front of the queue that failed before and that `hopeless(ShapeGroup&)` holds for,
  // at most `limit`; UINT64_MAX if nothing else is to be tried.
  template <class Hopeless>
  uint64_t CountHopeless(uint64_t limit, Hopeless&& hopeless) const {
    uint64_t count = 0;
    bool other = false;
    shapes_.VisitUntried([&](ShapeGroup& group) {
      other = HeapGoesBefore(group) || !hopeless(group);
      return !other && ++count < limit;
    });
    return other || !heap_.empty() || count >= limit ? count : UINT64_MAX;
  }
  // The first shapes, at most so many, fail once more. Returns how many did.
  uint64_t PassOver(uint64_t count);
  // First workloads of shapes that were passed over, at most so many: in flight from now on. Those
  // that something changed for meanwhile stay: the retry that comes with it looks at them.
  std::vector<WorkItem*> PopUnsaid(size_t limit, const std::function<bool(ShapeGroup&)>& hopeless);
  bool AnyUnsaid() const { return shapes_.AnyUnsaid(); }
  size_t shapes() const { return shapes_.groups(); }

  // Nothing is to be tried.
  bool empty() const { return heap_.empty() && shapes_.First() == nullptr; }
  bool Holds(const WorkItem& item) const;  // to be tried, or parked
  bool IsParked(const WorkItem& item) const;
  // To be tried, and parked; in no useful order.
  std::vector<WorkItem*> Heap() const;
  std::vector<WorkItem*> Parked() const;
  size_t size() const { return heap_.size() + parked_.size() + shapes_.size(); }
  // Heap order (§4.3).
  bool Before(WorkItem* a, WorkItem* b) const { return Before(WaitingOf(a), WaitingOf(b)); }
  // The reason remembered for a shape, or null (§4.6).
  const std::string* ParkedReason(const Shape& shape) const;

 private:
  struct Order {
    const PendingQueue* queue = nullptr;
    bool operator()(const Waiting& a, const Waiting& b) const { return queue->Before(a, b); }
  };
  bool Before(const Waiting& a, const Waiting& b) const;
  bool HeapGoesBefore(const ShapeGroup& group) const {
    return !heap_.empty() && Before(heap_.top(), group.members.top());
  }
  void Dissolve();
  void Age(WorkItem* item);
  void MoveToHeap(std::vector<WorkItem*>& parked);
  void Park(WorkItem* item);
  void RemoveParked(WorkItem* item);
  void RemoveFromHeap(WorkItem* item);
  void List(WorkItem* item);
  void Unlist(WorkItem* item);
  void ParkAlike(ShapeGroup* group, WorkItem* item);
  void ParkThoseOfHeap(ShapeGroup* group);
  void SetPreemptor(WorkItem* item);
  WorkItem* InFlight(WorkItem* item);

  ClusterQueue* home_;
  bool hashing_;
  InScope in_scope_;
  bool strict_ = false;
  bool by_past_use_ = false;
  AgingRule aging_;
  int64_t tick_ = 0;       // all waiting items are as old as they are then
  bool may_age_ = false;   // some are not at the limit
  WaitingHeap<Order> heap_;
  // Items of the heap by shape; only looked up.
  std::unordered_map<const void*, std::vector<WorkItem*>> heap_by_shape_;
  std::vector<WorkItem*> parked_;  // one by one
  ParkedShapes shapes_;
  int64_t pops_ = 0;         // popCycle (§4.1)
  int64_t retried_at_ = -1;  // inadmissibleCycle
  // The workload that waits for its victims (§4.6).
  WorkItem* preemptor_ = nullptr;
  int64_t preemptor_generation_ = 0;
  bool preemptor_sticky_ = false;
};

}  // namespace kueue::scheduling
