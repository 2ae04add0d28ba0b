#include "integrations/pod_set_info.h"

#include <algorithm>

#include "api/match/name_rules.h"
#include "api/types/names.h"

namespace kueue::integrations {
namespace {

using api::StringMap;

base::Status MergeMap(StringMap& into, const StringMap& more, const char* what) {
  for (const auto& [key, value] : more) {
    const auto [it, fresh] = into.try_emplace(key, value);
    if (!fresh && it->second != value) {
      return base::Invalid(std::string(what) + " '" + key + "' would be both '" + it->second +
                           "' and '" + value + "'");
    }
  }
  return {};
}

bool SameToleration(const api::Toleration& a, const api::Toleration& b) {
  const auto op = [](const api::Toleration& t) { return t.op.empty() ? "Equal" : t.op; };
  return a.key == b.key && op(a) == op(b) && a.value == b.value && a.effect == b.effect &&
         a.toleration_seconds == b.toleration_seconds;
}

void MergeTolerations(std::vector<api::Toleration>& into,
                      const std::vector<api::Toleration>& more) {
  for (const api::Toleration& t : more) {
    const auto same = [&](const api::Toleration& have) { return SameToleration(have, t); };
    if (std::none_of(into.begin(), into.end(), same)) into.push_back(t);
  }
}

void MergeGates(std::vector<api::PodSchedulingGate>& into,
                const std::vector<api::PodSchedulingGate>& more) {
  for (const api::PodSchedulingGate& gate : more) {
    const auto same = [&](const api::PodSchedulingGate& have) { return have.name == gate.name; };
    if (std::none_of(into.begin(), into.end(), same)) into.push_back(gate);
  }
}

base::Status AddFlavors(PodSetInfo& info, const api::PodSetAssignment& assignment,
                        const FindFlavor& find_flavor) {
  std::vector<std::string> names;
  for (const auto& [resource, flavor] : assignment.flavors) {
    if (std::find(names.begin(), names.end(), flavor) == names.end()) names.push_back(flavor);
  }
  for (const std::string& name : names) {
    const auto flavor = find_flavor(name);
    if (!flavor) {
      return base::NotFound("ResourceFlavor '" + name +
                            "' does not exist; the job starts once it does");
    }
    for (const auto& [key, value] : flavor->spec.node_labels) info.node_selector[key] = value;
    MergeTolerations(info.tolerations, flavor->spec.tolerations);
  }
  return {};
}

bool SaysWhere(const api::PodSet& pod_set) {
  const auto& request = pod_set.topology_request;
  return request && (request->required || request->preferred || request->unconstrained);
}

// Pods with places wait until they are told where, and can be known for such pods
// (spec/topology.md §2, §17).
void AddTopology(PodSetInfo& info, const api::PodSetAssignment& assignment,
                 const api::PodSet* pod_set) {
  if (!assignment.topology_assignment) return;
  info.scheduling_gates.push_back({api::names::kTopologyGate, {}});
  if (pod_set == nullptr || SaysWhere(*pod_set)) return;
  info.annotations[api::names::kUnconstrainedTopology] = "true";
}

// The pods of all slices of an elastic workload are known by the name of the first (spec/jobs.md
// §7.1).
void AddSliceName(PodSetInfo& info, const api::Workload& workload) {
  const auto& annotations = workload.metadata.annotations;
  const auto elastic = annotations.find(api::names::kElasticJobAnnotation);
  if (elastic == annotations.end() || elastic->second != "true") return;
  const auto slice = annotations.find(api::names::kWorkloadSliceName);
  info.annotations[api::names::kWorkloadSliceName] =
      slice == annotations.end() || slice->second.empty() ? workload.metadata.name : slice->second;
}

base::Status AddCheckUpdates(PodSetInfo& info, const api::Workload& workload) {
  for (const api::AdmissionCheckState& check : workload.status.admission_checks) {
    for (const api::PodSetUpdate& update : check.pod_set_updates) {
      if (update.name != info.name) continue;
      PodSetInfo more{
          info.name,          0, update.annotations, update.labels, update.node_selector,
          update.tolerations, {}};
      if (auto merged = Merge(info, more); !merged.ok()) {
        return base::Invalid("admission check '" + check.name + "': " + merged.error().message);
      }
      break;
    }
  }
  return {};
}

}  // namespace

base::Status Merge(PodSetInfo& info, const PodSetInfo& more) {
  if (auto s = MergeMap(info.annotations, more.annotations, "annotation"); !s.ok()) return s;
  if (auto s = MergeMap(info.labels, more.labels, "label"); !s.ok()) return s;
  if (auto s = MergeMap(info.node_selector, more.node_selector, "node selector"); !s.ok()) return s;
  MergeTolerations(info.tolerations, more.tolerations);
  MergeGates(info.scheduling_gates, more.scheduling_gates);
  return {};
}

base::Status MergeInto(api::PodTemplateSpec& pod_template, const PodSetInfo& info) {
  PodSetInfo have{info.name,
                  info.count,
                  pod_template.metadata.annotations,
                  pod_template.metadata.labels,
                  pod_template.spec.node_selector,
                  pod_template.spec.tolerations,
                  pod_template.spec.scheduling_gates};
  // The template of a later slice was read from the running job: it names the slice before it.
  if (info.annotations.contains(api::names::kWorkloadSliceName)) {
    have.annotations.erase(api::names::kWorkloadSliceName);
    have.annotations.erase(api::names::kWorkloadAnnotation);
  }
  if (auto merged = Merge(have, info); !merged.ok()) return merged;
  pod_template.metadata.annotations = std::move(have.annotations);
  pod_template.metadata.labels = std::move(have.labels);
  pod_template.spec.node_selector = std::move(have.node_selector);
  pod_template.spec.tolerations = std::move(have.tolerations);
  pod_template.spec.scheduling_gates = std::move(have.scheduling_gates);
  return {};
}

base::Result<std::vector<PodSetInfo>> InfosFromAdmission(const api::Workload& workload,
                                                         const FindFlavor& find_flavor) {
  std::vector<PodSetInfo> infos;
  if (!workload.status.admission) return infos;
  const api::Admission& admission = *workload.status.admission;
  for (size_t i = 0; i < admission.pod_set_assignments.size(); ++i) {
    const api::PodSetAssignment& assignment = admission.pod_set_assignments[i];
    PodSetInfo info;
    info.name = assignment.name;
    const bool in_spec = i < workload.spec.pod_sets.size();
    info.count = assignment.count.value_or(in_spec ? workload.spec.pod_sets[i].count : 0);
    if (auto s = AddFlavors(info, assignment, find_flavor); !s.ok()) return s.error();
    info.labels[api::names::kPodSetLabel] = assignment.name;
    info.labels[api::names::kLocalQueueNameLabel] = workload.spec.queue_name;
    if (api::IsDnsLabel(admission.cluster_queue)) {
      info.labels[api::names::kClusterQueueNameLabel] = admission.cluster_queue;
    }
    info.annotations[api::names::kWorkloadAnnotation] = workload.metadata.name;
    AddSliceName(info, workload);
    AddTopology(info, assignment, in_spec ? &workload.spec.pod_sets[i] : nullptr);
    if (auto s = AddCheckUpdates(info, workload); !s.ok()) return s.error();
    infos.push_back(std::move(info));
  }
  return infos;
}

std::vector<PodSetInfo> InfosFromPodSets(const api::Workload& workload) {
  std::vector<PodSetInfo> infos;
  for (const api::PodSet& set : workload.spec.pod_sets) {
    infos.push_back({set.name, set.count, set.pod_template.metadata.annotations,
                     set.pod_template.metadata.labels, set.pod_template.spec.node_selector,
                     set.pod_template.spec.tolerations, set.pod_template.spec.scheduling_gates});
  }
  return infos;
}

}  // namespace kueue::integrations
