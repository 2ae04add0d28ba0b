#pragma once

#include <set>
#include <string>

#include "apiserver/store.h"
#include "base/executor.h"

namespace kueue::apiserver {

// Writes into a ValidatingAdmissionPolicy which generation of it has been looked at, as the
// controller of a cluster does: clients wait for status.observedGeneration. Lives on the server's
// executor.
class PolicyStatus {
 public:
  // Both must outlive this.
  PolicyStatus(base::Executor& executor, Store& store);
  ~PolicyStatus();

 private:
  void OnChange(const StoreChange& change);
  void Work();

  base::Executor& executor_;
  Store& store_;
  const api::KindInfo& kind_;
  Store::WatcherId watcher_;
  std::set<std::string> pending_;
  base::Scope scope_;
};

}  // namespace kueue::apiserver
