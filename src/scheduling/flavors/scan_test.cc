#include <gtest/gtest.h>

#include "scheduling/test_cluster.h"

// How flavors are chosen (spec/scheduling.md §6), seen through whole cycles.
namespace kueue::scheduling {
namespace {

class ScanTest : public ::testing::Test {
 protected:
  std::shared_ptr<api::ClusterQueue> TwoFlavors(TestQuota first, TestQuota second,
                                                const std::string& cohort = "") {
    cluster_.AddFlavor("f0");
    cluster_.AddFlavor("f1");
    auto queue = MakeQueue("q", {}, cohort);
    queue->spec.resource_groups = {CpuGroup({{"f0", first}, {"f1", second}})};
    return queue;
  }
  static std::string FlavorOf(const Plan& plan) {
    if (plan.reservations.empty()) return "";
    return plan.reservations[0].admission.pod_set_assignments[0].flavors.at("cpu");
  }

  TestCluster cluster_;
};

TEST_F(ScanTest, TakesTheFirstFlavorThatFits) {
  cluster_.Add(TwoFlavors({2, {}, {}}, {9, {}, {}}));
  cluster_.Submit("small", "q", 2);
  EXPECT_EQ(FlavorOf(cluster_.Cycle()), "f0");
  cluster_.Submit("large", "q", 5);
  EXPECT_EQ(FlavorOf(cluster_.Cycle()), "f1");
}

// §6.7: whenCanBorrow TryNextFlavor goes on, and comes back to borrowing if nothing is better.
TEST_F(ScanTest, TryNextFlavorPrefersNotToBorrow) {
  auto queue = TwoFlavors({2, {}, {}}, {9, {}, {}}, "c");
  queue->spec.flavor_fungibility->when_can_borrow = "TryNextFlavor";
  cluster_.Add(queue);
  auto lender = MakeQueue("lender", {}, "c");
  lender->spec.resource_groups = {CpuGroup({{"f0", {20, {}, {}}}, {"f1", {20, {}, {}}}})};
  cluster_.Add(lender);
  cluster_.Submit("fits-f1", "q", 5);
  EXPECT_EQ(FlavorOf(cluster_.Cycle()), "f1");
  cluster_.Submit("borrows", "q", 10);
  EXPECT_EQ(FlavorOf(cluster_.Cycle()), "f0");  // equal levels: the earlier
}

// §1.11: a zero request for a resource nobody covers is no obstacle, another is.
TEST_F(ScanTest, UncoveredResource) {
  cluster_.Add(MakeQueue("q", {10, {}, {}}));
  api::Workload none = TestCluster::Make("none", "q", 1), some = TestCluster::Make("some", "q", 1);
  none.spec.pod_sets[0].pod_template.spec.containers[0].resources.requests["gpu"] = {};
  some.spec.pod_sets[0].pod_template.spec.containers[0].resources.requests["gpu"] =
      resources::Quantity::FromUnits(1);
  cluster_.Submit(none);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), (std::vector<std::string>{"ns/none"}));
  cluster_.Submit(some);
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, "NoMatchingFlavor");
}

// §6.12.
TEST_F(ScanTest, MoreThanTheQueueCanEverUseExceedsMaxQuota) {
  cluster_.Add(MakeQueue("q", {10, {}, {}}));
  cluster_.Submit("w", "q", 11);
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, "ExceedsMaxQuota");
  ASSERT_EQ(plan.evaluated.size(), 1u);
  const ResourceAttempt& attempt = plan.evaluated[0].attempts.at(0).resources.at(0);
  EXPECT_EQ(attempt.requested, 11000);
  EXPECT_EQ(attempt.potential, resources::Amount(10000));
}

// §6.12: flavors are alternatives, so the least severe of them counts.
TEST_F(ScanTest, LeastSevereFlavorNamesTheReason) {
  cluster_.Add(TwoFlavors({1, {}, {}}, {9, {}, {}}));
  cluster_.Submit("holder", "q", 8);
  cluster_.Cycle();
  cluster_.Submit("w", "q", 5);
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, "WaitingForQuota");
}

// §6.10: the answer is the largest count that this search finds.
TEST_F(ScanTest, PartialAdmissionReducesTheCount) {
  cluster_.Add(MakeQueue("q", {7, {}, {}}));
  api::Workload workload = TestCluster::Make("w", "q", 1, 0, 10);
  workload.spec.pod_sets[0].min_count = 4;
  cluster_.Submit(workload);
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(plan.reservations.size(), 1u);
  EXPECT_EQ(plan.reservations[0].admission.pod_set_assignments[0].count, 7);
}

// §1.8.
TEST_F(ScanTest, CoveredPodsAreCounted) {
  auto queue = MakeQueue("q", {10, {}, {}});
  api::ResourceGroup& group = queue->spec.resource_groups[0];
  group.covered_resources.push_back("pods");
  api::ResourceQuota& pods = group.flavors[0].resources.emplace_back();
  pods.name = "pods";
  pods.nominal_quota = resources::Quantity::FromUnits(3);
  cluster_.Add(queue);
  cluster_.Submit(TestCluster::Make("w", "q", 1, 0, 4));
  EXPECT_TRUE(cluster_.Cycle().reservations.empty());
  cluster_.Submit(TestCluster::Make("v", "q", 1, 1, 3));
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(plan.reservations.size(), 1u);
  EXPECT_EQ(plan.reservations[0].admission.pod_set_assignments[0].resource_usage.at("pods"),
            resources::Quantity::FromUnits(3));
}

}  // namespace
}  // namespace kueue::scheduling
