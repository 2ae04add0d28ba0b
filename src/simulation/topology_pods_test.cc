#include "controllers/workload_status.h"
#include "simulation/topology_world.h"

// Pods that no batch Job made, with the labels of other frameworks, are told their places in the
// order of their numbers (spec/topology.md §16); workloads that wait for somebody else's places;
// and what pods of elastic workloads are told.
namespace kueue::simulation {
namespace {

namespace names = api::names;
using Places = std::map<std::string, int>;

class TopologyPods : public TopologyWorld {
 protected:
  // As an operator makes it from the template that was started for a pod set.
  void AddPod(const std::string& name, const std::string& workload, const std::string& pod_set,
              const std::string& labels) {
    Add("apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
        ", namespace: default, labels: {kueue.x-k8s.io/podset: " + pod_set +
        (labels.empty() ? "" : ", " + labels) +
        "}, annotations: {kueue.x-k8s.io/workload: " + workload +
        ", kueue.x-k8s.io/podset-required-topology: rack, kueue-cpp.dev/run-seconds: '99999'}}\n"
        "spec: {restartPolicy: Never, schedulingGates: [{name: kueue.x-k8s.io/topology}], "
        "nodeSelector: {pool: tas}, containers: [{name: c, image: i, resources: {requests: "
        "{cpu: '2'}}}]}\n");
  }
  std::string NodeOf(const std::string& pod) {
    const auto json = world_.Get(api::KindOf<api::Pod>(), {"default", pod});
    return json.ok() ? json->StringAt({"spec", "nodeName"}) : "";
  }
};

// The launcher has the first number, the workers those after it.
TEST_F(TopologyPods, ALauncherAndItsWorkers) {
  const std::string where =
      "required: rack, podSetGroupName: g, podIndexLabel: training.kubeflow.org/replica-index";
  AddWorkload("mpi", PodSet("launcher", 1, "cpu: '2'", where) + ", " +
                         PodSet("worker", 3, "cpu: '2'", where));
  Run(5);
  const api::Workload workload = Get("mpi");
  ASSERT_TRUE(Has(workload, names::kAdmitted)) << WhyNot(workload);
  ASSERT_EQ(PlacesOf(workload, 0), (Places{{"m-1", 1}}));
  ASSERT_EQ(PlacesOf(workload, 1), (Places{{"m-1", 1}, {"m-2", 2}}));
  // In an order that is not that of their numbers.
  for (const char* index : {"3", "1", "2"}) {
    AddPod(std::string("worker-") + index, "mpi", "worker",
           std::string("training.kubeflow.org/replica-index: '") + index + "'");
  }
  AddPod("launcher", "mpi", "launcher", "training.kubeflow.org/replica-index: '0'");
  Run(5);
  EXPECT_EQ(NodeOf("launcher"), "m-1");
  EXPECT_EQ(NodeOf("worker-1"), "m-1");
  EXPECT_EQ(NodeOf("worker-2"), "m-2");
  EXPECT_EQ(NodeOf("worker-3"), "m-2");
}

TEST_F(TopologyPods, JobsOfAJobSetOneAfterTheOther) {
  AddWorkload("set", PodSet("workers", 4, "cpu: '2'",
                            "required: rack, podIndexLabel: "
                            "batch.kubernetes.io/job-completion-index, subGroupIndexLabel: "
                            "jobset.sigs.k8s.io/job-index, subGroupCount: 2"));
  Run(5);
  ASSERT_EQ(PlacesOf(Get("set")), (Places{{"m-1", 2}, {"m-2", 2}})) << WhyNot(Get("set"));
  for (const char* job : {"1", "0"}) {
    for (const char* index : {"1", "0"}) {
      AddPod(std::string("pod-") + job + index, "set", "workers",
             std::string("jobset.sigs.k8s.io/job-index: '") + job +
                 "', batch.kubernetes.io/job-completion-index: '" + index + "'");
    }
  }
  Run(5);
  for (const char* pod : {"pod-00", "pod-01"}) EXPECT_EQ(NodeOf(pod), "m-1") << pod;
  for (const char* pod : {"pod-10", "pod-11"}) EXPECT_EQ(NodeOf(pod), "m-2") << pod;
}

// T21: a label of sub groups and no number of them.
TEST_F(TopologyPods, T21_SubGroupsWithoutACount) {
  AddWorkload("set", PodSet("workers", 4, "cpu: '2'",
                            "required: rack, podIndexLabel: "
                            "batch.kubernetes.io/job-completion-index, subGroupIndexLabel: "
                            "jobset.sigs.k8s.io/job-index"));
  Run(5);
  for (int i = 0; i < 4; ++i) {
    AddPod("pod-" + std::to_string(i), "set", "workers",
           "jobset.sigs.k8s.io/job-index: '0', batch.kubernetes.io/job-completion-index: '" +
               std::to_string(i) + "'");
  }
  Run(5);
  Places nodes;
  for (int i = 0; i < 4; ++i) ++nodes[NodeOf("pod-" + std::to_string(i))];
  EXPECT_EQ(nodes, (Places{{"m-1", 2}, {"m-2", 2}}));
}

// A pod group numbers its pods; one without a number switches to the order of creation.
TEST_F(TopologyPods, APodGroup) {
  AddWorkload("group", PodSet("main", 2, "cpu: '3'",
                              "required: rack, podIndexLabel: kueue.x-k8s.io/pod-group-pod-index"));
  Run(5);
  ASSERT_EQ(PlacesOf(Get("group")), (Places{{"m-1", 1}, {"m-2", 1}}));
  AddPod("first", "group", "main", "kueue.x-k8s.io/pod-group-pod-index: '1'");
  Run(1);
  AddPod("second", "group", "main", "kueue.x-k8s.io/pod-group-pod-index: '0'");
  Run(5);
  EXPECT_EQ(NodeOf("first"), "m-2");
  EXPECT_EQ(NodeOf("second"), "m-1");
}

class TopologyChecks : public TopologyWorld {
 protected:
  void AddCheck(const std::string& controller) {
    Add("apiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck\nmetadata: {name: c}\nspec: "
        "{controllerName: " +
        controller + "}\n");
    Patch<api::AdmissionCheck>(
        {"", "c"},
        R"({"status":{"conditions":[{"type":"Active","status":"True","reason":"Ok","message":"",)"
        R"("lastTransitionTime":"2026-01-01T00:00:00Z"}]}})",
        "status");
    Patch<api::ClusterQueue>(
        {"", "cq"}, R"({"spec":{"admissionChecksStrategy":{"admissionChecks":[{"name":"c"}]}}})");
    Run(2);
  }
  template <typename T>
  void Patch(const kube::ObjectKey& key, const std::string& patch, const std::string& sub = "") {
    const auto done = world_.Patch(api::KindOf<T>(), key, *api::ParseJson(patch), sub);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
};

// The manager of a MultiKueue keeps no places: its workload is admitted when the worker has found
// some, which whoever plays the check says (§15.4).
TEST_F(TopologyChecks, PlacesFoundElsewhereAdmit) {
  AddCheck("kueue.x-k8s.io/multikueue");
  AddWorkload("w", PodSet("main", 2, "cpu: '1'", "required: rack"));
  Run(5);
  api::Workload workload = Get("w");
  ASSERT_TRUE(workload.status.admission) << WhyNot(workload);
  EXPECT_EQ(workload.status.admission->pod_set_assignments[0].delayed_topology_request, "Pending");
  Patch<api::Workload>({"default", "w"},
                       R"({"status":{"admissionChecks":[{"name":"c","state":"Ready","message":"",)"
                       R"("lastTransitionTime":"2026-01-01T00:01:00Z"}]}})",
                       "status");
  Run(60);
  workload = Get("w");
  const api::Condition* admitted = api::FindCondition(workload.status.conditions, names::kAdmitted);
  ASSERT_NE(admitted, nullptr);
  EXPECT_EQ(admitted->reason, "PendingDelayedTopologyRequests");
  EXPECT_FALSE(workload.status.admission->pod_set_assignments[0].topology_assignment);

  api::Workload remote = workload;
  remote.status.admission->pod_set_assignments[0].topology_assignment.emplace();
  api::Workload after = workload;
  ASSERT_TRUE(controllers::TakeOverDelayedTopology(after, remote));
  const api::Json status = api::Encode(after);
  api::Json patch;
  patch["status"].Set("admission", *status.FindPath({"status", "admission"}));
  Patch<api::Workload>({"default", "w"}, api::WriteJson(patch), "status");
  Run(5);
  EXPECT_TRUE(Has(Get("w"), names::kAdmitted));
}

// The pods of an elastic job can be found by its first slice.
TEST_F(TopologyWorld, PodsOfElasticJobsNameTheirFirstSlice) {
  std::string job = JobOf({"grow", 2, "1"});
  job.replace(job.find("labels: {"), 9,
              "annotations: {kueue.x-k8s.io/elastic-job: 'true'}, labels: {");
  Add(job);
  Run(10);
  const api::Workload workload = WorkloadOf("grow");
  ASSERT_TRUE(Has(workload, names::kAdmitted)) << WhyNot(workload);
  EXPECT_EQ(workload.metadata.annotations.at(names::kWorkloadSliceName), workload.metadata.name);
  const auto pods = PodsOf("grow");
  ASSERT_EQ(pods.size(), 2u);
  for (const api::Pod& pod : pods) {
    EXPECT_EQ(pod.metadata.annotations.at(names::kWorkloadSliceName), workload.metadata.name);
  }
  EXPECT_EQ(NodesOf("grow"), (Places{{"m-1", 2}}));
}

}  // namespace
}  // namespace kueue::simulation
