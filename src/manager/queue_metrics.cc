#include "manager/queue_metrics.h"

#include <algorithm>

#include "base/check.h"

namespace kueue::manager {
namespace {

using Buckets = MetricInfo::Buckets;
using When = MetricInfo::When;
using Labels = std::vector<std::string>;

constexpr char kRole[] = "replica_role";
// There is one replica, which needs no election (spec/controllers.md §15.3).
constexpr char kStandalone[] = "standalone";

class Builder {
 public:
  void Counter(const std::string& name, Labels labels, const char* help,
               When when = When::kAlways) {
    out_.push_back({name, MetricType::kCounter, std::move(labels), help, Buckets::kNone, when});
  }
  void Gauge(const std::string& name, Labels labels, const char* help, When when = When::kAlways) {
    out_.push_back({name, MetricType::kGauge, std::move(labels), help, Buckets::kNone, when});
  }
  void Histogram(const std::string& name, Labels labels, const char* help, Buckets buckets,
                 When when = When::kAlways) {
    out_.push_back({name, MetricType::kHistogram, std::move(labels), help, buckets, when});
  }
  std::vector<MetricInfo> Sorted() {
    std::sort(out_.begin(), out_.end(),
              [](const MetricInfo& a, const MetricInfo& b) { return a.name < b.name; });
    return std::move(out_);
  }

 private:
  std::vector<MetricInfo> out_;
};

void AddProcess(Builder& b) {
  b.Counter("kueue_admission_attempts_total", {"result"}, "scheduling cycles by result");
  b.Histogram("kueue_admission_attempt_duration_seconds", {"result"},
              "how long scheduling cycles took", Buckets::kDefault);
  b.Counter("multikueue_workloads_dispatched_total", {"cluster_queue", "cluster"},
            "workloads created on worker clusters");
  b.Counter("multikueue_workloads_admitted_total", {"cluster_queue", "cluster"},
            "workloads that a worker cluster took");
  b.Gauge("kueue_admission_cycle_preemption_skips", {"cluster_queue"},
          "preemptions of the last cycle that others' victims were in the way of");
  b.Counter("kueue_preemption_target_recomputations_total", {"cluster_queue", "result"},
            "new looks for victims because others had chosen them");
  b.Gauge("kueue_build_info",
          {"git_version", "git_commit", "build_date", "go_version", "compiler", "platform"},
          "always 1");
  b.Histogram("kueue_workload_creation_latency_seconds", {"job_kind"},
              "from a job's creation to its workload's", Buckets::kLatency, When::kCreation);
  b.Histogram("kueue_pod_scheduling_gate_removal_seconds", {"name", "cluster_queue", "is_group"},
              "from a workload's admission to the removal of a pod's scheduling gate",
              Buckets::kDefault);
}

// The same of ClusterQueues and of LocalQueues.
void AddLife(Builder& b, const std::string& prefix, const Labels& queue, When when) {
  const auto with = [&](Labels more) {
    Labels labels = queue;
    labels.insert(labels.end(), more.begin(), more.end());
    return labels;
  };
  const bool local = when == When::kLocal;
  const Labels priority = with({"priority_class"});
  b.Gauge(prefix + "pending_workloads", with({"status"}),
          "waiting workloads, to be tried (active) or until something changes (inadmissible)",
          when);
  b.Gauge(prefix + "finished_workloads", queue, "finished workloads that are kept", when);
  b.Counter(prefix + "quota_reserved_workloads_total", priority, "reservations of quota", when);
  b.Histogram(prefix + "quota_reserved_wait_time_seconds", priority,
              "from queueing to the reservation of quota", Buckets::k14, when);
  b.Counter(prefix + "admitted_workloads_total", priority, "admissions", when);
  b.Histogram(prefix + "admission_wait_time_seconds", priority, "from queueing to admission",
              local ? Buckets::k14 : Buckets::k16, when);
  b.Histogram(prefix + "admission_checks_wait_time_seconds", priority,
              "from the reservation of quota to admission", Buckets::k14, when);
  b.Histogram(prefix + "ready_wait_time_seconds", priority, "from queueing to ready pods",
              Buckets::k14, when);
  b.Histogram(prefix + "admitted_until_ready_wait_time_seconds", priority,
              "from admission to ready pods", Buckets::k14, when);
  b.Counter(prefix + "finished_workloads_total", priority, "workloads that finished", when);
  b.Histogram(prefix + "execution_time_seconds", priority, "how long finished workloads ran",
              Buckets::k16, when);
  b.Counter(prefix + "evicted_workloads_total",
            with({"reason", "underlying_cause", "priority_class"}), "evictions", when);
  b.Gauge(prefix + "reserving_active_workloads", queue, "workloads that hold quota", when);
  b.Gauge(prefix + "admitted_active_workloads", queue, "admitted workloads that did not finish",
          when);
}

void AddClusterQueues(Builder& b) {
  AddLife(b, "kueue_", {"cluster_queue"}, When::kAlways);
  b.Gauge("kueue_pending_scheduling_hashes", {"cluster_queue", "status"},
          "different shapes of waiting workloads", When::kHashes);
  b.Counter("kueue_evicted_workloads_once_total",
            {"cluster_queue", "reason", "underlying_cause", "priority_class"},
            "workloads that were evicted for a reason, each once");
  b.Histogram("kueue_pods_ready_to_evicted_time_seconds",
              {"cluster_queue", "reason", "underlying_cause"}, "from ready pods to eviction",
              Buckets::k14);
  b.Histogram("kueue_workload_eviction_latency_seconds", {"cluster_queue", "reason"},
              "from eviction until the quota is free", Buckets::k14);
  b.Counter("kueue_preempted_workloads_total", {"preempting_cluster_queue", "reason"},
            "preemptions by the queue they were for");
  b.Counter("kueue_replaced_workload_slices_total", {"cluster_queue"},
            "slices of elastic workloads that others replaced");
  b.Gauge("kueue_cluster_queue_status", {"cluster_queue", "status"},
          "1 for the status the queue has");
  b.Gauge("kueue_unadmitted_workloads", {"cluster_queue", "reason", "underlying_cause"},
          "workloads that are not admitted, by why", When::kUnadmitted);
  const Labels cell = {"cohort", "cluster_queue", "flavor", "resource"};
  b.Gauge("kueue_cluster_queue_resource_reservation", cell, "reserved quota");
  b.Gauge("kueue_cluster_queue_resource_usage", cell, "quota in use by admitted workloads");
  b.Gauge("kueue_cluster_queue_nominal_quota", cell, "nominal quota");
  b.Gauge("kueue_cluster_queue_borrowing_limit", cell, "borrowing limit, +Inf without one");
  b.Gauge("kueue_cluster_queue_lending_limit", cell, "lending limit, +Inf without one");
  b.Gauge("kueue_cluster_queue_resource_pending", {"cluster_queue", "resource"},
          "what waiting workloads ask for");
  b.Gauge("kueue_cluster_queue_weighted_share", {"cluster_queue", "cohort"},
          "share of what is borrowed, by weight");
  b.Gauge("kueue_cluster_queue_info", {"cluster_queue", "parent_cohort", "root_cohort"}, "always 1",
          When::kCohorts);
}

// Of queues that ask for them (docs/using/dialect.md).
void AddAskedFor(Builder& b) {
  const Labels cell = {"cluster_queue", "resource", "flavor"};
  b.Counter("kueue_workload_scheduled_total", cell, "workloads admitted to quota of the cell");
  b.Gauge("kueue_resource_utilization", cell, "used part of the nominal quota: 1 is all of it");
}

void AddCohorts(Builder& b) {
  b.Gauge("kueue_cohort_info", {"cohort", "parent_cohort", "root_cohort"}, "always 1",
          When::kCohorts);
  b.Gauge("kueue_cohort_weighted_share", {"cohort"}, "share of what is borrowed, by weight");
  b.Gauge("kueue_cohort_subtree_quota", {"cohort", "flavor", "resource"},
          "quota of a cohort and everything below");
  b.Gauge("kueue_cohort_subtree_resource_reservations", {"cohort", "flavor", "resource"},
          "reserved quota of a cohort and everything below");
  b.Counter("kueue_cohort_subtree_admitted_workloads_total", {"cohort", "priority_class"},
            "admissions in a cohort and everything below");
  b.Gauge("kueue_cohort_subtree_admitted_active_workloads", {"cohort"},
          "admitted workloads of a cohort and everything below");
}

void AddLocalQueues(Builder& b) {
  AddLife(b, "kueue_local_queue_", {"name", "namespace"}, When::kLocal);
  b.Gauge("kueue_local_queue_status", {"name", "namespace", "active"},
          "1 for the status the queue has", When::kLocal);
  b.Gauge("kueue_local_queue_unadmitted_workloads",
          {"name", "namespace", "cluster_queue", "reason", "underlying_cause"},
          "workloads that are not admitted, by why", When::kLocalUnadmitted);
  const Labels cell = {"name", "namespace", "flavor", "resource"};
  b.Gauge("kueue_local_queue_resource_reservation", cell, "reserved quota", When::kLocal);
  b.Gauge("kueue_local_queue_resource_usage", cell, "quota in use by admitted workloads",
          When::kLocal);
  b.Gauge("kueue_local_queue_admission_fair_sharing_usage", {"name", "namespace", "cluster_queue"},
          "past use by weight", When::kLocal);
}

// What a cycle reports and nothing else can tell.
bool IsOfCycle(const MetricInfo& info) {
  return info.name == "kueue_admission_cycle_preemption_skips";
}

bool IsRegistered(When when, const MetricsSettings& settings, const api::FeatureGates& gates) {
  using api::Feature;
  const bool local = settings.local_queues && gates.Enabled(Feature::kLocalQueueMetrics);
  const bool unadmitted = gates.Enabled(Feature::kUnadmittedWorkloadsObservability);
  switch (when) {
    case When::kAlways:
      return true;
    case When::kHashes:
      return gates.Enabled(Feature::kSchedulingEquivalenceHashing);
    case When::kUnadmitted:
      return unadmitted;
    case When::kCohorts:
      return gates.Enabled(Feature::kMetricsForCohorts);
    case When::kCreation:
      return gates.Enabled(Feature::kMetricForWorkloadCreationLatency);
    case When::kLocal:
      return local;
    case When::kLocalUnadmitted:
      return local && unadmitted;
  }
  return false;
}

const MetricInfo* InfoOf(std::string_view name) {
  const std::vector<MetricInfo>& all = AllMetrics();
  const auto found = std::lower_bound(
      all.begin(), all.end(), name,
      [](const MetricInfo& info, std::string_view wanted) { return info.name < wanted; });
  return found == all.end() || found->name != name ? nullptr : &*found;
}

Labels WithRole(Labels labels, const char* last) {
  labels.emplace_back(last);
  return labels;
}

}  // namespace

const std::vector<MetricInfo>& AllMetrics() {
  static const std::vector<MetricInfo> all = [] {
    Builder builder;
    AddProcess(builder);
    AddClusterQueues(builder);
    AddAskedFor(builder);
    AddCohorts(builder);
    AddLocalQueues(builder);
    return builder.Sorted();
  }();
  return all;
}

std::vector<double> BoundsOf(Buckets buckets) {
  switch (buckets) {
    case Buckets::kNone:
      return {};
    case Buckets::kDefault:
      return {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};
    case Buckets::kLatency:
      return metrics::ExponentialBuckets(0.01, 2, 11);
    case Buckets::k14:
    case Buckets::k16:
      break;
  }
  std::vector<double> bounds =
      metrics::ExponentialBuckets(2.5, 2, buckets == Buckets::k14 ? 13 : 15);
  bounds.insert(bounds.begin(), 1);
  return bounds;
}

QueueMetrics::QueueMetrics(const MetricsSettings& settings, const api::FeatureGates& gates) {
  for (const MetricInfo& info : AllMetrics()) {
    if (!IsRegistered(info.when, settings, gates)) continue;
    Entry& entry = entries_[info.name];
    entry.info = &info;
    // The build has no role (spec/controllers.md §17).
    const Labels labels =
        info.name == "kueue_build_info" ? info.labels : WithRole(info.labels, kRole);
    switch (info.type) {
      case MetricType::kCounter:
        entry.counter = &registry_.AddCounter(info.name, info.help, labels);
        break;
      case MetricType::kGauge:
        entry.gauge = &registry_.AddGauge(info.name, info.help, labels);
        break;
      case MetricType::kHistogram:
        entry.histogram =
            &registry_.AddHistogram(info.name, info.help, labels, BoundsOf(info.buckets));
        break;
    }
  }
}

const QueueMetrics::Entry* QueueMetrics::Find(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found != entries_.end()) return &found->second;
  KUEUE_CHECK_MSG(InfoOf(name) != nullptr, std::string(name));
  return nullptr;
}

void QueueMetrics::Count(std::string_view name, metrics::LabelValues values, double by) {
  const Entry* entry = Find(name);
  if (entry != nullptr) entry->counter->Add(WithRole(std::move(values), kStandalone), by);
}

void QueueMetrics::Set(std::string_view name, metrics::LabelValues values, double to) {
  const Entry* entry = Find(name);
  if (entry == nullptr) return;
  if (entry->info->name != "kueue_build_info") values.emplace_back(kStandalone);
  entry->gauge->Set(values, to);
}

void QueueMetrics::Observe(std::string_view name, metrics::LabelValues values, double seconds) {
  const Entry* entry = Find(name);
  if (entry == nullptr) return;
  entry->histogram->Observe(WithRole(std::move(values), kStandalone), std::max(seconds, 0.0));
}

void QueueMetrics::ClearGauges() {
  for (const auto& [name, entry] : entries_) {
    if (entry.gauge != nullptr && !IsOfCycle(*entry.info)) entry.gauge->RemoveMatching({});
  }
}

void QueueMetrics::Forget(const metrics::LabelFilter& filter) {
  for (const auto& [name, entry] : entries_) {
    if (entry.counter != nullptr) entry.counter->RemoveMatching(filter);
    if (entry.gauge != nullptr) entry.gauge->RemoveMatching(filter);
    if (entry.histogram != nullptr) entry.histogram->RemoveMatching(filter);
  }
}

double QueueMetrics::Value(std::string_view name, metrics::LabelValues values) const {
  const Entry* entry = Find(name);
  if (entry == nullptr) return 0;
  if (entry->info->name != "kueue_build_info") values.emplace_back(kStandalone);
  if (entry->counter != nullptr) return entry->counter->Value(values);
  if (entry->gauge != nullptr) return entry->gauge->Value(values);
  return static_cast<double>(entry->histogram->Count(values));
}

}  // namespace kueue::manager
