#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/codec/patch.h"
#include "api/schema/kind.h"
#include "api/types/kueue.h"

// The rules marked C in spec/api.md §2-§10.
namespace kueue::api {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

Json Parse(std::string_view text) { return ParseJson(text).value(); }

std::vector<std::string> Told(const std::vector<FieldError>& errors) {
  std::vector<std::string> lines;
  for (const FieldError& error : errors) lines.push_back(error.field);
  return lines;
}

template <class T>
Json Object(std::string_view spec) {
  const KindInfo& kind = KindOf<T>();
  Json object = Parse(R"({"metadata":{"name":"a"},"spec":)" + std::string(spec) + "}");
  if (kind.namespaced) object["metadata"].Set("namespace", "n");
  ApplyDefaults(kind, object);
  return object;
}

template <class T>
std::vector<std::string> Create(std::string_view spec) {
  return Told(ValidateCreate(KindOf<T>(), Object<T>(spec)));
}

template <class T>
std::vector<std::string> Change(const Json& before, std::string_view patch) {
  const Json after = ApplyMergePatch(before, Parse(patch));
  return Told(ValidateUpdate(KindOf<T>(), before, after));
}

TEST(ResourceFlavorRules, TopologyNeedsLabelsAndStays) {
  EXPECT_THAT(Create<ResourceFlavor>(R"({"topologyName":"t"})"), UnorderedElementsAre("spec"));
  const Json flavor = Object<ResourceFlavor>(R"({"topologyName":"t","nodeLabels":{"a":"b"}})");
  EXPECT_THAT(Told(ValidateCreate(KindOf<ResourceFlavor>(), flavor)), IsEmpty());
  EXPECT_THAT(Change<ResourceFlavor>(flavor, R"({"spec":{"topologyName":"u"}})"),
              UnorderedElementsAre("spec"));
  EXPECT_THAT(Change<ResourceFlavor>(flavor, R"({"spec":{"nodeLabels":{"c":"d"}}})"), IsEmpty());
}

TEST(ResourceFlavorRules, TaintsAndTolerations) {
  EXPECT_THAT(Create<ResourceFlavor>(R"({"nodeTaints":[{"key":"k","effect":"X"}]})"),
              UnorderedElementsAre("spec.nodeTaints"));
  for (const char* bad :
       {R"({"operator":"Equal"})", R"({"key":"k","tolerationSeconds":1})",
        R"({"key":"k","operator":"In"})", R"({"operator":"Exists","value":"v"})",
        R"({"key":"k","effect":"Sometimes"})"}) {
    EXPECT_THAT(Create<ResourceFlavor>(R"({"tolerations":[)" + std::string(bad) + "]}"),
                UnorderedElementsAre("spec.tolerations"))
        << bad;
  }
  EXPECT_THAT(Create<ResourceFlavor>(R"({"tolerations":[{"key":""},{"operator":"Exists"}]})"),
              IsEmpty());
}

TEST(TopologyRules, LevelsDifferAndTheHostIsLast) {
  EXPECT_THAT(Create<Topology>(R"({"levels":[{"nodeLabel":"r"},{"nodeLabel":"r"}]})"),
              UnorderedElementsAre("spec.levels"));
  EXPECT_THAT(Create<Topology>(
                  R"({"levels":[{"nodeLabel":"kubernetes.io/hostname"},{"nodeLabel":"r"}]})"),
              UnorderedElementsAre("spec.levels"));
}

// Levels above the host may be regrouped; without the host at the end nothing may change.
TEST(TopologyRules, Changes) {
  const Json racks = Object<Topology>(R"({"levels":[{"nodeLabel":"rack"}]})");
  EXPECT_THAT(Change<Topology>(racks, R"({"spec":{"levels":[{"nodeLabel":"row"}]}})"),
              UnorderedElementsAre("spec.levels"));
  const Json hosts = Object<Topology>(R"({"levels":[{"nodeLabel":"kubernetes.io/hostname"}]})");
  EXPECT_THAT(Change<Topology>(hosts, R"({"spec":{"levels":[{"nodeLabel":"row"},
    {"nodeLabel":"kubernetes.io/hostname"}]}})"),
              IsEmpty());
}

TEST(ClusterQueueRules, LimitsPreferencePreemptionGroups) {
  EXPECT_THAT(Create<ClusterQueue>(R"({"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
    {"name":"f","resources":[{"name":"cpu","nominalQuota":1,"borrowingLimit":1}]}]}]})"),
              UnorderedElementsAre("spec"));
  EXPECT_THAT(Create<ClusterQueue>(
                  R"({"flavorFungibility":{"preference":"PreemptionOverBorrowing"}})"),
              UnorderedElementsAre("spec.flavorFungibility"));
  EXPECT_THAT(Create<ClusterQueue>(
                  R"({"preemption":{"borrowWithinCohort":{"policy":"LowerPriority"}}})"),
              UnorderedElementsAre("spec.preemption"));
  EXPECT_THAT(Create<ClusterQueue>(R"({"resourceGroups":[{"coveredResources":["cpu","memory"],
    "flavors":[{"name":"f","resources":[{"name":"cpu","nominalQuota":1}]}]}]})"),
              UnorderedElementsAre("spec.resourceGroups[0]"));
}

TEST(QueueRules, WhatStays) {
  const Json queue = Object<LocalQueue>(R"({"clusterQueue":"a"})");
  EXPECT_THAT(Change<LocalQueue>(queue, R"({"spec":{"clusterQueue":"b"}})"),
              UnorderedElementsAre("spec.clusterQueue"));
  EXPECT_THAT(Change<LocalQueue>(queue, R"({"spec":{"clusterQueue":null}})"), IsEmpty());
  const Json check = Object<AdmissionCheck>(R"({"controllerName":"a"})");
  EXPECT_THAT(Change<AdmissionCheck>(check, R"({"spec":{"controllerName":"b"}})"),
              UnorderedElementsAre("spec.controllerName"));
}

TEST(WorkloadRules, SpecAlone) {
  EXPECT_THAT(Create<Workload>(R"({"priorityClassRef":{"group":"kueue.x-k8s.io",
    "kind":"PriorityClass","name":"p"}})"),
              UnorderedElementsAre("spec", "spec.priorityClassRef"));
  EXPECT_THAT(Create<Workload>(R"({"podSets":[{"count":2,"minCount":3,"template":{}}]})"),
              UnorderedElementsAre("spec.podSets[0]"));
}

constexpr char kReserved[] = R"({"status":{
  "admission":{"clusterQueue":"cq","podSetAssignments":[{"name":"main"}]},
  "conditions":[{"type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"",
    "lastTransitionTime":"2026-01-01T00:00:00Z"},
    {"type":"Admitted","status":"True","reason":"Admitted","message":"",
    "lastTransitionTime":"2026-01-01T00:00:00Z"}]}})";

TEST(WorkloadRules, AReservationCoversEveryPodSet) {
  const Json workload = Object<Workload>(R"({"podSets":[{"template":{}}]})");
  EXPECT_THAT(Change<Workload>(workload, kReserved), IsEmpty());
  const Json two = Object<Workload>(R"({"podSets":[{"template":{}},
    {"name":"b","template":{}}]})");
  EXPECT_THAT(Change<Workload>(two, kReserved), UnorderedElementsAre("<nil>"));
}

TEST(WorkloadRules, WhatStaysWhileQuotaIsReserved) {
  const Json before = ApplyMergePatch(
      Object<Workload>(R"({"queueName":"q","podSets":[{"template":{}}]})"), Parse(kReserved));
  for (const char* spec :
       {R"({"queueName":"z"})", R"({"maximumExecutionTimeSeconds":5})",
        R"({"priority":1,"priorityClassRef":{"group":"scheduling.k8s.io","kind":"PriorityClass",
            "name":"p"}})"}) {
    EXPECT_THAT(Change<Workload>(before, R"({"spec":)" + std::string(spec) + "}"),
                UnorderedElementsAre("<nil>"))
        << spec;
  }
  EXPECT_THAT(Change<Workload>(before, R"({"spec":{"priority":4}})"), IsEmpty());
}

TEST(WorkloadRules, ClusterNames) {
  const Json before = ApplyMergePatch(Object<Workload>("{}"),
                                      Parse(R"({"status":{"clusterName":"one"}})"));
  EXPECT_THAT(Change<Workload>(before, R"({"status":{"clusterName":"two"}})"),
              UnorderedElementsAre("status"));
  EXPECT_THAT(Change<Workload>(before, R"({"status":{"clusterName":null}})"), IsEmpty());
  EXPECT_THAT(Change<Workload>(before, R"({"status":{"nominatedClusterNames":["x"]}})"),
              UnorderedElementsAre("status"));
}

TEST(WorkloadRules, TopologyAssignments) {
  const auto assigned = [](std::string_view slice) {
    return Change<Workload>(
        Object<Workload>(R"({"podSets":[{"template":{}}]})"),
        R"({"status":{"admission":{"clusterQueue":"cq","podSetAssignments":[{"name":"main",
          "topologyAssignment":{"levels":["l"],"slices":[)" + std::string(slice) + "]}}]}}}");
  };
  const std::string at = "status.admission.podSetAssignments[0].topologyAssignment";
  EXPECT_THAT(assigned(R"({"domainCount":2,"valuesPerLevel":[{"individual":{"roots":["a","b"]}}],
    "podCounts":{"universal":1}})"),
              IsEmpty());
  EXPECT_THAT(assigned(R"({"domainCount":2,"valuesPerLevel":[{"individual":{"roots":["a"]}}],
    "podCounts":{"individual":[1]}})"),
              UnorderedElementsAre(at + ".slices[0]", at + ".slices[0]"));
  EXPECT_THAT(assigned(R"({"domainCount":1,"valuesPerLevel":[{},{"universal":"x"}],
    "podCounts":{}})"),
              UnorderedElementsAre(at, at + ".slices[0].valuesPerLevel[0]",
                                   at + ".slices[0].podCounts"));
}

TEST(WorkloadRules, TolerationsOfPodSetUpdates) {
  EXPECT_THAT(Change<Workload>(Object<Workload>("{}"), R"({"status":{"admissionChecks":[{
    "name":"c","state":"Ready","message":"","lastTransitionTime":"2026-01-01T00:00:00Z",
    "podSetUpdates":[{"name":"main","tolerations":[{"operator":"Equal"}]}]}]}})"),
              UnorderedElementsAre("status.admissionChecks[0].podSetUpdates[0].tolerations"));
}

}  // namespace
}  // namespace kueue::api
