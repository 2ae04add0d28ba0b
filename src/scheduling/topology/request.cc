#include "scheduling/topology/request.h"

#include <algorithm>

#include "scheduling/topology/node_table.h"

namespace kueue::scheduling::topology {
namespace {

int Place(const std::vector<std::string>& keys, const std::string& key) {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? -1 : static_cast<int>(found - keys.begin());
}

// The groups below the slice level; levels between two layers take the finer one's size.
std::string ReadInner(const std::vector<std::string>& keys, Terms& terms) {
  int64_t size = terms.size;
  int level = terms.slice_level;
  for (size_t i = 1; i < terms.layers.size(); ++i) {
    const auto& [key, inner] = terms.layers[i];
    const int at = Place(keys, key);
    if (at < 0) return "the topology has no level " + key;
    if (at <= level) return "the slice level " + key + " is not below the one before";
    if (inner <= 0 || size % inner != 0) return "slice sizes do not divide each other";
    for (int between = level + 1; between <= at; ++between) {
      terms.inner[static_cast<size_t>(between)] = inner;
    }
    size = inner;
    level = at;
  }
  return {};
}

}  // namespace

std::vector<Layer> LayersOf(const api::PodSetTopologyRequest& request) {
  std::vector<Layer> layers;
  for (const auto& constraint : request.podset_slice_required_topology_constraints) {
    layers.emplace_back(constraint.topology, constraint.size);
  }
  if (layers.empty() && request.pod_set_slice_required_topology) {
    layers.emplace_back(*request.pod_set_slice_required_topology,
                        request.pod_set_slice_size.value_or(0));
  }
  return layers;
}

bool AsksForTopology(const api::PodSet& pod_set) {
  if (!pod_set.topology_request) return false;
  const api::PodSetTopologyRequest& request = *pod_set.topology_request;
  return request.required || request.preferred || request.unconstrained ||
         request.pod_set_slice_required_topology || request.pod_set_slice_size ||
         !request.podset_slice_required_topology_constraints.empty();
}

bool IsSliceOnly(const api::PodSetTopologyRequest& request) {
  return !request.required && !request.preferred && !LayersOf(request).empty();
}

std::string MainLevel(const api::PodSetTopologyRequest& request, bool implied,
                      const std::vector<std::string>& keys) {
  if (request.required) return *request.required;
  if (request.preferred) return *request.preferred;
  if (IsSliceOnly(request)) return keys.front();
  return request.unconstrained.value_or(false) || implied ? keys.back() : std::string();
}

bool HasLevels(const api::PodSetTopologyRequest& request, const std::vector<std::string>& keys) {
  if (Place(keys, MainLevel(request, false, keys)) < 0) return false;
  const std::vector<Layer> layers = LayersOf(request);
  return std::all_of(layers.begin(), layers.end(),
                     [&](const Layer& layer) { return Place(keys, layer.first) >= 0; });
}

std::string ReadTerms(const Request& workers, const Request* leader,
                      const std::vector<std::string>& keys, Catalog& catalog, Terms& terms) {
  const api::PodSetTopologyRequest& request = workers.topology;
  terms.need = WithPods(workers.per_pod, 1, catalog);
  terms.leader = leader != nullptr;
  if (leader != nullptr) terms.leader_need = WithPods(leader->per_pod, 1, catalog);
  terms.layers = LayersOf(request);
  terms.count = workers.count;
  terms.size = terms.layers.empty() ? 1 : terms.layers[0].second;
  if (terms.size <= 0) return "the slice size is not positive";
  terms.required = request.required.has_value();
  terms.unconstrained =
      request.unconstrained.value_or(false) || workers.implied || IsSliceOnly(request);
  const std::string key = MainLevel(request, workers.implied, keys);
  if (key.empty()) return "the request names no level";
  terms.level = Place(keys, key);
  if (terms.level < 0) return "the topology has no level " + key;
  const std::string& slice_key = terms.layers.empty() ? keys.back() : terms.layers[0].first;
  terms.slice_level = Place(keys, slice_key);
  if (terms.slice_level < 0) return "the topology has no level " + slice_key;
  if (terms.level > terms.slice_level) {
    return "the slice level " + slice_key + " is above the level " + key;
  }
  terms.inner.assign(keys.size(), 0);
  if (std::string problem = ReadInner(keys, terms); !problem.empty()) return problem;
  terms.slices = terms.count / terms.size;
  if (terms.slices == 0) return "the pods do not make up one slice";
  return {};
}

}  // namespace kueue::scheduling::topology
