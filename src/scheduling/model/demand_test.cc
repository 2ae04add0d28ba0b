#include "scheduling/model/demand.h"

#include <gtest/gtest.h>

#include "scheduling/snapshot.h"
#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using resources::Quantity;
using Lines = std::vector<std::string>;

api::LimitRangeItem Item(const std::string& type) {
  api::LimitRangeItem item;
  item.type = type;
  return item;
}

api::Container& Main(api::Workload& object) {
  return object.spec.pod_sets[0].pod_template.spec.containers[0];
}

class DemandTest : public ::testing::Test {
 protected:
  std::shared_ptr<const Demand> Read(api::Workload object) {
    return ReadDemand(std::make_shared<const api::Workload>(std::move(object)), config_,
                      surroundings_, catalog_);
  }
  int64_t PerPod(const Demand& demand, const std::string& resource) {
    return AmountOf(demand.pod_sets[0].per_pod, catalog_.Resource(resource));
  }
  void Range(const std::string& name, api::LimitRangeItem item) {
    surroundings_.SetLimitRange({"ns", name, {std::move(item)}});
  }

  Config config_;
  Surroundings surroundings_;
  Catalog catalog_;
};

// §16 (9): limit 2 without a request, default request 1: the request is 1.
TEST_F(DemandTest, DefaultRequestBeatsTheContainersOwnLimit) {
  api::LimitRangeItem item = Item("Container");
  item.default_requests["cpu"] = Quantity::FromUnits(1);
  Range("r", item);
  api::Workload object = TestCluster::Make("w", "q", 1);
  Main(object).resources.requests.clear();
  Main(object).resources.limits["cpu"] = Quantity::FromUnits(2);
  EXPECT_EQ(PerPod(*Read(object), "cpu"), 1000);
}

TEST_F(DemandTest, DefaultLimitStandsInForAMissingRequest) {
  api::LimitRangeItem item = Item("Container");
  item.default_limits["memory"] = Quantity::FromUnits(7);
  Range("r", item);
  EXPECT_EQ(PerPod(*Read(TestCluster::Make("w", "q", 1)), "memory"), 7);
}

// §15: the LimitRange whose name comes first.
TEST_F(DemandTest, DefaultsOfTheFirstNameCount) {
  api::LimitRangeItem a = Item("Container"), b = a;
  a.default_requests["memory"] = Quantity::FromUnits(1);
  b.default_requests["memory"] = Quantity::FromUnits(2);
  Range("b", b);
  Range("a", a);
  EXPECT_EQ(PerPod(*Read(TestCluster::Make("w", "q", 1)), "memory"), 1);
}

TEST_F(DemandTest, RangesOfOtherNamespacesDoNotCount) {
  api::LimitRangeItem item = Item("Container");
  item.default_requests["memory"] = Quantity::FromUnits(1);
  surroundings_.SetLimitRange({"other", "r", {item}});
  EXPECT_EQ(PerPod(*Read(TestCluster::Make("w", "q", 1)), "memory"), 0);
}

// §16 (10).
TEST_F(DemandTest, OverheadOfTheRuntimeClassCountsUnlessThePodHasItsOwn) {
  surroundings_.SetRuntimeClass({"kata", {{"cpu", Quantity::FromMilli(250)}}});
  api::Workload object = TestCluster::Make("w", "q", 1);
  object.spec.pod_sets[0].pod_template.spec.runtime_class_name = "kata";
  EXPECT_EQ(PerPod(*Read(object), "cpu"), 1250);
  EXPECT_EQ(AmountOf(Read(object)->pod_sets[0].placed, catalog_.Resource("cpu")), 1250);
  object.spec.pod_sets[0].pod_template.spec.overhead["memory"] = Quantity::FromUnits(3);
  EXPECT_EQ(PerPod(*Read(object), "cpu"), 1000);
  object.spec.pod_sets[0].pod_template.spec.runtime_class_name = "unknown";
  EXPECT_EQ(PerPod(*Read(object), "cpu"), 1000);
}

// §1.4 (4), (5): the pod's own level replaces the sum of containers, overhead comes on top.
TEST_F(DemandTest, PodLevelRequestsReplaceTheSumBeforeOverhead) {
  api::Workload object = TestCluster::Make("w", "q", 1);
  api::PodSpec& pod = object.spec.pod_sets[0].pod_template.spec;
  pod.resources.emplace().requests["cpu"] = Quantity::FromUnits(3);
  pod.resources->requests["example.com/gpu"] = Quantity::FromUnits(1);
  pod.overhead["cpu"] = Quantity::FromUnits(1);
  EXPECT_EQ(PerPod(*Read(object), "cpu"), 4000);
  EXPECT_EQ(PerPod(*Read(object), "example.com/gpu"), 0);
}

// Sidecars run on; an ordinary init container comes on top of the sidecars before it.
TEST_F(DemandTest, SidecarsAddAndInitContainersTakeTheLarger) {
  api::Workload object = TestCluster::Make("w", "q", 2);
  api::PodSpec& pod = object.spec.pod_sets[0].pod_template.spec;
  pod.init_containers = {Main(object), Main(object)};
  pod.init_containers[0].restart_policy = "Always";
  pod.init_containers[0].resources.requests["cpu"] = Quantity::FromUnits(1);
  pod.init_containers[1].resources.requests["cpu"] = Quantity::FromUnits(3);
  EXPECT_EQ(PerPod(*Read(object), "cpu"), 4000);
  pod.init_containers[1].resources.requests["cpu"] = Quantity::FromUnits(1);
  EXPECT_EQ(PerPod(*Read(object), "cpu"), 3000);
}

// Placing knows nothing of what is counted (spec/topology.md §3.3).
TEST_F(DemandTest, TransformationsDoNotTouchWhatIsPlaced) {
  config_.transformations = {{"cpu", true, "", {{"credits", Quantity::FromUnits(10)}}}};
  const auto demand = Read(TestCluster::Make("w", "q", 2));
  EXPECT_EQ(PerPod(*demand, "credits"), 20);
  EXPECT_EQ(PerPod(*demand, "cpu"), 0);
  EXPECT_EQ(AmountOf(demand->pod_sets[0].placed, catalog_.Resource("cpu")), 2000);
  EXPECT_EQ(AmountOf(demand->pod_sets[0].placed, catalog_.Resource("credits")), 0);
}

// ---- in a cluster

class SurroundedTest : public ::testing::Test {
 protected:
  SurroundedTest() { cluster_.Add(MakeQueue("q", {2, {}, {}})); }
  void Range(api::LimitRangeItem item) {
    cluster_.state.SetLimitRange(
        std::make_shared<const api::LimitRange>(api::LimitRange{"ns", "r", {std::move(item)}}),
        cluster_.now);
  }
  static api::LimitRangeItem Most(int64_t cpu) {
    api::LimitRangeItem item = Item("Container");
    item.max["cpu"] = Quantity::FromUnits(cpu);
    return item;
  }
  TestCluster cluster_;
};

// §1.6 (4), §5.2 (7).
TEST_F(SurroundedTest, OutOfBoundsIsMisconfigured) {
  Range(Most(1));
  cluster_.Submit("w", "q", 2);
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, "Misconfigured");
  EXPECT_EQ(cluster_.state.Violation("ns/w"), plan.requeues[0].message);
}

// §1.6 (3): a default limit may lie below the request.
TEST_F(SurroundedTest, RequestAboveTheDefaultLimitIsMisconfigured) {
  api::LimitRangeItem item = Item("Container");
  item.default_limits["cpu"] = Quantity::FromUnits(1);
  Range(item);
  cluster_.Submit("w", "q", 2);
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, "Misconfigured");
}

// §1.5: an event brings the affected back with recomputed requests.
TEST_F(SurroundedTest, ParkedWorkComesBackWhenItsRangeChanges) {
  Range(Most(1));
  cluster_.Submit("w", "q", 2);
  cluster_.Cycle();
  ASSERT_EQ(cluster_.state.Inadmissible("q"), (Lines{"ns/w"}));
  Range(Most(1));  // the same again
  ASSERT_EQ(cluster_.state.Inadmissible("q"), (Lines{"ns/w"}));
  cluster_.state.DeleteLimitRange("ns", "r", cluster_.now);
  EXPECT_EQ(cluster_.state.ActiveHeap("q"), (Lines{"ns/w"}));
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), (Lines{"ns/w"}));
}

TEST_F(SurroundedTest, RequestsFollowTheRuntimeClass) {
  const auto kata = [&](int64_t milli) {
    cluster_.state.SetRuntimeClass(std::make_shared<const api::RuntimeClass>(api::RuntimeClass{
                                       "kata", {{"cpu", Quantity::FromMilli(milli)}}}),
                                   cluster_.now);
  };
  kata(500);
  api::Workload object = TestCluster::Make("w", "q", 2);
  object.spec.pod_sets[0].pod_template.spec.runtime_class_name = "kata";
  cluster_.Submit(object);
  cluster_.Cycle();
  ASSERT_EQ(cluster_.state.Inadmissible("q"), (Lines{"ns/w"}));
  kata(0);
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(TestCluster::Reserved(plan), (Lines{"ns/w"}));
  EXPECT_EQ(plan.reservations[0].admission.pod_set_assignments[0].resource_usage.at("cpu"),
            Quantity::FromUnits(2));
}

// Shapes are of what is asked for, not of what is written (§4.7).
TEST_F(SurroundedTest, ADefaultMakesWorkloadsAlike) {
  api::LimitRangeItem item = Item("Container");
  item.default_requests["cpu"] = Quantity::FromUnits(3);
  Range(item);
  cluster_.Submit("a", "q", 3);
  cluster_.Cycle();
  api::Workload bare = TestCluster::Make("b", "q", 3);
  Main(bare).resources.requests.clear();
  cluster_.Submit(bare);
  EXPECT_EQ(cluster_.state.Inadmissible("q"), (Lines{"ns/a", "ns/b"}));
}

// A workload that nobody may start is not queued by an event around it.
TEST_F(SurroundedTest, EventsDoNotQueueInactiveWork) {
  api::Workload object = TestCluster::Make("w", "q", 1);
  object.spec.active = false;
  cluster_.Submit(object);
  api::LimitRangeItem item = Item("Container");
  item.default_requests["memory"] = Quantity::FromUnits(3);
  Range(item);
  EXPECT_EQ(cluster_.state.PendingInOrder("q"), Lines());
}

TEST_F(SurroundedTest, ForkKnowsWhatSurroundsIt) {
  Range(Most(1));
  cluster_.Submit("w", "q", 2);
  const State state = cluster_.state.Fork().Rebuild(cluster_.now);
  EXPECT_NE(state.Violation("ns/w"), "");
}

}  // namespace
}  // namespace kueue::scheduling
