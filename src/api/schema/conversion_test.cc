#include "api/schema/conversion.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"

namespace kueue::api {
namespace {

Json Parse(const std::string& text) {
  auto json = ParseJson(text);
  EXPECT_TRUE(json.ok()) << text;
  return json.ok() ? *json : Json();
}

const KindInfo& Older(const char* kind) { return *FindKind("kueue.x-k8s.io", "v1beta1", kind); }

Json Object(const char* kind, const char* version, const char* rest) {
  return Parse(std::string(R"({"apiVersion":"kueue.x-k8s.io/)") + version + R"(","kind":")" + kind +
               R"(","metadata":{"name":"x"},)" + rest + "}");
}

Json Stored(const char* kind, const char* rest) {
  Json object = Object(kind, "v1beta1", rest);
  EXPECT_TRUE(ToStored(Older(kind), object).empty());
  return object;
}

Json Shown(const char* kind, const char* rest) {
  Json object = Object(kind, "v1beta2", rest);
  EXPECT_TRUE(FromStored(Older(kind), object).empty());
  return object;
}

// v1beta2 -> v1beta1 -> v1beta2 loses nothing.
void ExpectRoundTrip(const char* kind, const char* rest) {
  const Json before = Object(kind, "v1beta2", rest);
  Json object = before;
  ASSERT_TRUE(FromStored(Older(kind), object).empty());
  EXPECT_EQ(object.StringAt({"apiVersion"}), "kueue.x-k8s.io/v1beta1");
  ASSERT_TRUE(ToStored(Older(kind), object).empty());
  if (const Json* status = object.Find("status"); status && status->size() == 0) {
    object.Erase("status");
  }
  EXPECT_EQ(WriteJson(object.Find("metadata") ? *object.Find("metadata") : Json()),
            WriteJson(*before.Find("metadata")));
  Json expected = before;
  ApplyDefaults(StoredKind(Older(kind)), expected);
  EXPECT_TRUE(object == expected) << WriteJson(object) << "\n" << WriteJson(expected);
}

TEST(Conversion, EveryKindIsServedInBothVersions) {
  for (const KindInfo* kind : AllKinds()) {
    if (kind->group != "kueue.x-k8s.io" || kind->stored != nullptr) continue;
    const KindInfo* older = FindKind(kind->group, "v1beta1", kind->kind);
    ASSERT_NE(older, nullptr) << kind->kind;
    EXPECT_EQ(&StoredKind(*older), kind);
    EXPECT_EQ(&StoredKind(*kind), kind);
  }
}

TEST(Conversion, TheCohortIsRenamed) {
  EXPECT_EQ(Stored("ClusterQueue", R"("spec":{"cohort":"c"})").StringAt({"spec", "cohortName"}),
            "c");
  EXPECT_EQ(Shown("ClusterQueue", R"("spec":{"cohortName":"c"})").StringAt({"spec", "cohort"}),
            "c");
}

TEST(Conversion, NamesOfChecksBecomeAStrategy) {
  const Json queue = Stored(
      "ClusterQueue",
      R"("spec":{"admissionChecks":["a"],"admissionChecksStrategy":{"admissionChecks":[]}})");
  EXPECT_EQ(WriteJson(*queue.FindPath({"spec", "admissionChecksStrategy"})),
            R"({"admissionChecks":[{"name":"a"}]})");
}

TEST(Conversion, FungibilityHasNewWords) {
  const Json queue = Stored(
      "ClusterQueue",
      R"("spec":{"flavorFungibility":{"whenCanBorrow":"Borrow","whenCanPreempt":"Preempt"}})");
  EXPECT_EQ(queue.StringAt({"spec", "flavorFungibility", "whenCanBorrow"}), "MayStopSearch");
  EXPECT_EQ(queue.StringAt({"spec", "flavorFungibility", "whenCanPreempt"}), "MayStopSearch");
}

// An older client that reads and writes must not lose what it cannot express.
TEST(Conversion, AQueueKeepsItsPolicyForConcurrentAdmission) {
  ExpectRoundTrip("ClusterQueue",
                  R"("spec":{"concurrentAdmissionPolicy":{"migration":{"mode":
                     "RetainFirstAdmission"}},"cohortName":"c"})");
}

TEST(Conversion, AWorkloadKeepsGatesAndSliceConstraints) {
  ExpectRoundTrip("Workload",
                  R"("spec":{"podSets":[{"name":"main","count":4,"template":{"spec":{
                     "containers":[{"name":"c"}]}},"topologyRequest":{"required":"r",
                     "podsetSliceRequiredTopologyConstraints":[{"topology":"r","size":2}]}}],
                     "preemptionGates":[{"name":"g"}],
                     "priorityClassRef":{"group":"kueue.x-k8s.io","kind":"WorkloadPriorityClass",
                     "name":"p"},"priority":3})");
}

TEST(Conversion, PodSetsOfOneNameKeepTheirOwn) {
  ExpectRoundTrip("Workload", R"("spec":{"podSets":[{"name":"main","count":1,"template":{},
    "topologyRequest":{"podsetSliceRequiredTopologyConstraints":[{"topology":"r","size":2}]}},
    {"name":"main","count":1,"template":{},"topologyRequest":{"podSetSliceSize":2}}]})");
}

TEST(Conversion, AMultiKueueConfigKeepsItsQuotaManagement) {
  ExpectRoundTrip("MultiKueueConfig", R"("spec":{"clusters":["a"],"quotaManagement":"Automated"})");
}

TEST(Conversion, WhatIsKeptIsDroppedWithItsAnnotation) {
  Json object = Shown("Workload", R"("spec":{"preemptionGates":[{"name":"g"}]})");
  object["metadata"].Erase("annotations");
  ASSERT_TRUE(ToStored(Older("Workload"), object).empty());
  EXPECT_EQ(object.FindPath({"spec", "preemptionGates"}), nullptr);
}

TEST(Conversion, AnAnnotationThatBreaksTheSchemaIsRefused) {
  Json object = Object("Workload", "v1beta1", R"("spec":{"podSets":[]})");
  object["metadata"]["annotations"].Set("kueue-cpp.dev/v1beta2-fields",
                                        R"({"spec.preemptionGates":[{"name":""}]})");
  const auto errors = ToStored(Older("Workload"), object);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].field, "metadata.annotations[kueue-cpp.dev/v1beta2-fields]");
  EXPECT_NE(errors[0].message.find("spec.preemptionGates[0].name"), std::string::npos);
}

TEST(Conversion, AClassHasASourceOrARef) {
  const Json stored = Stored("Workload", R"("spec":{"priorityClassName":"p","priority":1,
      "priorityClassSource":"scheduling.k8s.io/priorityclass"})");
  EXPECT_EQ(stored.StringAt({"spec", "priorityClassRef", "kind"}), "PriorityClass");
  const Json shown = Shown("Workload", R"("spec":{"priority":1,"priorityClassRef":{
      "group":"scheduling.k8s.io","kind":"PriorityClass","name":"p"}})");
  EXPECT_EQ(shown.StringAt({"spec", "priorityClassSource"}), "scheduling.k8s.io/priorityclass");
  EXPECT_EQ(shown.StringAt({"spec", "priorityClassName"}), "p");
}

std::vector<FieldError> ConvertDomains(const char* domains) {
  Json object = Object("Workload", "v1beta1",
                       (std::string(R"("status":{"admission":{"clusterQueue":"q",
      "podSetAssignments":[{"name":"main","topologyAssignment":{"levels":["rack","host"],
      "domains":)") + domains +
                        "}}]}}")
                           .c_str());
  return ToStored(Older("Workload"), object);
}

// A domain with fewer values could not be read again, of one with more something would be lost.
TEST(Conversion, ADomainHasOneValueForEachLevel) {
  EXPECT_TRUE(ConvertDomains(R"([{"values":["r","h"],"count":1}])").empty());
  for (const char* bad :
       {R"([{"values":["r"],"count":1}])", R"([{"values":["r","h","x"],"count":1}])"}) {
    const auto errors = ConvertDomains(bad);
    ASSERT_EQ(errors.size(), 1u) << bad;
    EXPECT_EQ(errors[0].field,
              "status.admission.podSetAssignments[0].topologyAssignment.domains[0].values");
  }
}

TEST(Conversion, AClusterHasOneSource) {
  EXPECT_EQ(WriteJson(*Stored("MultiKueueCluster",
                              R"("spec":{"kubeConfig":{"location":"s","locationType":"Path"}})")
                           .FindPath({"spec", "clusterSource"})),
            R"({"kubeConfig":{"location":"s","locationType":"Path"}})");
  EXPECT_EQ(WriteJson(*Shown("MultiKueueCluster",
                             R"("spec":{"clusterSource":{"clusterProfileRef":{"name":"p"}}})")
                           .FindPath({"spec", "kubeConfig"})),
            R"({"location":"","locationType":""})");
}

TEST(Conversion, WhatCannotBeReadIsNamed) {
  Json object = Object("LocalQueue", "v1beta1", R"("spec":{"fairSharing":{"weight":"1e1.5"}})");
  const auto errors = ToStored(Older("LocalQueue"), object);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].field, "spec.fairSharing.weight");
}

}  // namespace
}  // namespace kueue::api
