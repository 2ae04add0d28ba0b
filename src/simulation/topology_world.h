#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/codec/json_text.h"
#include "api/match/topology_assignment.h"
#include "api/types/batch.h"
#include "api/types/names.h"
#include "simulation/world.h"

// A machine hall for tests of topology-aware scheduling.
namespace kueue::simulation {

// Two blocks of two racks of two machines.
inline constexpr char kRacks[] =
    "2x(cpu=4,memory=16Gi,pods=20,label:pool=tas,label:block=b1,label:rack=r1,name-prefix=m),"
    "2x(cpu=4,memory=16Gi,pods=20,label:pool=tas,label:block=b1,label:rack=r2,name-prefix=m),"
    "2x(cpu=4,memory=16Gi,pods=20,label:pool=tas,label:block=b2,label:rack=r3,name-prefix=m),"
    "2x(cpu=4,memory=16Gi,pods=20,label:pool=tas,label:block=b2,label:rack=r4,name-prefix=m)";

inline constexpr char kHallQueues[] = R"(
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

inline std::string JobOf(const Ask& ask) {
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
  explicit TopologyWorld(const std::string& nodes = kRacks, std::string queues = kHallQueues)
      : queues_(std::move(queues)), world_(Options(nodes)) {}

  void SetUp() override {
    Add(queues_);
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
  std::map<std::string, int> PlacesOf(const std::string& job) { return PlacesOf(WorkloadOf(job)); }
  static std::map<std::string, int> PlacesOf(const api::Workload& workload, size_t pod_set = 0) {
    std::map<std::string, int> places;
    if (!workload.status.admission) return places;
    const auto& assignment = workload.status.admission->pod_set_assignments.at(pod_set);
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
  // Running pods by node; those being deleted are left out.
  std::map<std::string, int> NodesOf(const std::string& job) {
    std::map<std::string, int> nodes;
    for (const api::Pod& pod : PodsOf(job)) {
      if (pod.status.phase == "Running" && !pod.metadata.deletion_timestamp)
        ++nodes[pod.spec.node_name];
    }
    return nodes;
  }
  bool Has(const std::string& job, const char* condition, const std::string& reason = "") {
    return Has(WorkloadOf(job), condition, reason);
  }
  static bool Has(const api::Workload& workload, const char* condition,
                  const std::string& reason = "") {
    const api::Condition* c = api::FindCondition(workload.status.conditions, condition);
    return c != nullptr && c->status == api::ConditionStatus::kTrue &&
           (reason.empty() || c->reason == reason);
  }
  std::string WhyNot(const std::string& job) { return WhyNot(WorkloadOf(job)); }
  static std::string WhyNot(const api::Workload& workload) {
    const api::Condition* c =
        api::FindCondition(workload.status.conditions, api::names::kQuotaReserved);
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

  // A Workload without a job, with these pod sets ("- {name: ..., ...}").
  void AddWorkload(const std::string& name, const std::string& pod_sets, int priority = 0,
                   const std::string& queue = "lq") {
    Add("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: " + name +
        ", namespace: default}\nspec: {queueName: " + queue + ", active: true, priority: " +
        std::to_string(priority) + ", podSets: [" + pod_sets + "]}\n");
  }
  // A pod set; `topology`: its topologyRequest, `requests`: of each pod; `more`: of the pod's spec.
  static std::string PodSet(const std::string& name, int count, const std::string& requests,
                            const std::string& topology, const std::string& more = "") {
    return "{name: " + name + ", count: " + std::to_string(count) +
           (topology.empty() ? "" : ", topologyRequest: {" + topology + "}") +
           ", template: {spec: {restartPolicy: Never, " + more +
           "containers: [{name: c, image: i, resources: {requests: {" + requests + "}}}]}}}";
  }
  api::Workload Get(const std::string& workload) {
    const auto json = world_.Get(api::KindOf<api::Workload>(), {"default", workload});
    return json.ok() ? *api::Decode<api::Workload>(*json) : api::Workload();
  }

  const std::string queues_;
  World world_;
};

}  // namespace kueue::simulation
