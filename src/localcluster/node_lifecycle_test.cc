#include "localcluster/node_lifecycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/schema/kind.h"

namespace kueue::localcluster {
namespace {

using base::seconds;

const base::Time kNow{base::hours(24 * 365 * 56)};

api::Node NodeThatIs(api::ConditionStatus ready) {
  api::Node node;
  node.metadata.name = "n";
  node.status.conditions.resize(1);
  node.status.conditions[0].type = "Ready";
  node.status.conditions[0].status = ready;
  return node;
}

api::Node Patched(const api::Node& node, const runtime::Intents& intents) {
  api::Json json = api::Encode(node);
  for (const runtime::Write& write : intents.writes) {
    json = api::ApplyMergePatch(json, write.body);
  }
  return *api::Decode<api::Node>(json);
}

api::Pod PodThatTolerates(std::optional<int64_t> for_seconds) {
  api::Pod pod;
  pod.metadata.name = "p";
  pod.status.phase = "Running";
  api::Toleration toleration;
  toleration.key = "node.kubernetes.io/unreachable";
  toleration.op = "Exists";
  toleration.effect = "NoExecute";
  toleration.toleration_seconds = for_seconds;
  pod.spec.tolerations = {toleration};
  return pod;
}

TEST(NodeLifecycle, TaintsFollowTheReadyCondition) {
  api::Node node = NodeThatIs(api::ConditionStatus::kUnknown);
  node = Patched(node, PlanNodeState(node, kNow));
  ASSERT_EQ(node.spec.taints.size(), 2u);
  EXPECT_EQ(node.spec.taints[0].key, "node.kubernetes.io/unreachable");
  EXPECT_TRUE(PlanNodeState(node, kNow).writes.empty());
  node.status.conditions[0].status = api::ConditionStatus::kTrue;
  node = Patched(node, PlanNodeState(node, kNow));
  EXPECT_TRUE(node.spec.taints.empty());
}

TEST(NodeLifecycle, ACordonedNodeIsTainted) {
  api::Node node = NodeThatIs(api::ConditionStatus::kTrue);
  node.spec.unschedulable = true;
  node = Patched(node, PlanNodeState(node, kNow));
  ASSERT_EQ(node.spec.taints.size(), 1u);
  EXPECT_EQ(node.spec.taints[0].key, "node.kubernetes.io/unschedulable");
}

TEST(NodeLifecycle, TheAnnotationPlaysAFailureAndItsEnd) {
  api::Node node = NodeThatIs(api::ConditionStatus::kTrue);
  node.metadata.annotations[kNodeStateAnnotation] = "NotReady";
  node = Patched(node, PlanNodeState(node, kNow));
  EXPECT_EQ(node.status.conditions[0].status, api::ConditionStatus::kFalse);
  node.metadata.annotations.clear();
  node = Patched(node, PlanNodeState(node, kNow));
  EXPECT_EQ(node.status.conditions[0].status, api::ConditionStatus::kTrue);
}

TEST(NodeLifecycle, AFailureThatSomebodyElseToldStays) {
  const api::Node node = NodeThatIs(api::ConditionStatus::kFalse);
  const api::Node after = Patched(node, PlanNodeState(node, kNow));
  EXPECT_EQ(after.status.conditions[0].status, api::ConditionStatus::kFalse);
}

TEST(NodeLifecycle, PodsGoWhenTheirTolerationEnds) {
  api::Node node = NodeThatIs(api::ConditionStatus::kUnknown);
  node = Patched(node, PlanNodeState(node, kNow));
  const api::Pod pod = PodThatTolerates(300);
  EXPECT_EQ(PlanEviction(pod, node, kNow + seconds(10)).look_again, seconds(290));
  const auto intents = PlanEviction(pod, node, kNow + seconds(300));
  ASSERT_EQ(intents.writes.size(), 2u) << "the reason, then the deletion";
  EXPECT_EQ(intents.writes[1].verb, runtime::WriteVerb::kDelete);
  EXPECT_FALSE(PlanEviction(PodThatTolerates({}), node, kNow).look_again.has_value());
}

TEST(NodeLifecycle, PodsWithoutATolerationGoAtOnce) {
  api::Node node = NodeThatIs(api::ConditionStatus::kTrue);
  api::Taint taint;
  taint.key = "gone";
  taint.effect = "NoExecute";
  node.spec.taints = {taint};
  EXPECT_EQ(PlanEviction(PodThatTolerates(300), node, kNow).writes.size(), 2u);
}

}  // namespace
}  // namespace kueue::localcluster
