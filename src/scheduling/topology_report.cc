#include "scheduling/topology_report.h"

#include <algorithm>

#include "scheduling/world.h"

namespace kueue::scheduling {
namespace {

using Report = State::TopologyReport;

class Reporter {
 public:
  Reporter(const Catalog& catalog, const topology::Space& space) : space_(space) {
    for (uint32_t r = 0; r < catalog.resource_count(); ++r) {
      const ResourceId id{r};
      resources_.emplace_back(catalog.Name(id), id);
    }
    std::sort(resources_.begin(), resources_.end());
  }

  void Add(Report& report) {
    for (uint32_t d = 0; d < (space_.depth() == 0 ? 0 : space_.level(0).size); ++d) {
      AddDomain(0, d, report);
    }
  }

 private:
  void AddDomain(size_t level, uint32_t domain, Report& report) const {
    const topology::Level& at = space_.level(level);
    if (at.present[domain] == 0) return;
    Report::Domain& out = report.domains.emplace_back();
    out.level = level;
    out.value = space_.Value(space_.order()[at.begin[domain]], level);
    out.leaves = at.present[domain];
    for (const auto& [name, id] : resources_) {
      Report::Cell cell = Sum(at.begin[domain], at.begin[domain + 1], name, id);
      if (cell.total != 0) out.cells.push_back(std::move(cell));
    }
    if (level + 1 == space_.depth()) return;
    for (uint32_t child = at.first[domain]; child < at.first[domain + 1]; ++child) {
      AddDomain(level + 1, child, report);
    }
  }

  // Over the positions from `begin` up to `end`.
  Report::Cell Sum(uint32_t begin, uint32_t end, const std::string& name, ResourceId id) const {
    Report::Cell cell;
    cell.resource = name;
    const int64_t* const free = space_.Column(id, true);
    const int64_t* const left = space_.Column(id, false);
    for (uint32_t p = begin; p < end; ++p) {
      const topology::Site site = space_.order()[p];
      if (!space_.present(site)) continue;
      // A column that nobody made is all zeros: others keep everything busy, or nothing is there.
      const int64_t total = space_.Allocatable(site, name);
      const int64_t room = free == nullptr ? 0 : free[site];
      cell.total += total;
      cell.plain += total - room;
      cell.used += room - (left == nullptr ? 0 : left[site]);
    }
    return cell;
  }

  const topology::Space& space_;
  std::vector<std::pair<std::string, ResourceId>> resources_;
};

}  // namespace

std::optional<Report> ReportOnTopology(World& world, const std::string& flavor) {
  const FlavorId id = world.catalog.Flavor(flavor);
  const api::ResourceFlavor* const object = world.FindFlavor(id);
  topology::Space* const space = world.atlas.Prepared(id);
  if (space == nullptr || object == nullptr) return std::nullopt;
  Report report;
  report.topology = object->spec.topology_name.value_or("");
  report.levels = space->spec().keys;
  Reporter(world.catalog, *space).Add(report);
  return report;
}

}  // namespace kueue::scheduling
