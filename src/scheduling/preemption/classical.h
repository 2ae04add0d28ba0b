#pragma once

#include <vector>

#include "scheduling/preemption/candidates.h"
#include "scheduling/preemption/search.h"

namespace kueue::scheduling {

// The search without fair sharing (spec/scheduling.md §7.4-§7.6).
class ClassicalSearch {
 public:
  explicit ClassicalSearch(const VictimSearch& search) : s_(search) {}
  std::vector<Victim> Find();

 private:
  // The three lists of §7.4, each in two parts.
  enum List { kHierarchy, kPriority, kOwn, kLists };
  // Candidates of a list that have the same lowest common ancestor with the preemptor.
  struct Stream {
    CandidateCursor cursor;
    const Node* common = nullptr;  // that ancestor; null for the own queue
  };
  using Streams = std::vector<Stream>;
  struct Candidate {
    WorkItem* item = nullptr;
    const Node* common = nullptr;
    PreemptionReason reason = PreemptionReason::kInClusterQueue;
    bool only_without_borrowing = false;
  };

  void CollectForeign();
  void AddStream(List list, const VictimList& victims, PreemptionPolicy policy, const Node* common,
                 const Node* not_below);
  Candidate Classify(List list, const Stream& stream) const;
  bool Empty(List list) const { return leaving_[list].empty() && staying_[list].empty(); }
  // With borrowing or without, in which order (§7.5).
  std::vector<bool> Attempts() const;
  bool StillValid(const Candidate& candidate, bool borrowing) const;
  std::vector<Victim> Attempt(bool borrowing) const;
  // Takes from a list until the workload fits; true if it does.
  bool TakeFrom(List list, const Streams& streams, bool borrowing,
                std::vector<Victim>& victims) const;

  const VictimSearch& s_;
  Streams leaving_[kLists], staying_[kLists];
  std::vector<std::shared_ptr<const VictimList>> borrowers_;  // the streams walk over them
};

}  // namespace kueue::scheduling
