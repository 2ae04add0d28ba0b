#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "api/types/devices.h"
#include "api/types/kueue.h"
#include "api/types/limits.h"
#include "base/time.h"
#include "scheduling/fairness/usage_ledger.h"
#include "scheduling/model/shared_table.h"

namespace kueue::scheduling {

// A workload with what the State knows beyond its object.
struct WorkloadRow {
  std::shared_ptr<const api::Workload> object;    // null: the row is free
  std::shared_ptr<const api::Admission> assumed;  // given by a cycle, not yet in the object
  base::Time assumed_at;
  bool assumed_admitted = false;
  bool eviction_in_flight = false;
};

// Objects of one kind by name.
template <class T>
class ObjectTable {
 public:
  using Pointer = std::shared_ptr<const T>;
  void Set(const std::string& name, Pointer object) {
    const auto [entry, added] = rows_.try_emplace(name, 0);
    if (added) {
      entry->second = table_.Add(std::move(object));
    } else {
      table_.Set(entry->second, std::move(object));
    }
  }
  void Remove(const std::string& name) {
    const auto found = rows_.find(name);
    if (found == rows_.end()) return;
    table_.Remove(found->second);
    rows_.erase(found);
  }
  auto Share() { return table_.Share(); }

 private:
  SharedTable<Pointer> table_;
  std::unordered_map<std::string, uint32_t> rows_;  // only looked up
};

// All objects that make up a State, in a form that is cheap to copy: what a Snapshot is made of.
struct Records {
  ObjectTable<api::Namespace> namespaces;
  ObjectTable<api::ResourceFlavor> flavors;
  ObjectTable<api::AdmissionCheck> checks;
  ObjectTable<api::Cohort> cohorts;
  ObjectTable<api::ClusterQueue> queues;
  ObjectTable<api::LocalQueue> local_queues;
  ObjectTable<api::Topology> topologies;
  ObjectTable<api::Node> nodes;
  ObjectTable<api::Pod> pods;          // those that keep nodes busy (spec/topology.md §3.2)
  ObjectTable<api::LimitRange> limit_ranges;  // by namespace/name
  ObjectTable<api::RuntimeClass> runtime_classes;
  ObjectTable<api::DeviceClass> device_classes;
  ObjectTable<api::ResourceSlice> resource_slices;
  ObjectTable<api::ResourceClaimTemplate> claim_templates;  // by namespace/name
  ObjectTable<PastUse> past_use;       // by LocalQueue
  SharedTable<WorkloadRow> workloads;  // by WorkItem::row
};

}  // namespace kueue::scheduling
