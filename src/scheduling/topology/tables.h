#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheduling/topology/counts.h"

namespace kueue::scheduling::topology {

// What was worked out for one space and may be asked again: matches by constraints of a pod, counts
// by shape of a request (spec/topology.md §5.4). Those used longest ago make room for new ones.
class Tables {
 public:
  // REQUIRES for both: the space is prepared. The pointers stay good until the next call of either
  // for another space's table, or until kMatches (kCounts) others were asked for.
  // Null where nothing is checked: lowest domains that are no single nodes (§5.2).
  const NodeMatch* Match(const Space& space, const api::PodSpec& pod, bool scored);
  const Counts& Count(const Space& space, const Terms& terms, const NodeMatch* match, bool empty);

 private:
  static constexpr size_t kMatches = 32, kCounts = 12;
  struct Kept {
    std::string key;
    uint64_t toleration_version = 0;
    std::unique_ptr<NodeMatch> match;
  };
  // The one used last is the last.
  std::vector<Kept> matches_;
  std::vector<std::unique_ptr<Counts>> counts_;
  uint64_t last_number_ = 0;
};

}  // namespace kueue::scheduling::topology
