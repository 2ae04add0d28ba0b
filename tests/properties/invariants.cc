#include "invariants.h"

#include <algorithm>

#include "api/types/names.h"
#include "scheduling/explanation.h"
#include "tree_oracle.h"

namespace kueue::properties {
namespace {

namespace names = api::names;
using resources::Quantity;
using scheduling::State;

bool Holds(const api::Workload& workload, const char* type) {
  return api::IsConditionTrue(workload.status.conditions, type);
}

// What a State says about its queues, as text. `places`: with the bucket of every workload.
std::string Describe(const State& state, const RandomWorld& world, bool places) {
  std::string text;
  for (const auto& entry : world.queues()) {
    const auto report = state.ReportClusterQueue(entry.first);
    text += entry.first + (report.active ? " active" : " " + report.reason);
    text += " pending " + std::to_string(report.pending);
    text += " reserving " + std::to_string(report.reserving);
    text += " admitted " + std::to_string(report.admitted);
    if (report.weighted_share) text += " share " + std::to_string(*report.weighted_share);
    for (const api::FlavorUsage& flavor : report.flavors_reservation) {
      for (const api::ResourceUsage& usage : flavor.resources) {
        text += " " + flavor.name + "/" + usage.name + "=" + usage.total.ToString() + "-" +
                usage.borrowed.ToString();
      }
    }
    if (places) {
      for (const auto& key : state.ActiveHeap(entry.first)) text += " heap " + key;
      for (const auto& key : state.Inadmissible(entry.first)) text += " parked " + key;
    } else {
      auto waiting = state.PendingInOrder(entry.first);
      std::sort(waiting.begin(), waiting.end());
      for (const auto& key : waiting) text += " waits " + key;
    }
    text += "\n";
  }
  return text;
}

std::string Compare(const std::string& what, const std::string& a, const std::string& b) {
  return a == b ? std::string() : what + "\n" + a + "---\n" + b;
}

}  // namespace

std::string CheckNoOverAdmission(RandomWorld& world) {
  // Those on their way out make room already for others of the same cycle (§5.4).
  std::set<std::string> leaving = world.leaving_before();
  for (const auto& eviction : world.plan().evictions) leaving.insert(eviction.workload);
  const TreeOracle oracle(world, leaving);
  for (const auto& reservation : world.plan().reservations) {
    for (const auto& pods : reservation.admission.pod_set_assignments) {
      for (const auto& [resource, flavor] : pods.flavors) {
        if (pods.resource_usage.at(resource).IsZero()) continue;
        const int64_t free = oracle.Available(reservation.cluster_queue, {flavor, resource});
        if (free >= 0) continue;
        return reservation.workload + " was admitted, now " + reservation.cluster_queue + " has " +
               std::to_string(free) + " " + resource + " free in " + flavor;
      }
    }
  }
  return {};
}

std::string CheckNobodyLost(RandomWorld& world) {
  std::map<std::string, int> places;
  for (const auto& entry : world.queues()) {
    for (const auto& key : world.state().ActiveHeap(entry.first)) ++places[key];
    for (const auto& key : world.state().Inadmissible(entry.first)) ++places[key];
  }
  for (const auto& [key, workload] : world.workloads()) {
    const bool ended = Holds(*workload, names::kFinished) || !workload->spec.active.value_or(true);
    const bool reserved = AdmissionOf(world, *workload) != nullptr ||
                          Holds(*workload, names::kQuotaReserved);
    const bool waits = !ended && !reserved && !world.QueueOf(*workload).empty();
    const auto found = places.find(key);
    const int times = found == places.end() ? 0 : found->second;
    if (times == (waits ? 1 : 0)) continue;
    return key + " is in " + std::to_string(times) + " places";
  }
  return {};
}

std::string CheckEvictions(RandomWorld& world) {
  std::set<std::string> gone;
  for (const auto& eviction : world.plan().evictions) {
    if (!gone.insert(eviction.workload).second) return eviction.workload + " evicted twice";
    if (world.leaving_before().contains(eviction.workload)) {
      return eviction.workload + " evicted while it leaves";
    }
    if (eviction.evicted_reason.empty() || eviction.preempted_reason.empty()) {
      return eviction.workload + " evicted without a cause";
    }
  }
  for (const auto& reservation : world.plan().reservations) {
    if (gone.contains(reservation.workload)) return reservation.workload + " came and went at once";
  }
  return {};
}

std::string CheckUsage(RandomWorld& world) {
  const TreeOracle oracle(world, {});
  for (const auto& entry : world.queues()) {
    for (const auto& flavor : world.state().ReportClusterQueue(entry.first).flavors_reservation) {
      for (const auto& usage : flavor.resources) {
        const int64_t is = resources::RequestUnits(usage.name, usage.total);
        const int64_t should = oracle.Usage(entry.first, {flavor.name, usage.name});
        if (is == should) continue;
        return entry.first + " uses " + std::to_string(is) + " " + usage.name + " in " +
               flavor.name + ", its workloads hold " + std::to_string(should);
      }
    }
  }
  return {};
}

std::string CheckRestart(RandomWorld& world) {
  const std::string now = Describe(world.state(), world, false);
  const State forked = world.state().Fork().Rebuild(world.now());
  std::string wrong = Compare("a fork differs", now, Describe(forked, world, false));
  if (!wrong.empty() || !world.unwritten().empty()) return wrong;
  return Compare("a restart differs", now, Describe(world.Restarted(), world, false));
}

std::string CheckSilence(RandomWorld& world) {
  if (!world.unwritten().empty()) return {};
  const std::string before = Describe(world.state(), world, true);
  world.TellAgain();
  return Compare("something moved", before, Describe(world.state(), world, true));
}

// ---- least change

namespace {

// The queue with more nominal quota, less `less` units of one of them.
QueuePointer Raised(const QueuePointer& queue,
                    const std::vector<scheduling::QuotaIncrease>& increases, size_t lowered,
                    int64_t less) {
  auto changed = std::make_shared<api::ClusterQueue>(*queue);
  changed->metadata.generation += 1000000;
  for (size_t i = 0; i < increases.size(); ++i) {
    for (api::ResourceGroup& group : changed->spec.resource_groups) {
      for (api::FlavorQuotas& flavor : group.flavors) {
        for (api::ResourceQuota& quota : flavor.resources) {
          if (flavor.name != increases[i].flavor || quota.name != increases[i].resource) continue;
          const int64_t units = resources::QuotaUnits(quota.name, quota.nominal_quota).value() +
                                increases[i].amount - (i == lowered ? less : 0);
          quota.nominal_quota = resources::UnitsToQuantity(quota.name, units);
        }
      }
    }
  }
  return changed;
}

// Does the workload get quota at once with nobody else waiting?
bool Admits(RandomWorld& world, const std::string& key, const QueuePointer& queue) {
  State state = world.Restarted();
  for (const auto& [other, workload] : world.workloads()) {
    if (other == key || AdmissionOf(world, *workload) != nullptr) continue;
    if (Holds(*workload, names::kQuotaReserved)) continue;
    state.DeleteWorkload("ns", other.substr(3), world.now());
  }
  state.SetClusterQueue(queue, world.now());
  const scheduling::Plan plan = scheduling::Step(state, world.now());
  return std::any_of(plan.reservations.begin(), plan.reservations.end(),
                     [&](const auto& reservation) { return reservation.workload == key; });
}

}  // namespace

std::string CheckLeastChange(RandomWorld& world) {
  if (!world.unwritten().empty()) return {};
  State restarted = world.Restarted();
  for (const auto& entry : world.queues()) {
    const auto waiting = restarted.PendingInOrder(entry.first);
    if (waiting.empty()) continue;
    const std::string key = waiting.back();
    const auto explanation = scheduling::Explain(restarted, key, world.now());
    if (!explanation.blockers.empty()) continue;
    const QueuePointer& queue = entry.second;
    const auto& increases = explanation.least_change;
    const bool fits = explanation.mode == scheduling::FlavorMode::kFit;
    if (fits != Admits(world, key, queue)) {
      return key + (fits ? " is said to fit and does not" : " fits and is said not to");
    }
    if (increases.empty()) continue;
    if (!Admits(world, key, Raised(queue, increases, 0, 0))) {
      return key + " does not get in with " + std::to_string(increases[0].amount) + " more of " +
             increases[0].flavor + " in " + entry.first;
    }
    for (size_t i = 0; i < increases.size(); ++i) {
      if (!Admits(world, key, Raised(queue, increases, i, 1))) continue;
      return key + " gets in with less than " + std::to_string(increases[i].amount) + " more " +
             increases[i].resource + " of " + increases[i].flavor + " in " + entry.first;
    }
  }
  return {};
}

}  // namespace kueue::properties
