#include "localcluster/job_plan.h"

#include <algorithm>
#include <tuple>

#include "localcluster/conditions.h"
#include "localcluster/job_pods.h"
#include "localcluster/job_policy.h"
#include "localcluster/job_status.h"
#include "localcluster/pod_life.h"

namespace kueue::localcluster {

using runtime::Intents;

namespace {

bool IsReady(const api::Pod& pod) { return IsTrue(pod.status.conditions, "Ready"); }

// One look at one Job: collects what to write.
class JobLook {
 public:
  JobLook(const api::Job& job, const Pods& pods, JobMemory& memory, base::Time now,
          const JobOptions& options)
      : job_(job), pods_(pods), memory_(memory), now_(now), options_(options), after_(job) {}

  Intents Run();

 private:
  void Record(const char* type, const char* reason, const std::string& message) {
    intents_.events.push_back({runtime::ReferenceTo(job_), type, reason, message});
  }
  void LookAgainAt(base::Time time) {
    const base::Duration delay = std::max(time - now_, base::Duration(0));
    if (!intents_.look_again || delay < *intents_.look_again) intents_.look_again = delay;
  }
  bool Suspended() const { return job_.spec.suspend.value_or(false); }

  Intents AfterTheEnd();
  void ForgetOthers();
  void UpdateSuspension();
  void Delete(const std::shared_ptr<const api::Pod>& pod, bool counts = false);
  void DeleteAllActive(bool count);
  void Release(const api::Pod& pod) { intents_.Add(ReleasePod(pod)); }
  void Conclude(const Verdict& verdict);
  void KeepPods();
  int64_t WantedActive() const;
  std::vector<int32_t> IndexesToStart(int64_t count);
  void DeleteSurplus(int64_t surplus);
  void CreatePods(int64_t count);
  std::vector<int32_t> FreeIndexes(int64_t count) const;
  void DropMisplaced();
  void WriteStatus();

  const api::Job& job_;
  const Pods& pods_;
  JobMemory& memory_;
  const base::Time now_;
  const JobOptions& options_;

  api::Job after_;  // the Job with the status it should have
  JobPods sorted_;  // as the pods are once the collected writes are done
  JobTally tally_;
  int64_t created_ = 0;
  std::set<std::string> removed_now_;  // uids of pods deleted in this look
  Intents intents_;
};

Intents JobLook::Run() {
  ForgetOthers();
  tally_ = CountEnds(job_, pods_);
  sorted_ = SortPods(pods_);
  if (IsFinished(job_)) return AfterTheEnd();
  if (IsIndexed(job_) && !job_.spec.completions) {
    Record("Warning", "InvalidSpec", "an Indexed Job needs spec.completions; nothing is started");
    return std::move(intents_);
  }
  UpdateSuspension();
  if (const auto verdict = JudgeJob(after_, tally_, sorted_.active, now_)) {
    Conclude(*verdict);
  } else if (Suspended()) {
    DeleteAllActive(false);
  } else if (memory_.create_refused.empty()) {
    KeepPods();
  } else {
    // The status first: what was refused would keep it from being written.
    Record("Warning", "FailedCreate", "Error creating: " + memory_.create_refused);
    memory_.create_refused.clear();
    LookAgainAt(now_ + options_.first_backoff);
  }
  const auto deadline = DeadlineOf(after_);
  if (deadline && *deadline > now_) LookAgainAt(*deadline);
  WriteStatus();
  return std::move(intents_);
}

// Of the memory, what belongs to this Job and pods that are still there.
void JobLook::ForgetOthers() {
  if (memory_.job_uid != job_.metadata.uid) memory_ = JobMemory();
  memory_.job_uid = job_.metadata.uid;
  std::set<std::string> removed;
  for (const auto& pod : pods_) {
    if (memory_.removed.count(pod->metadata.uid) > 0) removed.insert(pod->metadata.uid);
  }
  memory_.removed = std::move(removed);
}

// A finished Job's pods stop, and after its time to live it goes itself.
Intents JobLook::AfterTheEnd() {
  DeleteAllActive(false);
  for (const auto& pod : pods_) {
    if (HasEnded(*pod)) Release(*pod);
  }
  if (!job_.spec.ttl_seconds_after_finished) return std::move(intents_);
  std::optional<base::Time> finished = job_.status.completion_time;
  const api::PodCondition* failed = FindCondition(job_.status.conditions, "Failed");
  if (!finished && failed != nullptr) finished = failed->last_transition_time;
  const base::Time due =
      finished.value_or(now_) + base::seconds(std::max(*job_.spec.ttl_seconds_after_finished, 0));
  if (now_ < due) {
    LookAgainAt(due);
  } else {
    intents_.writes.push_back(runtime::DeleteObject(job_));
  }
  return std::move(intents_);
}

void JobLook::UpdateSuspension() {
  api::JobStatus& status = after_.status;
  const bool was_suspended = IsTrue(status.conditions, "Suspended");
  if (Suspended()) {
    if (!was_suspended) {
      SetCondition(status.conditions, "Suspended", true, "JobSuspended", "Job suspended", now_);
      Record("Normal", "Suspended", "Job suspended");
    }
    // The start counts from the next resumption; deadlines too.
    status.start_time.reset();
    return;
  }
  if (was_suspended) {
    SetCondition(status.conditions, "Suspended", false, "JobResumed", "Job resumed", now_);
    Record("Normal", "Resumed", "Job resumed");
    status.start_time.reset();
  }
  if (!status.start_time) status.start_time = base::CutToSeconds(now_);
}

// `counts`: its end is one of the Job's ends. Otherwise it is let go before, so that nobody counts.
void JobLook::Delete(const std::shared_ptr<const api::Pod>& pod, bool counts) {
  if (!counts) Release(*pod);
  intents_.writes.push_back(runtime::DeleteObject(*pod));
  memory_.removed.insert(pod->metadata.uid);
  removed_now_.insert(pod->metadata.uid);
  sorted_.terminating.push_back(pod);
  Record("Normal", "SuccessfulDelete", "Deleted pod: " + pod->metadata.name);
}

void JobLook::DeleteAllActive(bool count) {
  for (const auto& pod : sorted_.active) Delete(pod, count);
  sorted_.active.clear();
}

// First the reason is told and what still runs is stopped; when nothing runs any more and all ends
// are counted the Job ends.
void JobLook::Conclude(const Verdict& verdict) {
  // With all completions reached the others are surplus.
  DeleteAllActive(verdict.reason != "CompletionsReached");
  if (!verdict.success) CountRestAsFailed(job_, pods_, tally_);
  auto& conditions = after_.status.conditions;
  SetCondition(conditions, verdict.success ? "SuccessCriteriaMet" : "FailureTarget", true,
               verdict.reason, verdict.message, now_);
  const bool uncounted = !tally_.uncounted.succeeded.empty() || !tally_.uncounted.failed.empty() ||
                         !tally_.release.empty();
  if (!sorted_.terminating.empty() || uncounted) return;
  // An ended Job has a start, also one that never ran: with no completions asked for, or suspended.
  if (!after_.status.start_time) after_.status.start_time = base::CutToSeconds(now_);
  SetCondition(conditions, verdict.success ? "Complete" : "Failed", true, verdict.reason,
               verdict.message, now_);
  if (verdict.success) {
    after_.status.completion_time = base::CutToSeconds(now_);
    Record("Normal", "Completed", "Job completed");
  } else {
    Record("Warning", verdict.reason.c_str(), verdict.message);
  }
  if (job_.spec.ttl_seconds_after_finished) LookAgainAt(now_);
}

int64_t JobLook::WantedActive() const {
  const int64_t parallelism = std::max(job_.spec.parallelism.value_or(1), 0);
  if (job_.spec.completions) {
    const int64_t over =
        tally_.succeeded + tally_.failed_indexes.CountBelow(*job_.spec.completions);
    return std::min(parallelism, std::max<int64_t>(int64_t{*job_.spec.completions} - over, 0));
  }
  // A work queue: after the first success the others may end, and no new ones are made.
  return tally_.succeeded > 0
             ? std::min<int64_t>(parallelism, static_cast<int64_t>(sorted_.active.size()))
             : parallelism;
}

// Pods of an Indexed Job that cannot count any more: their index is done, taken twice or outside.
void JobLook::DropMisplaced() {
  std::set<int32_t> taken;
  Pods stay;
  for (const auto& pod : sorted_.active) {
    const auto index = CompletionIndexOf(*pod);
    if (index && *index < *job_.spec.completions && !tally_.completed.Contains(*index) &&
        !tally_.failed_indexes.Contains(*index) && taken.insert(*index).second) {
      stay.push_back(pod);
    } else {
      Delete(pod);
    }
  }
  sorted_.active = std::move(stay);
}

void JobLook::KeepPods() {
  if (IsIndexed(job_)) DropMisplaced();
  const int64_t want = WantedActive();
  const int64_t active = static_cast<int64_t>(sorted_.active.size());
  if (active > want) return DeleteSurplus(active - want);
  int64_t missing = want - active;
  if (ReplacesOnlyFailed(job_)) missing -= static_cast<int64_t>(sorted_.terminating.size());
  if (missing <= 0) return;
  if (HasLimitPerIndex(job_)) return CreatePods(std::min<int64_t>(missing, options_.most_creates));
  if (const auto end = BackoffEnd(pods_, memory_, options_); end && now_ < *end) {
    return LookAgainAt(*end);
  }
  CreatePods(std::min<int64_t>(missing, options_.most_creates));
}

// Those that do not run yet go first, then the youngest.
void JobLook::DeleteSurplus(int64_t surplus) {
  Pods pods = sorted_.active;
  const auto rank = [](const api::Pod& pod) {
    return std::tuple(!pod.spec.node_name.empty(), pod.status.phase == "Running", IsReady(pod));
  };
  std::sort(pods.begin(), pods.end(), [&](const auto& a, const auto& b) {
    return std::tuple(rank(*a), b->metadata.creation_timestamp, b->metadata.name) <
           std::tuple(rank(*b), a->metadata.creation_timestamp, a->metadata.name);
  });
  for (int64_t i = 0; i < surplus; ++i) Delete(pods[i]);
  sorted_.active.assign(pods.begin() + surplus, pods.end());
}

// The lowest indexes that are neither done nor taken nor waiting after a failure of their own.
std::vector<int32_t> JobLook::IndexesToStart(int64_t count) {
  std::set<int32_t> taken;
  const auto take = [&](const Pods& pods) {
    for (const auto& pod : pods) {
      if (const auto index = CompletionIndexOf(*pod)) taken.insert(*index);
    }
  };
  take(sorted_.active);
  if (ReplacesOnlyFailed(job_)) take(sorted_.terminating);
  for (const auto& [index, failures] : tally_.by_index) {
    const auto end = BackoffEnd(failures, options_);
    if (!end || now_ >= *end) continue;
    taken.insert(index);
    LookAgainAt(*end);
  }
  std::vector<int32_t> free;
  for (int32_t i = 0; i < *job_.spec.completions; ++i) {
    if (static_cast<int64_t>(free.size()) >= count) break;
    const bool over = tally_.completed.Contains(i) || tally_.failed_indexes.Contains(i);
    if (taken.count(i) == 0 && !over) free.push_back(i);
  }
  return free;
}

void JobLook::CreatePods(int64_t count) {
  std::vector<std::optional<int32_t>> wanted(count);
  if (IsIndexed(job_)) {
    const std::vector<int32_t> indexes = IndexesToStart(count);
    wanted.assign(indexes.begin(), indexes.end());
  }
  std::set<std::string> names;
  for (const auto& pod : pods_) names.insert(pod->metadata.name);
  // Every pod counted or present has used a number up; a name may come again once its pod is gone.
  memory_.next_number =
      std::max(memory_.next_number, int64_t{tally_.succeeded} + int64_t{tally_.failed});
  for (const std::optional<int32_t> index : wanted) {
    std::string name = JobPodName(job_, index, memory_.next_number++);
    while (names.count(name) > 0) name = JobPodName(job_, index, memory_.next_number++);
    api::Pod pod = BuildJobPod(job_, index, name);
    if (HasLimitPerIndex(job_)) {
      const auto before = tally_.by_index.find(*index);
      const IndexFailures failures =
          before == tally_.by_index.end() ? IndexFailures() : before->second;
      pod.metadata.annotations[kIndexFailureCount] = std::to_string(failures.counted);
      if (failures.ignored > 0) {
        pod.metadata.annotations[kIndexIgnoredFailureCount] = std::to_string(failures.ignored);
      }
    }
    intents_.writes.push_back(runtime::CreateObject(pod));
    Record("Normal", "SuccessfulCreate", "Created pod: " + name);
    ++created_;
  }
}

void JobLook::WriteStatus() {
  api::JobStatus& status = after_.status;
  status.succeeded = tally_.counted_succeeded;
  status.failed = tally_.counted_failed;
  status.uncounted_terminated_pods = tally_.uncounted;
  if (IsIndexed(job_)) status.completed_indexes = tally_.completed.ToString();
  if (HasLimitPerIndex(job_)) status.failed_indexes = tally_.failed_indexes.ToString();
  status.active = static_cast<int32_t>(sorted_.active.size()) + static_cast<int32_t>(created_);
  status.ready = static_cast<int32_t>(std::count_if(sorted_.active.begin(), sorted_.active.end(),
                                                    [](const auto& pod) { return IsReady(*pod); }));
  status.terminating = static_cast<int32_t>(sorted_.terminating.size());
  intents_.Add(runtime::PatchStatus(job_, after_));
  // A pod deleted in this look has another version by now: its turn comes with the next look.
  for (const auto& pod : tally_.release) {
    if (removed_now_.count(pod->metadata.uid) == 0) Release(*pod);
  }
  if (tally_.more) LookAgainAt(now_);
}

}  // namespace

std::optional<runtime::Write> ReleasePod(const api::Pod& pod) {
  if (!IsTracked(pod)) return std::nullopt;
  api::Pod after = pod;
  auto& finalizers = after.metadata.finalizers;
  finalizers.erase(std::remove(finalizers.begin(), finalizers.end(), kTrackingFinalizer),
                   finalizers.end());
  return runtime::PatchObject(pod, after);
}

Intents PlanJob(const api::Job& job, const Pods& pods, JobMemory& memory, base::Time now,
                const JobOptions& options) {
  if (job.metadata.deletion_timestamp) {
    Intents intents;
    for (const auto& pod : pods) intents.Add(ReleasePod(*pod));
    return intents;
  }
  if (job.spec.managed_by && *job.spec.managed_by != "kubernetes.io/job-controller") return {};
  return JobLook(job, pods, memory, now, options).Run();
}

}  // namespace kueue::localcluster
