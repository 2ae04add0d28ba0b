#include "localcluster/job_plan.h"

#include <algorithm>
#include <tuple>

#include "localcluster/conditions.h"
#include "localcluster/job_pods.h"
#include "localcluster/job_status.h"

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
  void UpdateSuspension();
  void Delete(const std::shared_ptr<const api::Pod>& pod);
  void DeleteAllActive();
  void Conclude(const Verdict& verdict);
  void KeepPods();
  int64_t WantedActive() const;
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

  api::Job after_;       // the Job with the status it should have
  JobPods sorted_;       // as the pods are once the collected writes are done
  JobTally tally_;
  int64_t created_ = 0;
  Intents intents_;
};

Intents JobLook::Run() {
  tally_ = CountEnds(job_, pods_, memory_);
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
    DeleteAllActive();
  } else {
    KeepPods();
  }
  const auto deadline = DeadlineOf(after_);
  if (deadline && *deadline > now_) LookAgainAt(*deadline);
  WriteStatus();
  return std::move(intents_);
}

// A finished Job's pods stop, and after its time to live it goes itself.
Intents JobLook::AfterTheEnd() {
  DeleteAllActive();
  if (!job_.spec.ttl_seconds_after_finished) return std::move(intents_);
  std::optional<base::Time> finished = job_.status.completion_time;
  const api::PodCondition* failed = FindCondition(job_.status.conditions, "Failed");
  if (!finished && failed != nullptr) finished = failed->last_transition_time;
  const base::Time due = finished.value_or(now_) +
                         base::seconds(std::max(*job_.spec.ttl_seconds_after_finished, 0));
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
      SetCondition(status.conditions, "Suspended", true, "JobSuspended", "the Job is suspended",
                   now_);
      Record("Normal", "Suspended", "Job suspended");
    }
    // The start counts from the next resumption; deadlines too.
    status.start_time.reset();
    return;
  }
  if (was_suspended) {
    SetCondition(status.conditions, "Suspended", false, "JobResumed", "the Job was resumed", now_);
    Record("Normal", "Resumed", "Job resumed");
    status.start_time.reset();
  }
  if (!status.start_time) status.start_time = base::CutToSeconds(now_);
}

void JobLook::Delete(const std::shared_ptr<const api::Pod>& pod) {
  intents_.writes.push_back(runtime::DeleteObject(*pod));
  memory_.removed.insert(pod->metadata.uid);
  sorted_.terminating.push_back(pod);
  Record("Normal", "SuccessfulDelete", "Deleted pod: " + pod->metadata.name);
}

void JobLook::DeleteAllActive() {
  for (const auto& pod : sorted_.active) Delete(pod);
  sorted_.active.clear();
}

// First the reason is told and what still runs is stopped; when nothing runs any more the Job ends.
void JobLook::Conclude(const Verdict& verdict) {
  DeleteAllActive();
  auto& conditions = after_.status.conditions;
  SetCondition(conditions, verdict.success ? "SuccessCriteriaMet" : "FailureTarget", true,
               verdict.reason, verdict.message, now_);
  if (!sorted_.terminating.empty()) return;
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
    return std::min(parallelism,
                    std::max<int64_t>(int64_t{*job_.spec.completions} - tally_.succeeded, 0));
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
        taken.insert(*index).second) {
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
  if (job_.spec.pod_replacement_policy == "Failed") {
    missing -= static_cast<int64_t>(sorted_.terminating.size());
  }
  if (missing <= 0) return;
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

// The lowest indexes that are neither done nor taken.
std::vector<int32_t> JobLook::FreeIndexes(int64_t count) const {
  std::set<int32_t> taken;
  const auto take = [&](const Pods& pods) {
    for (const auto& pod : pods) {
      if (const auto index = CompletionIndexOf(*pod)) taken.insert(*index);
    }
  };
  take(sorted_.active);
  if (job_.spec.pod_replacement_policy == "Failed") take(sorted_.terminating);
  std::vector<int32_t> free;
  for (int32_t i = 0; i < *job_.spec.completions; ++i) {
    if (static_cast<int64_t>(free.size()) >= count) break;
    if (taken.count(i) == 0 && !tally_.completed.Contains(i)) free.push_back(i);
  }
  return free;
}

void JobLook::CreatePods(int64_t count) {
  std::vector<std::optional<int32_t>> wanted(count);
  if (IsIndexed(job_)) {
    const std::vector<int32_t> indexes = FreeIndexes(count);
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
    intents_.writes.push_back(runtime::CreateObject(BuildJobPod(job_, index, name)));
    Record("Normal", "SuccessfulCreate", "Created pod: " + name);
    ++created_;
  }
}

void JobLook::WriteStatus() {
  api::JobStatus& status = after_.status;
  status.succeeded = tally_.succeeded;
  status.failed = tally_.failed;
  if (IsIndexed(job_)) status.completed_indexes = tally_.completed.ToString();
  status.active = static_cast<int32_t>(sorted_.active.size()) + static_cast<int32_t>(created_);
  status.ready = static_cast<int32_t>(
      std::count_if(sorted_.active.begin(), sorted_.active.end(),
                    [](const auto& pod) { return IsReady(*pod); }));
  status.terminating = static_cast<int32_t>(sorted_.terminating.size());
  const size_t before = intents_.writes.size();
  intents_.Add(runtime::PatchStatus(job_, after_));
  if (intents_.writes.size() > before) {
    memory_.sent = JobMemory::Sent{tally_.newly, tally_.succeeded, tally_.failed};
  }
}

}  // namespace

Intents PlanJob(const api::Job& job, const Pods& pods, JobMemory& memory, base::Time now,
                const JobOptions& options) {
  if (job.metadata.deletion_timestamp) return {};
  if (job.spec.managed_by && *job.spec.managed_by != "kubernetes.io/job-controller") return {};
  return JobLook(job, pods, memory, now, options).Run();
}

}  // namespace kueue::localcluster
