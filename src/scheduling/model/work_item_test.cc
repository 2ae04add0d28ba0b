#include "scheduling/model/work_item.h"

#include <gtest/gtest.h>

#include "scheduling/test_cluster.h"
#include "scheduling/world.h"

namespace kueue::scheduling {
namespace {

class WorkItemTest : public ::testing::Test {
 protected:
  void Read(api::Workload object) {
    item_.object = std::make_shared<const api::Workload>(std::move(object));
    item_.demand = ReadDemand(item_.object, config_, surroundings_, catalog_);
    ReadStatus(item_, config_);
  }
  int64_t PerPod(const std::string& resource) {
    return AmountOf(item_.demand->pod_sets[0].per_pod, catalog_.Resource(resource));
  }

  Config config_;
  Surroundings surroundings_;
  Catalog catalog_;
  QuotaTree tree_{catalog_};
  WorkItem item_;
};

// §1.7: plain prefixes.
TEST_F(WorkItemTest, ExcludedPrefixesDoNotCount) {
  config_.exclude_resource_prefixes = {"example.com/"};
  api::Workload object = TestCluster::Make("w", "q", 1);
  auto& requests = object.spec.pod_sets[0].pod_template.spec.containers[0].resources.requests;
  requests["example.com/gpu"] = resources::Quantity::FromUnits(2);
  Read(object);
  EXPECT_EQ(PerPod("example.com/gpu"), 0);
  EXPECT_EQ(PerPod("cpu"), 1000);
}

// §1.5 (3).
TEST_F(WorkItemTest, LimitStandsInForAMissingRequest) {
  api::Workload object = TestCluster::Make("w", "q", 1);
  auto& needs = object.spec.pod_sets[0].pod_template.spec.containers[0].resources;
  needs.limits["memory"] = resources::Quantity::FromUnits(5);
  Read(object);
  EXPECT_EQ(PerPod("memory"), 5);
}

// §1.3.
TEST_F(WorkItemTest, RequestsStandInHashOrder) {
  api::Workload object = TestCluster::Make("w", "q", 1);
  auto& requests = object.spec.pod_sets[0].pod_template.spec.containers[0].resources.requests;
  requests["memory"] = requests["ephemeral-storage"] = resources::Quantity::FromUnits(1);
  Read(object);
  std::vector<std::string> names;
  for (const ResourceAmount& entry : item_.demand->pod_sets[0].per_pod) {
    names.push_back(catalog_.Name(entry.resource));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"ephemeral-storage", "memory", "cpu"}));
}

// §1.10: integer division first; more pods left than assigned change nothing.
TEST_F(WorkItemTest, ReclaimedPodsLowerWhatIsHeld) {
  ClusterQueue queue;
  queue.name = "q";
  Node* node = tree_.SetQueue(nullptr, "q", &queue, {}, "", 1);
  api::Workload object = TestCluster::Make("w", "q", 1, 0, 4);
  api::PodSetAssignment held;
  held.name = "main";
  held.count = 4;
  held.flavors["cpu"] = "default";
  held.resource_usage["cpu"] = resources::Quantity::FromMilli(4003);
  object.status.admission.emplace().pod_set_assignments = {held};
  object.status.reclaimable_pods = {{"main", 3, {}}};
  Read(object);
  EXPECT_EQ(ReadUsage(item_, config_, node, tree_)[0].amount, 1000);
  config_.gates.reclaimable_pods = false;
  EXPECT_EQ(ReadUsage(item_, config_, node, tree_)[0].amount, 4003);
}

// §4.2.
TEST_F(WorkItemTest, BoostCountsOnlyWithItsGateAndIfItIsANumber) {
  api::Workload object = TestCluster::Make("w", "q", 1, 10);
  object.metadata.annotations[api::names::kPriorityBoost] = "-3";
  Read(object);
  EXPECT_EQ(item_.priority, 10);
  config_.gates.priority_boost = true;
  Read(object);
  EXPECT_EQ(item_.priority, 7);
  object.metadata.annotations[api::names::kPriorityBoost] = "much";
  Read(object);
  EXPECT_EQ(item_.priority, 10);
}

// §4.2: preemption does not move a workload back, an admission check's eviction does.
TEST_F(WorkItemTest, OrderTimeMovesOnlyForSomeEvictions) {
  const base::Time created(base::hours(1)), evicted(base::hours(2));
  api::Workload object = TestCluster::Make("w", "q", 1);
  object.metadata.creation_timestamp = created;
  object.status.conditions = {
      {api::names::kEvicted, api::ConditionStatus::kTrue, 0, evicted, "Preempted", "", {}}};
  Read(object);
  EXPECT_EQ(item_.order_time, created);
  object.status.conditions[0].reason = "AdmissionCheck";
  Read(object);
  EXPECT_EQ(item_.order_time, evicted);
  object.status.conditions[0].reason = "PodsReadyTimeout";
  config_.requeue_by_creation = true;
  Read(object);
  EXPECT_EQ(item_.order_time, created);
}

// §4.2 (3).
TEST_F(WorkItemTest, WithoutPrioritySortingReclaimWhileBorrowingAddsAMillisecond) {
  config_.gates.priority_sorting_within_cohort = false;
  const base::Time since(base::hours(2));
  api::Workload object = TestCluster::Make("w", "q", 1);
  object.status.conditions = {{api::names::kPreempted, api::ConditionStatus::kTrue, 0, since,
                               "InCohortReclaimWhileBorrowing", "", {}}};
  Read(object);
  EXPECT_EQ(item_.order_time, since + base::milliseconds(1));
}

// §6.9.
TEST(ScanProgressTest, ResumesAfterTheLastFlavorAttempted) {
  ScanProgress progress;
  progress.tried = {{0, {7}, 1}};
  EXPECT_EQ(progress.NextIndex(0, {7}), 2u);
  EXPECT_EQ(progress.NextIndex(1, {7}), 0u);
  EXPECT_TRUE(progress.HasUntried());
  progress.tried[0].index = -1;
  EXPECT_EQ(progress.NextIndex(0, {7}), 0u);
  EXPECT_FALSE(progress.HasUntried());
}

}  // namespace
}  // namespace kueue::scheduling
