#include <gtest/gtest.h>

#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using Lines = std::vector<std::string>;
using resources::Quantity;

// Gates of spec/scheduling.md §0, each seen on and off.
class GatesTest : public ::testing::TestWithParam<bool> {
 protected:
  bool on() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(OffAndOn, GatesTest, ::testing::Bool());

TEST_P(GatesTest, AdmissionGatedByKeepsWorkOut) {
  Config config;
  config.gates.admission_gated_by = on();
  TestCluster cluster(config);
  cluster.Add(MakeQueue("q", {1, {}, {}}));
  api::Workload object = TestCluster::Make("w", "q", 1);
  object.metadata.annotations[api::names::kAdmissionGatedBy] = "example.com/gate";
  cluster.Submit(object);
  EXPECT_EQ(cluster.state.PendingInOrder("q"), on() ? Lines() : Lines{"ns/w"});
}

TEST_P(GatesTest, UnadmittedWorkloadsObservabilityNamesReasons) {
  Config config;
  config.gates.unadmitted_workloads_observability = on();
  TestCluster cluster(config);
  cluster.Add(MakeQueue("q", {1, {}, {}}));
  cluster.Submit("w", "q", 2);
  const Plan plan = cluster.Cycle();
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, on() ? "ExceedsMaxQuota" : "Pending");
}

TEST_P(GatesTest, QuotaCheckStrategyIsHonoured) {
  Config config;
  config.gates.quota_check_strategy = on();
  config.ignore_undeclared_resources = true;
  TestCluster cluster(config);
  cluster.Add(MakeQueue("q", {1, {}, {}}));
  api::Workload object = TestCluster::Make("w", "q", 1);
  object.spec.pod_sets[0].pod_template.spec.containers[0].resources.requests["memory"] =
      Quantity::FromUnits(1);
  cluster.Submit(object);
  EXPECT_EQ(TestCluster::Reserved(cluster.Cycle()), on() ? Lines{"ns/w"} : Lines());
}

// §11: with slices only the growth has to fit.
TEST_P(GatesTest, ElasticJobsViaWorkloadSlicesCountTheGrowth) {
  Config config;
  config.gates.elastic_jobs_via_workload_slices = on();
  TestCluster cluster(config);
  cluster.Add(MakeQueue("q", {3, {}, {}}));
  cluster.SubmitReserved("old", "q", 2);
  api::Workload object = TestCluster::Make("new", "q", 3);
  object.metadata.annotations[api::names::kWorkloadSliceReplacementFor] = "ns/old";
  cluster.Submit(object);
  const Plan plan = cluster.Cycle();
  EXPECT_EQ(TestCluster::Reserved(plan), on() ? Lines{"ns/new"} : Lines());
  EXPECT_EQ(plan.finished_slices, on() ? Lines{"ns/old"} : Lines());
}

TEST_P(GatesTest, MultiKueueOrchestratedPreemptionHonoursGates) {
  Config config;
  config.gates.multikueue_orchestrated_preemption = on();
  TestCluster cluster(config);
  auto queue = MakeQueue("q", {1, {}, {}});
  queue->spec.preemption->within_cluster_queue = "LowerPriority";
  cluster.Add(queue);
  cluster.SubmitReserved("low", "q", 1);
  api::Workload object = TestCluster::Make("high", "q", 1, 5);
  object.spec.preemption_gates.emplace_back().name = "kueue.x-k8s.io/multikueue";
  cluster.Submit(object);
  EXPECT_EQ(TestCluster::Evicted(cluster.Cycle()), on() ? Lines() : Lines{"ns/low InClusterQueue"});
}

// §9: the past of a LocalQueue comes before the age of its work.
TEST_P(GatesTest, AdmissionFairSharingOrdersByPastUse) {
  Config config;
  config.gates.admission_fair_sharing = on();
  config.admission_fair_sharing.emplace().half_life = base::hours(1);
  TestCluster cluster(config);
  auto queue = MakeQueue("q", {1, {}, {}});
  queue->spec.admission_scope.emplace().admission_mode = "UsageBasedAdmissionFairSharing";
  cluster.Add(queue);
  cluster.AddLocalQueue("other", "q");
  cluster.Submit("a", "q", 1);
  ASSERT_EQ(TestCluster::Reserved(cluster.Cycle()), (Lines{"ns/a"}));
  cluster.Finish("a");
  cluster.Submit("b", "q", 1);
  cluster.Submit("c", "other", 1);
  EXPECT_EQ(TestCluster::Reserved(cluster.Cycle()), on() ? Lines{"ns/c"} : Lines{"ns/b"});
}

}  // namespace
}  // namespace kueue::scheduling
