#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "scheduling/model/shape_table.h"
#include "scheduling/queues/waiting_heap.h"

namespace kueue::scheduling {

// Workloads of one shape that are parked together (spec/scheduling.md §4.6).
struct ShapeGroup {
  Shape shape;
  WaitingHeap<PlainOrder> members;
  uint64_t failed_in = 0;  // the wake-up since which it is known to fail
  bool unsaid = false;     // passed over: its first has not been told why it waits now
  // What was read from its first member to judge it without a look at it (hopeless.h); null: to
  // be read again.
  const WorkItem* judged_by = nullptr;
  bool may_be_passed = false;
  bool has_one_pod_set = false;
  static constexpr size_t kMostNeeds = 4;
  std::array<ResourceAmount, kMostNeeds> needs{};  // of some resources, at the very least
  uint32_t need_count = 0;
  std::string reason;  // of QuotaReserved, when the shape failed last
  // Its first member, if it has any.
  WorkItem* first() const { return place.item; }

 private:
  friend class ParkedShapes;
  Waiting place;  // key in the order, if it has members
};

// The shapes that found no place, in the order of their first workloads. Since the last wake-up a
// group either has failed again, or is to be tried: then it counts as part of the queue's heap. A
// wake-up is O(1), whatever the number of shapes and workloads.
class ParkedShapes {
 public:
  // Null if nothing of the shape is remembered.
  const ShapeGroup* Find(const Shape& shape) const;
  // The same, where it is known to be remembered.
  ShapeGroup* Group(const Shape& shape) { return by_shape_.find(shape.id())->second.get(); }
  bool Failed(const ShapeGroup& group) const { return group.failed_in == wake_; }

  // The shape found no place, for this reason.
  ShapeGroup* Fail(const Shape& shape, std::string reason);
  // Its group failed, or the item is no earlier than what was tried already.
  void Add(ShapeGroup* group, WorkItem* item);
  // `item` is a member.
  void Remove(WorkItem* item);

  // All groups are to be tried again, and every reason is forgotten. True if there are any.
  bool Wake();

  // The first group to be tried, or null.
  ShapeGroup* First() const;
  // Those to be tried, in order, until `visit(ShapeGroup&)` says no.
  template <class Visit>
  void VisitUntried(Visit&& visit) const {
    SkipFailed();
    for (auto at = next_; at != order_.end();) {
      ShapeGroup& group = *at->second;
      if (++at != order_.end()) Prefetch(*at->second);
      if (!Failed(group) && !visit(group)) return;
    }
  }
  // It fails, as it did before; nobody needs to look.
  void PassOver(ShapeGroup* group);
  // Groups that were passed over, in order, at most so many.
  std::vector<ShapeGroup*> Unsaid(size_t limit) const;
  bool AnyUnsaid() const { return unsaid_ > 0; }
  void SetSaid(ShapeGroup* group);

  size_t groups() const { return order_.size(); }
  size_t size() const { return size_; }  // members of all groups
  template <class Each>
  void ForEach(Each&& each) const {
    for (const auto& [place, group] : order_) each(*group);
  }
  // All members, which belong to no group any more.
  std::vector<WorkItem*> TakeAll();

 private:
  using Ordered = std::map<Waiting, ShapeGroup*, PlainOrder>;
  void Unlist(ShapeGroup* group);
  void List(ShapeGroup* group);
  void SkipFailed() const;
  // Groups lie anywhere in memory, and there may be thousands to visit.
  static void Prefetch(const ShapeGroup& group) {
    const char* const at = reinterpret_cast<const char*>(&group);
    for (size_t line = 0; line < sizeof(ShapeGroup); line += 64) __builtin_prefetch(at + line);
  }

  // Only looked up. Groups without members stay until the next wake-up for their reason.
  std::unordered_map<const void*, std::unique_ptr<ShapeGroup>> by_shape_;
  Ordered order_;                                        // those with members
  mutable Ordered::const_iterator next_ = order_.end();  // all before it failed
  std::vector<const void*> emptied_;
  uint64_t wake_ = 1;
  size_t size_ = 0, unsaid_ = 0;
};

}  // namespace kueue::scheduling
