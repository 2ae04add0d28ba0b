#include "api/match/policy_annotations.h"
#include "simulation/topology_world.h"

// Policies beyond the reference in the whole product (docs/using/policies.md).
namespace kueue::simulation {
namespace {

namespace names = api::names;

constexpr char kOneQueue[] = R"(
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
metadata: {name: urgent}
value: 1000
)";

class PoliciesTest : public TopologyWorld {
 protected:
  PoliciesTest() : TopologyWorld("2x(cpu=8)", kOneQueue) {}
  template <class T>
  bool Annotate(const kube::ObjectKey& key, const std::string& name, const std::string& value) {
    api::Json patch;
    patch["metadata"]["annotations"].Set(name, value);
    return world_.Patch(api::KindOf<T>(), key, patch).ok();
  }
  void SubmitUrgent(const std::string& name) {
    Ask ask(name, 1, "4");
    ask.label = "kueue.x-k8s.io/priority-class: urgent";
    Submit(ask);
  }
};

TEST_F(PoliciesTest, AnnotationsThatCannotBeReadAreRefused) {
  EXPECT_FALSE(Annotate<api::ClusterQueue>({"", "cq"}, names::kMinimumRunTime, "soon"));
  EXPECT_TRUE(Annotate<api::ClusterQueue>({"", "cq"}, names::kMinimumRunTime, "5m"));
  EXPECT_FALSE(Annotate<api::LocalQueue>({"default", "lq"}, names::kWallTimeBudget, "-1h"));
  EXPECT_TRUE(Annotate<api::LocalQueue>({"default", "lq"}, names::kWallTimeBudget, "1h"));
}

// An annotation acts at once, though the spec did not change, and so does its end.
TEST_F(PoliciesTest, AMinimumRunTimeIsWaitedFor) {
  ASSERT_TRUE(Annotate<api::ClusterQueue>({"", "cq"}, names::kMinimumRunTime, "5m"));
  Submit({"low", 1, "4"});
  Run(10);
  SubmitUrgent("high");
  Run(240);
  EXPECT_TRUE(Has("low", names::kAdmitted));
  EXPECT_FALSE(Has("low", names::kEvicted));
  EXPECT_NE(WhyNot("high").find("may run undisturbed until"), std::string::npos) << WhyNot("high");
  Run(70);
  EXPECT_TRUE(Has("low", names::kEvicted));
  EXPECT_TRUE(Has("high", names::kAdmitted));
}

TEST_F(PoliciesTest, TakingTheAnnotationAwayTurnsItOff) {
  ASSERT_TRUE(Annotate<api::ClusterQueue>({"", "cq"}, names::kMinimumRunTime, "10h"));
  Submit({"low", 1, "4"});
  Run(10);
  SubmitUrgent("high");
  Run(60);
  ASSERT_TRUE(Has("low", names::kAdmitted));
  const auto patch =
      api::ParseJson(R"({"metadata":{"annotations":{"kueue-cpp.dev/minimum-run-time":null}}})");
  ASSERT_TRUE(world_.Patch(api::KindOf<api::ClusterQueue>(), {"", "cq"}, *patch).ok());
  Run(20);
  EXPECT_TRUE(Has("high", names::kAdmitted));
}

// Jobs that are deleted give no time back.
TEST_F(PoliciesTest, ABudgetOutlivesItsJobs) {
  ASSERT_TRUE(Annotate<api::LocalQueue>({"default", "lq"}, names::kWallTimeBudget, "5m"));
  Submit({"long", 1, "1"});
  Run(400);
  ASSERT_TRUE(Has("long", names::kAdmitted));  // what runs is not stopped
  ASSERT_TRUE(world_.Delete(api::KindOf<api::Job>(), {"default", "long"}).ok());
  Run(30);
  ASSERT_EQ(WorkloadOf("long").metadata.name, "");
  const auto queue = world_.Get(api::KindOf<api::LocalQueue>(), {"default", "lq"});
  EXPECT_NE(queue->StringAt({"metadata", "annotations", names::kWallTimeDeleted}), "");
  Submit({"next", 1, "1"});
  Run(30);
  EXPECT_FALSE(Has("next", names::kAdmitted));
  EXPECT_NE(WhyNot("next").find("of wall time until"), std::string::npos) << WhyNot("next");
  Run(24 * 3600);
  EXPECT_TRUE(Has("next", names::kAdmitted) || Has("next", names::kFinished));
}

TEST_F(PoliciesTest, ShortWorkPassesTheHeadOfABackfilledQueue) {
  ASSERT_TRUE(Annotate<api::ClusterQueue>({"", "cq"}, names::kBackfillRunTime, "1h"));
  const auto limited = [](const std::string& name, const std::string& cpu, int seconds) {
    Ask ask(name, 1, cpu);
    ask.label = "kueue.x-k8s.io/max-exec-time-seconds: '" + std::to_string(seconds) + "'";
    ask.seconds = 60;
    return ask;
  };
  Submit(limited("running", "3", 600));
  Run(5);
  Submit(limited("head", "4", 600));
  Run(5);
  Submit(limited("long", "1", 6000));
  Run(5);
  EXPECT_FALSE(Has("head", names::kAdmitted));
  EXPECT_FALSE(Has("long", names::kAdmitted));
  EXPECT_NE(WhyNot("long").find("held back for workload"), std::string::npos) << WhyNot("long");
  Submit(limited("short", "1", 120));
  Run(5);
  EXPECT_TRUE(Has("short", names::kAdmitted)) << WhyNot("short");
  Run(300);
  for (const char* job : {"running", "head", "long", "short"}) {
    EXPECT_TRUE(Has(job, names::kFinished)) << job << " " << WhyNot(job);
  }
}

}  // namespace
}  // namespace kueue::simulation
