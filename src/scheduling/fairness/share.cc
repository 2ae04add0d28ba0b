#include "scheduling/fairness/share.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "scheduling/model/quota_tree.h"
#include "scheduling/mutation.h"

namespace kueue::scheduling {
namespace {

// Excess over the subtree quota, summed per resource over the flavors (§2.6 step 1). Nodes know few
// resources: those that go beyond the array are rare.
class Excess {
 public:
  void Add(ResourceId resource, Amount amount) {
    for (size_t i = 0; i < count_; ++i) {
      if (At(i).resource != resource) continue;
      At(i).amount += amount;
      return;
    }
    if (count_ < first_.size()) {
      first_[count_] = {resource, amount};
    } else {
      rest_.push_back({resource, amount});
    }
    ++count_;
  }
  size_t size() const { return count_; }
  struct Entry {
    ResourceId resource;
    Amount amount;
  };
  Entry& At(size_t i) { return i < first_.size() ? first_[i] : rest_[i - first_.size()]; }

 private:
  std::array<Entry, 8> first_;
  std::vector<Entry> rest_;
  size_t count_ = 0;
};

Amount LendableTo(const Node& parent, ResourceId resource) {
  for (const auto& [known, sum] : parent.lendable) {
    if (known == resource) return sum;
  }
  return Amount(0);
}

}  // namespace

Share ComputeShare(const Catalog& catalog, const Node& node, const ShareChange* changes,
                   size_t count, bool with_leaving) {
  Share share;
  if (node.parent == nullptr) return share;
  Excess excess;
  for (uint32_t i = 0; i < node.slots.size(); ++i) {
    const Slot& slot = node.slots[i];
    if (!slot.declared) continue;
    Amount usage = with_leaving ? slot.UsageWithLeaving() : slot.usage;
    for (size_t c = 0; c < count; ++c) {
      if (changes[c].slot == i) usage += changes[c].used;
    }
    if (Mutated(kShareCountsNominal) ? usage < slot.nominal : usage <= slot.subtree) continue;
    share.borrowing = true;
    excess.Add(catalog.ResourceOf(slot.cell), usage - slot.subtree);
  }
  for (size_t i = 0; i < excess.size(); ++i) {
    const auto [resource, over] = excess.At(i);
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
  share.endless = node.weight == 0 && !Mutated(kWeightZeroIsOrdinary);
  if (!share.endless) {
    share.value = Mutated(kShareForgetsWeight) ? share.ratio : share.ratio / node.weight;
  }
  return share;
}

int64_t ShownShare(const Share& share) {
  if (share.endless) return INT64_MAX;
  const double up = std::ceil(share.value);
  return up >= 9223372036854775807.0 ? INT64_MAX : static_cast<int64_t>(up);
}

}  // namespace kueue::scheduling
