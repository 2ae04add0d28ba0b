#include "controllers/queue_reconcilers.h"

#include <algorithm>

#include "api/match/policy_annotations.h"
#include "api/types/names.h"
#include "controllers/finalizer.h"

namespace kueue::controllers {

using runtime::Intents;
namespace names = api::names;

namespace {

template <class T>
void SetActive(T& object, bool active, const std::string& reason, const std::string& message,
               base::Time now) {
  api::Condition condition;
  condition.type = names::kActive;
  condition.status = active ? api::ConditionStatus::kTrue : api::ConditionStatus::kFalse;
  condition.reason = reason;
  condition.message = message;
  condition.observed_generation = object.metadata.generation;
  api::SetCondition(object.status.conditions, std::move(condition), now);
}

template <class T>
bool IsActive(const T& object) {
  return api::IsConditionTrue(object.status.conditions, names::kActive);
}

}  // namespace

Intents ClusterQueueReconciler::Reconcile(const kube::ObjectKey& key, base::Time now) {
  const auto queue = cache_.Get<api::ClusterQueue>(key);
  if (!queue) return {};
  const auto report = state_.ReportClusterQueue(key.name);
  Intents intents;
  intents.Add(KeepFinalizer(*queue, report.known && report.reserving > 0));
  // The write changes resourceVersion; the status follows on the next call.
  if (!intents.writes.empty()) return intents;

  api::ClusterQueue after = *queue;
  after.status.flavors_reservation = report.flavors_reservation;
  after.status.flavors_usage = report.flavors_usage;
  after.status.pending_workloads = report.pending;
  after.status.reserving_workloads = report.reserving;
  after.status.admitted_workloads = report.admitted;
  after.status.fair_sharing.reset();
  if (report.weighted_share) {
    after.status.fair_sharing = queue->status.fair_sharing.value_or(api::FairSharingStatus{});
    after.status.fair_sharing->weighted_share = *report.weighted_share;
  }
  if (queue->metadata.deletion_timestamp) {
    SetActive(after, false, "Terminating", "The ClusterQueue is being deleted", now);
  } else if (!report.known) {
    SetActive(after, false, "NotFound", "The ClusterQueue is not known yet", now);
  } else {
    SetActive(after, report.active, report.reason, report.message, now);
  }
  intents.Add(runtime::PatchStatus(*queue, after));
  return intents;
}

Intents LocalQueueReconciler::Reconcile(const kube::ObjectKey& key, base::Time now) {
  const auto queue = cache_.Get<api::LocalQueue>(key);
  if (!queue) return {};
  // The write's answer brings the status.
  if (auto intents = KeepDeletedRuns(*queue)) return std::move(*intents);
  const auto report = state_.ReportLocalQueue(key.namespace_name, key.name);
  const auto cluster = cache_.Get<api::ClusterQueue>({"", queue->spec.cluster_queue});
  const bool stopped = !queue->spec.stop_policy.value_or("None").empty() &&
                       queue->spec.stop_policy.value_or("None") != "None";
  api::LocalQueue after = *queue;
  after.status.pending_workloads = stopped ? 0 : report.pending;
  after.status.reserving_workloads = cluster ? report.reserving : 0;
  after.status.admitted_workloads = cluster ? report.admitted : 0;
  after.status.flavors_reservation = report.flavors_reservation;
  after.status.flavors_usage = report.flavors_usage;
  if (!cluster) {
    after.status.flavors_reservation.clear();
    after.status.flavors_usage.clear();
  }
  if (stopped) {
    SetActive(after, false, "Stopped", "The LocalQueue is stopped", now);
  } else if (!cluster) {
    SetActive(after, false, "ClusterQueueDoesNotExist",
              "ClusterQueue " + queue->spec.cluster_queue + " does not exist; create it", now);
  } else if (api::IsConditionTrue(cluster->status.conditions, names::kActive)) {
    SetActive(after, true, "Ready", "Workloads can be submitted and admitted", now);
  } else {
    const api::Condition* why = api::FindCondition(cluster->status.conditions, names::kActive);
    SetActive(after, false, "ClusterQueueIsInactive",
              "ClusterQueue " + queue->spec.cluster_queue + " is inactive" +
                  (why != nullptr ? ": " + why->message : std::string()),
              now);
  }
  Intents intents;
  // A queue that admits nothing has no new use to count (§3.4).
  if (IsActive(after)) intents.look_again = SamplePastUse(after, now);
  intents.Add(runtime::PatchStatus(*queue, after));
  return intents;
}

// What deleted workloads ran would be forgotten by a restart (docs/using/wall-time-budgets.md).
std::optional<Intents> LocalQueueReconciler::KeepDeletedRuns(const api::LocalQueue& queue) const {
  const auto text = state_.DeletedRunsOf(queue.metadata.namespace_name, queue.metadata.name);
  if (!text || queue.metadata.deletion_timestamp) return std::nullopt;
  api::LocalQueue after = queue;
  std::string& kept = after.metadata.annotations[api::names::kWallTimeDeleted];
  if (kept == *text) return std::nullopt;
  kept = *text;
  Intents intents;
  intents.Add(runtime::PatchObject(queue, after));
  return intents;
}

// What was used is persisted when it changed: the time alone is no news. Returns how long to wait
// for the next sample.
std::optional<base::Duration> LocalQueueReconciler::SamplePastUse(api::LocalQueue& queue,
                                                                  base::Time now) {
  const auto sample = state_.SamplePastUse(queue.metadata.namespace_name, queue.metadata.name, now);
  if (!sample) return std::nullopt;
  if (!queue.status.fair_sharing) queue.status.fair_sharing.emplace();
  auto& status = queue.status.fair_sharing->admission_fair_sharing_status;
  if (!status || status->consumed_resources != sample->consumed) {
    status.emplace();
    status->consumed_resources = sample->consumed;
    status->last_update = sample->last_update;
  }
  return sample->next;
}

Intents CohortReconciler::Reconcile(const kube::ObjectKey& key, base::Time) {
  const auto cohort = cache_.Get<api::Cohort>(key);
  if (!cohort) return {};
  api::Cohort after = *cohort;
  const auto share = state_.CohortWeightedShare(key.name);
  after.status.fair_sharing.reset();
  if (share) {
    after.status.fair_sharing = cohort->status.fair_sharing.value_or(api::FairSharingStatus{});
    after.status.fair_sharing->weighted_share = *share;
  }
  Intents intents;
  intents.Add(runtime::PatchStatus(*cohort, after));
  return intents;
}

Intents ResourceFlavorReconciler::Reconcile(const kube::ObjectKey& key, base::Time) {
  const auto flavor = cache_.Get<api::ResourceFlavor>(key);
  if (!flavor) return {};
  Intents intents;
  intents.Add(KeepFinalizer(*flavor, !state_.ClusterQueuesUsingFlavor(key.name).empty()));
  return intents;
}

Intents AdmissionCheckReconciler::Reconcile(const kube::ObjectKey& key, base::Time) {
  const auto check = cache_.Get<api::AdmissionCheck>(key);
  if (!check) return {};
  Intents intents;
  intents.Add(KeepFinalizer(*check, state_.IsCheckUsed(key.name)));
  return intents;
}

Intents WorkloadPriorityClassReconciler::Reconcile(const kube::ObjectKey& key, base::Time) {
  const auto priority_class = cache_.Get<api::WorkloadPriorityClass>(key);
  if (!priority_class) return {};
  Intents intents;
  for (const auto& workload : cache_.ByIndex<api::Workload>(kByPriorityClass, key.name)) {
    api::Workload after = *workload;
    after.spec.priority = priority_class->value;
    intents.Add(runtime::PatchObject(*workload, after));
  }
  return intents;
}

}  // namespace kueue::controllers
