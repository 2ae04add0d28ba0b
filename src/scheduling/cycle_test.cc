#include "scheduling/cycle.h"

#include <gtest/gtest.h>

#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using Lines = std::vector<std::string>;

TEST(CycleTest, WithoutHeadsThePlanIsEmpty) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {1, {}, {}}));
  const Plan plan = cluster.Cycle();
  EXPECT_EQ(plan.cycle, 0u);
  EXPECT_FALSE(plan.progressed());
  EXPECT_TRUE(plan.evaluated.empty());
}

TEST(CycleTest, TakesOneHeadOfEveryQueue) {
  TestCluster cluster;
  cluster.Add(MakeQueue("b", {9, {}, {}}));
  cluster.Add(MakeQueue("a", {9, {}, {}}));
  for (const char* queue : {"a", "b"}) {
    cluster.Submit(std::string(queue) + "1", queue, 1);
    cluster.Submit(std::string(queue) + "2", queue, 1);
  }
  EXPECT_EQ(TestCluster::Reserved(cluster.Cycle()), (Lines{"ns/a1", "ns/b1"}));
}

// §17, order of entries: not borrowing comes before priority.
TEST(CycleTest, LessBorrowingIsProcessedFirst) {
  TestCluster cluster;
  cluster.Add(MakeQueue("a", {1, {}, {}}, "c"));
  cluster.Add(MakeQueue("b", {5, {}, {}}, "c"));
  cluster.Submit("borrows", "a", 3, 100);
  cluster.Submit("own", "b", 5, 0);
  const Plan plan = cluster.Cycle();
  EXPECT_EQ(TestCluster::Reserved(plan), (Lines{"ns/own"}));
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].requeue_reason, "FailedAfterNomination");
}

// §5.6 I, §16 (44): what the preemptor does not need of the victims' quota is free for others.
TEST(CycleTest, VictimsAreDiscountedForEverybody) {
  TestCluster cluster;
  auto a = MakeQueue("a", {4, {}, {}}, "c");
  a->spec.preemption->reclaim_within_cohort = "Any";
  cluster.Add(a);
  cluster.Add(MakeQueue("b", {0, {}, {}}, "c"));
  cluster.SubmitReserved("victim", "b", 4);
  cluster.Submit("w", "a", 1);
  const Plan plan = cluster.Cycle();
  EXPECT_EQ(TestCluster::Evicted(plan), (Lines{"ns/victim InCohortReclamation"}));
  EXPECT_EQ(plan.evictions[0].by_workload, "ns/w");
}

// §7.9, §16 (73): the preemptor waits on and nobody is told twice.
TEST(CycleTest, VictimThatLeavesAlreadyIsNotEvictedAgain) {
  TestCluster cluster;
  auto queue = MakeQueue("q", {1, {}, {}});
  queue->spec.preemption->within_cluster_queue = "LowerPriority";
  cluster.Add(queue);
  cluster.SubmitReserved("victim", "q", 1);
  cluster.Submit("w", "q", 1, 5);
  EXPECT_EQ(cluster.Cycle().evictions.size(), 1u);
  const Plan again = cluster.Cycle();
  EXPECT_TRUE(again.evictions.empty());
  ASSERT_EQ(again.requeues.size(), 1u);
  EXPECT_EQ(again.requeues[0].requeue_reason, "PendingPreemption");
  cluster.Stop("victim");
  EXPECT_EQ(TestCluster::Reserved(cluster.Cycle()), (Lines{"ns/w"}));
}

// §5.6 E, §16 (45): nobody to preempt still keeps the capacity from others, unless it can always
// be reclaimed.
TEST(CycleTest, WorkWithoutCandidatesReservesCapacity) {
  for (const bool any : {false, true}) {
    TestCluster cluster;
    auto a = MakeQueue("a", {4, {}, {}}, "c");
    a->spec.preemption->reclaim_within_cohort = any ? "Any" : "LowerPriority";
    cluster.Add(a);
    cluster.Add(MakeQueue("b", {0, {}, {}}, "c"));
    cluster.SubmitReserved("running", "a", 2);
    cluster.Submit("waits", "a", 3, 1);
    cluster.Submit("other", "b", 2);
    const Plan plan = cluster.Cycle();
    EXPECT_EQ(plan.reservations.size(), any ? 1u : 0u);
  }
}

// §5.2 (6).
TEST(CycleTest, ForeignNamespaceIsTurnedAway) {
  TestCluster cluster;
  auto queue = MakeQueue("q", {1, {}, {}});
  queue->spec.namespace_selector->match_labels["team"] = "x";
  cluster.Add(queue);
  cluster.Submit("w", "q", 1);
  const Plan plan = cluster.Cycle();
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, "Misconfigured");
  EXPECT_EQ(plan.requeues[0].requeue_reason, "NamespaceMismatch");
}

// §3.1, §5.2 (3): below a cycle of cohorts the head comes back and waits.
TEST(CycleTest, HeadBelowACycleIsSuspended) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {1, {}, {}}, "x"));
  cluster.AddCohort("x", "x");
  cluster.Submit("w", "q", 1);
  const Plan plan = cluster.Cycle();
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, "Suspended");
  EXPECT_FALSE(cluster.state.HasHeads());
}

// §1.6 (3).
TEST(CycleTest, RequestAboveItsLimitIsMisconfigured) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {9, {}, {}}));
  api::Workload workload = TestCluster::Make("w", "q", 2);
  workload.spec.pod_sets[0].pod_template.spec.containers[0].resources.limits["cpu"] =
      resources::Quantity::FromUnits(1);
  cluster.Submit(workload);
  const Plan plan = cluster.Cycle();
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, "Misconfigured");
}

// §5.5, §16 (38, 39): who does not borrow comes first, then the smaller share.
TEST(CycleTest, FairOrderGoesByShareWithTheOwnUsage) {
  Config config;
  config.fair_sharing.emplace();
  TestCluster cluster(config);
  cluster.Add(MakeQueue("a", {1, {}, {}}, "c"));
  cluster.Add(MakeQueue("b", {1, {}, {}}, "c"));
  cluster.Add(MakeQueue("d", {4, {}, {}}, "c"));
  cluster.Submit("a-large", "a", 4);
  cluster.Submit("b-small", "b", 3);
  const Plan plan = cluster.Cycle();
  EXPECT_EQ(TestCluster::Reserved(plan), (Lines{"ns/b-small"}));
}

// §11, §16 (80): only the growth has to be free, and the old slice is finished.
TEST(CycleTest, SliceNeedsOnlyItsGrowth) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {3, {}, {}}));
  cluster.SubmitReserved("old", "q", 2);
  api::Workload slice = TestCluster::Make("new", "q", 3);
  slice.metadata.annotations[api::names::kWorkloadSliceReplacementFor] = "ns/old";
  cluster.Submit(slice);
  const Plan plan = cluster.Cycle();
  EXPECT_EQ(TestCluster::Reserved(plan), (Lines{"ns/new"}));
  EXPECT_EQ(plan.finished_slices, (Lines{"ns/old"}));
}

}  // namespace
}  // namespace kueue::scheduling
