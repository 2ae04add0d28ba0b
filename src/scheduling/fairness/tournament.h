#pragma once

#include <vector>

#include "scheduling/config.h"
#include "scheduling/cycle.h"
#include "scheduling/fairness/share.h"

namespace kueue::scheduling {

// The order of processing with fair sharing (spec/scheduling.md §5.5): picks one entry after the
// other, each time by the shares that hold then, victims of the cycle still counted. In every
// Cohort the best entries of its children meet in a knock-out tree; what is processed changes usage
// only on its own way to the root, so only the matches on that way are played again.
class Tournament {
 public:
  // Each entry's queue has no other entry.
  Tournament(QuotaTree& tree, const Gates& gates, const std::vector<Entry*>& entries);

  // The next to process; null when all are.
  Entry* Next();

 private:
  // The best entry of one child of a Cohort, and how it stands there: by the share of that child,
  // the entry's own usage included.
  struct Standing {
    Node* child = nullptr;
    Entry* entry = nullptr;  // null: nothing left below
    Share share;
    bool borrows = false;  // on a cell that the workload itself asks for
  };
  struct Round {
    Node* cohort = nullptr;
    std::vector<Standing> standings;  // a child's is at Node::seat
    // The knock-out: seat of the best below each match; match 1 is the final, the seats themselves
    // are the last half.
    std::vector<uint32_t> best;
    const Standing& winner() const { return standings[best.size() > 1 ? best[1] : 0]; }
  };

  void SeatTree(size_t first, size_t last);
  Round& RoundOf(Node* cohort);
  void Seat(Round& round, Node* child, Entry* entry) const;
  void PlayAll(Round& round) const;
  void PlayAgain(Round& round, uint32_t seat) const;
  uint32_t Match(const Round& round, uint32_t a, uint32_t b) const;
  void Judge(Standing& standing);
  bool Beats(const Standing& a, const Standing& b) const;
  // From the queue, whose entry is this one now, up to the root.
  void Climb(Node* queue, Entry* entry);

  QuotaTree& tree_;
  const Gates& gates_;
  std::vector<Entry*> entries_;       // by root, then by queue name
  size_t next_tree_ = 0;              // entries before it belong to trees already seated
  Node* root_ = nullptr;              // of the tree being played
  std::vector<Round> rounds_;         // of its Cohorts
  uint64_t epoch_ = 0;                // Cohorts marked with it have a round
  Entry* processing_ = nullptr;       // given out last
  std::vector<ShareChange> changes_;  // of Judge
};

}  // namespace kueue::scheduling
