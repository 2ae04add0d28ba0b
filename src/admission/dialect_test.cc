#include "admission/dialect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/types/dialect.h"
#include "base/check.h"

namespace kueue::admission {
namespace {

using api::Json;
using testing::HasSubstr;

api::Json Parse(const std::string& text) {
  auto documents = api::ParseYaml(text);
  KUEUE_CHECK(documents.ok());
  return (*documents)[0];
}

const api::KindInfo& KindNamed(const std::string& kind, const std::string& version) {
  const api::KindInfo* found = api::FindKind("kueue.x-k8s.io", version, kind);
  KUEUE_CHECK(found != nullptr);
  return *found;
}

Json Read(const std::string& text, const Json* before = nullptr) {
  Json object = Parse(text);
  const auto errors =
      ReadSimpleDialect(KindNamed(object.StringAt({"kind"}), "v1beta1"), before, object);
  EXPECT_TRUE(errors.empty()) << api::JoinFieldErrors(errors);
  return object;
}

std::string Refusal(const std::string& text, const Json* before = nullptr) {
  Json object = Parse(text);
  return api::JoinFieldErrors(
      ReadSimpleDialect(KindNamed(object.StringAt({"kind"}), "v1beta1"), before, object));
}

std::string Stamp(const Json& object) {
  return object.StringAt({"metadata", "annotations", api::names::kDialect});
}

constexpr char kWork[] =
    "{kind: Workload, metadata: {name: w}, spec: {podSets: [{name: main, spec: {containers: "
    "[]}}]}}";
constexpr char kQueue[] = "{kind: ClusterQueue, metadata: {name: q}, spec: {}}";

TEST(SimpleDialect, TakesAPodSpecForATemplate) {
  const Json object = Read(kWork);
  const Json& set = object.FindPath({"spec", "podSets"})->AsArray()[0];
  EXPECT_EQ(set.Find("spec"), nullptr);
  EXPECT_NE(set.FindPath({"template", "spec", "containers"}), nullptr);
  EXPECT_EQ(set.Find("count")->AsInt(), 1);
  EXPECT_EQ(Stamp(object), "simple");
}

TEST(SimpleDialect, RefusesSpecBesideTemplate) {
  EXPECT_THAT(Refusal("{kind: Workload, metadata: {name: w}, spec: {podSets: [{name: main, spec: "
                      "{}, template: {spec: {}}}]}}"),
              HasSubstr("spec.podSets[0].spec"));
}

TEST(SimpleDialect, LeavesTheCurrentVersionAlone) {
  Json object = Parse(kWork);
  const Json before = object;
  EXPECT_TRUE(ReadSimpleDialect(KindNamed("Workload", "v1beta2"), nullptr, object).empty());
  EXPECT_EQ(object, before);
}

TEST(SimpleDialect, ServesEveryNamespaceUnlessOneSaysOtherwise) {
  EXPECT_NE(Read(kQueue).FindPath({"spec", "namespaceSelector"}), nullptr);
  const Json selected = Read(
      "{kind: ClusterQueue, metadata: {name: q}, spec: {namespaceSelector: {matchLabels: {a: "
      "b}}}}");
  EXPECT_EQ(selected.StringAt({"spec", "namespaceSelector", "matchLabels", "a"}), "b");
}

TEST(SimpleDialect, LeavesQueuesOfTheCurrentVersionAloneOnUpdate) {
  const Json before = Parse(kQueue);
  const Json after = Read(kQueue, &before);
  EXPECT_EQ(after, before);
}

TEST(SimpleDialect, FifoIsStrictFifo) {
  const Json object =
      Read("{kind: ClusterQueue, metadata: {name: q}, spec: {scheduling: {strategy: FIFO}}}");
  EXPECT_EQ(object.StringAt({"spec", "queueingStrategy"}), "StrictFIFO");
  EXPECT_EQ(object.FindPath({"spec", "scheduling"}), nullptr);
  EXPECT_EQ(object.StringAt({"metadata", "annotations", api::names::kStrategy}), "FIFO");
}

TEST(SimpleDialect, FairSharingGoesByPastUse) {
  const Json object = Read(
      "{kind: ClusterQueue, metadata: {name: q}, spec: {scheduling: {strategy: FairSharing}}}");
  EXPECT_EQ(object.StringAt({"spec", "admissionScope", "admissionMode"}),
            "UsageBasedAdmissionFairSharing");
}

TEST(SimpleDialect, RefusesContradictions) {
  EXPECT_THAT(Refusal("{kind: ClusterQueue, metadata: {name: q}, spec: {queueingStrategy: "
                      "BestEffortFIFO, scheduling: {strategy: FIFO}}}"),
              HasSubstr("spec.queueingStrategy"));
  EXPECT_THAT(Refusal("{kind: ClusterQueue, metadata: {name: q}, spec: {queueingStrategy: "
                      "StrictFIFO, scheduling: {strategy: FairSharing}}}"),
              HasSubstr("spec.queueingStrategy"));
  EXPECT_THAT(
      Refusal("{kind: ClusterQueue, metadata: {name: q}, spec: {scheduling: {strategy: LIFO}}}"),
      HasSubstr("FIFO or FairSharing"));
}

TEST(SimpleDialect, AChangeOfStrategyReplacesWhatWasThere) {
  const Json fair = Read(
      "{kind: ClusterQueue, metadata: {name: q}, spec: {scheduling: {strategy: FairSharing}}}");
  Json asked = fair;
  asked["spec"]["scheduling"].Set("strategy", "FIFO");
  const auto errors = ReadSimpleDialect(KindNamed("ClusterQueue", "v1beta1"), &fair, asked);
  EXPECT_TRUE(errors.empty()) << api::JoinFieldErrors(errors);
  EXPECT_EQ(asked.StringAt({"spec", "queueingStrategy"}), "StrictFIFO");
  EXPECT_EQ(asked.FindPath({"spec", "admissionScope"}), nullptr);
}

TEST(SimpleDialect, KeepsMetricsInAnAnnotation) {
  const Json object = Read(
      "{kind: ClusterQueue, metadata: {name: q}, spec: {metrics: [{name: workload_scheduled, type: "
      "counter}]}}");
  EXPECT_EQ(object.StringAt({"metadata", "annotations", api::names::kQueueMetrics}),
            R"([{"name":"workload_scheduled","type":"counter"}])");
  EXPECT_EQ(object.FindPath({"spec", "metrics"}), nullptr);
}

TEST(SimpleDialect, ListsTheMetricsThereAre) {
  for (const char* metric : {"{name: nonsense, type: counter}", "{name: resource_utilization}"}) {
    EXPECT_THAT(Refusal(std::string("{kind: ClusterQueue, metadata: {name: q}, spec: {metrics: [") +
                        metric + "]}}"),
                HasSubstr("workload_scheduled (counter), resource_utilization (gauge)"));
  }
}

TEST(SimpleDialect, LeavesMalformedBodiesToTheirOwnChecks) {
  for (const char* text :
       {"{kind: Workload}", "{kind: Workload, spec: [], metadata: {}}",
        "{kind: Workload, spec: {podSets: {}}}", "{kind: Workload, spec: {podSets: [1]}}",
        "{kind: ClusterQueue, metadata: [], spec: {}}",
        "{kind: ClusterQueue, metadata: {annotations: 5}, spec: {scheduling: FIFO}}"}) {
    EXPECT_EQ(Refusal(text), "") << text;
  }
}

}  // namespace
}  // namespace kueue::admission
