#include "scheduling/model/demand.h"

#include <algorithm>

#include "api/match/pod_requests.h"
#include "scheduling/model/transform.h"

namespace kueue::scheduling {
namespace {

using resources::RequestUnits;

bool AnyMissingRequest(const api::ResourceRequirements& needs) {
  return std::any_of(needs.limits.begin(), needs.limits.end(),
                     [&](const auto& limit) { return !needs.requests.contains(limit.first); });
}

// Whether limits stand in for missing requests somewhere (§1.5 (3)).
bool NeedsFilling(const api::PodSpec& pod) {
  const auto missing = [](const api::Container& c) { return AnyMissingRequest(c.resources); };
  return std::any_of(pod.containers.begin(), pod.containers.end(), missing) ||
         std::any_of(pod.init_containers.begin(), pod.init_containers.end(), missing) ||
         (pod.resources && AnyMissingRequest(*pod.resources));
}

// Empty, or what asks for more than its limit (§1.6 (3)).
std::string OverLimit(const std::string& where, const api::ResourceRequirements& needs) {
  for (const auto& [name, limit] : needs.limits) {
    const auto request = needs.requests.find(name);
    if (request != needs.requests.end() &&
        RequestUnits(name, request->second) > RequestUnits(name, limit)) {
      return where + " requests more " + name + " than its limit";
    }
  }
  return {};
}

std::string OverLimit(const api::PodSpec& pod) {
  for (const auto* list : {&pod.init_containers, &pod.containers}) {
    for (const api::Container& container : *list) {
      std::string over = OverLimit("container " + container.name, container.resources);
      if (!over.empty()) return over;
    }
  }
  return pod.resources ? OverLimit("the pod", *pod.resources) : std::string();
}

// The overhead that the pod's RuntimeClass adds (§1.5 (1)); null: none, or it says its own.
const api::ResourceList* OverheadFor(const api::PodSpec& pod, const Surroundings& surroundings) {
  if (!pod.runtime_class_name || !pod.overhead.empty()) return nullptr;
  const api::ResourceList* overhead = surroundings.OverheadOf(*pod.runtime_class_name);
  return overhead == nullptr || overhead->empty() ? nullptr : overhead;
}

// §1.5, in this order: a default request beats the container's own limit. Null: nothing is missing.
std::shared_ptr<const api::PodSpec> Adjust(const api::PodSpec& pod, const api::LimitSummary* limits,
                                           const api::ResourceList* overhead) {
  if (overhead == nullptr && limits == nullptr && !NeedsFilling(pod)) return nullptr;
  auto adjusted = std::make_shared<api::PodSpec>(pod);
  if (overhead != nullptr) adjusted->overhead = *overhead;
  if (limits != nullptr) api::FillLimitDefaults(*limits, *adjusted);
  api::FillRequestsFromLimits(*adjusted);
  return adjusted;
}

RequestVector Numbered(const resources::ResourceVector& requests, Catalog& catalog) {
  RequestVector out;
  for (const auto& [name, units] : requests) {
    out.push_back({catalog.Resource(name), std::max<int64_t>(0, units)});
  }
  return out;
}

// §1.9: after transformations, before the multiplication by the count.
void AddDevices(const PodSetDemand& pod_set, const Config& config, const Surroundings& surroundings,
                resources::ResourceVector& counted, Demand& demand) {
  const DeviceCharge charge =
      surroundings.devices.ChargeOf(demand.source->metadata.namespace_name, pod_set.pod(), config);
  demand.uses_devices = true;
  if (!charge.problem.empty() && demand.device_problem.empty()) {
    demand.device_problem = "Pod set " + pod_set.spec->name + ": " + charge.problem;
  }
  for (const std::string& name : charge.replaced) counted.Erase(name);
  for (const auto& [name, units] : charge.added) {
    counted.Set(name, resources::SaturatingAdd(counted.Get(name), units));
  }
}

void ReadPodSet(const api::PodSet& pod_set, const api::LimitSummary* limits, const Config& config,
                const Surroundings& surroundings, Catalog& catalog, Demand& demand) {
  PodSetDemand& out = demand.pod_sets.emplace_back();
  out.spec = &pod_set;
  const api::PodSpec& pod = pod_set.pod_template.spec;
  const api::ResourceList* const overhead = OverheadFor(pod, surroundings);
  out.adjusted = Adjust(pod, limits, overhead);
  const api::ResourceList requests = api::PodRequestQuantities(out.pod());
  resources::ResourceVector placed;
  for (const auto& [name, quantity] : requests) placed.Set(name, RequestUnits(name, quantity));
  out.placed = Numbered(placed, catalog);
  const bool devices = surroundings.devices.Concerns(out.pod(), config);
  const bool plain =
      config.exclude_resource_prefixes.empty() && config.transformations.empty() && !devices;
  if (plain) {
    out.per_pod = out.placed;
  } else {
    resources::ResourceVector counted = CountedRequests(requests, config);
    if (devices) AddDevices(out, config, surroundings, counted, demand);
    out.per_pod = Numbered(counted, catalog);
  }
  // What only its own limits filled in can be read from the template again.
  if (overhead == nullptr && limits == nullptr) out.adjusted.reset();
}

// §1.6 (3), (4): limits of all pod sets first.
std::string FindViolation(const Demand& demand, const api::LimitSummary* limits) {
  const auto in = [](const PodSetDemand& pod_set, std::string found) {
    return "Pod set " + pod_set.spec->name + ": " + std::move(found);
  };
  for (const PodSetDemand& pod_set : demand.pod_sets) {
    std::string found = OverLimit(pod_set.pod());
    if (!found.empty()) return in(pod_set, std::move(found));
  }
  if (limits == nullptr) return {};
  for (const PodSetDemand& pod_set : demand.pod_sets) {
    std::string found = api::FindOutOfBounds(*limits, pod_set.pod());
    if (!found.empty()) return in(pod_set, std::move(found));
  }
  return {};
}

}  // namespace

int64_t AmountOf(const RequestVector& requests, ResourceId resource) {
  for (const ResourceAmount& entry : requests) {
    if (entry.resource == resource) return entry.amount;
  }
  return 0;
}

std::shared_ptr<const Demand> ReadDemand(const std::shared_ptr<const api::Workload>& object,
                                         const Config& config, const Surroundings& surroundings,
                                         Catalog& catalog) {
  auto demand = std::make_shared<Demand>();
  demand->source = object;
  const api::LimitSummary* const limits = surroundings.LimitsOf(object->metadata.namespace_name);
  for (const api::PodSet& pod_set : object->spec.pod_sets) {
    ReadPodSet(pod_set, limits, config, surroundings, catalog, *demand);
  }
  demand->violation = FindViolation(*demand, limits);
  return demand;
}

bool AsksForTheSame(const Demand& a, const Demand& b) {
  return a.violation == b.violation && a.device_problem == b.device_problem &&
         a.uses_devices == b.uses_devices &&
         std::equal(a.pod_sets.begin(), a.pod_sets.end(), b.pod_sets.begin(), b.pod_sets.end(),
                    [](const PodSetDemand& x, const PodSetDemand& y) {
                      return x.per_pod == y.per_pod && x.placed == y.placed && x.pod() == y.pod();
                    });
}

}  // namespace kueue::scheduling
