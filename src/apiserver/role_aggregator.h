#pragma once

#include "apiserver/writer.h"
#include "base/executor.h"

namespace kueue::apiserver {

// Gives ClusterRoles that have an aggregationRule the rules of all roles it selects, now and
// whenever roles change.
class RoleAggregator {
 public:
  // Does its first work at once. Both must outlive this.
  RoleAggregator(base::Executor& executor, Writer& writer);
  ~RoleAggregator();

 private:
  void OnChange();
  void Work();

  base::Executor& executor_;
  Writer& writer_;
  Store& store_;
  const api::KindInfo& roles_;
  Store::WatcherId watcher_ = 0;
  bool due_ = false;
  base::Scope scope_;
};

}  // namespace kueue::apiserver
