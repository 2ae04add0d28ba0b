#pragma once

#include <deque>
#include <string>

#include "apiserver/store.h"
#include "base/executor.h"

// Events of the cluster go after an hour. One sweep a minute, and only while there are events.
namespace kueue::apiserver {

class EventExpiry {
 public:
  EventExpiry(base::Executor& executor, Store& store, base::Duration keep = base::hours(1));
  ~EventExpiry();

 private:
  struct Entry {
    base::Time written;
    uint64_t revision;
    std::string key;
  };
  void OnChange(const StoreChange& change);
  void Sweep();
  void Arm();

  base::Executor& executor_;
  Store& store_;
  const base::Duration keep_;
  const api::KindInfo& events_;
  Store::WatcherId watcher_;
  std::deque<Entry> entries_;  // in the order written; outdated ones are skipped by revision
  base::TimerId timer_ = 0;
  bool armed_ = false;
  base::Scope scope_;
};

}  // namespace kueue::apiserver
