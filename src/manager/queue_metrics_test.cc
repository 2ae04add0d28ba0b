#include "manager/queue_metrics.h"

#include <gtest/gtest.h>

#include <set>

namespace kueue::manager {
namespace {

// "name T labels buckets" of every metric, as dashboards know them (spec/controllers.md §17).
constexpr const char* kSeries[] = {
    "kueue_admission_attempts_total C result",
    "kueue_admission_attempt_duration_seconds H result D",
    "multikueue_workloads_dispatched_total C cluster_queue,cluster",
    "multikueue_workloads_admitted_total C cluster_queue,cluster",
    "kueue_admission_cycle_preemption_skips G cluster_queue",
    "kueue_preemption_target_recomputations_total C cluster_queue,result",
    "kueue_build_info G git_version,git_commit,build_date,go_version,compiler,platform",
    "kueue_pending_workloads G cluster_queue,status",
    "kueue_pending_scheduling_hashes G cluster_queue,status",
    "kueue_finished_workloads G cluster_queue",
    "kueue_quota_reserved_workloads_total C cluster_queue,priority_class",
    "kueue_quota_reserved_wait_time_seconds H cluster_queue,priority_class E14",
    "kueue_admitted_workloads_total C cluster_queue,priority_class",
    "kueue_admission_wait_time_seconds H cluster_queue,priority_class E16",
    "kueue_admission_checks_wait_time_seconds H cluster_queue,priority_class E14",
    "kueue_ready_wait_time_seconds H cluster_queue,priority_class E14",
    "kueue_admitted_until_ready_wait_time_seconds H cluster_queue,priority_class E14",
    "kueue_finished_workloads_total C cluster_queue,priority_class",
    "kueue_execution_time_seconds H cluster_queue,priority_class E16",
    "kueue_evicted_workloads_total C cluster_queue,reason,underlying_cause,priority_class",
    "kueue_evicted_workloads_once_total C cluster_queue,reason,underlying_cause,priority_class",
    "kueue_pods_ready_to_evicted_time_seconds H cluster_queue,reason,underlying_cause E14",
    "kueue_workload_eviction_latency_seconds H cluster_queue,reason E14",
    "kueue_preempted_workloads_total C preempting_cluster_queue,reason",
    "kueue_replaced_workload_slices_total C cluster_queue",
    "kueue_workload_creation_latency_seconds H job_kind X",
    "kueue_pod_scheduling_gate_removal_seconds H name,cluster_queue,is_group D",
    "kueue_reserving_active_workloads G cluster_queue",
    "kueue_admitted_active_workloads G cluster_queue",
    "kueue_cluster_queue_status G cluster_queue,status",
    "kueue_unadmitted_workloads G cluster_queue,reason,underlying_cause",
    "kueue_cluster_queue_resource_reservation G cohort,cluster_queue,flavor,resource",
    "kueue_cluster_queue_resource_usage G cohort,cluster_queue,flavor,resource",
    "kueue_cluster_queue_nominal_quota G cohort,cluster_queue,flavor,resource",
    "kueue_cluster_queue_borrowing_limit G cohort,cluster_queue,flavor,resource",
    "kueue_cluster_queue_lending_limit G cohort,cluster_queue,flavor,resource",
    "kueue_cluster_queue_resource_pending G cluster_queue,resource",
    "kueue_cluster_queue_weighted_share G cluster_queue,cohort",
    "kueue_cluster_queue_info G cluster_queue,parent_cohort,root_cohort",
    "kueue_workload_scheduled_total C cluster_queue,resource,flavor",
    "kueue_resource_utilization G cluster_queue,resource,flavor",
    "kueue_cohort_info G cohort,parent_cohort,root_cohort",
    "kueue_cohort_weighted_share G cohort",
    "kueue_cohort_subtree_quota G cohort,flavor,resource",
    "kueue_cohort_subtree_resource_reservations G cohort,flavor,resource",
    "kueue_cohort_subtree_admitted_workloads_total C cohort,priority_class",
    "kueue_cohort_subtree_admitted_active_workloads G cohort",
    "kueue_local_queue_pending_workloads G name,namespace,status",
    "kueue_local_queue_finished_workloads G name,namespace",
    "kueue_local_queue_quota_reserved_workloads_total C name,namespace,priority_class",
    "kueue_local_queue_finished_workloads_total C name,namespace,priority_class",
    "kueue_local_queue_admitted_workloads_total C name,namespace,priority_class",
    "kueue_local_queue_quota_reserved_wait_time_seconds H name,namespace,priority_class E14",
    "kueue_local_queue_admission_checks_wait_time_seconds H name,namespace,priority_class E14",
    "kueue_local_queue_ready_wait_time_seconds H name,namespace,priority_class E14",
    "kueue_local_queue_admitted_until_ready_wait_time_seconds H name,namespace,priority_class E14",
    "kueue_local_queue_admission_wait_time_seconds H name,namespace,priority_class E14",
    "kueue_local_queue_execution_time_seconds H name,namespace,priority_class E16",
    "kueue_local_queue_evicted_workloads_total C "
    "name,namespace,reason,underlying_cause,priority_class",
    "kueue_local_queue_reserving_active_workloads G name,namespace",
    "kueue_local_queue_admitted_active_workloads G name,namespace",
    "kueue_local_queue_status G name,namespace,active",
    "kueue_local_queue_unadmitted_workloads G "
    "name,namespace,cluster_queue,reason,underlying_cause",
    "kueue_local_queue_resource_reservation G name,namespace,flavor,resource",
    "kueue_local_queue_resource_usage G name,namespace,flavor,resource",
    "kueue_local_queue_admission_fair_sharing_usage G name,namespace,cluster_queue",
};

std::string Describe(const MetricInfo& info) {
  std::string text = info.name + " ";
  text += info.type == MetricType::kCounter ? "C" : info.type == MetricType::kGauge ? "G" : "H";
  for (size_t i = 0; i < info.labels.size(); ++i) text += (i == 0 ? " " : ",") + info.labels[i];
  switch (info.buckets) {
    case MetricInfo::Buckets::kNone:
      return text;
    case MetricInfo::Buckets::k14:
      return text + " E14";
    case MetricInfo::Buckets::k16:
      return text + " E16";
    case MetricInfo::Buckets::kDefault:
      return text + " D";
    case MetricInfo::Buckets::kLatency:
      return text + " X";
  }
  return text;
}

TEST(QueueMetrics, EveryMetricOfTheReferenceIsThereWithItsLabelsAndBuckets) {
  std::set<std::string> wanted(std::begin(kSeries), std::end(kSeries)), have;
  for (const MetricInfo& info : AllMetrics()) have.insert(Describe(info));
  EXPECT_EQ(have, wanted);
}

TEST(QueueMetrics, EverySeriesIsServedUnderItsName) {
  QueueMetrics metrics({}, api::FeatureGates());
  for (const MetricInfo& info : AllMetrics()) {
    const metrics::LabelValues values(info.labels.size(), "x");
    switch (info.type) {
      case MetricType::kCounter:
        metrics.Count(info.name, values);
        break;
      case MetricType::kGauge:
        metrics.Set(info.name, values, 1);
        break;
      case MetricType::kHistogram:
        metrics.Observe(info.name, values, 1);
        break;
    }
    EXPECT_EQ(metrics.Value(info.name, values), 1) << info.name;
  }
  const std::string text = metrics.Text();
  for (const MetricInfo& info : AllMetrics()) {
    EXPECT_NE(text.find("# TYPE " + info.name + " "), std::string::npos) << info.name;
  }
  EXPECT_NE(
      text.find("kueue_finished_workloads{cluster_queue=\"x\",replica_role=\"standalone\"} 1"),
      std::string::npos);
  EXPECT_NE(text.find("kueue_build_info{"), std::string::npos);
  EXPECT_EQ(text.find("platform=\"x\",replica_role"), std::string::npos) << "a build has no role";
}

TEST(QueueMetrics, BucketsAreThoseOfTheReference) {
  using Buckets = MetricInfo::Buckets;
  EXPECT_EQ(BoundsOf(Buckets::k14), (std::vector<double>{1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640,
                                                         1280, 2560, 5120, 10240}));
  EXPECT_EQ(BoundsOf(Buckets::k16).size(), 16u);
  EXPECT_EQ(BoundsOf(Buckets::k16).back(), 40960);
  EXPECT_EQ(BoundsOf(Buckets::kDefault).front(), .005);
  EXPECT_EQ(BoundsOf(Buckets::kLatency).size(), 11u);
  EXPECT_DOUBLE_EQ(BoundsOf(Buckets::kLatency).back(), 10.24);
}

TEST(QueueMetrics, GatesAndSettingsDecideWhatIsRegistered) {
  MetricsSettings settings;
  settings.local_queues = false;
  const QueueMetrics without(settings, api::FeatureGates());
  EXPECT_FALSE(without.Has("kueue_local_queue_status"));
  EXPECT_TRUE(without.Has("kueue_cluster_queue_status"));
  api::FeatureGates gates;
  gates.Set(api::Feature::kMetricsForCohorts, false);
  gates.Set(api::Feature::kUnadmittedWorkloadsObservability, false);
  QueueMetrics fewer({}, gates);
  EXPECT_FALSE(fewer.Has("kueue_cohort_info"));
  EXPECT_FALSE(fewer.Has("kueue_unadmitted_workloads"));
  fewer.Set("kueue_cohort_info", {"a", "", "a"}, 1);  // passed over
  EXPECT_EQ(fewer.Text().find("cohort_info"), std::string::npos);
}

TEST(QueueMetrics, WhatIsGoneIsForgotten) {
  QueueMetrics metrics({}, api::FeatureGates());
  metrics.Count("kueue_admitted_workloads_total", {"a", ""});
  metrics.Count("kueue_admitted_workloads_total", {"b", ""});
  metrics.Count("kueue_local_queue_admitted_workloads_total", {"a", "ns", ""});
  metrics.Forget({{"cluster_queue", "a"}});
  EXPECT_EQ(metrics.Value("kueue_admitted_workloads_total", {"a", ""}), 0);
  EXPECT_EQ(metrics.Value("kueue_admitted_workloads_total", {"b", ""}), 1);
  EXPECT_EQ(metrics.Value("kueue_local_queue_admitted_workloads_total", {"a", "ns", ""}), 1);
}

}  // namespace
}  // namespace kueue::manager
