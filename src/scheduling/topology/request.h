#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/types/kueue.h"
#include "scheduling/model/work_item.h"

namespace kueue::scheduling::topology {

// A level key and how many pods have to be together on each of its domains.
using Layer = std::pair<std::string, int32_t>;
// The effective constraint list, coarse to fine (spec/topology.md §1.6).
std::vector<Layer> LayersOf(const api::PodSetTopologyRequest& request);
// Asks for a place by itself, other than through its queue (§1.5).
bool AsksForTopology(const api::PodSet& pod_set);
// Slices without a level to keep them together (§6).
bool IsSliceOnly(const api::PodSetTopologyRequest& request);
// The level at which the search starts; "" if the request has none (§6). `keys`: not empty.
std::string MainLevel(const api::PodSetTopologyRequest& request, bool implied,
                      const std::vector<std::string>& keys);
// Main level, slice level and all layers are levels of the topology (§14.1).
bool HasLevels(const api::PodSetTopologyRequest& request, const std::vector<std::string>& keys);

// What one pod set wants from one flavor (§6, §14.2).
struct Request {
  uint32_t pod_set = 0;                 // in the workload
  api::PodSetTopologyRequest topology;  // empty when only implied
  bool implied = false;                 // wanted by the queue, not by the pod set (§2)
  int32_t count = 0;
  RequestVector per_pod;                    // of the template, without `pods` (§3.3)
  std::shared_ptr<const api::PodSpec> pod;  // selector, affinity and tolerations count
};

// A request in the terms of one topology.
struct Terms {
  RequestVector need, leader_need;  // of one pod, with `pods`
  bool leader = false;
  bool required = false, unconstrained = false;
  int64_t count = 0, size = 1;  // pods, pods of a slice
  int64_t slices = 0;           // needed
  int level = 0, slice_level = 0;
  std::vector<int64_t> inner;  // by level: size of the groups there; 0: none
  std::vector<Layer> layers;
};
// Empty when the terms are good; else what is wrong with the request. `leader`: may be null.
std::string ReadTerms(const Request& workers, const Request* leader,
                      const std::vector<std::string>& keys, Catalog& catalog, Terms& terms);

}  // namespace kueue::scheduling::topology
