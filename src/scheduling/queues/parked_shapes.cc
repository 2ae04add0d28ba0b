#include "scheduling/queues/parked_shapes.h"

#include <utility>

namespace kueue::scheduling {

const ShapeGroup* ParkedShapes::Find(const Shape& shape) const {
  if (!shape.known()) return nullptr;
  const auto found = by_shape_.find(shape.id());
  return found == by_shape_.end() ? nullptr : found->second.get();
}

// ---- the order

void ParkedShapes::Unlist(ShapeGroup* group) {
  const auto at = order_.find(group->place);
  if (at == next_) ++next_;
  order_.erase(at);
}

void ParkedShapes::List(ShapeGroup* group) {
  group->place = group->members.top();
  const auto at = order_.emplace(group->place, group).first;
  if (Failed(*group)) return;
  if (next_ == order_.end() || PlainOrder()(group->place, next_->first)) next_ = at;
}

void ParkedShapes::SkipFailed() const {
  while (next_ != order_.end() && Failed(*next_->second)) ++next_;
}

ShapeGroup* ParkedShapes::First() const {
  SkipFailed();
  return next_ == order_.end() ? nullptr : next_->second;
}

// ---- coming and going

ShapeGroup* ParkedShapes::Fail(const Shape& shape, std::string reason) {
  auto& group = by_shape_[shape.id()];
  if (group == nullptr) {
    group = std::make_unique<ShapeGroup>();
    group->shape = shape;
    emptied_.push_back(shape.id());
  }
  group->reason = std::move(reason);
  group->failed_in = wake_;
  SetSaid(group.get());
  return group.get();
}

void ParkedShapes::Add(ShapeGroup* group, WorkItem* item) {
  const bool first = group->members.empty();
  group->members.Push(item);
  item->alike = group;
  ++size_;
  if (!first && group->members.top().item != item) return;
  if (!first) Unlist(group);
  List(group);
}

void ParkedShapes::Remove(WorkItem* item) {
  ShapeGroup* const group = std::exchange(item->alike, nullptr);
  const bool was_first = group->members.top().item == item;
  if (was_first) Unlist(group);
  group->members.Remove(item);
  --size_;
  if (group->members.empty()) {
    SetSaid(group);
    emptied_.push_back(group->shape.id());
  } else if (was_first) {
    List(group);
  }
}

bool ParkedShapes::Wake() {
  for (const void* id : std::exchange(emptied_, {})) {
    const auto found = by_shape_.find(id);
    if (found != by_shape_.end() && found->second->members.empty()) by_shape_.erase(found);
  }
  ++wake_;
  next_ = order_.begin();
  return !order_.empty();
}

// ---- passing over

void ParkedShapes::PassOver(ShapeGroup* group) {
  group->failed_in = wake_;
  unsaid_ += group->unsaid ? 0 : 1;
  group->unsaid = true;
}

void ParkedShapes::SetSaid(ShapeGroup* group) {
  unsaid_ -= group->unsaid ? 1 : 0;
  group->unsaid = false;
}

std::vector<ShapeGroup*> ParkedShapes::Unsaid(size_t limit) const {
  std::vector<ShapeGroup*> groups;
  for (const auto& [place, group] : order_) {
    if (groups.size() >= limit || groups.size() == unsaid_) break;
    if (group->unsaid) groups.push_back(group);
  }
  return groups;
}

std::vector<WorkItem*> ParkedShapes::TakeAll() {
  std::vector<WorkItem*> items;
  for (const auto& [place, group] : order_) {
    for (const Waiting& waiting : group->members.rows()) {
      waiting.item->alike = nullptr;
      items.push_back(waiting.item);
    }
    group->members.Clear();
    SetSaid(group);
    emptied_.push_back(group->shape.id());
  }
  order_.clear();
  next_ = order_.end();
  size_ = 0;
  return items;
}

}  // namespace kueue::scheduling
