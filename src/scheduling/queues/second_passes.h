#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"

namespace kueue::scheduling {

// Workloads that hold quota and still need places (spec/topology.md §15.3, spec/scheduling.md
// §4.9): each waits once, longer after every attempt that failed.
class SecondPasses {
 public:
  struct Ready {
    std::string key;   // "namespace/name"
    int attempts = 0;  // that failed before
  };

  // The next attempt after so many that failed; nothing happens to one that waits already.
  void Ask(const std::string& key, int failed, base::Time now);
  void Drop(const std::string& key);
  // Those whose time has come are ready from now on.
  void Ring(base::Time now);
  // All that are ready, by key; they wait no more.
  std::vector<Ready> Take();

  bool AnyReady() const { return !ready_.empty(); }
  std::optional<base::Time> NextDue() const;

 private:
  struct Waiting {
    base::Time due;
    int failed = 0;
  };
  std::map<std::string, Waiting> waiting_;
  std::set<std::pair<base::Time, std::string>> due_;  // the same by time
  std::map<std::string, int> ready_;
};

}  // namespace kueue::scheduling
