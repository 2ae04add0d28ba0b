#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulation/dialect_world.h"

// Each row of docs/using/dialect.md, on the whole product.
namespace kueue::simulation {
namespace {

using base::minutes;
using base::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kClusterQueue[] = R"(
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: ai-cluster-queue}
spec:
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: default-flavor
      resources: [{name: cpu, nominalQuota: "4"}, {name: memory, nominalQuota: 200Gi}]
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - {name: a100, resources: [{name: nvidia.com/gpu, nominalQuota: "4"}]}
    - {name: v100, resources: [{name: nvidia.com/gpu, nominalQuota: "8"}]}
  - coveredResources: [amd.com/rocm]
    flavors:
    - {name: mi200, resources: [{name: amd.com/rocm, nominalQuota: "2"}]}
)";

std::string Queue(const std::string& name, const std::string& priority = "") {
  return "apiVersion: kueue.x-k8s.io/v1beta1\nkind: Queue\nmetadata: {name: " + name +
         "}\nspec: {clusterQueue: ai-cluster-queue" +
         (priority.empty() ? "" : ", priority: " + priority) + "}\n---\n";
}

std::string Work(const std::string& name, const std::string& queue, const std::string& cpu,
                 int priority = 0, int run_seconds = 60) {
  return "apiVersion: kueue.x-k8s.io/v1beta1\nkind: Workload\nmetadata: {name: " + name +
         "}\nspec:\n  queueName: " + queue + "\n  priority: " + std::to_string(priority) +
         "\n  podSets:\n  - name: main\n    spec:\n      activeDeadlineSeconds: " +
         std::to_string(run_seconds * 100) +
         "\n      containers: [{name: trainer, image: 'tensorflow/tensorflow:2.13.0', resources: "
         "{requests: {cpu: '" +
         cpu + "'}}}]\n---\n";
}

void MustApply(DialectWorld& world, const std::string& yaml) {
  const auto applied = world.Apply(yaml);
  ASSERT_TRUE(applied.ok()) << applied.error().message;
}

std::vector<std::string> Names(const std::vector<DialectWorld::Entry>& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  return names;
}

TEST(DialectTest, AHandWrittenWorkloadRunsToItsEnd) {
  DialectWorld world;
  MustApply(world,
            kClusterQueue + ("---\n" + Queue("ai-queue")) + Work("train-001", "ai-queue", "2"));
  world.Run(seconds(5));
  EXPECT_EQ(world.State("train-001"), "Admitted");
  const auto pods = world.world.All<api::Pod>();
  ASSERT_EQ(pods.size(), 1u);
  EXPECT_EQ(pods[0].metadata.name, "train-001-main-0");
  world.Run(minutes(1));
  EXPECT_EQ(world.State("train-001"), "Finished");
}

TEST(DialectTest, TheShortFormIsShownInTheCanonicalOne) {
  DialectWorld world;
  MustApply(world, Work("train-001", "ai-queue", "2"));
  for (const api::KindInfo* kind : {&api::KindOf<api::Workload>(), &Older("Workload")}) {
    const auto got = world.world.Get(*kind, {"default", "train-001"});
    ASSERT_TRUE(got.ok());
    const api::Json& set = got->FindPath({"spec", "podSets"})->AsArray()[0];
    EXPECT_EQ(set.Find("spec"), nullptr);
    EXPECT_EQ(set.Find("count")->AsInt(), 1);
    EXPECT_NE(set.FindPath({"template", "spec", "containers"}), nullptr);
  }
}

TEST(DialectTest, OffAWorkloadOnlyHoldsQuota) {
  DialectWorld world(false);
  MustApply(world, R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - {coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq}
spec: {clusterQueue: cq}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: Workload
metadata: {name: w}
spec:
  queueName: lq
  podSets:
  - name: main
    count: 1
    template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
)");
  world.Run(minutes(10));
  EXPECT_TRUE(world.Is("w", "Admitted"));
  EXPECT_EQ(world.State("w"), "") << "a word of the dialect";
  EXPECT_TRUE(world.world.All<api::Pod>().empty());
}

TEST(DialectTest, OffAQueueIsRefusedAndTheSelectorSaysWhatToAdd) {
  DialectWorld world(false);
  const auto queue = world.Apply(Queue("ai-queue"));
  ASSERT_FALSE(queue.ok());
  EXPECT_THAT(queue.error().message, HasSubstr("write a LocalQueue"));
  MustApply(world, kClusterQueue);
  world.Run(seconds(5));
  const auto queues = world.world.All<api::ClusterQueue>();
  const api::Condition* active = api::FindCondition(queues[0].status.conditions, "Active");
  ASSERT_NE(active, nullptr);
  EXPECT_THAT(active->message, HasSubstr("a100, v100, mi200"));
  EXPECT_FALSE(queues[0].spec.namespace_selector.has_value());
}

TEST(DialectTest, AQueueKeepsALocalQueue) {
  DialectWorld world;
  MustApply(world, Queue("ai-queue", "80"));
  world.Run(seconds(5));
  auto locals = world.world.All<api::LocalQueue>();
  ASSERT_EQ(locals.size(), 1u);
  EXPECT_EQ(locals[0].metadata.annotations[api::names::kQueuePriority], "80");
  api::Json patch;
  patch["spec"].Set("priority", 10);
  ASSERT_TRUE(
      world.world.Patch(api::KindOf<api::SimpleQueue>(), {"default", "ai-queue"}, patch).ok());
  world.Run(seconds(5));
  locals = world.world.All<api::LocalQueue>();
  EXPECT_EQ(locals[0].metadata.annotations[api::names::kQueuePriority], "10");
  ASSERT_TRUE(world.world.Delete(api::KindOf<api::SimpleQueue>(), {"default", "ai-queue"}).ok());
  world.Run(seconds(60));
  EXPECT_TRUE(world.world.All<api::LocalQueue>().empty());
}

TEST(DialectTest, AQueueLeavesALocalQueueOfOthersAlone) {
  DialectWorld world;
  MustApply(world,
            "apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: "
            "ai-queue}\nspec: {clusterQueue: other}\n");
  MustApply(world, Queue("ai-queue", "80"));
  world.Run(seconds(5));
  EXPECT_TRUE(world.world.All<api::LocalQueue>()[0].metadata.annotations.empty());
  const auto queue = world.world.All<api::SimpleQueue>();
  EXPECT_EQ(api::FindCondition(queue[0].status.conditions, "Active")->reason, "LocalQueueExists");
}

TEST(DialectTest, MissingFlavorsAreCreatedAndMarked) {
  DialectWorld world;
  MustApply(world, kClusterQueue);
  world.Run(seconds(5));
  const auto flavors = world.world.All<api::ResourceFlavor>();
  EXPECT_EQ(flavors.size(), 4u);
  for (const auto& flavor : flavors) {
    EXPECT_EQ(flavor.metadata.labels.count(api::names::kAutoCreated), 1u);
  }
  EXPECT_TRUE(
      api::IsConditionTrue(world.world.All<api::ClusterQueue>()[0].status.conditions, "Active"));
}

TEST(DialectTest, TheHigherWorkIsFirst) {
  DialectWorld world;
  MustApply(world, Queue("ai-queue"));
  MustApply(world, Work("low", "ai-queue", "3", 100) + Work("high", "ai-queue", "3", 1000));
  MustApply(world, kClusterQueue);
  world.Run(minutes(5));
  EXPECT_THAT(Names(world.admitted), ElementsAre("high", "low"));
}

TEST(DialectTest, TheHigherQueueIsBeforeTheHigherWork) {
  DialectWorld world;
  MustApply(world, Queue("low-queue", "10") + Queue("high-queue", "100") + Queue("middle", "80"));
  MustApply(world, Work("a", "low-queue", "3", 1000) + Work("b", "middle", "3", 10) +
                       Work("c", "high-queue", "3", 0) + Work("d", "high-queue", "3", 5));
  MustApply(world, kClusterQueue);
  world.Run(minutes(5));
  EXPECT_THAT(Names(world.admitted), ElementsAre("d", "c", "b", "a"));
}

TEST(DialectTest, AChangeOfQueuePriorityActsOnWhatWaits) {
  DialectWorld world;
  MustApply(world, Queue("one", "10") + Queue("two", "20"));
  MustApply(world, Work("a", "one", "3") + Work("b", "two", "3"));
  world.Run(seconds(5));
  api::Json patch;
  patch["spec"].Set("priority", 30);
  ASSERT_TRUE(world.world.Patch(api::KindOf<api::SimpleQueue>(), {"default", "one"}, patch).ok());
  world.Run(seconds(5));
  MustApply(world, kClusterQueue);
  world.Run(minutes(5));
  EXPECT_THAT(Names(world.admitted), ElementsAre("a", "b"));
}

TEST(DialectTest, AHigherQueueDisplacesALowerOne) {
  DialectWorld world;
  std::string queue = kClusterQueue;
  queue += "  preemption: {withinClusterQueue: LowerPriority}\n";
  MustApply(world, queue + "---\n" + Queue("low-queue", "10") + Queue("high-queue", "100"));
  MustApply(world, Work("low", "low-queue", "3", 1000));
  world.Run(seconds(3));
  ASSERT_EQ(world.State("low"), "Admitted");
  MustApply(world, Work("high", "high-queue", "3", 0));
  world.Run(seconds(4));
  EXPECT_EQ(world.State("high"), "Admitted");
  EXPECT_NE(world.State("low"), "Admitted");
  world.Run(minutes(5));
  EXPECT_EQ(world.State("high"), "Finished");
  EXPECT_EQ(world.State("low"), "Finished");
}

TEST(DialectTest, ALowerQueueDisplacesNobodyWhateverItsWork) {
  DialectWorld world;
  std::string queue = kClusterQueue;
  queue += "  preemption: {withinClusterQueue: LowerPriority}\n";
  MustApply(world, queue + "---\n" + Queue("low-queue", "10") + Queue("high-queue", "100"));
  MustApply(world, Work("high", "high-queue", "3", 0));
  world.Run(seconds(3));
  MustApply(world, Work("low", "low-queue", "3", 1000));
  world.Run(minutes(5));
  EXPECT_THAT(Names(world.finished), ElementsAre("high", "low"));
  EXPECT_FALSE(world.Work("high").status.scheduling_stats.has_value());
}

TEST(DialectTest, MoreQuotaActsAtOnceAndLessEvictsNobody) {
  DialectWorld world;
  MustApply(world, kClusterQueue + ("---\n" + Queue("ai-queue")));
  MustApply(world, Work("a", "ai-queue", "3", 1) + Work("b", "ai-queue", "3"));
  world.Run(seconds(3));
  ASSERT_EQ(world.State("a"), "Admitted");
  ASSERT_EQ(world.State("b"), "Pending");
  const auto set_quota = [&](const char* cpu) {
    auto queue = *world.world.Get(Older("ClusterQueue"), {"", "ai-cluster-queue"});
    queue["spec"]["resourceGroups"]
        .AsArray()[0]["flavors"]
        .AsArray()[0]["resources"]
        .AsArray()[0]
        .Set("nominalQuota", cpu);
    api::Json patch;
    patch.Set("spec", queue["spec"]);
    const auto patched = world.world.Patch(Older("ClusterQueue"), {"", "ai-cluster-queue"}, patch);
    ASSERT_TRUE(patched.ok()) << patched.error().message;
  };
  set_quota("6");
  world.Run(seconds(1));
  EXPECT_EQ(world.State("b"), "Admitted");
  set_quota("1");
  world.Run(seconds(1));
  EXPECT_EQ(world.State("a"), "Admitted");
  EXPECT_EQ(world.State("b"), "Admitted");
}

TEST(DialectTest, TeamsWithoutACohortAreIsolated) {
  DialectWorld world;
  for (const char* team : {"research", "production"}) {
    const std::string name = team;
    MustApply(world,
              "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: " + name +
                  "-team-queue}\nspec:\n  resourceGroups:\n  - coveredResources: "
                  "[cpu]\n    flavors: [{name: default-flavor, resources: [{name: cpu, "
                  "nominalQuota: '4'}]}]\n---\napiVersion: kueue.x-k8s.io/v1beta1\nkind: "
                  "Queue\nmetadata: {name: " +
                  name + "}\nspec: {clusterQueue: " + name + "-team-queue}\n");
  }
  MustApply(world, Work("a", "research", "3") + Work("b", "research", "3"));
  world.Run(seconds(4));
  EXPECT_EQ(world.State("b"), "Pending");
  world.Run(minutes(5));
  EXPECT_EQ(world.most.at("research-team-queue/default-flavor/cpu"), 3000);
  EXPECT_EQ(world.most.count("production-team-queue/default-flavor/cpu"), 0u);
}

TEST(DialectTest, FairSharingCountsWhatQueuesUsed) {
  DialectWorld world;
  std::string queue = kClusterQueue;
  queue += "  scheduling: {strategy: FairSharing}\n";
  MustApply(world, queue + "---\n" + Queue("greedy") + Queue("modest"));
  world.Run(seconds(2));
  MustApply(world, Work("g1", "greedy", "3"));
  world.Run(seconds(1));
  MustApply(world, Work("g2", "greedy", "3"));
  world.Run(seconds(1));
  MustApply(world, Work("m1", "modest", "3"));
  world.Run(minutes(5));
  EXPECT_THAT(Names(world.admitted), ElementsAre("g1", "m1", "g2"));
}

TEST(DialectTest, FifoLetsNobodyOvertake) {
  DialectWorld world;
  std::string queue = kClusterQueue;
  queue += "  scheduling: {strategy: FIFO}\n";
  MustApply(world, queue + "---\n" + Queue("ai-queue"));
  world.Run(seconds(2));
  MustApply(world, Work("running", "ai-queue", "3"));
  world.Run(seconds(1));
  MustApply(world, Work("large", "ai-queue", "4"));
  world.Run(seconds(1));
  MustApply(world, Work("small", "ai-queue", "1"));
  world.Run(minutes(5));
  EXPECT_THAT(Names(world.admitted), ElementsAre("running", "large", "small"));
}

TEST(DialectTest, SeriesThatAreAskedForAreServed) {
  DialectWorld world;
  std::string queue = kClusterQueue;
  queue +=
      "  metrics: [{name: workload_scheduled, type: counter}, {name: resource_utilization, type: "
      "gauge}]\n";
  MustApply(world, queue + "---\n" + Queue("ai-queue"));
  world.Run(seconds(2));
  MustApply(world, Work("one", "ai-queue", "1"));
  world.Run(seconds(2));
  manager::QueueMetrics& served = world.world.plane().manager().metrics();
  const metrics::LabelValues cell = {"ai-cluster-queue", "cpu", "default-flavor"};
  EXPECT_EQ(served.Value("kueue_workload_scheduled_total", cell), 1);
  EXPECT_EQ(served.Value("kueue_resource_utilization", cell), 0.25);
}

TEST(DialectTest, FinishedWorkIsSelectedByItsState) {
  DialectWorld world;
  MustApply(world, kClusterQueue + ("---\n" + Queue("ai-queue")));
  MustApply(world, Work("done", "ai-queue", "1"));
  world.Run(minutes(1));
  MustApply(world, Work("large", "ai-queue", "9"));
  world.Run(seconds(5));
  EXPECT_EQ(world.State("done"), "Finished");
  EXPECT_EQ(world.State("large"), "Pending");
  api::Json lie;
  lie["status"].Set("state", "Finished");
  ASSERT_TRUE(
      world.world.Patch(api::KindOf<api::Workload>(), {"default", "large"}, lie, "status").ok());
  EXPECT_EQ(world.State("large"), "Pending");
}

}  // namespace
}  // namespace kueue::simulation
