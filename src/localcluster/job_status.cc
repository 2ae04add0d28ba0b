#include "localcluster/job_status.h"

#include <algorithm>

#include "localcluster/conditions.h"
#include "localcluster/job_pods.h"
#include "localcluster/pod_life.h"

namespace kueue::localcluster {
namespace {

// Longer deadlines count as this one, so that sums of times stay far from overflow.
constexpr int64_t kLongestSeconds = 100LL * 366 * 24 * 3600;

bool ReplacesOnlyFailed(const api::Job& job) { return job.spec.pod_replacement_policy == "Failed"; }

enum class Outcome { kNone, kSucceeded, kFailed };

// `present`: the server still has the pod.
Outcome OutcomeOf(const api::Job& job, const api::Pod& pod, bool present, const JobMemory& memory) {
  if (pod.status.phase == "Succeeded") return Outcome::kSucceeded;
  const bool deleted = !present || pod.metadata.deletion_timestamp.has_value();
  if (!deleted) return pod.status.phase == "Failed" ? Outcome::kFailed : Outcome::kNone;
  if (memory.removed.count(pod.metadata.uid) > 0) return Outcome::kNone;
  if (job.spec.suspend.value_or(false)) return Outcome::kNone;
  if (present && ReplacesOnlyFailed(job) && !HasEnded(pod)) return Outcome::kNone;
  return Outcome::kFailed;
}

// After a restart of the process: the pods that ended first are those in the counters.
void TakeCounted(const Pods& pods, const char* phase, int32_t counter, JobMemory& memory) {
  Pods ended;
  std::copy_if(pods.begin(), pods.end(), std::back_inserter(ended),
               [&](const auto& pod) { return pod->status.phase == phase; });
  std::stable_sort(ended.begin(), ended.end(), [](const auto& a, const auto& b) {
    return EndTimeOf(*a) < EndTimeOf(*b);
  });
  ended.resize(std::min(ended.size(), static_cast<size_t>(std::max(counter, 0))));
  for (const auto& pod : ended) memory.counted.insert(pod->metadata.uid);
}

void UpdateMemory(const api::Job& job, const Pods& pods, JobMemory& memory) {
  if (memory.job_uid != job.metadata.uid) {
    memory = JobMemory();
    memory.job_uid = job.metadata.uid;
    TakeCounted(pods, "Succeeded", job.status.succeeded, memory);
    TakeCounted(pods, "Failed", job.status.failed, memory);
  }
  if (memory.sent) {
    if (memory.sent->succeeded == job.status.succeeded &&
        memory.sent->failed == job.status.failed) {
      memory.counted.insert(memory.sent->pods.begin(), memory.sent->pods.end());
    }
    memory.sent.reset();
  }
  std::set<std::string> present;
  for (const auto& pod : pods) present.insert(pod->metadata.uid);
  for (auto it = memory.gone.begin(); it != memory.gone.end();) {
    it = memory.counted.count(it->first) > 0 ? memory.gone.erase(it) : std::next(it);
  }
  const auto forget = [&](std::set<std::string>& uids) {
    for (auto it = uids.begin(); it != uids.end();) {
      const bool known = present.count(*it) > 0 || memory.gone.count(*it) > 0;
      it = known ? std::next(it) : uids.erase(it);
    }
  };
  forget(memory.counted);
  forget(memory.removed);
}

int32_t SumOfRestarts(const Pods& active) {
  int64_t sum = 0;
  for (const auto& pod : active) {
    for (const auto* statuses :
         {&pod->status.container_statuses, &pod->status.init_container_statuses}) {
      for (const api::ContainerStatus& container : *statuses) sum += container.restart_count;
    }
  }
  return static_cast<int32_t>(std::min<int64_t>(sum, INT32_MAX));
}

// Containers that are started again inside their pods use the limit up like failed pods.
bool TooManyFailures(const api::Job& job, const JobTally& tally, const Pods& active) {
  const int32_t limit = job.spec.backoff_limit.value_or(6);
  if (tally.failed > limit) return true;
  if (job.spec.pod_template.spec.restart_policy != "OnFailure") return false;
  const int32_t restarts = SumOfRestarts(active);
  return limit == 0 ? restarts > 0 : restarts >= limit;
}

}  // namespace

JobPods SortPods(const Pods& pods) {
  JobPods sorted;
  for (const auto& pod : pods) {
    if (HasEnded(*pod)) {
      sorted.ended.push_back(pod);
    } else if (pod->metadata.deletion_timestamp) {
      sorted.terminating.push_back(pod);
    } else {
      sorted.active.push_back(pod);
    }
  }
  return sorted;
}

JobTally CountEnds(const api::Job& job, const Pods& pods, JobMemory& memory) {
  UpdateMemory(job, pods, memory);
  JobTally tally;
  tally.succeeded = job.status.succeeded;
  tally.failed = job.status.failed;
  const bool indexed = IsIndexed(job);
  const int32_t completions = job.spec.completions.value_or(0);
  if (indexed) tally.completed = IndexSet::Parse(job.status.completed_indexes);
  const auto count = [&](const api::Pod& pod, bool present) {
    if (memory.counted.count(pod.metadata.uid) > 0) return;
    const Outcome outcome = OutcomeOf(job, pod, present, memory);
    if (outcome == Outcome::kNone) return;
    tally.newly.push_back(pod.metadata.uid);
    if (outcome == Outcome::kFailed) {
      ++tally.failed;
    } else if (!indexed) {
      ++tally.succeeded;
    } else if (const auto index = CompletionIndexOf(pod); index && *index < completions) {
      tally.completed.Add(*index);
    }
  };
  for (const auto& pod : pods) count(*pod, true);
  for (const auto& [uid, pod] : memory.gone) count(*pod, false);
  if (indexed) tally.succeeded = static_cast<int32_t>(tally.completed.CountBelow(completions));
  return tally;
}

bool IsFinished(const api::Job& job) {
  return IsTrue(job.status.conditions, "Complete") || IsTrue(job.status.conditions, "Failed");
}

std::optional<base::Time> DeadlineOf(const api::Job& job) {
  if (!job.spec.active_deadline_seconds || !job.status.start_time ||
      job.spec.suspend.value_or(false)) {
    return std::nullopt;
  }
  return *job.status.start_time +
         base::seconds(std::clamp<int64_t>(*job.spec.active_deadline_seconds, 0, kLongestSeconds));
}

std::optional<Verdict> JudgeJob(const api::Job& job, const JobTally& tally, const Pods& active,
                                base::Time now) {
  for (const char* type : {"FailureTarget", "SuccessCriteriaMet"}) {
    if (!IsTrue(job.status.conditions, type)) continue;
    const api::PodCondition* told = FindCondition(job.status.conditions, type);
    return Verdict{type == std::string_view("SuccessCriteriaMet"), told->reason, told->message};
  }
  if (TooManyFailures(job, tally, active)) {
    return Verdict{false, "BackoffLimitExceeded",
                   "more pods have failed than the Job's backoffLimit allows"};
  }
  if (const auto deadline = DeadlineOf(job); deadline && now >= *deadline) {
    return Verdict{false, "DeadlineExceeded",
                   "the Job was active for longer than its activeDeadlineSeconds"};
  }
  const bool done = job.spec.completions
                        ? tally.succeeded >= *job.spec.completions
                        : tally.succeeded > 0 && active.empty();
  if (!done) return std::nullopt;
  return Verdict{true, "CompletionsReached", "as many pods have succeeded as the Job asks for"};
}

std::optional<base::Time> BackoffEnd(const Pods& pods, const JobMemory& memory,
                                     const JobOptions& options) {
  std::optional<base::Time> last_success, last_failure;
  const auto later = [](std::optional<base::Time>& last, std::optional<base::Time> time) {
    if (time && (!last || *time > *last)) last = time;
  };
  for (const auto& pod : pods) {
    if (pod->status.phase == "Succeeded") later(last_success, EndTimeOf(*pod));
  }
  int32_t in_a_row = 0;
  for (const auto& pod : pods) {
    if (pod->status.phase != "Failed" || memory.removed.count(pod->metadata.uid) > 0) continue;
    const auto end = EndTimeOf(*pod);
    if (!end || (last_success && *end <= *last_success)) continue;
    ++in_a_row;
    later(last_failure, end);
  }
  if (!last_failure) return std::nullopt;
  base::Duration delay = options.first_backoff;
  for (int32_t i = 1; i < in_a_row && delay < options.longest_backoff; ++i) delay *= 2;
  return *last_failure + std::min(delay, options.longest_backoff);
}

}  // namespace kueue::localcluster
