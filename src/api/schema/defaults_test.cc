#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/schema/defaults_built_in.h"
#include "api/schema/kind.h"
#include "api/types/batch.h"
#include "api/types/kueue.h"

namespace kueue::api {
namespace {

Json Parse(std::string_view text) { return ParseJson(text).value(); }

Json Defaulted(const KindInfo& kind, std::string_view text) {
  Json object = Parse(text);
  ApplyDefaults(kind, object);
  return object;
}

Json Created(const KindInfo& kind, std::string_view text) {
  Json object = Defaulted(kind, text);
  PrepareForCreate(kind, object);
  return object;
}

std::string At(const Json& object, std::initializer_list<std::string_view> path) {
  const Json* value = object.FindPath(path);
  return value ? WriteJson(*value) : "absent";
}

// spec/api.md §5.1: defaults inside defaults.
TEST(TableDefaults, ReachIntoDefaultedObjects) {
  const Json queue = Defaulted(KindOf<ClusterQueue>(), R"({"spec":{"fairSharing":{}}})");
  EXPECT_EQ(*queue.Find("spec"), Parse(R"({
    "fairSharing":{"weight":1},"queueingStrategy":"BestEffortFIFO","stopPolicy":"None",
    "flavorFungibility":{"whenCanBorrow":"MayStopSearch","whenCanPreempt":"TryNextFlavor"},
    "preemption":{"borrowWithinCohort":{"policy":"Never"},"reclaimWithinCohort":"Never",
      "withinClusterQueue":"Never"}})"));
}

TEST(TableDefaults, NothingInsideAnAbsentParent) {
  EXPECT_EQ(Defaulted(KindOf<ClusterQueue>(), R"({"metadata":{"name":"a"}})"),
            Parse(R"({"metadata":{"name":"a"}})"));
}

TEST(TableDefaults, NullCountsAsAbsent) {
  const Json queue =
      Defaulted(KindOf<LocalQueue>(), R"({"spec":{"clusterQueue":null,"stopPolicy":null}})");
  EXPECT_EQ(*queue.Find("spec"), Parse(R"({"stopPolicy":"None"})"));
}

// A template inside a Workload is not a pod: only what the schema says is filled in.
TEST(TableDefaults, WorkloadTemplatesStayAsTheyAre) {
  const Json workload = Defaulted(KindOf<Workload>(), R"({"spec":{"podSets":[{"template":{"spec":{
    "containers":[{"name":"c","ports":[{"containerPort":1}]}]}}}]}})");
  EXPECT_EQ(*workload.Find("spec"), Parse(R"({"active":true,"podSets":[{"name":"main","count":1,
    "template":{"spec":{"containers":[{"name":"c","ports":[{"containerPort":1,
    "protocol":"TCP"}]}]}}}]})"));
}

// Quantities of custom resources stay as written; those of built-in kinds become canonical.
TEST(StoredForm, Quantities) {
  const Json pod = Defaulted(KindOf<Pod>(), R"({"spec":{"containers":[{"name":"c","resources":{
    "requests":{"cpu":"0.5","memory":"1.5Gi","x.io/a":1}}}]}})");
  const Json& container = pod.FindPath({"spec", "containers"})->AsArray()[0];
  EXPECT_EQ(*container.FindPath({"resources", "requests"}),
            Parse(R"({"cpu":"500m","memory":"1536Mi","x.io/a":"1"})"));
}

TEST(StoredForm, BuiltInKindsDropNullAndZeroMembers) {
  const Json pod = Defaulted(KindOf<Pod>(), R"({"metadata":{"name":"a","generateName":"",
    "labels":null},"spec":{"nodeName":"","containers":[]}})");
  EXPECT_EQ(At(pod, {"metadata"}), R"({"name":"a"})");
  EXPECT_EQ(At(pod, {"spec", "nodeName"}), "absent");
}

TEST(PodDefaults, PodAndContainer) {
  const Json pod = Created(KindOf<Pod>(), R"({"metadata":{"name":"a","uid":"u"},
    "spec":{"containers":[{"name":"c","image":"example.com/app:1"}]}})");
  EXPECT_EQ(*pod.Find("spec"), Parse(R"({"containers":[{"name":"c","image":"example.com/app:1",
    "resources":{},"terminationMessagePath":"/dev/termination-log",
    "terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}],
    "restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",
    "securityContext":{},"schedulerName":"default-scheduler",
    "priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"})"));
  EXPECT_EQ(*pod.Find("status"), Parse(R"({"phase":"Pending","qosClass":"BestEffort"})"));
}

TEST(PodDefaults, PullPolicyFollowsTheTag) {
  const auto policy = [](std::string_view image) {
    Json pod = Parse(R"({"spec":{"containers":[{"name":"c"}]}})");
    pod["spec"]["containers"].AsArray()[0].Set("image", image);
    ApplyDefaults(KindOf<Pod>(), pod);
    return pod["spec"]["containers"].AsArray()[0].StringAt({"imagePullPolicy"});
  };
  EXPECT_EQ(policy("app"), "Always");
  EXPECT_EQ(policy("host:5000/app"), "Always");
  EXPECT_EQ(policy("app:latest"), "Always");
  EXPECT_EQ(policy("app:1"), "IfNotPresent");
  EXPECT_EQ(policy("app@sha256:00"), "IfNotPresent");
}

TEST(PodDefaults, LimitsAreRequestsAndDecideTheQosClass) {
  const Json pod = Created(KindOf<Pod>(), R"({"metadata":{"uid":"u"},"spec":{"containers":[
    {"name":"c","image":"i","resources":{"limits":{"cpu":"1","memory":"1Gi"}}}]}})");
  const Json& container = pod.FindPath({"spec", "containers"})->AsArray()[0];
  EXPECT_EQ(At(container, {"resources", "requests", "cpu"}), R"("1")");
  EXPECT_EQ(pod.StringAt({"status", "qosClass"}), "Guaranteed");
  EXPECT_EQ(QosClassOf(Parse(R"({"containers":[{"resources":{"requests":{"cpu":"1"}}}]})")),
            "Burstable");
}

TEST(PodDefaults, AGatedPodSaysSoFromTheBeginning) {
  const Json pod = Created(KindOf<Pod>(), R"({"metadata":{"uid":"u",
    "creationTimestamp":"2026-01-01T00:00:00Z"},
    "spec":{"schedulingGates":[{"name":"x.io/g"}],"containers":[]}})");
  const Json& condition = pod.FindPath({"status", "conditions"})->AsArray()[0];
  EXPECT_EQ(condition.StringAt({"reason"}), "SchedulingGated");
  EXPECT_EQ(condition.StringAt({"lastTransitionTime"}), "2026-01-01T00:00:00Z");
}

TEST(JobDefaults, CountsDependOnEachOther) {
  const auto counts = [](std::string_view spec) {
    const Json job = Defaulted(KindOf<Job>(), spec);
    return At(job, {"spec", "parallelism"}) + " " + At(job, {"spec", "completions"});
  };
  EXPECT_EQ(counts(R"({"spec":{}})"), "1 1");
  EXPECT_EQ(counts(R"({"spec":{"parallelism":3}})"), "3 absent");
  EXPECT_EQ(counts(R"({"spec":{"completions":4}})"), "1 4");
}

TEST(JobDefaults, SelectorAndLabelsAreGenerated) {
  const Json job = Created(KindOf<Job>(), R"({"metadata":{"name":"a","uid":"u-1"},
    "spec":{"template":{"spec":{"containers":[]}}},"status":{"active":7}})");
  const Json labels = Parse(R"({"batch.kubernetes.io/controller-uid":"u-1",
    "batch.kubernetes.io/job-name":"a","controller-uid":"u-1","job-name":"a"})");
  EXPECT_EQ(*job.FindPath({"metadata", "labels"}), labels);
  EXPECT_EQ(*job.FindPath({"spec", "template", "metadata", "labels"}), labels);
  EXPECT_EQ(*job.FindPath({"spec", "selector"}),
            Parse(R"({"matchLabels":{"batch.kubernetes.io/controller-uid":"u-1"}})"));
  EXPECT_EQ(At(job, {"status"}), "{}");
  EXPECT_EQ(At(job, {"spec", "backoffLimit"}), "6");
  EXPECT_EQ(job.StringAt({"spec", "podReplacementPolicy"}), "TerminatingOrFailed");
}

TEST(JobDefaults, AManualSelectorStays) {
  const Json job = Created(KindOf<Job>(), R"({"metadata":{"name":"a","uid":"u"},"spec":{
    "manualSelector":true,"selector":{"matchLabels":{"x":"y"}},
    "template":{"metadata":{"labels":{"x":"y"}}}}})");
  EXPECT_EQ(At(job, {"spec", "selector"}), R"({"matchLabels":{"x":"y"}})");
  EXPECT_EQ(At(job, {"metadata", "labels"}), R"({"x":"y"})");
}

TEST(NamespaceDefaults, LabelFinalizerAndPhase) {
  const Json object = Created(KindOf<Namespace>(), R"({"metadata":{"name":"n","uid":"u"}})");
  EXPECT_EQ(object.StringAt({"metadata", "labels", "kubernetes.io/metadata.name"}), "n");
  EXPECT_EQ(At(object, {"spec", "finalizers"}), R"(["kubernetes"])");
  EXPECT_EQ(object.StringAt({"status", "phase"}), "Active");
}

TEST(SecretDefaults, TextsBecomeData) {
  const Json secret =
      Defaulted(KindOf<Secret>(), R"({"stringData":{"a":"b","c":"hello","d":"ab"}})");
  EXPECT_EQ(*secret.Find("data"), Parse(R"({"a":"Yg==","c":"aGVsbG8=","d":"YWI="})"));
  EXPECT_EQ(secret.Find("stringData"), nullptr);
  EXPECT_EQ(secret.StringAt({"type"}), "Opaque");
}

// A custom resource with a status subresource starts without status.
TEST(PrepareForCreate, DropsTheStatusOfACustomResource) {
  const Json queue = Created(KindOf<LocalQueue>(), R"({"metadata":{"uid":"u"},
    "spec":{},"status":{"pendingWorkloads":3}})");
  EXPECT_EQ(queue.Find("status"), nullptr);
}

}  // namespace
}  // namespace kueue::api
