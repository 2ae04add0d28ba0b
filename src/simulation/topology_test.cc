#include <gtest/gtest.h>

#include <map>

#include "api/codec/json_text.h"
#include "api/match/topology_assignment.h"
#include "api/types/batch.h"
#include "api/types/names.h"
#include "simulation/world.h"

// Topology-aware scheduling from a Job's annotation to bound pods, and what happens when nodes
// fail, in the whole product in virtual time (spec/topology.md §15 to §17).
namespace kueue::simulation {
namespace {

namespace names = api::names;

// Two blocks of two racks of two machines.
constexpr char kRacks[] =
    "2x(cpu=4,memory=16Gi,pods=20,label:pool=tas,label:block=b1,label:rack=r1,name-prefix=m),"
    "2x(cpu=4,memory=16Gi,pods=20,label:pool=tas,label:block=b1,label:rack=r2,name-prefix=m),"
    "2x(cpu=4,memory=16Gi,pods=20,label:pool=tas,label:block=b2,label:rack=r3,name-prefix=m),"
    "2x(cpu=4,memory=16Gi,pods=20,label:pool=tas,label:block=b2,label:rack=r4,name-prefix=m)";

constexpr char kQueues[] = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: hall}
spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: machines}
spec: {nodeLabels: {pool: tas}, topologyName: hall}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  preemption: {withinClusterQueue: LowerPriority}
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: machines
      resources: [{name: cpu, nominalQuota: "100"}, {name: memory, nominalQuota: 400Gi}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: default}
spec: {clusterQueue: cq}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: urgent}
value: 1000
)";

struct Ask {
  Ask(std::string name_of, int count, std::string cpus, std::string template_annotation = "")
      : name(std::move(name_of)),
        pods(count),
        cpu(std::move(cpus)),
        annotation(std::move(template_annotation)) {}
  std::string name;
  int pods = 1;
  std::string cpu;
  std::string annotation;  // "key: value" of the pod template, "" for none
  int seconds = 3600;
  std::string pod_spec;  // further fields of the pod, "key: value, "
  std::string label;     // further label of the job
};

std::string JobOf(const Ask& ask) {
  const std::string count = std::to_string(ask.pods);
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: " + ask.name +
         ", namespace: default, labels: {kueue.x-k8s.io/queue-name: lq" +
         (ask.label.empty() ? "" : ", " + ask.label) + "}}\nspec: {parallelism: " + count +
         ", completions: " + count + ", completionMode: Indexed, template: {metadata: " +
         "{annotations: {kueue-cpp.dev/run-seconds: '" + std::to_string(ask.seconds) + "'" +
         (ask.annotation.empty() ? "" : ", " + ask.annotation) + "}}, spec: {" + ask.pod_spec +
         "restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {cpu: '" +
         ask.cpu + "'}}}]}}}\n";
}

class TopologyWorld : public testing::Test {
 protected:
  static WorldOptions Options(const std::string& nodes) {
    WorldOptions options;
    options.plane.cluster.nodes = *localcluster::ParseNodeSpec(nodes);
    return options;
  }
  explicit TopologyWorld(const std::string& nodes = kRacks) : world_(Options(nodes)) {}

  void SetUp() override {
    Add(kQueues);
    Run(5);
  }
  void Add(const std::string& yaml) {
    const auto created = world_.CreateAll(yaml);
    ASSERT_TRUE(created.ok()) << created.error().message;
  }
  void Submit(const Ask& ask) { Add(JobOf(ask)); }
  void Run(int seconds) { world_.executor().RunFor(base::seconds(seconds)); }

  api::Workload WorkloadOf(const std::string& job) {
    for (api::Workload& workload : world_.All<api::Workload>()) {
      const api::OwnerReference* owner = api::ControllerOf(workload.metadata);
      if (owner != nullptr && owner->name == job) return workload;
    }
    return {};
  }
  // "domain, domain: count" of the first pod set.
  std::map<std::string, int> PlacesOf(const std::string& job) {
    std::map<std::string, int> places;
    const api::Workload workload = WorkloadOf(job);
    if (!workload.status.admission) return places;
    const auto& assignment = workload.status.admission->pod_set_assignments.front();
    if (!assignment.topology_assignment) return places;
    const auto domains = api::DecodeTopology(*assignment.topology_assignment);
    for (const api::TopologyDomain& domain : *domains) {
      places[domain.values.back()] += domain.count;
    }
    return places;
  }
  std::vector<api::Pod> PodsOf(const std::string& job) {
    std::vector<api::Pod> pods;
    for (api::Pod& pod : world_.All<api::Pod>()) {
      const auto label = pod.metadata.labels.find("batch.kubernetes.io/job-name");
      if (label != pod.metadata.labels.end() && label->second == job) pods.push_back(pod);
    }
    return pods;
  }
  // Running pods by node.
  std::map<std::string, int> NodesOf(const std::string& job) {
    std::map<std::string, int> nodes;
    for (const api::Pod& pod : PodsOf(job)) {
      if (pod.status.phase == "Running") ++nodes[pod.spec.node_name];
    }
    return nodes;
  }
  bool Has(const std::string& job, const char* condition, const std::string& reason = "") {
    const api::Workload workload = WorkloadOf(job);
    const api::Condition* c = api::FindCondition(workload.status.conditions, condition);
    return c != nullptr && c->status == api::ConditionStatus::kTrue &&
           (reason.empty() || c->reason == reason);
  }
  std::string WhyNot(const std::string& job) {
    const api::Workload workload = WorkloadOf(job);
    const api::Condition* c = api::FindCondition(workload.status.conditions, names::kQuotaReserved);
    return c == nullptr ? "" : c->reason + ": " + c->message;
  }
  int Events(const std::string& reason) {
    int count = 0;
    for (const api::Event& event : world_.All<api::Event>()) {
      if (event.reason == reason) count += std::max(event.count, 1);
    }
    return count;
  }
  void PatchNode(const std::string& name, const std::string& patch) {
    const auto done = world_.Patch(api::KindOf<api::Node>(), {"", name}, *api::ParseJson(patch));
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  // As its kubelet, or whoever watches over it, says.
  void SetReady(const std::string& name, const std::string& status) {
    const std::string now = base::FormatTime(world_.executor().clock().Now());
    const auto done = world_.Patch(api::KindOf<api::Node>(), {"", name},
                                   *api::ParseJson(R"({"status":{"conditions":[{"type":"Ready",)"
                                                   R"("lastTransitionTime":")" +
                                                   now + R"(","status":")" + status + R"("}]}})"),
                                   "status");
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  void DeleteNode(const std::string& name) {
    ASSERT_TRUE(world_.Delete(api::KindOf<api::Node>(), {"", name}).ok());
  }

  World world_;
};

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

}  // namespace
}  // namespace kueue::simulation
