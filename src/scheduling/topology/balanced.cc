#include "scheduling/topology/balanced.h"

#include <algorithm>
#include <cmath>

namespace kueue::scheduling::topology {

// In the orders of BestFit, without looking for a smaller last one.
bool BalancedSearch::TakeGreedily(Picks picks, Greedy& taken) const {
  int64_t need = terms_.slices;
  int32_t lead = lead_;
  placer_.SortL(picks, false);
  size_t i = 0;
  for (; lead > 0 && i < picks.size() && picks[i].lead > 0; ++i) {
    taken.has_leader = true;
    taken.leader_slices = picks[i].slices_l;
    lead -= picks[i].lead;
    need -= picks[i].slices_l;
    ++taken.used;
  }
  if (lead > 0) return false;
  picks.erase(picks.begin(), picks.begin() + static_cast<ptrdiff_t>(i));
  placer_.SortW(picks, false);
  for (const Pick& pick : picks) {
    if (need <= 0 || pick.slices <= 0) break;
    taken.has_worker = true;
    taken.worker_slices = pick.slices;
    taken.worker_slices_l = pick.slices_l;
    need -= pick.slices;
    ++taken.used;
  }
  return need <= 0;
}

CutTree BalancedSearch::Copy(size_t level, uint32_t begin, uint32_t end) const {
  CutTree cut;
  cut.top = level;
  for (size_t l = level; l < space_.depth(); ++l) {
    cut.first.push_back(begin);
    std::vector<Tally>& tallies = cut.tallies.emplace_back();
    for (uint32_t d = begin; d < end; ++d) tallies.push_back(placer_.counts_.Of(space_, l, d));
    if (l + 1 == space_.depth()) break;
    begin = space_.level(l).first[begin];
    end = space_.level(l).first[end];
  }
  return cut;
}

Picks BalancedSearch::PicksOf(const CutTree& cut, size_t level, uint32_t begin,
                              uint32_t end) const {
  Picks picks;
  for (uint32_t d = begin; d < end; ++d) {
    if (space_.level(level).present[d] > 0) picks.push_back({cut.At(level, d), d});
  }
  return picks;
}

Picks BalancedSearch::Siblings(const CutTree& cut) const {
  const uint32_t first = cut.first[0];
  return PicksOf(cut, cut.top, first, first + static_cast<uint32_t>(cut.tallies[0].size()));
}

Picks BalancedSearch::ChildrenOf(const CutTree& cut, const Picks& parents) const {
  Picks children;
  for (const Pick& parent : parents) {
    const Level& here = space_.level(cut.top);
    const Picks some =
        PicksOf(cut, cut.top + 1, here.first[parent.domain], here.first[parent.domain + 1]);
    children.insert(children.end(), some.begin(), some.end());
  }
  return children;
}

// ---- pruning: what cannot have the threshold takes no part

void BalancedSearch::Wipe(CutTree& cut, size_t level, uint32_t domain, bool all) const {
  uint32_t begin = domain, end = domain + 1;
  for (size_t l = level; l < space_.depth(); ++l) {
    for (uint32_t d = begin; d < end; ++d) {
      Tally& tally = cut.At(l, d);
      tally.lead = 0;
      tally.pods_l = tally.slices_l = 0;
      if (all) tally.pods = tally.slices = 0;
    }
    if (l + 1 == space_.depth()) break;
    begin = space_.level(l).first[begin];
    end = space_.level(l).first[end];
  }
}

void BalancedSearch::Cut(CutTree& cut, size_t level, uint32_t domain, int64_t threshold) const {
  const Tally& tally = cut.At(level, domain);
  if (tally.slices < threshold) {
    Wipe(cut, level, domain, true);
  } else if (lead_ > 0 && tally.lead > 0 && tally.slices_l < threshold) {
    Wipe(cut, level, domain, false);
  }
}

// Plain sums: groups below the slice level are not looked at any more (§9).
void BalancedSearch::RollUpAll(CutTree& cut) const {
  for (size_t l = space_.depth(); l-- > cut.top;) {
    const bool slice_level = l == static_cast<size_t>(terms_.slice_level);
    for (size_t i = 0; i < cut.tallies[l - cut.top].size(); ++i) {
      const auto domain = static_cast<uint32_t>(i) + cut.first[l - cut.top];
      Tally& tally = cut.At(l, domain);
      if (l + 1 < space_.depth()) {
        RollUp sum(0, lead_ > 0);
        const Level& here = space_.level(l);
        for (uint32_t c = here.first[domain]; c < here.first[domain + 1]; ++c) {
          sum.Add(cut.At(l + 1, c));
        }
        tally = sum.Sum(slice_level ? terms_.size : 0);
      } else if (slice_level) {
        tally.slices = tally.pods / terms_.size;
        tally.slices_l = tally.pods_l / terms_.size;
      }
    }
  }
}

void BalancedSearch::Prune(CutTree& cut, int64_t threshold) const {
  if (cut.tallies.size() > 1) {
    for (size_t i = 0; i < cut.tallies[1].size(); ++i) {
      Cut(cut, cut.top + 1, static_cast<uint32_t>(i) + cut.first[1], threshold);
    }
  }
  RollUpAll(cut);
  for (size_t i = 0; i < cut.tallies[0].size(); ++i) {
    Cut(cut, cut.top, static_cast<uint32_t>(i) + cut.first[0], threshold);
  }
}

// ---- the siblings that share best

bool BalancedSearch::TrySiblings(uint32_t begin, uint32_t end, int64_t best, Trial& trial) const {
  const auto level = static_cast<size_t>(terms_.level);
  trial.cut = Copy(level, begin, end);
  const Picks siblings = Siblings(trial.cut);
  Greedy first;
  const bool below = terms_.level < terms_.slice_level;
  if (!TakeGreedily(below ? ChildrenOf(trial.cut, siblings) : siblings, first)) return false;
  int64_t threshold = terms_.slices / static_cast<int64_t>(first.used);
  if (first.has_leader) threshold = std::min(threshold, first.leader_slices);
  if (first.has_worker) threshold = std::min(threshold, first.worker_slices);
  const int64_t reduced =
      lead_ > 0 && first.has_worker ? std::min(threshold, first.worker_slices_l) : threshold;
  if (threshold < best) return false;
  Prune(trial.cut, threshold);
  Greedy second;
  bool taken = TakeGreedily(Siblings(trial.cut), second);
  if (!taken && reduced < threshold) {
    if (reduced <= 0 || reduced < best) return false;
    threshold = reduced;
    trial.cut = Copy(level, begin, end);
    Prune(trial.cut, threshold);
    second = {};
    taken = TakeGreedily(Siblings(trial.cut), second);
  }
  trial.threshold = threshold;
  trial.used = second.used;
  return taken;
}

bool BalancedSearch::Find(size_t& level, Picks& picks, CutTree& cut) {
  level = static_cast<size_t>(terms_.level);
  Trial best;
  const uint32_t sets = level == 0 ? 1 : space_.level(level - 1).size;
  for (uint32_t set = 0; set < sets; ++set) {
    const uint32_t begin = level == 0 ? 0 : space_.level(level - 1).first[set];
    const uint32_t end = level == 0 ? space_.level(0).size : space_.level(level - 1).first[set + 1];
    Trial trial;
    if (!TrySiblings(begin, end, best.threshold, trial)) continue;
    if (trial.threshold > best.threshold ||
        (trial.threshold == best.threshold && trial.used < best.used)) {
      best = std::move(trial);
    }
  }
  if (best.threshold == 0) return false;
  cut = std::move(best.cut);
  Picks candidates = Siblings(cut);
  if (terms_.level < terms_.slice_level) {
    SortByEntropy(cut, level, candidates);
    Picks parents;
    if (!OptimalSet(candidates, parents)) return false;
    candidates = ChildrenOf(cut, parents);
    ++level;
    std::sort(candidates.begin(), candidates.end(),
              [](const Pick& a, const Pick& b) { return a.domain < b.domain; });
  }
  if (!OptimalSet(candidates, picks)) return false;
  if (terms_.slices < static_cast<int64_t>(picks.size()) * best.threshold) return false;
  return Spread(picks, best.threshold);
}

// ---- the smallest set

double BalancedSearch::Entropy(const CutTree& cut, size_t level, uint32_t domain) const {
  const Level& here = space_.level(level);
  double total = 0, entropy = 0;
  for (uint32_t c = here.first[domain]; c < here.first[domain + 1]; ++c) {
    total += static_cast<double>(cut.At(level + 1, c).pods);
  }
  for (uint32_t c = here.first[domain]; c < here.first[domain + 1]; ++c) {
    const auto pods = static_cast<double>(cut.At(level + 1, c).pods);
    if (pods > 0) entropy -= pods / total * std::log2(pods / total);
  }
  return entropy;
}

void BalancedSearch::SortByEntropy(const CutTree& cut, size_t level, Picks& picks) const {
  std::vector<std::pair<double, Pick>> keyed;
  for (const Pick& pick : picks) keyed.emplace_back(Entropy(cut, level, pick.domain), pick);
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
    if (a.second.lead != b.second.lead) return a.second.lead > b.second.lead;
    if (a.second.slices_l != b.second.slices_l) return a.second.slices_l > b.second.slices_l;
    if (a.first != b.first) return a.first > b.first;
    return a.second.domain < b.second.domain;
  });
  for (size_t i = 0; i < picks.size(); ++i) picks[i] = keyed[i].second;
}

// A dynamic programme over the domains in order: by domains used, the states (leaders left, pods
// left) that can be reached; whoever reaches a state first keeps it.
bool BalancedSearch::OptimalSet(const Picks& picks, Picks& chosen) const {
  Greedy greedy;
  if (!TakeGreedily(picks, greedy)) return false;
  struct Step {
    size_t pick, before;
  };
  std::vector<Step> steps{{0, 0}};  // chains of choices; step 0 ends each
  using State = std::pair<int32_t, int64_t>;
  std::vector<std::map<State, size_t>> reached(greedy.used + 1);
  reached[0].emplace(State{lead_, terms_.slices * terms_.size}, 0);
  for (size_t p = 0; p < picks.size(); ++p) {
    const Pick& pick = picks[p];
    for (size_t used = greedy.used; used > 0; --used) {
      const auto reach = [&](State state, size_t before) {
        if (!reached[used].emplace(state, steps.size()).second) return;
        steps.push_back({p, before});
      };
      for (const auto& [state, step] : reached[used - 1]) {
        const auto [lead, left] = state;
        if (lead <= 0 && left <= 0) continue;
        if (lead > 0 && pick.lead > 0) reach({lead - pick.lead, left - pick.pods_l}, step);
        if (pick.slices > 0) reach({lead, left - pick.pods}, step);
      }
    }
  }
  const std::map<State, size_t>& ends = reached[greedy.used];
  const auto* best = static_cast<const std::pair<const State, size_t>*>(nullptr);
  for (const auto& end : ends) {
    if (end.first.first == 0 && end.first.second <= 0) best = &end;  // ascending: the largest last
  }
  if (best == nullptr) return false;
  for (size_t step = best->second; step != 0; step = steps[step].before) {
    chosen.push_back(picks[steps[step].pick]);
  }
  return true;
}

// The threshold everywhere, the surplus from the front.
bool BalancedSearch::Spread(Picks& picks, int64_t threshold) const {
  placer_.SortL(picks, false);
  int64_t extra = terms_.slices - static_cast<int64_t>(picks.size()) * threshold;
  int32_t lead = lead_;
  for (Pick& pick : picks) {
    int64_t more = 0;
    const bool leads = lead > 0;
    if (leads || extra > 0) {
      more = std::min((leads ? pick.slices_l : pick.slices) - threshold, extra);
    }
    pick.lead = leads ? 1 : 0;
    lead -= pick.lead;
    pick.slices = pick.slices_l = threshold + more;
    pick.pods = pick.slices * terms_.size;
    pick.pods_l = pick.pods - pick.lead;
    extra -= more;
  }
  placer_.SortL(picks, false);
  return extra <= 0 && lead <= 0;
}

}  // namespace kueue::scheduling::topology
