#include "localcluster/cron_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "localcluster/conditions.h"
#include "localcluster/cron_schedule.h"
#include "localcluster/job_status.h"

namespace kueue::localcluster {

using api::Json;
using runtime::Intents;

namespace {

constexpr char kScheduledTime[] = "batch.kubernetes.io/cronjob-scheduled-timestamp";
// Between two missed times nobody counts further than so many.
constexpr int kMostMissed = 100;

bool IsUtc(const std::string& zone) {
  return zone.empty() || zone == "UTC" || zone == "Etc/UTC" || zone == "GMT" || zone == "Etc/GMT" ||
         zone == "UCT" || zone == "Zulu";
}

std::optional<base::Time> TimeAt(const Json& json, std::initializer_list<std::string_view> path) {
  const auto time = base::ParseTime(json.StringAt(path));
  if (!time.ok()) return std::nullopt;
  return *time;
}

// One look at one CronJob.
class CronLook {
 public:
  CronLook(const WorkloadObject& cron, const Jobs& jobs, base::Time now)
      : cron_(cron), jobs_(jobs), now_(now), after_(cron.object) {}

  Intents Run();

 private:
  void Record(const char* type, const char* reason, const std::string& message) {
    intents_.events.push_back({ReferenceTo(cron_), type, reason, message});
  }
  void Delete(const api::Job& job);
  void TellJobs();
  void DropHistory();
  void StartDue(const CronSchedule& schedule);
  std::optional<base::Time> LatestDue(const CronSchedule& schedule);
  void Start(base::Time scheduled);
  std::string JobNameAt(base::Time scheduled) const {
    const auto minutes = std::chrono::floor<base::minutes>(scheduled.time_since_epoch()).count();
    return fmt::format("{}-{}", cron_.metadata.name, minutes);
  }

  const WorkloadObject& cron_;
  const Jobs& jobs_;
  const base::Time now_;
  Json after_;
  Jobs active_;
  Intents intents_;
};

void CronLook::Delete(const api::Job& job) {
  if (job.metadata.deletion_timestamp) return;
  intents_.writes.push_back(runtime::DeleteObject(job));
  Record("Normal", "SuccessfulDelete", "Deleted job " + job.metadata.name);
}

void CronLook::TellJobs() {
  Json& status = after_["status"];
  std::set<std::string> listed;
  if (const Json* before = cron_.object.FindPath({"status", "active"});
      before && before->IsArray()) {
    for (const Json& reference : before->AsArray()) listed.insert(reference.StringAt({"uid"}));
  }
  Json active = Json::MakeArray();
  auto scheduled = TimeAt(status, {"lastScheduleTime"});
  auto succeeded = TimeAt(status, {"lastSuccessfulTime"});
  for (const auto& job : jobs_) {
    if (const auto it = job->metadata.annotations.find(kScheduledTime);
        it != job->metadata.annotations.end()) {
      const auto time = base::ParseTime(it->second);
      if (time.ok() && (!scheduled || *time > *scheduled)) scheduled = *time;
    }
    if (!IsFinished(*job)) {
      active_.push_back(job);
      api::ObjectReference reference = runtime::ReferenceTo(*job);
      active.Append(api::Encode(reference));
      continue;
    }
    const bool complete = IsTrue(job->status.conditions, "Complete");
    const auto end = job->status.completion_time;
    if (complete && end && (!succeeded || *end > *succeeded)) succeeded = end;
    if (listed.count(job->metadata.uid) > 0) {
      Record("Normal", "SawCompletedJob",
             fmt::format("Saw completed job: {}, condition: {}", job->metadata.name,
                         complete ? "Complete" : "Failed"));
    }
  }
  // The list keeps what it said of a Job: its version moves with every change.
  if (const Json* before = cron_.object.FindPath({"status", "active"});
      before && before->IsArray()) {
    for (Json& reference : active.AsArray()) {
      for (const Json& known : before->AsArray()) {
        if (known.StringAt({"uid"}) == reference.StringAt({"uid"})) reference = known;
      }
    }
  }
  if (active.size() > 0) {
    status.Set("active", std::move(active));
  } else {
    status.Erase("active");
  }
  if (scheduled) status.Set("lastScheduleTime", base::FormatTime(*scheduled));
  if (succeeded) status.Set("lastSuccessfulTime", base::FormatTime(*succeeded));
}

void CronLook::DropHistory() {
  const auto drop = [&](bool complete, const char* field, int64_t otherwise) {
    Jobs ended;
    for (const auto& job : jobs_) {
      if (IsFinished(*job) && IsTrue(job->status.conditions, "Complete") == complete) {
        ended.push_back(job);
      }
    }
    std::stable_sort(ended.begin(), ended.end(), [](const auto& a, const auto& b) {
      return a->status.start_time < b->status.start_time;
    });
    const int64_t limit = IntAt(cron_.object, {"spec", field}, otherwise);
    for (size_t i = 0; static_cast<int64_t>(i) + limit < static_cast<int64_t>(ended.size()); ++i) {
      Delete(*ended[i]);
    }
  };
  drop(true, "successfulJobsHistoryLimit", 3);
  drop(false, "failedJobsHistoryLimit", 1);
}

// The latest time that has come since the last one; asks to be called for the next.
std::optional<base::Time> CronLook::LatestDue(const CronSchedule& schedule) {
  base::Time since = cron_.metadata.creation_timestamp.value_or(now_);
  if (const auto last = TimeAt(after_, {"status", "lastScheduleTime"})) since = *last;
  const Json* deadline = cron_.object.FindPath({"spec", "startingDeadlineSeconds"});
  if (deadline != nullptr && deadline->IsInt()) {
    since = std::max(since, now_ - base::seconds(std::min<int64_t>(deadline->AsInt(), 1 << 30)));
  }
  std::optional<base::Time> due;
  int missed = 0;
  auto next = schedule.After(since);
  while (next && *next <= now_) {
    due = next;
    // A long absence: go on near the present. Times are at least a second apart.
    if (++missed == kMostMissed) {
      Record("Warning", "TooManyMissedTimes",
             "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check "
             "clock skew");
      const base::Duration step = std::max<base::Duration>(*next - since, base::seconds(60));
      next = schedule.After(std::max(*next, now_ - step));
      continue;
    }
    next = schedule.After(*next);
  }
  if (next) LookAgainIn(intents_, *next - now_);
  return due;
}

void CronLook::Start(base::Time scheduled) {
  const Json* pattern = cron_.object.FindPath({"spec", "jobTemplate"});
  Json job = Json::MakeObject();
  Json& metadata = job["metadata"];
  metadata.Set("name", JobNameAt(scheduled));
  metadata.Set("namespace", cron_.metadata.namespace_name);
  for (const char* part : {"labels", "annotations"}) {
    const Json* found = pattern->FindPath({"metadata", part});
    if (found != nullptr) metadata.Set(part, *found);
  }
  metadata["annotations"].Set(kScheduledTime, base::FormatTime(scheduled));
  Json owners;
  owners.Append(api::Encode(ControlledBy(cron_)));
  metadata.Set("ownerReferences", std::move(owners));
  const Json* spec = pattern->Find("spec");
  job.Set("spec", spec == nullptr ? Json::MakeObject() : *spec);
  intents_.writes.push_back(CreateWorkload(api::KindOf<api::Job>(), std::move(job)));
  Record("Normal", "SuccessfulCreate", "Created job " + JobNameAt(scheduled));
}

void CronLook::StartDue(const CronSchedule& schedule) {
  const auto due = LatestDue(schedule);
  if (!due || cron_.object.FindPath({"spec", "jobTemplate"}) == nullptr) return;
  const bool there = std::any_of(jobs_.begin(), jobs_.end(), [&](const auto& job) {
    return job->metadata.name == JobNameAt(*due);
  });
  if (there) return;
  const std::string policy = cron_.object.StringAt({"spec", "concurrencyPolicy"});
  if (policy == "Forbid" && !active_.empty()) {
    Record("Normal", "JobAlreadyActive",
           "Not starting job because prior execution is running and concurrency policy is Forbid");
    return;
  }
  if (policy == "Replace") {
    for (const auto& job : active_) Delete(*job);
  }
  Start(*due);
}

Intents CronLook::Run() {
  TellJobs();
  intents_.Add(PatchWorkload(cron_, after_, "status"));
  if (cron_.metadata.deletion_timestamp) return std::move(intents_);
  DropHistory();
  if (BoolAt(cron_.object, {"spec", "suspend"})) return std::move(intents_);
  const std::string zone = cron_.object.StringAt({"spec", "timeZone"});
  if (!IsUtc(zone)) {
    Record("Warning", "UnknownTimeZone",
           fmt::format("time zone {} is not known here: use UTC and shift the schedule", zone));
    return std::move(intents_);
  }
  const std::string text = cron_.object.StringAt({"spec", "schedule"});
  if (const auto schedule = CronSchedule::Parse(text)) {
    StartDue(*schedule);
  } else {
    Record("Warning", "UnparseableSchedule", "unparseable schedule: " + text);
  }
  return std::move(intents_);
}

}  // namespace

Intents PlanCronJob(const WorkloadObject& cron, const Jobs& jobs, base::Time now) {
  return CronLook(cron, jobs, now).Run();
}

}  // namespace kueue::localcluster
