#include <gtest/gtest.h>

#include "scheduling/snapshot.h"
#include "scheduling/test_cluster.h"

// Admission fair sharing in the decision (spec/scheduling.md §9) and waiting for ready pods (§12).
namespace kueue::scheduling {
namespace {

using base::seconds;
using Names = std::vector<std::string>;

Config FairConfig() {
  Config config;
  config.admission_fair_sharing.emplace();
  config.admission_fair_sharing->half_life = seconds(600);
  config.admission_fair_sharing->sampling_interval = seconds(60);
  return config;
}

std::shared_ptr<api::LocalQueue> MakeLocal(const std::string& name, const std::string& weight,
                                           const std::string& used) {
  auto local = std::make_shared<api::LocalQueue>();
  local->metadata.name = name;
  local->metadata.namespace_name = "ns";
  local->spec.cluster_queue = "cq";
  local->spec.fair_sharing.emplace();
  local->spec.fair_sharing->weight = *resources::Quantity::Parse(weight);
  auto& status = local->status.fair_sharing.emplace().admission_fair_sharing_status.emplace();
  status.consumed_resources["cpu"] = *resources::Quantity::Parse(used);
  return local;
}

class PastUseTest : public testing::Test {
 protected:
  void SetUp() override { AddQueue(MakeQueue("cq", {1, {}, {}})); }
  void AddQueue(std::shared_ptr<api::ClusterQueue> queue) {
    queue->spec.admission_scope.emplace();
    queue->spec.admission_scope->admission_mode = "UsageBasedAdmissionFairSharing";
    cluster_.Add(std::move(queue));
  }
  void AddLocal(const std::string& name, const std::string& weight, const std::string& used) {
    cluster_.state.SetLocalQueue(MakeLocal(name, weight, used), cluster_.now);
  }
  TestCluster cluster_{FairConfig()};
};

TEST_F(PastUseTest, TheQueueThatUsedLessGoesFirst) {
  AddLocal("x", "1", "5");
  AddLocal("y", "1", "2");
  cluster_.Submit("older", "x", 1, 10);
  cluster_.Submit("younger", "y", 1);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Names{"ns/younger"});
}

TEST_F(PastUseTest, WhatAQueueUsedCountsByItsWeight) {
  AddLocal("x", "4", "5");
  AddLocal("y", "1", "2");
  cluster_.Submit("b", "y", 1);
  cluster_.Submit("a", "x", 1);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Names{"ns/a"});
}

TEST_F(PastUseTest, F09_AQueueOfWeightZeroGoesLast) {
  AddLocal("x", "0", "1");
  AddLocal("y", "1", "9");
  cluster_.Submit("x1", "x", 1);
  cluster_.Submit("y1", "y", 1);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Names{"ns/y1"});
}

// The heap is put in order while the penalty is open (§4.3).
TEST_F(PastUseTest, AReservationCostsTheQueueItsTurn) {
  AddQueue(MakeQueue("cq", {2, {}, {}}));
  AddLocal("x", "1", "0");
  AddLocal("y", "1", "0");
  cluster_.Submit("x1", "x", 1);
  cluster_.Submit("x2", "x", 1);
  cluster_.Submit("y1", "y", 1);
  EXPECT_EQ(TestCluster::Reserved(Step(cluster_.state, cluster_.now)), Names{"ns/x1"});
  EXPECT_EQ(TestCluster::Reserved(Step(cluster_.state, cluster_.now)), Names{"ns/y1"});
}

TEST_F(PastUseTest, AReservationThatCannotBeWrittenCostsNothing) {
  AddLocal("x", "1", "0");
  cluster_.Submit("x1", "x", 1);
  Step(cluster_.state, cluster_.now);
  EXPECT_GT(cluster_.state.SamplePastUse("ns", "x", cluster_.now)->usage, 0);
  cluster_.state.ReservationFailed("ns/x1", "uid-x1", cluster_.now);
  EXPECT_EQ(cluster_.state.SamplePastUse("ns", "x", cluster_.now)->usage, 0);
}

TEST_F(PastUseTest, AWorkloadThatIsDeletedBeforeItIsAdmittedCostsNothing) {
  AddLocal("x", "1", "0");
  cluster_.Submit("x1", "x", 1);
  Step(cluster_.state, cluster_.now);
  cluster_.state.DeleteWorkload("ns", "x1", cluster_.now);
  EXPECT_EQ(cluster_.state.SamplePastUse("ns", "x", cluster_.now)->usage, 0);
}

TEST_F(PastUseTest, WithoutTheScopeTheOrderIsThatOfArrival) {
  auto queue = MakeQueue("cq", {1, {}, {}});
  cluster_.Add(queue);
  AddLocal("x", "1", "5");
  AddLocal("y", "1", "2");
  cluster_.Submit("older", "x", 1);
  cluster_.Submit("younger", "y", 1);
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Names{"ns/older"});
}

// §7.2 (3): the higher use goes, against the priority.
TEST_F(PastUseTest, VictimsComeFromTheQueueThatUsedMost) {
  auto queue = MakeQueue("cq", {2, {}, {}});
  queue->spec.preemption->within_cluster_queue = "LowerPriority";
  AddQueue(queue);
  AddLocal("x", "1", "1");
  AddLocal("y", "1", "9");
  const auto reserve = [&](const std::string& name, const std::string& local, int32_t priority) {
    cluster_.Submit(name, local, 1, priority);
    cluster_.Cycle();
  };
  reserve("x1", "x", 1);
  reserve("y1", "y", 2);
  cluster_.Submit("high", "x", 1, 9);
  EXPECT_EQ(TestCluster::Evicted(cluster_.Cycle()), Names{"ns/y1 InClusterQueue"});
}

// A victim of higher priority than the preemptor stands before others, and they are found.
TEST_F(PastUseTest, ATooHighPriorityAtTheFrontHidesNobody) {
  auto queue = MakeQueue("cq", {2, {}, {}});
  queue->spec.preemption->within_cluster_queue = "LowerPriority";
  AddQueue(queue);
  AddLocal("x", "1", "1");
  AddLocal("y", "1", "9");
  cluster_.Submit("x1", "x", 1, 1);
  cluster_.Cycle();
  cluster_.Submit("y1", "y", 1, 20);
  cluster_.Cycle();
  cluster_.Submit("middle", "x", 1, 9);
  EXPECT_EQ(TestCluster::Evicted(cluster_.Cycle()), Names{"ns/x1 InClusterQueue"});
}

TEST_F(PastUseTest, ASnapshotKnowsWhatWasUsed) {
  AddLocal("x", "1", "5");
  AddLocal("y", "1", "2");
  cluster_.Submit("older", "x", 1);
  cluster_.Submit("younger", "y", 1);
  State copy = cluster_.state.Fork().Rebuild(cluster_.now);
  EXPECT_EQ(copy.PendingInOrder("cq"), cluster_.state.PendingInOrder("cq"));
  EXPECT_EQ(copy.SamplePastUse("ns", "x", cluster_.now)->usage, 5);
}

// ---- §12

Config ReadyConfig() {
  Config config;
  config.block_admission_until_ready = true;
  return config;
}

TEST(AwaitsReadiness, OneAfterTheOtherAsTheirPodsBecomeReady) {
  TestCluster cluster(ReadyConfig());
  cluster.Add(MakeQueue("a", {5, {}, {}}));
  cluster.Add(MakeQueue("b", {5, {}, {}}));
  cluster.Submit("a1", "a", 1);
  cluster.Submit("b1", "b", 1);
  const Plan first = cluster.Cycle();
  EXPECT_EQ(TestCluster::Reserved(first), Names{"ns/a1"});
  ASSERT_EQ(first.requeues.size(), 1u);
  EXPECT_EQ(first.requeues[0].condition_reason, "WaitingForPodsReady");
  EXPECT_FALSE(cluster.state.HasHeads()) << "until the pods of a1 are ready";
  api::Workload ready = *cluster.workloads.at("a1");
  cluster.SetCondition(ready, api::names::kPodsReady, true, "Started");
  cluster.Tell(ready);
  ASSERT_TRUE(cluster.state.HasHeads());
  EXPECT_EQ(TestCluster::Reserved(cluster.Cycle()), Names{"ns/b1"});
}

TEST(AwaitsReadiness, WhoIsGoneIsNotWaitedFor) {
  TestCluster cluster(ReadyConfig());
  cluster.Add(MakeQueue("a", {5, {}, {}}));
  cluster.Submit("a1", "a", 1);
  cluster.Cycle();
  cluster.Submit("a2", "a", 1);
  EXPECT_EQ(TestCluster::Reserved(cluster.Cycle()), Names{});
  cluster.Finish("a1");
  EXPECT_EQ(TestCluster::Reserved(cluster.Cycle()), Names{"ns/a2"});
}

TEST(AwaitsReadiness, NotAskedForNobodyWaits) {
  TestCluster cluster;
  cluster.Add(MakeQueue("a", {5, {}, {}}));
  cluster.Submit("a1", "a", 1);
  cluster.Cycle();
  cluster.Submit("a2", "a", 1);
  EXPECT_EQ(TestCluster::Reserved(cluster.Cycle()), Names{"ns/a2"});
}

}  // namespace
}  // namespace kueue::scheduling
