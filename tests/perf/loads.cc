#include "loads.h"

#include <algorithm>
#include <thread>

#include "base/random.h"
#include "scheduling/snapshot.h"

namespace kueue::perf {
namespace {

namespace names = api::names;
using scheduling::CpuGroup;
using scheduling::MakeQueue;
using scheduling::TestCluster;

constexpr char kPrefix[] = "ns/";

std::string NameOf(const std::string& key) { return key.substr(sizeof(kPrefix) - 1); }

std::string QueueName(int cohort, int queue) {
  return "q" + std::to_string(cohort) + "-" + std::to_string(queue);
}

void WriteReservation(TestCluster& cluster, const scheduling::Reservation& reservation) {
  api::Workload workload = *cluster.workloads.at(NameOf(reservation.workload));
  workload.status.admission = reservation.admission;
  cluster.SetCondition(workload, names::kQuotaReserved, true, "QuotaReserved");
  for (const char* type : {names::kEvicted, names::kPreempted}) {
    if (api::IsConditionTrue(workload.status.conditions, type)) {
      cluster.SetCondition(workload, type, false, "QuotaReserved");
    }
  }
  cluster.SetCondition(workload, names::kAdmitted, true, "Admitted");
  cluster.Tell(std::move(workload));
}

void WriteEviction(TestCluster& cluster, const scheduling::Eviction& eviction) {
  api::Workload workload = *cluster.workloads.at(NameOf(eviction.workload));
  cluster.SetCondition(workload, names::kPreempted, true, eviction.preempted_reason);
  cluster.SetCondition(workload, names::kEvicted, true, eviction.evicted_reason);
  cluster.Tell(std::move(workload));
}

}  // namespace

std::vector<std::string> MeasuredCluster::Cycle() {
  const double before = ThreadSeconds();
  const scheduling::Plan plan = scheduling::Step(cluster_.state, cluster_.now);
  recorder_.AddCycle(ThreadSeconds() - before, plan);
  std::vector<std::string> reserved;
  for (const scheduling::Reservation& reservation : plan.reservations) {
    WriteReservation(cluster_, reservation);
    reserved.push_back(NameOf(reservation.workload));
  }
  for (const scheduling::Eviction& eviction : plan.evictions) WriteEviction(cluster_, eviction);
  for (const scheduling::Eviction& eviction : plan.evictions) {
    cluster_.Stop(NameOf(eviction.workload));
    stopped_.push_back(NameOf(eviction.workload));
  }
  cluster_.now += base::seconds(1);
  return reserved;
}

void MeasuredCluster::Wake() {
  const double before = ThreadSeconds();
  cluster_.state.CarryOutAllRetries(cluster_.now);
  recorder_.AddToNextCycle(ThreadSeconds() - before);
}

// ---- baseline and large

Recorder PlayAllAtOnce(int cohorts, int queues, const std::vector<ClassCount>& classes) {
  MeasuredCluster load;
  for (int cohort = 0; cohort < cohorts; ++cohort) {
    for (int i = 0; i < queues; ++i) {
      const std::string name = QueueName(cohort, i);
      auto queue = MakeQueue(name, {20, 100, {}}, "cohort" + std::to_string(cohort));
      queue->spec.preemption->reclaim_within_cohort = "Any";
      queue->spec.preemption->within_cluster_queue = "LowerPriority";
      load.cluster().Add(queue);
      int number = 0;
      for (const ClassCount& kind : classes) {
        for (int k = 0; k < kind.count; ++k) {
          load.Submit({name + "-" + std::to_string(number++), name, kind.cpu, kind.priority});
        }
      }
    }
  }
  load.Wake();
  while (load.cluster().state.HasHeads()) {
    for (const std::string& name : load.Cycle()) load.Finish(name);
    load.Wake();
  }
  return load.recorder();
}

Recorder PlayBaseline() {
  return PlayAllAtOnce(5, 6, {{350, 1, 50}, {100, 5, 100}, {50, 20, 200}});
}

Recorder PlayLarge() {
  return PlayAllAtOnce(10, 100, {{35, 1, 50}, {11, 5, 100}, {4, 20, 200}});
}

// ---- contended

namespace {

std::vector<Job> ContendedJobs(int queues, base::Random& random) {
  constexpr int64_t kSizes[] = {1, 3, 8, 20, 35};
  constexpr int32_t kPriorities[] = {0, 50, 100, 200};
  std::vector<Job> jobs;
  for (int i = 0; i < queues; ++i) {
    const std::string name = QueueName(i % 10, i / 10);
    for (int k = 0; k < 60; ++k) {
      jobs.push_back({name + "-" + std::to_string(k), name, kSizes[random.Below(5)],
                      kPriorities[random.Below(4)]});
    }
  }
  for (size_t i = jobs.size(); i > 1; --i) std::swap(jobs[i - 1], jobs[random.Below(i)]);
  return jobs;
}

void AddContendedQueues(TestCluster& cluster, int queues) {
  cluster.AddFlavor("f0");
  cluster.AddFlavor("f1");
  for (int i = 0; i < queues; ++i) {
    auto queue = MakeQueue(QueueName(i % 10, i / 10), {}, "cohort" + std::to_string(i % 10));
    queue->spec.resource_groups = {CpuGroup({{"f0", {20, 100, {}}}, {"f1", {20, 100, {}}}})};
    queue->spec.preemption->reclaim_within_cohort = "Any";
    queue->spec.preemption->within_cluster_queue = "LowerPriority";
    cluster.Add(queue);
  }
}

}  // namespace

Recorder PlayContended(int queues, bool one_by_one) {
  scheduling::Config config;
  config.one_by_one = one_by_one;
  MeasuredCluster load(config);
  base::Random random(1);
  AddContendedQueues(load.cluster(), queues);
  const std::vector<Job> jobs = ContendedJobs(queues, random);
  std::deque<std::vector<std::string>> running(10);
  size_t next = 0, finished = 0;
  for (int cycle = 0; finished < jobs.size(); ++cycle) {
    if (cycle % 10 == 0) {
      const size_t until = std::min(jobs.size(), next + jobs.size() / 10);
      for (; next < until; ++next) load.Submit(jobs[next]);
    }
    load.Wake();
    running.push_back(load.Cycle());
    for (const std::string& name : load.TakeStopped()) {
      for (auto& names : running) std::erase(names, name);
    }
    for (const std::string& name : running.front()) load.Finish(name);
    finished += running.front().size();
    running.pop_front();
  }
  return load.recorder();
}

// ---- deep tree

Recorder PlayDeepFairTree(int queues, int cycles, bool preempting) {
  scheduling::Config config;
  config.fair_sharing.emplace();
  MeasuredCluster load(config);
  TestCluster& cluster = load.cluster();
  // Each Cohort has three children, down to 243 Cohorts at the sixth level.
  std::vector<std::string> level{"root"}, next;
  cluster.AddCohort("root", "", {CpuGroup({{"default", {4 * queues, {}, {}}}})});
  for (int depth = 1; depth < 6; ++depth) {
    for (const std::string& parent : level) {
      for (int child = 0; child < 3; ++child) {
        next.push_back(parent + std::to_string(child));
        cluster.AddCohort(next.back(), parent);
      }
    }
    level = std::exchange(next, {});
  }
  for (int i = 0; i < queues; ++i) {
    const std::string name = "q" + std::to_string(i);
    auto queue = MakeQueue(name, {1, {}, {}}, level[static_cast<size_t>(i) % level.size()]);
    if (preempting) {
      queue->spec.preemption->reclaim_within_cohort = "Any";
      queue->spec.preemption->within_cluster_queue = "LowerPriority";
    }
    cluster.Add(queue);
  }
  base::Random random(1);
  for (int i = 0; i < queues; ++i) {
    const std::string name = "q" + std::to_string(i);
    // Above its own quota by a different amount each, so that shares differ.
    for (int k = 0; k < 2; ++k) {
      cluster.SubmitReserved(name + "-r" + std::to_string(k), name,
                             1 + static_cast<int64_t>(random.Below(3)));
    }
    for (int k = 0; k < cycles; ++k) {
      load.Submit({name + "-p" + std::to_string(k), name, 1 + static_cast<int64_t>(random.Below(2)),
                   static_cast<int32_t>(random.Below(3))});
    }
  }
  for (int i = 0; i < cycles && cluster.state.HasHeads(); ++i) {
    load.Cycle();
    load.TakeStopped();
    load.Wake();
  }
  return load.recorder();
}

// ---- one arrival among many

Recorder PlayArrivalAmong(int running) {
  MeasuredCluster load;
  auto queue = MakeQueue("q", {running, {}, {}});
  queue->spec.preemption->within_cluster_queue = "LowerPriority";
  load.cluster().Add(queue);
  for (int i = 0; i < running; ++i) {
    load.cluster().SubmitReserved("r" + std::to_string(i), "q", 1, i % 7);
  }
  load.Submit({"arrival", "q", running / 2, 100});
  load.Cycle();
  return load.recorder();
}

// ---- one that fits among very many

double SecondsToFindTheOneThatFits(int pending, int shapes) {
  MeasuredCluster load;
  TestCluster& cluster = load.cluster();
  cluster.Add(MakeQueue("q", {10, {}, {}}));
  cluster.SubmitReserved("running", "q", 10);
  // Of the last shape there is one workload, and nothing else is as small as the quota.
  for (int i = 0; i < pending - 1; ++i) {
    load.Submit({"p" + std::to_string(i), "q", 11 + i % (shapes - 1), 5});
  }
  load.Submit({"fits", "q", 10, 0});
  while (cluster.state.HasHeads()) load.Cycle();  // everybody is parked
  cluster.Finish("running");
  const double before = ThreadSeconds();
  cluster.state.CarryOutAllRetries(cluster.now);
  double seconds = ThreadSeconds() - before;
  while (cluster.state.HasHeads()) {
    const double start = ThreadSeconds();
    const scheduling::Plan plan = scheduling::Step(cluster.state, cluster.now);
    seconds += ThreadSeconds() - start;
    if (!plan.reservations.empty()) return seconds;
  }
  return -1;
}

// ---- forks

namespace {

// What a fork says about its first queues, told by a State built from it.
size_t Read(const scheduling::Snapshot& snapshot, base::Time now) {
  const scheduling::State state = snapshot.Rebuild(now);
  size_t sum = 0;
  for (int i = 0; i < 10; ++i) {
    const auto report = state.ReportClusterQueue(QueueName(i % 10, i / 10));
    sum = sum * 31 + static_cast<size_t>(report.pending) * 1000 +
          static_cast<size_t>(report.reserving);
  }
  return sum;
}

}  // namespace

double SecondsToFork(int queues, int workloads, int forks) {
  MeasuredCluster load;
  AddContendedQueues(load.cluster(), queues);
  for (int i = 0; i < workloads; ++i) {
    const std::string queue = QueueName(i % queues % 10, i % queues / 10);
    load.Submit({queue + "-" + std::to_string(i), queue, 1 + i % 7, i % 3});
  }
  std::vector<double> seconds;
  bool same = true;
  for (int i = 0; i < forks; ++i) {
    load.Wake();
    load.Cycle();
    load.TakeStopped();
    const base::Time now = load.cluster().now;
    const double before = ThreadSeconds();
    const scheduling::Snapshot fork = load.cluster().state.Fork();
    seconds.push_back(ThreadSeconds() - before);
    if (i > 0) continue;
    const size_t first = Read(fork, now);
    size_t second = 0;
    std::thread reader([&] { second = Read(fork, now); });
    for (int k = 0; k < 5; ++k) load.Cycle();
    reader.join();
    same = first == second;
  }
  std::sort(seconds.begin(), seconds.end());
  return same ? seconds[seconds.size() / 2] : -1;
}

// ---- memory

double BytesPerPendingWorkload(int count) {
  MeasuredCluster load;
  load.cluster().Add(MakeQueue("q", {10, {}, {}}));
  load.Submit({"first", "q", 1, 0});
  const size_t before = ResidentBytes();
  for (int i = 0; i < count; ++i) load.Submit({"p" + std::to_string(i), "q", 1, 0});
  return static_cast<double>(ResidentBytes() - before) / count;
}

}  // namespace kueue::perf
