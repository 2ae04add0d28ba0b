#include "admission/workload_rules.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/schema/descriptors.h"

namespace kueue::admission {
namespace {

using Fields = std::vector<std::string>;

api::Workload Parse(const std::string& text) {
  auto json = api::ParseJson(text);
  EXPECT_TRUE(json.ok()) << text;
  auto workload = api::Decode<api::Workload>(json.ok() ? *json : api::Json());
  EXPECT_TRUE(workload.ok());
  return workload.ok() ? *workload : api::Workload();
}

Fields FieldsOf(const FieldErrors& errors) {
  Fields fields;
  for (const auto& error : errors) fields.push_back(error.field);
  return fields;
}
Fields Create(const std::string& text, const api::FeatureGates& gates = {}) {
  return FieldsOf(ValidateWorkload(gates, nullptr, Parse(text)));
}
Fields Update(const std::string& before, const std::string& after,
              const api::FeatureGates& gates = {}) {
  const api::Workload old = Parse(before);
  return FieldsOf(ValidateWorkload(gates, &old, Parse(after)));
}

// A workload with pod set "main" of 4 pods; `status` and `annotations` are the inside of objects.
std::string Workload(const std::string& status, const std::string& annotations = "",
                     const std::string& pod_set = "") {
  return R"({"metadata":{"name":"w","annotations":{)" + annotations +
         R"(}},"spec":{"podSets":[{"name":"main","count":4)" + pod_set +
         R"(,"template":{"spec":{"containers":[{"name":"c"}]}}}]},"status":{)" + status + "}}";
}
const std::string kReserved =
    R"("conditions":[{"type":"QuotaReserved","status":"True","reason":"R","message":""}])";
const std::string kAdmission =
    R"("admission":{"clusterQueue":"q","podSetAssignments":[{"name":"main","count":4,
       "resourceUsage":{"cpu":"4"}}]})";

TEST(WorkloadRules, AnOrdinaryWorkloadPasses) {
  EXPECT_EQ(Create(Workload("")), Fields());
  EXPECT_EQ(Create(Workload(kReserved + "," + kAdmission)), Fields());
}

TEST(WorkloadRules, ContainersMayNotAskForPodsNorForLessThanNothing) {
  EXPECT_EQ(Create(R"({"spec":{"podSets":[{"name":"a","count":1,"template":{"spec":{"containers":[
                {"name":"c","resources":{"requests":{"pods":"1","cpu":"-1"}}}]}}}]}})"),
            (Fields{"spec.podSets[0].template.spec.containers[0].resources.requests[cpu]",
                    "spec.podSets[0].template.spec.containers[0].resources.requests[pods]"}));
}

TEST(WorkloadRules, SliceSizeAndTopologyComeTogether) {
  EXPECT_EQ(Create(Workload("", "", R"(,"topologyRequest":{"podSetSliceSize":2})")),
            Fields{"spec.podSets[0].topologyRequest.podSetSliceSize"});
}

TEST(WorkloadRules, ReservedQuotaNeedsAnAdmission) {
  EXPECT_EQ(Create(Workload(kReserved)), Fields{"status.admission"});
  // One that got into this state before the rule may still be changed.
  EXPECT_EQ(Update(Workload(kReserved), Workload(kReserved)), Fields());
}

TEST(WorkloadRules, UsageIsAMultipleOfTheCount) {
  EXPECT_EQ(Create(Workload(kReserved +
                            R"(,"admission":{"clusterQueue":"q","podSetAssignments":[
                {"name":"main","count":3,"resourceUsage":{"cpu":"1","memory":"3"}}]})")),
            Fields{"status.admission.podSetAssignments[0].resourceUsage[cpu]"});
}

TEST(WorkloadRules, PodSetsStayWhileQuotaIsReserved) {
  const std::string before = Workload(kReserved + "," + kAdmission);
  EXPECT_EQ(Update(before, Workload(kReserved + "," + kAdmission, "", R"(,"minCount":2)")),
            Fields{"spec.podSets.0"});
}

TEST(WorkloadRules, AnAdmissionIsReplacedThroughNothing) {
  const std::string before = Workload(kReserved + "," + kAdmission);
  const std::string other = R"("admission":{"clusterQueue":"r","podSetAssignments":[
      {"name":"main","count":4,"resourceUsage":{"cpu":"4"}}]})";
  EXPECT_EQ(Update(before, Workload(kReserved + "," + other)), Fields{"status.admission"});
  EXPECT_EQ(Update(before, Workload("")), Fields());
}

TEST(WorkloadRules, ReclaimedPodsOnlyGrow) {
  const auto with = [](const std::string& list) {
    return Workload(kReserved + "," + kAdmission + R"(,"reclaimablePods":)" + list);
  };
  EXPECT_EQ(Update(with(R"([{"name":"main","count":2}])"), with(R"([{"name":"main","count":1}])")),
            Fields{"status.reclaimablePods[main].count"});
  EXPECT_EQ(Update(with(R"([{"name":"main","count":2}])"), with("[]")),
            Fields{"status.reclaimablePods[main]"});
  EXPECT_EQ(Create(with(R"([{"name":"main","count":5}])")),
            Fields{"status.reclaimablePods[main].count"});
}

TEST(WorkloadRules, AClusterMustHaveBeenNominated) {
  EXPECT_EQ(Update(Workload(R"("nominatedClusterNames":["a"])"), Workload(R"("clusterName":"b")")),
            Fields{"status.clusterName"});
  EXPECT_EQ(Update(Workload(R"("nominatedClusterNames":["a"])"), Workload(R"("clusterName":"a")")),
            Fields());
}

TEST(WorkloadRules, AdmissionGatesAreOnlyTakenAway) {
  const std::string key = R"("kueue.x-k8s.io/admission-gated-by":)";
  const std::string path = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]";
  EXPECT_EQ(Create(Workload("", key + R"("a.com/x, b.com/y")")), Fields());
  EXPECT_EQ(Create(Workload("", key + R"("a.com/x,,b")")), (Fields{path, path}));
  EXPECT_EQ(Update(Workload("", key + R"("a.com/x,b.com/y")"), Workload("", key + R"("b.com/y")")),
            Fields());
  EXPECT_EQ(Update(Workload("", key + R"("a.com/x")"), Workload("", key + R"("a.com/x,b.com/y")")),
            Fields{path});
}

TEST(WorkloadRules, ABoostIsANumberWhereTheGateIsOn) {
  const std::string boost = R"("kueue.x-k8s.io/priority-boost":"high")";
  EXPECT_EQ(Create(Workload("", boost)), Fields());
  api::FeatureGates gates;
  gates.Set(api::Feature::kPriorityBoost, true);
  EXPECT_EQ(Create(Workload("", boost), gates),
            Fields{"metadata.annotations[kueue.x-k8s.io/priority-boost]"});
  EXPECT_EQ(Create(Workload("", R"("kueue.x-k8s.io/priority-boost":"-5")"), gates), Fields());
}

}  // namespace
}  // namespace kueue::admission
