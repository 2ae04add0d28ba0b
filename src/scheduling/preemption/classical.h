#pragma once

#include <vector>

#include "scheduling/preemption/search.h"

namespace kueue::scheduling {

// The search without fair sharing (spec/scheduling.md §7.4-§7.6).
class ClassicalSearch {
 public:
  explicit ClassicalSearch(const VictimSearch& search) : s_(search) {}
  std::vector<Victim> Find();

 private:
  struct Candidate {
    WorkItem* item = nullptr;
    const Node* common = nullptr;  // lowest common ancestor; null for the own queue
    PreemptionReason reason = PreemptionReason::kInClusterQueue;
    bool only_without_borrowing = false;
  };
  using Candidates = std::vector<Candidate>;

  void CollectForeign();
  void CollectOwn();
  // Queues above their nominal quota, in subtrees that are above theirs.
  void CollectBorrowers(const Node& cohort, const Node* skip, const Node& common, bool advantage);
  Candidate Foreign(WorkItem* item, const Node& common, bool advantage) const;
  Candidates InSequence();
  std::vector<bool> Attempts() const;
  bool StillValid(const Candidate& candidate, bool borrowing) const;
  std::vector<Victim> Attempt(const Candidates& sequence, bool borrowing) const;

  const VictimSearch& s_;
  Candidates hierarchy_, priority_, own_;
};

}  // namespace kueue::scheduling
