#include "localcluster/node_reconciler.h"

#include <gtest/gtest.h>

namespace kueue::localcluster {
namespace {

using runtime::WriteVerb;

api::Node Wanted(const char* spec = "(cpu=8,label:zone=a)") {
  return BuildNodes(*ParseNodeSpec(spec), base::Time(base::hours(1)))[0];
}

TEST(PlanNode, CreatesAMissingNodeWhole) {
  const auto intents = PlanNode(nullptr, Wanted());
  ASSERT_EQ(intents.writes.size(), 1u);
  EXPECT_EQ(intents.writes[0].verb, WriteVerb::kCreate);
  EXPECT_EQ(intents.writes[0].body.StringAt({"metadata", "labels", "zone"}), "a");
  EXPECT_EQ(intents.writes[0].body.StringAt({"status", "allocatable", "cpu"}), "8");
}

TEST(PlanNode, IsSilentOnACompleteNode) {
  const api::Node node = Wanted();
  api::Node later = node;
  for (auto& condition : later.status.conditions) {
    condition.last_heartbeat_time = base::Time(base::hours(99));
  }
  EXPECT_TRUE(PlanNode(&node, later).writes.empty());
}

// A server may drop the status of a new object.
TEST(PlanNode, FillsAMissingStatusIn) {
  api::Node bare = Wanted();
  bare.status = {};
  const auto intents = PlanNode(&bare, Wanted());
  ASSERT_EQ(intents.writes.size(), 1u);
  EXPECT_EQ(intents.writes[0].subresource, "status");
}

// A lost machine is played by setting Ready to False, a broken GPU by lowering allocatable.
TEST(PlanNode, LeavesWhatPeopleChangedAlone) {
  api::Node changed = Wanted();
  changed.status.conditions.back().status = api::ConditionStatus::kFalse;
  changed.status.allocatable["cpu"] = api::Quantity::FromUnits(4);
  changed.metadata.labels["zone"] = "b";
  changed.spec.taints.push_back({"x", "y", "NoSchedule", {}, {}});
  EXPECT_TRUE(PlanNode(&changed, Wanted()).writes.empty());
}

TEST(PlanNode, WritesAChangedGroupStatusFirst) {
  api::Node node = Wanted();
  const api::Node want = Wanted("(cpu=16,label:zone=c)");
  auto intents = PlanNode(&node, want);
  ASSERT_EQ(intents.writes.size(), 1u);
  EXPECT_EQ(intents.writes[0].subresource, "status");
  node.status = want.status;
  intents = PlanNode(&node, want);
  ASSERT_EQ(intents.writes.size(), 1u);
  EXPECT_EQ(intents.writes[0].subresource, "");
  EXPECT_EQ(intents.writes[0].body.StringAt({"metadata", "labels", "zone"}), "c");
}

}  // namespace
}  // namespace kueue::localcluster
