#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "scheduling/model/shape_table.h"
#include "scheduling/model/work_item.h"

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
};
// The name in a Plan; "" for kGeneric.
const char* NameOf(RequeueReason reason);

// The waiting workloads of one ClusterQueue (§4.1): those to be tried in a heap, the others
// parked until something changes that may help them. Items carry their place, so every move is
// O(log n) at most.
class PendingQueue {
 public:
  // `home`: what items are told to be queued in. `hashing`: gate SchedulingEquivalenceHashing.
  PendingQueue(ClusterQueue* home, bool hashing) : home_(home), hashing_(hashing) {}
  PendingQueue(const PendingQueue&) = delete;
  PendingQueue& operator=(const PendingQueue&) = delete;

  void SetStrict(bool strict) { strict_ = strict; }
  // Whether what LocalQueues used in the past comes before everything else (§4.3). The heap is put
  // in order.
  void SetByPastUse(bool by_past_use);
  // Puts the heap in order after many of its items moved at once.
  void Rebuild();

  // A new or changed item, not parked anywhere (§4.4 from step 3 on).
  void PushOrUpdate(WorkItem* item, base::Time now);
  // Straight to the heap (§4.4, bulk insertion).
  void PushToHeap(WorkItem* item);
  // Takes a parked item out for good reason: it changed.
  void Unpark(WorkItem* item);
  // The item left this queue: reserved, finished, deleted, moved (§4.6: ends its record as
  // preemptor).
  void Forget(WorkItem* item);

  // The first in order, which is in flight from now on; null when the heap is empty (§4.5).
  WorkItem* Pop();
  // After a cycle (§4.6). `parked_reason`: the QR reason to remember for its shape.
  void Requeue(WorkItem* item, RequeueReason reason, const std::string& parked_reason,
               base::Time now);
  // The record names this very generation of the item (§4.5).
  bool IsPreemptor(const WorkItem& item) const;

  // Carries out a retry (§4.8): parked items whose back-off is over and for which `in_scope` holds
  // go to the heap. True if any moved.
  template <class InScope>
  bool Retry(base::Time now, InScope&& in_scope) {
    retried_at_ = pops_;
    parked_shapes_.clear();
    std::vector<WorkItem*> moved;
    for (WorkItem* item : parked_) {
      if (item->BackoffOver(now) && in_scope(*item)) moved.push_back(item);
    }
    MoveToHeap(moved);
    return !moved.empty();
  }
  // A parked item whose back-off ended by itself.
  void BackoffEnded(WorkItem* item, base::Time now);

  bool empty() const { return heap_.empty(); }
  // In no useful order.
  std::vector<WorkItem*> Heap() const;
  size_t heap_size() const { return heap_.size(); }
  const std::vector<WorkItem*>& parked() const { return parked_; }  // in no useful order
  // Heap order (§4.3).
  bool Before(WorkItem* a, WorkItem* b) const;
  // The reason remembered for a shape, or null (§4.6).
  const std::string* ParkedReason(const Shape& shape) const;

 private:
  // An item in the heap with what decides nearly every comparison: the item itself is far away in
  // memory.
  struct Waiting {
    int64_t priority = 0;
    base::Time order_time;
    WorkItem* item = nullptr;
  };
  static Waiting WaitingOf(WorkItem* item) { return {item->priority, item->order_time, item}; }
  bool Before(const Waiting& a, const Waiting& b) const;
  void Park(WorkItem* item);
  void RemoveParked(WorkItem* item);
  void RemoveFromHeap(WorkItem* item);
  void SiftUp(uint32_t at);
  void SiftDown(uint32_t at);
  void Sift(WorkItem* item);
  void Place(uint32_t at, const Waiting& waiting);
  void ParkAlike(const Shape& shape);
  void MoveToHeap(std::vector<WorkItem*>& parked);
  void SetPreemptor(WorkItem* item);

  ClusterQueue* home_;
  bool hashing_;
  bool strict_ = false;
  bool by_past_use_ = false;
  std::vector<Waiting> heap_;
  std::vector<WorkItem*> parked_;
  // Shapes that found no place since the last retry, with the reason. Few.
  std::vector<std::pair<Shape, std::string>> parked_shapes_;
  int64_t pops_ = 0;         // popCycle (§4.1)
  int64_t retried_at_ = -1;  // inadmissibleCycle
  // The workload that waits for its victims (§4.6).
  WorkItem* preemptor_ = nullptr;
  int64_t preemptor_generation_ = 0;
  bool preemptor_sticky_ = false;
};

}  // namespace kueue::scheduling
