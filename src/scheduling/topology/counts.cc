#include "scheduling/topology/counts.h"

#include <algorithm>

namespace kueue::scheduling::topology {
namespace {

constexpr int64_t kMost = INT32_MAX;

int64_t Quotient(int64_t have, int64_t want) {
  if (want == 0) return kMost;
  return have <= 0 ? 0 : std::min(have / want, kMost);
}

}  // namespace

void RollUp::Add(const Tally& child) {
  int64_t pods = child.pods, pods_l = child.pods_l;
  if (group_ != 0) {
    pods -= pods % group_;
    pods_l -= pods_l % group_;
  }
  sum_.pods += pods;
  sum_.slices += child.slices;
  sum_.score += child.score;
  sum_.lead = std::max(sum_.lead, child.lead);
  if (leader_ && child.lead == 0) return;
  any_ = true;
  pods_cost_ = std::min(pods_cost_, pods - pods_l);
  slices_cost_ = std::min(slices_cost_, child.slices - child.slices_l);
}

Tally RollUp::Sum(int64_t slice) const {
  Tally sum = sum_;
  sum.pods_l = any_ ? sum.pods - pods_cost_ : 0;
  sum.slices_l = any_ ? sum.slices - slices_cost_ : 0;
  if (slice != 0) {
    sum.slices = sum.pods / slice;
    sum.slices_l = sum.pods_l / slice;
  }
  return sum;
}

int32_t FitCount(const Space& space, const RequestVector& need, bool empty, Site site,
                 const RequestVector* taken) {
  if (need.empty()) return 0;
  int64_t least = kMost;
  for (const ResourceAmount& want : need) {
    const int64_t* const column = space.Column(want.resource, empty);
    int64_t have = column == nullptr ? 0 : column[site];
    if (taken != nullptr) {
      have = resources::SaturatingSub(have, AmountOf(*taken, want.resource));
    }
    least = std::min(least, Quotient(have, want.amount));
  }
  return static_cast<int32_t>(least);
}

ResourceId LimitingResource(const Space& space, const RequestVector& need, bool empty, Site site,
                            const Catalog& catalog) {
  ResourceId limiting;
  int64_t least = INT64_MAX;
  for (const ResourceAmount& want : need) {
    const int64_t* const column = space.Column(want.resource, empty);
    const int64_t times = Quotient(column == nullptr ? 0 : column[site], want.amount);
    if (times > least) continue;
    if (times == least && catalog.Name(limiting) < catalog.Name(want.resource)) continue;
    least = times;
    limiting = want.resource;
  }
  return limiting;
}

Counts::Shape Counts::ShapeOf(const Terms& terms, const NodeMatch* match, bool empty) {
  Shape shape;
  shape.need = terms.need;
  shape.leader_need = terms.leader_need;
  shape.leader = terms.leader;
  shape.empty = empty;
  shape.size = terms.size;
  shape.slice_level = terms.slice_level;
  shape.inner = terms.inner;
  shape.match = match == nullptr ? 0 : match->number();
  return shape;
}

Tally Counts::OfSite(Site site) const {
  Tally tally;
  tally.pods = tally.pods_l = pods_[site];
  if (shape_.leader) {
    tally.pods_l = pods_l_[site];
    tally.lead = lead_[site];
  }
  if (!scores_.empty()) tally.score = scores_[site];
  if (static_cast<size_t>(shape_.slice_level) == shape_.inner.size() - 1) {
    tally.slices = tally.pods / shape_.size;
    tally.slices_l = tally.pods_l / shape_.size;
  }
  return tally;
}

Tally Counts::Of(const Space& space, size_t level, uint32_t domain) const {
  return level + 1 == space.depth() ? OfSite(space.order()[domain]) : inner_[level][domain];
}

Tally Counts::SumOf(const Space& space, size_t level, uint32_t domain) const {
  RollUp sum(shape_.inner[level + 1], shape_.leader);
  const Level& here = space.level(level);
  for (uint32_t child = here.first[domain]; child < here.first[domain + 1]; ++child) {
    sum.Add(Of(space, level + 1, child));
  }
  return sum.Sum(static_cast<size_t>(shape_.slice_level) == level ? shape_.size : 0);
}

bool Counts::CountSite(const Space& space, const NodeMatch* match, Site site) {
  int32_t pods = 0, pods_l = 0;
  uint8_t lead = 0;
  int64_t score = 0;
  const uint32_t position = space.position(site);
  const bool inside = position >= range_.begin && position < range_.end;
  if (inside && space.present(site) && (match == nullptr || match->Fits(site))) {
    pods = FitCount(space, shape_.need, shape_.empty, site);
    if (shape_.leader) {
      lead = FitCount(space, shape_.leader_need, shape_.empty, site) > 0;
      pods_l =
          lead == 0 ? pods : FitCount(space, shape_.need, shape_.empty, site, &shape_.leader_need);
    }
    if (match != nullptr) score = match->score(site);
  }
  bool changed = std::exchange(pods_[site], pods) != pods;
  if (shape_.leader) {
    changed |= std::exchange(pods_l_[site], pods_l) != pods_l;
    changed |= std::exchange(lead_[site], lead) != lead;
  }
  if (!scores_.empty()) changed |= std::exchange(scores_[site], score) != score;
  return changed;
}

// The same as CountSite for all, column by column.
void Counts::CountAll(const Space& space, const NodeMatch* match) {
  const std::vector<Site>& order = space.order();
  std::fill(pods_.begin(), pods_.end(), 0);
  const uint32_t end = std::min(range_.end, static_cast<uint32_t>(order.size()));
  const bool plain = !shape_.leader && scores_.empty();
  if (!plain) {
    for (const Site site : order) CountSite(space, match, site);
  } else {
    for (uint32_t p = range_.begin; p < end; ++p) {
      const Site site = order[p];
      if (space.present(site) && (match == nullptr || match->Fits(site))) pods_[site] = kMost;
    }
    for (const ResourceAmount& want : shape_.need) {
      const int64_t* const column = space.Column(want.resource, shape_.empty);
      for (uint32_t p = range_.begin; p < end; ++p) {
        int32_t& pods = pods_[order[p]];
        if (pods == 0) continue;
        const int64_t times = Quotient(column == nullptr ? 0 : column[order[p]], want.amount);
        pods = std::min(pods, static_cast<int32_t>(times));
      }
    }
  }
  for (size_t l = space.depth() - 1; l-- > 0;) {
    inner_[l].resize(space.level(l).size);
    for (uint32_t d = 0; d < space.level(l).size; ++d) inner_[l][d] = SumOf(space, l, d);
  }
}

void Counts::CountChanged(const Space& space, const NodeMatch* match) {
  changed_.clear();
  for (const uint64_t* read : {&capacity_read_, &match_read_}) {
    const ChangeLog& log = read == &capacity_read_ ? space.capacity_log() : space.match_log();
    std::span<const uint32_t> sites;
    if (!log.Since(*read, sites)) return CountAll(space, match);
    if (sites.size() > space.sites() / 4 + 16) return CountAll(space, match);
    for (const Site site : sites) {
      if (CountSite(space, match, site)) changed_.push_back(space.position(site));
    }
  }
  for (size_t l = space.depth() - 1; l-- > 0 && !changed_.empty();) {
    above_.clear();
    for (const uint32_t domain : changed_) above_.push_back(space.level(l + 1).parent[domain]);
    std::sort(above_.begin(), above_.end());
    above_.erase(std::unique(above_.begin(), above_.end()), above_.end());
    changed_.clear();
    for (const uint32_t domain : above_) {
      const Tally sum = SumOf(space, l, domain);
      if (sum == inner_[l][domain]) continue;
      inner_[l][domain] = sum;
      changed_.push_back(domain);
    }
  }
}

void Counts::CatchUp(const Space& space, const NodeMatch* match) {
  if (structure_ != space.structure() || pods_.size() < space.sites()) {
    pods_.assign(space.sites(), 0);
    if (shape_.leader) {
      pods_l_.assign(space.sites(), 0);
      lead_.assign(space.sites(), 0);
    }
    if (match != nullptr && match->scored()) scores_.assign(space.sites(), 0);
    inner_.resize(space.depth() - 1);
    CountAll(space, match);
  } else {
    CountChanged(space, match);
  }
  structure_ = space.structure();
  capacity_read_ = space.capacity_log().end();
  match_read_ = space.match_log().end();
}

}  // namespace kueue::scheduling::topology
