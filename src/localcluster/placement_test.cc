#include "localcluster/placement.h"

#include <gtest/gtest.h>

#include "localcluster/node_spec.h"

namespace kueue::localcluster {
namespace {

class PlacementTest : public testing::Test {
 protected:
  void AddNodes(const char* spec) {
    for (api::Node& node : BuildNodes(*ParseNodeSpec(spec), base::Time())) Set(std::move(node));
  }
  void Set(api::Node node) {
    nodes[node.metadata.name] = node;
    placement.SetNode(std::make_shared<const api::Node>(std::move(node)));
  }
  static api::PodSpec Pod(const char* cpu, const char* resource = nullptr,
                          const char* amount = nullptr) {
    api::PodSpec pod;
    pod.containers.resize(1);
    pod.containers[0].resources.requests["cpu"] = *api::Quantity::Parse(cpu);
    if (resource != nullptr) {
      pod.containers[0].resources.requests[resource] = *api::Quantity::Parse(amount);
    }
    return pod;
  }
  // Places a pod as the binder does; gives the node's name.
  std::string Place(const api::PodSpec& pod) {
    const Choice choice = placement.Choose(pod);
    if (!choice.node_name.empty()) {
      placement.Occupy("pod-" + std::to_string(++placed), choice.node_name, pod);
    }
    return choice.node_name;
  }

  Placement placement;
  std::map<std::string, api::Node> nodes;
  int placed = 0;
};

TEST_F(PlacementTest, SpreadsAndTakesTheFirstNameOfEquals) {
  AddNodes("3x(cpu=2)");
  EXPECT_EQ(Place(Pod("1")), "node-1");
  EXPECT_EQ(Place(Pod("1")), "node-2");
  EXPECT_EQ(Place(Pod("1")), "node-3");
  EXPECT_EQ(Place(Pod("1")), "node-1");
}

TEST_F(PlacementTest, NeverGivesMoreThanANodeHas) {
  AddNodes("2x(cpu=2)");
  for (int i = 0; i < 4; ++i) EXPECT_NE(Place(Pod("1")), "");
  EXPECT_EQ(Place(Pod("1")), "");
  EXPECT_TRUE(placement.Release("pod-2"));
  EXPECT_FALSE(placement.Release("pod-2"));
  EXPECT_EQ(Place(Pod("1")), "node-2");
}

TEST_F(PlacementTest, CountsPods) {
  AddNodes("(cpu=8,pods=1)");
  EXPECT_EQ(Place(api::PodSpec()), "node-1");
  EXPECT_EQ(placement.Choose(api::PodSpec()).why_not, "0/1 nodes are available: 1 Too many pods.");
}

TEST_F(PlacementTest, TakesLimitsForMissingRequests) {
  AddNodes("(cpu=1)");
  api::PodSpec pod;
  pod.containers.resize(1);
  pod.containers[0].resources.limits["cpu"] = *api::Quantity::Parse("2");
  EXPECT_EQ(placement.Choose(pod).why_not, "0/1 nodes are available: 1 Insufficient cpu.");
}

TEST_F(PlacementTest, SaysWhyWithCounts) {
  AddNodes("2x(cpu=1),(cpu=8,taint:dedicated=ml:NoSchedule),(cpu=8,label:zone=b)");
  api::Node cordoned = nodes["node-1"];
  cordoned.spec.unschedulable = true;
  Set(cordoned);
  api::PodSpec pod = Pod("2", "nvidia.com/gpu", "1");
  EXPECT_EQ(placement.Choose(pod).why_not,
            "0/4 nodes are available: 1 Insufficient cpu, 2 Insufficient nvidia.com/gpu, "
            "1 node(s) had untolerated taint {dedicated: ml}, 1 node(s) were unschedulable.");
  pod.node_selector["zone"] = "c";
  EXPECT_EQ(placement.Choose(pod).why_not,
            "0/4 nodes are available: 2 node(s) didn't match the pod's node affinity/selector, "
            "1 node(s) had untolerated taint {dedicated: ml}, 1 node(s) were unschedulable.");
}

TEST_F(PlacementTest, HonoursTolerationsAndSelectors) {
  AddNodes("(cpu=8),(cpu=8,taint:dedicated=ml:NoSchedule,label:zone=b)");
  api::PodSpec pod = Pod("1");
  pod.node_selector["zone"] = "b";
  EXPECT_EQ(Place(pod), "");
  api::Toleration toleration;
  toleration.key = "dedicated";
  toleration.op = "Exists";
  pod.tolerations = {toleration};
  EXPECT_EQ(Place(pod), "node-2");
}

TEST_F(PlacementTest, PrefersByAffinityBeforeFreeRoom) {
  AddNodes("(cpu=8),(cpu=2,label:zone=b),(cpu=8)");
  api::PodSpec pod = Pod("1");
  api::PreferredSchedulingTerm term;
  term.weight = 10;
  term.preference.match_expressions.push_back({"zone", "In", {"b"}, {}});
  pod.affinity.emplace();
  pod.affinity->node_affinity.emplace();
  pod.affinity->node_affinity->preferred_during_scheduling_ignored_during_execution = {term};
  EXPECT_EQ(Place(pod), "node-2");
  EXPECT_EQ(Place(pod), "node-2");
  EXPECT_EQ(Place(pod), "node-1");
}

TEST_F(PlacementTest, AvoidsNodesThatAreNotReady) {
  AddNodes("(cpu=8)");
  api::Node node = nodes["node-1"];
  node.status.conditions.back().status = api::ConditionStatus::kUnknown;
  Set(node);
  EXPECT_EQ(placement.Choose(Pod("1")).why_not,
            "0/1 nodes are available: 1 node(s) were not ready.");
  placement.RemoveNode("node-1");
  EXPECT_EQ(placement.Choose(Pod("1")).why_not, "0/0 nodes are available: there are no nodes.");
}

// Pods may be seen before their node is.
TEST_F(PlacementTest, RemembersPodsOfUnknownNodes) {
  placement.Occupy("early", "node-1", Pod("2"));
  AddNodes("(cpu=2)");
  EXPECT_EQ(Place(Pod("1")), "");
  placement.Release("early");
  EXPECT_EQ(Place(Pod("1")), "node-1");
}

}  // namespace
}  // namespace kueue::localcluster
