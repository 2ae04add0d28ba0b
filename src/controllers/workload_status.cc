#include "controllers/workload_status.h"

#include <algorithm>
#include <utility>

#include "api/types/names.h"
#include "scheduling/topology/replacement.h"

namespace kueue::controllers {

using api::ConditionStatus;
namespace names = api::names;

namespace {

constexpr size_t kLongestMessage = 32 * 1024;

bool IsTrue(const api::Workload& workload, std::string_view type) {
  return api::IsConditionTrue(workload.status.conditions, type);
}

bool ChecksReady(const api::Workload& workload) {
  const auto& checks = workload.status.admission_checks;
  return std::all_of(checks.begin(), checks.end(),
                     [](const api::AdmissionCheckState& c) { return c.state == "Ready"; });
}

bool HasPendingTopology(const api::Workload& workload) {
  if (!workload.status.admission) return false;
  const auto& sets = workload.status.admission->pod_set_assignments;
  return std::any_of(sets.begin(), sets.end(), [](const api::PodSetAssignment& a) {
    return a.delayed_topology_request == "Pending" && !a.topology_assignment;
  });
}

void ResetCheck(api::AdmissionCheckState& check, const std::string& why, base::Time now) {
  api::AdmissionCheckState fresh;
  fresh.name = check.name;
  fresh.state = "Pending";
  fresh.message = "Reset to Pending " + why + "; it was " + check.state;
  fresh.last_transition_time = base::CutToSeconds(now);
  fresh.requeue_after_seconds = check.requeue_after_seconds;
  if (check.state == "Retry") fresh.retry_count = check.retry_count.value_or(0) + 1;
  check = std::move(fresh);
}

// All checks back to Pending (spec/controllers.md §4.1).
void ResetChecks(api::Workload& workload, base::Time now) {
  for (api::AdmissionCheckState& check : workload.status.admission_checks) {
    if (check.state != "Pending") ResetCheck(check, "after eviction", now);
  }
}

void CountEviction(api::Workload& workload, const std::string& reason, const std::string& cause) {
  if (!workload.status.scheduling_stats) workload.status.scheduling_stats.emplace();
  auto& counts = workload.status.scheduling_stats->evictions;
  for (api::EvictionCount& c : counts) {
    if (c.reason == reason && c.underlying_cause == cause) {
      ++c.count;
      return;
    }
  }
  counts.push_back({reason, cause, 1, {}});
}

}  // namespace

WorkloadPhase PhaseOf(const api::Workload& workload) {
  if (IsFinished(workload)) return WorkloadPhase::kFinished;
  if (IsAdmitted(workload)) return WorkloadPhase::kAdmitted;
  return HasQuotaReservation(workload) ? WorkloadPhase::kQuotaReserved : WorkloadPhase::kPending;
}

bool IsActive(const api::Workload& workload) { return workload.spec.active.value_or(true); }
bool IsFinished(const api::Workload& workload) { return IsTrue(workload, names::kFinished); }
bool IsAdmitted(const api::Workload& workload) { return IsTrue(workload, names::kAdmitted); }
bool IsEvicted(const api::Workload& workload) { return IsTrue(workload, names::kEvicted); }
bool HasQuotaReservation(const api::Workload& workload) {
  return IsTrue(workload, names::kQuotaReserved);
}

bool IsOnHold(const api::Workload& workload) {
  return ReasonOf(workload, names::kQuotaReserved, ConditionStatus::kFalse) == "OnHold";
}

bool IsParent(const api::Workload& workload) {
  const auto label = workload.metadata.labels.find(names::kConcurrentAdmissionParent);
  return label != workload.metadata.labels.end() && label->second == "true";
}

bool IsVariant(const api::Workload& workload) {
  const auto& owners = workload.metadata.owner_references;
  return std::any_of(owners.begin(), owners.end(), [](const api::OwnerReference& owner) {
    return owner.kind == "Workload" && owner.api_version == "kueue.x-k8s.io/v1beta2";
  });
}

bool HasAdmissionGate(const api::Workload& workload) {
  const auto it = workload.metadata.annotations.find(names::kAdmissionGatedBy);
  return it != workload.metadata.annotations.end() && !it->second.empty();
}

std::string ReasonOf(const api::Workload& workload, std::string_view type, ConditionStatus status) {
  const api::Condition* c = api::FindCondition(workload.status.conditions, type);
  return c != nullptr && c->status == status ? c->reason : "";
}

bool SetWorkloadCondition(api::Workload& workload, std::string_view type, bool status,
                          const std::string& reason, const std::string& message, base::Time now) {
  api::Condition condition;
  condition.type = type;
  condition.status = status ? ConditionStatus::kTrue : ConditionStatus::kFalse;
  condition.reason = reason;
  condition.message = message;
  if (condition.message.size() > kLongestMessage) {
    condition.message.resize(kLongestMessage - 4);
    condition.message += " ...";
  }
  condition.observed_generation = workload.metadata.generation;
  // A new generation alone is no news: an unchanged world stays silent.
  const api::Condition* have = api::FindCondition(workload.status.conditions, type);
  if (have != nullptr && have->status == condition.status && have->reason == condition.reason &&
      have->message == condition.message) {
    return false;
  }
  return api::SetCondition(workload.status.conditions, std::move(condition), now);
}

void SetQuotaReservation(api::Workload& workload, const api::Admission& admission, base::Time now) {
  workload.status.admission = admission;
  SetWorkloadCondition(workload, names::kQuotaReserved, true, "QuotaReserved",
                       "Quota reserved in ClusterQueue " + admission.cluster_queue, now);
  for (const char* type : {names::kEvicted, names::kPreempted, names::kBlockedOnPreemptionGates}) {
    const api::Condition* c = api::FindCondition(workload.status.conditions, type);
    if (c == nullptr || c->status != ConditionStatus::kTrue) continue;
    const std::string message = "Over since quota was reserved again; before: " + c->message;
    SetWorkloadCondition(workload, type, false, "QuotaReserved", message, now);
  }
  workload.status.resource_requests.clear();
}

std::string WordedReason(const std::string& reason, const Wording& wording) {
  if (wording.granular || reason == "AdmissionGated" || reason == "OnHold") return reason;
  if (reason == "Misconfigured" || reason == "Suspended") return "Inadmissible";
  return reason == "WaitingForPodsReady" ? "Waiting" : "Pending";
}

bool UnsetQuotaReservation(api::Workload& workload, const std::string& reason,
                           const std::string& message, base::Time now, const Wording& wording) {
  bool changed = SetWorkloadCondition(workload, names::kQuotaReserved, false,
                                      WordedReason(reason, wording), message, now);
  if (workload.status.admission) {
    workload.status.admission.reset();
    changed = true;
  }
  return SyncAdmitted(workload, now, wording) || changed;
}

bool SyncAdmitted(api::Workload& workload, base::Time now, const Wording& wording) {
  const bool reserved = HasQuotaReservation(workload);
  const bool ready = ChecksReady(workload);
  const bool topology = !HasPendingTopology(workload);
  const bool admitted = reserved && ready && topology;
  const api::Condition* before = api::FindCondition(workload.status.conditions, names::kAdmitted);
  const bool silent = before == nullptr && api::FindCondition(workload.status.conditions,
                                                              names::kQuotaReserved) == nullptr;
  if (wording.granular ? silent && !wording.from_the_start : IsAdmitted(workload) == admitted) {
    return false;
  }
  if (before != nullptr && before->status == ConditionStatus::kTrue && !admitted) {
    const base::Time since = before->last_transition_time.value_or(now);
    const auto ran = std::chrono::floor<base::seconds>(now - since).count();
    auto& past = workload.status.accumulated_past_execution_time_seconds;
    past = static_cast<int32_t>(past.value_or(0) + std::max<int64_t>(ran, 0));
  }
  if (admitted) {
    return SetWorkloadCondition(workload, names::kAdmitted, true, "Admitted",
                                "The workload is admitted", now);
  }
  if (!reserved) {
    const bool both = !ready && !wording.granular;
    return SetWorkloadCondition(workload, names::kAdmitted, false,
                                both ? "NoReservationUnsatisfiedChecks" : "NoReservation",
                                "The workload has no reservation", now);
  }
  if (!ready) {
    return SetWorkloadCondition(
        workload, names::kAdmitted, false,
        wording.granular ? "UnsatisfiedAdmissionChecks" : "UnsatisfiedChecks",
        "Not all admission checks are ready", now);
  }
  return SetWorkloadCondition(workload, names::kAdmitted, false, "PendingDelayedTopologyRequests",
                              "The topology is not assigned yet", now);
}

void Evict(api::Workload& workload, const std::string& reason, const std::string& cause,
           const std::string& message, base::Time now) {
  const std::string full =
      reason == "Deactivated" && !cause.empty() ? "DeactivatedDueTo" + cause : reason;
  SetWorkloadCondition(workload, names::kEvicted, true, full, message, now);
  workload.status.cluster_name.reset();
  workload.status.nominated_cluster_names.clear();
  workload.status.unhealthy_nodes.clear();
  ResetChecks(workload, now);
  if (IsTrue(workload, names::kBlockedOnPreemptionGates)) {
    SetWorkloadCondition(workload, names::kBlockedOnPreemptionGates, false, full, message, now);
  }
  for (api::PreemptionGateState& gate : workload.status.preemption_gates) {
    gate.position = "Closed";
    gate.last_transition_time = base::CutToSeconds(now);
  }
  CountEviction(workload, reason, cause);
}

bool ResetRetriedChecks(api::Workload& workload, base::Time now) {
  bool changed = false;
  for (api::AdmissionCheckState& check : workload.status.admission_checks) {
    if (check.state != "Retry") continue;
    ResetCheck(check, "to try again", now);
    changed = true;
  }
  return changed;
}

std::string EvictionEventReason(const std::string& reason, const std::string& cause) {
  const bool named = reason == "Deactivated" && !cause.empty();
  return "EvictedDueTo" + reason + (named ? "DueTo" + cause : "");
}

void CompleteEviction(api::Workload& workload, base::Time now, const Wording& wording,
                      bool pods_stay) {
  const api::Condition* evicted = api::FindCondition(workload.status.conditions, names::kEvicted);
  if (evicted == nullptr) return;
  const std::string reason = evicted->reason;
  const std::string message = evicted->message;
  const bool again = reason == names::kPreempted || reason == "NodeFailures";
  const bool requeued = again && !(pods_stay && scheduling::topology::OwnedBySinglePod(workload));
  SetWorkloadCondition(workload, names::kRequeued, requeued, reason, message, now);
  UnsetQuotaReservation(workload, "PendingEvaluation", message, now, wording);
}

bool TakeOverDelayedTopology(api::Workload& workload, const api::Workload& remote) {
  if (!workload.status.admission || !remote.status.admission) return false;
  bool changed = false;
  for (api::PodSetAssignment& mine : workload.status.admission->pod_set_assignments) {
    if (mine.delayed_topology_request != "Pending") continue;
    const auto& theirs = remote.status.admission->pod_set_assignments;
    const bool placed = std::any_of(theirs.begin(), theirs.end(), [&](const auto& a) {
      return a.name == mine.name && a.topology_assignment.has_value();
    });
    if (!placed) continue;
    mine.delayed_topology_request = "Ready";
    changed = true;
  }
  return changed;
}

bool SyncPodsReady(api::Workload& workload, bool ready, base::Time now) {
  const api::Condition* have = api::FindCondition(workload.status.conditions, names::kPodsReady);
  const std::string before = have != nullptr ? have->reason : "";
  const auto say = [&](bool status, const char* reason, const char* message) {
    return SetWorkloadCondition(workload, names::kPodsReady, status, reason, message, now);
  };
  if (IsAdmitted(workload) && ready) {
    const bool recovered = before == "WaitForRecovery" || before == "Recovered";
    return recovered ? say(true, "Recovered", "All pods are ready or succeeded again")
                     : say(true, "Started", "All pods are ready or succeeded");
  }
  const bool was_ready = have != nullptr && have->status == ConditionStatus::kTrue;
  if (IsAdmitted(workload) && (was_ready || before == "WaitForRecovery")) {
    return say(false, "WaitForRecovery", "At least one pod is not ready any more");
  }
  return say(false, "WaitForStart", "Not all pods are ready or succeeded");
}

void BackOffRequeue(api::Workload& workload, base::Duration first, base::Duration longest,
                    base::Time now) {
  if (!workload.status.requeue_state) workload.status.requeue_state.emplace();
  api::RequeueState& state = *workload.status.requeue_state;
  // No longest wait: as good as none.
  if (longest.count() <= 0) longest = base::hours(24 * 365 * 100);
  base::Duration wait = first;
  // The first wait is taken as it is, even above the longest.
  for (int32_t i = 0; i < state.count.value_or(0); ++i) {
    const base::Duration before = std::exchange(wait, std::min(wait * 2, longest));
    if (wait == before) break;
  }
  const base::Time at = now + wait;
  if (!state.requeue_at || at > *state.requeue_at) state.requeue_at = at;
  state.count = state.count.value_or(0) + 1;
}

bool Finish(api::Workload& workload, const std::string& reason, const std::string& message,
            base::Time now) {
  if (IsFinished(workload)) return false;
  return SetWorkloadCondition(workload, names::kFinished, true, reason, message, now);
}

}  // namespace kueue::controllers
