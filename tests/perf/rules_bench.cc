// What it costs to validate an object: the schema, and the rules in CEL of its definition.
#include <benchmark/benchmark.h>

#include "api/codec/json_text.h"
#include "api/rules/json_tree.h"
#include "api/rules/rule_check.h"
#include "api/rules/rule_types.h"
#include "api/schema/kind.h"
#include "api/types/kueue.h"
#include "base/check.h"
#include "cel/program.h"

namespace kueue::api {
namespace {

// Two groups of resources, four flavors.
Json ClusterQueueObject() {
  Json object = ParseJson(R"({
    "apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"team-a"},
    "spec":{"cohortName":"all","namespaceSelector":{},"queueingStrategy":"BestEffortFIFO",
      "flavorFungibility":{"whenCanBorrow":"MayStopSearch","whenCanPreempt":"TryNextFlavor"},
      "preemption":{"reclaimWithinCohort":"Any","withinClusterQueue":"LowerPriority",
        "borrowWithinCohort":{"policy":"LowerPriority","maxPriorityThreshold":100}},
      "resourceGroups":[
        {"coveredResources":["cpu","memory"],"flavors":[
          {"name":"on-demand","resources":[{"name":"cpu","nominalQuota":"40"},
            {"name":"memory","nominalQuota":"160Gi","borrowingLimit":"10Gi"}]},
          {"name":"spot","resources":[{"name":"cpu","nominalQuota":"100"},
            {"name":"memory","nominalQuota":"400Gi"}]}]},
        {"coveredResources":["nvidia.com/gpu"],"flavors":[
          {"name":"a100","resources":[{"name":"nvidia.com/gpu","nominalQuota":"8"}]},
          {"name":"h100","resources":[{"name":"nvidia.com/gpu","nominalQuota":"16"}]}]}]}})")
                    .value();
  ApplyDefaults(KindOf<ClusterQueue>(), object);
  return object;
}

Json WorkloadObject() {
  Json object = ParseJson(R"({
    "apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload",
    "metadata":{"name":"job-sample-1","namespace":"team-a"},
    "spec":{"queueName":"main","priority":100,"active":true,
      "priorityClassRef":{"group":"kueue.x-k8s.io","kind":"WorkloadPriorityClass","name":"high"},
      "podSets":[{"name":"main","count":3,"minCount":1,"template":{"metadata":{},"spec":{
        "restartPolicy":"Never","containers":[{"name":"c","image":"i","args":["a","b"],
          "resources":{"requests":{"cpu":"1","memory":"200Mi"}}}],
        "tolerations":[{"key":"spot","operator":"Exists","effect":"NoSchedule"}]}}}]},
    "status":{"conditions":[
        {"type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"m",
         "lastTransitionTime":"2024-01-02T03:04:05Z"},
        {"type":"Admitted","status":"True","reason":"Admitted","message":"m",
         "lastTransitionTime":"2024-01-02T03:04:05Z"}],
      "admission":{"clusterQueue":"team-a","podSetAssignments":[{"name":"main","count":3,
        "flavors":{"cpu":"spot","memory":"spot"},
        "resourceUsage":{"cpu":"3","memory":"600Mi"}}]}}})")
                    .value();
  ApplyDefaults(KindOf<Workload>(), object);
  return object;
}

template <class T>
void Create(benchmark::State& state, const Json& object) {
  KUEUE_CHECK(ValidateCreate(KindOf<T>(), object).empty());
  for (auto _ : state) benchmark::DoNotOptimize(ValidateCreate(KindOf<T>(), object));
}
template <class T>
void Update(benchmark::State& state, const Json& before) {
  Json after = before;
  after["metadata"]["labels"].Set("changed", "yes");
  KUEUE_CHECK(ValidateUpdate(KindOf<T>(), before, after).empty());
  for (auto _ : state) benchmark::DoNotOptimize(ValidateUpdate(KindOf<T>(), before, after));
}
template <class T>
void RulesOnly(benchmark::State& state, const Json& object) {
  for (auto _ : state) {
    std::vector<FieldError> errors;
    CheckTableRules(*KindOf<T>().table, object, nullptr, errors);
    benchmark::DoNotOptimize(errors);
  }
}

void BM_CreateClusterQueue(benchmark::State& s) { Create<ClusterQueue>(s, ClusterQueueObject()); }
void BM_UpdateClusterQueue(benchmark::State& s) { Update<ClusterQueue>(s, ClusterQueueObject()); }
void BM_RulesOfClusterQueue(benchmark::State& s) {
  RulesOnly<ClusterQueue>(s, ClusterQueueObject());
}
void BM_CreateWorkload(benchmark::State& s) { Create<Workload>(s, WorkloadObject()); }
void BM_UpdateWorkload(benchmark::State& s) { Update<Workload>(s, WorkloadObject()); }
void BM_RulesOfWorkload(benchmark::State& s) { RulesOnly<Workload>(s, WorkloadObject()); }
BENCHMARK(BM_CreateClusterQueue);
BENCHMARK(BM_UpdateClusterQueue);
BENCHMARK(BM_RulesOfClusterQueue);
BENCHMARK(BM_CreateWorkload);
BENCHMARK(BM_UpdateWorkload);
BENCHMARK(BM_RulesOfWorkload);

void Rule(benchmark::State& state, const char* text, const KindInfo& kind, const Json& object) {
  cel::Environment environment;
  const size_t self = environment.AddVariable("self", RuleTypeOf(*kind.table, TablePlace::kRoot));
  const auto program = cel::Compile(text, environment);
  KUEUE_CHECK_MSG(program.ok(), program.ok() ? "" : program.error().message);
  cel::Activation activation(environment);
  activation.Set(self, JsonValue(object));
  for (auto _ : state) {
    cel::CostBudget budget;
    benchmark::DoNotOptimize(program->Evaluate(activation, &budget));
  }
}

void BM_RuleOnTwoFields(benchmark::State& s) {
  Rule(s, "!has(self.spec.priorityClassRef) || has(self.spec.priority)", KindOf<Workload>(),
       WorkloadObject());
}
void BM_RuleOnAList(benchmark::State& s) {
  Rule(s, "self.spec.podSets.all(p, !has(p.minCount) || p.minCount <= p.count)", KindOf<Workload>(),
       WorkloadObject());
}
void BM_RuleOnConditions(benchmark::State& s) {
  Rule(s,
       "has(self.status.conditions) && self.status.conditions.exists(c, "
       "c.type == 'QuotaReserved' && c.status == 'True')",
       KindOf<Workload>(), WorkloadObject());
}
void BM_RuleOnNestedLists(benchmark::State& s) {
  Rule(s,
       "has(self.spec.cohortName) && self.spec.resourceGroups.all(g, g.flavors.all(f, "
       "f.resources.all(r, has(r.nominalQuota))))",
       KindOf<ClusterQueue>(), ClusterQueueObject());
}
BENCHMARK(BM_RuleOnTwoFields);
BENCHMARK(BM_RuleOnAList);
BENCHMARK(BM_RuleOnConditions);
BENCHMARK(BM_RuleOnNestedLists);

void BM_CompileARule(benchmark::State& state) {
  cel::Environment environment;
  environment.AddVariable("self", RuleTypeOf(*KindOf<Workload>().table, TablePlace::kRoot));
  for (auto _ : state) {
    benchmark::DoNotOptimize(cel::Compile(
        "self.spec.podSets.all(p, !has(p.minCount) || p.minCount <= p.count)", environment));
  }
}
BENCHMARK(BM_CompileARule);

}  // namespace
}  // namespace kueue::api

BENCHMARK_MAIN();
