#include "simulation/world.h"

#include <gtest/gtest.h>

#include "api/types/batch.h"
#include "api/types/names.h"

namespace kueue::simulation {
namespace {

constexpr char kQueues[] = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  preemption: {withinClusterQueue: LowerPriority}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: default, resources: [{name: cpu, nominalQuota: "4"}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: default}
spec: {clusterQueue: cq}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: high}
value: 100
)";

std::string JobYaml(const std::string& name, int pods, int cpu, int seconds,
                    const std::string& labels = "kueue.x-k8s.io/queue-name: lq") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: " + name +
         ", namespace: default, labels: {" + labels +
         "}}\nspec: {parallelism: " + std::to_string(pods) +
         ", completions: " + std::to_string(pods) +
         ", template: {metadata: {annotations: {kueue-cpp.dev/run-seconds: '" +
         std::to_string(seconds) + "'}}, spec: {restartPolicy: Never, containers: [{name: c, " +
         "image: i, resources: {requests: {cpu: '" + std::to_string(cpu) + "'}}}]}}}\n";
}

class WorldTest : public testing::Test {
 protected:
  static WorldOptions Options() {
    WorldOptions options;
    options.plane.cluster.nodes = *localcluster::ParseNodeSpec("2x(cpu=4)");
    return options;
  }
  void SetUp() override {
    const auto created = world_.CreateAll(kQueues);
    ASSERT_TRUE(created.ok()) << created.error().message;
    world_.executor().RunFor(base::seconds(5));
  }
  void Apply(const std::string& yaml) {
    const auto created = world_.CreateAll(yaml);
    ASSERT_TRUE(created.ok()) << created.error().message;
  }
  api::Job JobNamed(const std::string& name) {
    auto json = world_.Get(api::KindOf<api::Job>(), {"default", name});
    KUEUE_CHECK_MSG(json.ok(), name);
    return *api::Decode<api::Job>(*json);
  }
  api::Workload WorkloadOf(const std::string& job) {
    for (api::Workload& w : world_.All<api::Workload>()) {
      const api::OwnerReference* owner = api::ControllerOf(w.metadata);
      if (owner != nullptr && owner->name == job) return w;
    }
    return {};
  }
  std::string QuotaReason(const std::string& job) {
    const api::Workload w = WorkloadOf(job);
    const api::Condition* c = api::FindCondition(w.status.conditions, api::names::kQuotaReserved);
    return c == nullptr ? "" : c->reason;
  }
  bool Ended(const std::string& job) {
    for (const auto& c : JobNamed(job).status.conditions) {
      if (c.type == "Complete" && c.status == api::ConditionStatus::kTrue) return true;
    }
    return false;
  }

  World world_{Options()};
};

TEST_F(WorldTest, AJobRunsToItsEnd) {
  Apply(JobYaml("one", 2, 1, 30));
  EXPECT_TRUE(JobNamed("one").spec.suspend.value_or(false)) << "the webhook suspends it";
  world_.executor().RunFor(base::seconds(20));
  EXPECT_FALSE(JobNamed("one").spec.suspend.value_or(false));
  EXPECT_EQ(JobNamed("one").status.active, 2);
  world_.executor().RunFor(base::seconds(30));
  EXPECT_TRUE(Ended("one"));
  EXPECT_TRUE(api::IsConditionTrue(WorkloadOf("one").status.conditions, api::names::kFinished));
}

TEST_F(WorldTest, WhatDoesNotFitWaitsAndFollows) {
  Apply(JobYaml("first", 1, 3, 60));
  world_.executor().RunFor(base::seconds(5));
  Apply(JobYaml("second", 1, 3, 60));
  world_.executor().RunFor(base::seconds(10));
  EXPECT_TRUE(JobNamed("second").spec.suspend.value_or(false));
  EXPECT_EQ(QuotaReason("second"), "WaitingForQuota");
  world_.executor().RunFor(base::seconds(120));
  EXPECT_TRUE(Ended("first"));
  EXPECT_TRUE(Ended("second"));
}

TEST_F(WorldTest, WorkTooLargeForTheQueueIsToldSo) {
  Apply(JobYaml("huge", 1, 5, 60));
  world_.executor().RunFor(base::seconds(10));
  EXPECT_EQ(QuotaReason("huge"), "ExceedsMaxQuota");
}

TEST_F(WorldTest, HigherPriorityDisplacesLowerWhichComesBack) {
  Apply(JobYaml("low", 1, 3, 100));
  world_.executor().RunFor(base::seconds(10));
  Apply(JobYaml("high", 1, 3, 20,
                "kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/priority-class: high"));
  world_.executor().RunFor(base::seconds(15));
  EXPECT_TRUE(JobNamed("low").spec.suspend.value_or(false));
  EXPECT_FALSE(JobNamed("high").spec.suspend.value_or(false));
  world_.executor().RunFor(base::seconds(200));
  EXPECT_TRUE(Ended("high"));
  EXPECT_TRUE(Ended("low"));
  EXPECT_EQ(WorkloadOf("low").status.scheduling_stats->evictions[0].reason, "Preempted");
}

TEST_F(WorldTest, DeletingAJobFreesItsQuota) {
  Apply(JobYaml("first", 1, 4, 10000));
  world_.executor().RunFor(base::seconds(10));
  Apply(JobYaml("second", 1, 4, 10));
  world_.executor().RunFor(base::seconds(10));
  ASSERT_TRUE(JobNamed("second").spec.suspend.value_or(false));
  ASSERT_TRUE(world_.Delete(api::KindOf<api::Job>(), {"default", "first"}).ok());
  world_.executor().RunFor(base::seconds(60));
  EXPECT_TRUE(Ended("second"));
  EXPECT_EQ(world_.All<api::Workload>().size(), 1u) << "the deleted job's workload goes with it";
}

TEST_F(WorldTest, AJobWithoutAQueueIsLeftAlone) {
  Apply(JobYaml("free", 1, 1, 10, "team: x"));
  world_.executor().RunFor(base::seconds(30));
  EXPECT_TRUE(Ended("free"));
  EXPECT_TRUE(world_.All<api::Workload>().empty());
}

// Invariant 8: nothing is written that says nothing new.
TEST_F(WorldTest, AnUnchangedWorldIsSilent) {
  Apply(JobYaml("running", 1, 3, 100000));
  Apply(JobYaml("waiting", 1, 3, 60));
  Apply(JobYaml("huge", 1, 5, 60));
  world_.executor().RunFor(base::minutes(10));
  const uint64_t before = world_.writes();
  world_.executor().RunFor(base::minutes(30));
  EXPECT_EQ(world_.writes(), before);
}

TEST_F(WorldTest, QueueStatusesTellWhatIsGoingOn) {
  Apply(JobYaml("running", 1, 3, 1000));
  Apply(JobYaml("waiting", 1, 3, 60));
  world_.executor().RunFor(base::seconds(30));
  const auto queues = world_.All<api::ClusterQueue>();
  ASSERT_EQ(queues.size(), 1u);
  EXPECT_EQ(queues[0].status.admitted_workloads, 1);
  EXPECT_EQ(queues[0].status.pending_workloads, 1);
  ASSERT_EQ(queues[0].status.flavors_usage.size(), 1u);
  EXPECT_EQ(queues[0].status.flavors_usage[0].resources[0].total.ToString(), "3");
  const auto locals = world_.All<api::LocalQueue>();
  EXPECT_EQ(locals[0].status.pending_workloads, 1);
}

}  // namespace
}  // namespace kueue::simulation
