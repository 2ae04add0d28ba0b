#pragma once

#include <optional>
#include <string>

#include "api/types/kueue.h"

// What the conditions of a Workload say, and the changes controllers make to them. Pure functions
// over the object; callers write the difference (spec/controllers.md §1, §4).
namespace kueue::controllers {

enum class WorkloadPhase { kPending, kQuotaReserved, kAdmitted, kFinished };

// spec/controllers.md §1.1.
WorkloadPhase PhaseOf(const api::Workload& workload);
bool IsActive(const api::Workload& workload);
bool IsFinished(const api::Workload& workload);
bool IsAdmitted(const api::Workload& workload);
bool IsEvicted(const api::Workload& workload);
bool HasQuotaReservation(const api::Workload& workload);
bool IsOnHold(const api::Workload& workload);
bool HasAdmissionGate(const api::Workload& workload);
// Concurrent admission (spec/scheduling.md §10): a workload that variants stand for, and a variant.
bool IsParent(const api::Workload& workload);
bool IsVariant(const api::Workload& workload);
// The condition's reason if it is present with that status, else "".
std::string ReasonOf(const api::Workload& workload, std::string_view type,
                     api::ConditionStatus status);

// How closely conditions say why a workload is not admitted (spec/controllers.md §1.3, §1.4).
struct Wording {
  bool granular = true;         // gate UnadmittedWorkloadsObservability; else the reasons of before
  bool from_the_start = false;  // gate UnadmittedWorkloadsExplicitStatus: also of new workloads
};
// The QuotaReserved=False reason as the wording has it.
std::string WordedReason(const std::string& reason, const Wording& wording);

// Sets a condition with the workload's generation; true if something changed.
bool SetWorkloadCondition(api::Workload& workload, std::string_view type, bool status,
                          const std::string& reason, const std::string& message, base::Time now);

// Quota is given: status.admission and QuotaReserved=True; Evicted, Preempted and
// BlockedOnPreemptionGates that are True become False/QuotaReserved (spec/controllers.md §1.2).
void SetQuotaReservation(api::Workload& workload, const api::Admission& admission, base::Time now);
// Quota is withdrawn or refused: QuotaReserved=False with the reason, no admission, Admitted in
// step. True if something changed.
bool UnsetQuotaReservation(api::Workload& workload, const std::string& reason,
                           const std::string& message, base::Time now, const Wording& wording = {});
// Keeps Admitted in step with reservation and checks (spec/controllers.md §1.4). True if changed.
bool SyncAdmitted(api::Workload& workload, base::Time now, const Wording& wording = {});

// The eviction primitive (spec/controllers.md §4.1): quota stays until the job has stopped.
// `cause` is the underlying cause, "" if none.
void Evict(api::Workload& workload, const std::string& reason, const std::string& cause,
           const std::string& message, base::Time now);
// The reason of the event that tells of it: "EvictedDueToPreempted", ... Only a deactivation names
// Checks in state Retry go back to Pending, with one retry more. True if there were any.
bool ResetRetriedChecks(api::Workload& workload, base::Time now);
// its cause.
std::string EvictionEventReason(const std::string& reason, const std::string& cause);
// The job has stopped after an eviction: Requeued, and the reservation withdrawn
// (spec/controllers.md §4.2). `pods_stay`: gate SkipReassignmentForPodOwnedWorkloads; what a single
// Pod owns is not tried again, since that Pod cannot run a second time (spec/jobs.md §6.5).
void CompleteEviction(api::Workload& workload, base::Time now, const Wording& wording = {},
                      bool pods_stay = true);

// On a MultiKueue manager: a pod set whose places are being waited for has them once the copy of
// the workload on the admitting worker has them; they are not repeated here (spec/topology.md
// §15.4). True if changed; Admitted is not brought in step.
bool TakeOverDelayedTopology(api::Workload& workload, const api::Workload& remote);

// Condition PodsReady follows the job's pods (spec/jobs.md §8). True if something changed.
bool SyncPodsReady(api::Workload& workload, bool ready, base::Time now);

// One more requeue, and the time before which it does not happen: `first` doubled for every
// earlier one, at most `longest` (spec/controllers.md §2.6).
void BackOffRequeue(api::Workload& workload, base::Duration first, base::Duration longest,
                    base::Time now);

// Terminal; the first reason wins. False if it was finished already.
bool Finish(api::Workload& workload, const std::string& reason, const std::string& message,
            base::Time now);

}  // namespace kueue::controllers
