#include <algorithm>

#include "scheduling/world.h"

// Facts about topologies, nodes and pods, and what running workloads hold on them
// (spec/topology.md §3, §4).
namespace kueue::scheduling {
namespace {

// Freed room is looked at so often (§3.2).
constexpr base::Duration kFreedPeriod = base::seconds(10);

}  // namespace

topology::Rules RulesOf(const Gates& gates) {
  topology::Rules rules;
  rules.profile.least_free_for_unconstrained = gates.tas_profile_mixed;
  rules.profile.balanced_for_preferred = gates.tas_balanced_placement;
  rules.respect_preferred_affinity = gates.tas_respect_node_affinity_preferred;
  rules.share_assumed = gates.tas_handle_overlapping_flavors;
  return rules;
}

// ---- what workloads hold

void World::ChargeDomains(WorkItem* item) {
  const api::Admission* const admission = item->admission();
  if (!config.gates.topology_aware_scheduling || admission == nullptr) return;
  for (const api::PodSetAssignment& assignment : admission->pod_set_assignments) {
    if (!assignment.topology_assignment) continue;
    for (const PodSetDemand& pod_set : item->demand->pod_sets) {
      if (pod_set.spec->name != assignment.name) continue;
      atlas.Account(assignment, pod_set.placed, item->domains);
    }
  }
}

void World::DischargeDomains(WorkItem* item) {
  for (const DomainUse& use : item->domains) atlas.Discount(use);
  item->domains.clear();
}

void World::RemakeSpaces(const std::vector<FlavorId>& flavors) {
  if (flavors.empty()) return;
  for (const ClusterQueue* queue : queues) {
    for (WorkItem* item : queue->accounted) DischargeDomains(item);
  }
  for (const FlavorId flavor : flavors) atlas.Remake(flavor);
  for (const ClusterQueue* queue : queues) {
    for (WorkItem* item : queue->accounted) ChargeDomains(item);
  }
}

// ---- facts

// Room on a node is for every queue that lists a flavor with it (§3.4).
void World::AskRetryOfAll(base::Time now) {
  for (ClusterQueue* queue : queues) {
    if (queue->active) retries.Ask(queue->node, now);
  }
}

void World::SetTopology(std::shared_ptr<const api::Topology> object, base::Time now) {
  const std::string name = object->metadata.name;
  RemakeSpaces(atlas.SetTopology(*object));
  records.topologies.Set(name, std::move(object));
  for (ClusterQueue* queue : queues) {
    if (!UsesTopology(*queue, name)) continue;
    RefreshActivity(queue);
    retries.Ask(queue->node, now);
  }
}

void World::DeleteTopology(const std::string& name, base::Time now) {
  RemakeSpaces(atlas.DeleteTopology(name));
  records.topologies.Remove(name);
  for (ClusterQueue* queue : queues) {
    if (!UsesTopology(*queue, name)) continue;
    RefreshActivity(queue);
    retries.Ask(queue->node, now);
  }
}

bool World::UsesTopology(const ClusterQueue& queue, const std::string& topology) const {
  for (const RuleGroup& group : queue.rules.groups) {
    for (const RuleFlavor& entry : group.flavors) {
      const api::ResourceFlavor* const flavor = FindFlavor(entry.flavor);
      if (flavor != nullptr && flavor->spec.topology_name == topology) return true;
    }
  }
  return false;
}

bool World::LacksTopology(const ClusterQueue& queue) const {
  if (!config.gates.topology_aware_scheduling) return false;
  for (const RuleGroup& group : queue.rules.groups) {
    for (const RuleFlavor& entry : group.flavors) {
      const api::ResourceFlavor* const flavor = FindFlavor(entry.flavor);
      const bool wants = flavor != nullptr && flavor->spec.topology_name;
      if (wants && atlas.Find(entry.flavor) == nullptr) return true;
    }
  }
  return false;
}

void World::SetNode(std::shared_ptr<const api::Node> object, base::Time now) {
  if (!config.gates.topology_aware_scheduling) return;
  records.nodes.Set(object->metadata.name, object);
  if (atlas.SetNode(std::move(object))) AskRetryOfAll(now);
}

void World::DeleteNode(const std::string& name, base::Time now) {
  records.nodes.Remove(name);
  if (atlas.DeleteNode(name)) AskRetryOfAll(now);
}

void World::SetPod(std::shared_ptr<const api::Pod> object, base::Time now) {
  if (!config.gates.topology_aware_scheduling) return;
  atlas.SetPod(*object);
  const std::string key = api::KeyOf(object->metadata);
  if (topology::PlainPods::Counts(*object)) {
    records.pods.Set(key, std::move(object));
  } else {
    records.pods.Remove(key);
  }
  if (atlas.HasFreed() && !freed_due_) freed_due_ = now + kFreedPeriod;
}

void World::DeletePod(const std::string& key, base::Time now) {
  records.pods.Remove(key);
  atlas.DeletePod(key);
  if (atlas.HasFreed() && !freed_due_) freed_due_ = now + kFreedPeriod;
}

void World::RetryAfterFreeing(base::Time now) {
  freed_due_.reset();
  for (const FlavorId flavor : atlas.TakeFreed()) {
    for (ClusterQueue* queue : queues) {
      if (queue->active && UsesFlavor(*queue, flavor)) retries.Ask(queue->node, now);
    }
  }
}

}  // namespace kueue::scheduling
