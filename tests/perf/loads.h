#pragma once

#include <deque>
#include <string>
#include <vector>

#include "recorder.h"
#include "scheduling/test_cluster.h"

// Loads for the decision core alone: no API server, every write succeeds and is seen before the
// next cycle.
namespace kueue::perf {

struct Job {
  std::string name, queue;
  int64_t cpu = 1;
  int32_t priority = 0;
};

// A cluster whose decisions are measured: the cycle itself and the queue work between cycles, not
// the making of objects.
class MeasuredCluster {
 public:
  explicit MeasuredCluster(scheduling::Config config = {}) : cluster_(std::move(config)) {}

  scheduling::TestCluster& cluster() { return cluster_; }
  const Recorder& recorder() const { return recorder_; }
  void Submit(const Job& job) { cluster_.Submit(job.name, job.queue, job.cpu, job.priority); }
  // One cycle, its outcome written; evicted workloads have stopped when it returns. The names of
  // those that got quota.
  std::vector<std::string> Cycle();
  void Finish(const std::string& name) { cluster_.Finish(name); }
  // Workloads that stopped since the last call.
  std::vector<std::string> TakeStopped() { return std::exchange(stopped_, {}); }
  // Carries out all retries.
  void Wake();

 private:
  scheduling::TestCluster cluster_;
  Recorder recorder_;
  std::vector<std::string> stopped_;
};

// How the classes of a load look in one queue: so many of each.
struct ClassCount {
  int count = 0;
  int64_t cpu = 1;
  int32_t priority = 0;
};
// `cohorts` x `queues` ClusterQueues of cpu 20 that may borrow 100, reclaimWithinCohort Any,
// withinClusterQueue LowerPriority; all work pending at the start; whatever got quota finishes
// before the next cycle, until nothing is left.
Recorder PlayAllAtOnce(int cohorts, int queues, const std::vector<ClassCount>& classes);
Recorder PlayBaseline();
Recorder PlayLarge();

// 10 cohorts with `queues` queues in all, two flavors; 60 workloads a queue in seeded disorder, a
// tenth of them every 10 cycles; a workload runs for 10 cycles.
Recorder PlayContended(int queues, bool one_by_one);

// A tree of Cohorts six levels deep, fair sharing on, every queue with more running than its own
// quota and more waiting: a few cycles. `preempting`: with reclaimWithinCohort Any and
// withinClusterQueue LowerPriority; else nobody may be preempted.
Recorder PlayDeepFairTree(int queues, int cycles, bool preempting);

// One queue holding `running` workloads of low priority, then one arrival of high priority that
// needs some of them gone: that one cycle.
Recorder PlayArrivalAmong(int running);

// `pending` workloads in `shapes` shapes in one BestEffortFIFO queue of which one shape fits once
// a workload ends: seconds from the wake-up until it has its quota.
double SecondsToFindTheOneThatFits(int pending, int shapes);

// A State with so many queues and workloads is forked while cycles go on, and each fork is read on
// another thread: seconds a fork takes, the median of `forks`; -1 if a fork changed later.
double SecondsToFork(int queues, int workloads, int forks);

// Resident bytes a pending workload takes in the State, its API object included.
double BytesPerPendingWorkload(int count);

}  // namespace kueue::perf
