#include <algorithm>

#include "admission/workload_rules.h"
#include "api/types/names.h"

// What may change about a workload (spec/api.md §8.5, WL-W15..W19). Structs are compared, so nil
// equals empty, and quantities and times by value.
namespace kueue::admission {
namespace {

using api::Feature;
using api::FieldErrorType;

// WL-W15.
void CheckPodSetsStay(const api::FeatureGates& gates, const api::Workload& before,
                      const api::Workload& workload, FieldErrors& errors) {
  const auto& old = before.spec.pod_sets;
  const auto& now = workload.spec.pod_sets;
  if (old.size() != now.size()) {
    return AddInvalid(errors, "spec.podSets",
                      "has " + std::to_string(now.size()) + " pod sets instead of " +
                          std::to_string(old.size()) +
                          ": they may not change while quota is reserved");
  }
  for (size_t i = 0; i < now.size(); ++i) {
    api::PodSet allowed = old[i];
    const bool smaller = now[i].count < old[i].count;
    if (smaller && gates.Enabled(Feature::kElasticJobsViaWorkloadSlices)) {
      allowed.count = now[i].count;
    }
    if (allowed == now[i]) continue;
    AddInvalid(errors, "spec.podSets." + std::to_string(i),
               "pod set '" + now[i].name + "' may not change while quota is reserved");
  }
}

// A pod set of an elastic workload that is being made smaller: what was reclaimed counts anew.
bool IsShrinking(const api::FeatureGates& gates, const api::Workload& workload,
                 const std::string& name) {
  const api::PodSet* pod_set = FindPodSet(workload, name);
  if (!IsElastic(gates, workload) || pod_set == nullptr || !workload.status.admission) return false;
  for (const auto& assignment : workload.status.admission->pod_set_assignments) {
    if (assignment.name == name) {
      return assignment.count && pod_set->count < *assignment.count;
    }
  }
  return false;
}

// WL-W16.
void CheckReclaimedStays(const api::FeatureGates& gates, const api::Workload& before,
                         const api::Workload& workload, FieldErrors& errors) {
  const auto& list = workload.status.reclaimable_pods;
  for (const api::ReclaimablePod& old : before.status.reclaimable_pods) {
    if (IsShrinking(gates, workload, old.name)) continue;
    const std::string path = At("status.reclaimablePods", old.name);
    const auto now = std::find_if(list.begin(), list.end(),
                                  [&](const auto& pod) { return pod.name == old.name; });
    if (now == list.end()) {
      errors.push_back(
          {FieldErrorType::kRequired, path, "may not be removed while quota is reserved"});
    } else if (now->count < old.count) {
      AddInvalid(errors, path + ".count",
                 "'" + std::to_string(now->count) + "' must be at least " +
                     std::to_string(old.count) + " while quota is reserved");
    }
  }
}

// WL-W17.
void CheckAdmissionStays(const api::FeatureGates& gates, const api::Workload& before,
                         const api::Workload& workload, FieldErrors& errors) {
  if (!before.status.admission || !workload.status.admission) return;
  const api::Admission& old = *before.status.admission;
  api::Admission now = *workload.status.admission;
  if (gates.Enabled(Feature::kTopologyAwareScheduling) &&
      old.pod_set_assignments.size() == now.pod_set_assignments.size()) {
    // Where the pods go may still be found out or repaired.
    for (size_t i = 0; i < now.pod_set_assignments.size(); ++i) {
      const api::PodSetAssignment& from = old.pod_set_assignments[i];
      api::PodSetAssignment& to = now.pod_set_assignments[i];
      to.topology_assignment = from.topology_assignment;
      to.delayed_topology_request = from.delayed_topology_request;
    }
  }
  if (now == old) return;
  AddInvalid(errors, "status.admission", "may be removed or set, but not changed");
}

// WL-W18.
void CheckUpdatesStay(const api::Workload& before, const api::Workload& workload,
                      FieldErrors& errors) {
  const auto& old = before.status.admission_checks;
  for (size_t i = 0; i < old.size(); ++i) {
    if (old[i].state != "Ready") continue;
    for (const api::AdmissionCheckState& now : workload.status.admission_checks) {
      if (now.name != old[i].name || now.state != "Ready") continue;
      if (now.pod_set_updates == old[i].pod_set_updates) continue;
      AddInvalid(errors, At("status.admissionChecks", i) + ".podSetUpdates",
                 "may not change while check '" + now.name + "' stays Ready");
    }
  }
}

// WL-W19.
void CheckClusterName(const api::FeatureGates& gates, const api::Workload& before,
                      const api::Workload& workload, FieldErrors& errors) {
  if (before.status.cluster_name || !workload.status.cluster_name) return;
  if (gates.Enabled(Feature::kElasticJobsViaWorkloadSlices) &&
      workload.metadata.annotations.count(api::names::kWorkloadSliceReplacementFor) > 0) {
    return;
  }
  const auto& nominated = before.status.nominated_cluster_names;
  const std::string& name = *workload.status.cluster_name;
  if (std::find(nominated.begin(), nominated.end(), name) != nominated.end()) return;
  AddInvalid(errors, "status.clusterName",
             "'" + name + "' was not among the nominatedClusterNames before");
}

}  // namespace

void CheckChanges(const api::FeatureGates& gates, const api::Workload& before,
                  const api::Workload& workload, FieldErrors& errors) {
  if (IsReserved(before)) {
    CheckPodSetsStay(gates, before, workload, errors);
    if (IsReserved(workload)) CheckReclaimedStays(gates, before, workload, errors);
  }
  CheckAdmissionStays(gates, before, workload, errors);
  CheckUpdatesStay(before, workload, errors);
  CheckClusterName(gates, before, workload, errors);
}

}  // namespace kueue::admission
