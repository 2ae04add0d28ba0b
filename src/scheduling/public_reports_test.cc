// Faults that users of other schedulers met, as small cases; each test begins with the id under
// which the project lists its kind.

#include "scheduling/public_reports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace kueue::scheduling {
namespace {

using Lines = std::vector<std::string>;
using resources::Quantity;

api::ResourceGroup Group(const std::map<std::string, int64_t>& quotas,
                         const std::string& flavor = "default") {
  api::ResourceGroup group;
  api::FlavorQuotas& entry = group.flavors.emplace_back();
  entry.name = flavor;
  for (const auto& [resource, units] : quotas) {
    group.covered_resources.push_back(resource);
    api::ResourceQuota& quota = entry.resources.emplace_back();
    quota.name = resource;
    quota.nominal_quota = Quantity::FromUnits(units);
  }
  return group;
}

api::Workload WithMemory(api::Workload workload, int64_t memory) {
  workload.spec.pod_sets[0].pod_template.spec.containers[0].resources.requests["memory"] =
      Quantity::FromUnits(memory);
  return workload;
}

// ---- quotas and cohorts

TEST(PublicReports, Q01UsageOfARemovedResourceStillCounts) {
  LivingCluster cluster;
  auto first = MakeQueue("q1", {}, "c");
  first->spec.resource_groups = {Group({{"cpu", 1}, {"memory", 1}})};
  auto second = MakeQueue("q2", {}, "c");
  second->spec.resource_groups = {Group({{"cpu", 2}, {"memory", 1}})};
  cluster.Add(first);
  cluster.Add(second);
  cluster.Submit(WithMemory(TestCluster::Make("w1", "q1", 2), 2));
  cluster.Run(1);
  ASSERT_TRUE(cluster.Holds("w1"));
  cluster.Submit(WithMemory(TestCluster::Make("w2", "q2", 1), 1));
  auto smaller = std::make_shared<api::ClusterQueue>(*first);
  smaller->spec.resource_groups = {Group({{"cpu", 1}})};
  cluster.Add(smaller);
  EXPECT_EQ(cluster.Run(3), Lines());
  EXPECT_TRUE(cluster.Holds("w1"));
  EXPECT_FALSE(cluster.Holds("w2"));
}

TEST(PublicReports, Q03QuotaOfADeletedChildCohortIsGone) {
  LivingCluster cluster;
  cluster.AddCohort("root");
  cluster.AddCohort("child", "root", {CpuGroup({{"default", {10, {}, {}}}})});
  cluster.Add(MakeQueue("q", {0, {}, {}}, "root"));
  cluster.state.DeleteCohort("child");
  cluster.Submit("w", "q", 5);
  cluster.Run(2);
  EXPECT_FALSE(cluster.Holds("w"));
}

TEST(PublicReports, Q03MovedCohortTakesItsQuotaAlong) {
  LivingCluster cluster;
  cluster.AddCohort("child", "root1", {CpuGroup({{"default", {10, {}, {}}}})});
  cluster.Add(MakeQueue("q1", {0, {}, {}}, "root1"));
  cluster.Add(MakeQueue("q2", {0, {}, {}}, "root2"));
  cluster.AddCohort("child", "root2", {CpuGroup({{"default", {10, {}, {}}}})});
  cluster.Submit("w1", "q1", 5);
  cluster.Submit("w2", "q2", 5);
  cluster.Run(2);
  EXPECT_FALSE(cluster.Holds("w1"));
  EXPECT_TRUE(cluster.Holds("w2"));
}

TEST(PublicReports, Q05WithinNominalComesBeforeOlderBorrower) {
  LivingCluster cluster;
  cluster.Add(MakeQueue("q1", {10, {}, {}}, "other"));
  cluster.Add(WithPreemption(MakeQueue("q2", {10, {}, {}}, "other"), "Never", "Any"));
  cluster.Add(MakeQueue("q3", {0, {}, {}}, "other"));
  cluster.SubmitReserved("aw1", "q1", 5);
  cluster.SubmitReserved("aw2", "q3", 5, 0);
  cluster.SubmitReserved("aw3", "q3", 5, 1);
  cluster.Submit("w1", "q1", 10);
  cluster.Submit("w2", "q2", 10);
  EXPECT_EQ(cluster.Run(1), (Lines{"ns/aw2 InCohortReclamation"}));
  EXPECT_FALSE(cluster.Holds("w1"));
}

TEST(PublicReports, H01QuotaOfACohortIsAdditive) {
  for (const bool own_quota : {true, false}) {
    LivingCluster cluster;
    cluster.AddCohort("team", "",
                      own_quota ? std::vector{Group({{"cpu", 4}, {"memory", 4}})}
                                : std::vector<api::ResourceGroup>());
    for (const char* name : {"a", "b"}) {
      auto queue = MakeQueue(name, {}, "team");
      queue->spec.resource_groups = {Group({{"cpu", 2}, {"memory", 2}})};
      cluster.Add(queue);
    }
    cluster.Submit(WithMemory(TestCluster::Make("a1", "a", 2), 2));
    cluster.Submit(WithMemory(TestCluster::Make("a2", "a", 2), 2));
    cluster.Run(3);
    cluster.Submit(WithMemory(TestCluster::Make("b1", "b", 4), 4));
    cluster.Run(3);
    EXPECT_EQ(cluster.Holds("b1"), own_quota);
  }
}

TEST(PublicReports, H03ImplicitCohortLendsInEveryState) {
  for (int state = 0; state < 3; ++state) {
    LivingCluster cluster;
    cluster.Add(MakeQueue("q1", {5, {}, {}}, "ghost"));
    cluster.Add(MakeQueue("q2", {0, {}, {}}, "ghost"));
    if (state >= 1) cluster.AddCohort("ghost", "root2");
    if (state == 2) cluster.state.DeleteCohort("ghost");
    cluster.Submit("w", "q2", 3);
    cluster.Run(1);
    EXPECT_TRUE(cluster.Holds("w")) << state;
  }
}

// ---- queues

TEST(PublicReports, Q07StickyHeadKeepsItsPlaceOnce) {
  LivingCluster cluster;
  cluster.Add(WithPreemption(MakeQueue("q1", {4, {}, {}}, "c"), "LowerPriority", "Any"));
  cluster.Add(MakeQueue("q2", {0, {}, {}}, "c"));
  cluster.Submit("j01", "q2", 3);
  cluster.Run(1);
  cluster.Submit("j03", "q1", 2, 0);
  cluster.state.CarryOutAllRetries(cluster.now);
  const Plan plan = cluster.Cycle();
  EXPECT_EQ(TestCluster::Evicted(plan), (Lines{"ns/j01 InCohortReclamation"}));
  cluster.Submit("j04", "q1", 4, 10);
  cluster.Stop("j01");
  // One more preemption is fine, an endless loop is not.
  const Lines evicted = cluster.Run(10);
  EXPECT_LE(evicted.size(), 2u);
  EXPECT_TRUE(cluster.Holds("j04"));
}

TEST(PublicReports, Q09PendingStrictHeadLetsOthersBorrowWhatItCanReclaim) {
  for (const std::string reclaim : {"Any", "LowerPriority", "Never"}) {
    LivingCluster cluster;
    auto guaranteed = WithPreemption(MakeQueue("guaranteed", {2, {}, {}}, "c"), "Never", reclaim);
    guaranteed->spec.queueing_strategy = "StrictFIFO";
    cluster.Add(guaranteed);
    cluster.Add(MakeQueue("best", {0, {}, {}}, "c"));
    cluster.SubmitReserved("g1", "guaranteed", 1);
    cluster.Submit("g2", "guaranteed", 2);
    cluster.Submit("be1", "best", 1);
    cluster.Run(2);
    EXPECT_EQ(cluster.Holds("be1"), reclaim == "Any") << reclaim;
  }
}

TEST(PublicReports, Q11EvictedWorkloadIsHeadOfItsStrictQueueAgain) {
  LivingCluster cluster;
  auto alpha = MakeQueue("alpha", {2, {}, {}}, "c");
  alpha->spec.queueing_strategy = "StrictFIFO";
  cluster.Add(alpha);
  cluster.Add(WithPreemption(MakeQueue("beta", {2, {}, {}}, "c"), "Never", "Any"));
  cluster.Submit("useAll", "alpha", 4, 10);
  cluster.Run(1);
  ASSERT_TRUE(cluster.Holds("useAll"));
  cluster.Submit("pend", "alpha", 1, 0);
  cluster.Submit("b", "beta", 2);
  EXPECT_EQ(cluster.Run(5), (Lines{"ns/useAll InCohortReclamation"}));
  EXPECT_TRUE(cluster.Holds("b"));
  EXPECT_FALSE(cluster.Holds("pend"));
  EXPECT_EQ(cluster.state.PendingInOrder("alpha"), (Lines{"ns/useAll", "ns/pend"}));
}

TEST(PublicReports, Q13ZeroOfAnUncoveredResourceDoesNotBlock) {
  for (const int64_t gpus : {0, 1}) {
    LivingCluster cluster;
    auto queue = MakeQueue("q", {});
    queue->spec.resource_groups = {Group({{"memory", 36}})};
    cluster.Add(queue);
    api::Workload workload = TestCluster::Make("w", "q", 0, 0, 3);
    auto& needs = workload.spec.pod_sets[0].pod_template.spec.containers[0].resources;
    needs.requests = {{"nvidia.com/gpu", Quantity::FromUnits(gpus)},
                      {"memory", Quantity::FromUnits(2)}};
    needs.limits = {{"nvidia.com/gpu", Quantity::FromUnits(gpus)}};
    cluster.Submit(std::move(workload));
    cluster.Run(1);
    EXPECT_EQ(cluster.Holds("w"), gpus == 0);
  }
}

TEST(PublicReports, Q15EditedFlavorWakesWhatItTurnedAway) {
  for (int edit = 0; edit < 3; ++edit) {
    LivingCluster cluster;
    auto flavor = std::make_shared<api::ResourceFlavor>();
    flavor->metadata.name = "default";
    flavor->spec.node_taints.push_back({"k", "v", "NoSchedule", {}, {}});
    if (edit == 2) {
      flavor->spec.node_taints.clear();
      flavor->spec.node_labels["zone"] = "a";
    }
    cluster.state.SetResourceFlavor(flavor, cluster.now);
    cluster.Add(MakeQueue("q", {5, {}, {}}));
    api::Workload workload = TestCluster::Make("w", "q", 1);
    if (edit == 2) workload.spec.pod_sets[0].pod_template.spec.node_selector["zone"] = "b";
    cluster.Submit(std::move(workload));
    cluster.Run(2);
    ASSERT_FALSE(cluster.Holds("w")) << edit;
    auto changed = std::make_shared<api::ResourceFlavor>(*flavor);
    if (edit == 0) changed->spec.node_taints.clear();
    if (edit == 1) changed->spec.tolerations.push_back({"k", "Exists", "", "", {}, {}});
    if (edit == 2) changed->spec.node_labels["zone"] = "b";
    cluster.state.SetResourceFlavor(changed, cluster.now);
    cluster.Run(1);
    EXPECT_TRUE(cluster.Holds("w")) << edit;
  }
}

TEST(PublicReports, Q17EqualTimesAreOrderedByUid) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {0, {}, {}}));
  Lines expected;
  for (int i = 0; i < 20; ++i) {
    api::Workload workload = TestCluster::Make("w" + std::to_string((i * 7) % 20), "q", 1);
    workload.metadata.creation_timestamp = cluster.now;
    workload.metadata.uid = "u" + std::to_string(10 + (i * 7) % 20);
    cluster.Tell(std::move(workload));
    expected.push_back("ns/w" + std::to_string(i));
  }
  EXPECT_EQ(cluster.state.PendingInOrder("q"), expected);
}

TEST(PublicReports, R01PartlyAdmittedWorkloadCountsWhatItRuns) {
  LivingCluster cluster;
  cluster.Add(MakeQueue("q", {9, {}, {}}));
  cluster.Submit(TestCluster::Make("a", "q", 1, 0, 3));
  cluster.Submit(TestCluster::Make("b", "q", 1, 0, 3));
  cluster.Run(2);
  api::Workload big = TestCluster::Make("big", "q", 1, 0, 9);
  big.spec.pod_sets[0].min_count = 1;
  cluster.Submit(std::move(big));
  cluster.Run(1);
  const auto used = [&] {
    return cluster.state.ReportClusterQueue("q").flavors_reservation[0].resources[0].total;
  };
  EXPECT_EQ(used().ToString(), "9");
  cluster.Finish("a");
  cluster.Finish("b");
  EXPECT_EQ(used().ToString(), "3");
  cluster.Submit(TestCluster::Make("c", "q", 1, 0, 3));
  cluster.Submit(TestCluster::Make("d", "q", 1, 0, 3));
  cluster.Run(2);
  EXPECT_TRUE(cluster.Holds("c") && cluster.Holds("d"));
}

// ---- flavors

TEST(PublicReports, V01PreemptStopsOnlyWhereSomebodyCanGo) {
  LivingCluster cluster;
  cluster.AddFlavor("f1");
  cluster.AddFlavor("f2");
  auto queue = WithPreemption(MakeQueue("q", {}), "LowerOrNewerEqualPriority", "Never");
  queue->spec.resource_groups = {CpuGroup({{"f1", {2, {}, {}}}, {"f2", {2, {}, {}}}})};
  queue->spec.flavor_fungibility->when_can_preempt = "MayStopSearch";
  cluster.Add(queue);
  for (const char* name : {"a", "b", "c"}) cluster.Submit(name, "q", 1);
  EXPECT_EQ(cluster.Run(4), Lines());
  EXPECT_EQ(cluster.FlavorOf("a"), "f1");
  EXPECT_EQ(cluster.FlavorOf("b"), "f1");
  EXPECT_EQ(cluster.FlavorOf("c"), "f2");
}

TEST(PublicReports, V03PreferenceDecidesBetweenPreemptingAndBorrowing) {
  for (const bool preempt : {true, false}) {
    Config config;
    config.fair_sharing.emplace();
    LivingCluster cluster(config);
    cluster.AddFlavor("f1");
    cluster.AddFlavor("f2");
    const std::vector<std::vector<int64_t>> nominal{{1, 0}, {1, 0}, {0, 2}};
    for (int i = 0; i < 3; ++i) {
      auto queue = WithPreemption(MakeQueue("q" + std::to_string(i + 1), {}, "c"), "Never", "Any");
      const auto at = static_cast<size_t>(i);
      queue->spec.resource_groups = {
          CpuGroup({{"f1", {nominal[at][0], 4, {}}}, {"f2", {nominal[at][1], 4, {}}}})};
      queue->spec.flavor_fungibility->when_can_borrow = "TryNextFlavor";
      queue->spec.flavor_fungibility->preference =
          preempt ? "PreemptionOverBorrowing" : "BorrowingOverPreemption";
      cluster.Add(queue);
    }
    cluster.Submit("a1", "q1", 1);
    cluster.Submit("a2", "q1", 1);
    cluster.Run(3);
    EXPECT_EQ(cluster.FlavorOf("a1") + cluster.FlavorOf("a2"), "f1f1");
    cluster.Submit("b1", "q2", 1);
    cluster.Submit("b2", "q2", 1);
    EXPECT_EQ(cluster.Run(8).size(), preempt ? 1u : 0u);
    EXPECT_EQ(cluster.FlavorOf("b1"), preempt ? "f1" : "f2");
    EXPECT_EQ(cluster.FlavorOf("b2"), "f2");
  }
}

TEST(PublicReports, V07TolerationsOfTheFlavorCount) {
  for (const bool tolerated : {true, false}) {
    LivingCluster cluster;
    auto flavor = std::make_shared<api::ResourceFlavor>();
    flavor->metadata.name = "default";
    flavor->spec.node_taints.push_back({"key", "value", "NoExecute", {}, {}});
    if (tolerated) {
      flavor->spec.tolerations.push_back({"key", "Equal", "value", "NoExecute", {}, {}});
    }
    cluster.state.SetResourceFlavor(flavor, cluster.now);
    cluster.Add(MakeQueue("q", {2, {}, {}}));
    cluster.Submit("w", "q", 1);
    cluster.Run(1);
    EXPECT_EQ(cluster.Holds("w"), tolerated);
  }
}

TEST(PublicReports, V09OneFlavorForAllResourcesOfAGroup) {
  LivingCluster cluster;
  cluster.AddFlavor("x86");
  cluster.AddFlavor("arm");
  auto queue = MakeQueue("q", {});
  api::ResourceGroup group = Group({{"cpu", 9}, {"memory", 36}}, "x86");
  group.flavors.push_back(Group({{"cpu", 12}, {"memory", 48}}, "arm").flavors[0]);
  queue->spec.resource_groups = {group};
  cluster.Add(queue);
  cluster.Submit("fills", "q", 9);
  cluster.Submit(WithMemory(TestCluster::Make("w", "q", 1), 1));
  cluster.Run(2);
  const auto& flavors = cluster.workloads.at("w")->status.admission->pod_set_assignments[0].flavors;
  EXPECT_EQ(flavors.at("cpu"), "arm");
  EXPECT_EQ(flavors.at("memory"), "arm");
}

}  // namespace
}  // namespace kueue::scheduling
