#include "scheduling/least_change.h"

#include <algorithm>
#include <utility>

#include "scheduling/cycle.h"

namespace kueue::scheduling {
namespace {

struct Increase {
  uint32_t slot = 0;
  int64_t asked = 0;   // by the workload, of this resource
  int64_t amount = 0;  // of the increase
};
using Increases = std::vector<Increase>;

// The largest part of what is asked for. A figure to choose by, not one that is told.
double ShareOf(const Increases& increases) {
  double share = 0;
  for (const Increase& increase : increases) {
    share = std::max(share, static_cast<double>(increase.amount) /
                                static_cast<double>(std::max<int64_t>(1, increase.asked)));
  }
  return share;
}

// The one with fewer resources raised, then the smaller part of what is asked for; the first of
// equals. An empty one is none.
void KeepBetter(Increases found, Increases& best) {
  if (found.empty()) return;
  if (best.empty() || found.size() < best.size() ||
      (found.size() == best.size() && ShareOf(found) < ShareOf(best))) {
    best = std::move(found);
  }
}

class LeastChange {
 public:
  LeastChange(World& world, WorkItem& item, ClusterQueue& queue, base::Time now)
      : world_(world), item_(item), queue_(queue), now_(now) {}

  Increases Find() {
    Increases best;
    for (const RuleGroup& group : queue_.rules.groups) {
      for (const RuleFlavor& flavor : group.flavors) KeepBetter(InOneFlavor(group, flavor), best);
    }
    return best.empty() ? InEachGroup() : best;
  }

 private:
  bool Fits(const Increases& increases) {
    for (const Increase& i : increases) Raise(i.slot, i.amount);
    std::string reason, message;
    const auto entry = Cycle(world_, now_).Probe(&item_, &queue_, reason, message);
    for (const Increase& i : increases) Raise(i.slot, -i.amount);
    return entry != nullptr && entry->assignment.mode() == FlavorMode::kFit;
  }
  void Raise(uint32_t slot, int64_t by) {
    if (by != 0) world_.tree.RaiseNominal(queue_.node, slot, Amount(by));
  }

  int64_t AskedOf(ResourceId resource) const {
    int64_t sum = 0;
    for (size_t i = 0; i < item_.demand->pod_sets.size(); ++i) {
      const int64_t per_pod = AmountOf(item_.demand->pod_sets[i].per_pod, resource);
      sum = resources::SaturatingAdd(sum, resources::SaturatingMul(per_pod, item_.counts[i]));
    }
    if (world_.catalog.Name(resource) != "pods") return sum;
    for (const int32_t count : item_.counts) sum = resources::SaturatingAdd(sum, count);
    return sum;
  }

  // What is asked for, and what is overdrawn, of every resource of the flavor.
  Increases Plenty(const RuleGroup& group, const RuleFlavor& flavor) const {
    Increases increases;
    for (size_t i = 0; i < group.resources.size(); ++i) {
      const uint32_t slot = flavor.slots[i];
      const int64_t asked = AskedOf(group.resources[i]);
      const Amount debt = Amount(0) - QuotaTree::Available(*queue_.node, slot);
      const int64_t most = resources::SaturatingAdd(asked, std::max<int64_t>(0, debt.value()));
      if (queue_.node->slots[slot].nominal.IsUnlimited() || most > INT64_MAX / 16) continue;
      increases.push_back({slot, asked, most});
    }
    return increases;
  }

  // True when the increases, or up to eight times as much, let it in: where quota is lent or kept
  // on the way up, an increase may not count in full.
  bool DoubleUntilItFits(Increases& increases) {
    for (int doubled = 0;; ++doubled) {
      if (Fits(increases)) return true;
      if (doubled == 3) return false;
      for (Increase& increase : increases) increase.amount *= 2;
    }
  }

  // Each as far as it goes. Less of one may make less of another enough: smaller counts fit then.
  void LowerAll(Increases& increases) {
    for (bool lowered = true; lowered;) {
      lowered = false;
      for (Increase& increase : increases) lowered |= Lower(increases, increase);
    }
    std::erase_if(increases, [](const Increase& increase) { return increase.amount == 0; });
  }

  Increases InOneFlavor(const RuleGroup& group, const RuleFlavor& flavor) {
    Increases increases = Plenty(group, flavor);
    if (!DoubleUntilItFits(increases)) return {};
    LowerAll(increases);
    return increases;
  }

  // A flavor of each resource group: first each group's best while the other groups have plenty,
  // then all of these together as low as they go.
  Increases InEachGroup() {
    if (queue_.rules.groups.size() < 2) return {};
    Increases chosen;
    for (const RuleGroup& group : queue_.rules.groups) {
      Increases others;
      for (const RuleGroup& other : queue_.rules.groups) {
        if (&other == &group) continue;
        for (const RuleFlavor& flavor : other.flavors) Append(Plenty(other, flavor), others);
      }
      Increases best, plenty_of_best;
      for (const RuleFlavor& flavor : group.flavors) {
        const Increases own = Plenty(group, flavor);
        Increases all = others;
        Append(own, all);
        if (!DoubleUntilItFits(all)) continue;
        Increases least(all.end() - static_cast<ptrdiff_t>(own.size()), all.end());
        const Increases plenty = least;
        for (Increase& increase : least) {
          Increase& one = all[others.size() + static_cast<size_t>(&increase - least.data())];
          Lower(all, one);
          increase.amount = one.amount;
        }
        if (!best.empty() && ShareOf(least) >= ShareOf(best)) continue;
        best = std::move(least);
        plenty_of_best = plenty;
      }
      Append(plenty_of_best, chosen);
    }
    if (!DoubleUntilItFits(chosen)) return {};
    LowerAll(chosen);
    return chosen;
  }
  static void Append(const Increases& more, Increases& to) {
    to.insert(to.end(), more.begin(), more.end());
  }

  // As far as it goes while the others stay; true if it went.
  bool Lower(Increases& increases, Increase& one) {
    const int64_t before = one.amount;
    int64_t enough = before, too_little = -1;
    const auto fits_at = [&](int64_t amount) {
      one.amount = amount;
      return Fits(increases);
    };
    // What is asked for less what is available is the answer in all but odd trees.
    const Amount lack = Amount(one.asked) - QuotaTree::AvailableToQueue(*queue_.node, one.slot);
    const int64_t guess = std::clamp<int64_t>(lack.value(), 0, enough);
    for (const int64_t probe : {guess, guess - 1}) {
      if (probe <= too_little || probe >= enough) continue;
      (fits_at(probe) ? enough : too_little) = probe;
    }
    while (enough - too_little > 1) {
      const int64_t middle = too_little + (enough - too_little) / 2;
      (fits_at(middle) ? enough : too_little) = middle;
    }
    one.amount = enough;
    return enough < before;
  }

  World& world_;
  WorkItem& item_;
  ClusterQueue& queue_;
  const base::Time now_;
};

}  // namespace

std::vector<QuotaIncrease> FindLeastChange(World& world, WorkItem& item, ClusterQueue& queue,
                                           base::Time now) {
  std::vector<QuotaIncrease> out;
  for (const Increase& increase : LeastChange(world, item, queue, now).Find()) {
    const CellId cell = queue.node->slots[increase.slot].cell;
    out.push_back({world.catalog.Name(world.catalog.FlavorOf(cell)),
                   world.catalog.Name(world.catalog.ResourceOf(cell)), increase.amount});
  }
  return out;
}

}  // namespace kueue::scheduling
