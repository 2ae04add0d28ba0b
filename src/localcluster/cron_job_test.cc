#include "localcluster/cron_job.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"

namespace kueue::localcluster {
namespace {

using base::minutes;
using base::seconds;

const base::Time kMidnight = *base::ParseTime("2026-01-01T00:00:00Z");

// Made at midnight; every minute unless `spec` says otherwise.
WorkloadObject Cron(const std::string& spec = "", const std::string& status = "{}") {
  const std::string text =
      R"({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "tick",
          "namespace": "default", "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z"},
          "spec": {"schedule": "* * * * *", "jobTemplate": {"metadata": {"labels": {"a": "b"}},
          "spec": {"parallelism": 2}}},
          "status": )" +
      status + "}";
  api::Json json = *api::ParseJson(text);
  if (!spec.empty()) {
    const api::Json fields = *api::ParseJson(spec);
    for (const api::Json::Member& field : fields.AsObject()) {
      json["spec"].Set(field.key, field.value);
    }
  }
  return *DecodeWorkload(WorkloadKind("batch", "CronJob"), json);
}

std::shared_ptr<const api::Job> JobOf(const std::string& name, const std::string& ended = "",
                                      base::Time start = kMidnight) {
  api::Job job;
  job.metadata.name = name;
  job.metadata.namespace_name = "default";
  job.metadata.uid = "uid-" + name;
  job.status.start_time = start;
  if (!ended.empty()) {
    job.status.conditions.emplace_back();
    job.status.conditions[0].type = ended;
    job.status.conditions[0].status = api::ConditionStatus::kTrue;
    if (ended == "Complete") job.status.completion_time = start + seconds(30);
  }
  return std::make_shared<const api::Job>(std::move(job));
}

// "create NAME", "delete NAME", "patch NAME/status"; events without their texts.
std::vector<std::string> WritesOf(const runtime::Intents& intents) {
  std::vector<std::string> lines;
  for (const runtime::Write& write : intents.writes) {
    const char* verb = write.verb == runtime::WriteVerb::kCreate   ? "create "
                       : write.verb == runtime::WriteVerb::kDelete ? "delete "
                                                                   : "patch ";
    const std::string sub = write.subresource.empty() ? "" : "/" + write.subresource;
    lines.push_back(verb + write.key.name + sub);
  }
  return lines;
}
bool Tells(const runtime::Intents& intents, const std::string& reason) {
  for (const auto& event : intents.events) {
    if (event.reason == reason) return true;
  }
  return false;
}
using Lines = std::vector<std::string>;

const api::Json& CreatedBy(const runtime::Intents& intents) {
  for (const runtime::Write& write : intents.writes) {
    if (write.verb == runtime::WriteVerb::kCreate) return write.body;
  }
  static const api::Json none = api::Json::MakeObject();
  return none;
}

TEST(CronJob, WaitsForTheNextTime) {
  const auto intents = PlanCronJob(Cron(), {}, kMidnight + seconds(20));
  EXPECT_EQ(WritesOf(intents), Lines{});
  EXPECT_EQ(intents.look_again, seconds(40));
}

TEST(CronJob, StartsTheLatestOfSeveralMissedTimes) {
  const auto intents = PlanCronJob(Cron(), {}, kMidnight + minutes(5) + seconds(10));
  const api::Json& job = CreatedBy(intents);
  const auto minute = (kMidnight + minutes(5)).time_since_epoch() / minutes(1);
  EXPECT_EQ(job.StringAt({"metadata", "name"}), "tick-" + std::to_string(minute));
  EXPECT_EQ(job.StringAt({"metadata", "labels", "a"}), "b");
  EXPECT_EQ(
      job.StringAt({"metadata", "annotations", "batch.kubernetes.io/cronjob-scheduled-timestamp"}),
      "2026-01-01T00:05:00Z");
  EXPECT_EQ(WritesOf(intents).size(), 1u);
  EXPECT_TRUE(Tells(intents, "SuccessfulCreate"));
}

TEST(CronJob, TheJobThatIsThereIsNotMadeAgain) {
  const base::Time now = kMidnight + minutes(1) + seconds(5);
  const auto first = PlanCronJob(Cron(), {}, now);
  const std::string name = CreatedBy(first).StringAt({"metadata", "name"});
  const auto second = PlanCronJob(Cron(), {JobOf(name)}, now);
  EXPECT_EQ(WritesOf(second), Lines{"patch tick/status"}) << "it is told as active";
}

TEST(CronJob, ForbidWaitsForTheOneThatRuns) {
  const auto intents = PlanCronJob(Cron(R"({"concurrencyPolicy": "Forbid"})"), {JobOf("old")},
                                   kMidnight + minutes(1));
  EXPECT_TRUE(CreatedBy(intents).StringAt({"metadata", "name"}).empty());
  EXPECT_TRUE(Tells(intents, "JobAlreadyActive"));
}

TEST(CronJob, ReplaceTakesThePlaceOfTheOneThatRuns) {
  const auto intents = PlanCronJob(Cron(R"({"concurrencyPolicy": "Replace"})"), {JobOf("old")},
                                   kMidnight + minutes(1));
  const Lines lines = WritesOf(intents);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], "delete old");
  EXPECT_EQ(lines[2].substr(0, 12), "create tick-");
}

TEST(CronJob, ASuspendedOneStartsNothing) {
  const auto intents = PlanCronJob(Cron(R"({"suspend": true})"), {}, kMidnight + minutes(9));
  EXPECT_EQ(WritesOf(intents), Lines{});
  EXPECT_FALSE(intents.look_again);
}

TEST(CronJob, ATimePastItsDeadlineIsLost) {
  const WorkloadObject cron = Cron(R"({"schedule": "0 * * * *", "startingDeadlineSeconds": 10})");
  EXPECT_EQ(WritesOf(PlanCronJob(cron, {}, kMidnight + minutes(60) + seconds(5))).size(), 1u);
  EXPECT_EQ(WritesOf(PlanCronJob(cron, {}, kMidnight + minutes(60) + seconds(30))), Lines{});
}

TEST(CronJob, OldJobsAreForgottenByTheirOutcome) {
  Jobs jobs;
  for (int i = 0; i < 4; ++i) {
    jobs.push_back(JobOf("good-" + std::to_string(i), "Complete", kMidnight + minutes(i)));
    jobs.push_back(JobOf("bad-" + std::to_string(i), "Failed", kMidnight + minutes(i)));
  }
  const WorkloadObject cron = Cron(R"({"suspend": true})");
  EXPECT_EQ(WritesOf(PlanCronJob(cron, jobs, kMidnight + minutes(9))),
            (Lines{"patch tick/status", "delete good-0", "delete bad-0", "delete bad-1",
                   "delete bad-2"}));
}

TEST(CronJob, TheStatusTellsWhatRunsAndWhenOneSucceeded) {
  const auto intents =
      PlanCronJob(Cron(R"({"suspend": true})"), {JobOf("runs"), JobOf("done", "Complete")},
                  kMidnight + minutes(2));
  ASSERT_EQ(intents.writes.size(), 1u);
  const api::Json& status = *intents.writes[0].body.Find("status");
  ASSERT_EQ(status.Find("active")->size(), 1u);
  EXPECT_EQ(status.Find("active")->AsArray()[0].StringAt({"name"}), "runs");
  EXPECT_EQ(status.StringAt({"lastSuccessfulTime"}), "2026-01-01T00:00:30Z");
}

TEST(CronJob, MistakesAreTold) {
  const auto zone = PlanCronJob(Cron(R"({"timeZone": "Mars/Base"})"), {}, kMidnight + minutes(2));
  EXPECT_TRUE(Tells(zone, "UnknownTimeZone"));
  EXPECT_EQ(WritesOf(zone), Lines{});
  const auto text = PlanCronJob(Cron(R"({"schedule": "never"})"), {}, kMidnight + minutes(2));
  EXPECT_TRUE(Tells(text, "UnparseableSchedule"));
}

}  // namespace
}  // namespace kueue::localcluster
