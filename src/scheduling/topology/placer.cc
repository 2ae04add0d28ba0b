#include "scheduling/topology/placer.h"

#include <algorithm>

#include "scheduling/topology/balanced.h"

namespace kueue::scheduling::topology {
namespace {

int64_t Plain(const Pick& pick, Unit unit) {
  return unit == Unit::kSlices ? pick.slices : pick.pods;
}
int64_t WithLeader(const Pick& pick, Unit unit) {
  return unit == Unit::kSlices ? pick.slices_l : pick.pods_l;
}

}  // namespace

// ---- orders (§7.1). Domains of a level are numbered in the order of their values.

bool Placer::BeforeL(const Pick& a, const Pick& b, bool least_free) const {
  if (a.lead != b.lead) return a.lead > b.lead;
  if (scored_ && a.score != b.score) return a.score > b.score;
  if (a.slices_l != b.slices_l) return (a.slices_l < b.slices_l) == least_free;
  if (a.pods_l != b.pods_l) return a.pods_l < b.pods_l;
  return a.domain < b.domain;
}

bool Placer::BeforeW(const Pick& a, const Pick& b, bool least_free) const {
  if (scored_ && a.score != b.score) return a.score > b.score;
  if (a.slices != b.slices) return (a.slices < b.slices) == least_free;
  if (a.pods != b.pods) return a.pods < b.pods;
  return a.domain < b.domain;
}

void Placer::SortL(Picks& picks, bool least_free) const {
  std::sort(picks.begin(), picks.end(),
            [&](const Pick& a, const Pick& b) { return BeforeL(a, b, least_free); });
}

void Placer::SortW(Picks& picks, bool least_free) const {
  std::sort(picks.begin(), picks.end(),
            [&](const Pick& a, const Pick& b) { return BeforeW(a, b, least_free); });
}

// ---- §7.2. Place in `picks` of the smallest that is enough, the first of equals; of those only
// that have the score of the first and come before the first other score. `from` if none is.
size_t Placer::Best(const Picks& picks, size_t from, int64_t need, int32_t lead, Unit unit) const {
  size_t best = from;
  int64_t least = INT64_MAX;
  for (size_t i = from; i < picks.size(); ++i) {
    const Pick& pick = picks[i];
    if (scored_ && pick.score != picks[from].score) break;
    const int64_t has = lead > 0 ? WithLeader(pick, unit) : Plain(pick, unit);
    if (pick.lead < lead || has < need || has >= least) continue;
    least = has;
    best = i;
  }
  return best;
}

// A host for the leader that keeps enough room for all moves to the front.
void Placer::Front(Picks& picks, int64_t count, int32_t lead, int64_t size, Unit unit) const {
  if (lead == 0 || picks.size() < 2) return;
  const int64_t need = unit == Unit::kSlices ? count / size : count;
  int64_t room = 0;
  for (const Pick& pick : picks) room += Plain(pick, unit);
  const auto host = std::find_if(picks.begin(), picks.end(), [&](const Pick& pick) {
    return pick.lead >= lead && room - (Plain(pick, unit) - WithLeader(pick, unit)) >= need;
  });
  if (host != picks.end()) std::rotate(picks.begin(), host, host + 1);
}

// ---- choice of level and domains (§8.1)

Picks Placer::Domains(size_t level) const {
  Picks picks;
  const Level& here = space_.level(level);
  picks.reserve(here.size);
  for (uint32_t d = 0; d < here.size; ++d) {
    if (here.present[d] == 0) continue;
    picks.push_back({counts_.Of(space_, level, d), d});
  }
  return picks;
}

bool Placer::Find(Choice& choice, Failure& failure) const {
  for (auto level = static_cast<size_t>(terms_.level);; --level) {
    Picks picks = Domains(level);
    if (picks.empty()) {
      ReportShort(level, picks, 0, failure);
      return false;
    }
    Pick found;
    choice.level = level;
    if (Single(picks, found)) {
      choice.picks = {found};
      return true;
    }
    if (terms_.required) {
      const Pick& shown =
          least_free_
              ? *std::max_element(picks.begin(), picks.end(),
                                  [&](const Pick& a, const Pick& b) { return BeforeL(a, b, true); })
              : *std::min_element(picks.begin(), picks.end(), [&](const Pick& a, const Pick& b) {
                  return BeforeL(a, b, false);
                });
      ReportShort(level, picks, least_free_ ? shown.pods : shown.slices, failure);
      return false;
    }
    if (level == 0 || terms_.unconstrained) return Several(std::move(picks), choice, failure);
  }
}

// One domain that takes everything: the first that does under LeastFreeCapacity; else the smallest
// of the best score, and for required requests of any score.
bool Placer::Single(const Picks& picks, Pick& found) const {
  const auto has = [&](const Pick& pick) { return lead_ > 0 ? pick.slices_l : pick.slices; };
  const Pick* best = nullptr;
  if (least_free_) {
    for (const Pick& pick : picks) {
      if (pick.lead < lead_ || has(pick) < terms_.slices) continue;
      if (best == nullptr || BeforeL(pick, *best, true)) best = &pick;
    }
  } else {
    // Without scores the first in order is enough whenever any domain is. With scores the first in
    // order has to be, unless the request is required: then the first that is sets the score.
    const Pick* top = nullptr;
    for (const Pick& pick : picks) {
      const bool enough = pick.lead >= lead_ && pick.slices_l >= terms_.slices;
      if (terms_.required && !enough) continue;
      if (top == nullptr || BeforeL(pick, *top, false)) top = &pick;
    }
    if (top == nullptr || top->lead < lead_ || top->slices_l < terms_.slices) return false;
    for (const Pick& pick : picks) {
      if (pick.lead < lead_ || has(pick) < terms_.slices) continue;
      if (scored_ && pick.score != top->score) continue;
      if (best == nullptr || has(pick) < has(*best) ||
          (has(pick) == has(*best) && BeforeL(pick, *best, false))) {
        best = &pick;
      }
    }
  }
  if (best == nullptr) return false;
  found = *best;
  return true;
}

bool Placer::Several(Picks picks, Choice& choice, Failure& failure) const {
  const Picks all = terms_.layers.size() < 2 ? Picks() : picks;
  if (least_free_) {
    // Such a domain takes nothing and makes no difference; there may be very many.
    std::erase_if(picks, [](const Pick& pick) { return pick.slices == 0 && pick.lead == 0; });
  }
  int64_t need = terms_.slices;
  int32_t lead = lead_;
  SortL(picks, least_free_);
  Front(picks, terms_.count, lead_, terms_.size, Unit::kSlices);
  size_t i = 0;
  for (; lead > 0 && i < picks.size() && picks[i].lead > 0; ++i) {
    const bool last = !least_free_ && picks[i].slices_l >= need;
    const Pick& pick = picks[last ? Best(picks, i, need, lead, Unit::kSlices) : i];
    choice.picks.push_back(pick);
    lead -= pick.lead;
    need -= pick.slices_l;
  }
  if (lead > 0) {
    ReportShort(choice.level, all, lead_ - lead, failure);
    return false;
  }
  picks.erase(picks.begin(), picks.begin() + static_cast<ptrdiff_t>(i));
  SortW(picks, least_free_);
  for (i = 0; need > 0 && i < picks.size(); ++i) {
    const bool last = !least_free_ && picks[i].slices >= need;
    const Pick& pick = picks[last ? Best(picks, i, need, 0, Unit::kSlices) : i];
    choice.picks.push_back(pick);
    need -= pick.slices;
  }
  if (need > 0) ReportShort(choice.level, all, terms_.slices - need, failure);
  return need <= 0;
}

// §12.2. With layers: how many groups of each fit into the domain that takes the most slices.
void Placer::ReportShort(size_t level, const Picks& picks, int64_t fitting,
                         Failure& failure) const {
  failure.fitting = fitting;
  failure.wanted = terms_.slices;
  failure.in_slices = terms_.size > 1;
  if (terms_.layers.size() < 2 || picks.empty()) return;
  const Pick& most =
      *std::min_element(picks.begin(), picks.end(), [](const Pick& a, const Pick& b) {
        return a.slices != b.slices ? a.slices > b.slices : a.domain < b.domain;
      });
  for (const auto& [key, size] : terms_.layers) {
    const auto at = static_cast<size_t>(space_.LevelOf(key));
    uint32_t begin = most.domain, end = most.domain + 1;
    for (size_t l = level; l < at; ++l) {
      begin = space_.level(l).first[begin];
      end = space_.level(l).first[end];
    }
    int64_t fits = 0;
    for (uint32_t d = begin; d < end; ++d) fits += counts_.Of(space_, at, d).pods / size;
    failure.layers.push_back({key, fits, terms_.count / size});
  }
}

// ---- distribution (§8.2)

void Placer::AddChildren(size_t level, const Pick& parent, const CutTree* cut,
                         Picks& children) const {
  const Level& here = space_.level(level);
  const Level& below = space_.level(level + 1);
  for (uint32_t d = here.first[parent.domain]; d < here.first[parent.domain + 1]; ++d) {
    if (below.present[d] == 0) continue;
    children.push_back(
        {cut == nullptr ? counts_.Of(space_, level + 1, d) : cut->At(level + 1, d), d});
  }
}

// Uses up capacity along the list; what is kept has its final numbers. False if it ran out.
bool Placer::Trim(Picks& picks, int64_t count, int32_t lead, int64_t size, Unit unit) const {
  Front(picks, count, lead, size, unit);
  const int64_t factor = unit == Unit::kSlices ? size : 1;
  int64_t left = unit == Unit::kSlices ? count / size : count;
  for (size_t i = 0; i < picks.size(); ++i) {
    const auto has = [&](const Pick& pick) {
      return lead > 0 ? WithLeader(pick, unit) : Plain(pick, unit);
    };
    if (!least_free_ && has(picks[i]) >= left && picks[i].lead >= lead) {
      std::swap(picks[i], picks[Best(picks, i, left, lead, unit)]);
    }
    Pick& pick = picks[i];
    const int64_t had = has(pick);
    const bool enough = had >= left && pick.lead >= lead;
    const int64_t share = std::min(had, left);
    pick.lead = lead > 0 ? std::min(pick.lead, lead) : 0;
    pick.pods = share * factor;
    if (enough) {
      picks.resize(i + 1);
      return true;
    }
    lead -= pick.lead;
    left -= share;
  }
  return false;
}

// One parent's pods over its children.
bool Placer::ShareOut(size_t level, const Pick& parent, const CutTree* cut, int64_t group,
                      Picks& next) const {
  if (parent.pods == 0 && parent.lead == 0) return true;
  Picks children;
  AddChildren(level, parent, cut, children);
  SortW(children, least_free_);
  const Unit unit = group > 1 ? Unit::kSlices : Unit::kPods;
  if (group > 1) {
    for (Pick& child : children) {
      child.slices = child.pods / group;
      child.slices_l = child.pods_l / group;
    }
  }
  if (!Trim(children, parent.pods, parent.lead, group, unit)) return false;
  next.insert(next.end(), children.begin(), children.end());
  return true;
}

bool Placer::Descend(Choice choice, const CutTree* cut, Picks& lowest) const {
  const size_t last = space_.depth() - 1;
  const auto slice_level = static_cast<size_t>(terms_.slice_level);
  Picks current = std::move(choice.picks);
  if (!Trim(current, terms_.count, lead_, terms_.size, Unit::kSlices)) return false;
  size_t level = choice.level;
  for (; level < std::min(last, slice_level) && cut == nullptr; ++level) {
    Picks children;
    for (const Pick& pick : current) AddChildren(level, pick, nullptr, children);
    if (least_free_) {
      std::erase_if(children, [](const Pick& pick) { return pick.slices == 0 && pick.lead == 0; });
    }
    SortW(children, least_free_);
    if (!Trim(children, terms_.count, lead_, terms_.size, Unit::kSlices)) return false;
    current = std::move(children);
  }
  for (; level < last; ++level) {
    const int64_t inner = level >= slice_level ? terms_.inner[level + 1] : terms_.size;
    Picks next;
    for (const Pick& parent : current) {
      if (!ShareOut(level, parent, cut, inner == 0 ? 1 : inner, next)) return false;
    }
    current = std::move(next);
  }
  lowest = std::move(current);
  return true;
}

bool Placer::Run(Portions& workers, Portions& leader, Failure& failure) {
  Picks lowest;
  bool placed = false;
  if (balanced_) {
    Choice choice;
    CutTree cut;
    placed = BalancedSearch(*this).Find(choice.level, choice.picks, cut) &&
             Descend(std::move(choice), &cut, lowest);
  }
  if (!placed) {
    Choice choice;
    if (!Find(choice, failure)) return false;
    if (!Descend(std::move(choice), nullptr, lowest)) {
      failure.wanted = terms_.slices;
      failure.in_slices = terms_.size > 1;
      return false;
    }
  }
  std::sort(lowest.begin(), lowest.end(),
            [](const Pick& a, const Pick& b) { return a.domain < b.domain; });
  for (const Pick& pick : lowest) {
    const Site site = space_.order()[pick.domain];
    if (pick.pods > 0) workers.push_back({site, static_cast<int32_t>(pick.pods)});
    if (pick.lead > 0) leader.push_back({site, pick.lead});
  }
  return true;
}

std::string Describe(const Failure& failure) {
  if (!failure.problem.empty()) return failure.problem;
  std::string text = "topology of flavor " + failure.topology_flavor + " ";
  if (!failure.layers.empty()) {
    text += "has room for";
    for (const Failure::LayerFit& layer : failure.layers) {
      text += (&layer == &failure.layers.front() ? " " : ", ") + std::to_string(layer.fitting) +
              "/" + std::to_string(layer.wanted) + " groups on " + layer.key;
    }
  } else {
    const std::string unit = failure.in_slices ? " slices" : " pods";
    text += failure.fitting == 0 ? "has no room for any of " : "has room for only ";
    if (failure.fitting != 0) text += std::to_string(failure.fitting) + " of ";
    text += std::to_string(failure.wanted) + unit;
  }
  for (const Failure::LevelFit& level : failure.best) {
    text += (&level == &failure.best.front() ? "; at best " : ", ") + std::to_string(level.pods) +
            " pods in one " + level.key + " (" + level.domain + ")";
  }
  const auto list = [&](const std::vector<std::pair<std::string, uint32_t>>& causes) {
    for (size_t i = 0; i < causes.size(); ++i) {
      text += (i == 0 ? "" : ", ") + causes[i].first + ": " + std::to_string(causes[i].second);
    }
  };
  if (!failure.excluded.empty()) {
    text += "; of " + std::to_string(failure.leaves) + " domains excluded: ";
    list(failure.excluded);
  }
  if (!failure.unusable.empty()) {
    text += "; not among them: ";
    list(failure.unusable);
  }
  return text;
}

}  // namespace kueue::scheduling::topology
