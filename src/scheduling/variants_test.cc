#include <gtest/gtest.h>

#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using Lines = std::vector<std::string>;

// spec/scheduling.md §10: flavors a, b, c of one cpu each, best first.
class VariantsTest : public ::testing::Test {
 protected:
  static Config WithVariants() {
    Config config;
    config.gates.concurrent_admission = true;
    return config;
  }
  explicit VariantsTest(Config config = WithVariants()) : cluster_(std::move(config)) {
    for (const char* name : {"a", "b", "c"}) cluster_.AddFlavor(name);
    AddQueue("");
  }
  void AddQueue(const std::string& last_acceptable, const std::string& within = "Never") {
    auto queue = MakeQueue("q", {});
    queue->spec.resource_groups = {
        CpuGroup({{"a", {1, {}, {}}}, {"b", {1, {}, {}}}, {"c", {1, {}, {}}}})};
    queue->spec.preemption->within_cluster_queue = within;
    auto& migration = queue->spec.concurrent_admission_policy.emplace().migration;
    if (!last_acceptable.empty()) {
      migration.constraints.emplace().last_acceptable_flavor_name = last_acceptable;
    }
    cluster_.Add(queue);
  }
  static api::Workload Variant(const std::string& name, const std::string& flavor,
                               int32_t priority = 0) {
    api::Workload object = TestCluster::Make(name, "q", 1, priority);
    object.metadata.annotations[api::names::kAllowedResourceFlavors] = flavor;
    api::OwnerReference& owner = object.metadata.owner_references.emplace_back();
    owner.api_version = "kueue.x-k8s.io/v1beta2";
    owner.kind = "Workload";
    owner.name = "family";
    owner.uid = "uid-family";
    return object;
  }
  void SubmitAdmitted(const std::string& name, const std::string& flavor) {
    api::Workload object = Variant(name, flavor);
    api::Admission& admission = object.status.admission.emplace();
    admission.cluster_queue = "q";
    api::PodSetAssignment& pods = admission.pod_set_assignments.emplace_back();
    pods.name = "main";
    pods.count = 1;
    pods.flavors["cpu"] = flavor;
    pods.resource_usage["cpu"] = resources::Quantity::FromUnits(1);
    cluster_.SetCondition(object, api::names::kQuotaReserved, true, "QuotaReserved");
    cluster_.SetCondition(object, api::names::kAdmitted, true, "Admitted");
    cluster_.Submit(std::move(object));
  }
  static std::string FlavorOf(const Plan& plan) {
    return plan.reservations.at(0).admission.pod_set_assignments.at(0).flavors.at("cpu");
  }
  TestCluster cluster_;
};

TEST_F(VariantsTest, OnlyVariantsAreQueued) {
  cluster_.Submit("plain", "q", 1);
  api::Workload parent = TestCluster::Make("family", "q", 1);
  parent.metadata.labels[api::names::kConcurrentAdmissionParent] = "true";
  cluster_.Submit(parent);
  cluster_.Submit(Variant("v", "b"));
  EXPECT_EQ(cluster_.state.PendingInOrder("q"), (Lines{"ns/v"}));
}

TEST_F(VariantsTest, ParentsAreNotCounted) {
  api::Workload parent = TestCluster::Make("family", "q", 1);
  parent.metadata.labels[api::names::kConcurrentAdmissionParent] = "true";
  parent.status.admission.emplace().cluster_queue = "q";
  cluster_.SetCondition(parent, api::names::kQuotaReserved, true, "QuotaReserved");
  cluster_.Submit(parent);
  EXPECT_EQ(cluster_.state.ReportClusterQueue("q").reserving, 0);
}

// §6.4 (2).
TEST_F(VariantsTest, UsesAllowedFlavorsOnly) {
  cluster_.Submit(Variant("v", "b , c"));
  EXPECT_EQ(FlavorOf(cluster_.Cycle()), "b");
}

TEST_F(VariantsTest, GateOffMakesTheAnnotationAndTheLabelNothing) {
  TestCluster plain;
  plain.Add(MakeQueue("q", {1, {}, {}}));
  api::Workload object = Variant("v", "elsewhere");
  object.metadata.labels[api::names::kConcurrentAdmissionParent] = "true";
  plain.Submit(object);
  EXPECT_EQ(TestCluster::Reserved(plain.Cycle()), (Lines{"ns/v"}));
}

// §5.6 A.
TEST_F(VariantsTest, SkippedWhileABetterSiblingIsAdmitted) {
  SubmitAdmitted("best", "a");
  cluster_.Submit(Variant("v", "b"));
  const Plan plan = cluster_.Cycle();
  EXPECT_EQ(TestCluster::Reserved(plan), Lines());
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].requeue_reason, "FailedAfterNomination");
  EXPECT_EQ(plan.requeues[0].condition_reason, "PendingEvaluation");
}

// §5.6 L.
TEST_F(VariantsTest, BetterVariantThatFitsSendsTheWorseAway) {
  SubmitAdmitted("worst", "c");
  cluster_.Submit(Variant("v", "b"));
  const Plan plan = cluster_.Cycle();
  EXPECT_EQ(TestCluster::Reserved(plan), Lines());
  ASSERT_EQ(plan.evictions.size(), 1u);
  EXPECT_EQ(plan.evictions[0].workload, "ns/worst");
  EXPECT_EQ(plan.evictions[0].evicted_reason, "FlavorMigration");
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].requeue_reason, "PendingMigration");
  EXPECT_EQ(plan.requeues[0].condition_reason, "WaitingForPreemptedWorkloads");
  cluster_.Stop("worst");
  const Plan next = cluster_.Cycle();
  EXPECT_EQ(FlavorOf(next), "b");
}

TEST_F(VariantsTest, MigrationEndsAtTheLastAcceptableFlavor) {
  AddQueue("a");
  SubmitAdmitted("worst", "c");
  cluster_.Submit(Variant("v", "b"));
  const Plan plan = cluster_.Cycle();
  EXPECT_TRUE(plan.evictions.empty());
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].requeue_reason, "");
  EXPECT_EQ(plan.requeues[0].condition_reason, "PendingEvaluation");
}

// §5.6 E: a gate without a status is closed.
TEST_F(VariantsTest, ClosedGateHoldsPreemptionBack) {
  AddQueue("", "LowerPriority");
  SubmitAdmitted("low", "a");
  api::Workload other = Variant("v", "a", 5);
  other.metadata.owner_references[0].uid = "uid-other";
  other.spec.preemption_gates.emplace_back().name = "kueue.x-k8s.io/concurrent-admission";
  cluster_.Submit(other);
  const Plan plan = cluster_.Cycle();
  EXPECT_TRUE(plan.evictions.empty());
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].requeue_reason, "PreemptionGated");
  EXPECT_EQ(plan.requeues[0].condition_reason, "AdmissionGated");
  other = *cluster_.workloads.at("v");
  api::PreemptionGateState& gate = other.status.preemption_gates.emplace_back();
  gate.name = "kueue.x-k8s.io/concurrent-admission";
  gate.position = "Open";
  cluster_.Tell(other);
  EXPECT_EQ(TestCluster::Evicted(cluster_.Cycle()), (Lines{"ns/low InClusterQueue"}));
}

}  // namespace
}  // namespace kueue::scheduling
