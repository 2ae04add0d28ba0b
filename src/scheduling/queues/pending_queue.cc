#include "scheduling/queues/pending_queue.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "scheduling/world.h"

namespace kueue::scheduling {

const char* NameOf(RequeueReason reason) {
  switch (reason) {
    case RequeueReason::kGeneric:
      return "";
    case RequeueReason::kFailedAfterNomination:
      return "FailedAfterNomination";
    case RequeueReason::kNamespaceMismatch:
      return "NamespaceMismatch";
    case RequeueReason::kPreemptionGated:
      return "PreemptionGated";
    case RequeueReason::kPendingPreemption:
      return "PendingPreemption";
    case RequeueReason::kPendingMigration:
      return "PendingMigration";
    case RequeueReason::kPreemptionFailed:
      return "PreemptionFailed";
    case RequeueReason::kNoFit:
      return "NoFit";
    case RequeueReason::kPreemptionNoCandidates:
      return "PreemptionNoCandidates";
  }
  return "";
}

bool PendingQueue::Before(const Waiting& a, const Waiting& b) const {
  if (by_past_use_) {
    const double x = a.item->local_queue->past_use, y = b.item->local_queue->past_use;
    if (x != y) return x < y;
  }
  if (preemptor_sticky_ && (a.item == preemptor_) != (b.item == preemptor_)) {
    return a.item == preemptor_;
  }
  if (a.priority != b.priority) return a.priority > b.priority;
  if (a.order_time != b.order_time) return a.order_time < b.order_time;
  return std::tie(a.item->uid(), a.item->key) < std::tie(b.item->uid(), b.item->key);
}

bool PendingQueue::Before(WorkItem* a, WorkItem* b) const {
  return Before(WaitingOf(a), WaitingOf(b));
}

// ---- the heap

std::vector<WorkItem*> PendingQueue::Heap() const {
  std::vector<WorkItem*> items;
  items.reserve(heap_.size());
  for (const Waiting& waiting : heap_) items.push_back(waiting.item);
  return items;
}

void PendingQueue::Place(uint32_t at, const Waiting& waiting) {
  heap_[at] = waiting;
  waiting.item->position = at;
}

void PendingQueue::SiftUp(uint32_t at) {
  const Waiting waiting = heap_[at];
  while (at > 0) {
    const uint32_t above = (at - 1) / 2;
    if (!Before(waiting, heap_[above])) break;
    Place(at, heap_[above]);
    at = above;
  }
  Place(at, waiting);
}

void PendingQueue::SiftDown(uint32_t at) {
  const Waiting waiting = heap_[at];
  const auto size = static_cast<uint32_t>(heap_.size());
  while (true) {
    uint32_t below = 2 * at + 1;
    if (below >= size) break;
    if (below + 1 < size && Before(heap_[below + 1], heap_[below])) ++below;
    if (!Before(heap_[below], waiting)) break;
    Place(at, heap_[below]);
    at = below;
  }
  Place(at, waiting);
}

void PendingQueue::Sift(WorkItem* item) {
  heap_[item->position] = WaitingOf(item);
  SiftUp(item->position);
  SiftDown(item->position);
}

void PendingQueue::SetByPastUse(bool by_past_use) {
  if (by_past_use_ == by_past_use) return;
  by_past_use_ = by_past_use;
  Rebuild();
}

void PendingQueue::Rebuild() {
  for (auto at = static_cast<uint32_t>(heap_.size() / 2); at-- > 0;) SiftDown(at);
}

void PendingQueue::PushToHeap(WorkItem* item) {
  item->bucket = Bucket::kHeap;
  item->queued_in = home_;
  heap_.push_back(WaitingOf(item));
  SiftUp(static_cast<uint32_t>(heap_.size() - 1));
}

void PendingQueue::RemoveFromHeap(WorkItem* item) {
  const uint32_t at = item->position;
  const Waiting last = heap_.back();
  heap_.pop_back();
  item->bucket = Bucket::kNone;
  if (last.item == item) return;
  Place(at, last);
  SiftUp(at);
  SiftDown(last.item->position);
}

// ---- the parked

void PendingQueue::Park(WorkItem* item) {
  item->bucket = Bucket::kParked;
  item->queued_in = home_;
  item->position = static_cast<uint32_t>(parked_.size());
  parked_.push_back(item);
}

void PendingQueue::RemoveParked(WorkItem* item) {
  parked_[item->position] = parked_.back();
  parked_[item->position]->position = item->position;
  parked_.pop_back();
  item->bucket = Bucket::kNone;
}

void PendingQueue::Unpark(WorkItem* item) {
  KUEUE_CHECK(item->bucket == Bucket::kParked);
  RemoveParked(item);
}

// What LocalQueues used changes under the heap, and it is put in order only at times (§4.3): then
// its shape matters, and must not depend on the order in which items were parked.
void PendingQueue::MoveToHeap(std::vector<WorkItem*>& parked) {
  if (by_past_use_) {
    std::sort(parked.begin(), parked.end(),
              [this](WorkItem* a, WorkItem* b) { return Before(a, b); });
  }
  for (WorkItem* item : parked) {
    RemoveParked(item);
    PushToHeap(item);
  }
}

void PendingQueue::BackoffEnded(WorkItem* item, base::Time now) {
  if (item->bucket != Bucket::kParked || item->queued_in != home_) return;
  if (!item->BackoffOver(now)) return;
  RemoveParked(item);
  PushToHeap(item);
}

const std::string* PendingQueue::ParkedReason(const Shape& shape) const {
  if (!shape.known()) return nullptr;
  for (const auto& [known, reason] : parked_shapes_) {
    if (known == shape) return &reason;
  }
  return nullptr;
}

// Workloads of a shape that just found no place need not be tried (§4.6).
void PendingQueue::ParkAlike(const Shape& shape) {
  std::vector<WorkItem*> alike;
  for (const Waiting& waiting : heap_) {
    if (waiting.item->shape == shape) alike.push_back(waiting.item);
  }
  for (WorkItem* item : alike) {
    RemoveFromHeap(item);
    Park(item);
  }
}

// ---- coming and going

void PendingQueue::PushOrUpdate(WorkItem* item, base::Time now) {
  if (item->bucket == Bucket::kHeap) return Sift(item);
  const bool known_to_fail =
      hashing_ && !strict_ && ParkedReason(item->shape) != nullptr;  // §4.4 (4)
  if (!item->BackoffOver(now) || known_to_fail) return Park(item);
  PushToHeap(item);
}

void PendingQueue::Forget(WorkItem* item) {
  if (item->bucket == Bucket::kHeap) RemoveFromHeap(item);
  if (item->bucket == Bucket::kParked) RemoveParked(item);
  item->bucket = Bucket::kNone;
  item->queued_in = nullptr;
  if (preemptor_ == item) {
    preemptor_ = nullptr;
    preemptor_sticky_ = false;
  }
}

WorkItem* PendingQueue::Pop() {
  ++pops_;
  if (heap_.empty()) return nullptr;
  WorkItem* const item = heap_.front().item;
  RemoveFromHeap(item);
  item->bucket = Bucket::kInFlight;
  item->evaluated_generation = item->object->metadata.generation;
  return item;
}

bool PendingQueue::IsPreemptor(const WorkItem& item) const {
  return preemptor_ == &item && preemptor_generation_ == item.object->metadata.generation;
}

void PendingQueue::SetPreemptor(WorkItem* item) {
  WorkItem* const before = preemptor_;
  preemptor_ = item;
  preemptor_generation_ = item->evaluated_generation;
  preemptor_sticky_ = !strict_;
  // The one before loses its place at the front.
  if (before != nullptr && before != item && before->bucket == Bucket::kHeap) Sift(before);
}

void PendingQueue::Requeue(WorkItem* item, RequeueReason reason, const std::string& parked_reason,
                           base::Time now) {
  using R = RequeueReason;
  if (reason == R::kPendingPreemption || reason == R::kPendingMigration) SetPreemptor(item);
  const bool at_once =
      strict_ ? reason != R::kNamespaceMismatch
              : reason == R::kFailedAfterNomination || reason == R::kPendingPreemption ||
                    reason == R::kPendingMigration || reason == R::kPreemptionFailed;
  const bool untried = item->progress != nullptr && item->progress->HasUntried();
  if (item->BackoffOver(now) && (at_once || retried_at_ >= pops_ || untried)) {
    return PushToHeap(item);
  }
  Park(item);
  const bool remember = hashing_ && !strict_ && item->shape.known() &&
                        (reason == R::kNoFit || reason == R::kPreemptionNoCandidates);
  if (!remember) return;
  const std::string why = parked_reason.empty() ? "PendingEvaluation" : parked_reason;
  const auto known = std::find_if(parked_shapes_.begin(), parked_shapes_.end(),
                                  [&](const auto& entry) { return entry.first == item->shape; });
  if (known == parked_shapes_.end()) {
    parked_shapes_.emplace_back(item->shape, why);
  } else {
    known->second = why;
  }
  ParkAlike(item->shape);
}

}  // namespace kueue::scheduling
