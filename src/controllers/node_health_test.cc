#include "controllers/node_health.h"

#include <gtest/gtest.h>

#include "api/types/names.h"

// The decision table of spec/topology.md §15.5.
namespace kueue::controllers {
namespace {

namespace names = api::names;

class NodeHealthTest : public testing::Test {
 protected:
  NodeHealthTest() {
    node_.metadata.name = "n";
    SetReady(api::ConditionStatus::kTrue);
    workload_.status.admission.emplace();
    Place("main", "n");
    api::Condition admitted;
    admitted.type = names::kAdmitted;
    admitted.status = api::ConditionStatus::kTrue;
    workload_.status.conditions.push_back(admitted);
  }
  void SetReady(api::ConditionStatus status) {
    node_.status.conditions.clear();
    api::NodeCondition& ready = node_.status.conditions.emplace_back();
    ready.type = "Ready";
    ready.status = status;
  }
  void Place(const std::string& name, const std::string& host) {
    workload_.spec.pod_sets.emplace_back().name = name;
    auto& to = workload_.status.admission->pod_set_assignments.emplace_back();
    to.name = name;
    to.flavors["cpu"] = "tas";
    to.topology_assignment = api::EncodeTopology({names::kHostnameLabel}, {{{host}, 1}}, true);
  }
  void Taint(const std::string& key, const std::string& effect) {
    api::Taint& taint = node_.spec.taints.emplace_back();
    taint.key = key;
    taint.effect = effect;
  }
  static api::Toleration Tolerate(const std::string& key, std::optional<int64_t> seconds = {}) {
    api::Toleration toleration;
    toleration.key = key;
    toleration.op = "Exists";
    toleration.toleration_seconds = seconds;
    return toleration;
  }
  api::Pod& AddPod(const std::string& name, bool bound, const std::string& phase) {
    auto pod = std::make_shared<api::Pod>();
    pod->metadata.name = name;
    pod->status.phase = phase;
    pod->spec.node_selector[names::kHostnameLabel] = "n";
    if (bound) pod->spec.node_name = "n";
    pods_.push_back(pod);
    return *pod;
  }
  NodeVerdict Verdict(const ReplacementRules& rules = {}) const {
    return Judge(node_, &workload_, {pods_.begin(), pods_.end()}, flavors_, rules);
  }
  bool Unhealthy(const ReplacementRules& rules = {}) const { return Verdict(rules).unhealthy; }

  api::Node node_;
  api::Workload workload_;
  std::vector<std::shared_ptr<api::Pod>> pods_;
  FlavorTable flavors_;
  const ReplacementRules at_once_{false, false, true};
};

TEST_F(NodeHealthTest, GoneWorkloadsAndReadyNodesAreFine) {
  EXPECT_FALSE(Judge(node_, nullptr, {}, flavors_, {}).unhealthy);
  EXPECT_FALSE(Unhealthy());
}

TEST_F(NodeHealthTest, PodsAstrayAreEnded) {
  workload_.status.admission->pod_set_assignments[0].topology_assignment =
      api::EncodeTopology({names::kHostnameLabel}, {{{"m"}, 1}}, true);
  AddPod("stuck", false, "Pending");
  AddPod("gated", false, "Pending").spec.scheduling_gates.push_back({names::kTopologyGate, {}});
  AddPod("runs", true, "Running");
  const NodeVerdict verdict = Verdict();
  EXPECT_FALSE(verdict.unhealthy);
  ASSERT_EQ(verdict.to_terminate.size(), 1u);
  EXPECT_EQ(verdict.to_terminate[0]->metadata.name, "stuck");
}

// §22 (43), (46).
TEST_F(NodeHealthTest, NotReadyCountsOnlyWithoutProgressingPods) {
  SetReady(api::ConditionStatus::kUnknown);
  EXPECT_TRUE(Unhealthy());
  api::Pod& pod = AddPod("a", true, "Running");
  EXPECT_FALSE(Unhealthy());
  EXPECT_TRUE(Unhealthy(at_once_));
  pod.metadata.deletion_timestamp = base::Time(base::seconds(1));
  EXPECT_TRUE(Unhealthy());
  pod.metadata.deletion_timestamp.reset();
  pod.status.phase = "Failed";
  EXPECT_TRUE(Unhealthy());
}

TEST_F(NodeHealthTest, UnboundPodsDoNotProgressAndAreEnded) {
  SetReady(api::ConditionStatus::kFalse);
  AddPod("stuck", false, "Pending");
  const NodeVerdict verdict = Verdict();
  EXPECT_TRUE(verdict.unhealthy);
  EXPECT_EQ(verdict.to_terminate.size(), 1u);
}

// §22 (45).
TEST_F(NodeHealthTest, TaintsCountOnceThePodsAreGone) {
  Taint("broken", "NoSchedule");
  EXPECT_TRUE(Unhealthy());
  AddPod("a", true, "Running");
  EXPECT_FALSE(Unhealthy());
  EXPECT_TRUE(Unhealthy(at_once_));
  EXPECT_FALSE(Unhealthy({false, false, false}));
}

TEST_F(NodeHealthTest, PreferNoScheduleIsNoFailure) {
  Taint("busy", "PreferNoSchedule");
  EXPECT_FALSE(Unhealthy(at_once_));
}

TEST_F(NodeHealthTest, TolerationsOfTemplateFlavorAndChecksCount) {
  Taint("broken", "NoExecute");
  workload_.spec.pod_sets[0].pod_template.spec.tolerations.push_back(Tolerate("broken"));
  EXPECT_FALSE(Unhealthy(at_once_));
  workload_.spec.pod_sets[0].pod_template.spec.tolerations.clear();
  auto flavor = std::make_shared<api::ResourceFlavor>();
  flavor->spec.tolerations.push_back(Tolerate("broken"));
  flavors_["tas"] = flavor;
  EXPECT_FALSE(Unhealthy(at_once_));
  flavors_.clear();
  api::PodSetUpdate update;
  update.name = "main";
  update.tolerations.push_back(Tolerate("broken"));
  workload_.status.admission_checks.emplace_back().pod_set_updates.push_back(update);
  EXPECT_FALSE(Unhealthy(at_once_));
}

TEST_F(NodeHealthTest, TolerationsForAWhileWaitForThePods) {
  Taint("broken", "NoExecute");
  workload_.spec.pod_sets[0].pod_template.spec.tolerations.push_back(Tolerate("broken", 60));
  api::Pod& pod = AddPod("a", true, "Running");
  EXPECT_FALSE(Unhealthy(at_once_));
  pod.status.phase = "Succeeded";
  EXPECT_TRUE(Unhealthy(at_once_));
}

TEST_F(NodeHealthTest, OnlyPodSetsOnTheNodeHaveToTolerate) {
  Taint("broken", "NoExecute");
  workload_.spec.pod_sets[0].pod_template.spec.tolerations.push_back(Tolerate("broken"));
  Place("elsewhere", "m");
  EXPECT_FALSE(Unhealthy(at_once_));
  Place("here", "n");
  EXPECT_TRUE(Unhealthy(at_once_));
}

TEST_F(NodeHealthTest, WhatWakesTheReconciler) {
  api::Node other = node_;
  EXPECT_TRUE(ConcernsPlaces(nullptr, &node_, true));
  EXPECT_TRUE(ConcernsPlaces(&node_, nullptr, true));
  EXPECT_FALSE(ConcernsPlaces(&other, &node_, true));
  Taint("a", "NoSchedule");
  EXPECT_TRUE(ConcernsPlaces(&other, &node_, true));
  EXPECT_FALSE(ConcernsPlaces(&other, &node_, false));
  SetReady(api::ConditionStatus::kFalse);
  EXPECT_TRUE(ConcernsPlaces(&other, &node_, false));
  api::Pod& pod = AddPod("a", true, "Running");
  EXPECT_EQ(NodeConcernedBy(pod), "");  // no pod with a place
  pod.metadata.annotations[names::kRequiredTopology] = "rack";
  EXPECT_EQ(NodeConcernedBy(pod), "");
  pod.status.phase = "Failed";
  EXPECT_EQ(NodeConcernedBy(pod), "n");
  pod.spec.node_name.clear();
  pod.status.phase = "Pending";
  EXPECT_EQ(NodeConcernedBy(pod), "n");
}

}  // namespace
}  // namespace kueue::controllers
