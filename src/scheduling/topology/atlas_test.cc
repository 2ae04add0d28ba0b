#include "scheduling/topology/atlas.h"

#include <gtest/gtest.h>

#include "scheduling/topology/test_field.h"

namespace kueue::scheduling::topology {
namespace {

class AtlasTest : public testing::Test {
 protected:
  FlavorId Flavor(const std::string& name, const std::string& topology) {
    api::ResourceFlavorSpec spec;
    spec.topology_name = topology;
    const FlavorId flavor = catalog_.Flavor(name);
    for (const FlavorId f : atlas_.SetFlavor(flavor, spec)) atlas_.Remake(f);
    return flavor;
  }
  void Topology(const std::string& name, const std::vector<std::string>& keys) {
    api::Topology topology;
    topology.metadata.name = name;
    for (const std::string& key : keys) topology.spec.levels.push_back({key, {}});
    for (const FlavorId f : atlas_.SetTopology(topology)) atlas_.Remake(f);
  }
  Want Of(FlavorId flavor, uint32_t pod_set, int32_t count) {
    Want want;
    want.flavor = flavor;
    want.request.pod_set = pod_set;
    want.request.count = count;
    want.request.topology.unconstrained = true;
    want.request.per_pod = {{catalog_.Resource("cpu"), 1000}};
    want.request.pod = pod_;
    return want;
  }
  std::string Show(const Places& places) {
    std::string text;
    for (const Given& given : places.given) {
      for (const auto& domain : atlas_.DomainsOf(given.flavor, given.portions)) {
        text += std::to_string(given.pod_set) + ">" + domain.values[0] + ":" +
                std::to_string(domain.count) + " ";
      }
    }
    return text;
  }
  std::string Put(const std::vector<Want>& wants) {
    const Places places = atlas_.Place(wants, {});
    return places.ok() ? Show(places) : "not fit";
  }

  Catalog catalog_;
  Atlas atlas_{catalog_, {}};
  std::shared_ptr<const api::PodSpec> pod_ = std::make_shared<api::PodSpec>();
};

TEST_F(AtlasTest, FlavorNeedsItsTopologyInEitherOrder) {
  const FlavorId early = Flavor("early", "hosts");
  EXPECT_EQ(atlas_.Find(early), nullptr);
  Topology("hosts", {kHostname});
  EXPECT_NE(atlas_.Find(early), nullptr);
  EXPECT_NE(atlas_.Find(Flavor("late", "hosts")), nullptr);
  for (const FlavorId f : atlas_.DeleteTopology("hosts")) atlas_.Remake(f);
  EXPECT_EQ(atlas_.Find(early), nullptr);
}

TEST_F(AtlasTest, PodSetsOfAWorkloadDoNotGetTheSameRoom) {
  Topology("hosts", {kHostname});
  const FlavorId flavor = Flavor("a", "hosts");
  atlas_.SetNode(Field::NewNode("x", 3));
  atlas_.SetNode(Field::NewNode("y", 3));
  EXPECT_EQ(Put({Of(flavor, 0, 3), Of(flavor, 1, 2)}), "0>x:3 1>y:2 ");
  EXPECT_EQ(Put({Of(flavor, 0, 3), Of(flavor, 1, 4)}), "not fit");
  EXPECT_EQ(Put({Of(flavor, 0, 3)}), "0>x:3 ");  // nothing stays behind
}

// Two flavors over the same nodes (spec/topology.md §11.2, §4.4).
TEST_F(AtlasTest, FlavorsShareTheNodesTheyBothHave) {
  Topology("hosts", {kHostname});
  const FlavorId a = Flavor("a", "hosts"), b = Flavor("b", "hosts");
  atlas_.SetNode(Field::NewNode("x", 4));
  EXPECT_EQ(Put({Of(b, 0, 2), Of(a, 1, 2)}), "1>x:2 0>x:2 ");
  EXPECT_EQ(Put({Of(b, 0, 2), Of(a, 1, 3)}), "not fit");
  api::PodSetAssignment assignment;
  assignment.flavors["cpu"] = "a";
  assignment.topology_assignment = api::EncodeTopology({kHostname}, {{{"x"}, 3}}, true);
  std::vector<DomainUse> uses;
  atlas_.Account(assignment, {{catalog_.Resource("cpu"), 1000}}, uses);
  EXPECT_EQ(Put({Of(b, 0, 2)}), "not fit");
  EXPECT_EQ(Put({Of(b, 0, 1)}), "0>x:1 ");
  // During a cycle only the named flavor sees a change.
  const Atlas::Mark mark = atlas_.Here();
  atlas_.TakeOut(uses);
  EXPECT_EQ(Put({Of(a, 0, 4)}), "0>x:4 ");
  EXPECT_EQ(Put({Of(b, 0, 2)}), "not fit");
  atlas_.Undo(mark);
  EXPECT_EQ(Put({Of(a, 0, 2)}), "not fit");
  for (const DomainUse& use : uses) atlas_.Discount(use);
  EXPECT_EQ(Put({Of(b, 0, 4)}), "0>x:4 ");
}

TEST_F(AtlasTest, PlainPodsKeepTheirNodesBusy) {
  Topology("hosts", {kHostname});
  const FlavorId flavor = Flavor("a", "hosts");
  atlas_.SetNode(Field::NewNode("x", 4));
  api::Pod pod;
  pod.metadata.name = "p";
  pod.spec.node_name = "x";
  pod.spec.containers.emplace_back();
  pod.spec.containers[0].resources.requests["cpu"] = *resources::Quantity::Parse("3");
  atlas_.SetPod(pod);
  EXPECT_EQ(Put({Of(flavor, 0, 2)}), "not fit");
  EXPECT_FALSE(atlas_.HasFreed());
  // One that a Workload accounts for is no plain pod.
  pod.metadata.annotations["kueue.x-k8s.io/podset-unconstrained-topology"] = "true";
  atlas_.SetPod(pod);
  EXPECT_TRUE(atlas_.HasFreed());
  EXPECT_EQ(atlas_.TakeFreed(), std::vector<FlavorId>{flavor});
  EXPECT_EQ(Put({Of(flavor, 0, 4)}), "0>x:4 ");
}

TEST_F(AtlasTest, NodeChangesThatMatterAskForARetry) {
  Topology("hosts", {kHostname});
  Flavor("a", "hosts");
  EXPECT_TRUE(atlas_.SetNode(Field::NewNode("x", 4)));
  EXPECT_FALSE(atlas_.SetNode(Field::NewNode("x", 4)));
  auto heartbeat = Field::NewNode("x", 4);
  heartbeat->status.conditions[0].last_heartbeat_time = base::Time();
  EXPECT_FALSE(atlas_.SetNode(heartbeat));
  EXPECT_TRUE(atlas_.SetNode(Field::NewNode("x", 5)));
  EXPECT_TRUE(atlas_.DeleteNode("x"));
  EXPECT_FALSE(atlas_.DeleteNode("x"));
}

TEST_F(AtlasTest, ClaimsAreAddedUpWithoutPods) {
  Topology("hosts", {kHostname});
  const FlavorId flavor = Flavor("a", "hosts");
  atlas_.SetNode(Field::NewNode("x", 4));
  const RequestVector per_pod{{catalog_.Resource("cpu"), 1000}};
  const Places places = atlas_.Place({Of(flavor, 0, 2)}, {});
  ASSERT_TRUE(places.ok());
  EXPECT_FALSE(atlas_.TakeIfThere(places.given[0], {}));
  EXPECT_TRUE(atlas_.TakeIfThere(places.given[0], per_pod));
  EXPECT_TRUE(atlas_.TakeIfThere(places.given[0], per_pod));
  EXPECT_FALSE(atlas_.TakeIfThere(places.given[0], per_pod));
  atlas_.Undo(0);
  EXPECT_TRUE(atlas_.TakeIfThere(places.given[0], per_pod));
}

}  // namespace
}  // namespace kueue::scheduling::topology
