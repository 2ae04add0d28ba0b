#include "controllers/topology_pods.h"

#include <algorithm>
#include <set>

#include "api/types/names.h"
#include "controllers/workload_status.h"

namespace kueue::controllers {
namespace {

namespace names = api::names;

std::string AnnotationOf(const api::ObjectMeta& meta, const char* key) {
  const auto found = meta.annotations.find(key);
  return found == meta.annotations.end() ? "" : found->second;
}

bool EndsInHostname(const api::PodSetAssignment& assignment) {
  const auto& topology = assignment.topology_assignment;
  return topology && !topology->levels.empty() && topology->levels.back() == names::kHostnameLabel;
}

}  // namespace

bool IsTopologyPod(const api::Pod& pod) {
  const auto& annotations = pod.metadata.annotations;
  return annotations.contains(names::kRequiredTopology) ||
         annotations.contains(names::kPreferredTopology) ||
         annotations.contains(names::kUnconstrainedTopology) ||
         annotations.contains(names::kSliceRequiredTopology) ||
         annotations.contains(names::kSliceTopologyConstraints);
}

bool IsTerminated(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

bool HasTopologyGate(const api::Pod& pod) {
  return std::any_of(pod.spec.scheduling_gates.begin(), pod.spec.scheduling_gates.end(),
                     [](const auto& gate) { return gate.name == names::kTopologyGate; });
}

bool IsProgressing(const api::Pod& pod) {
  return !pod.metadata.deletion_timestamp && !IsTerminated(pod);
}

std::string SliceNameOf(const api::Workload& workload) {
  const std::string slice = AnnotationOf(workload.metadata, names::kWorkloadSliceName);
  return slice.empty() ? workload.metadata.name : slice;
}

std::string SliceNameOf(const api::Pod& pod) {
  const std::string slice = AnnotationOf(pod.metadata, names::kWorkloadSliceName);
  return slice.empty() ? WorkloadOf(pod) : slice;
}

std::string WorkloadOf(const api::Pod& pod) {
  return AnnotationOf(pod.metadata, names::kWorkloadAnnotation);
}

std::string NodeOf(const api::Pod& pod) {
  if (!pod.spec.node_name.empty()) return pod.spec.node_name;
  const auto found = pod.spec.node_selector.find(names::kHostnameLabel);
  return found == pod.spec.node_selector.end() ? "" : found->second;
}

bool HasPlaces(const api::Workload& workload) {
  if (!IsAdmitted(workload) || IsFinished(workload) || !workload.status.admission) return false;
  const auto& assignments = workload.status.admission->pod_set_assignments;
  return std::any_of(assignments.begin(), assignments.end(),
                     [](const auto& a) { return a.topology_assignment.has_value(); });
}

std::vector<api::TopologyDomain> DomainsOf(const api::PodSetAssignment& assignment) {
  if (!assignment.topology_assignment) return {};
  auto domains = api::DecodeTopology(*assignment.topology_assignment);
  return domains.ok() ? std::move(*domains) : std::vector<api::TopologyDomain>();
}

std::vector<std::string> NodesOf(const api::Workload& workload) {
  std::vector<std::string> nodes;
  if (!HasPlaces(workload)) return nodes;
  for (const auto& assignment : workload.status.admission->pod_set_assignments) {
    if (!EndsInHostname(assignment)) continue;
    for (api::TopologyDomain& domain : DomainsOf(assignment)) {
      nodes.push_back(std::move(domain.values.back()));
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

bool IsOnNode(const api::PodSetAssignment& assignment, const std::string& node) {
  if (!EndsInHostname(assignment)) return false;
  const auto domains = DomainsOf(assignment);
  return std::any_of(domains.begin(), domains.end(),
                     [&](const auto& domain) { return domain.values.back() == node; });
}

bool IsUnhealthy(const api::Workload& workload, const std::string& node) {
  const auto& nodes = workload.status.unhealthy_nodes;
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& n) { return n.name == node; });
}

std::vector<api::Toleration> EffectiveTolerations(
    const api::Workload& workload, const api::PodSetAssignment& assignment,
    const std::map<std::string, std::shared_ptr<const api::ResourceFlavor>>& flavors) {
  std::vector<api::Toleration> all;
  const auto add = [&](const std::vector<api::Toleration>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  for (const api::PodSet& pod_set : workload.spec.pod_sets) {
    if (pod_set.name == assignment.name) add(pod_set.pod_template.spec.tolerations);
  }
  std::set<std::string> assigned;
  for (const auto& entry : assignment.flavors) assigned.insert(entry.second);
  for (const std::string& name : assigned) {
    const auto found = flavors.find(name);
    if (found != flavors.end() && found->second) add(found->second->spec.tolerations);
  }
  for (const api::AdmissionCheckState& check : workload.status.admission_checks) {
    for (const api::PodSetUpdate& update : check.pod_set_updates) {
      if (update.name == assignment.name) add(update.tolerations);
    }
  }
  return all;
}

}  // namespace kueue::controllers
