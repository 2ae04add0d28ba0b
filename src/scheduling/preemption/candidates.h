#pragma once

#include <vector>

#include "scheduling/fairness/share.h"
#include "scheduling/model/queue_rules.h"
#include "scheduling/world.h"

namespace kueue::scheduling {

class VictimSearch;

// Running workloads in the order in which they would have to go (spec/scheduling.md §7.2), the
// place in relation to the preemptor's queue aside. Those that leave anyway come first.
struct VictimList {
  std::vector<WorkItem*> items;
  uint32_t leaving = 0;     // so many leave already
  bool by_priority = true;  // the staying ones; else their LocalQueues come first
};

// The different amounts that the running workloads below a node hold, each once; where there are
// too many, the least of each cell. Whatever candidate leaves gives back at least one of these.
struct Holders {
  static constexpr size_t kMost = 16;
  std::vector<const std::vector<CellUse>*> amounts;
  bool many = false;
  std::vector<CellUse> least;  // if many
  // The largest share that `side` is left with when one of them leaves (MostLeft); good for that
  // version of it.
  const Node* side = nullptr;
  uint64_t side_version = 0;
  Share most_left;
};

// What searches in one tree have in common, kept at its root until a fact touches the tree: the
// heads of a cycle are all nominated against the same view.
struct VictimCache {
  uint64_t epoch = 0;
  bool by_local_queue = false;  // in some queue: by its priority or by what it used
  VictimList all;            // made when it is asked for
  bool all_known = false;
  struct Borrowers {
    const Node* cohort = nullptr;
    std::vector<CellId> needed;
    std::shared_ptr<const VictimList> list;
  };
  std::vector<Borrowers> borrowers;  // as they are in the untouched view
  std::vector<Holders> holders;      // by Node::holders_at
};

// Of one queue.
const VictimList& VictimsOf(QuotaTree& tree, const ClusterQueue& queue);
// At most this share (in the order of ShareLess) is left to `side` when any one of the candidates
// below `below`, itself or a node below it, leaves. REQUIRES: no queue of the tree uses less than
// its workloads hold (QuotaTree::uneven).
Share MostLeft(QuotaTree& tree, Node* below, const Node& side);
// Of the queues below the Cohort that are above nominal on something needed, in subtrees that are
// above theirs (§7.4).
std::shared_ptr<const VictimList> BorrowersBelow(QuotaTree& tree, const Node& cohort,
                                                 const std::vector<CellId>& needed);
// The order above; total.
bool GoesBefore(const WorkItem& a, const WorkItem& b);

enum class CandidatePart : uint8_t { kLeaving, kStaying, kAll };

// Walks over the candidates of a list for one search, found one at a time: most searches end long
// before the last one.
class CandidateCursor {
 public:
  CandidateCursor() = default;
  // `not_below`: a node whose workloads do not count, or null.
  CandidateCursor(const VictimSearch& search, const VictimList& list, PreemptionPolicy policy,
                  CandidatePart part, const Node* not_below = nullptr);

  // The candidate at hand; null behind the last.
  WorkItem* item() const { return at_ < last_ ? items_[at_] : nullptr; }
  void Next() {
    ++at_;
    Settle();
  }

 private:
  // On to the next one that may go and holds something needed.
  void Settle();

  const VictimSearch* search_ = nullptr;
  WorkItem* const* items_ = nullptr;
  const Node* not_below_ = nullptr;
  bool by_priority_ = true;
  uint32_t at_ = 0, last_ = 0;
  PreemptionPolicy policy_ = PreemptionPolicy::kNever;
};

}  // namespace kueue::scheduling
