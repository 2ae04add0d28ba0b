#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/match/topology_assignment.h"
#include "api/types/kueue.h"

// Pods whose places a Workload decides, and how the two find each other (spec/topology.md §3.2,
// §16.2). Pure functions over the objects.
namespace kueue::controllers {

// Has an annotation that makes it a pod with a place (§3.2).
bool IsTopologyPod(const api::Pod& pod);
bool IsTerminated(const api::Pod& pod);  // phase Succeeded or Failed
bool HasTopologyGate(const api::Pod& pod);
// Not terminated, not being deleted.
bool IsProgressing(const api::Pod& pod);

// The name that the pods of all slices of an elastic workload share; of others its own name.
std::string SliceNameOf(const api::Workload& workload);
// The same name as a pod knows it, "" if it is nobody's.
std::string SliceNameOf(const api::Pod& pod);
// The Workload that started it, by name; "" if none.
std::string WorkloadOf(const api::Pod& pod);
// The node of a pod: the one it is bound to, else the one its selector names by hostname; or "".
std::string NodeOf(const api::Pod& pod);

// Admitted, with places in at least one pod set.
bool HasPlaces(const api::Workload& workload);
// The domains of a pod set's assignment in its order; empty if it cannot be read.
std::vector<api::TopologyDomain> DomainsOf(const api::PodSetAssignment& assignment);
// Nodes by name that the workload has pods on, where the lowest level is the hostname; sorted, each
// once.
std::vector<std::string> NodesOf(const api::Workload& workload);
bool IsOnNode(const api::PodSetAssignment& assignment, const std::string& node);
bool IsUnhealthy(const api::Workload& workload, const std::string& node);

// What admission and its checks add to the tolerations of a pod set's template (§15.5). `flavors`:
// by name; those missing are left out.
std::vector<api::Toleration> EffectiveTolerations(
    const api::Workload& workload, const api::PodSetAssignment& assignment,
    const std::map<std::string, std::shared_ptr<const api::ResourceFlavor>>& flavors);

}  // namespace kueue::controllers
