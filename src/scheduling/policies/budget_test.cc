#include "scheduling/policies/budget.h"

#include <gtest/gtest.h>

#include "scheduling/explanation.h"
#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using Keys = std::vector<std::string>;

// Periods of ten hours, two hours for the LocalQueue; the cluster's clock is at the beginning of
// one.
class BudgetTest : public testing::Test {
 protected:
  BudgetTest() {
    cluster_.now = PeriodAt({base::hours(2), base::hours(10)}, cluster_.now).begin;
    cluster_.Add(MakeQueue("cq", {100, {}, {}}));
    SetTeam(cluster_, "");
  }
  static void SetTeam(TestCluster& cluster, const std::string& deleted) {
    auto local = std::make_shared<api::LocalQueue>();
    local->metadata.name = "team";
    local->metadata.namespace_name = "ns";
    local->metadata.annotations = {{api::names::kWallTimeBudget, "2h"},
                                   {api::names::kWallTimePeriod, "10h"}};
    if (!deleted.empty()) local->metadata.annotations[api::names::kWallTimeDeleted] = deleted;
    local->spec.cluster_queue = "cq";
    cluster.state.SetLocalQueue(local, cluster.now);
  }
  void Submit(const std::string& name, int32_t limit = 0) {
    api::Workload workload = TestCluster::Make(name, "team", 1);
    if (limit > 0) workload.spec.maximum_execution_time_seconds = limit;
    cluster_.Submit(std::move(workload));
  }
  void Pass(base::Duration time) {
    cluster_.now += time;
    cluster_.state.CarryOutDueRetries(cluster_.now);
  }
  TestCluster cluster_;
};

TEST_F(BudgetTest, WhatRanCounts) {
  Submit("a");
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/a"});
  Pass(base::minutes(90));
  Submit("b");
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/b"});
  Pass(base::minutes(20));  // 110 and 20 minutes
  Submit("c");
  const Plan plan = cluster_.Cycle();
  EXPECT_TRUE(plan.reservations.empty());
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].requeue_reason, "WallTimeBudget");
  EXPECT_NE(plan.requeues[0].message.find("LocalQueue ns/team has 0s left of its 2h0m0s"),
            std::string::npos)
      << plan.requeues[0].message;
}

TEST_F(BudgetTest, OtherQueuesDoNotCare) {
  Submit("a");
  cluster_.Cycle();
  Pass(base::hours(3));
  Submit("b");
  cluster_.Submit("other", "cq", 1);
  cluster_.Cycle();
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/other"});
}

// A spent budget does not block a StrictFIFO queue for the other LocalQueues.
TEST_F(BudgetTest, NorOfAStrictQueue) {
  auto strict = MakeQueue("cq", {100, {}, {}});
  strict->spec.queueing_strategy = "StrictFIFO";
  cluster_.Add(strict);
  Submit("a");
  cluster_.Cycle();
  Pass(base::hours(3));
  Submit("b");
  cluster_.Submit("other", "cq", 1);
  Keys all = TestCluster::Reserved(cluster_.Cycle());
  for (const std::string& key : TestCluster::Reserved(cluster_.Cycle())) all.push_back(key);
  EXPECT_EQ(all, Keys{"ns/other"});
}

TEST_F(BudgetTest, ANewPeriodBringsANewBudget) {
  Submit("a");
  cluster_.Cycle();
  Pass(base::hours(3));
  cluster_.Finish("a");
  Pass(base::seconds(2));
  Submit("b");
  EXPECT_TRUE(cluster_.Cycle().reservations.empty());
  const auto due = cluster_.state.NextDue();
  ASSERT_TRUE(due);
  Pass(*due - cluster_.now);
  EXPECT_EQ(cluster_.now, PeriodAt({base::hours(2), base::hours(10)}, cluster_.now).begin);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/b"});
}

// What may still run is promised: three of 50 minutes do not fit into two hours.
TEST_F(BudgetTest, LimitsOfRunningWorkCount) {
  for (const char* name : {"a", "b", "c"}) Submit(name, 3000);
  Keys all;
  for (int i = 0; i < 4; ++i) {
    for (const std::string& key : TestCluster::Reserved(cluster_.Cycle())) all.push_back(key);
  }
  EXPECT_EQ(all, (Keys{"ns/a", "ns/b"}));
  // One ends early, and what it did not use is there for others.
  Pass(base::minutes(10));
  cluster_.Finish("a");
  Pass(base::seconds(2));
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/c"});
}

// Runs before an eviction count as well.
TEST_F(BudgetTest, EarlierRunsCount) {
  Pass(base::hours(3));
  api::Workload workload = TestCluster::Make("a", "team", 1);
  workload.metadata.creation_timestamp = cluster_.now - base::hours(3);
  workload.status.accumulated_past_execution_time_seconds = 7200;
  cluster_.Tell(workload);
  EXPECT_TRUE(cluster_.Cycle().reservations.empty());
}

// A run from the period before counts from the beginning of this one.
TEST_F(BudgetTest, OnlyThisPeriodCounts) {
  Submit("a");
  cluster_.Cycle();
  Pass(base::hours(11));
  Submit("b");
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/b"});
  Pass(base::minutes(31));
  Submit("c");  // 91 and 31 minutes
  EXPECT_TRUE(cluster_.Cycle().reservations.empty());
}

// To delete work does not give its time back, and a restart does not either.
TEST_F(BudgetTest, DeletedWorkCounts) {
  Submit("a");
  cluster_.Cycle();
  Pass(base::hours(3));
  cluster_.state.DeleteWorkload("ns", "a", cluster_.now);
  Pass(base::seconds(2));
  Submit("b");
  EXPECT_TRUE(cluster_.Cycle().reservations.empty());
  const auto kept = cluster_.state.DeletedRunsOf("ns", "team");
  ASSERT_TRUE(kept);
  EXPECT_NE(kept->find("Z 3h0m"), std::string::npos) << *kept;

  TestCluster again;
  again.now = cluster_.now;
  again.Add(MakeQueue("cq", {100, {}, {}}));
  SetTeam(again, *kept);
  again.Tell(*cluster_.workloads.at("b"));
  EXPECT_TRUE(again.Cycle().reservations.empty());
  again.now += base::hours(10);
  again.state.CarryOutDueRetries(again.now);
  EXPECT_EQ(TestCluster::Reserved(again.Cycle()), Keys{"ns/b"});
}

TEST_F(BudgetTest, ExplainsIt) {
  Submit("a");
  cluster_.Cycle();
  Pass(base::hours(3));
  Submit("b");
  const Explanation explanation = Explain(cluster_.state, "ns/b", cluster_.now);
  ASSERT_EQ(explanation.blockers.size(), 1u);
  EXPECT_EQ(explanation.blockers[0].reason, "WaitingForQuota");
  EXPECT_NE(explanation.blockers[0].message.find("wall time"), std::string::npos);
}

}  // namespace
}  // namespace kueue::scheduling
