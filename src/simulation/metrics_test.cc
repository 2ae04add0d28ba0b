#include <limits>

#include "simulation/faults.h"
#include "simulation/small_world.h"
#include "simulation/topology_world.h"

// What the metrics say of work that is known (spec/controllers.md §17), and the reports about them.
namespace kueue::simulation {
namespace {

class Metrics : public SmallWorld {
 protected:
  double Of(const std::string& name, metrics::LabelValues values) {
    return world().plane().manager().metrics().Value(name, std::move(values));
  }
  std::string Text() { return world().plane().manager().metrics().Text(); }
  void BeginPlain(const std::string& cpu, const std::string& more = "") {
    Begin(SmallQueue("cq", cpu, more) + SmallLocalQueue("lq", "cq") + kSmallClasses);
  }
};

TEST_F(Metrics, ALifeIsCountedOnceAtEveryStation) {
  ManagerOptions().controllers.wait_for_pods_ready.emplace();
  BeginPlain("4");
  Submit(SmallJob("job").Seconds(30).Label(PriorityClass("high")));
  Run(10);
  EXPECT_EQ(Of("kueue_reserving_active_workloads", {"cq"}), 1);
  EXPECT_EQ(Of("kueue_admitted_active_workloads", {"cq"}), 1);
  Run(60);
  for (const char* name : {"quota_reserved_workloads_total", "admitted_workloads_total",
                           "finished_workloads_total", "quota_reserved_wait_time_seconds",
                           "admission_wait_time_seconds", "ready_wait_time_seconds",
                           "admitted_until_ready_wait_time_seconds", "execution_time_seconds"}) {
    EXPECT_EQ(Of(std::string("kueue_") + name, {"cq", "high"}), 1) << name;
    EXPECT_EQ(Of(std::string("kueue_local_queue_") + name, {"lq", "default", "high"}), 1) << name;
  }
  EXPECT_EQ(Of("kueue_workload_creation_latency_seconds", {"Job"}), 1);
  EXPECT_EQ(Of("kueue_admitted_active_workloads", {"cq"}), 0);
  EXPECT_EQ(Of("kueue_finished_workloads", {"cq"}), 1);
  EXPECT_GT(Of("kueue_admission_attempts_total", {"success"}), 0);
  EXPECT_EQ(Of("kueue_cluster_queue_status", {"cq", "active"}), 1);
  EXPECT_EQ(Of("kueue_cluster_queue_status", {"cq", "pending"}), 0);
  EXPECT_EQ(Of("kueue_local_queue_status", {"lq", "default", "True"}), 1);
  Delete<api::Job>("job");
  Run(5);
  EXPECT_EQ(Of("kueue_finished_workloads", {"cq"}), 0);
  EXPECT_EQ(Of("kueue_finished_workloads_total", {"cq", "high"}), 1) << "counters stay";
}

TEST_F(Metrics, O01_PendingWorkloadsAddUpToTheTruth) {
  ManagerOptions().metrics.cluster_queue_resources = true;
  BeginPlain("9", "  queueingStrategy: StrictFIFO\n");
  Submit(SmallJob("blocker").Pods(9).Seconds(60));
  Run(5);
  Submit(SmallJob("second").Cpu("9").Seconds(60));
  Submit(SmallJob("third").Cpu("9").Seconds(60));
  Run(5);
  const auto pending = [&](const std::string& prefix, metrics::LabelValues queue) {
    double sum = 0;
    for (const char* status : {"active", "inadmissible"}) {
      metrics::LabelValues labels = queue;
      labels.emplace_back(status);
      sum += Of(prefix + "pending_workloads", labels);
    }
    return sum;
  };
  EXPECT_EQ(pending("kueue_", {"cq"}), 2);
  EXPECT_EQ(pending("kueue_local_queue_", {"lq", "default"}), 2);
  EXPECT_EQ(Of("kueue_cluster_queue_resource_pending", {"cq", "cpu"}), 18);
  EXPECT_EQ(Of("kueue_unadmitted_workloads", {"cq", "NoReservation", "WaitingForQuota"}) +
                Of("kueue_unadmitted_workloads", {"cq", "NoReservation", "PendingEvaluation"}),
            2);
  Patch<api::LocalQueue>("lq", R"({"metadata": {"labels": {"x": "y"}}})");
  Run(5);
  EXPECT_EQ(pending("kueue_", {"cq"}), 2);
  EXPECT_EQ(Of("kueue_cluster_queue_resource_pending", {"cq", "cpu"}), 18) << "not twice";
  Run(120);
  EXPECT_EQ(pending("kueue_", {"cq"}), 0);
  EXPECT_EQ(Of("kueue_cluster_queue_resource_pending", {"cq", "cpu"}), 0);
  EXPECT_NE(Text().find("kueue_cluster_queue_resource_pending{cluster_queue=\"cq\""),
            std::string::npos)
      << "zero, but there";
}

TEST_F(Metrics, O03_EvictionsAreCountedByReasonAndOnceByWorkload) {
  BeginPlain("4", "  preemption: {withinClusterQueue: LowerPriority}\n");
  Submit(SmallJob("low").Cpu("4").Label(PriorityClass("low")));
  Run(5);
  Submit(SmallJob("high").Cpu("4").Seconds(10).Label(PriorityClass("high")));
  Run(30);
  ASSERT_TRUE(Running("low"));
  EXPECT_EQ(Of("kueue_evicted_workloads_total", {"cq", "Preempted", "", "low"}), 1);
  EXPECT_EQ(Of("kueue_preempted_workloads_total", {"cq", "InClusterQueue"}), 1);
  EXPECT_EQ(Of("kueue_workload_eviction_latency_seconds", {"cq", "Preempted"}), 1);
  Patch<api::LocalQueue>("lq", R"({"spec": {"stopPolicy": "HoldAndDrain"}})");
  Run(10);
  Patch<api::LocalQueue>("lq", R"({"spec": {"stopPolicy": "None"}})");
  Run(10);
  Patch<api::LocalQueue>("lq", R"({"spec": {"stopPolicy": "HoldAndDrain"}})");
  Run(10);
  EXPECT_EQ(Of("kueue_evicted_workloads_total", {"cq", "LocalQueueStopped", "", "low"}), 2);
  EXPECT_EQ(Of("kueue_evicted_workloads_once_total", {"cq", "LocalQueueStopped", "", "low"}), 1);
  EXPECT_EQ(Of("kueue_evicted_workloads_once_total", {"cq", "Preempted", "", "low"}), 1);
  EXPECT_EQ(Of("kueue_local_queue_evicted_workloads_total",
               {"lq", "default", "LocalQueueStopped", "", "low"}),
            2);
}

TEST_F(Metrics, O03_DeactivationNamesItsCause) {
  BeginPlain("4");
  Submit(SmallJob("job").Label("kueue.x-k8s.io/max-exec-time-seconds: '5'"));
  Submit(SmallJob("other"));
  Run(5);
  PatchWorkload("other", R"({"spec": {"active": false}})");
  Run(20);
  EXPECT_EQ(Of("kueue_evicted_workloads_total",
               {"cq", "Deactivated", "MaximumExecutionTimeExceeded", ""}),
            1);
  EXPECT_EQ(Of("kueue_evicted_workloads_total", {"cq", "Deactivated", "", ""}), 1);
}

// The server refuses the first requests: what was not written did not happen.
TEST_F(Metrics, O03_APreemptionThatFailedCountsNothing) {
  auto rates = std::make_shared<FaultRates>();
  Options().plane.manager_transport = [rates](net::Transport& inner, base::Executor& executor) {
    return std::make_unique<FaultyTransport>(inner, executor, base::Random(7), *rates);
  };
  BeginPlain("4", "  preemption: {withinClusterQueue: LowerPriority}\n");
  Submit(SmallJob("low").Cpu("4").Label(PriorityClass("low")));
  Run(5);
  rates->refused = 1;
  Submit(SmallJob("high").Cpu("4").Seconds(10).Label(PriorityClass("high")));
  Run(5);
  rates->refused = 0;
  Run(60);
  EXPECT_TRUE(Completed("high"));
  EXPECT_EQ(Of("kueue_evicted_workloads_total", {"cq", "Preempted", "", "low"}), 1);
  EXPECT_EQ(Of("kueue_preempted_workloads_total", {"cq", "InClusterQueue"}), 1);
}

TEST_F(Metrics, QuotasOfQueuesAndCohortsAreShown) {
  ManagerOptions().metrics.cluster_queue_resources = true;
  ManagerOptions().scheduling.fair_sharing.emplace();
  Begin("---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: team}\n" +
        SmallQueue("cq", "4", "  cohortName: team\n") +
        SmallQueue("lender", "6", "  cohortName: team\n") + SmallLocalQueue("lq", "cq"));
  Submit(SmallJob("job").Cpu("5"));
  Run(5);
  const metrics::LabelValues cell = {"team", "cq", "default", "cpu"};
  EXPECT_EQ(Of("kueue_cluster_queue_nominal_quota", cell), 4);
  EXPECT_EQ(Of("kueue_cluster_queue_borrowing_limit", cell),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(Of("kueue_cluster_queue_resource_reservation", cell), 5);
  EXPECT_EQ(Of("kueue_cluster_queue_resource_usage", cell), 5);
  EXPECT_GT(Of("kueue_cluster_queue_weighted_share", {"cq", "team"}), 0);
  EXPECT_EQ(Of("kueue_local_queue_resource_usage", {"lq", "default", "default", "cpu"}), 5);
  EXPECT_EQ(Of("kueue_cohort_subtree_quota", {"team", "default", "cpu"}), 10);
  EXPECT_EQ(Of("kueue_cohort_subtree_resource_reservations", {"team", "default", "cpu"}), 5);
  EXPECT_EQ(Of("kueue_cohort_subtree_admitted_workloads_total", {"team", ""}), 1);
  EXPECT_EQ(Of("kueue_cohort_subtree_admitted_active_workloads", {"team"}), 1);
  EXPECT_EQ(Of("kueue_cohort_info", {"team", "", "team"}), 1);
  EXPECT_EQ(Of("kueue_cluster_queue_info", {"cq", "team", "team"}), 1);
  Delete<api::Job>("job");
  Run(5);
  Delete<api::LocalQueue>("lq");
  Delete<api::ClusterQueue>("cq");
  Run(5);
  EXPECT_EQ(Text().find("cluster_queue=\"cq\""), std::string::npos) << "gone with the queue";
  EXPECT_EQ(Text().find("name=\"lq\""), std::string::npos);
}

TEST_F(Metrics, OnlySelectedLocalQueuesAreShown) {
  ManagerOptions().metrics.local_queue_selector.emplace().match_labels["shown"] = "yes";
  BeginPlain("4");
  Submit(SmallJob("job").Seconds(5));
  Run(20);
  EXPECT_EQ(Text().find("kueue_local_queue_"), std::string::npos);
  Patch<api::LocalQueue>("lq", R"({"metadata": {"labels": {"shown": "yes"}}})");
  Run(2);
  EXPECT_EQ(Of("kueue_local_queue_status", {"lq", "default", "True"}), 1);
  Patch<api::LocalQueue>("lq", R"({"metadata": {"labels": {"shown": null}}})");
  Run(2);
  EXPECT_EQ(Text().find("kueue_local_queue_"), std::string::npos);
}

TEST_F(Metrics, ARestartCountsAnewButKnowsWhatIsThere) {
  BeginPlain("4");
  Submit(SmallJob("job"));
  Run(5);
  world().plane().RestartManager();
  Run(5);
  EXPECT_EQ(Of("kueue_admitted_workloads_total", {"cq", ""}), 0);
  EXPECT_EQ(Of("kueue_workload_creation_latency_seconds", {"Job"}), 0);
  EXPECT_EQ(Of("kueue_admitted_active_workloads", {"cq"}), 1);
}

class MetricsOfPlaces : public TopologyWorld {};

TEST_F(MetricsOfPlaces, RemovedGatesAreMeasured) {
  Submit(Ask("job", 2, "3", "kueue.x-k8s.io/podset-required-topology: rack"));
  Run(10);
  EXPECT_EQ(world_.plane().manager().metrics().Value("kueue_pod_scheduling_gate_removal_seconds",
                                                     {"kueue.x-k8s.io/topology", "cq", "false"}),
            2);
}

}  // namespace
}  // namespace kueue::simulation
