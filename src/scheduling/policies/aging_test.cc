#include "scheduling/policies/aging.h"

#include <gtest/gtest.h>

#include "api/match/policy_annotations.h"
#include "scheduling/explanation.h"
#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using Keys = std::vector<std::string>;

TEST(AgingRule, EverybodyAgesAtTheSameInstants) {
  const AgingRule rule{base::minutes(10), 5};
  const auto at = [](int minutes) { return base::Time(base::minutes(minutes)); };
  const auto age = [&](int since, int now) { return rule.AgeAt(rule.TickAt(at(now)), at(since)); };
  EXPECT_EQ(age(9, 9), 0);
  EXPECT_EQ(age(9, 10), 1);
  EXPECT_EQ(age(0, 9), 0);
  EXPECT_EQ(age(0, 59), 5);
  EXPECT_EQ(age(0, 60), 5);  // the limit
  EXPECT_EQ(age(30, 20), 0);
  EXPECT_EQ(rule.TickAt(at(-1)), -1);
  EXPECT_EQ(rule.TimeOf(rule.TickAt(at(25))), at(20));
}

TEST(AgingRule, WaitingBeginsAnewWithAnEviction) {
  api::Workload workload;
  EXPECT_FALSE(WaitsSince(workload));
  workload.metadata.creation_timestamp = base::Time(base::minutes(1));
  EXPECT_EQ(WaitsSince(workload), base::Time(base::minutes(1)));
  api::Condition evicted;
  evicted.type = api::names::kEvicted;
  evicted.status = api::ConditionStatus::kTrue;
  evicted.last_transition_time = base::Time(base::minutes(5));
  workload.status.conditions = {evicted};
  EXPECT_EQ(WaitsSince(workload), base::Time(base::minutes(5)));
}

class AgingTest : public testing::Test {
 protected:
  // Room for one; a second of waiting is never an interval.
  AgingTest() { SetQueue("10m", "100"); }
  void SetQueue(const std::string& interval, const std::string& limit, bool strict = false) {
    auto queue = MakeQueue("cq", {1, {}, {}});
    if (strict) queue->spec.queueing_strategy = "StrictFIFO";
    if (!interval.empty()) {
      queue->metadata.annotations = {{api::names::kPriorityAgingInterval, interval},
                                     {api::names::kPriorityAgingLimit, limit}};
    }
    cluster_.Add(queue);
  }
  void Submit(const std::string& name, int32_t priority, int64_t cpu = 1) {
    api::Workload workload = TestCluster::Make(name, "cq", cpu, priority);
    workload.metadata.creation_timestamp = cluster_.now;
    cluster_.Tell(std::move(workload));
  }
  void Pass(base::Duration time) {
    cluster_.now += time;
    cluster_.state.CarryOutDueRetries(cluster_.now);
  }
  TestCluster cluster_;
};

TEST_F(AgingTest, WhoWaitsLongOvertakesWhoIsMoreImportant) {
  Submit("low", 0);
  Pass(base::minutes(31));
  Submit("high", 2);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/low"});
}

TEST_F(AgingTest, WithoutTheAnnotationTimeMakesNoDifference) {
  SetQueue("", "");
  Submit("low", 0);
  Pass(base::minutes(31));
  Submit("high", 2);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/high"});
}

TEST_F(AgingTest, TheLimitIsNotPassed) {
  SetQueue("10m", "1");
  Submit("low", 0);
  Pass(base::hours(10));
  Submit("high", 2);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/high"});
}

TEST_F(AgingTest, WorkAgesWhileItWaitsInTheQueue) {
  Submit("low", 0);
  Submit("mid", 1);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/mid"});
  cluster_.Cycle();  // "low" does not fit, and is parked
  Pass(base::minutes(40));
  Submit("high", 3);
  cluster_.Finish("mid");
  Pass(base::seconds(2));
  EXPECT_EQ(cluster_.state.PendingInOrder("cq"), (Keys{"ns/low", "ns/high"}));
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Keys{"ns/low"});
}

// Only the order follows age: who is preempted does not.
TEST_F(AgingTest, AgeIsNoReasonToPreempt) {
  auto queue = MakeQueue("cq", {1, {}, {}});
  queue->spec.preemption->within_cluster_queue = "LowerPriority";
  queue->metadata.annotations = {{api::names::kPriorityAgingInterval, "10m"}};
  cluster_.Add(queue);
  Submit("running", 1);
  cluster_.Cycle();
  Submit("old", 0);
  Pass(base::hours(5));
  EXPECT_TRUE(TestCluster::Evicted(cluster_.Cycle()).empty());
}

// The head of a StrictFIFO queue blocks the others: when age changes who that is, nothing else
// tells.
TEST_F(AgingTest, AStrictQueueWakesWhenItsHeadMayChange) {
  SetQueue("10m", "2", true);
  Submit("big", 0, 5);
  Pass(base::minutes(30));  // as old as it gets
  Submit("small", 1);
  EXPECT_TRUE(cluster_.Cycle().reservations.empty());
  std::vector<std::string> all;
  for (int i = 0; i < 3; ++i) {
    const auto due = cluster_.state.NextDue();
    if (!due) break;
    EXPECT_LE(*due, cluster_.now + base::minutes(10));
    Pass(*due - cluster_.now);
    for (const std::string& key : TestCluster::Reserved(cluster_.Cycle())) all.push_back(key);
  }
  EXPECT_EQ(all, Keys{"ns/small"});
}

TEST_F(AgingTest, ExplainsWhatItCountsAs) {
  Submit("running", 5);
  cluster_.Cycle();
  Submit("old", 1);
  cluster_.Cycle();
  Pass(base::minutes(35));
  const Explanation explanation = Explain(cluster_.state, "ns/old", cluster_.now);
  ASSERT_EQ(explanation.policies.size(), 1u);
  EXPECT_NE(explanation.policies[0].find("counts as priority 4 "), std::string::npos)
      << explanation.policies[0];
}

}  // namespace
}  // namespace kueue::scheduling
