#include "localcluster/job_status.h"

#include <algorithm>

#include "localcluster/conditions.h"
#include "localcluster/job_pods.h"
#include "localcluster/job_policy.h"
#include "localcluster/pod_life.h"

namespace kueue::localcluster {
namespace {

// Longer deadlines count as this one, so that sums of times stay far from overflow.
constexpr int64_t kLongestSeconds = 100LL * 366 * 24 * 3600;

// Uids in one status write.
constexpr size_t kMostUncounted = 500;

bool CountsAsFailed(const api::Job& job, const api::Pod& pod) {
  if (pod.status.phase == "Failed") return true;
  if (ReplacesOnlyFailed(job)) return false;
  return pod.metadata.deletion_timestamp.has_value() && pod.status.phase != "Succeeded";
}

// The index if it is one of the Job's.
std::optional<int32_t> IndexWithin(const api::Job& job, const api::Pod& pod) {
  const auto index = CompletionIndexOf(pod);
  return index && *index < job.spec.completions.value_or(0) ? index : std::nullopt;
}

// Adds up the ends of one Job's pods.
class Count {
 public:
  Count(const api::Job& job, const Pods& pods) : job_(job), pods_(pods), indexed_(IsIndexed(job)) {}

  JobTally Run() {
    tally_.counted_succeeded = job_.status.succeeded;
    tally_.counted_failed = job_.status.failed;
    if (indexed_) tally_.completed = IndexSet::Parse(job_.status.completed_indexes);
    if (HasLimitPerIndex(job_)) {
      tally_.failed_indexes = IndexSet::Parse(job_.status.failed_indexes.value_or(""));
    }
    Settle();
    for (const auto& pod : pods_) {
      if (pod->status.phase == "Succeeded" && IsTracked(*pod)) Succeeded(pod);
    }
    KeepLatestOfIndexes();
    for (const auto& pod : pods_) {
      if (CountsAsFailed(job_, *pod) && IsTracked(*pod)) Failed(pod);
    }
    Finish();
    return std::move(tally_);
  }

 private:
  bool Full() {
    const bool full =
        tally_.uncounted.succeeded.size() + tally_.uncounted.failed.size() >= kMostUncounted;
    tally_.more |= full;
    return full;
  }

  // Uids whose pods have lost the finalizer enter the counters.
  void Settle() {
    std::set<std::string> tracked;
    for (const auto& pod : pods_) {
      if (IsTracked(*pod)) tracked.insert(pod->metadata.uid);
    }
    const auto pending =
        job_.status.uncounted_terminated_pods.value_or(api::UncountedTerminatedPods());
    const auto settle = [&](const std::vector<std::string>& uids, int32_t& counter,
                            std::vector<std::string>& left) {
      for (const std::string& uid : uids) {
        if (tracked.count(uid) > 0) {
          left.push_back(uid);
          listed_.insert(uid);
        } else {
          ++counter;
        }
      }
    };
    settle(pending.succeeded, tally_.counted_succeeded, tally_.uncounted.succeeded);
    settle(pending.failed, tally_.counted_failed, tally_.uncounted.failed);
  }

  void Succeeded(const std::shared_ptr<const api::Pod>& pod) {
    if (listed_.count(pod->metadata.uid) == 0 && !indexed_) {
      if (Full()) return;
      tally_.uncounted.succeeded.push_back(pod->metadata.uid);
    }
    if (const auto index = IndexWithin(job_, *pod); indexed_ && index) tally_.completed.Add(*index);
    tally_.release.push_back(pod);
  }

  // With a limit for each index, the latest failed pod of an index that goes on keeps its finalizer
  // until the replacement, which inherits its numbers, is there.
  void KeepLatestOfIndexes() {
    if (!HasLimitPerIndex(job_)) return;
    std::set<int32_t> active;
    for (const auto& pod : pods_) {
      const auto index = IndexWithin(job_, *pod);
      if (index && !HasEnded(*pod) && !pod->metadata.deletion_timestamp) active.insert(*index);
    }
    std::map<int32_t, std::pair<IndexFailures, std::string>> latest;
    for (const auto& pod : pods_) {
      const auto index = IndexWithin(job_, *pod);
      if (!index || !IsTracked(*pod) || !CountsAsFailed(job_, *pod)) continue;
      const FailureRuling ruling = RuleOnFailure(job_, *pod);
      IndexFailures failures;
      failures.counted = EarlierFailures(*pod, kIndexFailureCount) + (ruling.counts ? 1 : 0);
      failures.ignored = EarlierFailures(*pod, kIndexIgnoredFailureCount) + (ruling.counts ? 0 : 1);
      failures.last = EndTimeOf(*pod);
      if (ruling.fails_index || failures.counted > *job_.spec.backoff_limit_per_index) {
        tally_.failed_indexes.Add(*index);
        continue;
      }
      auto& known = latest[*index];
      if (failures.counted + failures.ignored > known.first.counted + known.first.ignored) {
        known = {failures, pod->metadata.uid};
      }
    }
    for (const auto& [index, found] : latest) {
      if (active.count(index) > 0 || tally_.failed_indexes.Contains(index) ||
          tally_.completed.Contains(index)) {
        continue;
      }
      tally_.by_index[index] = found.first;
      kept_.insert(found.second);
    }
  }

  void Failed(const std::shared_ptr<const api::Pod>& pod) {
    const FailureRuling ruling = RuleOnFailure(job_, *pod);
    if (ruling.fails_job && !tally_.fails_job) tally_.fails_job = ruling.fails_job;
    if (kept_.count(pod->metadata.uid) > 0) {
      if (ruling.counts && listed_.count(pod->metadata.uid) == 0) ++kept_failures_;
      return;
    }
    const bool counts = ruling.counts && (!indexed_ || IndexWithin(job_, *pod));
    if (counts && listed_.count(pod->metadata.uid) == 0) {
      if (Full()) return;
      tally_.uncounted.failed.push_back(pod->metadata.uid);
    }
    tally_.release.push_back(pod);
  }

  void Finish() {
    if (indexed_) {
      tally_.counted_succeeded =
          static_cast<int32_t>(tally_.completed.CountBelow(job_.spec.completions.value_or(0)));
    }
    tally_.succeeded =
        tally_.counted_succeeded + static_cast<int32_t>(tally_.uncounted.succeeded.size());
    tally_.failed = tally_.counted_failed + static_cast<int32_t>(tally_.uncounted.failed.size()) +
                    kept_failures_;
  }

  const api::Job& job_;
  const Pods& pods_;
  const bool indexed_;
  std::set<std::string> listed_;  // in the status' list already
  std::set<std::string> kept_;    // keep their finalizer for their index
  int32_t kept_failures_ = 0;
  JobTally tally_;
};

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

JobTally CountEnds(const api::Job& job, const Pods& pods) { return Count(job, pods).Run(); }

void CountRestAsFailed(const api::Job& job, const Pods& pods, JobTally& tally) {
  std::set<std::string> done(tally.uncounted.failed.begin(), tally.uncounted.failed.end());
  for (const auto& pod : tally.release) done.insert(pod->metadata.uid);
  for (const auto& pod : pods) {
    if (!IsTracked(*pod) || pod->status.phase == "Succeeded") continue;
    const bool listed = done.count(pod->metadata.uid) > 0;
    const bool counts =
        RuleOnFailure(job, *pod).counts && (!IsIndexed(job) || IndexWithin(job, *pod));
    if (!listed && counts) {
      if (tally.uncounted.failed.size() >= kMostUncounted) {
        tally.more = true;
        return;
      }
      tally.uncounted.failed.push_back(pod->metadata.uid);
      ++tally.failed;
    }
    const bool released = std::any_of(tally.release.begin(), tally.release.end(),
                                      [&](const auto& other) { return other == pod; });
    if (!released) tally.release.push_back(pod);
  }
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
  if (tally.fails_job) return Verdict{false, "PodFailurePolicy", *tally.fails_job};
  if (TooManyFailures(job, tally, active)) {
    return Verdict{false, "BackoffLimitExceeded", "Job has reached the specified backoff limit"};
  }
  if (const auto deadline = DeadlineOf(job); deadline && now >= *deadline) {
    return Verdict{false, "DeadlineExceeded", "Job was active longer than specified deadline"};
  }
  const int64_t completions = job.spec.completions.value_or(0);
  const int64_t failed_indexes = tally.failed_indexes.CountBelow(completions);
  if (HasLimitPerIndex(job) && job.spec.max_failed_indexes &&
      failed_indexes > *job.spec.max_failed_indexes) {
    return Verdict{false, "MaxFailedIndexesExceeded",
                   "Job has exceeded the specified maximal number of failed indexes"};
  }
  if (const auto rule = MetSuccessRule(job, tally.completed)) {
    return Verdict{true, "SuccessPolicy", "Matched rules at index " + std::to_string(*rule)};
  }
  const bool done = job.spec.completions ? tally.succeeded + failed_indexes >= completions
                                         : tally.succeeded > 0 && active.empty();
  if (!done) return std::nullopt;
  if (failed_indexes > 0) return Verdict{false, "FailedIndexes", "Job has failed indexes"};
  return Verdict{true, "CompletionsReached", "Reached expected number of succeeded pods"};
}

std::optional<base::Time> BackoffEnd(const IndexFailures& failures, const JobOptions& options) {
  if (!failures.last) return std::nullopt;
  base::Duration delay = options.first_backoff;
  const int32_t in_a_row = failures.counted + failures.ignored;
  for (int32_t i = 1; i < in_a_row && delay < options.longest_backoff; ++i) delay *= 2;
  return *failures.last + std::min(delay, options.longest_backoff);
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
