#include "scheduling/topology/holdings.h"

#include "scheduling/topology/space.h"

namespace kueue::scheduling::topology {

Holdings::Entry Holdings::Find(std::string_view id) const {
  const auto found = numbers_.find(id);
  return found == numbers_.end() ? kNone : found->second;
}

Holdings::Entry Holdings::Hold(std::string_view id) {
  Entry entry = Find(id);
  if (entry == kNone) {
    if (free_.empty()) {
      entry = static_cast<Entry>(ids_.size());
      ids_.emplace_back(id);
      holders_.push_back(0);
    } else {
      entry = free_.back();
      free_.pop_back();
      ids_[entry] = id;
    }
    numbers_.emplace(ids_[entry], entry);
  }
  ++holders_[entry];
  return entry;
}

void Holdings::Release(Entry entry) {
  if (--holders_[entry] > 0) return;
  numbers_.erase(ids_[entry]);
  for (auto& column : used_) {
    if (entry < column.size()) column[entry] = 0;
  }
  free_.push_back(entry);
}

void Holdings::Add(Entry entry, const RequestVector& per_pod, int64_t count) {
  for (const ResourceAmount& want : per_pod) {
    if (used_.size() <= want.resource.index()) used_.resize(want.resource.index() + 1);
    std::vector<int64_t>& column = used_[want.resource.index()];
    if (column.size() <= entry) column.resize(ids_.size());
    column[entry] =
        resources::SaturatingAdd(column[entry], resources::SaturatingMul(want.amount, count));
    for (Space* space : spaces_) space->UsageChanged(entry, want.resource);
  }
}

}  // namespace kueue::scheduling::topology
