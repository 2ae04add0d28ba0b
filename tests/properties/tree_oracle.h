#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "random_world.h"

namespace kueue::properties {

// Quota and usage of all trees, computed from the objects by the formulas of spec/scheduling.md
// §2.2-§2.4 without the core's data structures. Amounts are small, so plain integers do.
class TreeOracle {
 public:
  using Cell = std::pair<std::string, std::string>;  // flavor, resource

  // `without`: workloads whose usage does not count.
  TreeOracle(const RandomWorld& world, const std::set<std::string>& without);

  // What is free for a queue; negative if more is in use than the limits allow.
  int64_t Available(const std::string& queue, const Cell& cell) const;
  // What the queue's workloads hold.
  int64_t Usage(const std::string& queue, const Cell& cell) const;
  const std::set<Cell>& cells() const { return cells_; }
  bool InCycle(const std::string& queue) const;

 private:
  struct Limits {
    int64_t nominal = 0, borrowing = -1, lending = -1;  // -1: none
  };
  struct Node {
    std::string parent;  // of Cohorts; "" at a root
    std::map<Cell, Limits> quotas;
    std::map<Cell, int64_t> own_usage;
    std::set<std::string> children;
  };
  static std::string QueueKey(const std::string& name) { return "queue " + name; }
  static std::string CohortKey(const std::string& name) { return "cohort " + name; }
  void AddNode(const std::string& key, const std::string& cohort,
               const std::vector<api::ResourceGroup>& groups);
  void AddUsage(const RandomWorld& world, const std::set<std::string>& without);
  Limits LimitsOf(const std::string& key, const Cell& cell) const;
  int64_t Subtree(const std::string& key, const Cell& cell) const;
  int64_t Local(const std::string& key, const Cell& cell) const;
  int64_t UsageOf(const std::string& key, const Cell& cell) const;
  int64_t AvailableTo(const std::string& key, const Cell& cell) const;

  std::map<std::string, Node> nodes_;
  std::set<Cell> cells_;
};

// The admission a workload holds, written or not; null without.
const api::Admission* AdmissionOf(const RandomWorld& world, const api::Workload& workload);

}  // namespace kueue::properties
