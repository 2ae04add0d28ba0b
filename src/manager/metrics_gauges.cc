#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "api/types/names.h"
#include "controllers/workload_status.h"
#include "manager/metrics_feed.h"

// What MetricsFeed computes when it is asked: gauges, from the state and the caches.
namespace kueue::manager {
namespace {

using scheduling::State;

constexpr double kEndless = std::numeric_limits<double>::infinity();

double LimitOf(const std::optional<api::Quantity>& limit) {
  return limit ? limit->ToDouble() : kEndless;
}

std::string RootOf(const State& state, const std::string& cohort) {
  return cohort.empty() ? "" : state.ReportCohort(cohort).root;
}

// Why a workload is not admitted (spec/controllers.md §7).
std::pair<std::string, std::string> WhyUnadmitted(const api::Workload& workload) {
  const api::Condition* admitted =
      api::FindCondition(workload.status.conditions, api::names::kAdmitted);
  const api::Condition* reserved =
      api::FindCondition(workload.status.conditions, api::names::kQuotaReserved);
  std::string cause = reserved == nullptr ? "PendingEvaluation" : reserved->reason;
  if (reserved != nullptr && reserved->status == api::ConditionStatus::kTrue) cause.clear();
  return {admitted == nullptr ? "NoReservation" : admitted->reason, std::move(cause)};
}

}  // namespace

void MetricsFeed::Refresh() {
  parts_.metrics.ClearGauges();
  std::set<std::string> cohorts;
  for (const auto& queue : parts_.cache.List<api::ClusterQueue>()) {
    RefreshClusterQueue(*queue);
    for (std::string& name : parts_.state.AncestorsOf(queue->metadata.name)) {
      cohorts.insert(std::move(name));
    }
  }
  for (const auto& cohort : parts_.cache.List<api::Cohort>()) {
    cohorts.insert(cohort->metadata.name);
  }
  for (const std::string& name : cohorts) RefreshCohort(name);
  for (const auto& queue : parts_.cache.List<api::LocalQueue>()) {
    if (IsShown(*queue)) RefreshLocalQueue(*queue);
  }
  RefreshWorkloads();
  const MetricsSettings& settings = parts_.settings;
#ifdef __clang__
  const std::string compiler = "clang";
#else
  const std::string compiler = "gcc";
#endif
  parts_.metrics.Set(
      "kueue_build_info",
      {settings.version, settings.commit, settings.build_date, "none", compiler, "linux/amd64"}, 1);
}

void MetricsFeed::RefreshClusterQueue(const api::ClusterQueue& queue) {
  QueueMetrics& metrics = parts_.metrics;
  const std::string& name = queue.metadata.name;
  const State::ClusterQueueReport report = parts_.state.ReportClusterQueue(name);
  if (!report.known) return;
  const State::PendingReport pending = parts_.state.ReportPending(name);
  const auto count = [](size_t n) { return static_cast<double>(n); };
  metrics.Set("kueue_pending_workloads", {name, "active"}, count(pending.workloads.active));
  metrics.Set("kueue_pending_workloads", {name, "inadmissible"}, count(pending.workloads.parked));
  metrics.Set("kueue_pending_scheduling_hashes", {name, "active"}, count(pending.shapes.active));
  metrics.Set("kueue_pending_scheduling_hashes", {name, "inadmissible"},
              count(pending.shapes.parked));
  for (const auto& [key, local_count] : pending.by_local) {
    const size_t slash = key.find('/');
    const auto local =
        parts_.cache.Get<api::LocalQueue>({key.substr(0, slash), key.substr(slash + 1)});
    if (!local || !IsShown(*local)) continue;
    const std::string &home = local->metadata.namespace_name, &local_name = local->metadata.name;
    metrics.Set("kueue_local_queue_pending_workloads", {local_name, home, "active"},
                count(local_count.active));
    metrics.Set("kueue_local_queue_pending_workloads", {local_name, home, "inadmissible"},
                count(local_count.parked));
  }
  metrics.Set("kueue_reserving_active_workloads", {name}, report.reserving);
  metrics.Set("kueue_admitted_active_workloads", {name}, report.admitted);
  metrics.Set("kueue_finished_workloads", {name}, 0);
  const bool terminating = queue.metadata.deletion_timestamp || report.reason == "Terminating";
  const std::string status = terminating ? "terminating" : report.active ? "active" : "pending";
  for (const char* one : {"pending", "active", "terminating"}) {
    metrics.Set("kueue_cluster_queue_status", {name, one}, status == one ? 1 : 0);
  }
  const std::string cohort = queue.spec.cohort_name;
  metrics.Set("kueue_cluster_queue_info", {name, cohort, RootOf(parts_.state, cohort)}, 1);
  if (AsksFor(queue, "resource_utilization")) RefreshUtilization(queue, report);
  if (!parts_.settings.cluster_queue_resources) return;
  for (const auto& [resource, amount] : pending.requests) {
    metrics.Set("kueue_cluster_queue_resource_pending", {name, resource}, amount.ToDouble());
  }
  RefreshResources(queue, report);
}

void MetricsFeed::RefreshResources(const api::ClusterQueue& queue,
                                   const State::ClusterQueueReport& report) {
  QueueMetrics& metrics = parts_.metrics;
  const std::string &name = queue.metadata.name, &cohort = queue.spec.cohort_name;
  const auto show = [&](const char* metric, const std::vector<api::FlavorUsage>& flavors) {
    for (const api::FlavorUsage& flavor : flavors) {
      for (const api::ResourceUsage& usage : flavor.resources) {
        metrics.Set(metric, {cohort, name, flavor.name, usage.name}, usage.total.ToDouble());
      }
    }
  };
  show("kueue_cluster_queue_resource_reservation", report.flavors_reservation);
  show("kueue_cluster_queue_resource_usage", report.flavors_usage);
  for (const api::ResourceGroup& group : queue.spec.resource_groups) {
    for (const api::FlavorQuotas& flavor : group.flavors) {
      for (const api::ResourceQuota& quota : flavor.resources) {
        const metrics::LabelValues cell = {cohort, name, flavor.name, quota.name};
        metrics.Set("kueue_cluster_queue_nominal_quota", cell, quota.nominal_quota.ToDouble());
        metrics.Set("kueue_cluster_queue_borrowing_limit", cell, LimitOf(quota.borrowing_limit));
        metrics.Set("kueue_cluster_queue_lending_limit", cell, LimitOf(quota.lending_limit));
      }
    }
  }
  if (!report.exact_share) return;
  const double share = *report.exact_share;
  metrics.Set("kueue_cluster_queue_weighted_share", {name, cohort},
              std::isinf(share) ? std::nan("") : share);
}

void MetricsFeed::RefreshUtilization(const api::ClusterQueue& queue,
                                     const State::ClusterQueueReport& report) {
  for (const api::ResourceGroup& group : queue.spec.resource_groups) {
    for (const api::FlavorQuotas& flavor : group.flavors) {
      for (const api::ResourceQuota& quota : flavor.resources) {
        double used = 0;
        for (const api::FlavorUsage& usage : report.flavors_usage) {
          if (usage.name != flavor.name) continue;
          for (const api::ResourceUsage& resource : usage.resources) {
            if (resource.name == quota.name) used = resource.total.ToDouble();
          }
        }
        const double nominal = quota.nominal_quota.ToDouble();
        // Without a quota of its own a queue uses what others lend, or nothing.
        const double part = nominal > 0 ? used / nominal : used > 0 ? kEndless : 0;
        parts_.metrics.Set("kueue_resource_utilization",
                           {queue.metadata.name, quota.name, flavor.name}, part);
      }
    }
  }
}

void MetricsFeed::RefreshCohort(const std::string& name) {
  QueueMetrics& metrics = parts_.metrics;
  const State::CohortReport report = parts_.state.ReportCohort(name);
  if (!report.known) return;
  metrics.Set("kueue_cohort_info", {name, report.parent, report.root}, 1);
  metrics.Set("kueue_cohort_subtree_admitted_active_workloads", {name}, report.admitted);
  for (const auto& [cell, amount] : report.quota) {
    metrics.Set("kueue_cohort_subtree_quota", {name, cell.first, cell.second}, amount.ToDouble());
  }
  for (const auto& [cell, amount] : report.reservations) {
    metrics.Set("kueue_cohort_subtree_resource_reservations", {name, cell.first, cell.second},
                amount.ToDouble());
  }
  if (report.exact_share) metrics.Set("kueue_cohort_weighted_share", {name}, *report.exact_share);
}

void MetricsFeed::RefreshLocalQueue(const api::LocalQueue& queue) {
  QueueMetrics& metrics = parts_.metrics;
  const std::string &name = queue.metadata.name, &home = queue.metadata.namespace_name;
  const State::LocalQueueReport report = parts_.state.ReportLocalQueue(home, name);
  for (const char* status : {"active", "inadmissible"}) {
    // Set already where something waits.
    const metrics::LabelValues labels = {name, home, status};
    metrics.Set("kueue_local_queue_pending_workloads", labels,
                metrics.Value("kueue_local_queue_pending_workloads", labels));
  }
  metrics.Set("kueue_local_queue_finished_workloads", {name, home}, 0);
  metrics.Set("kueue_local_queue_reserving_active_workloads", {name, home}, report.reserving);
  metrics.Set("kueue_local_queue_admitted_active_workloads", {name, home}, report.admitted);
  const api::Condition* active = api::FindCondition(queue.status.conditions, api::names::kActive);
  const std::string status = active == nullptr                                ? "Unknown"
                             : active->status == api::ConditionStatus::kTrue  ? "True"
                             : active->status == api::ConditionStatus::kFalse ? "False"
                                                                              : "Unknown";
  for (const char* one : {"True", "False", "Unknown"}) {
    metrics.Set("kueue_local_queue_status", {name, home, one}, status == one ? 1 : 0);
  }
  if (report.past_use) {
    metrics.Set("kueue_local_queue_admission_fair_sharing_usage",
                {name, home, queue.spec.cluster_queue}, *report.past_use);
  }
  if (!parts_.settings.cluster_queue_resources) return;
  const auto show = [&](const char* metric,
                        const std::vector<api::LocalQueueFlavorUsage>& flavors) {
    for (const api::LocalQueueFlavorUsage& flavor : flavors) {
      for (const api::LocalQueueResourceUsage& usage : flavor.resources) {
        metrics.Set(metric, {name, home, flavor.name, usage.name}, usage.total.ToDouble());
      }
    }
  };
  show("kueue_local_queue_resource_reservation", report.flavors_reservation);
  show("kueue_local_queue_resource_usage", report.flavors_usage);
}

void MetricsFeed::RefreshWorkloads() {
  std::map<std::string, double> finished;
  std::map<metrics::LabelValues, double> unadmitted, local_unadmitted, local_finished;
  for (const auto& workload : parts_.cache.List<api::Workload>()) {
    const std::string target = TargetOf(*workload);
    const auto local = LocalOf(*workload);
    if (controllers::IsFinished(*workload)) {
      if (!target.empty()) ++finished[target];
      if (local) ++local_finished[*local];
      continue;
    }
    if (controllers::IsAdmitted(*workload) || workload->metadata.deletion_timestamp ||
        target.empty()) {
      continue;
    }
    const auto [reason, cause] = WhyUnadmitted(*workload);
    ++unadmitted[{target, reason, cause}];
    if (local) ++local_unadmitted[{(*local)[0], (*local)[1], target, reason, cause}];
  }
  const auto show = [&](const char* metric, const auto& counts) {
    for (const auto& [labels, count] : counts) parts_.metrics.Set(metric, labels, count);
  };
  for (const auto& [queue, count] : finished) {
    parts_.metrics.Set("kueue_finished_workloads", {queue}, count);
  }
  show("kueue_local_queue_finished_workloads", local_finished);
  show("kueue_unadmitted_workloads", unadmitted);
  show("kueue_local_queue_unadmitted_workloads", local_unadmitted);
}

}  // namespace kueue::manager
