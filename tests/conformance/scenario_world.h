#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/types/json.h"
#include "api/types/kueue.h"
#include "scheduling/state.h"

namespace kueue::conformance {

// Plays one scenario of scheduling cycles: the objects, the clock and what a cluster does around
// the decisions, in the step order that the data's README fixes. Every write succeeds and is seen
// at once.
class ScenarioWorld {
 public:
  // `one_by_one`: every head gets a cycle; else cycles are fused wherever they may be.
  ScenarioWorld(const api::Json& scenario, bool one_by_one);

  // The recorded entries of all cycles, as the data writes them; fused ones are one entry.
  std::vector<api::Json> Play();
  // State after the last step.
  api::Json End() const;
  // What could not be read or is not known; empty if all went well.
  const std::string& problem() const { return problem_; }

 private:
  using WorkloadPtr = std::shared_ptr<const api::Workload>;

  void Apply(const api::Json& object);
  void ApplyWorkload(api::Workload object);
  void Delete(const api::Json& reference);
  void Finish(const std::string& key, const std::string& reason);
  void Reclaim(const std::string& key, const api::Json& counts);
  void PlayStep(const api::Json& step, int64_t index, std::vector<api::Json>& entries);
  // How many cycles the recording has of a step.
  uint64_t RecordedCycles(int64_t index) const;
  // At most so many cycles at once; subtracts those that were played from `budget`.
  api::Json PlayCycles(uint64_t most, uint64_t& budget);
  std::vector<std::string> Leaving() const;
  void CarryOut(const scheduling::Plan& plan);
  void Settle();
  api::Json Record(const scheduling::Plan& plan) const;
  void Tell(api::Workload object);
  void SetCondition(api::Workload& object, const char* type, bool status, const std::string& reason,
                    const std::string& message = "") const;
  template <class T>
  std::shared_ptr<T> Read(const api::Json& object);

  const api::Json& scenario_;
  const bool one_by_one_;
  base::Time now_;
  std::unique_ptr<scheduling::State> state_;
  std::map<std::string, WorkloadPtr> workloads_;
  std::map<std::string, std::shared_ptr<const api::ClusterQueue>> queues_;
  int64_t generation_ = 0;  // an applied spec counts as changed even when it is not
  std::string problem_;
};

}  // namespace kueue::conformance
