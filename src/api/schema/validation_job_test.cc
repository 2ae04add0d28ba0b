#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/codec/patch.h"
#include "api/schema/kind.h"
#include "api/types/batch.h"

// Rules of jobs and pods.
namespace kueue::api {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

Json Parse(std::string_view text) { return ParseJson(text).value(); }

std::vector<std::string> Told(const std::vector<FieldError>& errors) {
  std::vector<std::string> lines;
  for (const FieldError& error : errors) {
    lines.push_back(error.field + " " + CauseReason(error.type));
  }
  return lines;
}

Json New(const KindInfo& kind, std::string_view base, std::string_view spec) {
  Json object = Parse(base);
  object["metadata"].Set("uid", "u");
  object = ApplyMergePatch(object, Parse(R"({"spec":)" + std::string(spec) + "}"));
  ApplyDefaults(kind, object);
  PrepareForCreate(kind, object);
  return object;
}

std::vector<std::string> Patched(const KindInfo& kind, const Json& before, std::string_view patch) {
  Json after = ApplyMergePatch(before, Parse(patch));
  ApplyDefaults(kind, after);
  return Told(ValidateUpdate(kind, before, after));
}

constexpr char kJob[] = R"({"metadata":{"name":"a","namespace":"n"},"spec":{"template":{"spec":{
  "restartPolicy":"Never","containers":[{"name":"c","image":"i:1"}]}}}})";
constexpr char kPod[] = R"({"metadata":{"name":"a","namespace":"n"},"spec":{
  "containers":[{"name":"c","image":"i:1"}]}})";

std::vector<std::string> CreateJob(std::string_view spec) {
  return Told(ValidateCreate(KindOf<Job>(), New(KindOf<Job>(), kJob, spec)));
}
std::vector<std::string> CreatePod(std::string_view spec) {
  return Told(ValidateCreate(KindOf<Pod>(), New(KindOf<Pod>(), kPod, spec)));
}

TEST(JobRules, Numbers) {
  EXPECT_THAT(CreateJob("{}"), IsEmpty());
  EXPECT_THAT(CreateJob(R"({"parallelism":-1,"completions":-1,"backoffLimit":-1})"),
              UnorderedElementsAre("spec.parallelism FieldValueInvalid",
                                   "spec.completions FieldValueInvalid",
                                   "spec.backoffLimit FieldValueInvalid"));
  EXPECT_THAT(CreateJob(R"({"completionMode":"Indexed","completions":2,"parallelism":200000})"),
              UnorderedElementsAre("spec.parallelism FieldValueInvalid"));
  EXPECT_THAT(CreateJob(R"({"maxFailedIndexes":1})"),
              UnorderedElementsAre("spec.backoffLimitPerIndex FieldValueRequired",
                                   "spec.maxFailedIndexes FieldValueInvalid"));
}

TEST(JobRules, PodsOfAJobDoNotRestartForEver) {
  EXPECT_THAT(CreateJob(R"({"template":{"spec":{"restartPolicy":"Always"}}})"),
              UnorderedElementsAre("spec.template.spec.restartPolicy FieldValueRequired"));
}

TEST(JobRules, TheSelectorIsGenerated) {
  EXPECT_THAT(CreateJob(R"({"selector":{"matchLabels":{"a":"b"}}})"),
              UnorderedElementsAre("spec.selector FieldValueInvalid",
                                   "spec.template.metadata.labels FieldValueInvalid"));
  EXPECT_THAT(CreateJob(R"({"manualSelector":true})"),
              UnorderedElementsAre("spec.selector FieldValueRequired",
                                   "spec.template.metadata.labels FieldValueInvalid"));
  EXPECT_THAT(CreateJob(R"({"manualSelector":true,"selector":{}})"), IsEmpty());
}

TEST(JobRules, TheTemplateOfARunningJobStays) {
  const Json job = New(KindOf<Job>(), kJob, "{}");
  EXPECT_THAT(Patched(KindOf<Job>(), job, R"({"spec":{"template":{"spec":{
    "nodeSelector":{"a":"b"}}}}})"),
              UnorderedElementsAre("spec.template FieldValueInvalid"));
  EXPECT_THAT(Patched(KindOf<Job>(), job, R"({"spec":{"suspend":true,"parallelism":3}})"),
              IsEmpty());
  EXPECT_THAT(Patched(KindOf<Job>(), job, R"({"spec":{"completions":5}})"),
              UnorderedElementsAre("spec.completions FieldValueInvalid"));
}

// This is how a queue manager places a job: it starts it and says where in one write.
TEST(JobRules, SchedulingDirectivesOfASuspendedJobMayChange) {
  const Json job = New(KindOf<Job>(), kJob, R"({"suspend":true})");
  EXPECT_THAT(Patched(KindOf<Job>(), job, R"({"spec":{"suspend":false,"template":{
    "metadata":{"labels":{"x":"y"},"annotations":{"q":"r"}},
    "spec":{"nodeSelector":{"a":"b"},"tolerations":[{"key":"k","operator":"Exists"}],
    "schedulingGates":[{"name":"x.io/g"}]}}}})"),
              IsEmpty());
  EXPECT_THAT(Patched(KindOf<Job>(), job, R"({"spec":{"template":{"spec":{
    "schedulerName":"x"}}}})"),
              UnorderedElementsAre("spec.template.spec FieldValueInvalid"));
  Json started = job;
  started["status"].Set("startTime", "2026-01-01T00:00:00Z");
  EXPECT_THAT(Patched(KindOf<Job>(), started, R"({"spec":{"template":{"spec":{
    "nodeSelector":{"a":"b"}}}}})"),
              UnorderedElementsAre("spec.template FieldValueInvalid"));
}

TEST(JobStatusRules, AJobEndsInOrder) {
  const Json job = New(KindOf<Job>(), kJob, "{}");
  EXPECT_THAT(Patched(KindOf<Job>(), job,
                      R"({"status":{"conditions":[{"type":"Complete","status":"True"}]}})"),
              UnorderedElementsAre("status.completionTime FieldValueRequired",
                                   "status.startTime FieldValueRequired",
                                   "status.conditions FieldValueInvalid"));
  EXPECT_THAT(Patched(KindOf<Job>(), job, R"({"status":{"startTime":"2026-01-01T00:00:00Z",
    "completionTime":"2026-01-01T00:01:00Z","succeeded":1,"conditions":[
    {"type":"SuccessCriteriaMet","status":"True"},{"type":"Complete","status":"True"}]}})"),
              IsEmpty());
}

TEST(JobStatusRules, CountsAndTheStart) {
  Json job = New(KindOf<Job>(), kJob, "{}");
  job["status"] = Parse(R"({"startTime":"2026-01-01T00:00:00Z","active":1,"failed":2})");
  EXPECT_THAT(
      Patched(KindOf<Job>(), job, R"({"status":{"ready":2,"failed":1,
    "startTime":"2026-01-01T00:00:09Z"}})"),
      UnorderedElementsAre("status.ready FieldValueInvalid", "status.failed FieldValueInvalid",
                           "status.startTime FieldValueInvalid"));
}

TEST(PodRules, Containers) {
  EXPECT_THAT(CreatePod(R"({"containers":[]})"),
              UnorderedElementsAre("spec.containers FieldValueRequired"));
  EXPECT_THAT(CreatePod(R"({"containers":[{"name":"c","image":"i"},{"name":"c","image":" i"},
    {"name":"C_"}]})"),
              UnorderedElementsAre("spec.containers[1].name FieldValueDuplicate",
                                   "spec.containers[1].image FieldValueInvalid",
                                   "spec.containers[2].name FieldValueInvalid",
                                   "spec.containers[2].image FieldValueRequired"));
}

TEST(PodRules, Resources) {
  const auto resources = [](std::string_view text) {
    return CreatePod(R"({"containers":[{"name":"c","image":"i","resources":)" + std::string(text) +
                     "}]}");
  };
  const std::string at = "spec.containers[0].resources.";
  EXPECT_THAT(resources(R"({"requests":{"cpu":"2"},"limits":{"cpu":"1"}})"),
              UnorderedElementsAre(at + "requests FieldValueInvalid"));
  EXPECT_THAT(resources(R"({"requests":{"nvidia.com/gpu":"1"}})"),
              UnorderedElementsAre(at + "limits FieldValueRequired"));
  EXPECT_THAT(resources(R"({"requests":{"cpu":"-1"}})"),
              UnorderedElementsAre(at + "requests[cpu] FieldValueInvalid"));
}

TEST(PodRules, GatesTolerationsAndNode) {
  EXPECT_THAT(CreatePod(R"({"schedulingGates":[{"name":"a"}],"nodeName":"n",
    "tolerations":[{"operator":"Equal"},{"key":"k","operator":"X"}]})"),
              UnorderedElementsAre("spec.nodeName FieldValueForbidden",
                                   "spec.tolerations[0].operator FieldValueInvalid",
                                   "spec.tolerations[1].operator FieldValueNotSupported"));
}

TEST(PodRules, WhatMayChange) {
  const Json pod = New(KindOf<Pod>(), kPod, "{}");
  const auto changed = [&](std::string_view spec) {
    return Patched(KindOf<Pod>(), pod, R"({"spec":)" + std::string(spec) + "}");
  };
  EXPECT_THAT(changed(R"({"activeDeadlineSeconds":5})"), IsEmpty());
  EXPECT_THAT(changed(R"({"nodeName":"n"})"), UnorderedElementsAre("spec FieldValueForbidden"));
  EXPECT_THAT(changed(R"({"priority":5})"), UnorderedElementsAre("spec FieldValueForbidden"));
  Json image = pod;
  image["spec"]["containers"].AsArray()[0].Set("image", "other");
  EXPECT_THAT(Told(ValidateUpdate(KindOf<Pod>(), pod, image)), IsEmpty());
  image["spec"]["containers"].AsArray()[0].Set("name", "d");
  EXPECT_THAT(Told(ValidateUpdate(KindOf<Pod>(), pod, image)),
              UnorderedElementsAre("spec FieldValueForbidden"));
  Json more = pod;
  Json& containers = more["spec"]["containers"];
  containers.Append(containers.AsArray()[0]);
  containers.AsArray()[1].Set("name", "d");
  EXPECT_THAT(Told(ValidateUpdate(KindOf<Pod>(), pod, more)),
              UnorderedElementsAre("spec.containers FieldValueForbidden"));
}

// What is missing counts twice: as a field of the pod, and as one that may change.
TEST(PodRules, AnImageMustStay) {
  const Json pod = New(KindOf<Pod>(), kPod, "{}");
  Json bare = pod;
  bare["spec"]["containers"].AsArray()[0].Erase("image");
  EXPECT_THAT(Told(ValidateUpdate(KindOf<Pod>(), pod, bare)),
              UnorderedElementsAre("spec.containers[0].image FieldValueRequired",
                                   "spec.containers[0].image FieldValueRequired"));
}

TEST(PodRules, AGatedPodMayBeNarrowed) {
  const Json pod = New(KindOf<Pod>(), kPod, R"({"schedulingGates":[{"name":"x.io/a"}],
    "nodeSelector":{"q":"r"}})");
  const auto changed = [&](std::string_view spec) {
    return Patched(KindOf<Pod>(), pod, R"({"spec":)" + std::string(spec) + "}");
  };
  EXPECT_THAT(changed(R"({"nodeSelector":{"a":"b"},"schedulingGates":null})"), IsEmpty());
  EXPECT_THAT(changed(R"({"nodeSelector":{"q":null}})"),
              UnorderedElementsAre("spec.nodeSelector FieldValueInvalid"));
  EXPECT_THAT(changed(R"({"schedulingGates":[{"name":"x.io/a"},{"name":"x.io/c"}]})"),
              UnorderedElementsAre("spec.schedulingGates[1].name FieldValueForbidden"));
}

}  // namespace
}  // namespace kueue::api
