#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "base/random.h"
#include "simulation/faults.h"
#include "simulation/world.h"

namespace kueue::simulation {

struct LivesOptions {
  uint64_t seed = 1;
  int steps = 60;
  // Policies beyond the reference are on, with short times.
  bool policies = false;
  bool verbose = false;  // the history is told on standard error as it happens
};
struct LivesReport {
  std::vector<std::string> problems;  // what did not hold, and when
  std::vector<std::string> history;   // what was done
  int jobs = 0, completed = 0, evictions = 0, restarts = 0;
  uint64_t writes = 0;
};

// A random life of the whole product: jobs come and go, people stop queues, deactivate work, change
// priorities and delete things, nodes die, checks say no, the manager crashes and its writes fail.
// After every step the invariants 1 to 4 of the design are checked; at the end everything calms
// down: what can run has run, and the world is silent (8). The seed decides everything, also which
// features are on.
class Lives {
 public:
  explicit Lives(LivesOptions options);
  LivesReport Run();

 private:
  WorldOptions MakeOptions();
  void Build();
  void Step();
  void Do(const std::string& what);
  void RunFor(base::Duration length);

  // ---- what happens
  void SubmitJob();
  void DeleteJob();
  void ChangePriority();
  void StopLocalQueue();
  void StopClusterQueue();
  void ChangeActivity();
  void AnswerChecks(bool kindly);
  void MoveLocalQueue();
  void LoseNode();
  void Restart();
  void ChangeFaults();

  // ---- lives_checks.cc: what must hold
  void Problem(const std::string& what);
  void Check();
  void CheckQuota(const std::vector<api::Workload>& workloads);
  void CheckUsage(const std::vector<api::Workload>& workloads);
  void CheckNobodyLost(const std::vector<api::Workload>& workloads);
  void CalmDown();
  void CheckEnd();
  void CheckSilence();

  void Remember(const apiserver::StoreChange& change);
  base::Result<api::Json> PatchStatus(const api::KindInfo& kind, const kube::ObjectKey& key,
                                      const api::Json& patch);
  // That the server refuses something is part of life.
  template <class Outcome>
  static void MayFail(const Outcome&) {}
  api::Workload* Pick(std::vector<api::Workload>& workloads);
  template <class T>
  const T& OneOf(const std::vector<T>& list) {
    return list[random_.Below(list.size())];
  }

  const LivesOptions options_;
  base::Random random_;
  FaultRates faults_;
  LivesReport report_;
  bool checks_ = false, past_use_ = false, pods_ready_ = false, shares_ = false;
  std::unique_ptr<World> world_;
  std::deque<std::string> last_writes_;
  std::vector<std::string> local_queues_, cluster_queues_, lost_nodes_;
  std::map<std::string, std::string> targets_;  // LocalQueue -> ClusterQueue
  int next_job_ = 1;
};

}  // namespace kueue::simulation
