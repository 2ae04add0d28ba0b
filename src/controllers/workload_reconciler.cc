#include "controllers/workload_reconciler.h"

#include <algorithm>
#include <set>

#include "api/match/selector.h"
#include "api/types/names.h"
#include "controllers/workload_status.h"

namespace kueue::controllers {

using api::ConditionStatus;
using runtime::Intents;
namespace names = api::names;

// One call's view: the workload, the queues it belongs to, and the copy that steps change.
struct WorkloadReconciler::Context {
  std::shared_ptr<const api::Workload> before;
  api::Workload after;
  std::shared_ptr<const api::LocalQueue> local_queue;      // null: missing
  std::shared_ptr<const api::ClusterQueue> cluster_queue;  // null: missing
  base::Time now;
  std::optional<base::Duration> wait;  // until a limit is reached

  void WaitFor(base::Duration left) { wait = wait ? std::min(*wait, left) : left; }
  // The intents that write what `after` changed in the status.
  Intents StatusWrite() const {
    Intents intents;
    intents.Add(runtime::PatchStatus(*before, after));
    return intents;
  }
  Intents SpecWrite() const {
    Intents intents;
    intents.Add(runtime::PatchObject(*before, after));
    return intents;
  }
  void AddEvent(Intents& intents, const std::string& type, const std::string& reason,
                const std::string& message) const {
    intents.events.push_back({runtime::ReferenceTo(*before), type, reason, message});
  }
};

namespace {

Intents LookAgain(base::Duration after) {
  Intents intents;
  intents.look_again = after;
  return intents;
}

bool Stopped(const std::optional<std::string>& policy) {
  return policy && !policy->empty() && *policy != "None";
}
bool Drains(const std::optional<std::string>& policy) { return policy == "HoldAndDrain"; }

std::optional<base::Time> RequeueAt(const api::Workload& workload) {
  return workload.status.requeue_state ? workload.status.requeue_state->requeue_at : std::nullopt;
}

// Names of the checks the workload needs now (spec/controllers.md §8).
std::set<std::string> RequiredChecks(const api::Workload& workload,
                                     const api::ClusterQueue& queue) {
  std::set<std::string> all_flavors, assigned;
  for (const api::ResourceGroup& group : queue.spec.resource_groups) {
    for (const api::FlavorQuotas& flavor : group.flavors) all_flavors.insert(flavor.name);
  }
  if (workload.status.admission) {
    for (const auto& set : workload.status.admission->pod_set_assignments) {
      for (const auto& [resource, flavor] : set.flavors) assigned.insert(flavor);
    }
  }
  std::set<std::string> required;
  if (!queue.spec.admission_checks_strategy) return required;
  for (const auto& rule : queue.spec.admission_checks_strategy->admission_checks) {
    std::set<std::string> on(rule.on_flavors.begin(), rule.on_flavors.end());
    if (on.empty()) on = all_flavors;
    const bool needed =
        workload.status.admission
            ? std::any_of(on.begin(), on.end(),
                          [&](const auto& f) { return assigned.count(f) > 0; })
            : std::includes(on.begin(), on.end(), all_flavors.begin(), all_flavors.end());
    if (needed) required.insert(rule.name);
  }
  return required;
}

struct Blocker {
  std::string reason, message;
};

// Why a pending workload cannot be tried at all, by its queues (spec/controllers.md §1.3 (3), (4)).
std::optional<Blocker> QueueBlocker(const api::Workload& workload, const api::LocalQueue* local,
                                    const api::ClusterQueue* cluster,
                                    const scheduling::State& state, const api::Namespace* home) {
  if (workload.spec.queue_name.empty()) {
    return Blocker{"Misconfigured", "spec.queueName is empty; name a LocalQueue"};
  }
  if (local == nullptr) {
    return Blocker{"Misconfigured", "LocalQueue " + workload.spec.queue_name +
                                        " does not exist; create it or name another queue"};
  }
  if (Stopped(local->spec.stop_policy)) {
    return Blocker{"Suspended", "LocalQueue " + local->metadata.name + " is stopped"};
  }
  if (cluster == nullptr) {
    return Blocker{"Misconfigured",
                   "ClusterQueue " + local->spec.cluster_queue + " does not exist"};
  }
  const auto report = state.ReportClusterQueue(cluster->metadata.name);
  if (!report.active) {
    return Blocker{"Suspended",
                   "ClusterQueue " + cluster->metadata.name + " is inactive: " + report.message};
  }
  if (home != nullptr) {
    const api::LabelSelector* selector =
        cluster->spec.namespace_selector ? &*cluster->spec.namespace_selector : nullptr;
    const auto matches = api::MatchesLabels(selector, home->metadata.labels);
    if (!matches.ok()) return Blocker{"Misconfigured", matches.error().message};
    if (!*matches && selector == nullptr) {
      return Blocker{"Misconfigured", "ClusterQueue " + cluster->metadata.name +
                                          " has no namespaceSelector and so serves no namespace; "
                                          "add namespaceSelector: {} to serve all"};
    }
    if (!*matches) {
      return Blocker{"Misconfigured", "Namespace " + home->metadata.name +
                                          " does not match the namespaceSelector of ClusterQueue " +
                                          cluster->metadata.name};
    }
    std::string violation = state.Violation(api::KeyOf(workload.metadata));
    if (!violation.empty()) return Blocker{"Misconfigured", std::move(violation)};
  }
  return std::nullopt;
}

// The QuotaReserved=False reason of a workload without quota; nothing: leave the condition as it is
// (spec/controllers.md §1.3, resolution order).
std::optional<Blocker> PendingReason(const api::Workload& workload, const api::LocalQueue* local,
                                     const api::ClusterQueue* cluster,
                                     const scheduling::State& state, const api::Namespace* home,
                                     const Wording& wording) {
  if (!wording.granular) return QueueBlocker(workload, local, cluster, state, nullptr);
  if (!IsActive(workload)) return Blocker{"Deactivated", "The workload is deactivated"};
  if (IsOnHold(workload)) return std::nullopt;
  if (auto blocker = QueueBlocker(workload, local, cluster, state, home)) return blocker;
  if (HasAdmissionGate(workload)) {
    return Blocker{"AdmissionGated",
                   "Admission is gated by annotation kueue.x-k8s.io/admission-gated-by"};
  }
  const api::Condition* have =
      api::FindCondition(workload.status.conditions, names::kQuotaReserved);
  if (have == nullptr && !wording.from_the_start) return std::nullopt;
  const std::string said = have == nullptr ? "" : have->reason;
  static const std::set<std::string> kReplaceable{"", "Deactivated", "PendingEvaluation",
                                                  "Suspended", "Pending"};
  static const std::set<std::string> kKept{"WaitingForQuota",
                                           "NoMatchingFlavor",
                                           "ExceedsMaxQuota",
                                           "TopologyPlacementFailed",
                                           "WaitingForPreemptedWorkloads",
                                           "WaitingForPodsReady",
                                           "PendingEvaluation"};
  if (kReplaceable.count(said) > 0) {
    const std::string parked = state.ParkedReason(api::KeyOf(workload.metadata));
    if (!parked.empty()) {
      return Blocker{parked, "A workload of the same shape could not be admitted"};
    }
  }
  if (kKept.count(said) > 0) return std::nullopt;
  return Blocker{"PendingEvaluation", "The workload waits to be evaluated"};
}

}  // namespace

WorkloadReconciler::WorkloadReconciler(const kube::Cache& cache, const scheduling::State& state,
                                       const Settings& settings)
    : cache_(cache), state_(state), settings_(settings) {}

Intents WorkloadReconciler::Reconcile(const kube::ObjectKey& key, base::Time now) {
  Context c;
  c.before = cache_.Get<api::Workload>(key);
  if (!c.before) return {};
  c.after = *c.before;
  c.now = now;
  c.local_queue = cache_.Get<api::LocalQueue>({key.namespace_name, c.before->spec.queue_name});
  // A stopped LocalQueue leads nowhere: what happens to the ClusterQueue meanwhile concerns its
  // workloads only when it runs again (spec/controllers.md §20 (32)).
  if (c.local_queue && !Stopped(c.local_queue->spec.stop_policy)) {
    c.cluster_queue = cache_.Get<api::ClusterQueue>({"", c.local_queue->spec.cluster_queue});
  }
  static constexpr Step kSteps[] = {
      &WorkloadReconciler::Orphan,        &WorkloadReconciler::PreemptionGates,
      &WorkloadReconciler::Parent,        &WorkloadReconciler::Retention,
      &WorkloadReconciler::CheckDelay,    &WorkloadReconciler::Devices,
      &WorkloadReconciler::Activity,
      &WorkloadReconciler::RetriedChecks, &WorkloadReconciler::Restart,
      &WorkloadReconciler::AdmissionGate, &WorkloadReconciler::ListChecks,
      &WorkloadReconciler::Admit,         &WorkloadReconciler::FailedChecks,
      &WorkloadReconciler::StoppedQueues, &WorkloadReconciler::PodsReadyTimeout,
      &WorkloadReconciler::ExecutionLimit};
  for (const Step step : kSteps) {
    if (auto intents = (this->*step)(c)) return std::move(*intents);
  }
  return c.wait ? LookAgain(*c.wait) : Intents{};
}

// Step 2: nobody owns it any more.
std::optional<Intents> WorkloadReconciler::Orphan(Context& c) const {
  const api::ObjectMeta& meta = c.before->metadata;
  const auto job = meta.labels.find(names::kJobUidLabel);
  const bool was_owned = job != meta.labels.end() && !job->second.empty();
  if (!meta.owner_references.empty() || !(meta.deletion_timestamp || was_owned))
    return std::nullopt;
  if (!meta.deletion_timestamp &&
      Finish(c.after, "OwnerNotFound", "The job this workload was made for is gone", c.now)) {
    return c.StatusWrite();
  }
  auto& finalizers = c.after.metadata.finalizers;
  const auto end =
      std::remove(finalizers.begin(), finalizers.end(), names::kResourceInUseFinalizer);
  if (end != finalizers.end()) {
    finalizers.erase(end, finalizers.end());
    return c.SpecWrite();
  }
  if (meta.deletion_timestamp) return Intents{};
  return std::nullopt;
}

// Step 3: the status lists the gates of the spec; new ones are closed.
std::optional<Intents> WorkloadReconciler::PreemptionGates(Context& c) const {
  if (!settings_.gates.Enabled(api::Feature::kMultiKueueOrchestratedPreemption)) {
    return std::nullopt;
  }
  const auto& have = c.before->status.preemption_gates;
  std::vector<api::PreemptionGateState> list;
  for (const api::PreemptionGate& gate : c.before->spec.preemption_gates) {
    const auto known = std::find_if(have.begin(), have.end(), [&](const auto& state) {
      return state.name == gate.name;
    });
    if (known != have.end()) {
      list.push_back(*known);
      continue;
    }
    api::PreemptionGateState fresh;
    fresh.name = gate.name;
    fresh.position = "Closed";
    fresh.last_transition_time = base::CutToSeconds(c.now);
    list.push_back(std::move(fresh));
  }
  if (list == have) return std::nullopt;
  c.after.status.preemption_gates = std::move(list);
  return c.StatusWrite();
}

// Step 4: in a queue with a policy for concurrent admission a workload becomes the parent of
// variants (spec/scheduling.md §10).
std::optional<Intents> WorkloadReconciler::Parent(Context& c) const {
  if (!settings_.gates.Enabled(api::Feature::kConcurrentAdmission) || !c.cluster_queue ||
      !c.cluster_queue->spec.concurrent_admission_policy || IsParent(*c.before) ||
      IsVariant(*c.before)) {
    return std::nullopt;
  }
  c.after.metadata.labels[names::kConcurrentAdmissionParent] = "true";
  return c.SpecWrite();
}

// Step 5: finished ones are kept for as long as configured.
std::optional<Intents> WorkloadReconciler::Retention(Context& c) const {
  const api::Condition* finished =
      api::FindCondition(c.before->status.conditions, names::kFinished);
  if (finished == nullptr || finished->status != ConditionStatus::kTrue) return std::nullopt;
  if (!settings_.retain_finished) return Intents{};
  const base::Time until =
      finished->last_transition_time.value_or(c.now) + *settings_.retain_finished;
  if (c.now < until) return LookAgain(until - c.now);
  Intents intents;
  auto& finalizers = c.after.metadata.finalizers;
  finalizers.erase(
      std::remove(finalizers.begin(), finalizers.end(), names::kResourceInUseFinalizer),
      finalizers.end());
  intents.Add(runtime::PatchObject(*c.before, c.after));
  if (c.before->metadata.deletion_timestamp) return intents;
  intents.Add(runtime::DeleteObject(*c.before));
  c.AddEvent(intents, "Normal", "Deleted", "Deleted after its retention period");
  return intents;
}

// Step 6: a check in state Retry may ask for a delay; it is kept in requeueAt.
std::optional<Intents> WorkloadReconciler::CheckDelay(Context& c) const {
  std::optional<base::Time> latest;
  for (const auto& check : c.before->status.admission_checks) {
    if (check.state != "Retry" || !check.requeue_after_seconds || !check.last_transition_time)
      continue;
    const base::Time at = *check.last_transition_time + base::seconds(*check.requeue_after_seconds);
    if (!latest || at > *latest) latest = at;
  }
  const auto have = RequeueAt(*c.before);
  // Checks of inactive work change nothing (reference-defects D2).
  if (!latest || *latest <= c.now || (have && *have >= *latest) || !IsActive(*c.before)) {
    return std::nullopt;
  }
  if (!c.after.status.requeue_state) c.after.status.requeue_state.emplace();
  c.after.status.requeue_state->requeue_at = *latest;
  return c.StatusWrite();
}

// Step 7: devices that cannot be counted keep the workload out of its queue
// (spec/scheduling.md §1.9), and nothing else is done for it. Once they can be counted the queue
// takes it, whatever these conditions say.
std::optional<Intents> WorkloadReconciler::Devices(Context& c) const {
  if (PhaseOf(*c.before) != WorkloadPhase::kPending) return std::nullopt;
  const std::string problem = state_.DeviceProblem(api::KeyOf(c.before->metadata));
  if (problem.empty()) return std::nullopt;
  UnsetQuotaReservation(c.after, "Misconfigured", problem, c.now, settings_.wording);
  SetWorkloadCondition(c.after, names::kRequeued, false, "Inadmissible", problem, c.now);
  return c.StatusWrite();
}

// Steps 8 and 9: activation, back-off, deactivation.
std::optional<Intents> WorkloadReconciler::Activity(Context& c) const {
  if (!IsActive(*c.before)) {
    const api::Condition* target =
        api::FindCondition(c.before->status.conditions, names::kDeactivationTarget);
    const bool targeted = target != nullptr && target->status == ConditionStatus::kTrue;
    const bool evicting = !IsEvicted(*c.before);
    if (!evicting && !c.before->status.requeue_state) return std::nullopt;
    const std::string cause = targeted ? target->reason : "";
    if (evicting) {
      Evict(c.after, "Deactivated", cause,
            "The workload is deactivated" + (targeted ? ": " + target->message : std::string()),
            c.now);
    }
    auto& conditions = c.after.status.conditions;
    conditions.erase(
        std::remove_if(conditions.begin(), conditions.end(),
                       [](const auto& x) { return x.type == names::kDeactivationTarget; }),
        conditions.end());
    c.after.status.requeue_state.reset();
    Intents intents = c.StatusWrite();
    if (evicting && c.before->status.admission) {
      c.AddEvent(intents, "Normal", EvictionEventReason("Deactivated", cause),
                 "The workload is deactivated");
    }
    return intents;
  }
  if (api::IsConditionTrue(c.before->status.conditions, names::kDeactivationTarget)) {
    c.after.spec.active = false;
    return c.SpecWrite();
  }
  const auto requeue_at = RequeueAt(*c.before);
  if (requeue_at && *requeue_at > c.now) return LookAgain(*requeue_at - c.now);
  const std::string waits_for = ReasonOf(*c.before, names::kRequeued, ConditionStatus::kFalse);
  const bool backed_off = waits_for == "PodsReadyTimeout" || waits_for == "AdmissionCheck";
  if (requeue_at && PhaseOf(*c.before) == WorkloadPhase::kPending && !backed_off) {
    c.after.status.requeue_state->requeue_at.reset();
    return c.StatusWrite();
  }
  // Only the exact reason, as measured: what was deactivated by the product itself stays out of the
  // queue when it is activated again (spec/controllers.md §4.5).
  if (waits_for == "Deactivated") {
    SetWorkloadCondition(c.after, names::kRequeued, true, "Reactivated",
                         "The workload is active again", c.now);
    return c.StatusWrite();
  }
  if (backed_off) {
    if (c.after.status.requeue_state) c.after.status.requeue_state->requeue_at.reset();
    SetWorkloadCondition(c.after, names::kRequeued, true, "BackoffFinished", "The back-off is over",
                         c.now);
    return c.StatusWrite();
  }
  return std::nullopt;
}

// A check that asks for a retry after an eviction: none follows that would reset it, so it is asked
// anew once its delay is over (report A01). Work that was never evicted keeps the answer, as
// measured.
std::optional<Intents> WorkloadReconciler::RetriedChecks(Context& c) const {
  if (HasQuotaReservation(*c.before) || !IsActive(*c.before) || !IsEvicted(*c.before)) {
    return std::nullopt;
  }
  if (!ResetRetriedChecks(c.after, c.now)) return std::nullopt;
  return c.StatusWrite();
}

// Steps 10 and 12, first half: a queue that was stopped runs again.
std::optional<Intents> WorkloadReconciler::Restart(Context& c) const {
  const std::string waits_for = ReasonOf(*c.before, names::kRequeued, ConditionStatus::kFalse);
  if (waits_for == "LocalQueueStopped" && c.local_queue &&
      !Stopped(c.local_queue->spec.stop_policy)) {
    SetWorkloadCondition(c.after, names::kRequeued, true, "LocalQueueRestarted",
                         "The LocalQueue runs again", c.now);
    return c.StatusWrite();
  }
  if (waits_for == "ClusterQueueStopped" && c.cluster_queue &&
      !Stopped(c.cluster_queue->spec.stop_policy)) {
    SetWorkloadCondition(c.after, names::kRequeued, true, "ClusterQueueRestarted",
                         "The ClusterQueue runs again", c.now);
    return c.StatusWrite();
  }
  return std::nullopt;
}

// Step 11, with one order of precedence for gated work in a stopped queue (reference-defects D3):
// the queue's reason comes first, as in PendingReason.
std::optional<Intents> WorkloadReconciler::AdmissionGate(Context& c) const {
  if (HasQuotaReservation(*c.before)) return std::nullopt;
  const auto home = cache_.Get<api::Namespace>({"", c.before->metadata.namespace_name});
  if (QueueBlocker(*c.before, c.local_queue.get(), c.cluster_queue.get(), state_, home.get())) {
    return std::nullopt;
  }
  const std::string reason = ReasonOf(*c.before, names::kQuotaReserved, ConditionStatus::kFalse);
  const bool gated = settings_.gates.Enabled(api::Feature::kAdmissionGatedBy) &&
                     HasAdmissionGate(*c.before);
  if (gated == (reason == "AdmissionGated")) return std::nullopt;
  if (gated) {
    UnsetQuotaReservation(c.after, "AdmissionGated",
                          "Admission is gated by annotation kueue.x-k8s.io/admission-gated-by",
                          c.now, settings_.wording);
  } else {
    UnsetQuotaReservation(c.after, "PendingEvaluation", "The workload waits to be evaluated", c.now,
                          settings_.wording);
  }
  Intents intents = c.StatusWrite();
  c.AddEvent(intents, "Normal", gated ? "AdmissionGated" : "AdmissionGateCleared",
             gated ? "Admission is gated by annotation" : "The admission gate is gone");
  return intents;
}

// Step 12, second half: the list of checks follows the queue.
std::optional<Intents> WorkloadReconciler::ListChecks(Context& c) const {
  if (!c.cluster_queue) return std::nullopt;
  const std::set<std::string> required = RequiredChecks(*c.before, *c.cluster_queue);
  std::vector<api::AdmissionCheckState> list;
  for (const auto& check : c.before->status.admission_checks) {
    if (required.count(check.name) > 0) list.push_back(check);
  }
  bool changed = list.size() != c.before->status.admission_checks.size();
  for (const std::string& name : required) {
    if (std::any_of(list.begin(), list.end(), [&](const auto& have) { return have.name == name; }))
      continue;
    api::AdmissionCheckState fresh;
    fresh.name = name;
    fresh.state = "Pending";
    fresh.last_transition_time = base::CutToSeconds(c.now);
    list.push_back(std::move(fresh));
    changed = true;
  }
  if (!changed) return std::nullopt;
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  c.after.status.admission_checks = std::move(list);
  return c.StatusWrite();
}

// Step 13: says why it waits, and admits when reservation and checks are there.
std::optional<Intents> WorkloadReconciler::Admit(Context& c) const {
  if (IsAdmitted(*c.before)) return std::nullopt;
  if (!HasQuotaReservation(*c.before)) {
    const auto home = cache_.Get<api::Namespace>({"", c.before->metadata.namespace_name});
    const auto why = PendingReason(*c.before, c.local_queue.get(), c.cluster_queue.get(), state_,
                                   home.get(), settings_.wording);
    if (why) UnsetQuotaReservation(c.after, why->reason, why->message, c.now, settings_.wording);
  }
  SyncAdmitted(c.after, c.now, settings_.wording);
  Intents intents = c.StatusWrite();
  if (intents.writes.empty()) return std::nullopt;
  if (IsAdmitted(c.after)) {
    c.AddEvent(intents, "Normal", "Admitted",
               "Admitted by ClusterQueue " + c.after.status.admission->cluster_queue);
  }
  return intents;
}

// Step 14: a check says no, or not now (spec/controllers.md §4.3).
std::optional<Intents> WorkloadReconciler::FailedChecks(Context& c) const {
  if (!HasQuotaReservation(*c.before) || IsEvicted(*c.before)) return std::nullopt;
  std::string rejected, retry;
  for (const auto& check : c.before->status.admission_checks) {
    std::string& names_list = check.state == "Rejected" ? rejected : retry;
    if (check.state != "Rejected" && check.state != "Retry") continue;
    names_list += (names_list.empty() ? "" : ", ") + check.name;
    if (!check.message.empty()) names_list += " (" + check.message + ")";
  }
  if (!rejected.empty()) {
    const std::string message = "Rejected by admission check(s): " + rejected;
    if (!SetWorkloadCondition(c.after, names::kDeactivationTarget, true, "AdmissionCheck", message,
                              c.now)) {
      return std::nullopt;
    }
    Intents intents = c.StatusWrite();
    c.AddEvent(intents, "Warning", "AdmissionCheckRejected", message);
    return intents;
  }
  if (retry.empty()) return std::nullopt;
  const std::string message = "Admission check(s) ask for a retry: " + retry;
  Evict(c.after, "AdmissionCheck", "", message, c.now);
  Intents intents = c.StatusWrite();
  c.AddEvent(intents, "Normal", EvictionEventReason("AdmissionCheck", ""), message);
  return intents;
}

// Step 14: stop policies and missing queues (spec/controllers.md §4.4). LocalQueue first.
std::optional<Intents> WorkloadReconciler::StoppedQueues(Context& c) const {
  if (!HasQuotaReservation(*c.before) || IsEvicted(*c.before)) return std::nullopt;
  const auto local_policy = c.local_queue ? c.local_queue->spec.stop_policy : std::nullopt;
  const auto cluster_policy = c.cluster_queue ? c.cluster_queue->spec.stop_policy : std::nullopt;
  if (IsAdmitted(*c.before)) {
    const bool local = Drains(local_policy);
    if (!local && !Drains(cluster_policy)) return std::nullopt;
    const std::string reason = local ? "LocalQueueStopped" : "ClusterQueueStopped";
    const std::string message =
        local ? "LocalQueue " + c.local_queue->metadata.name + " is stopped and drained"
              : "ClusterQueue " + c.cluster_queue->metadata.name + " is stopped and drained";
    Evict(c.after, reason, "", message, c.now);
    Intents intents = c.StatusWrite();
    c.AddEvent(intents, "Normal", EvictionEventReason(reason, ""), message);
    return intents;
  }
  // Not started yet: the reservation goes without an eviction. The LocalQueue is asked first.
  const auto withdraw = [&](const char* reason, const std::string& message) {
    UnsetQuotaReservation(c.after, reason, message, c.now, settings_.wording);
    return c.StatusWrite();
  };
  const auto gone = [](const auto& queue) {
    return queue == nullptr || queue->metadata.deletion_timestamp.has_value();
  };
  const std::string local = "LocalQueue " + c.before->spec.queue_name;
  if (gone(c.local_queue)) return withdraw("Misconfigured", local + " is missing or being deleted");
  if (Stopped(local_policy)) return withdraw("Suspended", local + " is stopped");
  const std::string cluster = "ClusterQueue " + c.local_queue->spec.cluster_queue;
  if (gone(c.cluster_queue)) {
    return withdraw("Misconfigured", cluster + " is missing or being deleted");
  }
  if (Stopped(cluster_policy)) return withdraw("Suspended", cluster + " is stopped");
  return std::nullopt;
}

// Step 14: pods that do not become ready (spec/controllers.md §5).
std::optional<Intents> WorkloadReconciler::PodsReadyTimeout(Context& c) const {
  const auto& policy = settings_.wait_for_pods_ready;
  const api::Condition* admitted =
      api::FindCondition(c.before->status.conditions, names::kAdmitted);
  if (!policy || !IsActive(*c.before) || IsEvicted(*c.before) || !IsAdmitted(*c.before)) {
    return std::nullopt;
  }
  const api::Condition* ready = api::FindCondition(c.before->status.conditions, names::kPodsReady);
  if (ready != nullptr && ready->status == ConditionStatus::kTrue) return std::nullopt;
  const bool recovery = ready != nullptr && ready->reason == "WaitForRecovery";
  if (recovery && policy->recovery_timeout.value_or(base::Duration(0)).count() <= 0) {
    return std::nullopt;
  }
  const api::Condition* since = recovery ? ready : admitted;
  const base::Time deadline = since->last_transition_time.value_or(c.now) +
                              (recovery ? *policy->recovery_timeout : policy->timeout);
  if (deadline > c.now) {
    c.WaitFor(deadline - c.now);
    return std::nullopt;
  }
  const auto& state = c.before->status.requeue_state;
  const int32_t count = state ? state->count.value_or(0) : 0;
  if (policy->backoff_limit && count + 1 > *policy->backoff_limit) {
    const std::string message =
        "Requeued " + std::to_string(count) + " times because its pods were not ready in time";
    SetWorkloadCondition(c.after, names::kDeactivationTarget, true, "RequeuingLimitExceeded",
                         message, c.now);
    return c.StatusWrite();
  }
  const std::string cause = recovery ? "WaitForRecovery" : "WaitForStart";
  const std::string message = "Exceeded the time for its pods to become ready";
  Evict(c.after, "PodsReadyTimeout", cause, message, c.now);
  BackOffRequeue(c.after, policy->first_backoff, policy->longest_backoff, c.now);
  Intents intents = c.StatusWrite();
  c.AddEvent(intents, "Normal", EvictionEventReason("PodsReadyTimeout", cause), message);
  return intents;
}

// Step 14: maximum execution time (spec/controllers.md §4.6).
std::optional<Intents> WorkloadReconciler::ExecutionLimit(Context& c) const {
  const auto limit = c.before->spec.maximum_execution_time_seconds;
  const api::Condition* admitted =
      api::FindCondition(c.before->status.conditions, names::kAdmitted);
  if (!limit || admitted == nullptr || admitted->status != ConditionStatus::kTrue)
    return std::nullopt;
  const base::Time started = admitted->last_transition_time.value_or(c.now);
  const auto past = c.before->status.accumulated_past_execution_time_seconds.value_or(0);
  const base::Duration left = base::seconds(*limit) - base::seconds(past) - (c.now - started);
  if (left > base::Duration(0)) {
    c.WaitFor(left);
    return std::nullopt;
  }
  const std::string message = "Ran for its maximum of " + std::to_string(*limit) + " seconds";
  if (!SetWorkloadCondition(c.after, names::kDeactivationTarget, true,
                            "MaximumExecutionTimeExceeded", message, c.now)) {
    return std::nullopt;
  }
  c.after.status.accumulated_past_execution_time_seconds.reset();
  Intents intents = c.StatusWrite();
  c.AddEvent(intents, "Warning", "MaximumExecutionTimeExceeded", message);
  return intents;
}

}  // namespace kueue::controllers
