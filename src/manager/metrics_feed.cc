#include "manager/metrics_feed.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/codec/json_text.h"
#include "api/match/selector.h"
#include "api/types/dialect.h"
#include "api/types/names.h"
#include "controllers/workload_status.h"

namespace kueue::manager {

using api::Workload;
using controllers::HasQuotaReservation;
using controllers::IsAdmitted;
using controllers::IsFinished;
namespace names = api::names;

namespace {

double Seconds(base::Duration duration) { return static_cast<double>(duration.count()) / 1e6; }

const api::Condition* TrueCondition(const Workload& workload, const char* type) {
  const api::Condition* c = api::FindCondition(workload.status.conditions, type);
  return c != nullptr && c->status == api::ConditionStatus::kTrue ? c : nullptr;
}

std::string QueueOf(const Workload& workload) {
  return workload.status.admission ? workload.status.admission->cluster_queue : "";
}

std::string PriorityClassOf(const Workload& workload) {
  return workload.spec.priority_class_ref ? workload.spec.priority_class_ref->name : "";
}

// Since when it waits in its queue (spec/controllers.md §3.2).
std::optional<base::Time> QueuedSince(const Workload& workload) {
  const api::Condition* requeued = api::FindCondition(workload.status.conditions, names::kRequeued);
  return requeued != nullptr ? requeued->last_transition_time
                             : workload.metadata.creation_timestamp;
}

int32_t CountOf(const Workload& workload, const api::EvictionCount& of) {
  if (!workload.status.scheduling_stats) return 0;
  for (const api::EvictionCount& c : workload.status.scheduling_stats->evictions) {
    if (c.reason == of.reason && c.underlying_cause == of.underlying_cause) return c.count;
  }
  return 0;
}

bool HasGate(const api::Pod& pod, const std::string& name) {
  return std::any_of(pod.spec.scheduling_gates.begin(), pod.spec.scheduling_gates.end(),
                     [&](const auto& gate) { return gate.name == name; });
}

}  // namespace

MetricsFeed::MetricsFeed(Parts parts) : parts_(parts) {
  parts_.cache.OnChange<Workload>(
      [this](const auto& before, const auto& after) { OnWorkload(before, after); });
  parts_.cache.OnChange<api::ClusterQueue>([this](const auto& before, const auto& after) {
    if (after) return;
    parts_.metrics.Forget({{"cluster_queue", before->metadata.name}});
    parts_.metrics.Forget({{"preempting_cluster_queue", before->metadata.name}});
  });
  parts_.cache.OnChange<api::LocalQueue>([this](const auto& before, const auto& after) {
    const bool leaves = before && (!after || (IsShown(*before) && !IsShown(*after)));
    if (!leaves) return;
    parts_.metrics.Forget(
        {{"name", before->metadata.name}, {"namespace", before->metadata.namespace_name}});
  });
  parts_.cache.OnChange<api::Cohort>([this](const auto& before, const auto& after) {
    if (!after) parts_.metrics.Forget({{"cohort", before->metadata.name}});
  });
  // Pods are watched only if something else needs them.
  if (parts_.cache.Find(api::KindOf<api::Pod>()) != nullptr) {
    parts_.cache.OnChange<api::Pod>(
        [this](const auto& before, const auto& after) { OnPod(before, after); });
  }
}

// ---- who

double MetricsFeed::SecondsSince(std::optional<base::Time> time) const {
  const base::Time now = parts_.clock.Now();
  return Seconds(now - time.value_or(now));
}

std::string MetricsFeed::TargetOf(const Workload& workload) const {
  const auto local = parts_.cache.Get<api::LocalQueue>(
      {workload.metadata.namespace_name, workload.spec.queue_name});
  return local ? local->spec.cluster_queue : "";
}

bool MetricsFeed::IsShown(const api::LocalQueue& queue) const {
  if (!parts_.settings.local_queue_selector) return true;
  const auto matches =
      api::MatchesLabels(&*parts_.settings.local_queue_selector, queue.metadata.labels);
  return matches.ok() && *matches;
}

std::optional<metrics::LabelValues> MetricsFeed::LocalOf(const Workload& workload) const {
  const auto local = parts_.cache.Get<api::LocalQueue>(
      {workload.metadata.namespace_name, workload.spec.queue_name});
  if (!local || !IsShown(*local)) return std::nullopt;
  return metrics::LabelValues{local->metadata.name, local->metadata.namespace_name};
}

void MetricsFeed::CountBoth(const char* name, const std::string& cluster_queue,
                            const Workload& workload, const metrics::LabelValues& more) {
  metrics::LabelValues labels = {cluster_queue};
  labels.insert(labels.end(), more.begin(), more.end());
  parts_.metrics.Count(std::string("kueue_") + name, std::move(labels));
  if (auto local = LocalOf(workload)) {
    local->insert(local->end(), more.begin(), more.end());
    parts_.metrics.Count(std::string("kueue_local_queue_") + name, std::move(*local));
  }
}

void MetricsFeed::ObserveBoth(const char* name, const std::string& cluster_queue,
                              const Workload& workload, double seconds) {
  const std::string priority = PriorityClassOf(workload);
  parts_.metrics.Observe(std::string("kueue_") + name, {cluster_queue, priority}, seconds);
  if (auto local = LocalOf(workload)) {
    local->push_back(priority);
    parts_.metrics.Observe(std::string("kueue_local_queue_") + name, std::move(*local), seconds);
  }
}

// ---- what happens to workloads

void MetricsFeed::OnWorkload(const Ptr<Workload>& before, const Ptr<Workload>& after) {
  if (!started_ || !after) return;
  if (!before) return Created(*after);
  if (!HasQuotaReservation(*before) && HasQuotaReservation(*after)) Reserved(*after);
  if (!IsAdmitted(*before) && IsAdmitted(*after)) Admitted(*before, *after);
  const auto started = [](const Workload& w) {
    const api::Condition* ready = TrueCondition(w, names::kPodsReady);
    return ready != nullptr && ready->reason == "Started";
  };
  if (!started(*before) && started(*after)) Ready(*after);
  Evicted(*before, *after);
  if (HasQuotaReservation(*before) && !HasQuotaReservation(*after)) Released(*before, *after);
  if (!IsFinished(*before) && IsFinished(*after)) Finished(*after);
}

void MetricsFeed::Created(const Workload& workload) {
  const api::OwnerReference* owner = api::ControllerOf(workload.metadata);
  if (owner == nullptr) return;
  for (const integrations::Integration* integration : parts_.integrations) {
    const api::KindInfo& kind = integration->kind();
    if (kind.kind != owner->kind || kind.ApiVersion() != owner->api_version) continue;
    const kube::Informer* jobs = parts_.cache.Find(kind);
    if (jobs == nullptr) return;
    const kube::ObjectPtr object = jobs->Get({workload.metadata.namespace_name, owner->name});
    if (!object) return;
    const auto job = integration->View(object);
    if (job->metadata().generation > 1) return;
    parts_.metrics.Observe("kueue_workload_creation_latency_seconds", {std::string(kind.kind)},
                           SecondsSince(job->metadata().creation_timestamp));
  }
}

void MetricsFeed::Reserved(const Workload& workload) {
  const std::string queue = QueueOf(workload);
  CountBoth("quota_reserved_workloads_total", queue, workload, {PriorityClassOf(workload)});
  ObserveBoth("quota_reserved_wait_time_seconds", queue, workload,
              SecondsSince(QueuedSince(workload)));
}

bool MetricsFeed::AsksFor(const api::ClusterQueue& queue, std::string_view metric) {
  const auto found = queue.metadata.annotations.find(names::kQueueMetrics);
  if (found == queue.metadata.annotations.end()) return false;
  const auto asked = api::ParseJson(found->second);
  if (!asked.ok() || !asked->IsArray()) return false;
  const auto& list = asked->AsArray();
  return std::any_of(list.begin(), list.end(), [&](const api::Json& one) {
    return one.IsObject() && one.StringAt({"name"}) == metric;
  });
}

void MetricsFeed::Admitted(const Workload& before, const Workload& after) {
  const std::string queue = QueueOf(after), priority = PriorityClassOf(after);
  const auto home = parts_.cache.Get<api::ClusterQueue>({"", queue});
  if (home && AsksFor(*home, "workload_scheduled") && after.status.admission) {
    std::set<std::pair<std::string, std::string>> cells;
    for (const auto& set : after.status.admission->pod_set_assignments) {
      cells.insert(set.flavors.begin(), set.flavors.end());
    }
    for (const auto& [resource, flavor] : cells) {
      parts_.metrics.Count("kueue_workload_scheduled_total", {queue, resource, flavor});
    }
  }
  CountBoth("admitted_workloads_total", queue, after, {priority});
  ObserveBoth("admission_wait_time_seconds", queue, after, SecondsSince(QueuedSince(after)));
  for (const std::string& cohort : parts_.state.AncestorsOf(queue)) {
    parts_.metrics.Count("kueue_cohort_subtree_admitted_workloads_total", {cohort, priority});
  }
  if (HasQuotaReservation(before)) {
    const api::Condition* reserved = TrueCondition(after, names::kQuotaReserved);
    ObserveBoth("admission_checks_wait_time_seconds", queue, after,
                reserved == nullptr ? 0 : SecondsSince(reserved->last_transition_time));
  } else if (!after.status.admission_checks.empty()) {
    ObserveBoth("admission_checks_wait_time_seconds", queue, after, 0);
  }
}

void MetricsFeed::Ready(const Workload& workload) {
  const std::string queue = QueueOf(workload);
  ObserveBoth("ready_wait_time_seconds", queue, workload, SecondsSince(QueuedSince(workload)));
  const api::Condition* admitted = TrueCondition(workload, names::kAdmitted);
  if (admitted == nullptr) return;
  ObserveBoth("admitted_until_ready_wait_time_seconds", queue, workload,
              SecondsSince(admitted->last_transition_time));
}

// The status counts its evictions; a count that rose is one that was written.
void MetricsFeed::Evicted(const Workload& before, const Workload& after) {
  if (!after.status.scheduling_stats || !before.status.admission) return;
  const std::string queue = QueueOf(before), priority = PriorityClassOf(after);
  for (const api::EvictionCount& c : after.status.scheduling_stats->evictions) {
    if (c.count <= CountOf(before, c)) continue;
    CountBoth("evicted_workloads_total", queue, after, {c.reason, c.underlying_cause, priority});
    if (c.count == 1) {
      parts_.metrics.Count("kueue_evicted_workloads_once_total",
                           {queue, c.reason, c.underlying_cause, priority});
    }
    const api::Condition* ready = TrueCondition(after, names::kPodsReady);
    const api::Condition* evicted = TrueCondition(after, names::kEvicted);
    if (ready == nullptr || evicted == nullptr) continue;
    const base::Time at = evicted->last_transition_time.value_or(parts_.clock.Now());
    parts_.metrics.Observe("kueue_pods_ready_to_evicted_time_seconds",
                           {queue, c.reason, c.underlying_cause},
                           Seconds(at - ready->last_transition_time.value_or(at)));
  }
}

void MetricsFeed::Released(const Workload& before, const Workload& after) {
  const api::Condition* evicted = TrueCondition(after, names::kEvicted);
  if (evicted == nullptr || IsFinished(after)) return;
  parts_.metrics.Observe("kueue_workload_eviction_latency_seconds",
                         {QueueOf(before), evicted->reason},
                         SecondsSince(evicted->last_transition_time));
}

void MetricsFeed::Finished(const Workload& workload) {
  const std::string queue = QueueOf(workload);
  CountBoth("finished_workloads_total", queue, workload, {PriorityClassOf(workload)});
  const api::Condition* admitted = TrueCondition(workload, names::kAdmitted);
  const api::Condition* finished = TrueCondition(workload, names::kFinished);
  if (admitted == nullptr || !admitted->last_transition_time || !finished->last_transition_time) {
    return;
  }
  const auto past = workload.status.accumulated_past_execution_time_seconds.value_or(0);
  ObserveBoth("execution_time_seconds", queue, workload,
              past + Seconds(*finished->last_transition_time - *admitted->last_transition_time));
}

// A gate of ours that was there is gone.
void MetricsFeed::OnPod(const Ptr<api::Pod>& before, const Ptr<api::Pod>& after) {
  if (!before || !after || before->spec.scheduling_gates.empty()) return;
  for (const char* gate :
       {names::kTopologyGate, "kueue.x-k8s.io/elastic-job", "kueue.x-k8s.io/admission"}) {
    if (!HasGate(*before, gate) || HasGate(*after, gate)) continue;
    const auto name = after->metadata.annotations.find(names::kWorkloadAnnotation);
    if (name == after->metadata.annotations.end()) continue;
    const auto workload =
        parts_.cache.Get<Workload>({after->metadata.namespace_name, name->second});
    const api::Condition* admitted =
        workload ? TrueCondition(*workload, names::kAdmitted) : nullptr;
    if (admitted == nullptr) continue;
    const bool group = after->metadata.labels.contains("kueue.x-k8s.io/pod-group-name");
    parts_.metrics.Observe("kueue_pod_scheduling_gate_removal_seconds",
                           {gate, QueueOf(*workload), group ? "true" : "false"},
                           SecondsSince(admitted->last_transition_time));
  }
}

// ---- the scheduling loop

void MetricsFeed::OnCycle(const scheduling::Plan& plan, base::Duration took) {
  if (plan.cycles == 0) return;
  const std::string result = plan.reservations.empty() ? "inadmissible" : "success";
  parts_.metrics.Count("kueue_admission_attempts_total", {result});
  parts_.metrics.Observe("kueue_admission_attempt_duration_seconds", {result}, Seconds(took));
  // Cycles before the last of the plan admitted nobody.
  if (plan.cycles > 1) {
    parts_.metrics.Count("kueue_admission_attempts_total", {"inadmissible"},
                         static_cast<double>(plan.cycles - 1));
  }
  for (const auto& [queue, count] : plan.skipped_preemptions) {
    parts_.metrics.Set("kueue_admission_cycle_preemption_skips", {queue}, count);
  }
  for (const auto& [queue, outcome] : plan.recomputed_targets) {
    parts_.metrics.Count("kueue_preemption_target_recomputations_total", {queue, outcome});
  }
}

void MetricsFeed::OnPreempted(const scheduling::Eviction& eviction) {
  parts_.metrics.Count("kueue_preempted_workloads_total",
                       {eviction.by_cluster_queue, eviction.preempted_reason});
}

void MetricsFeed::OnSliceReplaced(const Workload& slice) {
  parts_.metrics.Count("kueue_replaced_workload_slices_total", {QueueOf(slice)});
}

}  // namespace kueue::manager
