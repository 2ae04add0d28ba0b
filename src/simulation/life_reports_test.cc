#include "simulation/small_world.h"

// Public reports about the life of workloads, checks and jobs; each name begins with the report's
// id (docs/internals/simulation.md has the table).
namespace kueue::simulation {
namespace {

namespace names = api::names;

class LifeReports : public SmallWorld {
 protected:
  void BeginWithCheck(const std::string& cpu) {
    Begin(SmallQueue("cq", cpu, "  admissionChecksStrategy: {admissionChecks: [{name: check}]}\n") +
          SmallLocalQueue("lq", "cq"));
    AddCheck("check");
    Run(2);
  }
  void BeginPlain(const std::string& cpu) {
    Begin(SmallQueue("cq", cpu, "  preemption: {withinClusterQueue: LowerPriority}\n") +
          SmallLocalQueue("lq", "cq") + kSmallClasses);
  }
  // A node of the size is the whole cluster, so that pods can be kept from running.
  void WaitForPods(base::Duration timeout, std::optional<int32_t> limit,
                   std::optional<base::Duration> recovery = std::nullopt) {
    Options().plane.cluster.nodes = *localcluster::ParseNodeSpec("1x(cpu=16)");
    auto& policy = ManagerOptions().controllers.wait_for_pods_ready.emplace();
    policy.timeout = timeout;
    policy.recovery_timeout = recovery;
    policy.backoff_limit = limit;
    policy.first_backoff = base::seconds(10);
  }
  void Cordon(bool on) {
    Patch<api::Node>("node-1", on ? R"({"spec": {"unschedulable": true}})"
                                  : R"({"spec": {"unschedulable": null}})");
  }
  int EvictionsOf(const std::string& job) {
    const auto stats = WorkloadOf(job).status.scheduling_stats;
    int count = 0;
    if (stats) {
      for (const auto& eviction : stats->evictions) count += eviction.count;
    }
    return count;
  }
  std::string CheckOf(const std::string& job) {
    const auto checks = WorkloadOf(job).status.admission_checks;
    return checks.empty() ? "" : checks[0].state;
  }
};

// ---- A: admission checks and lives

TEST_F(LifeReports, A01_RetryWhileReservedEvictsOnceAndComesBack) {
  BeginWithCheck("4");
  Submit(SmallJob("job").Seconds(20));
  Run(5);
  ASSERT_TRUE(Holds("job"));
  AnswerCheck("job", "check", "Retry", R"("requeueAfterSeconds": 60)");
  Run(90);
  EXPECT_EQ(EvictionsOf("job"), 1);
  EXPECT_EQ(CheckOf("job"), "Pending");
  EXPECT_TRUE(Holds("job"));
  AnswerCheck("job", "check", "Ready");
  Run(60);
  EXPECT_TRUE(Completed("job"));
}

TEST_F(LifeReports, A01_RetryWhileEvictedComesBackToo) {
  BeginWithCheck("4");
  Submit(SmallJob("holder").Cpu("4").Seconds(100));
  Run(5);
  AnswerCheck("holder", "check", "Ready");
  Run(5);
  ASSERT_TRUE(Running("holder"));
  Patch<api::ClusterQueue>("cq", R"({"spec": {"stopPolicy": "HoldAndDrain"}})");
  Run(10);
  ASSERT_FALSE(Holds("holder"));
  ASSERT_EQ(Says("holder", names::kEvicted), "True/ClusterQueueStopped");
  AnswerCheck("holder", "check", "Retry", R"("requeueAfterSeconds": 30)");
  Run(5);
  Patch<api::ClusterQueue>("cq", R"({"spec": {"stopPolicy": "None"}})");
  Run(60);
  EXPECT_EQ(EvictionsOf("holder"), 1);
  EXPECT_EQ(CheckOf("holder"), "Pending");
  EXPECT_TRUE(Holds("holder"));
  AnswerCheck("holder", "check", "Ready");
  Run(150);
  EXPECT_TRUE(Completed("holder"));
}

TEST_F(LifeReports, A03_ARejectedWorkloadGivesItsQuotaBack) {
  BeginWithCheck("4");
  Submit(SmallJob("first").Cpu("4"));
  Run(5);
  ASSERT_TRUE(Holds("first"));
  AnswerCheck("first", "check", "Rejected");
  Run(10);
  EXPECT_EQ(Says("first", names::kEvicted), "True/DeactivatedDueToAdmissionCheck");
  EXPECT_FALSE(Holds("first"));
  EXPECT_EQ(WorkloadOf("first").spec.active, false);
  Submit(SmallJob("second").Cpu("4").Seconds(5));
  Run(5);
  AnswerCheck("second", "check", "Ready");
  Run(30);
  EXPECT_TRUE(Completed("second"));
}

TEST_F(LifeReports, A05_TheSameTolerationFromThreeSidesIsOne) {
  BeginWithCheck("4");
  Patch<api::ResourceFlavor>("default", R"({"spec": {"tolerations": [
      {"key": "k", "operator": "Equal", "value": "v", "effect": "NoSchedule"}]}})");
  Submit(SmallJob("job").PodSpec("tolerations: [{key: k, value: v, effect: NoSchedule}]"));
  Run(5);
  AnswerCheck("job", "check", "Ready", R"("podSetUpdates": [{"name": "main", "tolerations": [
      {"key": "k", "operator": "Equal", "value": "v", "effect": "NoSchedule"}]}])");
  Run(10);
  EXPECT_TRUE(Running("job"));
  EXPECT_EQ(Object<api::Job>("job").spec.pod_template.spec.tolerations.size(), 1u);
}

// The reason DeactivatedDueToRequeuingLimitExceeded keeps it out of the queue when it is activated
// again, as measured; who changes the condition gets the full round.
TEST_F(LifeReports, A07_AReactivatedWorkloadIsNotDeactivatedAtOnce) {
  WaitForPods(base::seconds(1), 1);
  BeginPlain("100");
  Submit(SmallJob("job").Cpu("50").Seconds(20));
  Run(60);
  const api::Workload out = WorkloadOf("job");
  ASSERT_EQ(out.spec.active, false);
  EXPECT_EQ(Says(out, names::kEvicted), "True/DeactivatedDueToRequeuingLimitExceeded");
  EXPECT_FALSE(out.status.requeue_state) << "the count starts anew";
  PatchWorkload("job", R"({"spec": {"active": true}})");
  Run(30);
  EXPECT_NE(WorkloadOf("job").spec.active, false);
  EXPECT_EQ(EvictionsOf("job"), 2) << "once requeued, once deactivated, and not again";
}

TEST_F(LifeReports, A09_AWorkloadThatDoesNotRecoverIsRequeuedAndComesBack) {
  WaitForPods(base::minutes(5), std::nullopt, base::minutes(1));
  BeginPlain("8");
  Submit(SmallJob("job").Seconds(100));
  Run(10);
  ASSERT_EQ(Says("job", names::kPodsReady), "True/Started");
  Cordon(true);
  for (const api::Pod& pod : world().All<api::Pod>()) Delete<api::Pod>(pod.metadata.name);
  Run(10);
  ASSERT_EQ(Says("job", names::kPodsReady), "False/WaitForRecovery");
  Run(53);
  EXPECT_EQ(Says("job", names::kEvicted), "True/PodsReadyTimeout");
  EXPECT_FALSE(Holds("job")) << "the reservation goes with the job's stop";
  EXPECT_TRUE(Suspended("job"));
  Cordon(false);
  Run(20);
  EXPECT_TRUE(Running("job"));
  Run(120);
  EXPECT_TRUE(Completed("job"));
}

TEST_F(LifeReports, A11_TheLimitHoldsWithoutATimestamp) {
  WaitForPods(base::seconds(1), 2);
  BeginPlain("100");
  Submit(SmallJob("job").Cpu("50"));
  Run(120);
  EXPECT_EQ(Says("job", names::kEvicted), "True/DeactivatedDueToRequeuingLimitExceeded");
  EXPECT_EQ(EvictionsOf("job"), 3) << "two requeues and the end";
}

// ---- R: resources

TEST_F(LifeReports, R01_APartlyAdmittedJobCountsWhatItRuns) {
  BeginPlain("9");
  Submit(SmallJob("small1").Pods(3));
  Submit(SmallJob("small2").Pods(3));
  Run(5);
  Submit(SmallJob("big").Pods(9).Annotation("kueue.x-k8s.io/job-min-parallelism: '1'"));
  Run(10);
  EXPECT_EQ(Object<api::Job>("big").status.active, 3);
  EXPECT_EQ(Reserved("cq"), "9");
  Delete<api::Job>("small1");
  Delete<api::Job>("small2");
  Run(10);
  EXPECT_EQ(Reserved("cq"), "3");
  Submit(SmallJob("small3").Pods(3));
  Submit(SmallJob("small4").Pods(3));
  Run(5);
  EXPECT_TRUE(Running("small3"));
  EXPECT_TRUE(Running("small4"));
}

TEST_F(LifeReports, R03_AnEvictionRestoresTheParallelism) {
  BeginPlain("9");
  Submit(SmallJob("job").Pods(10).Annotation("kueue.x-k8s.io/job-min-parallelism: '8'"));
  Run(10);
  ASSERT_EQ(Object<api::Job>("job").status.active, 9);
  PatchWorkload("job", R"({"spec": {"active": false}})");
  Run(10);
  EXPECT_EQ(Object<api::Job>("job").spec.parallelism, 10);
  Patch<api::ClusterQueue>("cq", R"({"spec": {"resourceGroups": [{"coveredResources": ["cpu"],
      "flavors": [{"name": "default", "resources": [{"name": "cpu", "nominalQuota": "10"}]}]}]}})");
  PatchWorkload("job", R"({"spec": {"active": true}})");
  Run(10);
  EXPECT_EQ(Object<api::Job>("job").status.active, 10);
}

TEST_F(LifeReports, R05_CountAndVictimsComeFromTheSameAttempt) {
  BeginPlain("10");
  Submit(SmallJob("low").Cpu("4").Label(PriorityClass("low")));
  Run(5);
  ASSERT_TRUE(Running("low"));
  Submit(SmallJob("high")
             .Pods(20)
             .Label(PriorityClass("high"))
             .Annotation("kueue.x-k8s.io/job-min-parallelism: '8'"));
  Run(30);
  EXPECT_TRUE(Suspended("low"));
  EXPECT_EQ(Object<api::Job>("high").status.active, 10);
}

// A workload without a job.
std::string Bare(const std::string& name, const std::vector<std::string>& cpus,
                 const std::string& count = "1") {
  std::string yaml =
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: " + name +
      ", namespace: default}\nspec:\n  queueName: lq\n  podSets:\n";
  for (size_t i = 0; i < cpus.size(); ++i) {
    yaml += "  - {name: p" + std::to_string(i) + ", count: " + count +
            ", template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, " +
            "resources: {requests: {cpu: '" + cpus[i] + "'}}}]}}}\n";
  }
  return yaml;
}

TEST_F(LifeReports, R11_AmountsNearTheLargestNumberDoNotTurnNegative) {
  BeginPlain("10");
  Add(Bare("one", {"9223372036854775807"}) +
      Bare("sum", {"5223372036854775807", "5223372036854775807"}) +
      Bare("many", {"9223372036854775"}, "2147483647"));
  Run(10);
  for (const char* name : {"one", "sum", "many"}) {
    EXPECT_EQ(Says(Object<api::Workload>(name), names::kQuotaReserved), "False/ExceedsMaxQuota")
        << name;
  }
  EXPECT_EQ(Reserved("cq"), "0");
  Submit(SmallJob("fits").Cpu("10").Seconds(5));
  Run(20);
  EXPECT_TRUE(Completed("fits"));
}

TEST_F(LifeReports, R07_TransformationsOfPartsAreNotRoundedUp) {
  ManagerOptions().scheduling.transformations = {
      {"cpu", false, "", {{"example.com/cpu-credits", api::Quantity::FromUnits(1000)}}},
      {"memory", false, "", {{"example.com/small", *api::Quantity::Parse("1m")}}}};
  Begin(R"(
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu, memory, example.com/cpu-credits, example.com/small]
    flavors:
    - name: default
      resources:
      - {name: cpu, nominalQuota: 10}
      - {name: memory, nominalQuota: 10G}
      - {name: example.com/cpu-credits, nominalQuota: 3000}
      - {name: example.com/small, nominalQuota: 1G}
)" + SmallLocalQueue("lq", "cq"));
  Submit(SmallJob("job").Resources("{requests: {cpu: 300m, memory: 300M}}"));
  Run(5);
  ASSERT_TRUE(Holds("job"));
  const api::Workload held = WorkloadOf("job");
  const auto& usage = held.status.admission->pod_set_assignments[0].resource_usage;
  EXPECT_EQ(usage.at("example.com/cpu-credits"), api::Quantity::FromUnits(300));
  EXPECT_EQ(usage.at("example.com/small"), api::Quantity::FromUnits(300000));
}

TEST_F(LifeReports, R09_NegativeRequestsGiveNoCredit) {
  BeginPlain("10");
  const auto refused = world().CreateAll(Bare("negative", {"-5"}));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("requests[cpu]"), std::string::npos)
      << refused.error().message;
}

TEST_F(LifeReports, R17_DefaultsOfALimitRangeCountForWorkThatWasThereBefore) {
  Begin(SmallQueue("cq", "4"));
  std::string workload = Bare("early", {"1"});
  workload.replace(workload.find("resources: {requests: {cpu: '1'}}"), 33, "resources: {}");
  Add(workload);
  Run(2);
  Add("apiVersion: v1\nkind: LimitRange\nmetadata: {name: some, namespace: default}\n"
      "spec: {limits: [{type: Container, defaultRequest: {cpu: 1}}]}\n");
  Run(2);
  Add(SmallLocalQueue("lq", "cq"));
  Run(5);
  EXPECT_EQ(Says(Object<api::Workload>("early"), names::kQuotaReserved), "True/QuotaReserved");
  EXPECT_EQ(Reserved("cq"), "1");
}

constexpr char kDecimals[] = R"(
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: flavor-2}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  preemption: {withinClusterQueue: LowerPriority}
  admissionChecksStrategy: {admissionChecks: [{name: check, onFlavors: [default]}]}
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: default
      resources: [{name: cpu, nominalQuota: 750m}, {name: memory, nominalQuota: 5G}]
    - name: flavor-2
      resources: [{name: cpu, nominalQuota: 500m}, {name: memory, nominalQuota: 5G}]
)";

TEST_F(LifeReports, R13_DecimalMemoryIsTheSameAfterARoundTrip) {
  Begin(std::string(kDecimals) + SmallLocalQueue("lq", "cq") + kSmallClasses);
  AddCheck("check");
  Run(2);
  const auto job = [](const std::string& name, const std::string& cpu) {
    return SmallJob(name).Resources("{requests: {cpu: " + cpu + ", memory: 220M}}");
  };
  Submit(job("job1", "500m"));
  Run(5);
  AnswerCheck("job1", "check", "Ready");
  Run(5);
  ASSERT_TRUE(Running("job1"));
  Submit(job("job2", "750m").Label(PriorityClass("high")));
  Run(20);
  EXPECT_EQ(EvictionsOf("job1"), 1);
  EXPECT_EQ(WorkloadOf("job2").status.admission->pod_set_assignments[0].flavors.at("cpu"),
            "default");
  ASSERT_TRUE(Holds("job1")) << "requeued, into the other flavor";
  const api::Workload held = WorkloadOf("job1");
  const auto& usage = held.status.admission->pod_set_assignments[0].resource_usage;
  EXPECT_EQ(usage.at("memory").ToString(), "220M");
  EXPECT_EQ(WritesIn(600), Lines{});
}

TEST_F(LifeReports, R15_LimitsAreRequestsWhereNoneAreGiven) {
  BeginPlain("1");
  Submit(SmallJob("job").Resources("{limits: {cpu: 100m}}"));
  Run(10);
  EXPECT_EQ(world().All<api::Workload>().size(), 1u);
  EXPECT_EQ(Reserved("cq"), "100m");
  EXPECT_TRUE(Running("job"));
  EXPECT_EQ(WritesIn(600), Lines{});
}

TEST_F(LifeReports, R19_IndexesThatFailedForGoodHoldNoQuota) {
  BeginPlain("4");
  Submit(SmallJob("job").Pods(4).Spec("completionMode: Indexed").Spec("backoffLimitPerIndex: 0"));
  Run(10);
  ASSERT_EQ(Reserved("cq"), "4");
  for (const api::Pod& pod : world().All<api::Pod>()) {
    const auto index = pod.metadata.labels.find("batch.kubernetes.io/job-completion-index");
    if (index == pod.metadata.labels.end() || (index->second != "1" && index->second != "3")) {
      continue;
    }
    Patch<api::Pod>(pod.metadata.name,
                    R"({"metadata": {"annotations": {"kueue-cpp.dev/exit-code": "1",
                        "kueue-cpp.dev/run-seconds": "1"}}})");
  }
  Run(10);
  EXPECT_EQ(Object<api::Job>("job").status.failed_indexes, "1,3");
  const auto reclaimable = WorkloadOf("job").status.reclaimable_pods;
  ASSERT_EQ(reclaimable.size(), 1u);
  EXPECT_EQ(reclaimable[0].count, 2);
  EXPECT_EQ(Reserved("cq"), "2");
}

// ---- J: jobs

TEST_F(LifeReports, J07_GeneratedNamesGiveEachJobItsWorkload) {
  BeginPlain("4");
  std::string yaml = SmallJob("x").Yaml();
  yaml.replace(yaml.find("name: x"), 7, "generateName: same-");
  Add(yaml);
  Add(yaml);
  Run(5);
  const auto workloads = world().All<api::Workload>();
  ASSERT_EQ(workloads.size(), 2u);
  EXPECT_NE(workloads[0].metadata.name, workloads[1].metadata.name);
  EXPECT_EQ(Reserved("cq"), "2");
}

TEST_F(LifeReports, J11_AnOrphanedWorkloadEndsAndTheNewJobHasItsOwn) {
  BeginPlain("4");
  Submit(SmallJob("job").Cpu("4"));
  Run(5);
  ASSERT_TRUE(Running("job"));
  const std::string old = WorkloadName("job");
  kube::DeleteOptions orphan;
  orphan.propagation_policy = "Orphan";
  world().client().Delete(api::KindOf<api::Job>(), {"default", "job"}, orphan, [](const auto&) {});
  Run(10);
  const api::Workload left = Object<api::Workload>(old);
  EXPECT_EQ(Says(left, names::kFinished), "True/OwnerNotFound");
  EXPECT_EQ(Reserved("cq"), "0");
  Submit(SmallJob("job").Cpu("4").Seconds(5));
  Run(30);
  EXPECT_TRUE(Completed("job"));
  EXPECT_NE(WorkloadName("job"), old);
}

TEST_F(LifeReports, J13_InactiveWorkStaysSoWhateverIsTouched) {
  BeginPlain("4");
  Submit(SmallJob("job"));
  Run(5);
  PatchWorkload("job", R"({"spec": {"active": false}})");
  Run(5);
  ASSERT_FALSE(Holds("job"));
  Add("apiVersion: v1\nkind: LimitRange\nmetadata: {name: some, namespace: default}\n"
      "spec: {limits: [{type: Container, defaultRequest: {cpu: 1}}]}\n"
      "---\napiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: some}\nhandler: h\n");
  Patch<api::Job>("job", R"({"metadata": {"labels": {"team": "x"}}})");
  Patch<api::Job>("job", R"({"spec": {"parallelism": 2}})");
  Run(30);
  EXPECT_FALSE(Holds("job"));
  EXPECT_EQ(WorkloadOf("job").spec.active, false);
  EXPECT_TRUE(Suspended("job"));
}

// ---- O: what is shown

TEST_F(LifeReports, O01_PendingCountsAreTheTruth) {
  Begin(SmallQueue("cq", "9", "  queueingStrategy: StrictFIFO\n") + SmallLocalQueue("lq", "cq"));
  Submit(SmallJob("blocker").Pods(9).Seconds(60));
  Run(5);
  Submit(SmallJob("second").Cpu("9").Seconds(60));
  Submit(SmallJob("third").Cpu("9").Seconds(60));
  Run(10);
  EXPECT_EQ(Object<api::ClusterQueue>("cq").status.pending_workloads, 2);
  EXPECT_EQ(Object<api::LocalQueue>("lq").status.pending_workloads, 2);
  // The LocalQueue is told again while they wait.
  Patch<api::LocalQueue>("lq", R"({"metadata": {"labels": {"x": "y"}}})");
  Run(10);
  EXPECT_EQ(Object<api::ClusterQueue>("cq").status.pending_workloads, 2);
  Run(60);
  EXPECT_EQ(Object<api::ClusterQueue>("cq").status.pending_workloads, 1);
  Run(60);
  EXPECT_EQ(Object<api::ClusterQueue>("cq").status.pending_workloads, 0);
  EXPECT_EQ(Object<api::LocalQueue>("lq").status.pending_workloads, 0);
}

TEST_F(LifeReports, O07_TheColumnOfTheCohortReadsItsNameOfToday) {
  Begin(SmallQueue("cq", "4", "  cohortName: team\n"));
  const api::KindInfo& kind = api::KindOf<api::ClusterQueue>();
  const auto columns = api::TableColumns(kind);
  const auto cells =
      api::TableCells(kind, *world().Get(kind, {"", "cq"}), world().executor().clock().Now());
  bool found = false;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name != "Cohort") continue;
    found = true;
    EXPECT_EQ(api::WriteJson(cells[i]), "\"team\"");
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace kueue::simulation
