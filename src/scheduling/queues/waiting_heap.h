#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "base/time.h"
#include "scheduling/model/work_item.h"
#include "scheduling/mutation.h"

namespace kueue::scheduling {

// A waiting item with what decides nearly every comparison: the item itself is far away in memory.
// A copy: it keeps what the item looked like when it was put somewhere.
struct Waiting {
  int64_t queue_priority = 0, priority = 0;
  base::Time order_time;
  WorkItem* item = nullptr;
};
inline Waiting WaitingOf(WorkItem* item) {
  return {item->queue_priority, item->priority + item->aged, item->order_time, item};
}

// The order of a queue (spec/scheduling.md §4.3) without what stands above it: preemptors, past
// use.
struct PlainOrder {
  bool operator()(const Waiting& a, const Waiting& b) const {
    if (a.queue_priority != b.queue_priority) return a.queue_priority > b.queue_priority;
    if (a.priority != b.priority)
      return (a.priority > b.priority) != Mutated(kLowestPriorityIsHead);
    if (a.order_time != b.order_time) {
      return (a.order_time < b.order_time) != Mutated(kYoungestIsHead);
    }
    return std::tie(a.item->uid(), a.item->key) < std::tie(b.item->uid(), b.item->key);
  }
};

// A binary heap whose items know their place (WorkItem::position), so that any of them can be
// taken out in O(log n). An item is in one such heap at most.
template <class Order>
class WaitingHeap {
 public:
  explicit WaitingHeap(Order before = {}) : before_(before) {}

  bool empty() const { return rows_.empty(); }
  size_t size() const { return rows_.size(); }
  const Waiting& top() const { return rows_.front(); }
  const std::vector<Waiting>& rows() const { return rows_; }  // in no useful order

  void Push(WorkItem* item) {
    rows_.push_back(WaitingOf(item));
    SiftUp(static_cast<uint32_t>(rows_.size() - 1));
  }
  void Remove(WorkItem* item) {
    const uint32_t at = item->position;
    const Waiting last = rows_.back();
    rows_.pop_back();
    if (last.item == item) return;
    Place(at, last);
    SiftUp(at);
    SiftDown(last.item->position);
  }
  // The item changed, or its place in the order did.
  void Sift(WorkItem* item) {
    rows_[item->position] = WaitingOf(item);
    SiftUp(item->position);
    SiftDown(item->position);
  }
  // After many changed at once.
  void Rebuild() {
    for (auto at = static_cast<uint32_t>(rows_.size() / 2); at-- > 0;) SiftDown(at);
  }
  // The same, after the items' own keys changed.
  void Refresh() {
    for (Waiting& row : rows_) row = WaitingOf(row.item);
    Rebuild();
  }
  void Clear() { rows_.clear(); }

 private:
  void Place(uint32_t at, const Waiting& waiting) {
    rows_[at] = waiting;
    waiting.item->position = at;
  }
  void SiftUp(uint32_t at) {
    const Waiting waiting = rows_[at];
    while (at > 0) {
      const uint32_t above = (at - 1) / 2;
      if (!before_(waiting, rows_[above])) break;
      Place(at, rows_[above]);
      at = above;
    }
    Place(at, waiting);
  }
  void SiftDown(uint32_t at) {
    const Waiting waiting = rows_[at];
    const auto size = static_cast<uint32_t>(rows_.size());
    while (true) {
      uint32_t below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && before_(rows_[below + 1], rows_[below])) ++below;
      if (!before_(rows_[below], waiting)) break;
      Place(at, rows_[below]);
      at = below;
    }
    Place(at, waiting);
  }

  Order before_;
  std::vector<Waiting> rows_;
};

}  // namespace kueue::scheduling
