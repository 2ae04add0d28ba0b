#include "api/schema/validation_parts.h"
#include "base/time.h"

// Rules about the status of a batch/v1 Job, as the Kubernetes API documents them: counts are
// counts, and a job ends once, in order, with the times that belong to its end.
namespace kueue::api {
namespace {

bool Holds(const Json& status, std::string_view type) {
  for (const Json& condition : Items(status, "conditions")) {
    if (Text(condition, "type") == type) return Text(condition, "status") == "True";
  }
  return false;
}

std::optional<Time> TimeAt(const Json& status, std::string_view member) {
  const auto time = base::ParseTime(Text(status, member));
  if (!time.ok()) return std::nullopt;
  return *time;
}

void CheckCounts(const Json& status, const Json& old, FieldErrors& errors) {
  for (const char* member : {"active", "succeeded", "failed", "terminating", "ready"}) {
    if (Int(status, member).value_or(0) < 0) {
      AddInvalid(errors, Field("status", member), "must not be negative");
    }
  }
  if (Int(status, "failed").value_or(0) < Int(old, "failed").value_or(0)) {
    AddInvalid(errors, "status.failed", "must not become less");
  }
  if (Int(status, "ready").value_or(0) > Int(status, "active").value_or(0)) {
    AddInvalid(errors, "status.ready", "must not exceed active");
  }
}

void CheckEnd(const Json& status, FieldErrors& errors) {
  const bool complete = Holds(status, "Complete"), failed = Holds(status, "Failed");
  const auto started = TimeAt(status, "startTime");
  const auto completed = TimeAt(status, "completionTime");
  if (complete && !completed) AddRequired(errors, "status.completionTime");
  if (!complete && completed) {
    AddInvalid(errors, "status.completionTime", "belongs to the condition Complete");
  }
  if (started && completed && *completed < *started) {
    AddInvalid(errors, "status.completionTime", "must not be before startTime");
  }
  if (complete && failed) {
    AddInvalid(errors, "status.conditions", "Complete and Failed exclude each other");
  }
  if (complete && !Holds(status, "SuccessCriteriaMet")) {
    AddInvalid(errors, "status.conditions", "Complete needs SuccessCriteriaMet");
  }
  if (failed && !Holds(status, "FailureTarget")) {
    AddInvalid(errors, "status.conditions", "Failed needs FailureTarget");
  }
  if (!complete && !failed) return;
  if (!started) AddRequired(errors, "status.startTime");
  if (Int(status, "active").value_or(0) > 0) {
    AddInvalid(errors, "status.active", "must be 0 once the job has ended");
  }
  const Json* uncounted = status.Find("uncountedTerminatedPods");
  if (uncounted &&
      (!Items(*uncounted, "succeeded").empty() || !Items(*uncounted, "failed").empty())) {
    AddInvalid(errors, "status.uncountedTerminatedPods", "must be empty once the job has ended");
  }
}

}  // namespace

void CheckJobStatus(const Json& job, const Json& before, FieldErrors& errors) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* now = job.Find("status");
  const Json* was = before.Find("status");
  const Json& status = now && now->IsObject() ? *now : *none;
  const Json& old = was && was->IsObject() ? *was : *none;
  CheckCounts(status, old, errors);
  CheckEnd(status, errors);
  for (const char* final : {"Complete", "Failed", "SuccessCriteriaMet", "FailureTarget"}) {
    if (Holds(old, final) && !Holds(status, final)) {
      AddInvalid(errors, "status.conditions", std::string(final) + " cannot be taken back");
    }
  }
  const Json* spec = before.Find("spec");
  const bool suspended = spec && True(*spec, "suspend");
  const auto started = TimeAt(old, "startTime");
  if (started && !suspended && TimeAt(status, "startTime") != started) {
    AddInvalid(errors, "status.startTime", "may only change while the job is suspended");
  }
}

}  // namespace kueue::api
