#include "simulation/topology_world.h"

// Topology-aware scheduling from a Job's annotation to bound pods, and what happens when nodes
// fail, in the whole product in virtual time (spec/topology.md §15 to §17).
namespace kueue::simulation {
namespace {

namespace names = api::names;
using Places = std::map<std::string, int>;
const std::string kRequiredRack = "kueue.x-k8s.io/podset-required-topology: rack";
const std::string kPreferredRack = "kueue.x-k8s.io/podset-preferred-topology: rack";

// ---- from the annotation to bound pods

TEST_F(TopologyWorld, RequiredRackKeepsAllPodsInOneRack) {
  Submit({"a", 6, "1", kRequiredRack});
  Run(10);
  EXPECT_EQ(PlacesOf("a"), (Places{{"m-1", 4}, {"m-2", 2}}));
  EXPECT_EQ(NodesOf("a"), PlacesOf("a"));
}

TEST_F(TopologyWorld, PodsStartGatedAndAreToldTheirNode) {
  Submit({"a", 2, "1", kRequiredRack});
  Run(1);
  const auto job = world_.Get(api::KindOf<api::Job>(), {"default", "a"});
  const api::Job started = *api::Decode<api::Job>(*job);
  ASSERT_EQ(started.spec.pod_template.spec.scheduling_gates.size(), 1u);
  EXPECT_EQ(started.spec.pod_template.spec.scheduling_gates[0].name, names::kTopologyGate);
  EXPECT_FALSE(started.spec.suspend.value_or(false));
  Run(9);
  for (const api::Pod& pod : PodsOf("a")) {
    EXPECT_TRUE(pod.spec.scheduling_gates.empty());
    EXPECT_EQ(pod.spec.node_selector.at(names::kHostnameLabel), pod.spec.node_name);
  }
  EXPECT_EQ(PodsOf("a").size(), 2u);
}

// Index i of the Job goes to the node of the i-th pod in the order of domains.
TEST_F(TopologyWorld, RanksFollowTheOrderOfDomains) {
  Submit({"a", 6, "1", kRequiredRack});
  Run(10);
  for (const api::Pod& pod : PodsOf("a")) {
    const int index = std::stoi(pod.metadata.labels.at(names::kJobCompletionIndex));
    EXPECT_EQ(pod.spec.node_name, index < 4 ? "m-1" : "m-2") << index;
  }
}

TEST_F(TopologyWorld, PreferredSpreadsOnlyWhenNoDomainIsLargeEnough) {
  Submit({"a", 20, "1", kPreferredRack});
  Run(10);
  EXPECT_TRUE(Has("a", names::kAdmitted));
  EXPECT_EQ(NodesOf("a"), PlacesOf("a"));
  EXPECT_EQ(PlacesOf("a").size(), 5u);
}

TEST_F(TopologyWorld, UnconstrainedUsesWhatIsLeft) {
  Submit({"a", 3, "3", kRequiredRack});
  Submit({"b", 5, "1", "kueue.x-k8s.io/podset-unconstrained-topology: 'true'"});
  Run(10);
  EXPECT_FALSE(Has("a", names::kAdmitted));  // a rack takes two such pods
  EXPECT_EQ(NodesOf("b"), PlacesOf("b"));
  EXPECT_FALSE(PlacesOf("b").empty());
}

// A queue with nothing but such flavors places work that says nothing, and its pods can be told.
TEST_F(TopologyWorld, WorkWithoutAnyWordIsPlacedToo) {
  Submit({"a", 2, "4", ""});
  Run(10);
  EXPECT_EQ(PlacesOf("a").size(), 2u);
  EXPECT_EQ(NodesOf("a"), PlacesOf("a"));
  for (const api::Pod& pod : PodsOf("a")) {
    EXPECT_EQ(pod.metadata.annotations.at(names::kUnconstrainedTopology), "true");
  }
}

TEST_F(TopologyWorld, ARefusalSaysHowManyFitAndWhatIsInTheWay) {
  Submit({"a", 9, "1", kRequiredRack});
  Run(10);
  EXPECT_EQ(WhyNot("a").rfind("TopologyPlacementFailed: ", 0), 0u) << WhyNot("a");
  EXPECT_NE(WhyNot("a").find("8"), std::string::npos) << WhyNot("a");
}

TEST_F(TopologyWorld, PodsOfOthersTakeRoomAndGiveItBack) {
  Add("apiVersion: v1\nkind: Pod\nmetadata: {name: other, namespace: default, annotations: "
      "{kueue-cpp.dev/run-seconds: '100'}}\nspec: {restartPolicy: Never, nodeSelector: "
      "{kubernetes.io/hostname: m-1}, containers: [{name: c, image: i, resources: {requests: "
      "{cpu: '3'}}}]}\n");
  Run(2);
  Submit({"a", 32, "1", kPreferredRack});
  Run(30);
  EXPECT_FALSE(Has("a", names::kAdmitted));
  Run(90);  // it has ended, and freed room is looked at every 10 s
  EXPECT_TRUE(Has("a", names::kAdmitted));
}

TEST_F(TopologyWorld, ANewNodeLetsWaitingWorkIn) {
  Submit({"a", 9, "1", kRequiredRack});
  Run(10);
  ASSERT_FALSE(Has("a", names::kAdmitted));
  Add("apiVersion: v1\nkind: Node\nmetadata: {name: extra, labels: {pool: tas, block: b1, rack: "
      "r1, kubernetes.io/hostname: extra}}\nstatus: {allocatable: {cpu: '4', memory: 16Gi, pods: "
      "'20'}, capacity: {cpu: '4', memory: 16Gi, pods: '20'}, conditions: [{type: Ready, status: "
      "'True'}]}\n");
  PatchNode("extra", R"({"spec":{"taints":null}})");
  Run(5);
  EXPECT_TRUE(Has("a", names::kAdmitted)) << WhyNot("a");
}

TEST_F(TopologyWorld, UrgentWorkTakesThePlacesOfOthers) {
  for (const char* name : {"a", "b", "c", "d"}) Submit({name, 8, "1", kRequiredRack});
  Run(10);
  ASSERT_EQ(NodesOf("d").size(), 2u);
  Ask high("high", 8, "1", kRequiredRack);
  high.label = "kueue.x-k8s.io/priority-class: urgent";
  Submit(high);
  Run(30);
  EXPECT_EQ(NodesOf("high").size(), 2u);
  EXPECT_EQ(Events("Preempted"), 1);
}

// ---- nodes that fail

TEST_F(TopologyWorld, ANodeThatIsGoneIsReplacedInItsRack) {
  Submit({"a", 3, "1", kRequiredRack});
  Run(10);
  ASSERT_EQ(PlacesOf("a"), (Places{{"m-1", 3}}));
  DeleteNode("m-1");
  Run(10);
  EXPECT_TRUE(Has("a", names::kAdmitted));
  EXPECT_EQ(PlacesOf("a").size(), 1u);
  EXPECT_FALSE(PlacesOf("a").contains("m-1"));
  EXPECT_EQ(NodesOf("a"), PlacesOf("a"));
  EXPECT_TRUE(WorkloadOf("a").status.unhealthy_nodes.empty());
}

TEST_F(TopologyWorld, TheOtherPodsStayWhereTheyAre) {
  Submit({"a", 6, "1", kRequiredRack});
  Run(10);
  ASSERT_EQ(PlacesOf("a"), (Places{{"m-1", 4}, {"m-2", 2}}));
  DeleteNode("m-2");
  Run(10);
  // Rack r1 has no room for two more: the workload starts again elsewhere.
  EXPECT_EQ(Events("EvictedDueToNodeFailures"), 1);
  Run(20);
  EXPECT_EQ(NodesOf("a"), (Places{{"m-3", 4}, {"m-4", 2}}));
}

TEST_F(TopologyWorld, OnlyThePodsOfTheFailedNodeMove) {
  Submit({"a", 5, "1", "kueue.x-k8s.io/podset-preferred-topology: block"});
  Run(10);
  ASSERT_EQ(PlacesOf("a"), (Places{{"m-1", 4}, {"m-2", 1}}));
  std::map<std::string, std::string> before;
  for (const api::Pod& pod : PodsOf("a")) before[pod.metadata.name] = pod.spec.node_name;
  DeleteNode("m-1");
  Run(15);
  EXPECT_TRUE(Has("a", names::kAdmitted));
  int stayed = 0;
  for (const api::Pod& pod : PodsOf("a")) {
    EXPECT_NE(pod.spec.node_name, "m-1");
    stayed += before.contains(pod.metadata.name);
  }
  EXPECT_EQ(stayed, 1);
  EXPECT_EQ(NodesOf("a"), PlacesOf("a"));
  EXPECT_EQ(Events("EvictedDueToNodeFailures"), 0);
}

TEST_F(TopologyWorld, ANotReadyNodeCountsOnceItsPodsAreGone) {
  Submit({"a", 2, "1", kRequiredRack});
  Run(10);
  ASSERT_EQ(PlacesOf("a"), (Places{{"m-1", 2}}));
  SetReady("m-1", "False");
  Run(120);
  // Its pods are there still (spec/topology.md §22 (43)).
  EXPECT_TRUE(WorkloadOf("a").status.unhealthy_nodes.empty());
  EXPECT_EQ(PlacesOf("a"), (Places{{"m-1", 2}}));
}

// What a cluster's node life-cycle controller does to a machine that hangs.
TEST_F(TopologyWorld, ANotReadyNodeWhosePodsAreTakenAwayIsReplaced) {
  Submit({"a", 2, "1", kRequiredRack});
  Run(10);
  ASSERT_EQ(PlacesOf("a"), (Places{{"m-1", 2}}));
  SetReady("m-1", "Unknown");
  for (const api::Pod& pod : PodsOf("a")) {
    ASSERT_TRUE(world_.Delete(api::KindOf<api::Pod>(), kube::KeyOf(pod.metadata)).ok());
  }
  Run(15);
  EXPECT_EQ(PlacesOf("a"), (Places{{"m-2", 2}}));
  EXPECT_EQ(NodesOf("a"), PlacesOf("a"));
}

TEST_F(TopologyWorld, ANodeThatRecoversInTimeIsForgiven) {
  Submit({"a", 2, "1", kRequiredRack});
  Run(10);
  SetReady("m-1", "False");
  for (const api::Pod& pod : PodsOf("a")) {
    ASSERT_TRUE(world_.Delete(api::KindOf<api::Pod>(), kube::KeyOf(pod.metadata)).ok());
  }
  world_.executor().RunFor(base::milliseconds(200));
  ASSERT_EQ(WorkloadOf("a").status.unhealthy_nodes.size(), 1u);
  SetReady("m-1", "True");
  world_.executor().RunFor(base::milliseconds(200));
  EXPECT_TRUE(WorkloadOf("a").status.unhealthy_nodes.empty());
  Run(30);
  EXPECT_EQ(NodesOf("a"), (Places{{"m-1", 2}}));
}

TEST_F(TopologyWorld, TwoFailedNodesAtOnceGiveTheWorkloadUp) {
  Submit({"a", 6, "1", kRequiredRack});
  Run(10);
  ASSERT_EQ(PlacesOf("a"), (Places{{"m-1", 4}, {"m-2", 2}}));
  DeleteNode("m-1");
  DeleteNode("m-2");
  Run(30);
  EXPECT_EQ(Events("EvictedDueToNodeFailures"), 1);
  EXPECT_EQ(NodesOf("a"), (Places{{"m-3", 4}, {"m-4", 2}}));
}

// Restarted pods meet the taint; a running one is left alone (spec/topology.md §22 (45)).
TEST_F(TopologyWorld, ATaintedNodeIsReplacedOnceItsPodsAreGone) {
  Submit({"a", 2, "1", kRequiredRack});
  Run(10);
  PatchNode("m-1", R"({"spec":{"taints":[{"key":"broken","effect":"NoSchedule"}]}})");
  Run(60);
  EXPECT_EQ(NodesOf("a"), (Places{{"m-1", 2}}));
  for (const api::Pod& pod : PodsOf("a")) {
    ASSERT_TRUE(world_.Delete(api::KindOf<api::Pod>(), kube::KeyOf(pod.metadata)).ok());
  }
  Run(40);
  EXPECT_EQ(NodesOf("a"), (Places{{"m-2", 2}}));
}

// Somebody else's pod was faster, and then the machine breaks: pods that nobody will ever bind are
// ended, so that their job makes others.
TEST_F(TopologyWorld, PodsThatWaitForAFailedNodeAreEnded) {
  Submit({"a", 2, "1", kRequiredRack});
  world_.executor().RunFor(base::milliseconds(500));
  Add("apiVersion: v1\nkind: Pod\nmetadata: {name: other, namespace: default, annotations: "
      "{kueue-cpp.dev/run-seconds: '9999'}}\nspec: {restartPolicy: Never, nodeSelector: "
      "{kubernetes.io/hostname: m-1}, containers: [{name: c, image: i, resources: {requests: "
      "{cpu: '4'}}}]}\n");
  Run(5);
  ASSERT_TRUE(NodesOf("a").empty());
  PatchNode("m-1", R"({"spec":{"taints":[{"key":"broken","effect":"NoSchedule"}]}})");
  Run(30);
  EXPECT_EQ(NodesOf("a"), (Places{{"m-2", 2}}));
  EXPECT_EQ(Events("PodTerminatedByKueue"), 2);
}

// ---- checks that come between quota and places

TEST_F(TopologyWorld, AProvisioningCheckDelaysThePlaces) {
  Add("apiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck\nmetadata: {name: prov}\nspec: "
      "{controllerName: kueue.x-k8s.io/provisioning-request}\n");
  const auto active = world_.Patch(
      api::KindOf<api::AdmissionCheck>(), {"", "prov"},
      *api::ParseJson(R"({"status":{"conditions":[{"type":"Active","status":"True","reason":"Ok",)"
                      R"("message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})"),
      "status");
  ASSERT_TRUE(active.ok()) << active.error().message;
  const auto patched = world_.Patch(
      api::KindOf<api::ClusterQueue>(), {"", "cq"},
      *api::ParseJson(
          R"({"spec":{"admissionChecksStrategy":{"admissionChecks":[{"name":"prov"}]}}})"));
  ASSERT_TRUE(patched.ok()) << patched.error().message;
  Run(2);
  Submit({"a", 2, "1", kRequiredRack});
  Run(5);
  api::Workload workload = WorkloadOf("a");
  ASSERT_TRUE(workload.status.admission);
  EXPECT_EQ(workload.status.admission->pod_set_assignments[0].delayed_topology_request, "Pending");
  ASSERT_EQ(workload.status.admission_checks.size(), 1u);
  const auto ready = world_.Patch(
      api::KindOf<api::Workload>(), kube::KeyOf(workload.metadata),
      *api::ParseJson(R"({"status":{"admissionChecks":[{"name":"prov","state":"Ready",)"
                      R"("message":"","lastTransitionTime":"2026-01-01T00:01:00Z"}]}})"),
      "status");
  ASSERT_TRUE(ready.ok()) << ready.error().message;
  Run(15);
  EXPECT_EQ(WorkloadOf("a").status.admission->pod_set_assignments[0].delayed_topology_request,
            "Ready");
  EXPECT_EQ(NodesOf("a"), (Places{{"m-1", 2}}));
}

// ---- the objects themselves

TEST_F(TopologyWorld, ATopologyInUseStays) {
  ASSERT_TRUE(world_.Delete(api::KindOf<api::Topology>(), {"", "hall"}).ok());
  Run(5);
  EXPECT_EQ(world_.All<api::Topology>().size(), 1u);
  ASSERT_TRUE(world_.Delete(api::KindOf<api::ClusterQueue>(), {"", "cq"}).ok());
  ASSERT_TRUE(world_.Delete(api::KindOf<api::ResourceFlavor>(), {"", "machines"}).ok());
  Run(5);
  EXPECT_TRUE(world_.All<api::ResourceFlavor>().empty());
  EXPECT_TRUE(world_.All<api::Topology>().empty());
}

TEST_F(TopologyWorld, AnnotationsThatMakeNoSenseAreRefused) {
  const auto refused = [&](const std::string& annotations) {
    return !world_.CreateAll(JobOf({"a", 4, "1", annotations})).ok();
  };
  EXPECT_TRUE(refused(kRequiredRack + ", " + kPreferredRack));
  EXPECT_TRUE(refused("kueue.x-k8s.io/podset-unconstrained-topology: maybe"));
  EXPECT_TRUE(refused("kueue.x-k8s.io/podset-slice-size: '2'"));
  EXPECT_TRUE(
      refused("kueue.x-k8s.io/podset-slice-required-topology: rack, "
              "kueue.x-k8s.io/podset-slice-size: '5'"));
  EXPECT_FALSE(
      refused("kueue.x-k8s.io/podset-slice-required-topology: rack, "
              "kueue.x-k8s.io/podset-slice-size: '2'"));
}

// An unchanged world is silent, however often kubelets say that they live.
TEST_F(TopologyWorld, HeartbeatsCauseNoWrites) {
  Submit({"a", 9, "1", kRequiredRack});
  Run(30);
  const uint64_t cycles = world_.plane().manager().scheduler().numbers().cycles;
  const uint64_t writes = world_.writes();
  for (int i = 0; i < 10; ++i) {
    const auto done = world_.Patch(
        api::KindOf<api::Node>(), {"", "m-1"},
        *api::ParseJson(R"({"status":{"images":[{"names":["i)" + std::to_string(i) + R"("]}]}})"),
        "status");
    ASSERT_TRUE(done.ok()) << done.error().message;
    Run(10);
  }
  EXPECT_EQ(world_.writes(), writes + 10);
  EXPECT_EQ(world_.plane().manager().scheduler().numbers().cycles, cycles);
}

}  // namespace
}  // namespace kueue::simulation
