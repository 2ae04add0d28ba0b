#include "simulation/topology_world.h"

// Faults that users reported, by the number of the report: topology.
namespace kueue::simulation {
namespace {

namespace names = api::names;
using Places = std::map<std::string, int>;
const std::string kRequiredRack = "kueue.x-k8s.io/podset-required-topology: rack";

std::string Machines(int count, const std::string& what) {
  return std::to_string(count) + "x(" + what + ",label:pool=tas,label:block=b1,label:rack=r1," +
         "name-prefix=m)";
}

int Sum(const Places& places) {
  int sum = 0;
  for (const auto& [node, count] : places) sum += count;
  return sum;
}

class ReportsOnRacks : public TopologyWorld {};

// Two pod sets on the same machines do not get the same room.
TEST_F(ReportsOnRacks, T01_TwoPodSetsOnOneTopology) {
  AddWorkload("mpi", PodSet("launcher", 1, "cpu: '1'", "required: kubernetes.io/hostname") + ", " +
                         PodSet("worker", 31, "cpu: '1'", "preferred: rack"));
  Run(5);
  const api::Workload workload = Get("mpi");
  ASSERT_TRUE(Has(workload, names::kAdmitted)) << WhyNot(workload);
  EXPECT_EQ(Sum(PlacesOf(workload, 0)), 1);
  EXPECT_EQ(Sum(PlacesOf(workload, 1)), 31);
  Places both = PlacesOf(workload, 0);
  for (const auto& [node, count] : PlacesOf(workload, 1)) both[node] += count;
  for (const auto& [node, count] : both) EXPECT_LE(count, 4) << node;
}

class ReportsOnFewPods : public TopologyWorld {
 protected:
  ReportsOnFewPods() : TopologyWorld(Machines(1, "cpu=10,pods=3")) {}
};

TEST_F(ReportsOnFewPods, T03_AllocatablePodsCountAlsoThoseOfOthers) {
  Add("apiVersion: v1\nkind: Pod\nmetadata: {name: other, namespace: default, annotations: "
      "{kueue-cpp.dev/run-seconds: '99999'}}\nspec: {restartPolicy: Never, containers: [{name: c, "
      "image: i, resources: {requests: {cpu: 100m}}}]}\n");
  Run(2);
  Submit({"a", 2, "100m", kRequiredRack});
  Run(10);
  ASSERT_EQ(NodesOf("a"), (Places{{"m-1", 2}}));
  Submit({"b", 1, "100m", kRequiredRack});
  Run(20);
  EXPECT_FALSE(Has("b", names::kAdmitted));
  EXPECT_NE(WhyNot("b").find("pods"), std::string::npos) << WhyNot("b");
}

// Preemption frees the slot of a pod, too.
TEST_F(ReportsOnFewPods, T03_PreemptionFreesTheSlotOfAPod) {
  Submit({"a", 3, "100m", kRequiredRack});
  Run(10);
  Ask high("high", 1, "100m", kRequiredRack);
  high.label = "kueue.x-k8s.io/priority-class: urgent";
  Submit(high);
  Run(20);
  EXPECT_EQ(NodesOf("high"), (Places{{"m-1", 1}}));
}

TEST_F(ReportsOnRacks, T05_ZeroRequestsDoNotRestrict) {
  AddWorkload("zero", PodSet("main", 2, "cpu: '1', memory: '0'", "required: rack"));
  Run(5);
  EXPECT_EQ(Sum(PlacesOf(Get("zero"))), 2);
}

TEST_F(ReportsOnRacks, T05_PodSetsWithoutPodsDoNotHoldOthersUp) {
  AddWorkload("empty", PodSet("none", 0, "cpu: '1'", "required: rack") + ", " +
                           PodSet("slices", 0, "cpu: '1'",
                                  "podSetSliceRequiredTopology: rack, podSetSliceSize: 2") +
                           ", " + PodSet("main", 2, "cpu: '1'", "required: rack"));
  Run(5);
  const api::Workload workload = Get("empty");
  ASSERT_TRUE(Has(workload, names::kAdmitted)) << WhyNot(workload);
  EXPECT_EQ(Sum(PlacesOf(workload, 0)), 0);
  EXPECT_EQ(Sum(PlacesOf(workload, 1)), 0);
  EXPECT_EQ(Sum(PlacesOf(workload, 2)), 2);
}

constexpr char kOverlap[] = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: hosts}
spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: on-demand}
spec: {nodeLabels: {pool: tas}, topologyName: hosts}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: partial-reserved}
spec: {nodeLabels: {block: b1}, topologyName: hosts}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq-a}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: on-demand, resources: [{name: cpu, nominalQuota: "10"}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq-b}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: partial-reserved, resources: [{name: cpu, nominalQuota: "10"}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: a, namespace: default}
spec: {clusterQueue: cq-a}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: b, namespace: default}
spec: {clusterQueue: cq-b}
)";

class ReportsOnOverlap : public TopologyWorld {
 protected:
  ReportsOnOverlap() : TopologyWorld(Machines(2, "cpu=5"), kOverlap) {}
};

TEST_F(ReportsOnOverlap, T07_ANodeInTwoFlavorsIsNotOversubscribed) {
  const std::string one = "required: kubernetes.io/hostname";
  AddWorkload("first", PodSet("main", 1, "cpu: '3'", one), 0, "a");
  AddWorkload("second", PodSet("main", 1, "cpu: '2'", one), 0, "a");
  Run(5);
  ASSERT_EQ(PlacesOf(Get("first")), PlacesOf(Get("second")));
  AddWorkload("third", PodSet("main", 1, "cpu: '3'", one), 0, "b");
  Run(5);
  ASSERT_EQ(Sum(PlacesOf(Get("third"))), 1);
  EXPECT_NE(PlacesOf(Get("third")), PlacesOf(Get("first")));
}

TEST_F(ReportsOnRacks, T09_NodesThatThePodsCannotUseDoNotCount) {
  const auto ask = [](const std::string& name, const std::string& more) {
    Ask a(name, 1, "4", kRequiredRack);
    a.pod_spec = more;
    return a;
  };
  Submit(ask("selected", "nodeSelector: {kubernetes.io/hostname: m-5}, "));
  Submit(ask("affine",
             "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
             "{nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: "
             "[r4]}]}]}}}, "));
  Run(10);
  EXPECT_EQ(NodesOf("selected"), (Places{{"m-5", 1}}));
  EXPECT_EQ(Sum(NodesOf("affine")), 1);
  EXPECT_TRUE(NodesOf("affine").contains("m-7") || NodesOf("affine").contains("m-8"));

  PatchNode("m-1", R"({"spec":{"taints":[{"key":"broken","effect":"NoSchedule"}]}})");
  PatchNode("m-2", R"({"spec":{"unschedulable":true}})");
  SetReady("m-3", "False");
  for (const char* name : {"m-1", "m-2", "m-3"}) {
    Submit(ask(std::string("only-") + name,
               std::string("nodeSelector: {kubernetes.io/hostname: ") + name + "}, "));
  }
  Run(10);
  for (const char* name : {"m-1", "m-2", "m-3"}) {
    EXPECT_FALSE(Has(std::string("only-") + name, names::kAdmitted)) << name;
  }
  // m-2 and m-3 are no candidates at all; of the six others one is tainted.
  EXPECT_NE(WhyNot("only-m-1").find("of 6 domains excluded"), std::string::npos)
      << WhyNot("only-m-1");
  EXPECT_NE(WhyNot("only-m-1").find("nodeSelector: 5"), std::string::npos) << WhyNot("only-m-1");
  EXPECT_NE(WhyNot("only-m-1").find("taint \"broken:NoSchedule\": 1"), std::string::npos)
      << WhyNot("only-m-1");
}

constexpr char kGpuQueues[] = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: hosts}
spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: gpus}
spec: {nodeLabels: {pool: tas}, topologyName: hosts}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  preemption: {withinClusterQueue: LowerPriority}
  resourceGroups:
  - coveredResources: [cpu, nvidia.com/gpu]
    flavors:
    - name: gpus
      resources: [{name: cpu, nominalQuota: "10"}, {name: nvidia.com/gpu, nominalQuota: "16"}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: default}
spec: {clusterQueue: cq}
)";

class ReportsOnGpus : public TopologyWorld {
 protected:
  ReportsOnGpus() : TopologyWorld(Machines(1, "cpu=10,nvidia.com/gpu=8,pods=2"), kGpuQueues) {}
};

// The one without a GPU holds a slot for a pod that is needed.
TEST_F(ReportsOnGpus, T11_VictimsThatDoNotUseTheShortResource) {
  const std::string host = "required: kubernetes.io/hostname";
  AddWorkload("low-gpu", PodSet("main", 1, "nvidia.com/gpu: '8'", host));
  AddWorkload("low-cpu", PodSet("main", 1, "cpu: '1'", host));
  Run(5);
  ASSERT_TRUE(Has(Get("low-gpu"), names::kAdmitted) && Has(Get("low-cpu"), names::kAdmitted));
  AddWorkload("high", PodSet("main", 2, "nvidia.com/gpu: '4'", host), 10);
  Run(5);
  EXPECT_TRUE(Has(Get("low-gpu"), names::kPreempted)) << WhyNot(Get("high"));
  EXPECT_TRUE(Has(Get("low-cpu"), names::kPreempted)) << WhyNot(Get("high"));
}

class ReportsOnBlock : public TopologyWorld {
 protected:
  ReportsOnBlock() : TopologyWorld(Machines(3, "cpu=40")) {}
};

TEST_F(ReportsOnBlock, T13_TheReplacementPodGoesToTheNewNode) {
  Submit({"a", 2, "40", "kueue.x-k8s.io/podset-required-topology: block"});
  Run(10);
  ASSERT_EQ(NodesOf("a"), (Places{{"m-1", 1}, {"m-2", 1}}));
  SetReady("m-1", "False");
  for (const api::Pod& pod : PodsOf("a")) {
    if (pod.spec.node_name != "m-1") continue;
    ASSERT_TRUE(world_.Delete(api::KindOf<api::Pod>(), kube::KeyOf(pod.metadata)).ok());
  }
  Run(15);
  EXPECT_EQ(PlacesOf("a"), (Places{{"m-2", 1}, {"m-3", 1}}));
  EXPECT_EQ(NodesOf("a"), (Places{{"m-2", 1}, {"m-3", 1}}));
}

class ReportsOnNames : public TopologyWorld {
 protected:
  ReportsOnNames()
      : TopologyWorld(
            "2x(cpu=1,label:pool=tas,label:block=b1,label:rack=rack-a,name-prefix=x),"
            "1x(cpu=1,label:pool=tas,label:block=b1,label:rack=rack-ab,name-prefix=x)") {}
};

TEST_F(ReportsOnNames, T15_DomainsAreNotComparedByTheBeginningOfTheirNames) {
  Submit({"a", 2, "1", kRequiredRack});
  Run(10);
  ASSERT_EQ(NodesOf("a"), (Places{{"x-1", 1}, {"x-2", 1}}));
  DeleteNode("x-1");
  Run(20);
  EXPECT_FALSE(PlacesOf("a").contains("x-3"));
  EXPECT_EQ(Events("EvictedDueToNodeFailures"), 1);
  bool told = false;
  for (const api::Event& event : world_.All<api::Event>()) {
    told |= event.message.find("topologyDomain: 1") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

class ReportsOnLeaders : public TopologyWorld {
 protected:
  ReportsOnLeaders()
      : TopologyWorld(
            "1x(cpu=2,label:pool=tas,label:block=b,label:rack=r,name-prefix=h),"
            "1x(cpu=4,label:pool=tas,label:block=b,label:rack=r,name-prefix=h),"
            "1x(cpu=3,label:pool=tas,label:block=b,label:rack=r,name-prefix=h)") {}
};

TEST_F(ReportsOnLeaders, T17_LeaderAndWorkersOnOneRack) {
  const std::string group = "required: rack, podSetGroupName: g";
  AddWorkload("lws", PodSet("leader", 1, "cpu: '1'", group) + ", " +
                         PodSet("workers", 4, "cpu: '2'", group));
  Run(5);
  const api::Workload workload = Get("lws");
  ASSERT_TRUE(Has(workload, names::kAdmitted)) << WhyNot(workload);
  EXPECT_EQ(PlacesOf(workload, 0), (Places{{"h-3", 1}}));
  EXPECT_EQ(PlacesOf(workload, 1), (Places{{"h-1", 1}, {"h-2", 2}, {"h-3", 1}}));
}

TEST_F(ReportsOnRacks, T19_HeartbeatsDoNotWakeWaitingWork) {
  for (int i = 0; i < 20; ++i) Submit({"big-" + std::to_string(i), 9, "1", kRequiredRack});
  Run(30);
  const uint64_t cycles = world_.plane().manager().scheduler().numbers().cycles;
  for (int i = 0; i < 20; ++i) {
    const auto done = world_.Patch(
        api::KindOf<api::Node>(), {"", "m-" + std::to_string(1 + i % 8)},
        *api::ParseJson(R"({"status":{"images":[{"names":["i)" + std::to_string(i) + R"("]}]}})"),
        "status");
    ASSERT_TRUE(done.ok()) << done.error().message;
    Run(10);
  }
  EXPECT_EQ(world_.plane().manager().scheduler().numbers().cycles, cycles);
  Submit({"fits", 1, "1", kRequiredRack});
  Run(5);
  EXPECT_TRUE(Has("fits", names::kAdmitted));
}

// Slices of three pods out of four: three have a domain, and they run.
TEST_F(ReportsOnRacks, T21_ACountThatSlicesDoNotDivide) {
  Submit({"a", 4, "1",
          "kueue.x-k8s.io/podset-slice-required-topology: rack, "
          "kueue.x-k8s.io/podset-slice-size: '3'"});
  Run(10);
  EXPECT_TRUE(Has("a", names::kAdmitted)) << WhyNot("a");
  EXPECT_EQ(Sum(PlacesOf("a")), 3);
  EXPECT_EQ(Sum(NodesOf("a")), 3);
  EXPECT_EQ(PodsOf("a").size(), 4u);
}

}  // namespace
}  // namespace kueue::simulation
