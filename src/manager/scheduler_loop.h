#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "base/executor.h"
#include "controllers/workload_status.h"
#include "kube/informer.h"
#include "runtime/driver.h"
#include "scheduling/state.h"

namespace kueue::manager {

// The only impure part of scheduling: runs cycles when there is reason to, carries plans out, and
// tells the state how the writes ended. Everything on one executor.
class SchedulerLoop {
 public:
  struct Numbers {
    uint64_t cycles = 0, reservations = 0, evictions = 0;
    uint64_t failed_writes = 0;
  };

  // All must outlive the loop.
  SchedulerLoop(scheduling::State& state, kube::Cache& cache, runtime::Driver& driver,
                base::Executor& executor, bool retry_at_once = false);
  ~SchedulerLoop();

  // From now on cycles run. Before, Wake only remembers.
  void Start();
  // Something changed: a cycle runs soon. Cheap; may be called for every fact.
  void Wake();
  // After each cycle, with its plan: for metrics, explanations, tests.
  void OnPlan(std::function<void(const scheduling::Plan&)> listener);
  // For metrics: a cycle and how long it took; a preemption that was written; a slice that was
  // finished because another replaced it, as it was before.
  struct Watchers {
    std::function<void(const scheduling::Plan&, base::Duration took)> cycle;
    std::function<void(const scheduling::Eviction&)> preempted;
    std::function<void(const api::Workload&)> slice_replaced;
  };
  void Watch(Watchers watchers) { watchers_ = std::move(watchers); }
  const Numbers& numbers() const { return numbers_; }

 private:
  void Cycle();
  void ArmTimer();
  void Apply(const scheduling::Plan& plan);
  // The intended write on the newest state of a workload; nothing if it is not wanted any more.
  using Change = std::function<std::optional<runtime::Intents>(const api::Workload& before)>;
  void WriteStatus(const std::string& workload, const std::string& uid, const Change& change,
                   const std::function<void(bool written)>& done, int attempt = 1);
  void Reserve(const scheduling::Reservation& reservation);
  void EvictVictim(const scheduling::Eviction& eviction);
  void SayWhy(const scheduling::Requeue& requeue);
  controllers::Wording Words() const {
    return {state_.config().gates.unadmitted_workloads_observability, false};
  }
  void SayNoPlace(const scheduling::Requeue& requeue);
  void FinishSlice(const std::string& workload);

  scheduling::State& state_;
  kube::Cache& cache_;
  runtime::Driver& driver_;
  base::Executor& executor_;
  base::Scope scope_;
  const bool retry_at_once_;
  bool started_ = false, posted_ = false;
  base::TimerId timer_ = 0;
  // Facts arrived since the last cycle. Without any, cycles go on only as long as they say
  // something that was not said since the last fact: an unchanged world is silent.
  bool news_ = false;
  std::set<uint64_t> seen_;
  std::vector<std::function<void(const scheduling::Plan&)>> listeners_;
  Watchers watchers_;
  Numbers numbers_;
};

}  // namespace kueue::manager
