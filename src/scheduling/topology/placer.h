#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scheduling/topology/counts.h"

namespace kueue::scheduling::topology {

// Pods on one lowest domain.
struct Portion {
  Site site = kNoSite;
  int32_t count = 0;
  friend bool operator==(const Portion&, const Portion&) = default;
};
// In the order of the domains' values, which is the order of ranks (spec/topology.md §10).
using Portions = std::vector<Portion>;

// Why a request found no place (§12.1, §12.2).
struct Failure {
  std::string problem;  // what is wrong with the request itself; then nothing else is set
  std::string topology_flavor;
  int64_t fitting = 0, wanted = 0;
  bool in_slices = false;
  struct LayerFit {
    std::string key;
    int64_t fitting = 0, wanted = 0;
  };
  std::vector<LayerFit> layers;                            // instead, with two layers or more
  // Of every level, coarse to fine, the domain that takes the most pods.
  struct LevelFit {
    std::string key, domain;  // the domain's values, joined by ','
    int64_t pods = 0;
  };
  std::vector<LevelFit> best;
  uint32_t leaves = 0;                                     // candidates there were
  std::vector<std::pair<std::string, uint32_t>> excluded;  // cause and how many, by cause
  std::vector<std::pair<std::string, uint32_t>> unusable;  // no candidates: notReady, unschedulable
};
std::string Describe(const Failure& failure);

// Which algorithms may be used (§8.3).
struct Profile {
  bool least_free_for_unconstrained = true;  // gate TASProfileMixed
  bool balanced_for_preferred = false;       // gate TASBalancedPlacement
};

// A domain with what is still meant to go there.
struct Pick : Tally {
  uint32_t domain = 0;
};
using Picks = std::vector<Pick>;
enum class Unit : uint8_t { kPods, kSlices };

// The counters of domains that balanced placement has cut down (§9): every level below a set of
// siblings, copied.
struct CutTree {
  size_t top = 0;                           // level of the siblings
  std::vector<uint32_t> first;              // by level from `top`: number of the first domain
  std::vector<std::vector<Tally>> tallies;  // by level from `top`, by domain from `first`
  Tally& At(size_t level, uint32_t domain) {
    return tallies[level - top][domain - first[level - top]];
  }
  const Tally& At(size_t level, uint32_t domain) const {
    return tallies[level - top][domain - first[level - top]];
  }
};

// One placement on counted domains (§8): chooses a level and domains, then goes down to the lowest
// level.
class Placer {
 public:
  // All have to stay. `counts` of these terms, caught up. `scored`: affinity scores count.
  Placer(const Space& space, const Terms& terms, const Counts& counts, const Profile& profile,
         bool scored)
      : space_(space),
        terms_(terms),
        counts_(counts),
        lead_(terms.leader ? 1 : 0),
        scored_(scored),
        least_free_(terms.unconstrained && profile.least_free_for_unconstrained),
        balanced_(profile.balanced_for_preferred && !terms.required && !terms.unconstrained) {}

  // False: not placed, and `failure` says how much would fit.
  bool Run(Portions& workers, Portions& leader, Failure& failure);

 private:
  friend class BalancedSearch;
  struct Choice {
    size_t level = 0;
    Picks picks;
  };
  bool BeforeL(const Pick& a, const Pick& b, bool least_free) const;
  bool BeforeW(const Pick& a, const Pick& b, bool least_free) const;
  void SortL(Picks& picks, bool least_free) const;
  void SortW(Picks& picks, bool least_free) const;
  size_t Best(const Picks& picks, size_t from, int64_t need, int32_t lead, Unit unit) const;
  void Front(Picks& picks, int64_t count, int32_t lead, int64_t size, Unit unit) const;

  bool Find(Choice& choice, Failure& failure) const;
  bool Single(const Picks& picks, Pick& found) const;
  bool Several(Picks picks, Choice& choice, Failure& failure) const;
  void ReportShort(size_t level, const Picks& picks, int64_t fitting, Failure& failure) const;

  Picks Domains(size_t level) const;
  void AddChildren(size_t level, const Pick& parent, const CutTree* cut, Picks& children) const;
  bool Trim(Picks& picks, int64_t count, int32_t lead, int64_t size, Unit unit) const;
  bool Descend(Choice choice, const CutTree* cut, Picks& lowest) const;
  bool ShareOut(size_t level, const Pick& parent, const CutTree* cut, int64_t group,
                Picks& next) const;

  const Space& space_;
  const Terms& terms_;
  const Counts& counts_;
  const int32_t lead_;
  const bool scored_, least_free_, balanced_;
};

}  // namespace kueue::scheduling::topology
