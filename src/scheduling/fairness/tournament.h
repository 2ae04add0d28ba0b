#pragma once

#include <vector>

#include "scheduling/config.h"
#include "scheduling/cycle.h"
#include "scheduling/fairness/share.h"

namespace kueue::scheduling {

// The order of processing with fair sharing (spec/scheduling.md §5.5): picks one entry after the
// other, each time by the shares that hold then.
class Tournament {
 public:
  // Each entry's queue has no other entry. Needs the journal to be on.
  Tournament(QuotaTree& tree, const Gates& gates, const std::vector<Entry*>& entries);

  // The next to process; null when all are.
  Entry* Next();

 private:
  // The entry's standing at one Cohort: by the share of the child it comes through, its own usage
  // included.
  struct Standing {
    const Node* below = nullptr;   // that child
    uint64_t version = UINT64_MAX; // of the child when this was computed
    Share share;
    bool borrows = false;          // on a cell that the workload itself asks for
  };
  struct Contender {
    Entry* entry = nullptr;
    std::vector<Standing> standings;  // from the queue upward
  };
  void RefreshStandings(Contender& contender);
  // The best entry below the cohort; null without one. `height`: levels above the queues differ
  // by contender, so the standing is found by its node.
  Contender* Winner(const Node& cohort);
  bool Beats(const Contender& a, const Contender& b, const Node& cohort) const;

  QuotaTree& tree_;
  const Gates& gates_;
  std::vector<Contender> left_;  // by root name, then by queue name
};

}  // namespace kueue::scheduling
