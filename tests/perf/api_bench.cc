// What it costs to read and write objects: text, structs, and the checks of a queue.
#include <benchmark/benchmark.h>

#include "api/codec/json_text.h"
#include "api/schema/conversion.h"
#include "api/schema/descriptors.h"
#include "api/schema/kind.h"
#include "base/check.h"

namespace kueue::api {
namespace {

// About 2 KiB: a workload of one pod set, admitted, with its conditions.
Json WorkloadObject() {
  return ParseJson(R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{
    "name":"job-sample-1-3f2a1","namespace":"team-a","uid":"0b7a4c1e-7a3b-4f0a-9d55-3c1f2f6e1a2b",
    "resourceVersion":"123456","generation":3,"creationTimestamp":"2024-01-02T03:04:05Z",
    "labels":{"kueue.x-k8s.io/job-uid":"2d7a4c1e-7a3b-4f0a-9d55-3c1f2f6e1a2b","team":"a"},
    "finalizers":["kueue.x-k8s.io/resource-in-use"],"ownerReferences":[{"apiVersion":"batch/v1",
      "kind":"Job","name":"sample-1","uid":"2d7a4c1e-7a3b-4f0a-9d55-3c1f2f6e1a2b",
      "controller":true,"blockOwnerDeletion":true}]},
    "spec":{"queueName":"main","priority":100,"active":true,
      "priorityClassRef":{"group":"kueue.x-k8s.io","kind":"WorkloadPriorityClass","name":"high"},
      "podSets":[{"name":"main","count":3,"minCount":1,"template":{"metadata":{
        "labels":{"app":"sample"}},"spec":{"restartPolicy":"Never","containers":[{"name":"c",
        "image":"registry.example.com/team-a/trainer:1.2.3","args":["--steps","1000"],
        "env":[{"name":"MODE","value":"train"}],
        "resources":{"requests":{"cpu":"1","memory":"200Mi"},"limits":{"memory":"400Mi"}}}],
        "nodeSelector":{"zone":"eu-1"},
        "tolerations":[{"key":"spot","operator":"Exists","effect":"NoSchedule"}]}}}]},
    "status":{"conditions":[
        {"type":"QuotaReserved","status":"True","reason":"QuotaReserved",
         "message":"Quota reserved in ClusterQueue team-a","observedGeneration":3,
         "lastTransitionTime":"2024-01-02T03:04:05Z"},
        {"type":"Admitted","status":"True","reason":"Admitted","observedGeneration":3,
         "message":"The workload is admitted","lastTransitionTime":"2024-01-02T03:04:05Z"},
        {"type":"PodsReady","status":"True","reason":"Started","observedGeneration":3,
         "message":"All pods reached readiness and the workload is running",
         "lastTransitionTime":"2024-01-02T03:05:05Z"}],
      "admission":{"clusterQueue":"team-a","podSetAssignments":[{"name":"main","count":3,
        "flavors":{"cpu":"spot","memory":"spot"},
        "resourceUsage":{"cpu":"3","memory":"600Mi"}}]}}})")
      .value();
}

// About 20 KiB: a pod of many containers.
Json PodObject() {
  Json pod = ParseJson(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"trainer-0",
    "namespace":"team-a","labels":{"app":"trainer"}},"spec":{"restartPolicy":"Never",
    "schedulerName":"default-scheduler","nodeSelector":{"zone":"eu-1"}}})")
                 .value();
  const Json container = ParseJson(R"({"image":"registry.example.com/team-a/trainer:1.2.3",
    "command":["/bin/trainer"],"args":["--steps","1000","--data","/data"],"imagePullPolicy":
    "IfNotPresent","terminationMessagePath":"/dev/termination-log",
    "env":[{"name":"MODE","value":"train"},{"name":"RANK","valueFrom":{"fieldRef":{"fieldPath":
      "metadata.labels['rank']","apiVersion":"v1"}}},{"name":"LOG","value":"info"}],
    "ports":[{"name":"http","containerPort":8080,"protocol":"TCP"}],
    "volumeMounts":[{"name":"data","mountPath":"/data"},{"name":"cache","mountPath":"/cache"}],
    "resources":{"requests":{"cpu":"1500m","memory":"200Mi"},"limits":{"cpu":"2",
      "memory":"400Mi"}},
    "livenessProbe":{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"},
      "periodSeconds":10,"timeoutSeconds":1,"successThreshold":1,"failureThreshold":3}})")
                             .value();
  for (int i = 0; WriteJson(pod).size() < 20 * 1024; ++i) {
    Json next = container;
    next.Set("name", "c" + std::to_string(i));
    pod["spec"]["containers"].Append(std::move(next));
  }
  return pod;
}

Json ClusterQueueObject() {
  Json object = ParseJson(R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue",
    "metadata":{"name":"team-a"},"spec":{"cohortName":"all","namespaceSelector":{},
      "resourceGroups":[{"coveredResources":["cpu","memory"],"flavors":[
        {"name":"on-demand","resources":[{"name":"cpu","nominalQuota":"40"},
          {"name":"memory","nominalQuota":"160Gi","borrowingLimit":"10Gi"}]},
        {"name":"spot","resources":[{"name":"cpu","nominalQuota":"100"},
          {"name":"memory","nominalQuota":"400Gi"}]}]}]}})")
                    .value();
  ApplyDefaults(KindOf<ClusterQueue>(), object);
  return object;
}

void Sized(benchmark::State& state, const Json& object) {
  const size_t bytes = WriteJson(object).size();
  state.counters["bytes"] = static_cast<double>(bytes);
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * static_cast<int64_t>(state.iterations()));
}

void Parse(benchmark::State& state, const Json& object) {
  const std::string text = WriteJson(object);
  for (auto _ : state) benchmark::DoNotOptimize(ParseJson(text));
  Sized(state, object);
}
template <class T>
void DecodeOne(benchmark::State& state, const Json& object) {
  KUEUE_CHECK(Decode<T>(object).ok());
  for (auto _ : state) benchmark::DoNotOptimize(Decode<T>(object));
  Sized(state, object);
}
template <class T>
void EncodeOne(benchmark::State& state, const Json& object) {
  const T value = Decode<T>(object).value();
  for (auto _ : state) benchmark::DoNotOptimize(Encode(value));
  Sized(state, object);
}

void BM_ParseWorkload(benchmark::State& s) { Parse(s, WorkloadObject()); }
void BM_DecodeWorkload(benchmark::State& s) { DecodeOne<Workload>(s, WorkloadObject()); }
void BM_EncodeWorkload(benchmark::State& s) { EncodeOne<Workload>(s, WorkloadObject()); }
void BM_ParsePod(benchmark::State& s) { Parse(s, PodObject()); }
void BM_DecodePod(benchmark::State& s) { DecodeOne<Pod>(s, PodObject()); }
void BM_EncodePod(benchmark::State& s) { EncodeOne<Pod>(s, PodObject()); }
BENCHMARK(BM_ParseWorkload);
BENCHMARK(BM_DecodeWorkload);
BENCHMARK(BM_EncodeWorkload);
BENCHMARK(BM_ParsePod);
BENCHMARK(BM_DecodePod);
BENCHMARK(BM_EncodePod);

void BM_WriteWorkload(benchmark::State& state) {
  const Json object = WorkloadObject();
  for (auto _ : state) benchmark::DoNotOptimize(WriteJson(object));
  Sized(state, object);
}
BENCHMARK(BM_WriteWorkload);

void BM_YamlWorkload(benchmark::State& state) {
  const std::string text = WriteYaml(WorkloadObject());
  for (auto _ : state) benchmark::DoNotOptimize(ParseYaml(text));
  Sized(state, WorkloadObject());
}
BENCHMARK(BM_YamlWorkload);

void BM_ValidateClusterQueue(benchmark::State& state) {
  const Json object = ClusterQueueObject();
  KUEUE_CHECK(ValidateCreate(KindOf<ClusterQueue>(), object).empty());
  for (auto _ : state) {
    benchmark::DoNotOptimize(ValidateCreate(KindOf<ClusterQueue>(), object));
  }
}
BENCHMARK(BM_ValidateClusterQueue);

void BM_WorkloadToTheOlderVersionAndBack(benchmark::State& state) {
  const KindInfo& older = *FindKind("kueue.x-k8s.io", "v1beta1", "Workload");
  const Json object = WorkloadObject();
  for (auto _ : state) {
    Json copy = object;
    KUEUE_CHECK(FromStored(older, copy).empty() && ToStored(older, copy).empty());
    benchmark::DoNotOptimize(copy);
  }
}
BENCHMARK(BM_WorkloadToTheOlderVersionAndBack);

}  // namespace
}  // namespace kueue::api

BENCHMARK_MAIN();
