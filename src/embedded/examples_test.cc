#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
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

size_t Completed(ClusterUnderTest& cluster) {
  size_t count = 0;
  for (const api::Json& job : cluster.All(api::KindOf<api::Job>())) {
    count += cluster.Condition(job, "Complete") == "True/CompletionsReached";
  }
  return count;
}

TEST(Examples, TheFirstJobRuns) {
  if (FolderOfExamples().empty()) GTEST_SKIP() << "KUEUE_EXAMPLES names no folder";
  ClusterUnderTest cluster("4x(cpu=16,memory=64Gi)");
  ApplyFile(cluster, "getting-started/quick-start-setup.yaml");
  ApplyFile(cluster, "getting-started/quick-start-job.yaml");
  cluster.executor.RunFor(seconds(120));
  EXPECT_EQ(Completed(cluster), 1u);
}

TEST(Examples, ACronJobsJobsAreQueued) {
  if (FolderOfExamples().empty()) GTEST_SKIP() << "KUEUE_EXAMPLES names no folder";
  ClusterUnderTest cluster("4x(cpu=16,memory=64Gi)");
  ApplyFile(cluster, "admin/single-clusterqueue-setup.yaml");
  ApplyFile(cluster, "jobs/sample-cronjob.yaml");
  cluster.executor.RunFor(base::minutes(10));
  EXPECT_GT(Completed(cluster), 0u);
  EXPECT_GT(cluster.All(api::KindOf<api::Workload>()).size(), 0u);
}

TEST(Examples, EveryJobOfTheFolderIsTaken) {
  if (FolderOfExamples().empty()) GTEST_SKIP() << "KUEUE_EXAMPLES names no folder";
  for (const auto& entry : std::filesystem::directory_iterator(FolderOfExamples() + "/jobs")) {
    const std::string name = entry.path().filename().string();
    // Further kinds of jobs have names that begin alike.
    if (name != "sample-job.yaml" && name.rfind("sample-job-", 0) != 0) continue;
    ClusterUnderTest cluster("4x(cpu=16,memory=64Gi)");
    ApplyFile(cluster, "admin/single-clusterqueue-setup.yaml");
    ApplyFile(cluster, "jobs/" + name);
    cluster.executor.RunFor(seconds(300));
    EXPECT_GT(cluster.All(api::KindOf<api::Workload>()).size(), 0u) << name;
  }
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

TEST(Examples, PodsLandWhereTheTopologySays) {
  if (FolderOfExamples().empty()) GTEST_SKIP() << "KUEUE_EXAMPLES names no folder";
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
