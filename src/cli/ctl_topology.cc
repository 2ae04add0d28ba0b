#include "cli/ctl_topology.h"

#include <fmt/format.h>

#include <vector>

#include "cli/topology_text.h"

namespace kueue::cli {
namespace {

int Fail(const std::string& message) {
  fmt::print(stderr, "kueue ctl topology: {}\n", message);
  return 1;
}

int PrintWorkload(ClusterView& view, const std::string& key) {
  std::vector<FlavorReport> reports;
  for (const std::string& flavor : view.topology_flavors) {
    if (auto report = view.state.ReportTopology(flavor)) reports.push_back({flavor, *report});
  }
  for (const auto& workload : view.workloads) {
    if (api::KeyOf(workload->metadata) != key) continue;
    fmt::print("{}", WorkloadPlacesText(*workload, reports));
    return 0;
  }
  return Fail("there is no workload '" + key + "'; `kubectl get workloads -A` lists them");
}

int PrintTopologies(ClusterView& view, const std::string& topology) {
  bool found = false;
  for (const std::string& flavor : view.topology_flavors) {
    const auto report = view.state.ReportTopology(flavor);
    if (!report || (!topology.empty() && report->topology != topology)) continue;
    fmt::print("{}{}", found ? "\n" : "", TopologyText(flavor, *report));
    found = true;
  }
  if (found) return 0;
  return topology.empty()
             ? Fail("no ResourceFlavor names a Topology that exists (spec.topologyName)")
             : Fail("no ResourceFlavor names topology '" + topology + "', or it does not exist");
}

}  // namespace

int CtlTopology(const CtlTopologyFlags& flags) {
  if (!flags.workload.empty() && flags.workload.find('/') == std::string::npos) {
    return Fail("--workload wants NAMESPACE/NAME, got '" + flags.workload + "'");
  }
  auto view = ReadCluster(flags.cluster);
  if (!view.ok()) return Fail(view.error().message);
  return flags.workload.empty() ? PrintTopologies(*view, flags.topology)
                                : PrintWorkload(*view, flags.workload);
}

}  // namespace kueue::cli
