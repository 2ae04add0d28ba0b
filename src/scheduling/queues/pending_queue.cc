#include "scheduling/queues/pending_queue.h"

#include <algorithm>

#include "base/check.h"
#include "scheduling/mutation.h"

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
    case RequeueReason::kWallTimeBudget:
      return "WallTimeBudget";
  }
  return "";
}

bool PendingQueue::Before(const Waiting& a, const Waiting& b) const {
  if (by_past_use_) {
    if (a.queue_priority != b.queue_priority) return a.queue_priority > b.queue_priority;
    const double x = *a.item->past_use, y = *b.item->past_use;
    if (x != y) return x < y;
  }
  if (preemptor_sticky_ && (a.item == preemptor_) != (b.item == preemptor_)) {
    return a.item == preemptor_;
  }
  return PlainOrder()(a, b);
}

// ---- the heap

// So that those of a shape are found without a walk.
void PendingQueue::List(WorkItem* item) {
  if (!hashing_ || !item->shape.known()) return;
  auto& alike = heap_by_shape_[item->shape.id()];
  item->listed_shape = item->shape;
  item->listed_at = static_cast<uint32_t>(alike.size());
  alike.push_back(item);
}

void PendingQueue::Unlist(WorkItem* item) {
  if (!item->listed_shape.known()) return;
  const auto found = heap_by_shape_.find(item->listed_shape.id());
  auto& alike = found->second;
  alike[item->listed_at] = alike.back();
  alike[item->listed_at]->listed_at = item->listed_at;
  alike.pop_back();
  if (alike.empty()) heap_by_shape_.erase(found);
  item->listed_shape = Shape();
}

void PendingQueue::SetByPastUse(bool by_past_use) {
  if (by_past_use_ == by_past_use) return;
  by_past_use_ = by_past_use;
  Dissolve();
  heap_.Rebuild();
}

// ---- aging

void PendingQueue::Age(WorkItem* item) {
  const auto since = aging_.on() ? WaitsSince(*item->object) : std::nullopt;
  item->aged = since ? aging_.AgeAt(tick_, *since) : 0;
  may_age_ |= since && item->aged < aging_.limit;
}

void PendingQueue::SetAging(const AgingRule& rule, base::Time now) {
  if (rule == aging_) return AgeTo(now);
  Dissolve();
  aging_ = rule;
  tick_ = aging_.on() ? aging_.TickAt(now) - 1 : 0;
  if (aging_.on()) return AgeTo(now);
  for (const auto& list : {Heap(), Parked()}) {
    for (WorkItem* item : list) Age(item);
  }
  heap_.Refresh();
}

void PendingQueue::AgeTo(base::Time now) {
  if (!aging_.on() || aging_.TickAt(now) <= tick_) return;
  tick_ = aging_.TickAt(now);
  may_age_ = false;
  for (const auto& list : {Heap(), Parked()}) {
    for (WorkItem* item : list) Age(item);
  }
  heap_.Refresh();
}

std::optional<base::Time> PendingQueue::NextAging() const {
  if (!may_age_ || !strict_ || heap_.size() < 2) return std::nullopt;
  return aging_.TimeOf(tick_ + 1);
}

void PendingQueue::PushToHeap(WorkItem* item) {
  Age(item);
  item->bucket = Bucket::kHeap;
  item->queued_in = home_;
  heap_.Push(item);
  List(item);
}

void PendingQueue::RemoveFromHeap(WorkItem* item) {
  heap_.Remove(item);
  Unlist(item);
  item->bucket = Bucket::kNone;
}

// ---- the parked

void PendingQueue::Park(WorkItem* item) {
  Age(item);
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
  KUEUE_CHECK(IsParked(*item));
  item->bucket == Bucket::kAlike ? shapes_.Remove(item) : RemoveParked(item);
  item->bucket = Bucket::kNone;
}

void PendingQueue::BackoffEnded(WorkItem* item, base::Time now) {
  if (item->bucket != Bucket::kParked || item->queued_in != home_) return;
  if (!item->BackoffOver(now)) return;
  RemoveParked(item);
  PushToHeap(item);
}

const std::string* PendingQueue::ParkedReason(const Shape& shape) const {
  const ShapeGroup* const group = shapes_.Find(shape);
  return group != nullptr && shapes_.Failed(*group) ? &group->reason : nullptr;
}

// With the others of its shape, unless a retry has to look at it on its own.
void PendingQueue::ParkAlike(ShapeGroup* group, WorkItem* item) {
  if (item == preemptor_ || by_past_use_ || aging_.on() || !in_scope_(*item)) return Park(item);
  item->bucket = Bucket::kAlike;
  item->queued_in = home_;
  shapes_.Add(group, item);
}

// Everything stands for itself again.
void PendingQueue::Dissolve() {
  std::vector<WorkItem*> parked, untried;
  shapes_.ForEach([&](ShapeGroup& group) {
    auto& to = shapes_.Failed(group) ? parked : untried;
    for (const Waiting& waiting : group.members.rows()) to.push_back(waiting.item);
  });
  shapes_.TakeAll();
  for (WorkItem* item : parked) Park(item);
  for (WorkItem* item : untried) PushToHeap(item);
}

bool PendingQueue::Retry(base::Time now) {
  retried_at_ = pops_;
  const bool any = shapes_.Wake();
  std::vector<WorkItem*> moved;
  for (WorkItem* item : parked_) {
    if (item->BackoffOver(now) && in_scope_(*item)) moved.push_back(item);
  }
  MoveToHeap(moved);
  return any || !moved.empty();
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

// ---- coming and going

bool PendingQueue::Holds(const WorkItem& item) const {
  return item.bucket == Bucket::kHeap || item.bucket == Bucket::kParked ||
         item.bucket == Bucket::kAlike;
}

bool PendingQueue::IsParked(const WorkItem& item) const {
  return item.bucket == Bucket::kParked ||
         (item.bucket == Bucket::kAlike && shapes_.Failed(*item.alike));
}

std::vector<WorkItem*> PendingQueue::Heap() const {
  std::vector<WorkItem*> items;
  for (const Waiting& waiting : heap_.rows()) items.push_back(waiting.item);
  shapes_.ForEach([&](const ShapeGroup& group) {
    if (shapes_.Failed(group)) return;
    for (const Waiting& waiting : group.members.rows()) items.push_back(waiting.item);
  });
  return items;
}

std::vector<WorkItem*> PendingQueue::Parked() const {
  std::vector<WorkItem*> items = parked_;
  shapes_.ForEach([&](const ShapeGroup& group) {
    if (!shapes_.Failed(group)) return;
    for (const Waiting& waiting : group.members.rows()) items.push_back(waiting.item);
  });
  return items;
}

void PendingQueue::PushOrUpdate(WorkItem* item, base::Time now) {
  if (item->bucket == Bucket::kHeap) {
    Age(item);
    Unlist(item);
    List(item);
    return heap_.Sift(item);
  }
  if (item->bucket == Bucket::kAlike) {
    shapes_.Remove(item);
    return PushToHeap(item);
  }
  const bool known_to_fail =
      hashing_ && !strict_ && ParkedReason(item->shape) != nullptr;  // §4.4 (4)
  if (!item->BackoffOver(now)) return Park(item);
  if (known_to_fail) return ParkAlike(shapes_.Group(item->shape), item);
  PushToHeap(item);
}

void PendingQueue::Forget(WorkItem* item) {
  if (item->bucket == Bucket::kHeap) RemoveFromHeap(item);
  if (item->bucket == Bucket::kParked) RemoveParked(item);
  if (item->bucket == Bucket::kAlike) shapes_.Remove(item);
  item->bucket = Bucket::kNone;
  item->queued_in = nullptr;
  item->aged = 0;
  if (preemptor_ == item) {
    preemptor_ = nullptr;
    preemptor_sticky_ = false;
  }
}

WorkItem* PendingQueue::InFlight(WorkItem* item) {
  item->bucket = Bucket::kInFlight;
  item->evaluated_generation = item->object->metadata.generation;
  return item;
}

WorkItem* PendingQueue::Pop() {
  ++pops_;
  const ShapeGroup* const group = shapes_.First();
  if (group != nullptr && !HeapGoesBefore(*group)) {
    WorkItem* const item = group->members.top().item;
    shapes_.Remove(item);
    return InFlight(item);
  }
  if (heap_.empty()) return nullptr;
  WorkItem* const item = heap_.top().item;
  RemoveFromHeap(item);
  return InFlight(item);
}

uint64_t PendingQueue::PassOver(uint64_t count) {
  for (uint64_t done = 0; done < count; ++done) {
    ++pops_;  // each of them was a head
    ShapeGroup* const group = shapes_.First();
    if (group == nullptr) return done;
    shapes_.PassOver(group);
    ParkThoseOfHeap(group);
  }
  return count;
}

std::vector<WorkItem*> PendingQueue::PopUnsaid(size_t limit,
                                               const std::function<bool(ShapeGroup&)>& hopeless) {
  std::vector<WorkItem*> items;
  for (ShapeGroup* group : shapes_.Unsaid(limit)) {
    shapes_.SetSaid(group);
    if (!hopeless(*group)) continue;
    WorkItem* const item = group->members.top().item;
    shapes_.Remove(item);
    items.push_back(InFlight(item));
  }
  return items;
}

bool PendingQueue::IsPreemptor(const WorkItem& item) const {
  return preemptor_ == &item && preemptor_generation_ == item.object->metadata.generation;
}

void PendingQueue::SetPreemptor(WorkItem* item) {
  WorkItem* const before = preemptor_;
  preemptor_ = item;
  preemptor_generation_ = item->evaluated_generation;
  preemptor_sticky_ = !strict_ && !Mutated(kNoStickyHead);
  // The one before loses its place at the front.
  if (before != nullptr && before != item && before->bucket == Bucket::kHeap) heap_.Sift(before);
}

void PendingQueue::Requeue(WorkItem* item, RequeueReason reason, const std::string& parked_reason,
                           base::Time now) {
  using R = RequeueReason;
  if (reason == R::kPendingPreemption || reason == R::kPendingMigration) SetPreemptor(item);
  const bool at_once =
      strict_ ? reason != R::kNamespaceMismatch && reason != R::kWallTimeBudget
              : reason == R::kFailedAfterNomination || reason == R::kPendingPreemption ||
                    reason == R::kPendingMigration || reason == R::kPreemptionFailed;
  const bool untried = item->progress != nullptr && item->progress->HasUntried();
  const bool over = item->BackoffOver(now);
  const bool woken = retried_at_ >= pops_ && !Mutated(kWakeUpIsMissed);
  if (over && (at_once || woken || (untried && !Mutated(kUntriedFlavorsAreForgotten)))) {
    return PushToHeap(item);
  }
  const bool remember = hashing_ && !strict_ && item->shape.known() &&
                        (reason == R::kNoFit || reason == R::kPreemptionNoCandidates);
  if (!remember) return Park(item);
  ShapeGroup* const group =
      shapes_.Fail(item->shape, parked_reason.empty() ? "PendingEvaluation" : parked_reason);
  over ? ParkAlike(group, item) : Park(item);
  if (!Mutated(kShapesAreTriedOneByOne)) ParkThoseOfHeap(group);
}

// Workloads of a shape that just found no place need not be tried (§4.6).
void PendingQueue::ParkThoseOfHeap(ShapeGroup* group) {
  if (heap_.empty()) return;
  const auto alike = heap_by_shape_.find(group->shape.id());
  if (alike == heap_by_shape_.end()) return;
  std::vector<WorkItem*> items = alike->second;
  if (by_past_use_) {  // in the order of the heap: what is left of it keeps its shape
    std::sort(items.begin(), items.end(),
              [](WorkItem* a, WorkItem* b) { return a->position < b->position; });
  }
  for (WorkItem* item : items) {
    RemoveFromHeap(item);
    ParkAlike(group, item);
  }
}

}  // namespace kueue::scheduling
