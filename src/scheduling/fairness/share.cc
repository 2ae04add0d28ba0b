#include "scheduling/fairness/share.h"

#include <algorithm>
#include <cmath>

#include "scheduling/model/quota_tree.h"

namespace kueue::scheduling {
namespace {

// Excess over the subtree quota, summed per resource over the flavors (§2.6 step 1).
using Excess = std::vector<std::pair<ResourceId, Amount>>;

void AddTo(Excess& excess, ResourceId resource, Amount amount) {
  for (auto& [known, sum] : excess) {
    if (known != resource) continue;
    sum += amount;
    return;
  }
  excess.emplace_back(resource, amount);
}

Amount LendableTo(const Node& parent, ResourceId resource) {
  for (const auto& [known, sum] : parent.lendable) {
    if (known == resource) return sum;
  }
  return Amount(0);
}

}  // namespace

Share ComputeShare(const Catalog& catalog, const Node& node) {
  Share share;
  if (node.parent == nullptr) return share;
  Excess excess;
  for (const Slot& slot : node.slots) {
    if (!slot.declared || slot.usage <= slot.subtree) continue;
    share.borrowing = true;
    AddTo(excess, catalog.ResourceOf(slot.cell), slot.usage - slot.subtree);
  }
  for (const auto& [resource, over] : excess) {
    const Amount lendable = LendableTo(*node.parent, resource);
    if (lendable <= Amount(0)) continue;
    const double ratio =
        static_cast<double>(over.value()) * 1000.0 / static_cast<double>(lendable.value());
    const bool larger = ratio > share.ratio;
    if (larger || (ratio == share.ratio && share.dominant.valid() &&
                   catalog.Name(resource) < catalog.Name(share.dominant))) {
      share.ratio = ratio;
      share.dominant = resource;
    }
  }
  if (share.ratio == 0) return share;
  share.endless = node.weight == 0;
  if (!share.endless) share.value = share.ratio / node.weight;
  return share;
}

int64_t ShownShare(const Share& share) {
  if (share.endless) return INT64_MAX;
  const double up = std::ceil(share.value);
  return up >= 9223372036854775807.0 ? INT64_MAX : static_cast<int64_t>(up);
}

}  // namespace kueue::scheduling
