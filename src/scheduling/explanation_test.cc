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

// One flavor alone would not help: a flavor of each resource group is named.
TEST(ExplanationTest, SaysWhatIsMissingInSeveralGroups) {
  TestCluster cluster;
  cluster.AddFlavor("small");
  cluster.AddFlavor("large");
  auto queue = MakeQueue("q", {5, {}, {}});
  api::ResourceGroup memory = CpuGroup({{"small", {1, {}, {}}}, {"large", {4, {}, {}}}});
  memory.covered_resources = {"memory"};
  for (api::FlavorQuotas& flavor : memory.flavors) flavor.resources[0].name = "memory";
  queue->spec.resource_groups.push_back(memory);
  cluster.Add(queue);
  api::Workload workload = TestCluster::Make("waits", "q", 8);
  workload.spec.pod_sets[0].pod_template.spec.containers[0].resources.requests["memory"] =
      resources::Quantity::FromUnits(6);
  cluster.Submit(workload);
  const Explanation why = Explain(cluster.state, "ns/waits", cluster.now);
  ASSERT_EQ(why.least_change.size(), 2u);
  EXPECT_EQ(why.least_change[0].flavor, "default");
  EXPECT_EQ(why.least_change[0].amount, 3000);
  EXPECT_EQ(why.least_change[1].flavor, "large");
  EXPECT_EQ(why.least_change[1].resource, "memory");
  EXPECT_EQ(why.least_change[1].amount, 2);
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
