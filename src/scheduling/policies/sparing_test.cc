#include "scheduling/policies/sparing.h"

#include <gtest/gtest.h>

#include "api/match/policy_annotations.h"
#include "scheduling/explanation.h"
#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using Lines = std::vector<std::string>;

class SparingTest : public testing::Test {
 protected:
  void SetQueue(const api::StringMap& annotations, const char* within = "LowerPriority") {
    auto queue = MakeQueue("cq", {1, {}, {}});
    queue->spec.preemption->within_cluster_queue = within;
    queue->metadata.annotations = annotations;
    cluster_.Add(queue);
    Pass(base::seconds(2));  // what new queues ask for is done
  }
  void Pass(base::Duration time) {
    cluster_.now += time;
    cluster_.state.CarryOutDueRetries(cluster_.now);
  }
  // Preempted so often before.
  void SubmitPreempted(const std::string& name, int32_t priority, int32_t times) {
    api::Workload workload = TestCluster::Make(name, "cq", 1, priority);
    workload.status.scheduling_stats.emplace().evictions = {{"Preempted", "", times, {}}};
    cluster_.Submit(std::move(workload));
  }
  TestCluster cluster_;
};

TEST_F(SparingTest, RunningWorkIsLeftAloneForItsMinimum) {
  SetQueue({{api::names::kMinimumRunTime, "30m"}});
  cluster_.Submit("low", "cq", 1, 0);
  cluster_.Cycle();
  cluster_.Submit("high", "cq", 1, 10);
  const Plan plan = cluster_.Cycle();
  EXPECT_TRUE(plan.evictions.empty());
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_NE(plan.requeues[0].message.find("workload ns/low may run undisturbed until "),
            std::string::npos)
      << plan.requeues[0].message;
  ASSERT_EQ(plan.evaluated.size(), 1u);
  EXPECT_EQ(plan.evaluated[0].policies.size(), 1u);

  // When that is over, it is tried again without any other event.
  const auto due = cluster_.state.NextDue();
  ASSERT_TRUE(due);
  EXPECT_GT(*due, cluster_.now + base::minutes(29));
  EXPECT_LE(*due, cluster_.now + base::minutes(30));
  Pass(base::minutes(29));
  EXPECT_TRUE(TestCluster::Evicted(cluster_.Cycle()).empty());
  Pass(base::minutes(1));
  EXPECT_EQ(TestCluster::Evicted(cluster_.Cycle()), Lines{"ns/low InClusterQueue"});
}

TEST_F(SparingTest, WithoutTheAnnotationItGoesAtOnce) {
  SetQueue({});
  cluster_.Submit("low", "cq", 1, 0);
  cluster_.Cycle();
  cluster_.Submit("high", "cq", 1, 10);
  EXPECT_EQ(TestCluster::Evicted(cluster_.Cycle()), Lines{"ns/low InClusterQueue"});
}

// The victim's queue guarantees it, also against those that reclaim their quota.
TEST_F(SparingTest, AlsoAgainstOtherQueues) {
  auto lender = MakeQueue("lender", {1, {}, {}}, "co");
  lender->spec.preemption->reclaim_within_cohort = "Any";
  cluster_.Add(lender);
  auto borrower = MakeQueue("borrower", {0, {}, {}}, "co");
  borrower->metadata.annotations = {{api::names::kMinimumRunTime, "10m"}};
  cluster_.Add(borrower);
  cluster_.Submit("guest", "borrower", 1);
  ASSERT_EQ(TestCluster::Reserved(cluster_.Cycle()), Lines{"ns/guest"});
  cluster_.Submit("owner", "lender", 1);
  EXPECT_TRUE(TestCluster::Evicted(cluster_.Cycle()).empty());
  Pass(base::minutes(10));
  EXPECT_EQ(TestCluster::Evicted(cluster_.Cycle()), Lines{"ns/guest InCohortReclamation"});
}

TEST_F(SparingTest, SomebodyElseIsTakenInstead) {
  SetQueue({{api::names::kMinimumRunTime, "30m"}});
  auto queue = MakeQueue("cq", {2, {}, {}});
  queue->spec.preemption->within_cluster_queue = "LowerPriority";
  queue->metadata.annotations = {{api::names::kMinimumRunTime, "30m"}};
  cluster_.Add(queue);
  cluster_.Submit("older", "cq", 1, 1);
  cluster_.Cycle();
  Pass(base::hours(1));
  cluster_.Submit("younger", "cq", 1, 0);  // would go first
  cluster_.Cycle();
  cluster_.Submit("high", "cq", 1, 10);
  EXPECT_EQ(TestCluster::Evicted(cluster_.Cycle()), Lines{"ns/older InClusterQueue"});
}

// The more often, the longer: 5, 10, 20 minutes.
TEST_F(SparingTest, DampingDoublesWithEveryPreemption) {
  const std::pair<int32_t, int> rows[] = {{0, 0}, {1, 5}, {2, 10}, {3, 20}};
  for (const auto& [times, minutes] : rows) {
    TestCluster cluster;
    auto queue = MakeQueue("cq", {1, {}, {}});
    queue->spec.preemption->within_cluster_queue = "LowerOrNewerEqualPriority";
    queue->metadata.annotations = {{api::names::kPreemptionDamping, "5m"}};
    cluster.Add(queue);
    cluster.now += base::seconds(2);
    cluster.state.CarryOutDueRetries(cluster.now);
    api::Workload older = TestCluster::Make("older", "cq", 1);
    older.metadata.creation_timestamp = cluster.now - base::hours(2);
    api::Workload newer = TestCluster::Make("newer", "cq", 1);
    newer.metadata.creation_timestamp = cluster.now - base::hours(1);
    newer.status.scheduling_stats.emplace().evictions = {{"Preempted", "", times, {}},
                                                         {"PodsReadyTimeout", "", 9, {}}};
    cluster.Tell(newer);
    ASSERT_EQ(TestCluster::Reserved(cluster.Cycle()), Lines{"ns/newer"});
    const base::Time since = cluster.now - base::seconds(1);
    cluster.Tell(older);
    if (minutes > 0) {
      EXPECT_TRUE(TestCluster::Evicted(cluster.Cycle()).empty()) << times;
      EXPECT_EQ(cluster.state.NextDue(), since + base::minutes(minutes)) << times;
      cluster.now = since + base::minutes(minutes);
      cluster.state.CarryOutDueRetries(cluster.now);
    }
    EXPECT_EQ(TestCluster::Evicted(cluster.Cycle()), Lines{"ns/newer InClusterQueue"}) << times;
  }
}

TEST_F(SparingTest, DampingDoesNotHoldUpMoreImportantWork) {
  SetQueue({{api::names::kPreemptionDamping, "1h"}});
  SubmitPreempted("low", 0, 5);
  cluster_.Cycle();
  cluster_.Submit("high", "cq", 1, 10);
  EXPECT_EQ(TestCluster::Evicted(cluster_.Cycle()), Lines{"ns/low InClusterQueue"});
}

// Whoever leaves already may be counted on, and work that has not started is no run.
TEST_F(SparingTest, OnlyWorkThatRunsIsSpared) {
  SetQueue({{api::names::kMinimumRunTime, "30m"}});
  api::Workload reserved = TestCluster::Make("low", "cq", 1);
  api::Admission& admission = reserved.status.admission.emplace();
  admission.cluster_queue = "cq";
  api::PodSetAssignment& pods = admission.pod_set_assignments.emplace_back();
  pods.name = "main";
  pods.count = 1;
  pods.flavors["cpu"] = "default";
  pods.resource_usage["cpu"] = resources::Quantity::FromUnits(1);
  cluster_.SetCondition(reserved, api::names::kQuotaReserved, true, "QuotaReserved");
  cluster_.Submit(reserved);
  cluster_.Submit("high", "cq", 1, 10);
  EXPECT_EQ(TestCluster::Evicted(cluster_.Cycle()), Lines{"ns/low InClusterQueue"});
}

TEST_F(SparingTest, ExplainsWhomItWaitsFor) {
  SetQueue({{api::names::kMinimumRunTime, "30m"}});
  cluster_.Submit("low", "cq", 1, 0);
  cluster_.Cycle();
  cluster_.Submit("high", "cq", 1, 10);
  const Explanation explanation = Explain(cluster_.state, "ns/high", cluster_.now);
  ASSERT_EQ(explanation.policies.size(), 1u);
  EXPECT_NE(explanation.policies[0].find("ns/low"), std::string::npos);
}

}  // namespace
}  // namespace kueue::scheduling
