#include "cli/topology_text.h"

#include <gtest/gtest.h>

#include "api/match/topology_assignment.h"

namespace kueue::cli {
namespace {

scheduling::State::TopologyReport Hall() {
  scheduling::State::TopologyReport report;
  report.topology = "hall";
  report.levels = {"rack", "kubernetes.io/hostname"};
  report.domains.push_back({0, "r1", 2, {{"cpu", 8000, 2500, 1000}, {"pods", 220, 3, 1}}});
  report.domains.push_back({1, "m-1", 1, {{"cpu", 4000, 2500, 0}, {"pods", 110, 3, 0}}});
  report.domains.push_back({1, "m-2", 1, {{"cpu", 4000, 0, 1000}, {"pods", 110, 0, 1}}});
  return report;
}

TEST(TopologyText, ShowsTheTreeWithUsedAndTotal) {
  EXPECT_EQ(TopologyText("machines", Hall()),
            "Topology hall, flavor machines: rack > kubernetes.io/hostname\n"
            "DOMAIN   LEAVES   cpu used/total           pods used/total\n"
            "r1       2        2500m/8 (+1 by others)   3/220 (+1 by others)\n"
            "  m-1             2500m/4                  3/110\n"
            "  m-2             0/4 (+1 by others)       0/110 (+1 by others)\n");
}

TEST(TopologyText, SaysThatNothingIsThere) {
  scheduling::State::TopologyReport report = Hall();
  report.domains.clear();
  EXPECT_NE(TopologyText("machines", report).find("No usable node"), std::string::npos);
}

TEST(TopologyText, ShowsThePathsOfAWorkloadsPods) {
  api::Workload workload;
  workload.metadata.namespace_name = "team";
  workload.metadata.name = "w";
  EXPECT_NE(WorkloadPlacesText(workload, {}).find("no place"), std::string::npos);
  api::PodSetAssignment assignment;
  assignment.name = "main";
  assignment.count = 4;
  assignment.flavors["cpu"] = "machines";
  assignment.topology_assignment =
      api::EncodeTopology({"kubernetes.io/hostname"}, {{{"m-1"}, 3}, {{"m-9"}, 1}}, true);
  workload.status.admission.emplace().pod_set_assignments.push_back(assignment);
  workload.status.unhealthy_nodes.push_back({"m-9", {}});
  EXPECT_EQ(WorkloadPlacesText(workload, {{"machines", Hall()}}),
            "Pod set main: 4 pods\n"
            "      3  r1 / m-1\n"
            "      1  m-9 (not usable now)\n"
            "Node m-9 failed; another one is looked for.\n");
}

}  // namespace
}  // namespace kueue::cli
