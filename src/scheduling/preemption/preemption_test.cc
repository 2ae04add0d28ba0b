#include <gtest/gtest.h>

#include "scheduling/test_cluster.h"

// Who is preempted (spec/scheduling.md §7), seen through whole cycles; first the examples of §17.
namespace kueue::scheduling {
namespace {

using Lines = std::vector<std::string>;

std::shared_ptr<api::ClusterQueue> Preempting(const std::string& name, int64_t nominal,
                                              const std::string& cohort,
                                              const std::string& within = "Never",
                                              const std::string& reclaim = "Any") {
  auto queue = MakeQueue(name, {nominal, {}, {}}, cohort);
  queue->spec.preemption->within_cluster_queue = within;
  queue->spec.preemption->reclaim_within_cohort = reclaim;
  return queue;
}

Config Fair(std::vector<FairPreemptionStrategy> strategies = {}) {
  Config config;
  config.fair_sharing.emplace().preemption_strategies = std::move(strategies);
  return config;
}

TEST(ClassicalPreemptionTest, ReclaimsTheQuotaOfASubtree) {
  TestCluster cluster;
  cluster.AddCohort("a", "r");
  cluster.Add(Preempting("cq1", 4, "a"));
  cluster.Add(Preempting("cq2", 4, "a"));
  cluster.Add(Preempting("cq3", 0, "r"));
  cluster.SubmitReserved("w1", "cq1", 2);
  cluster.SubmitReserved("w2", "cq2", 1);
  for (const char* name : {"x1", "x2", "x3", "x4", "x5"}) cluster.SubmitReserved(name, "cq3", 1);
  cluster.Submit("big", "cq1", 5);
  const Plan plan = cluster.Cycle();
  EXPECT_EQ(TestCluster::Evicted(plan).size(), 5u);
  for (const Eviction& eviction : plan.evictions) {
    EXPECT_EQ(eviction.cluster_queue, "cq3");
    EXPECT_EQ(eviction.preempted_reason, "InCohortReclamation");
  }
}

// §7.6.
TEST(ClassicalPreemptionTest, PutsBackWhoIsNotNeeded) {
  TestCluster cluster;
  cluster.Add(Preempting("q", 3, "", "LowerPriority"));
  cluster.SubmitReserved("one", "q", 1, 0);
  cluster.SubmitReserved("two", "q", 2, 1);
  cluster.Submit("need-two", "q", 2, 5);
  EXPECT_EQ(TestCluster::Evicted(cluster.Cycle()), (Lines{"ns/two InClusterQueue"}));
}

// §16 (62): the youngest reservation goes first, whoever was created first.
TEST(ClassicalPreemptionTest, LatestReservationGoesFirst) {
  TestCluster cluster;
  cluster.Add(Preempting("q", 2, "", "LowerPriority"));
  cluster.SubmitReserved("early", "q", 1);
  cluster.now += base::seconds(10);
  cluster.SubmitReserved("late", "q", 1);
  cluster.Submit("w", "q", 1, 5);
  EXPECT_EQ(TestCluster::Evicted(cluster.Cycle()), (Lines{"ns/late InClusterQueue"}));
}

// §7.1.
TEST(ClassicalPreemptionTest, EqualPriorityGoesOnlyWithItsPolicyAndIfNewer) {
  TestCluster cluster;
  cluster.Add(Preempting("q", 1, "", "LowerOrNewerEqualPriority"));
  api::Workload older = TestCluster::Make("older", "q", 1);
  cluster.Submit(older);
  cluster.Cycle();
  cluster.Submit("newer", "q", 1);
  EXPECT_TRUE(cluster.Cycle().evictions.empty());
}

// §16 (86): a stopped queue's work is not there to be taken, but its quota counts.
TEST(ClassicalPreemptionTest, StoppedQueuesGiveNoVictims) {
  TestCluster cluster;
  cluster.Add(Preempting("a", 4, "c"));
  auto b = Preempting("b", 0, "c");
  b->spec.stop_policy = "Hold";
  cluster.Add(b);
  cluster.SubmitReserved("x", "b", 4);
  cluster.Submit("w", "a", 1);
  EXPECT_TRUE(cluster.Cycle().evictions.empty());
}

// §16 (66): only strictly lower priorities up to the threshold.
TEST(ClassicalPreemptionTest, BorrowingPreemptsOnlyUpToTheThreshold) {
  TestCluster cluster;
  auto a = Preempting("a", 2, "c");
  a->spec.preemption->borrow_within_cohort.emplace().policy = "LowerPriority";
  a->spec.preemption->borrow_within_cohort->max_priority_threshold = 1;
  cluster.Add(a);
  cluster.Add(Preempting("b", 1, "c"));
  cluster.Add(Preempting("idle", 1, "c"));
  cluster.SubmitReserved("low", "b", 2, 1);
  cluster.SubmitReserved("high", "b", 2, 2);
  cluster.Submit("w", "a", 3, 9);
  EXPECT_TRUE(cluster.Cycle().evictions.empty());
  cluster.Finish("high");
  cluster.SubmitReserved("low2", "b", 2, 1);
  cluster.state.CarryOutAllRetries(cluster.now);
  const Plan plan = cluster.Cycle();
  ASSERT_FALSE(plan.evictions.empty());
  EXPECT_EQ(plan.evictions[0].preempted_reason, "InCohortReclaimWhileBorrowing");
}

class FairExample : public ::testing::Test {
 protected:
  void Fill(TestCluster& cluster, int a, int b, int c) {
    int number = 0;
    for (const auto& [queue, count] :
         std::vector<std::pair<std::string, int>>{{"a", a}, {"b", b}, {"c", c}}) {
      cluster.Add(Preempting(queue, 3, "cohort"));
      for (int i = 0; i < count; ++i) {
        cluster.SubmitReserved(queue + std::to_string(number++), queue, 1);
      }
    }
    cluster.Submit("w", "a", 1);
  }
};

TEST_F(FairExample, NominalEntitlementNeedsNoShares) {
  TestCluster cluster(Fair());
  Fill(cluster, 0, 6, 3);
  const Plan plan = cluster.Cycle();
  ASSERT_EQ(plan.evictions.size(), 1u);
  EXPECT_EQ(plan.evictions[0].cluster_queue, "b");
  EXPECT_EQ(plan.evictions[0].preempted_reason, "InCohortReclamation");
}

TEST_F(FairExample, SmallerShareTakesFromTheLarger) {
  TestCluster cluster(Fair());
  Fill(cluster, 3, 6, 0);
  const Plan plan = cluster.Cycle();
  ASSERT_EQ(plan.evictions.size(), 1u);
  EXPECT_EQ(plan.evictions[0].cluster_queue, "b");
  EXPECT_EQ(plan.evictions[0].preempted_reason, "InCohortFairSharing");
}

TEST_F(FairExample, EqualSharesTakeNothing) {
  TestCluster cluster(Fair());
  Fill(cluster, 4, 5, 0);
  const Plan plan = cluster.Cycle();
  EXPECT_TRUE(plan.evictions.empty());
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].requeue_reason, "PreemptionNoCandidates");
}

// §16 (70).
TEST_F(FairExample, BorrowWithinCohortMeansNothing) {
  TestCluster cluster(Fair({FairPreemptionStrategy::kLessThanInitialShare}));
  Fill(cluster, 3, 6, 0);
  EXPECT_EQ(cluster.Cycle().evictions.size(), 1u);
}

// The preemptor's share is that of b at first, so b keeps what it has. Once own work is gone the
// share is below that of c.
TEST(FairPreemptionTest, AnEqualShareDoesNotSpareTheOthers) {
  TestCluster cluster(Fair({FairPreemptionStrategy::kLessThanInitialShare}));
  cluster.AddCohort("root", "", {CpuGroup({{"default", {11, {}, {}}}})});
  cluster.Add(Preempting("a", 0, "root", "LowerPriority"));
  cluster.Add(Preempting("b", 0, "root"));
  cluster.Add(Preempting("c", 0, "root"));
  cluster.SubmitReserved("a1", "a", 2);
  cluster.SubmitReserved("b1", "b", 5);
  cluster.SubmitReserved("c1", "c", 4);
  cluster.Submit("new", "a", 3, 10);
  EXPECT_EQ(TestCluster::Evicted(cluster.Cycle()), Lines{"ns/c1 InCohortFairSharing"});
}

// Whoever leaves big, it would be left with less than the preemptor has: the whole subtree is
// turned away. In small two may go.
TEST(FairPreemptionTest, FindsThoseWhoPassBehindASubtreeThatDoesNot) {
  TestCluster cluster(Fair({FairPreemptionStrategy::kLessThanOrEqualToFinalShare}));
  cluster.AddCohort("root", "", {CpuGroup({{"default", {25, {}, {}}}})});
  cluster.AddCohort("big", "root");
  cluster.AddCohort("small", "root");
  cluster.Add(Preempting("a", 0, "root"));
  for (const char* name : {"b1", "b2"}) cluster.Add(Preempting(name, 0, "big"));
  cluster.Add(Preempting("c", 0, "small"));
  cluster.SubmitReserved("x1", "b1", 6);
  cluster.SubmitReserved("x2", "b2", 5);
  for (int i = 0; i < 9; ++i) cluster.SubmitReserved("y" + std::to_string(i), "c", 1);
  cluster.Submit("new", "a", 7);
  const Plan plan = cluster.Cycle();
  ASSERT_EQ(plan.evictions.size(), 2u);
  for (const Eviction& eviction : plan.evictions) EXPECT_EQ(eviction.cluster_queue, "c");
}

}  // namespace
}  // namespace kueue::scheduling
