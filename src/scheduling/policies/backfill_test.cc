#include "scheduling/policies/backfill.h"

#include <gtest/gtest.h>

#include "api/match/policy_annotations.h"
#include "scheduling/explanation.h"
#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using Keys = std::vector<std::string>;

// Four cpus; "running" holds three of them for an hour.
class BackfillTest : public testing::Test {
 protected:
  explicit BackfillTest(const std::string& assumed = "1h") {
    auto queue = MakeQueue("cq", {4, {}, {}});
    if (!assumed.empty()) {
      queue->metadata.annotations = {{api::names::kBackfillRunTime, assumed}};
    }
    cluster_.Add(queue);
    Pass(base::seconds(2));  // what new queues ask for is done
    Submit("running", 3, 3600);
    cluster_.Cycle();
    Submit("head", 4, 3600);
    cluster_.Cycle();
  }
  void Submit(const std::string& name, int64_t cpu, int32_t limit = 0) {
    api::Workload workload = TestCluster::Make(name, "cq", cpu);
    if (limit > 0) workload.spec.maximum_execution_time_seconds = limit;
    cluster_.Submit(std::move(workload));
  }
  void Pass(base::Duration time) {
    cluster_.now += time;
    cluster_.state.CarryOutDueRetries(cluster_.now);
  }
  // By cycles until everybody was looked at.
  Keys AllReserved() {
    Keys all;
    while (cluster_.state.HasHeads()) {
      for (const std::string& key : TestCluster::Reserved(cluster_.Cycle())) all.push_back(key);
    }
    return all;
  }
  TestCluster cluster_;
};

TEST_F(BackfillTest, ShortWorkPassesTheHead) {
  Submit("short", 1, 600);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/short"});
}

TEST_F(BackfillTest, LongWorkMustNot) {
  Submit("long", 1, 7200);
  const Plan plan = cluster_.Cycle();
  EXPECT_TRUE(plan.reservations.empty());
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, "WaitingForQuota");
  EXPECT_NE(plan.requeues[0].message.find("held back for workload ns/head"), std::string::npos)
      << plan.requeues[0].message;
  ASSERT_EQ(plan.evaluated.size(), 1u);
  EXPECT_EQ(plan.evaluated[0].mode, FlavorMode::kFit);
  EXPECT_EQ(plan.evaluated[0].policies.size(), 1u);
}

// What does not say how long it runs is taken to run for the annotation's time.
TEST_F(BackfillTest, WorkWithoutALimitIsTakenToRunForAWhile) {
  Submit("unknown", 1);
  EXPECT_TRUE(cluster_.Cycle().reservations.empty());
}

// The head needs all four cpus; were it three, the fourth would be free for anybody.
TEST_F(BackfillTest, WhatTheHeadDoesNotNeedIsFree) {
  api::Workload head = TestCluster::Make("head", "cq", 3);
  head.metadata.generation = 2;
  head.metadata.creation_timestamp = cluster_.workloads.at("head")->metadata.creation_timestamp;
  cluster_.Tell(head);
  EXPECT_TRUE(cluster_.Cycle().reservations.empty());
  Submit("long", 1, 7200);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/long"});
}

// Once the head runs the others are looked at again without any event.
TEST_F(BackfillTest, TheHeldOnesGoOnAfterTheHead) {
  Submit("long", 1, 7200);
  cluster_.Cycle();
  cluster_.Finish("running");
  Pass(base::seconds(2));
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/head"});
  EXPECT_TRUE(cluster_.Cycle().reservations.empty());
  cluster_.Finish("head");
  Pass(base::seconds(2));
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/long"});
}

TEST_F(BackfillTest, AHeadThatCanNeverStartHoldsNobodyUp) {
  cluster_.state.DeleteWorkload("ns", "head", cluster_.now);
  api::Workload huge = TestCluster::Make("huge", "cq", 100, 1);
  cluster_.Submit(huge);
  cluster_.Cycle();
  Submit("long", 1, 7200);
  EXPECT_EQ(cluster_.state.PendingInOrder("cq"), (Keys{"ns/huge", "ns/long"}));
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/long"});
}

// Of work with a limit only what is left of it counts.
TEST_F(BackfillTest, TimePassesForRunningWork) {
  Submit("half", 1, 1800);
  Pass(base::minutes(40));
  EXPECT_EQ(AllReserved(), Keys());  // 20 minutes are left
  Submit("quarter", 1, 900);
  EXPECT_EQ(AllReserved(), Keys{"ns/quarter"});
}

TEST_F(BackfillTest, ExplainsBothSides) {
  Submit("long", 1, 7200);
  cluster_.Cycle();
  const Explanation head = Explain(cluster_.state, "ns/head", cluster_.now);
  ASSERT_EQ(head.policies.size(), 1u);
  EXPECT_NE(head.policies[0].find("it can start at "), std::string::npos) << head.policies[0];
  const Explanation other = Explain(cluster_.state, "ns/long", cluster_.now);
  ASSERT_EQ(other.policies.size(), 1u);
  EXPECT_NE(other.policies[0].find("ns/head"), std::string::npos) << other.policies[0];
}

class WithoutBackfillTest : public BackfillTest {
 protected:
  WithoutBackfillTest() : BackfillTest("") {}
};

TEST_F(WithoutBackfillTest, AnybodyPasses) {
  Submit("long", 1, 7200);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/long"});
}

}  // namespace
}  // namespace kueue::scheduling
