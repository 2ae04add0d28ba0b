// Topology placement under load, alone:
//   topology_bench [--benchmark_filter=Placements]
// Times are processor time of the thread.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <ctime>

#include "scheduling/state.h"
#include "scheduling/topology/test_field.h"

namespace kueue::perf {
namespace {

using scheduling::topology::Field;
using scheduling::topology::kHostname;

std::string Name(const char* prefix, int number) { return prefix + std::to_string(number); }

// Racks of 16 hosts, blocks of 20 racks.
std::shared_ptr<api::Node> NodeNumber(int n, int cpus) {
  auto node = Field::NewNode(Name("node-", n), cpus);
  node->metadata.labels["rack"] = Name("rack-", n / 16);
  node->metadata.labels["block"] = Name("block-", n / 320);
  return node;
}
void Fill(Field& field, int nodes, int cpus) {
  for (int n = 0; n < nodes; ++n) field.Set(NodeNumber(n, cpus));
}

// One placement after the other, each on what the ones before have left.
void Placements(benchmark::State& state) {
  Field field(3);
  Fill(field, static_cast<int>(state.range(0)), 8);
  int n = 0;
  for (auto _ : state) {
    auto request = n % 2 == 0 ? field.Required("rack", 16) : field.Preferred("rack", 24);
    const auto placed = field.Try(request);
    benchmark::DoNotOptimize(placed);
    field.Charge(Name("node-", n * 7 % static_cast<int>(state.range(0))), n % 3 == 0 ? -1 : 1);
    ++n;
  }
  state.SetItemsProcessed(state.iterations());
}

// One large pod set; a node changed before each placement.
void LargePodSet(benchmark::State& state) {
  Field field(3);
  const int nodes = static_cast<int>(state.range(0)), pods = static_cast<int>(state.range(1));
  Fill(field, nodes, 8);
  int n = 0;
  for (auto _ : state) {
    field.Charge(Name("node-", n * 7 % nodes), n % 2 == 0 ? 1 : -1);
    ++n;
    const auto placed = field.Try(state.range(2) != 0 ? field.Required("block", pods)
                                                      : field.Preferred("rack", pods));
    if (!placed.ok) state.SkipWithError("does not fit");
    benchmark::DoNotOptimize(placed);
  }
}

// A shape of request nobody asked for before: all is counted.
void UnknownShape(benchmark::State& state) {
  Field field(3);
  Fill(field, static_cast<int>(state.range(0)), 8);
  int n = 0;
  for (auto _ : state) {
    auto request = field.Preferred("rack", static_cast<int>(state.range(1)));
    request.per_pod = {{field.catalog().Resource("cpu"), 500 + n++ % 400}};
    benchmark::DoNotOptimize(field.Try(request));
  }
}

void NodeChange(benchmark::State& state) {
  Field field(3);
  const int nodes = static_cast<int>(state.range(0));
  Fill(field, nodes, 8);
  benchmark::DoNotOptimize(field.Try(field.Preferred("rack", 100)));
  std::vector<std::shared_ptr<api::Node>> changed;
  // Every node twice, so that each is different from what is known when its turn comes.
  for (int n = 0; n < 2000; ++n) changed.push_back(NodeNumber(n % 1000 * 7, n < 1000 ? 4 : 6));
  size_t n = 0;
  for (auto _ : state) field.Set(changed[n++ % changed.size()]);
}

size_t BytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Of what placement keeps besides the objects themselves, after a placement.
void MemoryOfTree(benchmark::State& state) {
  for (auto _ : state) {
    const int nodes = static_cast<int>(state.range(0));
    std::vector<std::shared_ptr<api::Node>> objects;
    for (int n = 0; n < nodes; ++n) objects.push_back(NodeNumber(n, 8));
    const size_t before = BytesInUse();
    Field field(3);
    for (const auto& node : objects) field.Set(node);
    benchmark::DoNotOptimize(field.Try(field.Preferred("rack", 1000)));
    state.counters["MiB"] =
        static_cast<double>(BytesInUse() - before) / static_cast<double>(1 << 20);
    state.SetIterationTime(1);
  }
}

// ---- whole cycles

constexpr base::Time kNow = base::Time(base::seconds(1767225600));

std::shared_ptr<api::Workload> NewWorkload(const std::string& name, int pods, int priority,
                                           const std::string& level) {
  auto workload = std::make_shared<api::Workload>();
  workload->metadata.name = name;
  workload->metadata.namespace_name = "ns";
  workload->metadata.uid = "uid-" + name;
  workload->metadata.creation_timestamp = kNow;
  workload->spec.queue_name = "q";
  workload->spec.priority = priority;
  api::PodSet& pod_set = workload->spec.pod_sets.emplace_back();
  pod_set.name = "main";
  pod_set.count = pods;
  pod_set.topology_request.emplace().required = level;
  pod_set.pod_template.spec.containers.emplace_back().resources.requests["cpu"] =
      *resources::Quantity::Parse("1");
  return workload;
}

void AddHall(scheduling::State& state, int nodes, int cpus) {
  api::Namespace home;
  home.metadata.name = "ns";
  state.SetNamespace(home, kNow);
  auto topology = std::make_shared<api::Topology>();
  topology->metadata.name = "hall";
  topology->spec.levels = {{"block", {}}, {"rack", {}}, {kHostname, {}}};
  state.SetTopology(topology, kNow);
  for (int n = 0; n < nodes; ++n) state.SetNode(NodeNumber(n, cpus), kNow);
  auto flavor = std::make_shared<api::ResourceFlavor>();
  flavor->metadata.name = "machines";
  flavor->spec.topology_name = "hall";
  state.SetResourceFlavor(flavor, kNow);
  auto queue = std::make_shared<api::ClusterQueue>();
  queue->metadata.name = "cq";
  queue->spec.namespace_selector.emplace();
  queue->spec.preemption.emplace().within_cluster_queue = "LowerPriority";
  api::ResourceGroup& group = queue->spec.resource_groups.emplace_back();
  group.covered_resources = {"cpu"};
  api::FlavorQuotas& quotas = group.flavors.emplace_back();
  quotas.name = "machines";
  api::ResourceQuota& quota = quotas.resources.emplace_back();
  quota.name = "cpu";
  quota.nominal_quota = *resources::Quantity::Parse("10000000");
  state.SetClusterQueue(queue, kNow);
  auto local = std::make_shared<api::LocalQueue>();
  local->metadata.name = "q";
  local->metadata.namespace_name = "ns";
  local->spec.cluster_queue = "cq";
  state.SetLocalQueue(local, kNow);
}

// Full hall; one urgent workload wants `pods` in a rack.
void PreemptorInFullHall(benchmark::State& state) {
  const int nodes = static_cast<int>(state.range(0)), victims = static_cast<int>(state.range(1));
  const int cpus = 8, each = nodes * cpus / victims;
  for (auto _ : state) {
    scheduling::State core{scheduling::Config()};
    AddHall(core, nodes, cpus);
    for (int i = 0; i < victims; ++i) {
      auto workload = NewWorkload(Name("w-", i), each, i % 10, "block");
      workload->spec.pod_sets[0].topology_request.emplace().unconstrained = true;
      core.SetWorkload(workload, kNow);
    }
    const int rest = nodes * cpus - victims * each;
    auto filler = NewWorkload("filler", rest, 9, "block");
    filler->spec.pod_sets[0].topology_request.emplace().unconstrained = true;
    core.SetWorkload(filler, kNow);
    size_t reserved = 0;
    for (int i = 0; i <= victims; ++i) {
      reserved += scheduling::Step(core, kNow).reservations.size();
    }
    core.SetWorkload(NewWorkload("urgent", static_cast<int>(state.range(2)), 100, "rack"), kNow);
    const auto start = std::clock();
    const auto plan = scheduling::Step(core, kNow);
    state.SetIterationTime(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    state.counters["reserved"] = static_cast<double>(reserved);
    state.counters["evictions"] = static_cast<double>(plan.evictions.size());
  }
}

BENCHMARK(Placements)->Arg(640)->Arg(5120);
BENCHMARK(LargePodSet)
    ->Args({5120, 1024, 1})
    ->Args({60000, 10000, 0})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(UnknownShape)->Args({5120, 1024})->Args({60000, 10000})->Unit(benchmark::kMillisecond);
BENCHMARK(NodeChange)->Arg(60000)->Unit(benchmark::kMicrosecond);
BENCHMARK(MemoryOfTree)->Arg(60000)->UseManualTime()->Iterations(1);
BENCHMARK(PreemptorInFullHall)
    ->Args({2000, 700, 64})
    ->Args({2000, 700, 128})
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kueue::perf

BENCHMARK_MAIN();
