#include "scheduling/state.h"

#include <gtest/gtest.h>

#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using Lines = std::vector<std::string>;

class StateTest : public ::testing::Test {
 protected:
  int64_t UsedBy(const std::string& queue) {
    const auto report = cluster_.state.ReportClusterQueue(queue);
    return report.flavors_reservation.at(0).resources.at(0).total.Units();
  }
  void Add(int64_t nominal) { cluster_.Add(MakeQueue("q", {nominal, {}, {}})); }

  TestCluster cluster_;
};

TEST_F(StateTest, AssumedQuotaCountsBeforeTheObjectShowsIt) {
  Add(1);
  cluster_.Submit("w", "q", 1);
  cluster_.Submit("v", "q", 1);
  Step(cluster_.state, cluster_.now);
  EXPECT_EQ(UsedBy("q"), 1);
  // An old picture of the workload changes nothing.
  cluster_.Tell(*cluster_.workloads.at("w"));
  EXPECT_EQ(UsedBy("q"), 1);
  EXPECT_TRUE(Step(cluster_.state, cluster_.now).reservations.empty());
}

TEST_F(StateTest, FailedReservationGivesTheQuotaBack) {
  Add(1);
  cluster_.Submit("w", "q", 1);
  Step(cluster_.state, cluster_.now);
  cluster_.state.ReservationFailed("ns/w", "uid-w", cluster_.now);
  EXPECT_EQ(UsedBy("q"), 0);
  EXPECT_EQ(cluster_.state.ActiveHeap("q"), (Lines{"ns/w"}));
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), (Lines{"ns/w"}));
}

TEST_F(StateTest, FailedReservationOfAnotherUidIsIgnored) {
  Add(1);
  cluster_.Submit("w", "q", 1);
  Step(cluster_.state, cluster_.now);
  cluster_.state.ReservationFailed("ns/w", "uid-of-another", cluster_.now);
  EXPECT_EQ(UsedBy("q"), 1);
}

TEST_F(StateTest, FailedEvictionMayBeIssuedAgain) {
  auto queue = MakeQueue("q", {1, {}, {}});
  queue->spec.preemption->within_cluster_queue = "LowerPriority";
  cluster_.Add(queue);
  cluster_.SubmitReserved("victim", "q", 1);
  cluster_.Submit("w", "q", 1, 5);
  EXPECT_EQ(Step(cluster_.state, cluster_.now).evictions.size(), 1u);
  EXPECT_TRUE(Step(cluster_.state, cluster_.now).evictions.empty());
  cluster_.state.EvictionFailed("ns/victim", "uid-victim");
  EXPECT_EQ(Step(cluster_.state, cluster_.now).evictions.size(), 1u);
}

// §16 (23): usage goes with the reservation, not with the eviction; finishing frees at once.
TEST_F(StateTest, UsageIsReleasedWithTheReservationOrTheEnd) {
  Add(4);
  cluster_.SubmitReserved("evicted", "q", 1);
  cluster_.SubmitReserved("done", "q", 2);
  api::Workload leaving = *cluster_.workloads.at("evicted");
  cluster_.SetCondition(leaving, api::names::kEvicted, true, "Preempted");
  cluster_.Tell(leaving);
  EXPECT_EQ(UsedBy("q"), 3);
  cluster_.Finish("done");
  EXPECT_EQ(UsedBy("q"), 1);
  cluster_.Stop("evicted");
  EXPECT_EQ(UsedBy("q"), 0);
  EXPECT_EQ(cluster_.state.ActiveHeap("q"), (Lines{"ns/evicted"}));
}

// §4.8: parked work is tried again a second after quota became free.
TEST_F(StateTest, RetriesAreBatchedForASecond) {
  Add(1);
  cluster_.SubmitReserved("running", "q", 1);
  cluster_.Submit("w", "q", 1);
  cluster_.state.CarryOutAllRetries(cluster_.now);
  cluster_.Cycle();
  EXPECT_EQ(cluster_.state.Inadmissible("q"), (Lines{"ns/w"}));
  EXPECT_EQ(cluster_.state.ParkedReason("ns/w"), "WaitingForQuota");
  EXPECT_EQ(cluster_.state.NextDue(), std::nullopt);
  cluster_.Finish("running");
  EXPECT_EQ(cluster_.state.NextDue(), cluster_.now + base::seconds(1));
  cluster_.state.CarryOutDueRetries(cluster_.now);
  EXPECT_FALSE(cluster_.state.HasHeads());
  cluster_.state.CarryOutDueRetries(cluster_.now + base::seconds(1));
  EXPECT_TRUE(cluster_.state.HasHeads());
}

TEST_F(StateTest, EndOfABackoffIsDue) {
  Add(1);
  cluster_.state.CarryOutAllRetries(cluster_.now);
  api::Workload workload = TestCluster::Make("w", "q", 1);
  workload.status.requeue_state.emplace().requeue_at = cluster_.now + base::seconds(60);
  cluster_.Submit(workload);
  EXPECT_FALSE(cluster_.state.HasHeads());
  EXPECT_EQ(cluster_.state.NextDue(), cluster_.now + base::seconds(60));
  cluster_.state.CarryOutDueRetries(cluster_.now + base::seconds(60));
  EXPECT_TRUE(cluster_.state.HasHeads());
}

// Invariant: a restart rebuilds everything from objects, in whatever order they come.
TEST_F(StateTest, WorkloadsMayComeBeforeTheirQueues) {
  cluster_.SubmitReserved("running", "q", 2);
  cluster_.Submit("waiting", "q", 1);
  EXPECT_FALSE(cluster_.state.HasHeads());
  Add(3);
  EXPECT_EQ(UsedBy("q"), 2);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), (Lines{"ns/waiting"}));
}

TEST_F(StateTest, DeletedQueueComesBackWithWhatItHeld) {
  Add(3);
  cluster_.SubmitReserved("running", "q", 2);
  cluster_.Submit("waiting", "q", 3);
  cluster_.state.DeleteClusterQueue("q");
  EXPECT_FALSE(cluster_.state.ReportClusterQueue("q").known);
  EXPECT_FALSE(cluster_.state.HasHeads());
  Add(3);
  EXPECT_EQ(UsedBy("q"), 2);
  EXPECT_EQ(cluster_.state.ActiveHeap("q"), (Lines{"ns/waiting"}));
}

// §4.1.
TEST_F(StateTest, StoppedLocalQueueTakesItsWorkOutOfTheLine) {
  Add(3);
  cluster_.Submit("w", "q", 1);
  cluster_.AddLocalQueue("q", "q", "Hold");
  EXPECT_FALSE(cluster_.state.HasHeads());
  cluster_.AddLocalQueue("q", "q");
  EXPECT_TRUE(cluster_.state.HasHeads());
}

TEST_F(StateTest, LocalQueueThatMovesTakesItsWorkAlong) {
  Add(3);
  cluster_.Add(MakeQueue("other", {3, {}, {}}));
  cluster_.Submit("w", "q", 1);
  cluster_.AddLocalQueue("q", "other");
  EXPECT_TRUE(cluster_.state.ActiveHeap("q").empty());
  EXPECT_EQ(cluster_.state.ActiveHeap("other"), (Lines{"ns/w"}));
}

// §16 (19).
TEST_F(StateTest, StoppedQueueStillLends) {
  cluster_.Add(MakeQueue("a", {1, {}, {}}, "c"));
  auto lender = MakeQueue("lender", {4, {}, {}}, "c");
  lender->spec.stop_policy = "Hold";
  cluster_.Add(lender);
  cluster_.Submit("w", "a", 5);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), (Lines{"ns/w"}));
}

TEST_F(StateTest, QueueWithoutItsFlavorIsInactiveUntilItComes) {
  auto queue = MakeQueue("q", {});
  queue->spec.resource_groups = {CpuGroup({{"late", {1, {}, {}}}})};
  cluster_.Add(queue);
  EXPECT_EQ(cluster_.state.ReportClusterQueue("q").reason, "FlavorNotFound");
  EXPECT_EQ(cluster_.state.ClusterQueuesUsingFlavor("late"), (Lines{"q"}));
  cluster_.AddFlavor("late");
  EXPECT_TRUE(cluster_.state.ReportClusterQueue("q").active);
  EXPECT_EQ(cluster_.state.ReportClusterQueue("q").reason, "Ready");
}

// §3.1: stickily.
TEST_F(StateTest, TerminatingQueueStaysInactive) {
  auto queue = MakeQueue("q", {1, {}, {}});
  queue->metadata.deletion_timestamp = cluster_.now;
  cluster_.Add(queue);
  EXPECT_EQ(cluster_.state.ReportClusterQueue("q").reason, "Terminating");
}

TEST_F(StateTest, ActiveReasonIsTheFirstOfAllCauses) {
  auto queue = MakeQueue("q", {1, {}, {}});
  queue->spec.stop_policy = "Hold";
  queue->spec.admission_checks_strategy.emplace().admission_checks = {{"check", {}, {}}};
  cluster_.Add(queue);
  const auto report = cluster_.state.ReportClusterQueue("q");
  EXPECT_EQ(report.reason, "Stopped");
  EXPECT_NE(report.message.find("check"), std::string::npos);
  EXPECT_EQ(cluster_.state.ReportClusterQueue("unknown").reason, "NotFound");
}

// §13: quota is held while checks are open.
TEST_F(StateTest, OpenChecksDelayOnlyAdmission) {
  auto check = std::make_shared<api::AdmissionCheck>();
  check->metadata.name = "check";
  check->status.conditions = {{"Active", api::ConditionStatus::kTrue, 0, {}, "Active", "", {}}};
  cluster_.state.SetAdmissionCheck(check, cluster_.now);
  auto queue = MakeQueue("q", {1, {}, {}});
  queue->spec.admission_checks_strategy.emplace().admission_checks = {{"check", {}, {}}};
  cluster_.Add(queue);
  cluster_.Submit("w", "q", 1);
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(plan.reservations.size(), 1u);
  EXPECT_FALSE(plan.reservations[0].also_admitted);
  const auto report = cluster_.state.ReportClusterQueue("q");
  EXPECT_EQ(report.reserving, 1);
  EXPECT_EQ(report.admitted, 0);
}

TEST_F(StateTest, LocalQueueReportsItsOwn) {
  Add(5);
  cluster_.AddLocalQueue("second", "q");
  cluster_.SubmitReserved("running", "q", 2);
  cluster_.Submit("waiting", "second", 9);
  const auto first = cluster_.state.ReportLocalQueue("ns", "q");
  EXPECT_EQ(first.admitted, 1);
  EXPECT_EQ(first.flavors_usage.at(0).resources.at(0).total.Units(), 2);
  EXPECT_EQ(cluster_.state.ReportLocalQueue("ns", "second").pending, 1);
  EXPECT_FALSE(cluster_.state.ReportLocalQueue("ns", "none").known);
}

TEST_F(StateTest, PendingInOrderListsHeapAndParked) {
  Add(5);
  cluster_.Submit("low", "q", 9);
  cluster_.Cycle();
  cluster_.Submit("high", "q", 9, 3);
  EXPECT_EQ(cluster_.state.PendingInOrder("q"), (Lines{"ns/high", "ns/low"}));
}

TEST_F(StateTest, AncestorsAreNamedUpward) {
  cluster_.AddCohort("low", "high");
  cluster_.Add(MakeQueue("q", {1, {}, {}}, "low"));
  EXPECT_EQ(cluster_.state.AncestorsOf("q"), (Lines{"low", "high"}));
}

// §16 (40): only what is shown is rounded, upward.
TEST_F(StateTest, WeightedShareNeedsFairSharing) {
  EXPECT_EQ(cluster_.state.CohortWeightedShare("c"), std::nullopt);
  Config config;
  config.fair_sharing.emplace();
  TestCluster fair(config);
  fair.Add(MakeQueue("a", {2, {}, {}}, "c"));
  fair.Add(MakeQueue("b", {1, {}, {}}, "c"));
  fair.SubmitReserved("w", "a", 3);
  EXPECT_EQ(fair.state.ReportClusterQueue("a").weighted_share, 334);
  EXPECT_EQ(fair.state.CohortWeightedShare("c"), 0);
}

// §4.4 (2): a parked workload whose spec changes is tried again.
TEST_F(StateTest, ChangedSpecLeavesTheParkedList) {
  Add(5);
  cluster_.Submit("w", "q", 9);
  cluster_.state.CarryOutAllRetries(cluster_.now);
  cluster_.Cycle();
  api::Workload workload = *cluster_.workloads.at("w");
  cluster_.Tell(workload);
  EXPECT_EQ(cluster_.state.Inadmissible("q"), (Lines{"ns/w"}));
  workload.metadata.generation = 2;
  workload.spec.pod_sets[0].pod_template.spec.containers[0].resources.requests["cpu"] =
      resources::Quantity::FromUnits(5);
  cluster_.Tell(workload);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), (Lines{"ns/w"}));
}

// §5.2 (2): parked for a check that said no, with nothing else in the way.
TEST_F(StateTest, ACheckThatRelentsWakesParkedWork) {
  Add(5);
  api::Workload workload = TestCluster::Make("w", "q", 5);
  workload.status.admission_checks.emplace_back();
  workload.status.admission_checks[0].name = "c";
  workload.status.admission_checks[0].state = "Retry";
  cluster_.Submit(workload);
  cluster_.state.CarryOutAllRetries(cluster_.now);
  cluster_.Cycle();
  workload = *cluster_.workloads.at("w");
  workload.status.admission_checks[0].message = "still not";
  cluster_.Tell(workload);
  ASSERT_EQ(cluster_.state.Inadmissible("q"), (Lines{"ns/w"}));
  workload.status.admission_checks[0].state = "Ready";
  cluster_.Tell(workload);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), (Lines{"ns/w"}));
}

TEST_F(StateTest, WorkloadCreatedAnewUnderItsNameIsAnother) {
  Add(5);
  cluster_.SubmitReserved("w", "q", 3);
  api::Workload again = TestCluster::Make("w", "q", 1);
  again.metadata.uid = "another";
  cluster_.Submit(again);
  EXPECT_EQ(UsedBy("q"), 0);
  EXPECT_EQ(cluster_.state.ActiveHeap("q"), (Lines{"ns/w"}));
}

// §4.1.
TEST_F(StateTest, GatedAndInactiveWorkDoesNotQueue) {
  Add(5);
  api::Workload gated = TestCluster::Make("gated", "q", 1);
  gated.metadata.annotations[api::names::kAdmissionGatedBy] = "someone";
  cluster_.Submit(gated);
  api::Workload inactive = TestCluster::Make("inactive", "q", 1);
  inactive.spec.active = false;
  cluster_.Submit(inactive);
  EXPECT_FALSE(cluster_.state.HasHeads());
  gated.metadata.annotations.clear();
  cluster_.Tell(gated);
  EXPECT_EQ(cluster_.state.ActiveHeap("q"), (Lines{"ns/gated"}));
}

}  // namespace
}  // namespace kueue::scheduling
