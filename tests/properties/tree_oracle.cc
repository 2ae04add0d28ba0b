#include "tree_oracle.h"

#include <algorithm>

#include "api/types/names.h"
#include "resources/resource_vector.h"

namespace kueue::properties {

const api::Admission* AdmissionOf(const RandomWorld& world, const api::Workload& workload) {
  const auto& conditions = workload.status.conditions;
  if (api::IsConditionTrue(conditions, api::names::kFinished)) return nullptr;
  if (!workload.spec.active.value_or(true)) return nullptr;
  const auto unwritten = world.unwritten().find(api::KeyOf(workload.metadata));
  if (unwritten != world.unwritten().end()) return &unwritten->second.admission;
  if (!api::IsConditionTrue(conditions, api::names::kQuotaReserved)) return nullptr;
  return workload.status.admission ? &*workload.status.admission : nullptr;
}

TreeOracle::TreeOracle(const RandomWorld& world, const std::set<std::string>& without) {
  for (const auto& [name, cohort] : world.cohorts()) {
    AddNode(CohortKey(name), cohort->spec.parent_name, cohort->spec.resource_groups);
  }
  for (const auto& [name, queue] : world.queues()) {
    AddNode(QueueKey(name), queue->spec.cohort_name, queue->spec.resource_groups);
  }
  AddUsage(world, without);
}

void TreeOracle::AddNode(const std::string& key, const std::string& cohort,
                         const std::vector<api::ResourceGroup>& groups) {
  Node& node = nodes_[key];
  for (const api::ResourceGroup& group : groups) {
    for (const api::FlavorQuotas& flavor : group.flavors) {
      for (const api::ResourceQuota& quota : flavor.resources) {
        const Cell cell(flavor.name, quota.name);
        cells_.insert(cell);
        const auto units = [&](const std::optional<resources::Quantity>& limit) {
          return limit ? resources::QuotaUnits(quota.name, *limit).value() : -1;
        };
        node.quotas[cell] = {units(quota.nominal_quota), units(quota.borrowing_limit),
                             units(quota.lending_limit)};
      }
    }
  }
  if (cohort.empty()) return;
  node.parent = CohortKey(cohort);
  nodes_[node.parent].children.insert(key);
}

void TreeOracle::AddUsage(const RandomWorld& world, const std::set<std::string>& without) {
  for (const auto& [key, workload] : world.workloads()) {
    const api::Admission* const admission = AdmissionOf(world, *workload);
    if (admission == nullptr || without.contains(key)) continue;
    const auto node = nodes_.find(QueueKey(admission->cluster_queue));
    if (node == nodes_.end()) continue;
    for (const api::PodSetAssignment& pods : admission->pod_set_assignments) {
      int64_t count = pods.count.value_or(0), left = count;
      for (const api::PodSet& spec : workload->spec.pod_sets) {
        if (spec.name != pods.name) continue;
        left = spec.count;
        for (const auto& free : workload->status.reclaimable_pods) {
          if (free.name == pods.name) left -= std::min(free.count, spec.count);
        }
      }
      for (const auto& [resource, flavor] : pods.flavors) {
        int64_t amount = resources::RequestUnits(resource, pods.resource_usage.at(resource));
        if (left < count && count != 0) amount = amount / count * left;
        node->second.own_usage[{flavor, resource}] += amount;
      }
    }
  }
}

bool TreeOracle::InCycle(const std::string& queue) const {
  std::set<std::string> seen;
  for (std::string key = QueueKey(queue); !key.empty(); key = nodes_.at(key).parent) {
    if (!seen.insert(key).second) return true;
  }
  return false;
}

TreeOracle::Limits TreeOracle::LimitsOf(const std::string& key, const Cell& cell) const {
  const auto& quotas = nodes_.at(key).quotas;
  const auto found = quotas.find(cell);
  return found == quotas.end() ? Limits() : found->second;
}

int64_t TreeOracle::Subtree(const std::string& key, const Cell& cell) const {
  int64_t sum = LimitsOf(key, cell).nominal;
  for (const std::string& child : nodes_.at(key).children) {
    sum += Subtree(child, cell) - Local(child, cell);
  }
  return sum;
}

int64_t TreeOracle::Local(const std::string& key, const Cell& cell) const {
  const int64_t lending = LimitsOf(key, cell).lending;
  return lending < 0 ? 0 : std::max<int64_t>(0, Subtree(key, cell) - lending);
}

int64_t TreeOracle::UsageOf(const std::string& key, const Cell& cell) const {
  const Node& node = nodes_.at(key);
  const auto own = node.own_usage.find(cell);
  int64_t sum = own == node.own_usage.end() ? 0 : own->second;
  for (const std::string& child : node.children) {
    sum += std::max<int64_t>(0, UsageOf(child, cell) - Local(child, cell));
  }
  return sum;
}

int64_t TreeOracle::AvailableTo(const std::string& key, const Cell& cell) const {
  const Node& node = nodes_.at(key);
  const int64_t usage = UsageOf(key, cell), subtree = Subtree(key, cell);
  if (node.parent.empty()) return subtree - usage;
  const int64_t local = Local(key, cell), borrowing = LimitsOf(key, cell).borrowing;
  int64_t above = AvailableTo(node.parent, cell);
  if (borrowing >= 0) {
    above = std::min(above, subtree - local - std::max<int64_t>(0, usage - local) + borrowing);
  }
  return std::max<int64_t>(0, local - usage) + above;
}

int64_t TreeOracle::Available(const std::string& queue, const Cell& cell) const {
  return AvailableTo(QueueKey(queue), cell);
}

int64_t TreeOracle::Usage(const std::string& queue, const Cell& cell) const {
  return UsageOf(QueueKey(queue), cell);
}

}  // namespace kueue::properties
