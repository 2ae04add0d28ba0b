#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "scheduling/plan.h"
#include "scheduling/snapshot.h"
#include "scheduling/state.h"

namespace kueue::properties {

using WorkloadPointer = std::shared_ptr<const api::Workload>;
using QueuePointer = std::shared_ptr<const api::ClusterQueue>;

// A seeded cluster that lives: work comes and goes, quotas, queues, cohorts and flavors change,
// and what the core decides is written, late or not at all. The same seed, the same life.
//
// Every fact goes to all States that listen, so that they can be compared.
class RandomWorld {
 public:
  // `policies`: queues have policies beyond the reference, drawn apart: the rest of the life is the
  // same.
  explicit RandomWorld(uint64_t seed, bool policies = false);

  // Something happens to objects.
  void Change();
  // One Step of the first State, which may fuse cycles; what it decided is written. The second
  // State takes as many cycles one by one; false if it decided something else.
  bool Cycle();
  // The last cycle's Plan, and what was leaving before it.
  const scheduling::Plan& plan() const { return plan_; }
  const std::set<std::string>& leaving_before() const { return leaving_before_; }
  // Workloads whose reservation was decided and not written yet.
  const std::map<std::string, scheduling::Reservation>& unwritten() const { return unwritten_; }
  // Carries out what is still to be written, and lets evicted workloads stop.
  void Settle();

  scheduling::State& state() { return *states_[0]; }
  // A State that was told today's objects only.
  scheduling::State Restarted() const;
  base::Time now() const { return now_; }
  const std::map<std::string, WorkloadPointer>& workloads() const { return workloads_; }
  const std::map<std::string, QueuePointer>& queues() const { return queues_; }
  const std::map<std::string, std::shared_ptr<const api::Cohort>>& cohorts() const {
    return cohorts_;
  }
  const scheduling::Config& config() const { return config_; }
  // Tells every object again as it is.
  void TellAgain();
  // Deletes all workloads.
  void Empty();
  // The key of the workload's ClusterQueue if it may wait there: LocalQueue and ClusterQueue exist
  // and the LocalQueue runs; else "".
  std::string QueueOf(const api::Workload& workload) const;

 private:
  int64_t Pick(int64_t bound) { return static_cast<int64_t>(random_.Below(
      static_cast<uint64_t>(bound))); }
  bool Chance(int percent) { return Pick(100) < percent; }
  bool CatchUp();
  bool SameQueues() const;
  void MakeConfig();
  void MakeFlavor(const std::string& name);
  void MakeCohort(const std::string& name);
  void MakeQueue(const std::string& name);
  std::vector<api::ResourceGroup> RandomGroups(bool limits);
  void MakeLocalQueue(const std::string& name);
  void Submit();
  void ChangeQueue();
  void ChangeWorkload();
  void RemoveSomething();
  std::string AnyWorkload();

  void Tell(api::Workload workload);
  void TellAll(scheduling::State& state) const;
  void Write(const scheduling::Reservation& reservation);
  void WriteEviction(const scheduling::Eviction& eviction);
  void Stop(const std::string& key);
  void Set(api::Workload& workload, const char* type, bool value, const char* reason) const;

  api::StringMap RandomPolicies();
  api::StringMap RandomBudget();

  base::Random random_;
  std::optional<base::Random> policies_;
  scheduling::Config config_;
  base::Time now_ = base::Time(base::hours(24 * 365 * 56));
  std::vector<std::unique_ptr<scheduling::State>> states_;
  std::set<std::string> namespaces_{"ns"};
  std::map<std::string, std::shared_ptr<const api::ResourceFlavor>> flavors_;
  std::map<std::string, std::shared_ptr<const api::Cohort>> cohorts_;
  std::map<std::string, QueuePointer> queues_;
  std::map<std::string, std::shared_ptr<const api::LocalQueue>> locals_;  // by name
  std::map<std::string, WorkloadPointer> workloads_;                      // by key
  std::map<std::string, scheduling::Reservation> unwritten_;
  std::vector<scheduling::Eviction> unwritten_evictions_;
  scheduling::Plan plan_;
  std::set<std::string> leaving_before_;
  int64_t generation_ = 0;
  int number_ = 0;
};

}  // namespace kueue::properties
