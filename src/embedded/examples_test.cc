#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "api/match/topology_assignment.h"
#include "api/types/kueue.h"
#include "embedded/cluster_under_test.h"

// The examples of the reference's documentation, applied end to end. They are not part of this
// project: KUEUE_EXAMPLES names the folder that has them, and without it the test says that it was
// skipped.
namespace kueue::embedded {
namespace {

using base::seconds;

std::string FolderOfExamples() {
  const char* folder = std::getenv("KUEUE_EXAMPLES");
  return folder == nullptr ? "" : folder;
}

// The objects of a file. Empty where it cannot be read.
std::vector<api::Json> ObjectsOf(const std::string& file) {
  std::ifstream in(FolderOfExamples() + "/" + file);
  std::stringstream text;
  text << in.rdbuf();
  const auto documents = api::ParseYaml(text.str());
  return documents.ok() ? *documents : std::vector<api::Json>();
}

// Applies a file; objects with generateName get what the server makes of it.
void ApplyFile(ClusterUnderTest& cluster, const std::string& file) {
  const auto objects = ObjectsOf(file);
  ASSERT_FALSE(objects.empty()) << file;
  for (const api::Json& object : objects) {
    if (!object.IsObject()) continue;
    const api::KindInfo* kind = api::FindKindOf(object);
    ASSERT_NE(kind, nullptr) << file;
    const std::string space = object.StringAt({"metadata", "namespace"}, "default");
    const auto answer =
        cluster.Ask("POST", ClusterUnderTest::PathOf(*kind, space), api::WriteJson(object));
    ASSERT_EQ(answer.status, 201) << file << ": " << answer.body;
  }
}

class Examples : public testing::Test {
 protected:
  void SetUp() override {
    if (FolderOfExamples().empty()) GTEST_SKIP() << "KUEUE_EXAMPLES names no folder";
  }
  static size_t Completed(ClusterUnderTest& cluster) {
    size_t count = 0;
    for (const api::Json& job : cluster.All(api::KindOf<api::Job>())) {
      count += cluster.Condition(job, "Complete") == "True/CompletionsReached";
    }
    return count;
  }
  static size_t Suspended(ClusterUnderTest& cluster) {
    size_t count = 0;
    for (const api::Json& job : cluster.All(api::KindOf<api::Job>())) {
      const api::Json* suspend = job.FindPath({"spec", "suspend"});
      count += suspend != nullptr && suspend->IsBool() && suspend->AsBool();
    }
    return count;
  }
  static std::string QueueSays(ClusterUnderTest& cluster, const std::string& name) {
    return cluster.Condition(cluster.Get(api::KindOf<api::ClusterQueue>(), name), "Active");
  }
};

// The first page: three pods, and the job ends.
TEST_F(Examples, GettingStarted) {
  ClusterUnderTest cluster("4x(cpu=16,memory=64Gi)");
  ApplyFile(cluster, "getting-started/quick-start-setup.yaml");
  ApplyFile(cluster, "getting-started/quick-start-job.yaml");
  cluster.executor.RunFor(seconds(10));
  EXPECT_EQ(QueueSays(cluster, "cluster-queue"), "True/Ready");
  EXPECT_EQ(cluster.LivePods().size(), 3u);
  cluster.executor.RunFor(seconds(110));
  EXPECT_EQ(Completed(cluster), 1u);
}

TEST_F(Examples, AdminOneClusterQueue) {
  ClusterUnderTest cluster("4x(cpu=16,memory=64Gi)");
  ApplyFile(cluster, "admin/single-clusterqueue-setup.yaml");
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(QueueSays(cluster, "cluster-queue"), "True/Ready");
  EXPECT_EQ(cluster.Condition(cluster.Get(api::KindOf<api::LocalQueue>(), "user-queue"), "Active"),
            "True/Ready");
}

TEST_F(Examples, AdminFlavors) {
  ClusterUnderTest cluster;
  ApplyFile(cluster, "admin/resource-flavor-empty.yaml");
  ApplyFile(cluster, "admin/resource-flavor-taints.yaml");
  cluster.Delete(api::KindOf<api::ResourceFlavor>(), "spot");
  cluster.executor.RunFor(seconds(5));
  ApplyFile(cluster, "admin/resource-flavor-tolerations.yaml");
  EXPECT_EQ(cluster.All(api::KindOf<api::ResourceFlavor>()).size(), 2u);
}

// The page shows how checks are named. A queue without flavors is refused where a check names one
// (report W05); with the flavor it is taken, and says that the checks are not there yet.
TEST_F(Examples, AdminChecksPerFlavor) {
  ClusterUnderTest cluster;
  ApplyFile(cluster, "admin/resource-flavor-empty.yaml");
  api::Json queue = ObjectsOf("admin/minimal-cq.yaml").at(0);
  const api::KindInfo& kind = api::KindOf<api::ClusterQueue>();
  const auto answer =
      cluster.Ask("POST", ClusterUnderTest::PathOf(kind, ""), api::WriteJson(queue));
  EXPECT_EQ(answer.status, 403);
  EXPECT_NE(answer.body.find("onFlavors[0]"), std::string::npos) << answer.body;
  queue["spec"].Set("resourceGroups", *api::ParseJson(R"([{"coveredResources": ["cpu"], "flavors": [
      {"name": "default-flavor", "resources": [{"name": "cpu", "nominalQuota": 1}]}]}])"));
  const auto again = cluster.Ask("POST", ClusterUnderTest::PathOf(kind, ""), api::WriteJson(queue));
  ASSERT_EQ(again.status, 201) << again.body;
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(QueueSays(cluster, "cluster-queue-2"), "False/AdmissionCheckNotFound");
}

TEST_F(Examples, AdminConcurrentAdmission) {
  ClusterUnderTest cluster;
  ApplyFile(cluster, "admin/concurrent-admission-setup.yaml");
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(QueueSays(cluster, "team-cluster-queue"), "True/Ready");
}

// Credits for both flavors together: of jobs with three cpus each, four have them at a time.
TEST_F(Examples, AdminQuotaSharedByFlavors) {
  ControlPlaneOptions options;
  options.manager.scheduling.transformations = {
      {"cpu", false, "", {{"cpu_credits", api::Quantity::FromUnits(1)}}}};
  ClusterUnderTest cluster("2x(cpu=16,label:node-type=on-demand),2x(cpu=16,label:node-type=spot)",
                           std::move(options));
  ApplyFile(cluster, "admin/shared-quota-setup.yaml");
  for (int i = 0; i < 6; ++i) ApplyFile(cluster, "admin/shared-quota-sample-job.yaml");
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(QueueSays(cluster, "team-cluster-queue"), "True/Ready");
  EXPECT_EQ(Suspended(cluster), 2u);
  cluster.executor.RunFor(base::minutes(3));
  EXPECT_EQ(Completed(cluster), 6u);
}

// Three pods at a time, one job a minute; old ones are forgotten.
TEST_F(Examples, ACronJobsJobsAreQueued) {
  ClusterUnderTest cluster("4x(cpu=16,memory=64Gi)");
  ApplyFile(cluster, "admin/single-clusterqueue-setup.yaml");
  ApplyFile(cluster, "jobs/sample-cronjob.yaml");
  cluster.executor.RunFor(base::minutes(10) + seconds(50));
  EXPECT_EQ(Completed(cluster), 3u) << "successfulJobsHistoryLimit";
  EXPECT_EQ(cluster.All(api::KindOf<api::Workload>()).size(), 3u);
  for (const api::Json& workload : cluster.All(api::KindOf<api::Workload>())) {
    EXPECT_EQ(cluster.Condition(workload, "Finished"), "True/Succeeded");
  }
}

TEST_F(Examples, TheSampleJobRuns) {
  ClusterUnderTest cluster("4x(cpu=16,memory=64Gi)");
  ApplyFile(cluster, "admin/single-clusterqueue-setup.yaml");
  ApplyFile(cluster, "jobs/sample-job.yaml");
  cluster.executor.RunFor(seconds(120));
  EXPECT_EQ(Completed(cluster), 1u);
  EXPECT_EQ(cluster.All(api::KindOf<api::Workload>()).size(), 1u);
}

// Twenty pods wanted, nine fit: nine at a time until all twenty are done.
TEST_F(Examples, TheSampleJobWithPartialAdmissionRunsWithWhatFits) {
  ClusterUnderTest cluster("4x(cpu=16,memory=64Gi)");
  ApplyFile(cluster, "admin/single-clusterqueue-setup.yaml");
  ApplyFile(cluster, "jobs/sample-job-partial-admission.yaml");
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(cluster.LivePods().size(), 9u);
  cluster.executor.RunFor(seconds(120));
  EXPECT_EQ(Completed(cluster), 1u);
  EXPECT_EQ(
      ClusterUnderTest::Number(cluster.Get(api::KindOf<api::Job>(), "sample-job-partial-admission"),
                               {"status", "succeeded"}),
      20);
}

// JobSets need a definition that is not built in: the file is refused as in a cluster without it.
TEST_F(Examples, JobsOfAnUnknownKindAreRefusedByTheServer) {
  ClusterUnderTest cluster;
  for (const auto& entry : std::filesystem::directory_iterator(FolderOfExamples() + "/jobs")) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("sample-jobset", 0) != 0) continue;
    for (const api::Json& object : ObjectsOf("jobs/" + name)) {
      if (!object.IsObject() || api::FindKindOf(object) != nullptr) continue;
      const auto answer = cluster.Ask(
          "POST", "/apis/" + object.StringAt({"apiVersion"}) + "/namespaces/default/jobsets",
          api::WriteJson(object));
      EXPECT_EQ(answer.status, 404) << name << ": " << answer.body;
    }
  }
}

// The page's cluster: a block of two racks of two machines.
TEST_F(Examples, JobsArePlacedByTopology) {
  const std::string labels =
      "label:cloud.provider.com/node-group=tas-group,"
      "label:cloud.provider.com/topology-block=b1,label:cloud.provider.com/topology-rack=";
  ClusterUnderTest cluster("2x(cpu=16,memory=64Gi,name-prefix=a," + labels +
                           "r1),2x(cpu=16,memory=64Gi,name-prefix=b," + labels + "r2)");
  ApplyFile(cluster, "tas/sample-queues.yaml");
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(QueueSays(cluster, "tas-cluster-queue"), "True/Ready");
  for (const char* file : {"tas/sample-job-required.yaml", "tas/sample-job-preferred.yaml",
                           "tas/sample-job-unconstrained.yaml"}) {
    ApplyFile(cluster, file);
    cluster.executor.RunFor(seconds(2));
  }
  EXPECT_EQ(cluster.LivePods().size(), 56u);
  EXPECT_EQ(Suspended(cluster), 0u);
  std::map<std::string, std::set<std::string>> racks;  // by the beginning of the job's name
  for (const api::Json& pod : cluster.LivePods()) {
    const std::string node = pod.StringAt({"spec", "nodeName"});
    ASSERT_FALSE(node.empty());
    racks[pod.StringAt({"metadata", "name"}).substr(0, 12)].insert(node.substr(0, 1));
  }
  EXPECT_EQ(racks["tas-sample-r"].size(), 1u) << "all pods in one rack";
}

// Machines as the example of a kind cluster labels them.
std::string LabelledMachines() {
  std::string nodes;
  for (const char* block : {"b1", "b2"}) {
    for (const char* rack : {"r1", "r2"}) {
      nodes += std::string(nodes.empty() ? "" : ",") +
               "2x(cpu=16,memory=64Gi,label:cloud.provider.com/node-group=tas-group," +
               "label:cloud.provider.com/topology-block=" + block +
               ",label:cloud.provider.com/topology-rack=" + rack + ")";
    }
  }
  return nodes;
}

// Running pods by node, of the jobs whose names begin so.
std::map<std::string, int> NodesOf(ClusterUnderTest& cluster, const std::string& job) {
  std::map<std::string, int> nodes;
  for (const api::Json& pod : cluster.LivePods()) {
    if (pod.StringAt({"metadata", "name"}).rfind(job, 0) == 0 &&
        pod.StringAt({"status", "phase"}) == "Running") {
      ++nodes[pod.StringAt({"spec", "nodeName"})];
    }
  }
  return nodes;
}

// The nodes and counts that Kueue assigned to that job.
std::map<std::string, int> PlacesOf(ClusterUnderTest& cluster, const std::string& job) {
  std::map<std::string, int> places;
  for (const api::Json& json : cluster.All(api::KindOf<api::Workload>())) {
    const auto workload = api::Decode<api::Workload>(json);
    if (!workload.ok() || !workload->status.admission) continue;
    if (workload->metadata.name.rfind("job-" + job, 0) != 0) continue;
    const auto& assignment = workload->status.admission->pod_set_assignments.at(0);
    if (!assignment.topology_assignment) continue;
    const auto domains = api::DecodeTopology(*assignment.topology_assignment);
    for (const auto& domain : *domains) {
      places[domain.values.back()] += domain.count;
    }
  }
  return places;
}

TEST_F(Examples, PodsLandWhereTheTopologySays) {
  ControlPlaneOptions options;
  options.cluster.pods.default_run = base::hours(10);
  ClusterUnderTest cluster(LabelledMachines(), options);
  ApplyFile(cluster, "tas/sample-queues.yaml");
  cluster.executor.RunFor(seconds(5));
  for (const char* name : {"required", "preferred", "unconstrained"}) {
    ApplyFile(cluster, std::string("tas/sample-job-") + name + ".yaml");
    cluster.executor.RunFor(seconds(10));
  }
  int pods = 0;
  for (const char* name : {"required", "preferred", "unconstrained"}) {
    const std::string job = std::string("tas-sample-") + name;
    const auto nodes = NodesOf(cluster, job);
    EXPECT_EQ(nodes, PlacesOf(cluster, job)) << name;
    for (const auto& entry : nodes) pods += entry.second;
  }
  EXPECT_EQ(pods, 10 + 40 + 6);

  // A machine dies, and others take the pods. (Those of the required job are more than its
  // backoffLimit; it would fail.)
  const auto before = NodesOf(cluster, "tas-sample-unconstrained");
  ASSERT_EQ(before.size(), 1u);
  cluster.Delete(api::KindOf<api::Node>(), before.begin()->first);
  cluster.executor.RunFor(seconds(60));
  const auto after = NodesOf(cluster, "tas-sample-unconstrained");
  EXPECT_EQ(after, PlacesOf(cluster, "tas-sample-unconstrained"));
  EXPECT_FALSE(after.contains(before.begin()->first));
  int again = 0;
  for (const auto& entry : after) again += entry.second;
  EXPECT_EQ(again, 6);
}

}  // namespace
}  // namespace kueue::embedded
