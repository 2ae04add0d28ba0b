#pragma once

#include <cstdint>
#include <vector>

#include "scheduling/topology/node_match.h"
#include "scheduling/topology/request.h"
#include "scheduling/topology/space.h"

namespace kueue::scheduling::topology {

// How much of a request a domain takes (spec/topology.md §7): pods and whole slices, each without
// and with one leader pod on the domain; whether a leader fits at all; the affinity score.
struct Tally {
  int64_t pods = 0, slices = 0, pods_l = 0, slices_l = 0;
  int64_t score = 0;
  int32_t lead = 0;
  friend bool operator==(const Tally&, const Tally&) = default;
};

// Rolls children up into their parent (§7). `group`: 0, or the size whose multiples count.
class RollUp {
 public:
  RollUp(int64_t group, bool leader) : group_(group), leader_(leader) {}
  void Add(const Tally& child);
  // `slice`: the size if the domain is on the slice level, else 0.
  Tally Sum(int64_t slice) const;

 private:
  const int64_t group_;
  const bool leader_;
  Tally sum_;
  bool any_ = false;
  int64_t pods_cost_ = INT64_MAX, slices_cost_ = INT64_MAX;
};

// Positions from `begin` up to `end`.
struct Range {
  uint32_t begin = 0, end = UINT32_MAX;
};

// The tallies of all domains for one shape of request. Kept for requests that look the same: after
// a change only what is on a path from a changed site to the top is counted again.
class Counts {
 public:
  // What the tallies depend on besides the space; terms that differ in nothing of this share them.
  struct Shape {
    RequestVector need, leader_need;
    bool leader = false, empty = false;
    int64_t size = 1;
    int slice_level = 0;
    std::vector<int64_t> inner;
    uint64_t match = 0;  // number of the NodeMatch; 0: every site matches
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  static Shape ShapeOf(const Terms& terms, const NodeMatch* match, bool empty);

  // `range`: only these positions take part; needs a table of its own.
  explicit Counts(Shape shape, Range range = {}) : shape_(std::move(shape)), range_(range) {}

  // REQUIRES: the space is prepared and `match` (null: all match) has caught up.
  void CatchUp(const Space& space, const NodeMatch* match);
  Tally Of(const Space& space, size_t level, uint32_t domain) const;
  const Shape& shape() const { return shape_; }

 private:
  void CountAll(const Space& space, const NodeMatch* match);
  void CountChanged(const Space& space, const NodeMatch* match);
  // True if it is different from before.
  bool CountSite(const Space& space, const NodeMatch* match, Site site);
  Tally OfSite(Site site) const;
  Tally SumOf(const Space& space, size_t level, uint32_t domain) const;

  const Shape shape_;
  const Range range_;
  std::vector<int32_t> pods_, pods_l_;     // by site; the second only with a leader
  std::vector<uint8_t> lead_;              // by site, only with a leader
  std::vector<int64_t> scores_;            // by site, only if scored
  std::vector<std::vector<Tally>> inner_;  // by level above the lowest, by domain
  std::vector<uint32_t> changed_, above_;  // scratch: domains to sum again
  uint64_t structure_ = 0, capacity_read_ = 0, match_read_ = 0;
};

// How often the requests fit into what is left at a site, cut to 2^31-1; 0 if nothing is requested.
// `taken`: null, or what is gone from it already.
int32_t FitCount(const Space& space, const RequestVector& need, bool empty, Site site,
                 const RequestVector* taken = nullptr);
// The resource that decided FitCount: the smallest quotient, then the name (§7).
ResourceId LimitingResource(const Space& space, const RequestVector& need, bool empty, Site site,
                            const Catalog& catalog);

}  // namespace kueue::scheduling::topology
