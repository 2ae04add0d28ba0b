#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "scheduling/config.h"
#include "scheduling/model/catalog.h"
#include "scheduling/model/surroundings.h"

// What a workload asks for: from the templates of its pods, and from what stands around it
// (spec/scheduling.md §1.4 to §1.9).
namespace kueue::scheduling {

struct ResourceAmount {
  ResourceId resource;
  int64_t amount = 0;
  friend bool operator==(const ResourceAmount&, const ResourceAmount&) = default;
};
using RequestVector = std::vector<ResourceAmount>;  // in vector order (spec/scheduling.md §1.3)

int64_t AmountOf(const RequestVector& requests, ResourceId resource);

// What one pod set asks for, read once from its spec.
struct PodSetDemand {
  const api::PodSet* spec = nullptr;  // in the Demand's `source`
  // The template's pod with what its namespace and its RuntimeClass add (§1.5). Null: they add
  // nothing.
  std::shared_ptr<const api::PodSpec> adjusted;
  RequestVector per_pod;
  // Of the pod as it will run, for placing: nothing is excluded or transformed
  // (spec/topology.md §3.3).
  RequestVector placed;

  const api::PodSpec& pod() const { return adjusted ? *adjusted : spec->pod_template.spec; }
};
// What a workload asks for. Shared by all updates of it that leave the spec alone.
struct Demand {
  std::shared_ptr<const api::Workload> source;
  std::vector<PodSetDemand> pod_sets;
  // Why no pod of it could be made (§1.6 (3), (4)): more asked for than the limit, or more or less
  // than the namespace allows. For people; empty: nothing.
  std::string violation;
  // Whether some pod claims devices (§1.9), and why what they charge is not known; while there is a
  // reason, the workload is not queued.
  bool uses_devices = false;
  std::string device_problem;
};
std::shared_ptr<const Demand> ReadDemand(const std::shared_ptr<const api::Workload>& object,
                                         const Config& config, const Surroundings& surroundings,
                                         Catalog& catalog);
// Whether they ask for the same; of the same pod sets.
bool AsksForTheSame(const Demand& a, const Demand& b);

}  // namespace kueue::scheduling
