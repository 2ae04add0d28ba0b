#include "cli/topology_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "api/match/topology_assignment.h"
#include "cli/text_table.h"
#include "resources/resource_vector.h"

namespace kueue::cli {
namespace {

using Report = scheduling::State::TopologyReport;

std::string Amount(const std::string& resource, int64_t units) {
  return resources::UnitsToQuantity(resource, units).ToString();
}

std::string CellText(const Report::Cell& cell) {
  std::string text = Amount(cell.resource, cell.used) + "/" + Amount(cell.resource, cell.total);
  if (cell.plain != 0) text += " (+" + Amount(cell.resource, cell.plain) + " by others)";
  return text;
}

// The path of every lowest domain by its last value.
std::map<std::string, std::string> PathsOf(const Report& report) {
  std::map<std::string, std::string> paths;
  std::vector<std::string> above(report.levels.size());
  for (const Report::Domain& domain : report.domains) {
    above[domain.level] = domain.value;
    if (domain.level + 1 < report.levels.size()) continue;
    std::string path;
    for (const std::string& value : above) path += (path.empty() ? "" : " / ") + value;
    paths[domain.value] = path;
  }
  return paths;
}

std::string PlaceOf(const api::TopologyDomain& domain, const api::PodSetAssignment& assignment,
                    const std::vector<FlavorReport>& reports) {
  for (const FlavorReport& known : reports) {
    const bool assigned =
        std::any_of(assignment.flavors.begin(), assignment.flavors.end(),
                    [&](const auto& entry) { return entry.second == known.flavor; });
    if (!assigned || domain.values.size() != 1) continue;
    const auto paths = PathsOf(known.report);
    const auto found = paths.find(domain.values[0]);
    return found == paths.end() ? domain.values[0] + " (not usable now)" : found->second;
  }
  std::string path;
  for (const std::string& value : domain.values) path += (path.empty() ? "" : " / ") + value;
  return path;
}

}  // namespace

std::string TopologyText(const std::string& flavor, const Report& report) {
  std::string text = "Topology " + report.topology + ", flavor " + flavor + ": ";
  for (const std::string& level : report.levels) {
    text += (&level == &report.levels.front() ? "" : " > ") + level;
  }
  text += "\n";
  if (report.domains.empty()) {
    return text + "No usable node has the labels of the flavor and of every level.\n";
  }
  std::vector<std::string> resources;
  for (const Report::Domain& domain : report.domains) {
    for (const Report::Cell& cell : domain.cells) resources.push_back(cell.resource);
  }
  std::sort(resources.begin(), resources.end());
  resources.erase(std::unique(resources.begin(), resources.end()), resources.end());
  std::vector<TableRow> rows{{"DOMAIN", "LEAVES"}};
  for (const std::string& resource : resources) rows[0].push_back(resource + " used/total");
  for (const Report::Domain& domain : report.domains) {
    TableRow& row = rows.emplace_back();
    row.push_back(std::string(2 * domain.level, ' ') + domain.value);
    row.push_back(domain.level + 1 == report.levels.size() ? "" : std::to_string(domain.leaves));
    for (const std::string& resource : resources) {
      const auto cell = std::find_if(domain.cells.begin(), domain.cells.end(),
                                     [&](const Report::Cell& c) { return c.resource == resource; });
      row.push_back(cell == domain.cells.end() ? "-" : CellText(*cell));
    }
  }
  return text + TextTable(rows);
}

std::string WorkloadPlacesText(const api::Workload& workload,
                               const std::vector<FlavorReport>& reports) {
  const std::string key = workload.metadata.namespace_name + "/" + workload.metadata.name;
  if (!workload.status.admission)
    return "Workload " + key + " holds no quota, so it has no place.\n";
  std::string text;
  for (const auto& assignment : workload.status.admission->pod_set_assignments) {
    text += "Pod set " + assignment.name + ": ";
    if (!assignment.topology_assignment) {
      text += assignment.delayed_topology_request == "Pending"
                  ? "waits for its place until its admission checks are ready\n"
                  : "no topology\n";
      continue;
    }
    const auto domains = api::DecodeTopology(*assignment.topology_assignment);
    if (!domains.ok()) {
      text += "its assignment cannot be read: " + domains.error().message + "\n";
      continue;
    }
    text += fmt::format("{} pods\n", assignment.count.value_or(0));
    for (const api::TopologyDomain& domain : *domains) {
      text += fmt::format("  {:>5}  {}\n", domain.count, PlaceOf(domain, assignment, reports));
    }
  }
  for (const api::UnhealthyNode& node : workload.status.unhealthy_nodes) {
    text += "Node " + node.name + " failed; another one is looked for.\n";
  }
  return text;
}

}  // namespace kueue::cli
