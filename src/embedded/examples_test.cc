#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

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
    if (name.rfind("sample-job", 0) != 0) continue;
    ClusterUnderTest cluster("4x(cpu=16,memory=64Gi)");
    ApplyFile(cluster, "admin/single-clusterqueue-setup.yaml");
    ApplyFile(cluster, "jobs/" + name);
    cluster.executor.RunFor(seconds(300));
    EXPECT_GT(cluster.All(api::KindOf<api::Workload>()).size(), 0u) << name;
  }
}

TEST(Examples, AQueueWithATopologyIsTaken) {
  if (FolderOfExamples().empty()) GTEST_SKIP() << "KUEUE_EXAMPLES names no folder";
  ClusterUnderTest cluster;
  ApplyFile(cluster, "tas/sample-queues.yaml");
  cluster.executor.RunFor(seconds(5));
  EXPECT_GT(cluster.All(api::KindOf<api::ClusterQueue>()).size(), 0u);
}

}  // namespace
}  // namespace kueue::embedded
