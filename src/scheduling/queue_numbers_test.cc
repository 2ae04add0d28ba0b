#include <gtest/gtest.h>

#include "scheduling/test_cluster.h"

// What metrics ask the State (spec/controllers.md §17).
namespace kueue::scheduling {
namespace {

TEST(QueueNumbers, WaitingWorkIsCountedByStateShapeAndQueue) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {5, {}, {}}));
  cluster.AddLocalQueue("other", "q");
  cluster.SubmitReserved("holds", "q", 5);
  cluster.Submit("a", "q", 2);
  cluster.Submit("b", "q", 2);
  cluster.Submit("c", "other", 3);
  const auto before = cluster.state.ReportPending("q");
  EXPECT_EQ(before.workloads.active, 3u);
  EXPECT_EQ(before.workloads.parked, 0u);
  EXPECT_EQ(before.shapes.active, 2u);
  EXPECT_EQ(before.requests.at("cpu").ToString(), "7");
  EXPECT_EQ(before.by_local.at("ns/q").active, 2u);
  EXPECT_EQ(before.by_local.at("ns/other").active, 1u);
  for (int i = 0; i < 4; ++i) cluster.Cycle();
  const auto after = cluster.state.ReportPending("q");
  EXPECT_EQ(after.workloads.active, 0u);
  EXPECT_EQ(after.workloads.parked, 3u);
  EXPECT_EQ(after.shapes.parked, 2u);
  EXPECT_EQ(cluster.state.ReportPending("none").workloads.active, 0u);
}

TEST(QueueNumbers, WorkOfAnInactiveQueueCountsAsParked) {
  TestCluster cluster;
  auto queue = MakeQueue("q", {5, {}, {}});
  queue->spec.stop_policy = "Hold";
  cluster.Add(queue);
  cluster.Submit("a", "q", 2);
  EXPECT_EQ(cluster.state.ReportPending("q").workloads.parked, 1u);
  EXPECT_EQ(cluster.state.ReportPending("q").workloads.active, 0u);
}

TEST(QueueNumbers, CohortsCountTheirSubtrees) {
  TestCluster cluster;
  cluster.AddCohort("root", "", {CpuGroup({{"default", {3, {}, {}}}})});
  cluster.AddCohort("team", "root");
  cluster.Add(MakeQueue("a", {5, {}, {}}, "team"));
  cluster.Add(MakeQueue("b", {2, {}, {}}, "root"));
  cluster.SubmitReserved("w", "a", 4);
  cluster.SubmitReserved("v", "b", 1);
  const auto root = cluster.state.ReportCohort("root");
  ASSERT_TRUE(root.known);
  EXPECT_EQ(root.parent, "");
  EXPECT_EQ(root.root, "root");
  EXPECT_EQ(root.quota.at({"default", "cpu"}).ToString(), "10");
  EXPECT_EQ(root.reservations.at({"default", "cpu"}).ToString(), "5");
  EXPECT_EQ(root.admitted, 2);
  const auto team = cluster.state.ReportCohort("team");
  EXPECT_EQ(team.parent, "root");
  EXPECT_EQ(team.reservations.at({"default", "cpu"}).ToString(), "4");
  EXPECT_FALSE(cluster.state.ReportCohort("none").known);
}

// Two queues want the same victim: one takes it, the other is counted.
TEST(QueueNumbers, PreemptionsPutOffAreCounted) {
  Config config;
  config.gates.recompute_assignment_upon_preemption_targets_overlap = false;
  TestCluster cluster(config);
  for (const char* name : {"a", "b"}) {
    auto queue = MakeQueue(name, {2, {}, {}}, "c");
    queue->spec.preemption->reclaim_within_cohort = "Any";
    cluster.Add(queue);
  }
  cluster.Add(MakeQueue("z", {0, {}, {}}, "c"));
  cluster.SubmitReserved("victim", "z", 4);
  cluster.Submit("x", "a", 2);
  cluster.Submit("y", "b", 2);
  const Plan plan = cluster.Cycle();
  ASSERT_EQ(plan.evictions.size(), 1u);
  EXPECT_EQ(plan.skipped_preemptions, (std::map<std::string, uint32_t>{{"b", 1}}));
  EXPECT_TRUE(plan.recomputed_targets.empty());
}

TEST(QueueNumbers, NewLooksForVictimsAreCounted) {
  TestCluster cluster;
  for (const char* name : {"a", "b"}) {
    auto queue = MakeQueue(name, {2, {}, {}}, "c");
    queue->spec.preemption->reclaim_within_cohort = "Any";
    cluster.Add(queue);
  }
  cluster.Add(MakeQueue("z", {0, {}, {}}, "c"));
  cluster.SubmitReserved("victim", "z", 4);
  cluster.Submit("x", "a", 2);
  cluster.Submit("y", "b", 2);
  const Plan plan = cluster.Cycle();
  ASSERT_EQ(plan.recomputed_targets.size(), 1u);
  EXPECT_EQ(plan.recomputed_targets[0].first, "b");
  EXPECT_EQ(plan.recomputed_targets[0].second, "deferred_fit");
}

}  // namespace
}  // namespace kueue::scheduling
