// As ../public_reports_test.cc, for who has to leave.

#include "scheduling/public_reports.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kueue::scheduling {
namespace {

using Lines = std::vector<std::string>;
using resources::Quantity;

Config FairConfig() {
  Config config;
  config.fair_sharing.emplace();
  return config;
}

void BorrowWhilePreempting(api::ClusterQueue& queue, std::optional<int32_t> threshold = {}) {
  queue.spec.preemption->borrow_within_cohort.emplace();
  queue.spec.preemption->borrow_within_cohort->policy = "LowerPriority";
  queue.spec.preemption->borrow_within_cohort->max_priority_threshold = threshold;
}

TEST(PublicReports, P01NoEndlessLoopWithoutPrioritySorting) {
  Config config;
  config.gates.priority_sorting_within_cohort = false;
  LivingCluster cluster(config);
  cluster.Add(WithPreemption(MakeQueue("a", {0, 10, {}}, "all"), "LowerPriority", "Any"));
  auto b = WithPreemption(MakeQueue("b", {5, {}, {}}, "all"), "LowerPriority", "Any");
  BorrowWhilePreempting(*b, 80000);
  cluster.Add(b);
  cluster.Add(WithPreemption(MakeQueue("c", {5, {}, {}}, "all"), "LowerPriority", "Any"));
  cluster.Submit("a1", "a", 4, 2);
  cluster.Run(1);
  cluster.Submit("b1", "b", 4, 3);
  cluster.Submit("b2", "b", 4, 3);
  EXPECT_EQ(cluster.Run(12).size(), 1u);
  EXPECT_TRUE(cluster.Holds("b1") && cluster.Holds("b2"));
  EXPECT_FALSE(cluster.Holds("a1"));
}

TEST(PublicReports, P03NoBorrowingLimitIsNotALimitOfZero) {
  LivingCluster cluster;
  cluster.Add(WithPreemption(MakeQueue("d1", {6, {}, {}}, "c"), "LowerPriority", "LowerPriority"));
  cluster.Add(WithPreemption(MakeQueue("d2", {6, {}, {}}, "c"), "LowerPriority", "LowerPriority"));
  cluster.SubmitReserved("d1-med", "d1", 4, 0);
  cluster.SubmitReserved("d1-low", "d1", 4, -1);
  cluster.SubmitReserved("d2-low", "d2", 4, -1);
  cluster.Submit("incoming", "d1", 4, 1);
  EXPECT_EQ(cluster.Run(3), (Lines{"ns/d1-low InClusterQueue"}));
  EXPECT_TRUE(cluster.Holds("incoming"));
}

TEST(PublicReports, P05ReclaimIsNotBlockedByAnOlderHopelessWorkload) {
  LivingCluster cluster;
  cluster.Add(MakeQueue("a", {2, {}, {}}, "all"));
  cluster.Add(WithPreemption(MakeQueue("b", {2, {}, {}}, "all"), "Never", "Any"));
  cluster.Add(MakeQueue("c", {0, {}, {}}, "all"));
  cluster.SubmitReserved("c1", "c", 2);
  cluster.SubmitReserved("c2", "c", 2);
  cluster.Submit("a1", "a", 3);
  cluster.Submit("b1", "b", 2);
  EXPECT_EQ(cluster.Run(1).size(), 1u);
}

TEST(PublicReports, P07CohortWithTheBetterClaimReclaims) {
  LivingCluster cluster;
  cluster.AddCohort("root");
  cluster.AddCohort("guaranteed", "root", {CpuGroup({{"default", {1, {}, {}}}})});
  cluster.Add(WithPreemption(MakeQueue("g", {0, {}, {}}, "guaranteed"), "Never", "Any"));
  cluster.Add(MakeQueue("best", {0, {}, {}}, "root"));
  cluster.SubmitReserved("be", "best", 1);
  cluster.Submit("w", "g", 1);
  EXPECT_EQ(cluster.Run(1), (Lines{"ns/be InCohortReclamation"}));
}

TEST(PublicReports, P09FlavorIsChosenWhereSomebodyCanGo) {
  LivingCluster cluster;
  cluster.AddFlavor("f1");
  cluster.AddFlavor("f2");
  const auto add = [&](const std::string& name, TestQuota f1, TestQuota f2) {
    auto queue = WithPreemption(MakeQueue(name, {}, "c"), "Never", "LowerPriority");
    queue->spec.resource_groups = {CpuGroup({{"f1", f1}, {"f2", f2}})};
    queue->spec.flavor_fungibility->when_can_preempt = "MayStopSearch";
    BorrowWhilePreempting(*queue);
    cluster.Add(queue);
  };
  add("a", {0, 4, {}}, {0, 4, {}});
  add("b", {4, {}, {}}, {0, {}, {}});
  add("c", {0, {}, {}}, {4, {}, {}});
  add("d", {0, {}, {}}, {0, {}, {}});
  cluster.Submit("b1", "b", 4, 0);
  cluster.Run(1);
  cluster.Submit("d1", "d", 4, 0);
  cluster.Run(1);
  ASSERT_EQ(cluster.FlavorOf("b1"), "f1");
  ASSERT_EQ(cluster.FlavorOf("d1"), "f2");
  cluster.Submit("a1", "a", 4, 10);
  EXPECT_EQ(cluster.Run(1), (Lines{"ns/d1 InCohortReclaimWhileBorrowing"}));
  cluster.Run(2);
  EXPECT_EQ(cluster.FlavorOf("a1"), "f2");
}

TEST(PublicReports, P11FailedEvictionIsTriedAgain) {
  LivingCluster cluster;
  cluster.Add(WithPreemption(MakeQueue("q", {1, {}, {}}), "LowerPriority", "Never"));
  cluster.SubmitReserved("low", "q", 1, 0);
  cluster.Submit("high", "q", 1, 10);
  const Plan plan = Step(cluster.state, cluster.now);
  ASSERT_EQ(plan.evictions.size(), 1u);
  cluster.state.EvictionFailed("ns/low", plan.evictions[0].uid);
  ASSERT_TRUE(cluster.state.HasHeads());
  EXPECT_EQ(cluster.Run(1), (Lines{"ns/low InClusterQueue"}));
  cluster.Run(1);
  EXPECT_TRUE(cluster.Holds("high"));
}

TEST(PublicReports, P13OverlappingVictimsAreNotTakenTwice) {
  LivingCluster cluster;
  for (const char* name : {"a", "b"}) {
    cluster.Add(WithPreemption(MakeQueue(name, {4, {}, {}}, "all"), "Never", "Any"));
  }
  cluster.Add(MakeQueue("c", {0, {}, {}}, "all"));
  for (const char* name : {"x", "y", "z"}) cluster.SubmitReserved(name, "c", 2);
  cluster.Submit("a1", "a", 4);
  cluster.Submit("b1", "b", 4);
  const Lines first = cluster.Run(1);
  Lines victims = first;
  std::sort(victims.begin(), victims.end());
  EXPECT_EQ(std::unique(victims.begin(), victims.end()), victims.end());
  cluster.Run(4);
  EXPECT_TRUE(cluster.Holds("a1") && cluster.Holds("b1"));
}

TEST(PublicReports, P15OneVictimIsEnough) {
  LivingCluster cluster(FairConfig());
  for (const std::string team : {"a", "b", "c"}) {
    cluster.AddCohort("team-" + team, "root");
    cluster.Add(
        WithPreemption(MakeQueue(team + "-own", {team == "c" ? 4 : 2, 0, {}}, "team-" + team),
                       "LowerPriority", "Any"));
    cluster.Add(WithPreemption(MakeQueue(team + "-more", {0, {}, {}}, "team-" + team),
                               "LowerPriority", "Any"));
  }
  cluster.SubmitReserved("a1", "a-more", 4, 10);
  cluster.SubmitReserved("b1", "b-more", 4, 5);
  cluster.Submit("c1", "c-own", 4, 0);
  EXPECT_EQ(cluster.Run(4), (Lines{"ns/b1 InCohortReclamation"}));
}

// ---- fair sharing

TEST(PublicReports, F01NoEndlessPreemption) {
  LivingCluster cluster(FairConfig());
  for (const char* name : {"a", "b"}) {
    auto queue =
        WithPreemption(MakeQueue(name, {150, {}, {}}, "testing"), "Never", "LowerPriority");
    BorrowWhilePreempting(*queue, 100);
    cluster.Add(queue);
  }
  cluster.Add(MakeQueue("best-effort", {0, {}, {}}, "testing"));
  cluster.Submit("a1", "a", 250, 102);
  cluster.Run(1);
  cluster.Submit("be1", "best-effort", 50, 70);
  cluster.Run(1);
  cluster.Submit("a2", "a", 50, 102);
  cluster.Run(10);
  EXPECT_EQ(cluster.Run(10), Lines());
}

TEST(PublicReports, F03WeightZeroKeepsItsNominalQuota) {
  LivingCluster cluster(FairConfig());
  auto be = MakeQueue("be", {1, {}, {}}, "root");
  be->spec.fair_sharing.emplace();
  be->spec.fair_sharing->weight = Quantity::FromUnits(0);
  cluster.Add(be);
  cluster.Add(WithPreemption(MakeQueue("hp", {0, {}, {}}, "root"), "Never", "Any"));
  cluster.SubmitReserved("be1", "be", 1);
  cluster.Submit("hp1", "hp", 1, 10);
  EXPECT_EQ(cluster.Run(3), Lines());
}

TEST(PublicReports, F05LargeWeightDoesNotRoundABorrowerToNothing) {
  LivingCluster cluster(FairConfig());
  cluster.Add(WithPreemption(MakeQueue("a", {4, {}, {}}, "c"), "Never", "Any"));
  auto b = MakeQueue("b", {0, {}, {}}, "c");
  b->spec.fair_sharing.emplace();
  b->spec.fair_sharing->weight = Quantity::FromUnits(9999999);
  cluster.Add(b);
  for (int i = 0; i < 4; ++i) cluster.SubmitReserved("b" + std::to_string(i), "b", 1);
  EXPECT_EQ(cluster.state.ReportClusterQueue("b").weighted_share, 1);
  cluster.Submit("a1", "a", 1);
  EXPECT_EQ(cluster.Run(2).size(), 1u);
  EXPECT_TRUE(cluster.Holds("a1"));
}

TEST(PublicReports, F07NonBorrowingSubtreeGoesFirstWhateverTheNames) {
  for (const bool swapped : {false, true}) {
    LivingCluster cluster(FairConfig());
    cluster.AddCohort("cohort-a", "root", {CpuGroup({{"default", {10, {}, {}}}})});
    cluster.AddCohort("cohort-b", "root");
    cluster.Add(MakeQueue("cq-a", {0, {}, {}}, "cohort-a"));
    cluster.Add(MakeQueue("cq-b", {5, {}, {}}, "cohort-b"));
    cluster.Add(MakeQueue("cq-c", {0, {}, {}}, "cohort-b"));
    cluster.SubmitReserved("c0", "cq-c", 10);
    const std::string for_a = swapped ? "z" : "m", for_b = swapped ? "m" : "z";
    cluster.Submit(for_b, "cq-b", 5);
    cluster.Submit(for_a, "cq-a", 5);
    cluster.Run(1);
    EXPECT_TRUE(cluster.Holds(for_a));
    EXPECT_FALSE(cluster.Holds(for_b));
  }
}

TEST(PublicReports, H05WeightOfACohortActsAtOnce) {
  LivingCluster cluster(FairConfig());
  cluster.AddCohort("left", "root");
  cluster.AddCohort("right", "root");
  cluster.AddCohort("root", "", {CpuGroup({{"default", {8, {}, {}}}})});
  cluster.Add(MakeQueue("l", {0, {}, {}}, "left"));
  cluster.Add(MakeQueue("r", {0, {}, {}}, "right"));
  cluster.SubmitReserved("l1", "l", 4);
  cluster.SubmitReserved("r1", "r", 4);
  const auto before = cluster.state.CohortWeightedShare("left");
  auto heavier = std::make_shared<api::Cohort>();
  heavier->metadata.name = "left";
  heavier->metadata.generation = 99;
  heavier->spec.parent_name = "root";
  heavier->spec.fair_sharing.emplace();
  heavier->spec.fair_sharing->weight = Quantity::FromUnits(4);
  cluster.state.SetCohort(heavier, cluster.now);
  EXPECT_EQ(before, 500);
  EXPECT_EQ(cluster.state.CohortWeightedShare("left"), 125);
}

// The next order among heads uses the new weight, without another edit.
TEST(PublicReports, H05WeightOfACohortChangesTheOrderAtOnce) {
  for (const bool heavier_left : {false, true}) {
    LivingCluster cluster(FairConfig());
    cluster.AddCohort("left", "root");
    cluster.AddCohort("right", "root");
    cluster.AddCohort("root", "", {CpuGroup({{"default", {9, {}, {}}}})});
    cluster.Add(MakeQueue("l", {0, {}, {}}, "left"));
    cluster.Add(MakeQueue("r", {0, {}, {}}, "right"));
    cluster.SubmitReserved("l1", "l", 4);
    cluster.SubmitReserved("r1", "r", 3);
    if (heavier_left) {
      auto left = std::make_shared<api::Cohort>();
      left->metadata.name = "left";
      left->metadata.generation = 99;
      left->spec.parent_name = "root";
      left->spec.fair_sharing.emplace();
      left->spec.fair_sharing->weight = resources::Quantity::FromUnits(3);
      cluster.state.SetCohort(left, cluster.now);
    }
    // Room for one of them.
    cluster.Submit("l2", "l", 2);
    cluster.Submit("r2", "r", 2);
    cluster.Run(1);
    EXPECT_EQ(cluster.Holds("l2"), heavier_left);
    EXPECT_EQ(cluster.Holds("r2"), !heavier_left);
  }
}

}  // namespace
}  // namespace kueue::scheduling
