#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scheduling/model/work_item.h"

namespace kueue::scheduling::topology {

class Space;

// What admitted Workloads hold on lowest domains, by the id an assignment gives them
// (spec/topology.md §4.2, §4.4). Kept whether or not there is a node behind the id at the moment.
// Flavors whose lowest level is the hostname share one object of it, so that none overbooks nodes
// of another; the others have one each.
class Holdings {
 public:
  using Entry = uint32_t;
  static constexpr Entry kNone = UINT32_MAX;

  // The number of an id, which stays as long as somebody holds it. Each Hold needs a Release.
  Entry Hold(std::string_view id);
  void Hold(Entry entry) { ++holders_[entry]; }
  void Release(Entry entry);
  Entry Find(std::string_view id) const;
  const std::string& Id(Entry entry) const { return ids_[entry]; }
  size_t size() const { return ids_.size(); }

  // Adds `count` pods (negative: takes them away); `per_pod` with `pods`. Tells every space.
  void Add(Entry entry, const RequestVector& per_pod, int64_t count);
  int64_t Used(ResourceId resource, Entry entry) const {
    return resource.index() < used_.size() && entry < used_[resource.index()].size()
               ? used_[resource.index()][entry]
               : 0;
  }

  void Attach(Space* space) { spaces_.push_back(space); }
  void Detach(Space* space) { std::erase(spaces_, space); }

 private:
  std::deque<std::string> ids_;  // stable addresses: the keys below point into it
  std::vector<uint32_t> holders_;
  std::unordered_map<std::string_view, Entry> numbers_;  // only looked up
  std::vector<Entry> free_;
  std::vector<std::vector<int64_t>> used_;  // by resource, by entry
  std::vector<Space*> spaces_;
};

}  // namespace kueue::scheduling::topology
