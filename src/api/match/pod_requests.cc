#include "api/match/pod_requests.h"

#include <algorithm>

namespace kueue::api {
namespace {

void Add(ResourceList& to, const ResourceList& from) {
  for (const auto& [name, quantity] : from) to[name] += quantity;
}

void TakeLarger(ResourceList& to, const ResourceList& from) {
  for (const auto& [name, quantity] : from) {
    const auto [it, added] = to.emplace(name, quantity);
    if (!added && it->second < quantity) it->second = quantity;
  }
}

// A sidecar starts among the init containers and then keeps running.
bool IsSidecar(const Container& init_container) {
  return init_container.restart_policy == "Always";
}

// Resources that a pod may ask for as a whole.
bool IsPodLevelResource(const std::string& name) {
  return name == "cpu" || name == "memory" || name.compare(0, 10, "hugepages-") == 0;
}

void FillFromLimits(ResourceRequirements& resources) {
  // Does not touch what is there.
  resources.requests.insert(resources.limits.begin(), resources.limits.end());
}

}  // namespace

ResourceList PodRequestQuantities(const PodSpec& pod) {
  ResourceList running;
  for (const Container& container : pod.containers) Add(running, container.resources.requests);
  // While an ordinary init container runs, so do the sidecars started before it, and nothing else.
  ResourceList sidecars, starting;
  for (const Container& container : pod.init_containers) {
    if (IsSidecar(container)) {
      Add(running, container.resources.requests);
      Add(sidecars, container.resources.requests);
      TakeLarger(starting, sidecars);
    } else {
      ResourceList now = container.resources.requests;
      Add(now, sidecars);
      TakeLarger(starting, now);
    }
  }
  TakeLarger(running, starting);
  if (pod.resources) {
    for (const auto& [name, quantity] : pod.resources->requests) {
      if (IsPodLevelResource(name)) running[name] = quantity;
    }
  }
  Add(running, pod.overhead);
  return running;
}

resources::ResourceVector PodRequests(const PodSpec& pod) {
  // Rounded once per pod, after the sums: two containers of 500u cpu are 1 milli, not 2.
  resources::ResourceVector vector;
  for (const auto& [name, quantity] : PodRequestQuantities(pod)) {
    vector.Set(name, resources::RequestUnits(name, quantity));
  }
  return vector;
}

void FillRequestsFromLimits(PodSpec& pod) {
  for (Container& container : pod.init_containers) FillFromLimits(container.resources);
  for (Container& container : pod.containers) FillFromLimits(container.resources);
  if (pod.resources) FillFromLimits(*pod.resources);
}

}  // namespace kueue::api
