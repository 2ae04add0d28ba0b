#include <algorithm>
#include <tuple>

#include "scheduling/cycle.h"
#include "scheduling/explain.h"

// Workloads that hold quota and need places: after their admission checks, or because a node failed
// (spec/topology.md §15).
namespace kueue::scheduling {
namespace {

bool IsPending(const api::PodSetAssignment& assignment) {
  return !assignment.topology_assignment && assignment.delayed_topology_request == "Pending";
}

}  // namespace

// ---- who needs one (§15.2)

bool World::NeedsSecondPass(const WorkItem& item) const {
  const api::Admission* const admission = item.admission();
  if (!config.gates.topology_aware_scheduling || admission == nullptr) return false;
  if (item.finished || item.evicted || !item.reserved || item.on_hold || !item.active) return false;
  const auto& assignments = admission->pod_set_assignments;
  if (item.admitted) {
    return std::any_of(assignments.begin(), assignments.end(), [&](const auto& assignment) {
      return HoldsFailedNode(assignment, *item.object);
    });
  }
  const auto& checks = item.object->status.admission_checks;
  return !checks.empty() && std::all_of(checks.begin(), checks.end(), [](const auto& check) {
    return check.state == "Ready";
  }) && std::any_of(assignments.begin(), assignments.end(), IsPending);
}

void World::WatchSecondPass(const WorkItem& item, base::Time now) {
  if (NeedsSecondPass(item)) {
    second_passes.Ask(item.key, 0, now);
  } else {
    second_passes.Drop(item.key);
  }
}

void World::AssumeAgain(WorkItem* item, std::shared_ptr<const api::Admission> admission,
                        bool admitted) {
  std::vector<CellUse> usage = item->usage;
  Discount(item);
  item->assumed = std::move(admission);
  item->assumed_again = true;
  item->assumed_at = item->reserved_at;
  item->assumed_admitted = admitted;
  ShowAssumed(item);
  AccountAs(item, std::move(usage));
  Record(*item);
}

// The object still shows the admission before the second pass.
bool World::WaitsForSecondWrite(const WorkItem& item) const {
  if (item.assumed == nullptr || !item.assumed_again) return false;
  if (!item.reserved || item.evicted || item.finished || !item.active) return false;
  if (!item.object->status.admission) return false;
  return !(*item.object->status.admission == *item.assumed);
}

// ---- in a cycle

void Cycle::NominateSecondPasses() {
  for (const SecondPasses::Ready& ready : world_.second_passes.Take()) {
    WorkItem* const item = world_.FindItem(ready.key);
    if (item == nullptr || item->accounted_in == nullptr || !world_.NeedsSecondPass(*item)) {
      continue;
    }
    ClusterQueue* const queue = item->accounted_in;
    if (queue->node == nullptr || !queue->active) {
      world_.second_passes.Ask(item->key, ready.attempts + 1, now_);
      continue;
    }
    Entry& entry = *entries_.emplace_back(std::make_unique<Entry>());
    entry.item = item;
    entry.queue = queue;
    entry.second_pass = true;
    entry.attempts = ready.attempts;
    DecideSecondPass(entry);
  }
}

// Before all others, whatever the order among those is (§15.3).
void Cycle::ProcessSecondPasses(std::vector<Entry*>& left) {
  const auto first = std::stable_partition(left.begin(), left.end(),
                                           [](const Entry* e) { return e->second_pass; });
  std::sort(left.begin(), first, [](const Entry* a, const Entry* b) {
    if (a->item->priority != b->item->priority) return a->item->priority > b->item->priority;
    return std::tie(a->item->order_time, a->item->key) <
           std::tie(b->item->order_time, b->item->key);
  });
  for (auto at = left.begin(); at != first; ++at) Process(**at);
  left.erase(left.begin(), first);
}

// Flavors and quota stay as they were recorded: only places are looked for.
void Cycle::DecideSecondPass(Entry& entry) {
  entry.assignment = {};
  entry.targets.clear();
  const WorkItem& item = *entry.item;
  for (uint32_t i = 0; i < item.demand->pod_sets.size(); ++i) {
    const std::string& name = item.demand->pod_sets[i].spec->name;
    for (const api::PodSetAssignment& held : item.admission()->pod_set_assignments) {
      if (held.name != name) continue;
      PodSetResult& pod_set = entry.assignment.pod_sets.emplace_back();
      pod_set.index = i;
      pod_set.count = held.count.value_or(item.demand->pod_sets[i].spec->count);
      for (const auto& [resource, flavor_name] : held.flavors) {
        const FlavorId flavor = world_.catalog.Flavor(flavor_name);
        const ResourceId resource_id = world_.catalog.Resource(resource);
        const CellId cell = world_.catalog.Cell(flavor, resource_id);
        pod_set.choices.push_back(
            {resource_id, flavor, cell, tree_.EnsureSlot(entry.queue->node, cell), {}, 0});
      }
    }
  }
  const Placing placing(world_, item, *entry.queue, nullptr);
  placing.Adjust(entry.assignment);
  const bool replaces = !item.object->status.unhealthy_nodes.empty();
  if (entry.assignment.mode() == FlavorMode::kPreempt && !replaces) {
    const std::vector<topology::Want> wants = placing.WantsOf(entry.assignment);
    entry.targets =
        VictimSearch(world_, item, *entry.queue, {}, entry.assignment.NeedingPreemption(), &wants)
            .Find();
  }
  placing.Reserve(entry.assignment, entry.targets);
}

// One failed attempt is enough to give a workload with a failed node up (§14.6).
bool Cycle::FailsFast(const Entry& entry) const {
  return entry.second_pass && entry.item->admitted && entry.assignment.mode() != FlavorMode::kFit &&
         world_.config.gates.tas_failed_node_replacement_fail_fast;
}

void Cycle::AdmitAgain(const Entry& entry, Plan& plan) {
  auto admission = std::make_shared<api::Admission>(*entry.item->admission());
  for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
    if (!pod_set.place) continue;
    const std::string& name = entry.item->demand->pod_sets[pod_set.index].spec->name;
    for (api::PodSetAssignment& to : admission->pod_set_assignments) {
      if (to.name != name) continue;
      if (!pod_set.delayed.empty()) to.delayed_topology_request = pod_set.delayed;
      if (!pod_set.place->unchanged) to.topology_assignment = DescribePlace(world_, *pod_set.place);
    }
  }
  Reservation reservation;
  reservation.workload = entry.item->key;
  reservation.uid = entry.item->uid();
  reservation.cluster_queue = entry.queue->name;
  reservation.admission = *admission;
  reservation.second_pass = true;
  reservation.clears_unhealthy_nodes = !entry.item->object->status.unhealthy_nodes.empty();
  reservation.also_admitted = !entry.item->admitted &&
                              ChecksAreReady(*entry.queue->object, *entry.item->object, *admission);
  world_.AssumeAgain(entry.item, std::move(admission),
                     entry.item->admitted || reservation.also_admitted);
  plan.reservations.push_back(std::move(reservation));
}

void Cycle::PutBackSecondPass(const Entry& entry, Plan& plan) {
  if (entry.gave_up) {
    world_.SetEvictionInFlight(entry.item, true);
    plan.evictions.push_back({entry.item->key, entry.item->uid(), entry.queue->name,
                              "NodeFailures", "", "", "", "",
                              DescribeShortages(world_, entry)});
    return;
  }
  world_.second_passes.Ask(entry.item->key, entry.attempts + 1, now_);
  kueue::scheduling::Requeue out;
  out.workload = entry.item->key;
  out.uid = entry.item->uid();
  out.cluster_queue = entry.queue->name;
  out.requeue_reason = NameOf(entry.reason);
  out.message = DescribeShortages(world_, entry);
  out.second_pass = true;
  plan.requeues.push_back(std::move(out));
}

}  // namespace kueue::scheduling
