#include <gtest/gtest.h>

#include "api/match/topology_assignment.h"
#include "scheduling/explanation.h"
#include "scheduling/snapshot.h"
#include "scheduling/test_cluster.h"
#include "scheduling/topology/test_field.h"

// Places in whole cycles: with quota, preemption, checks and failing nodes (spec/topology.md §14,
// §15).
namespace kueue::scheduling {
namespace {

constexpr char kHost[] = "kubernetes.io/hostname";

class PlacesTest : public testing::Test {
 protected:
  explicit PlacesTest(Config config = {}) : cluster_(std::move(config)) {
    auto flavor = std::make_shared<api::ResourceFlavor>();
    flavor->metadata.name = "default";
    flavor->spec.topology_name = "racks";
    cluster_.state.SetResourceFlavor(flavor, cluster_.now);
  }
  void AddTopology() {
    auto topology = std::make_shared<api::Topology>();
    topology->metadata.name = "racks";
    topology->spec.levels = {{"rack", {}}, {kHost, {}}};
    cluster_.state.SetTopology(topology, cluster_.now);
  }
  void AddNode(const std::string& name, int cpus, const std::string& rack = "r1") {
    auto node = topology::Field::NewNode(name, cpus);
    node->metadata.labels["rack"] = rack;
    cluster_.state.SetNode(node, cluster_.now);
  }
  static std::shared_ptr<api::ClusterQueue> Queue() {
    auto queue = MakeQueue("q", {100, {}, {}});
    queue->spec.preemption->within_cluster_queue = "LowerPriority";
    return queue;
  }
  void AddCheck() {
    auto check = std::make_shared<api::AdmissionCheck>();
    check->metadata.name = "provision";
    check->spec.controller_name = "kueue.x-k8s.io/provisioning-request";
    api::Condition active;
    active.type = "Active";
    active.status = api::ConditionStatus::kTrue;
    check->status.conditions.push_back(active);
    cluster_.state.SetAdmissionCheck(check, cluster_.now);
  }
  static api::Workload Asks(const std::string& name, const std::string& level, int32_t count,
                            int32_t priority = 0) {
    api::Workload workload = TestCluster::Make(name, "q", 1, priority, count);
    workload.spec.pod_sets[0].topology_request.emplace().required = level;
    return workload;
  }
  // "a:2 b:1", what a reservation of the plan says; "-" for none.
  static std::string PlacesOf(const Plan& plan, const std::string& name) {
    for (const Reservation& reservation : plan.reservations) {
      if (reservation.workload != "ns/" + name) continue;
      const auto& places = reservation.admission.pod_set_assignments[0].topology_assignment;
      return places ? Show(*places) : "reserved";
    }
    return "-";
  }
  static std::string Show(const api::TopologyAssignment& places) {
    std::string text;
    const auto domains = api::DecodeTopology(places);
    for (const api::TopologyDomain& domain : *domains) {
      text += (text.empty() ? "" : " ") + domain.values[0] + ":" + std::to_string(domain.count);
    }
    return text;
  }
  // As the controllers would: the node is recorded as failed.
  void Fail(const std::string& node, const std::string& name) {
    cluster_.state.DeleteNode(node, cluster_.now);
    api::Workload workload = *cluster_.workloads.at(name);
    workload.status.unhealthy_nodes.push_back({node, {}});
    cluster_.Tell(std::move(workload));
  }
  Plan Later(int seconds) {
    cluster_.now += base::seconds(seconds);
    cluster_.state.CarryOutDueRetries(cluster_.now);
    return cluster_.Cycle();
  }

  TestCluster cluster_;
};

TEST_F(PlacesTest, QueueWaitsForItsTopology) {
  cluster_.Add(Queue());
  EXPECT_EQ(cluster_.state.ReportClusterQueue("q").reason, "TopologyNotFound");
  AddNode("a", 4);
  cluster_.Submit(Asks("w", kHost, 2));
  EXPECT_EQ(PlacesOf(cluster_.Cycle(), "w"), "-");
  AddTopology();
  EXPECT_TRUE(cluster_.state.ReportClusterQueue("q").active);
  EXPECT_EQ(PlacesOf(Later(1), "w"), "a:2");
}

TEST_F(PlacesTest, ReservationsOccupyTheirNodes) {
  cluster_.Add(Queue());
  AddTopology();
  AddNode("a", 4);
  cluster_.Submit(Asks("w1", kHost, 3));
  EXPECT_EQ(PlacesOf(cluster_.Cycle(), "w1"), "a:3");
  cluster_.Submit(Asks("w2", kHost, 3));
  const Plan plan = cluster_.Cycle();
  EXPECT_EQ(PlacesOf(plan, "w2"), "-");
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_NE(plan.requeues[0].message.find("has room for only 1 of 3 pods"), std::string::npos)
      << plan.requeues[0].message;
  // A new node is noticed.
  AddNode("b", 3);
  EXPECT_EQ(PlacesOf(Later(1), "w2"), "b:3");
}

TEST_F(PlacesTest, NeverFittingRequestsSayThatThePlaceIsMissing) {
  cluster_.Add(Queue());
  AddTopology();
  AddNode("a", 4);
  cluster_.Submit(Asks("w", kHost, 5));
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(plan.requeues.size(), 1u);
  EXPECT_EQ(plan.requeues[0].condition_reason, "TopologyPlacementFailed");
}

// The numbers behind the sentence: how much each level takes at best, and which nodes are in the
// way.
TEST_F(PlacesTest, ExplanationsCountPodsByLevelAndNodesByCause) {
  cluster_.Add(Queue());
  AddTopology();
  AddNode("a", 4);
  AddNode("b", 2);
  AddNode("c", 0, "r2");
  auto broken = topology::Field::NewNode("d", 4);
  broken->metadata.labels["rack"] = "r2";
  broken->spec.unschedulable = true;
  cluster_.state.SetNode(broken, cluster_.now);
  cluster_.Submit(Asks("w", "rack", 7));
  const Explanation told = Explain(cluster_.state, "ns/w", cluster_.now);
  ASSERT_EQ(told.places.size(), 1u);
  const PlaceRefusal& place = told.places[0];
  EXPECT_EQ(place.pod_set, "main");
  EXPECT_EQ(place.flavor, "default");
  EXPECT_EQ(place.fitting, 6);
  EXPECT_EQ(place.wanted, 7);
  ASSERT_EQ(place.best.size(), 2u);
  EXPECT_EQ(place.best[0].key + " " + place.best[0].domain, "rack r1");
  EXPECT_EQ(place.best[0].pods, 6);
  EXPECT_EQ(place.best[1].domain, "r1,a");
  EXPECT_EQ(place.best[1].pods, 4);
  EXPECT_EQ(place.nodes, 3u);
  EXPECT_EQ(place.excluded, (PlaceRefusal::Causes{{"resource \"cpu\"", 1}}));
  EXPECT_EQ(place.unusable, (PlaceRefusal::Causes{{"unschedulable", 1}}));
}

TEST_F(PlacesTest, ReportsWhatIsUsedOnEveryDomain) {
  cluster_.Add(Queue());
  EXPECT_FALSE(cluster_.state.ReportTopology("default"));
  AddTopology();
  AddNode("a", 4);
  AddNode("b", 2, "r2");
  cluster_.Submit(Asks("w", kHost, 3));
  cluster_.Cycle();
  api::Pod plain;
  plain.metadata.name = "plain";
  plain.metadata.namespace_name = "ns";
  plain.spec.node_name = "b";
  plain.spec.containers.emplace_back().resources.requests["cpu"] =
      *resources::Quantity::Parse("500m");
  cluster_.state.SetPod(std::make_shared<const api::Pod>(plain), cluster_.now);
  const auto report = cluster_.state.ReportTopology("default");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->topology, "racks");
  std::string text;
  for (const auto& domain : report->domains) {
    text += std::string(domain.level, ' ') + domain.value;
    for (const auto& cell : domain.cells) {
      if (cell.resource != "cpu") continue;
      text += " " + std::to_string(cell.used) + "+" + std::to_string(cell.plain) + "/" +
              std::to_string(cell.total);
    }
    text += "\n";
  }
  EXPECT_EQ(text, "r1 3000+0/4000\n a 3000+0/4000\nr2 0+500/2000\n b 0+500/2000\n");
}

TEST_F(PlacesTest, SnapshotsKnowNodesAndWhatIsHeldThere) {
  cluster_.Add(Queue());
  AddTopology();
  AddNode("a", 4);
  AddNode("b", 3);
  cluster_.Submit(Asks("w1", kHost, 4));
  EXPECT_EQ(PlacesOf(cluster_.Cycle(), "w1"), "a:4");
  cluster_.Submit(Asks("w2", kHost, 2));
  State copy = cluster_.state.Fork().Rebuild(cluster_.now);
  EXPECT_EQ(PlacesOf(Step(copy, cluster_.now), "w2"), "b:2");
}

// Quota would be enough; only who stands in the way of the place has to leave.
TEST_F(PlacesTest, PreemptsForAPlace) {
  cluster_.Add(Queue());
  AddTopology();
  AddNode("a", 4, "r1");
  AddNode("b", 2, "r2");
  cluster_.Submit(Asks("low-a", kHost, 3));
  cluster_.Cycle();
  cluster_.Submit(Asks("low-b", kHost, 2));
  cluster_.Cycle();
  cluster_.Submit(Asks("high", "rack", 4, 5));
  const Plan plan = cluster_.Cycle();
  EXPECT_EQ(TestCluster::Evicted(plan), std::vector<std::string>{"ns/low-a InClusterQueue"});
  cluster_.Stop("low-a");
  EXPECT_EQ(PlacesOf(Later(1), "high"), "a:4");
}

TEST_F(PlacesTest, ProvisioningDelaysThePlaceToASecondPass) {
  AddCheck();
  auto queue = Queue();
  queue->spec.admission_checks_strategy.emplace().admission_checks = {{"provision", {}, {}}};
  cluster_.Add(queue);
  AddTopology();
  cluster_.Submit(Asks("w", kHost, 2));
  const Plan first = cluster_.Cycle();
  EXPECT_EQ(PlacesOf(first, "w"), "reserved");
  EXPECT_EQ(first.reservations[0].admission.pod_set_assignments[0].delayed_topology_request,
            "Pending");
  EXPECT_FALSE(first.reservations[0].also_admitted);
  AddNode("new", 2);
  api::Workload ready = *cluster_.workloads.at("w");
  ready.status.admission_checks.emplace_back();
  ready.status.admission_checks[0].name = "provision";
  ready.status.admission_checks[0].state = "Ready";
  cluster_.Tell(std::move(ready));
  const Plan second = Later(1);
  EXPECT_EQ(PlacesOf(second, "w"), "new:2");
  ASSERT_EQ(second.reservations.size(), 1u);
  EXPECT_TRUE(second.reservations[0].second_pass);
  EXPECT_TRUE(second.reservations[0].also_admitted);
  EXPECT_EQ(second.reservations[0].admission.pod_set_assignments[0].delayed_topology_request,
            "Ready");
  EXPECT_TRUE(Later(60).reservations.empty());
}

TEST_F(PlacesTest, FailedNodeIsReplaced) {
  cluster_.Add(Queue());
  AddTopology();
  AddNode("a", 2);
  AddNode("b", 2);
  AddNode("c", 2);
  cluster_.Submit(Asks("w", "rack", 4));
  EXPECT_EQ(PlacesOf(cluster_.Cycle(), "w"), "a:2 b:2");
  Fail("b", "w");
  const Plan plan = Later(1);
  EXPECT_EQ(PlacesOf(plan, "w"), "a:2 c:2");
  EXPECT_TRUE(plan.reservations[0].clears_unhealthy_nodes);
  // What the old node held is free, what the new one holds is not.
  cluster_.Submit(Asks("w2", kHost, 1));
  EXPECT_EQ(PlacesOf(cluster_.Cycle(), "w2"), "-");
}

TEST_F(PlacesTest, OneFailedReplacementEvicts) {
  cluster_.Add(Queue());
  AddTopology();
  AddNode("a", 2);
  AddNode("b", 2);
  cluster_.Submit(Asks("w", "rack", 4));
  cluster_.Cycle();
  Fail("b", "w");
  const Plan plan = Later(1);
  ASSERT_EQ(plan.evictions.size(), 1u);
  EXPECT_EQ(plan.evictions[0].evicted_reason, "NodeFailures");
}

class FairPlacesTest : public PlacesTest {
 protected:
  static Config Fair() {
    Config config;
    config.fair_sharing.emplace();
    return config;
  }
  FairPlacesTest() : PlacesTest(Fair()) {}
};

// Two heads of one queue in one cycle: one looks for new places, the other has just been popped.
// Under fair sharing, where a queue stands for its head, neither may be lost.
TEST_F(FairPlacesTest, D13_TwoHeadsOfOneQueueAreBothHandled) {
  cluster_.Add(Queue());
  AddTopology();
  AddNode("a", 2);
  AddNode("b", 2);
  AddNode("c", 2);
  cluster_.Submit(Asks("fails", "rack", 4));
  ASSERT_EQ(PlacesOf(cluster_.Cycle(), "fails"), "a:2 b:2");
  AddNode("d", 2);
  Fail("b", "fails");
  cluster_.Submit(Asks("waits", kHost, 2));
  const Plan plan = Later(1);
  EXPECT_EQ(PlacesOf(plan, "fails"), "a:2 c:2");
  const bool again = PlacesOf(plan, "waits") == "-";
  EXPECT_EQ(PlacesOf(again ? Later(1) : plan, "waits"), "d:2");
}

// Also when neither of them fits.
TEST_F(FairPlacesTest, D13_TwoHeadsThatDoNotFitStay) {
  cluster_.Add(Queue());
  AddTopology();
  AddNode("a", 2);
  AddNode("b", 2);
  cluster_.Submit(Asks("fails", "rack", 4));
  cluster_.Cycle();
  Fail("b", "fails");
  cluster_.Submit(Asks("waits", kHost, 4));
  const Plan plan = Later(1);
  ASSERT_EQ(plan.evictions.size(), 1u);
  EXPECT_EQ(plan.evictions[0].workload, "ns/fails");
  Later(1);
  EXPECT_EQ(cluster_.state.PendingInOrder("q"), std::vector<std::string>{"ns/waits"});
  cluster_.Stop("fails");
  Later(1);
  EXPECT_EQ(cluster_.state.PendingInOrder("q").size(), 2u);
}

class PatientPlacesTest : public PlacesTest {
 protected:
  static Config Patient() {
    Config config;
    config.gates.tas_failed_node_replacement_fail_fast = false;
    return config;
  }
  PatientPlacesTest() : PlacesTest(Patient()) {}
};

TEST_F(PatientPlacesTest, ReplacementIsTriedAgainLaterAndLater) {
  cluster_.Add(Queue());
  AddTopology();
  AddNode("a", 2);
  AddNode("b", 2);
  cluster_.Submit(Asks("w", "rack", 4));
  cluster_.Cycle();
  Fail("b", "w");
  const Plan first = Later(1);
  ASSERT_EQ(first.requeues.size(), 1u);
  EXPECT_TRUE(first.requeues[0].second_pass);
  EXPECT_FALSE(first.requeues[0].write_status);
  EXPECT_TRUE(Later(0).requeues.empty());  // two seconds after the first, the clock made one
  EXPECT_EQ(Later(0).requeues.size(), 1u);
  AddNode("c", 2);
  EXPECT_EQ(PlacesOf(Later(2), "w"), "-");
  EXPECT_EQ(PlacesOf(Later(1), "w"), "a:2 c:2");
}

}  // namespace
}  // namespace kueue::scheduling
