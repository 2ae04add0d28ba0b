#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/types/json.h"
#include "apiserver/server.h"
#include "base/executor.h"
#include "manager/manager.h"

namespace kueue::conformance {

// The product's manager against the in-memory server in virtual time, with jobs that act by the
// rules of the data's README and a clock that is moved by hand.
class LifecycleWorld {
 public:
  explicit LifecycleWorld(const api::Json& scenario);
  ~LifecycleWorld();

  // Everything in `objects`, then rest.
  void Begin();
  void PlayStep(const api::Json& step);
  // Writes that never come to rest, as the last differences; empty if all is well.
  std::vector<std::string> unrest() const;
  // The state as the data writes it.
  api::Json Record() const;

 private:
  class Jobs;

  // Objects are put as they are given: no defaults, no webhooks.
  void Apply(const api::Json& object);
  void Put(const api::KindInfo& kind, const std::string& key, api::Json object);
  void Delete(const api::Json& reference);
  template <class Change>
  void ChangeWorkload(const std::string& key, Change change);
  void Rest();
  void Run(base::Time until);

  base::Time Now() const { return executor_.clock().Now(); }
  api::Json RecordWorkload(const api::Workload& workload) const;
  api::Json RecordClusterQueue(const api::ClusterQueue& queue) const;
  template <class T>
  std::vector<T> All() const;

  const api::Json& scenario_;
  const base::Time start_;
  base::VirtualExecutor executor_;
  apiserver::Server server_;
  std::unique_ptr<net::Transport> transport_;
  std::unique_ptr<manager::Manager> manager_;
  kube::Client client_;
  kube::Cache cache_;
  runtime::Driver driver_;
  runtime::Queue* job_queue_ = nullptr;
  std::map<std::string, bool> pods_ready_;
  uint64_t writes_ = 0;
  std::deque<std::string> last_writes_;
  base::Duration moved_{0};  // how far the steps have moved the clock
};

}  // namespace kueue::conformance
