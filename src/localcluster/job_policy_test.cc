#include "localcluster/job_policy.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/schema/kind.h"

namespace kueue::localcluster {
namespace {

api::Job JobOf(const char* spec) {
  const std::string text =
      std::string(R"({"metadata":{"name":"j","namespace":"a"},"spec":)") + spec + "}";
  return api::Decode<api::Job>(api::ParseJson(text).value()).value();
}

api::Pod PodEndedWith(int32_t code, const char* container = "main") {
  api::Pod pod;
  pod.metadata.name = "p";
  pod.metadata.namespace_name = "a";
  pod.status.phase = "Failed";
  pod.status.container_statuses.resize(1);
  pod.status.container_statuses[0].name = container;
  pod.status.container_statuses[0].state.terminated.emplace();
  pod.status.container_statuses[0].state.terminated->exit_code = code;
  return pod;
}

TEST(JobPolicy, WithoutRulesAFailureCounts) {
  const FailureRuling ruling = RuleOnFailure(JobOf("{}"), PodEndedWith(1));
  EXPECT_TRUE(ruling.counts);
  EXPECT_FALSE(ruling.fails_job.has_value());
}

TEST(JobPolicy, TheFirstRuleThatMatchesDecides) {
  const api::Job job = JobOf(R"({"podFailurePolicy":{"rules":[
    {"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget","status":"True"}]},
    {"action":"FailJob","onExitCodes":{"containerName":"main","operator":"In","values":[42]}},
    {"action":"Ignore","onExitCodes":{"operator":"NotIn","values":[1,42]}}]}})");
  EXPECT_EQ(RuleOnFailure(job, PodEndedWith(42)).fails_job,
            "Container main for pod a/p failed with exit code 42 matching FailJob rule at index 1");
  EXPECT_TRUE(RuleOnFailure(job, PodEndedWith(1)).counts);
  EXPECT_FALSE(RuleOnFailure(job, PodEndedWith(7)).counts);
  EXPECT_FALSE(RuleOnFailure(job, PodEndedWith(42, "other")).fails_job.has_value());
  api::Pod disrupted = PodEndedWith(42);
  disrupted.status.conditions.resize(1);
  disrupted.status.conditions[0].type = "DisruptionTarget";
  disrupted.status.conditions[0].status = api::ConditionStatus::kTrue;
  EXPECT_FALSE(RuleOnFailure(job, disrupted).counts);
}

TEST(JobPolicy, CodeZeroMatchesNothing) {
  const api::Job job = JobOf(
      R"({"podFailurePolicy":{"rules":[{"action":"FailJob","onExitCodes":{"operator":"NotIn",
         "values":[1]}}]}})");
  EXPECT_FALSE(RuleOnFailure(job, PodEndedWith(0)).fails_job.has_value());
}

TEST(JobPolicy, SuccessRulesAskForIndexesOrACount) {
  const auto job = [](const char* rule) {
    return JobOf((std::string(R"({"completionMode":"Indexed","completions":5,"successPolicy":
                  {"rules":[)") +
                  rule + "]}}")
                     .c_str());
  };
  const api::Job both = job(R"({"succeededIndexes":"0-2","succeededCount":2})");
  EXPECT_FALSE(MetSuccessRule(both, IndexSet::Parse("0,3,4")).has_value());
  EXPECT_EQ(MetSuccessRule(both, IndexSet::Parse("0,2")), 0);
  EXPECT_EQ(MetSuccessRule(job(R"({"succeededIndexes":"0"})"), IndexSet::Parse("0")), 0);
  EXPECT_FALSE(MetSuccessRule(job(R"({"succeededCount":2})"), IndexSet::Parse("3")).has_value());
  EXPECT_EQ(MetSuccessRule(job(R"({"succeededCount":2})"), IndexSet::Parse("3-4")), 0);
}

}  // namespace
}  // namespace kueue::localcluster
