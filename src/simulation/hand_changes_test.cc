#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/types/batch.h"
#include "api/types/names.h"
#include "simulation/world.h"

// What users change by hand while work waits or runs: every job that can run ends all the same, and
// no quota is held for one that never starts.
namespace kueue::simulation {
namespace {

constexpr char kQueues[] = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
spec: {nodeLabels: {pool: spot}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: steady}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - {name: spot, resources: [{name: cpu, nominalQuota: "4"}]}
    - {name: steady, resources: [{name: cpu, nominalQuota: "4"}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: default}
spec: {clusterQueue: cq}
)";

class HandChangesTest : public testing::Test {
 protected:
  static WorldOptions Options() {
    WorldOptions options;
    options.plane.cluster.nodes =
        *localcluster::ParseNodeSpec("1x(cpu=4,label:pool=spot,name-prefix=spot),2x(cpu=4)");
    return options;
  }
  void SetUp() override {
    const auto created = world_.CreateAll(kQueues);
    ASSERT_TRUE(created.ok()) << created.error().message;
    Run(5);
  }
  void Run(int seconds) { world_.executor().RunFor(base::seconds(seconds)); }
  void Submit(const std::string& name, int parallelism, int completions, int cpu, int seconds) {
    const auto created = world_.CreateAll(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: " + name +
        ", namespace: default, labels: {kueue.x-k8s.io/queue-name: lq}}\nspec: {parallelism: " +
        std::to_string(parallelism) + ", completions: " + std::to_string(completions) +
        ", template: {metadata: {annotations: {kueue-cpp.dev/run-seconds: '" +
        std::to_string(seconds) + "'}}, spec: {restartPolicy: Never, containers: [{name: c, " +
        "image: i, resources: {requests: {cpu: '" + std::to_string(cpu) + "'}}}]}}}\n");
    ASSERT_TRUE(created.ok()) << created.error().message;
  }
  void PatchJob(const std::string& name, const std::string& patch) {
    const auto done =
        world_.Patch(api::KindOf<api::Job>(), {"default", name}, *api::ParseJson(patch));
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  api::Job JobNamed(const std::string& name) {
    auto json = world_.Get(api::KindOf<api::Job>(), {"default", name});
    KUEUE_CHECK_MSG(json.ok(), name);
    return *api::Decode<api::Job>(*json);
  }
  bool Running(const std::string& name) {
    const api::Job job = JobNamed(name);
    return job.status.active > 0 && !job.spec.suspend.value_or(false);
  }
  bool Completed(const std::string& name) {
    for (const auto& c : JobNamed(name).status.conditions) {
      if (c.type == "Complete" && c.status == api::ConditionStatus::kTrue) return true;
    }
    return false;
  }
  // With this ClusterQueue patched so, `spot` has no quota any more.
  void CloseSpot() {
    const auto done = world_.Patch(api::KindOf<api::ClusterQueue>(), {"", "cq"}, *api::ParseJson(R"(
        {"spec": {"resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
            {"name": "spot", "resources": [{"name": "cpu", "nominalQuota": "0"}]},
            {"name": "steady", "resources": [{"name": "cpu", "nominalQuota": "4"}]}]}]}})"));
    ASSERT_TRUE(done.ok()) << done.error().message;
  }

  World world_{Options()};
};

// The stop takes several writes. A workload made before the last of them could be admitted in
// between, and then the job was neither suspended nor running, with its quota held.
TEST_F(HandChangesTest, AJobThatGrowsWhileItRunsIsStoppedAndStartsAgain) {
  Submit("grows", 0, 3, 1, 5);
  Run(5);
  PatchJob("grows", R"({"spec": {"parallelism": 3}})");
  Run(30);
  EXPECT_TRUE(Completed("grows"));
}

// What the admission put into the template comes out again, or the next admission is bound to it.
TEST_F(HandChangesTest, AChangedJobMayGoToAnotherFlavor) {
  Submit("moves", 1, 2, 2, 20);
  Run(5);
  ASSERT_TRUE(Running("moves"));
  ASSERT_EQ(JobNamed("moves").spec.pod_template.spec.node_selector.count("pool"), 1u);
  CloseSpot();
  PatchJob("moves", R"({"spec": {"parallelism": 2}})");
  Run(60);
  EXPECT_TRUE(Completed("moves"));
  EXPECT_EQ(JobNamed("moves").spec.pod_template.spec.node_selector.count("pool"), 0u);
}

TEST_F(HandChangesTest, AJobWhoseWorkloadIsDeletedMayGoToAnotherFlavor) {
  Submit("moves", 1, 1, 4, 20);
  Run(5);
  ASSERT_TRUE(Running("moves"));
  CloseSpot();
  const auto workloads = world_.All<api::Workload>();
  ASSERT_EQ(workloads.size(), 1u);
  ASSERT_TRUE(
      world_.Delete(api::KindOf<api::Workload>(), {"default", workloads[0].metadata.name}).ok());
  Run(60);
  EXPECT_TRUE(Completed("moves"));
  EXPECT_EQ(JobNamed("moves").spec.pod_template.spec.node_selector.count("pool"), 0u);
}

TEST_F(HandChangesTest, AJobThatLosesItsQueueLabelHoldsNoQuota) {
  Submit("first", 1, 1, 4, 20);
  Submit("second", 1, 1, 4, 20);
  Run(5);
  Submit("leaves", 1, 1, 4, 5);
  Run(5);
  PatchJob("leaves", R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": null}}})");
  Run(60);
  EXPECT_TRUE(JobNamed("leaves").spec.suspend.value_or(false)) << "it is its owner's to start";
  Submit("third", 1, 1, 4, 5);
  Submit("fourth", 1, 1, 4, 5);
  Run(30);
  EXPECT_TRUE(Completed("third"));
  EXPECT_TRUE(Completed("fourth"));
  PatchJob("leaves", R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "lq"}}})");
  Run(30);
  EXPECT_TRUE(Completed("leaves"));
}

}  // namespace
}  // namespace kueue::simulation
