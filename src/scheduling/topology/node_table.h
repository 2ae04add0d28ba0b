#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/types/core.h"
#include "scheduling/model/catalog.h"
#include "scheduling/model/work_item.h"

namespace kueue::scheduling::topology {

// A node's place in the table; reused after the node is gone.
using Row = uint32_t;

// What a plain pod keeps busy: pods whose place no Workload accounts for (spec/topology.md §3.2).
// Summed by the name of the node they are bound to, which need not be known.
class PlainPods {
 public:
  explicit PlainPods(Catalog& catalog) : catalog_(catalog) {}
  // Bound, neither succeeded nor failed, and no Workload's own.
  static bool Counts(const api::Pod& pod);

  // A node whose sums are different now. `freed`: something on it became free (§3.2).
  struct Effect {
    std::string node;
    bool freed = false;
  };
  std::vector<Effect> Set(const api::Pod& pod);
  std::vector<Effect> Delete(const std::string& key);
  // Sums with `pods`; null if nothing is bound to a node of this name.
  const RequestVector* Of(const std::string& node) const;

 private:
  struct Record {
    std::string node;
    RequestVector requests;  // with `pods`
  };
  void Sum(const Record& record, int sign);

  Catalog& catalog_;
  std::unordered_map<std::string, Record> records_;      // by pod key; only looked up
  std::unordered_map<std::string, RequestVector> sums_;  // by node; only looked up
};

// All nodes of the cluster as placement sees them, in columns (§3.1).
class NodeTable {
 public:
  NodeTable(Catalog& catalog, const PlainPods& pods) : catalog_(catalog), pods_(pods) {}

  struct Change {
    Row row = 0;
    bool added = false;
    bool labels = false;    // which flavors it belongs to may be different
    bool matching = false;  // labels or taints
    bool usable = false;    // became ready and schedulable, or stopped to be
    bool room = false;      // allocatable, or what plain pods keep busy
    bool retry = false;     // §3.4: waiting work may find a place
    bool any() const { return added || labels || matching || usable || room; }
  };
  Change Set(std::shared_ptr<const api::Node> object);
  // After its sums of plain pods changed; no change if there is no such node.
  Change Refresh(const std::string& name);
  // False if there is no node of this name.
  bool Find(const std::string& name, Row& row) const;
  // REQUIRES: nothing refers to the row any more.
  void Delete(Row row);

  const api::Node& object(Row row) const { return *objects_[row]; }
  bool known(Row row) const { return objects_[row] != nullptr; }
  bool usable(Row row) const { return usable_[row] != 0; }
  size_t rows() const { return objects_.size(); }
  // Allocatable less what plain pods keep busy; 0 for what the node does not have.
  int64_t Room(ResourceId resource, Row row) const {
    return resource.index() < room_.size() && row < room_[resource.index()].size()
               ? room_[resource.index()][row]
               : 0;
  }
  // Columns that exist; a resource without one is on no node.
  size_t resources() const { return room_.size(); }

 private:
  bool ReadRoom(Row row);
  bool SetRoom(ResourceId resource, Row row, int64_t value);

  Catalog& catalog_;
  const PlainPods& pods_;
  std::vector<std::shared_ptr<const api::Node>> objects_;  // null: a free row
  std::vector<uint8_t> usable_;
  std::vector<std::vector<int64_t>> room_;  // by resource, by row
  std::vector<Row> free_rows_;
  std::unordered_map<std::string, Row> rows_;  // by name; only looked up
};

// Adds `more` times `factor`, keeping the vector order (spec/scheduling.md §1.3). Saturates.
void AddInto(RequestVector& sum, const RequestVector& more, int64_t factor, const Catalog& catalog);
// The requests of one pod with itself as one of `pods` (§6).
RequestVector WithPods(const RequestVector& per_pod, int64_t pods, Catalog& catalog);

}  // namespace kueue::scheduling::topology
