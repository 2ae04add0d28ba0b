// The decision core under load, alone:
//   core_bench [--benchmark_filter=baseline]
// Times are processor time of the thread, so that other work on the machine shows little in them.

#include <benchmark/benchmark.h>

#include "loads.h"

namespace kueue::perf {
namespace {

void Report(benchmark::State& state, const Recorder& recorder) {
  const double total = recorder.total();
  state.SetIterationTime(total);
  state.counters["cycles"] = static_cast<double>(recorder.cycles());
  state.counters["decisions"] = static_cast<double>(recorder.decisions());
  state.counters["evictions"] = static_cast<double>(recorder.evictions());
  state.counters["decisions/s"] = static_cast<double>(recorder.decisions()) / total;
  state.counters["heads/s"] = static_cast<double>(recorder.heads()) / total;
  state.counters["p50_ms"] = recorder.Quantile(0.5);
  state.counters["p99_ms"] = recorder.Quantile(0.99);
  state.counters["max_ms"] = recorder.Quantile(1);
  state.SetLabel(recorder.Label());
}

void Baseline(benchmark::State& state) {
  for (auto _ : state) Report(state, PlayBaseline());
}
void Large(benchmark::State& state) {
  for (auto _ : state) Report(state, PlayLarge());
}
void Contended(benchmark::State& state) {
  for (auto _ : state) {
    Report(state, PlayContended(static_cast<int>(state.range(0)), state.range(1) != 0));
  }
}
void DeepFairTree(benchmark::State& state) {
  for (auto _ : state) {
    Report(state, PlayDeepFairTree(static_cast<int>(state.range(0)), 10, state.range(1) != 0));
  }
}
void ArrivalAmong(benchmark::State& state) {
  for (auto _ : state) Report(state, PlayArrivalAmong(static_cast<int>(state.range(0))));
}
void FindTheOneThatFits(benchmark::State& state) {
  for (auto _ : state) {
    state.SetIterationTime(SecondsToFindTheOneThatFits(static_cast<int>(state.range(0)),
                                                       static_cast<int>(state.range(1))));
  }
}
void Fork(benchmark::State& state) {
  for (auto _ : state) {
    state.SetIterationTime(SecondsToFork(static_cast<int>(state.range(0)),
                                         static_cast<int>(state.range(1)), 20));
  }
}
void MemoryOfPending(benchmark::State& state) {
  for (auto _ : state) {
    state.counters["bytes"] = BytesPerPendingWorkload(static_cast<int>(state.range(0)));
    state.SetIterationTime(1);
  }
}

#define KUEUE_BENCH(name) BENCHMARK(name)->UseManualTime()->Unit(benchmark::kMillisecond)

KUEUE_BENCH(Baseline)->Iterations(3);
KUEUE_BENCH(Large)->Iterations(3);
KUEUE_BENCH(Contended)->Iterations(1)->ArgNames({"queues", "one_by_one"})
    ->Args({250, 0})->Args({500, 0})->Args({1000, 0})->Args({2000, 0})->Args({1000, 1});
KUEUE_BENCH(DeepFairTree)->Iterations(1)->ArgNames({"queues", "preempting"})
    ->Args({250, 0})->Args({500, 0})->Args({1000, 0})->Args({2000, 0})->Args({2000, 1});
KUEUE_BENCH(ArrivalAmong)->Iterations(5)->ArgName("running")->Arg(5000);
KUEUE_BENCH(FindTheOneThatFits)->Iterations(3)->ArgNames({"pending", "shapes"})
    ->Args({200000, 5000});
KUEUE_BENCH(Fork)->Iterations(1)->ArgNames({"queues", "workloads"})->Args({1000, 50000});
KUEUE_BENCH(MemoryOfPending)->Iterations(1)->ArgName("count")->Arg(20000);

}  // namespace
}  // namespace kueue::perf

BENCHMARK_MAIN();
