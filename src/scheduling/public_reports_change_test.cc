// More faults that users of other schedulers met: queues that go away, scans that start anew. Each
// test begins with the id under which the project lists its kind.

#include <gtest/gtest.h>

#include "scheduling/public_reports.h"
#include "scheduling/topology/test_field.h"

namespace kueue::scheduling {
namespace {

TEST(PublicReports, Q19FinishedAndInactiveWorkHoldsNoQueue) {
  LivingCluster cluster;
  cluster.Add(MakeQueue("q", {10, {}, {}}));
  cluster.Submit("done", "q", 2);
  cluster.Submit("asleep", "q", 2);
  cluster.Run(2);
  cluster.Finish("done");
  api::Workload asleep = *cluster.workloads.at("asleep");
  asleep.spec.active = false;
  cluster.SetCondition(asleep, api::names::kQuotaReserved, false, "Pending");
  asleep.status.admission.reset();
  cluster.Tell(std::move(asleep));
  const auto report = cluster.state.ReportClusterQueue("q");
  EXPECT_EQ(report.reserving, 0);
  EXPECT_EQ(report.admitted, 0);
  EXPECT_EQ(report.pending, 0);
  EXPECT_TRUE(report.flavors_reservation[0].resources[0].total.IsZero());
}

TEST(PublicReports, Q19ReservingWorkIsCountedWhileItsQueueTerminates) {
  LivingCluster cluster;
  auto queue = MakeQueue("q", {10, {}, {}});
  cluster.Add(queue);
  cluster.Submit("a", "q", 2);
  cluster.Submit("b", "q", 3);
  cluster.Run(2);
  auto leaving = std::make_shared<api::ClusterQueue>(*queue);
  leaving->metadata.deletion_timestamp = cluster.now;
  cluster.state.SetClusterQueue(leaving, cluster.now);
  EXPECT_EQ(cluster.state.ReportClusterQueue("q").reason, "Terminating");
  EXPECT_EQ(cluster.state.ReportClusterQueue("q").reserving, 2);
  cluster.Finish("a");
  EXPECT_EQ(cluster.state.ReportClusterQueue("q").reserving, 1);
}

// A quota that changes before every cycle ends the scan of flavors each time, which must not keep
// the workload from the flavor that has a node for it.
TEST(PublicReports, V05ScanReachesTheSecondFlavorUnderChurn) {
  Config config;
  config.fair_sharing.emplace();
  LivingCluster cluster(config);
  auto topology = std::make_shared<api::Topology>();
  topology->metadata.name = "hosts";
  topology->spec.levels = {{"kubernetes.io/hostname", {}}};
  cluster.state.SetTopology(topology, cluster.now);
  for (const std::string name : {"f1", "f2"}) {
    auto flavor = std::make_shared<api::ResourceFlavor>();
    flavor->metadata.name = name;
    flavor->spec.topology_name = "hosts";
    flavor->spec.node_labels["pool"] = name;
    cluster.state.SetResourceFlavor(flavor, cluster.now);
    auto node = topology::Field::NewNode("node-" + name, 2);
    node->metadata.labels["pool"] = name;
    cluster.state.SetNode(node, cluster.now);
  }
  const auto add_queue = [&](int64_t quota) {
    auto queue = WithPreemption(MakeQueue("q", {}), "LowerPriority", "Any");
    queue->spec.resource_groups = {CpuGroup({{"f1", {100, {}, {}}}, {"f2", {quota, {}, {}}}})};
    cluster.Add(queue);
  };
  const auto asks = [](const std::string& name) {
    api::Workload workload = TestCluster::Make(name, "q", 2);
    workload.spec.pod_sets[0].topology_request.emplace().required = "kubernetes.io/hostname";
    return workload;
  };
  add_queue(100);
  cluster.Submit(asks("blocker"));
  cluster.Run(1);
  EXPECT_EQ(cluster.FlavorOf("blocker"), "f1");
  cluster.Submit(asks("pending"));
  for (int i = 0; i < 5 && !cluster.Holds("pending"); ++i) {
    add_queue(101 + i);
    cluster.Run(1);
  }
  EXPECT_EQ(cluster.FlavorOf("pending"), "f2");
}

}  // namespace
}  // namespace kueue::scheduling
