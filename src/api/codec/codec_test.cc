#include "api/codec/codec.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/schema/descriptors.h"

namespace kueue::api {
namespace {

Json Parse(std::string_view text) {
  auto parsed = ParseJson(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? *std::move(parsed) : Json();
}

// What a struct T makes of the text.
template <class T>
std::string Again(std::string_view text) {
  const auto object = Decode<T>(Parse(text));
  return object.ok() ? WriteJson(Encode(*object)) : "error: " + object.error().message;
}

constexpr char kWorkload[] =
    R"({"metadata":{"name":"w","namespace":"ns","uid":"u","resourceVersion":"7","generation":1,)"
    R"("creationTimestamp":"2026-01-02T03:04:05Z","labels":{"a":"b","c":"d"},"ownerReferences":)"
    R"([{"apiVersion":"batch/v1","kind":"Job","name":"j","uid":"ju","controller":true}],)"
    R"("managedFields":[{"manager":"m"}]},"spec":{"podSets":[{"name":"main","template":{"spec":)"
    R"({"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1","memory":"1Gi"}},)"
    R"("securityContext":{"runAsUser":1}}],"restartPolicy":"Never"}},"count":3,"minCount":1}],)"
    R"("queueName":"q","priority":0,"active":true},"status":{"conditions":[{"type":"Admitted",)"
    R"("status":"True","lastTransitionTime":"2026-01-02T03:04:06Z","reason":"Admitted",)"
    R"("message":""}],"admission":{"clusterQueue":"cq","podSetAssignments":[{"name":"main",)"
    R"("flavors":{"cpu":"f"},"resourceUsage":{"cpu":"3"},"count":3}]}}})";

TEST(Codec, RoundTripsAWorkload) { EXPECT_EQ(Again<Workload>(kWorkload), kWorkload); }

TEST(Codec, ReadsMembersIntoTheStruct) {
  const auto workload = Decode<Workload>(Parse(kWorkload));
  ASSERT_TRUE(workload.ok());
  EXPECT_EQ(workload->metadata.namespace_name, "ns");
  EXPECT_EQ(workload->spec.pod_sets[0].count, 3);
  EXPECT_EQ(workload->spec.priority, 0);
  EXPECT_EQ(workload->status.conditions[0].status, ConditionStatus::kTrue);
  const auto& container = workload->spec.pod_sets[0].pod_template.spec.containers[0];
  EXPECT_EQ(container.resources.requests.at("memory").Units(), int64_t{1} << 30);
  EXPECT_EQ(WriteJson(*container.extra.get()), R"({"securityContext":{"runAsUser":1}})");
}

TEST(Codec, TypeMetaIsNotKeptOnWholeObjects) {
  EXPECT_EQ(Again<Job>(R"({"apiVersion":"batch/v1","kind":"Job","spec":{"suspend":true}})"),
            R"({"spec":{"template":{},"suspend":true}})");
}

TEST(Codec, NullCountsAsAbsent) {
  EXPECT_EQ(Again<ObjectMeta>(R"({"name":null,"labels":null,"creationTimestamp":null})"), "{}");
}

TEST(Codec, OptionalZeroIsWrittenPlainZeroIsNot) {
  EXPECT_EQ(Again<JobStatus>(R"({"active":0,"ready":0,"failedIndexes":""})"),
            R"({"failedIndexes":"","ready":0})");
  EXPECT_EQ(Again<ClusterQueueSpec>(R"({"namespaceSelector":{}})"), R"({"namespaceSelector":{}})");
}

TEST(Codec, CountersOfAQueueAreAlwaysWritten) {
  ClusterQueue queue;
  EXPECT_EQ(WriteJson(Encode(queue)), "{}");
  queue.status.pending_workloads = 1;
  EXPECT_EQ(WriteJson(Encode(queue)),
            R"({"status":{"pendingWorkloads":1,"reservingWorkloads":0,"admittedWorkloads":0}})");
}

TEST(Codec, QuantitiesComeAsStringsOrNumbers) {
  const auto quota =
      Decode<ResourceQuota>(Parse(R"({"name":"cpu","nominalQuota":2,"borrowingLimit":1.5})"));
  ASSERT_TRUE(quota.ok());
  EXPECT_EQ(quota->nominal_quota.Units(), 2);
  EXPECT_EQ(WriteJson(Encode(*quota)),
            R"({"name":"cpu","nominalQuota":"2","borrowingLimit":"1500m"})");
}

TEST(Codec, TimesHaveSecondsMicroTimesSixDigits) {
  EXPECT_EQ(Again<LeaseSpec>(R"({"renewTime":"2026-01-02T03:04:05.5Z"})"),
            R"({"renewTime":"2026-01-02T03:04:05.500000Z"})");
  EXPECT_EQ(Again<JobStatus>(R"({"startTime":"2026-01-02T05:04:05.9+02:00"})"),
            R"({"startTime":"2026-01-02T03:04:05Z"})");
}

TEST(Codec, WrongTypesAreAllReportedByPath) {
  Workload workload;
  const auto errors = DecodeStruct(
      DescriptorOf<Workload>(), &workload,
      Parse(R"({"metadata":{"name":1,"labels":{"a":2}},"spec":{"podSets":[{"count":"x"},
                {"count":2147483648,"minCount":1.5}],"active":"yes","priority":5}})"),
      "");
  std::vector<std::string> fields;
  for (const auto& error : errors) {
    EXPECT_EQ(error.type, FieldErrorType::kTypeInvalid);
    fields.push_back(error.field);
  }
  EXPECT_EQ(fields, (std::vector<std::string>{"metadata.name", "metadata.labels[a]",
                                              "spec.podSets[0].count", "spec.podSets[1].count",
                                              "spec.podSets[1].minCount", "spec.active"}));
  EXPECT_EQ(workload.spec.priority, 5);
  EXPECT_EQ(errors[0].message, "expected a string, found 1");
}

TEST(Codec, PathIsPutBeforeTheFields) {
  PodSpec spec;
  const auto errors =
      DecodeStruct(DescriptorOf<PodSpec>(), &spec, Parse(R"({"priority":"x"})"), "spec.template");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].field, "spec.template.priority");
}

TEST(Codec, BadTextIsAnError) {
  for (const char* text : {R"({"metadata":{"creationTimestamp":"yesterday"}})", "[]", "1",
                           R"({"status":{"conditions":[{"status":"Maybe"}]}})",
                           R"({"status":{"conditions":{}}})", R"({"spec":[]})"}) {
    EXPECT_EQ(Again<Workload>(text).substr(0, 6), "error:") << text;
  }
  EXPECT_EQ(Again<ResourceQuota>(R"({"nominalQuota":"abc"})").substr(0, 6), "error:");
  EXPECT_EQ(Again<ResourceQuota>(R"({"nominalQuota":true})").substr(0, 6), "error:");
}

TEST(Codec, MapMembersComeSorted) {
  EXPECT_EQ(Again<ConfigMap>(R"({"data":{"b":"2","a":"1"}})"), R"({"data":{"a":"1","b":"2"}})");
}

TEST(Codec, UnknownMembersSurvive) {
  EXPECT_EQ(Again<PodSpec>(R"({"volumes":[{"name":"v"}],"containers":[],"hostIPC":false})"),
            R"({"containers":[],"volumes":[{"name":"v"}],"hostIPC":false})");
}

TEST(FieldErrors, JoinInOneLine) {
  EXPECT_EQ(JoinFieldErrors({{FieldErrorType::kInvalid, "a.b", "bad"},
                             {FieldErrorType::kRequired, "", "all wrong"}}),
            "a.b: bad; all wrong");
  EXPECT_STREQ(CauseReason(FieldErrorType::kDuplicate), "FieldValueDuplicate");
}

}  // namespace
}  // namespace kueue::api
