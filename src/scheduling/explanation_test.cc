#include "scheduling/explanation.h"

#include <gtest/gtest.h>

#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using Lines = std::vector<std::string>;

TEST(ExplanationTest, SaysHowMuchQuotaIsMissing) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {5, {}, {}}));
  cluster.SubmitReserved("runs", "q", 4);
  cluster.Submit("waits", "q", 3);
  const Explanation why = Explain(cluster.state, "ns/waits", cluster.now);
  EXPECT_EQ(why.standing, Standing::kWaiting);
  // Within nominal quota, so preemption is considered, but there is nobody to preempt.
  EXPECT_EQ(why.mode, FlavorMode::kPreempt);
  ASSERT_EQ(why.least_change.size(), 1u);
  EXPECT_EQ(why.least_change[0].flavor, "default");
  EXPECT_EQ(why.least_change[0].resource, "cpu");
  EXPECT_EQ(why.least_change[0].amount, 2000);
}

// Asking leaves no trace in quota or usage.
TEST(ExplanationTest, ChangesNothing) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {5, {}, {}}, "c"));
  cluster.Add(MakeQueue("other", {5, {}, {}}, "c"));
  cluster.SubmitReserved("runs", "q", 8);
  cluster.Submit("waits", "q", 3);
  Explain(cluster.state, "ns/waits", cluster.now);
  EXPECT_TRUE(TestCluster::Reserved(cluster.Cycle()).empty());
  EXPECT_EQ(cluster.state.ReportClusterQueue("q").reserving, 1);
}

TEST(ExplanationTest, NamesThoseAheadAndThoseWhoWouldGo) {
  TestCluster cluster;
  auto queue = MakeQueue("q", {5, {}, {}});
  queue->spec.preemption->within_cluster_queue = "LowerPriority";
  cluster.Add(queue);
  cluster.SubmitReserved("low", "q", 5, 0);
  cluster.Submit("first", "q", 1, 9);
  cluster.Submit("second", "q", 5, 5);
  const Explanation why = Explain(cluster.state, "ns/second", cluster.now);
  EXPECT_EQ(why.ahead, (Lines{"ns/first"}));
  EXPECT_EQ(why.mode, FlavorMode::kPreempt);
  EXPECT_EQ(why.victims, (Lines{"ns/low"}));
  EXPECT_EQ(why.least_change.at(0).amount, 5000);
}

TEST(ExplanationTest, NamesWhatIsNotAboutQuota) {
  TestCluster cluster;
  auto queue = MakeQueue("q", {5, {}, {}});
  queue->spec.stop_policy = "Hold";
  cluster.Add(queue);
  cluster.Submit("a", "q", 1);
  EXPECT_EQ(Explain(cluster.state, "ns/a", cluster.now).blockers.at(0).reason, "Suspended");
  cluster.Submit("b", "nowhere", 1);
  const Explanation lost = Explain(cluster.state, "ns/b", cluster.now);
  EXPECT_EQ(lost.standing, Standing::kHeld);
  EXPECT_EQ(lost.blockers.at(0).reason, "Misconfigured");
  EXPECT_EQ(Explain(cluster.state, "ns/none", cluster.now).standing, Standing::kUnknown);
}

}  // namespace
}  // namespace kueue::scheduling
