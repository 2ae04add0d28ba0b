#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded/cluster_under_test.h"

// Kinds of groups apps and batch as users of a cluster know them, in virtual time.
namespace kueue::embedded {
namespace {

using base::minutes;
using base::seconds;

const api::KindInfo& Deployment() { return ClusterUnderTest::Kind("apps", "Deployment"); }
const api::KindInfo& ReplicaSet() { return ClusterUnderTest::Kind("apps", "ReplicaSet"); }
const api::KindInfo& StatefulSet() { return ClusterUnderTest::Kind("apps", "StatefulSet"); }
const api::KindInfo& DaemonSet() { return ClusterUnderTest::Kind("apps", "DaemonSet"); }
const api::KindInfo& CronJob() { return ClusterUnderTest::Kind("batch", "CronJob"); }
const api::KindInfo& Node() { return api::KindOf<api::Node>(); }

constexpr char kWeb[] = R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: one, resources: {requests: {cpu: "1"}}}]
)";
constexpr char kTwo[] =
    R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":"two"}]}}}})";

TEST(Workloads, ADeploymentRunsItsReplicas) {
  ClusterUnderTest cluster;
  cluster.Apply(kWeb);
  cluster.executor.RunFor(seconds(5));
  const api::Json web = cluster.Get(Deployment(), "web");
  EXPECT_EQ(cluster.Number(web, {"status", "readyReplicas"}), 3);
  EXPECT_EQ(cluster.Number(web, {"status", "observedGeneration"}),
            cluster.Number(web, {"metadata", "generation"}));
  EXPECT_EQ(cluster.Condition(web, "Available"), "True/MinimumReplicasAvailable");
  EXPECT_EQ(cluster.Condition(web, "Progressing"), "True/NewReplicaSetAvailable");
  EXPECT_EQ(web.StringAt({"metadata", "annotations", "deployment.kubernetes.io/revision"}), "1");
  EXPECT_EQ(cluster.LivePods().size(), 3u);
}

TEST(Workloads, ARollingUpdateStaysWithinItsBoundsAndCanBeUndone) {
  ClusterUnderTest cluster;
  cluster.Apply(kWeb);
  cluster.executor.RunFor(seconds(5));
  cluster.Patch(Deployment(), "web", kTwo);
  for (int i = 0; i < 200; ++i) {
    cluster.executor.RunFor(base::milliseconds(50));
    EXPECT_LE(cluster.LivePods().size(), 4u) << "maxSurge of 25% is one";
    EXPECT_GE(cluster.Number(cluster.Get(Deployment(), "web"), {"status", "availableReplicas"}), 3);
  }
  api::Json web = cluster.Get(Deployment(), "web");
  EXPECT_EQ(cluster.Number(web, {"status", "updatedReplicas"}), 3);
  EXPECT_EQ(cluster.Condition(web, "Progressing"), "True/NewReplicaSetAvailable");
  ASSERT_EQ(cluster.All(ReplicaSet()).size(), 2u);
  cluster.Patch(Deployment(), "web",
                R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":"one",
                   "resources":{"requests":{"cpu":"1"}}}]}}}})");
  cluster.executor.RunFor(seconds(20));
  web = cluster.Get(Deployment(), "web");
  EXPECT_EQ(web.StringAt({"metadata", "annotations", "deployment.kubernetes.io/revision"}), "3");
  EXPECT_EQ(cluster.All(ReplicaSet()).size(), 2u) << "the old set came back";
  EXPECT_EQ(cluster.LivePods().size(), 3u);
}

TEST(Workloads, APausedDeploymentKeepsItsTemplateAndScales) {
  ClusterUnderTest cluster;
  cluster.Apply(kWeb);
  cluster.executor.RunFor(seconds(5));
  cluster.Patch(Deployment(), "web", R"({"spec":{"paused":true}})");
  cluster.Patch(Deployment(), "web", kTwo);
  cluster.Patch(Deployment(), "web", R"({"spec":{"replicas":5}})");
  cluster.executor.RunFor(seconds(10));
  EXPECT_EQ(cluster.All(ReplicaSet()).size(), 1u);
  EXPECT_EQ(cluster.LivePods().size(), 5u);
  EXPECT_EQ(cluster.Condition(cluster.Get(Deployment(), "web"), "Progressing"),
            "Unknown/DeploymentPaused");
  cluster.Patch(Deployment(), "web", R"({"spec":{"paused":false}})");
  cluster.executor.RunFor(seconds(30));
  EXPECT_EQ(cluster.All(ReplicaSet()).size(), 2u);
  EXPECT_EQ(cluster.Number(cluster.Get(Deployment(), "web"), {"status", "updatedReplicas"}), 5);
}

TEST(Workloads, RecreateStopsTheOldBeforeTheNewStart) {
  ClusterUnderTest cluster;
  cluster.Apply(kWeb);
  cluster.executor.RunFor(seconds(5));
  cluster.Patch(Deployment(), "web", R"({"spec":{"strategy":{"type":"Recreate",
                                        "rollingUpdate":null}}})");
  cluster.Patch(Deployment(), "web", kTwo);
  cluster.executor.RunFor(base::milliseconds(500));
  EXPECT_EQ(cluster.LivePods().size(), 0u);
  EXPECT_EQ(cluster.All(ReplicaSet()).size(), 1u);
  cluster.executor.RunFor(seconds(10));
  EXPECT_EQ(cluster.LivePods().size(), 3u);
}

TEST(Workloads, ADeploymentThatCannotProgressSaysSo) {
  ClusterUnderTest cluster("1x(cpu=1)");
  cluster.Apply(kWeb);
  cluster.executor.RunFor(minutes(11));
  EXPECT_EQ(cluster.Condition(cluster.Get(Deployment(), "web"), "Progressing"),
            "False/ProgressDeadlineExceeded");
}

TEST(Workloads, AStatefulSetStartsInOrderAndUpdatesBackwards) {
  ClusterUnderTest cluster;
  cluster.Apply(R"(
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 3
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers: [{name: c, image: one}]
)");
  cluster.executor.RunFor(base::milliseconds(500));
  ASSERT_EQ(cluster.LivePods().size(), 1u);
  EXPECT_EQ(cluster.LivePods()[0].StringAt({"metadata", "name"}), "db-0");
  cluster.executor.RunFor(seconds(10));
  api::Json db = cluster.Get(StatefulSet(), "db");
  EXPECT_EQ(cluster.Number(db, {"status", "readyReplicas"}), 3);
  const std::string first = db.StringAt({"status", "currentRevision"});
  EXPECT_EQ(first, db.StringAt({"status", "updateRevision"}));
  cluster.Patch(StatefulSet(), "db", kTwo);
  cluster.executor.RunFor(base::milliseconds(100));
  EXPECT_EQ(cluster.LivePods().size(), 2u);
  EXPECT_EQ(cluster.LivePods()[1].StringAt({"metadata", "name"}), "db-1") << "db-2 goes first";
  cluster.executor.RunFor(seconds(20));
  db = cluster.Get(StatefulSet(), "db");
  EXPECT_NE(db.StringAt({"status", "currentRevision"}), first);
  EXPECT_EQ(cluster.Number(db, {"status", "updatedReplicas"}), 3);
  EXPECT_EQ(cluster.All(ClusterUnderTest::Kind("apps", "ControllerRevision")).size(), 2u);
  cluster.Patch(StatefulSet(), "db", R"({"spec":{"replicas":1}})");
  cluster.executor.RunFor(seconds(10));
  ASSERT_EQ(cluster.LivePods().size(), 1u);
  EXPECT_EQ(cluster.LivePods()[0].StringAt({"metadata", "name"}), "db-0");
}

TEST(Workloads, ADaemonSetRunsOnEveryNodeThatMatches) {
  ClusterUnderTest cluster("2x(cpu=4,label:pool=a,name-prefix=a),cpu=4");
  cluster.Apply(R"(
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      nodeSelector: {pool: a}
      containers: [{name: c, image: one}]
)");
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(cluster.LivePods().size(), 2u);
  cluster.Patch(Node(), "node-1", R"({"metadata":{"labels":{"pool":"a"}}})");
  cluster.executor.RunFor(seconds(5));
  const api::Json agent = cluster.Get(DaemonSet(), "agent");
  EXPECT_EQ(cluster.Number(agent, {"status", "numberReady"}), 3);
  EXPECT_EQ(cluster.Number(agent, {"status", "desiredNumberScheduled"}), 3);
  cluster.Patch(DaemonSet(), "agent", kTwo);
  cluster.executor.RunFor(seconds(30));
  EXPECT_EQ(cluster.Number(cluster.Get(DaemonSet(), "agent"), {"status", "updatedNumberScheduled"}),
            3);
}

TEST(Workloads, ACronJobMakesJobsAndForgetsOldOnes) {
  ClusterUnderTest cluster;
  cluster.Apply(R"(
apiVersion: batch/v1
kind: CronJob
metadata: {name: tick}
spec:
  schedule: "*/2 * * * *"
  successfulJobsHistoryLimit: 2
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: c, image: i}]
)");
  cluster.executor.RunFor(minutes(1));
  EXPECT_EQ(cluster.All(api::KindOf<api::Job>()).size(), 0u);
  cluster.executor.RunFor(minutes(1));
  ASSERT_EQ(cluster.All(api::KindOf<api::Job>()).size(), 1u);
  EXPECT_EQ(cluster.Get(CronJob(), "tick").StringAt({"status", "lastScheduleTime"}),
            "2026-01-01T00:02:00Z");
  cluster.executor.RunFor(minutes(10) + seconds(30));
  EXPECT_EQ(cluster.All(api::KindOf<api::Job>()).size(), 2u);
  cluster.Patch(CronJob(), "tick", R"({"spec":{"suspend":true}})");
  const std::string last = cluster.Get(CronJob(), "tick").StringAt({"status", "lastScheduleTime"});
  cluster.executor.RunFor(minutes(10));
  EXPECT_EQ(cluster.Get(CronJob(), "tick").StringAt({"status", "lastScheduleTime"}), last);
}

TEST(Workloads, PodsLeaveAnUnreachableNodeWhenTheirTolerationEnds) {
  ClusterUnderTest cluster("2x(cpu=8)");
  cluster.Apply(kWeb);
  cluster.executor.RunFor(seconds(5));
  const auto on_first = [&] {
    size_t count = 0;
    for (const api::Json& pod : cluster.LivePods()) {
      count += pod.StringAt({"spec", "nodeName"}) == "node-1";
    }
    return count;
  };
  EXPECT_GT(on_first(), 0u);
  cluster.Patch(Node(), "node-1",
                R"({"metadata":{"annotations":{"kueue-cpp.dev/node-state":"Unknown"}}})");
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(cluster.Condition(cluster.Get(Node(), "node-1"), "Ready"), "Unknown/NodeStatusUnknown");
  EXPECT_GT(on_first(), 0u) << "pods tolerate it for 300 seconds";
  EXPECT_LT(cluster.Number(cluster.Get(Deployment(), "web"), {"status", "readyReplicas"}), 3);
  cluster.executor.RunFor(seconds(305));
  EXPECT_EQ(on_first(), 0u);
  EXPECT_EQ(cluster.Number(cluster.Get(Deployment(), "web"), {"status", "readyReplicas"}), 3);
  cluster.Patch(Node(), "node-1",
                R"({"metadata":{"annotations":{"kueue-cpp.dev/node-state":null}}})");
  cluster.executor.RunFor(seconds(5));
  const api::Json* taints = cluster.Get(Node(), "node-1").FindPath({"spec", "taints"});
  EXPECT_TRUE(taints == nullptr || taints->size() == 0);
}

TEST(Workloads, ADrainedNodesPodsComeBackElsewhere) {
  ClusterUnderTest cluster("2x(cpu=8)");
  cluster.Apply(kWeb);
  cluster.executor.RunFor(seconds(5));
  cluster.Patch(Node(), "node-1", R"({"spec":{"unschedulable":true}})");
  cluster.executor.RunFor(seconds(1));
  for (const api::Json& pod : cluster.LivePods()) {
    if (pod.StringAt({"spec", "nodeName"}) != "node-1") continue;
    const std::string name = pod.StringAt({"metadata", "name"});
    EXPECT_EQ(cluster
                  .Ask("POST", "/api/v1/namespaces/default/pods/" + name + "/eviction",
                       R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":")" +
                           name + "\"}}")
                  .status,
              201);
  }
  cluster.executor.RunFor(seconds(10));
  EXPECT_EQ(cluster.LivePods().size(), 3u);
  for (const api::Json& pod : cluster.LivePods()) {
    EXPECT_EQ(pod.StringAt({"spec", "nodeName"}), "node-2");
  }
}

// Nothing is left behind that nobody takes away: pods keep a finalizer only while a Job counts.
TEST(Workloads, DeletedJobsLeaveNoPods) {
  ClusterUnderTest cluster;
  cluster.Apply(R"(
apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec:
  parallelism: 2
  completions: 2
  template:
    metadata: {annotations: {kueue-cpp.dev/run-seconds: forever}}
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i}]
)");
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(cluster.Number(cluster.Get(api::KindOf<api::Job>(), "j"), {"status", "ready"}), 2);
  EXPECT_EQ(
      cluster.Ask("DELETE", "/apis/batch/v1/namespaces/default/jobs/j?propagationPolicy=Background")
          .status,
      200);
  cluster.executor.RunFor(seconds(40));
  EXPECT_EQ(cluster.All(api::KindOf<api::Pod>()).size(), 0u);
}

TEST(Workloads, AJobWithAFailurePolicyEndsWithItsReason) {
  ClusterUnderTest cluster;
  cluster.Apply(R"(
apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec:
  parallelism: 2
  completions: 2
  podFailurePolicy:
    rules: [{action: FailJob, onExitCodes: {operator: In, values: [42]}}]
  template:
    metadata: {annotations: {kueue-cpp.dev/run-seconds: "1", kueue-cpp.dev/exit-code: "42"}}
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i}]
)");
  cluster.executor.RunFor(seconds(60));
  const api::Json job = cluster.Get(api::KindOf<api::Job>(), "j");
  EXPECT_EQ(cluster.Condition(job, "Failed"), "True/PodFailurePolicy");
  EXPECT_EQ(cluster.Number(job, {"status", "failed"}), 2);
}

TEST(Workloads, PodsHaveLogsAndUseWhatTheyRequest) {
  ClusterUnderTest cluster;
  cluster.Apply(kWeb);
  cluster.executor.RunFor(seconds(5));
  const std::string name = cluster.LivePods()[0].StringAt({"metadata", "name"});
  const auto log = cluster.Ask("GET", "/api/v1/namespaces/default/pods/" + name + "/log");
  EXPECT_EQ(log.status, 200);
  EXPECT_EQ(log.body, "started one\n");
  const auto pods =
      cluster.Ask("GET", "/apis/metrics.k8s.io/v1beta1/namespaces/default/pods?labelSelector=app");
  EXPECT_EQ(pods.status, 200);
  EXPECT_NE(pods.body.find("\"cpu\":\"1000m\""), std::string::npos) << pods.body;
  const auto nodes = cluster.Ask("GET", "/apis/metrics.k8s.io/v1beta1/nodes/node-1");
  EXPECT_EQ(nodes.status, 200);
  EXPECT_NE(nodes.body.find("\"usage\""), std::string::npos) << nodes.body;
  for (const char* path : {"/apis", "/apis/metrics.k8s.io/v1beta1", "/openapi/v3", "/openapi/v2",
                           "/openapi/v3/apis/metrics.k8s.io/v1beta1"}) {
    EXPECT_EQ(cluster.Ask("GET", path).status, 200) << path;
  }
}

TEST(Workloads, TheManagerShowsItselfAndStaysOne) {
  ControlPlaneOptions options;
  options.show_manager = true;
  options.presence.metrics_port = 8080;
  ClusterUnderTest cluster("1x(cpu=8)", std::move(options));
  cluster.executor.RunFor(seconds(5));
  const auto pods = [&] { return cluster.All(api::KindOf<api::Pod>(), "kueue-system"); };
  ASSERT_EQ(pods().size(), 1u);
  EXPECT_EQ(pods()[0].StringAt({"status", "phase"}), "Running");
  const std::string path =
      "/apis/apps/v1/namespaces/kueue-system/deployments/" + std::string(kManagerName);
  auto deployment = api::ParseJson(cluster.Ask("GET", path).body);
  ASSERT_TRUE(deployment.ok());
  EXPECT_EQ(cluster.Number(*deployment, {"status", "readyReplicas"}), 1);
  // A manifest of the same name changes the object and starts nothing.
  EXPECT_EQ(cluster
                .Ask("PATCH", path,
                     R"({"spec":{"replicas":2,"template":{"spec":{"containers":[
                           {"name":"manager","image":"other:1"}]}}}})",
                     "application/merge-patch+json")
                .status,
            200);
  cluster.executor.RunFor(seconds(5));
  ASSERT_EQ(pods().size(), 1u);
  EXPECT_EQ(cluster.All(ReplicaSet(), "kueue-system").size(), 0u);
  const std::string name = pods()[0].StringAt({"metadata", "name"});
  EXPECT_EQ(cluster.Ask("GET", "/api/v1/namespaces/kueue-system/pods/" + name + "/log").status,
            200);
  EXPECT_EQ(
      cluster.Ask("GET", "/api/v1/namespaces/kueue-system/services/" + std::string(kMetricsService))
          .status,
      200);
  cluster.Ask("DELETE", "/api/v1/namespaces/kueue-system/pods/" + name);
  cluster.executor.RunFor(seconds(5));
  ASSERT_EQ(pods().size(), 1u);
  EXPECT_EQ(pods()[0].StringAt({"status", "phase"}), "Running");
}

}  // namespace
}  // namespace kueue::embedded
