#pragma once

#include <map>
#include <utility>
#include <vector>

#include "scheduling/topology/placer.h"

namespace kueue::scheduling::topology {

// Balanced placement of preferred requests (spec/topology.md §9): within the children of one domain
// above the wanted level, the largest number of slices that every used domain can have; then as few
// domains as will do.
class BalancedSearch {
 public:
  explicit BalancedSearch(const Placer& placer)
      : placer_(placer), space_(placer.space_), terms_(placer.terms_), lead_(placer.lead_) {}

  // False: no balance is possible. `cut`: the counters that the way down has to use.
  bool Find(size_t& level, Picks& picks, CutTree& cut);

 private:
  struct Greedy {
    size_t used = 0;
    bool has_leader = false, has_worker = false;
    int64_t leader_slices = 0;                       // with leader, of the last leader's domain
    int64_t worker_slices = 0, worker_slices_l = 0;  // of the last other domain
  };
  struct Trial {
    int64_t threshold = 0;
    size_t used = 0;
    CutTree cut;
  };
  bool TakeGreedily(Picks picks, Greedy& taken) const;
  CutTree Copy(size_t level, uint32_t begin, uint32_t end) const;
  Picks PicksOf(const CutTree& cut, size_t level, uint32_t begin, uint32_t end) const;
  Picks Siblings(const CutTree& cut) const;
  Picks ChildrenOf(const CutTree& cut, const Picks& parents) const;
  bool TrySiblings(uint32_t begin, uint32_t end, int64_t best, Trial& trial) const;
  void Prune(CutTree& cut, int64_t threshold) const;
  void Cut(CutTree& cut, size_t level, uint32_t domain, int64_t threshold) const;
  void Wipe(CutTree& cut, size_t level, uint32_t domain, bool all) const;
  void RollUpAll(CutTree& cut) const;
  double Entropy(const CutTree& cut, size_t level, uint32_t domain) const;
  void SortByEntropy(const CutTree& cut, size_t level, Picks& picks) const;
  // The fewest domains with the least surplus; looked for in the order of `picks`.
  bool OptimalSet(const Picks& picks, Picks& chosen) const;
  bool Spread(Picks& picks, int64_t threshold) const;

  const Placer& placer_;
  const Space& space_;
  const Terms& terms_;
  const int32_t lead_;
};

}  // namespace kueue::scheduling::topology
