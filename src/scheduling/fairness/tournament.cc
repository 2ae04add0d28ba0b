#include "scheduling/fairness/tournament.h"
#include "scheduling/mutation.h"

#include <algorithm>
#include <tuple>

namespace kueue::scheduling {
namespace {

Node* NodeOf(const Entry* entry) { return entry->queue->node; }

}  // namespace

Tournament::Tournament(QuotaTree& tree, const Gates& gates, const std::vector<Entry*>& entries)
    : tree_(tree), gates_(gates), entries_(entries) {
  // Which tree first: by name (§15); a Cohort and a lone queue may share one.
  std::sort(entries_.begin(), entries_.end(), [](const Entry* a, const Entry* b) {
    const Node &x = *NodeOf(a), &y = *NodeOf(b);
    return std::tuple(std::tie(x.root->name), x.root->is_queue(), std::tie(x.name)) <
           std::tuple(std::tie(y.root->name), y.root->is_queue(), std::tie(y.name));
  });
}

// ---- rounds

Tournament::Round& Tournament::RoundOf(Node* cohort) {
  if (cohort->listed_in != epoch_) {
    cohort->listed_in = epoch_;
    cohort->listed_at = static_cast<uint32_t>(rounds_.size());
    rounds_.push_back({cohort, {}, {}});
  }
  return rounds_[cohort->listed_at];
}

void Tournament::Seat(Round& round, Node* child, Entry* entry) const {
  child->seat = static_cast<uint32_t>(round.standings.size());
  Standing& standing = round.standings.emplace_back();
  standing.child = child;
  standing.entry = entry;
}

// All entries of a tree take their places; then each round is played once, the deepest first.
void Tournament::SeatTree(size_t first, size_t last) {
  rounds_.clear();
  epoch_ = tree_.NewEpoch();
  std::vector<std::pair<int, Node*>> cohorts;
  for (size_t i = first; i < last; ++i) {
    Node* const queue = NodeOf(entries_[i]);
    Seat(RoundOf(queue->parent), queue, entries_[i]);
  }
  for (size_t i = 0; i < rounds_.size(); ++i) {
    Node* const cohort = rounds_[i].cohort;
    int depth = 0;
    for (const Node* up = cohort->parent; up != nullptr; up = up->parent) ++depth;
    cohorts.emplace_back(depth, cohort);
    if (cohort->parent != nullptr) Seat(RoundOf(cohort->parent), cohort, nullptr);
  }
  std::stable_sort(cohorts.begin(), cohorts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [depth, cohort] : cohorts) {
    Round& round = RoundOf(cohort);
    for (Standing& standing : round.standings) Judge(standing);
    PlayAll(round);
    if (cohort->parent != nullptr) {
      RoundOf(cohort->parent).standings[cohort->seat].entry = round.winner().entry;
    }
  }
}

// What the entry uses shows at the child as far as the nodes below it have none left of what they
// keep for themselves (§2.4).
void Tournament::Judge(Standing& standing) {
  if (standing.entry == nullptr) return;
  changes_.clear();
  standing.borrows = false;
  for (const SlotAmount& use : standing.entry->assignment.usage) {
    Amount amount = use.amount;
    uint32_t slot = use.slot;
    bool arrives = true;
    for (const Node* at = NodeOf(standing.entry); at != standing.child; at = at->parent) {
      const Slot& here = at->slots[slot];
      if (arrives) {
        const Amount free = std::max(Amount(0), here.local_quota - here.UsageWithLeaving());
        arrives = amount > free;
        amount -= free;
      }
      slot = here.parent_slot;
    }
    if (!arrives) amount = Amount(0);
    const Slot& there = standing.child->slots[slot];
    changes_.push_back({slot, amount});
    standing.borrows |= use.amount > Amount(0) && there.declared &&
                        there.UsageWithLeaving() + amount > there.subtree;
  }
  standing.share = tree_.ShareWithLeaving(*standing.child, changes_.data(), changes_.size());
}

bool Tournament::Beats(const Standing& a, const Standing& b) const {
  const Entry &x = *a.entry, &y = *b.entry;
  if (gates_.prioritize_preemptor_workloads && x.preemptor != y.preemptor &&
      !Mutated(kTournamentForgetsPreemptors)) {
    return x.preemptor;
  }
  if (gates_.fair_sharing_prioritize_non_borrowing && a.borrows != b.borrows &&
      !Mutated(kTournamentForgetsBorrowing)) {
    return b.borrows;
  }
  if (ShareLess(a.share, b.share)) return !Mutated(kTournamentTakesLargestShare);
  if (ShareLess(b.share, a.share)) return false;
  const int64_t px = x.item->priority + x.item->aged, py = y.item->priority + y.item->aged;
  if (gates_.priority_sorting_within_cohort && px != py) {
    return (px > py) != Mutated(kTournamentTakesLowestPriority);
  }
  return std::tie(x.item->order_time, x.item->key) < std::tie(y.item->order_time, y.item->key);
}

uint32_t Tournament::Match(const Round& round, uint32_t a, uint32_t b) const {
  const Standing &x = round.standings[a], &y = round.standings[b];
  if (x.entry == nullptr || y.entry == nullptr) return x.entry == nullptr ? b : a;
  return Beats(y, x) ? b : a;
}

void Tournament::PlayAll(Round& round) const {
  const auto seats = static_cast<uint32_t>(round.standings.size());
  round.best.resize(size_t{2} * seats);
  for (uint32_t seat = 0; seat < seats; ++seat) round.best[seats + seat] = seat;
  for (uint32_t match = seats; match-- > 1;) {
    round.best[match] = Match(round, round.best[2 * match], round.best[2 * match + 1]);
  }
}

void Tournament::PlayAgain(Round& round, uint32_t seat) const {
  const auto seats = static_cast<uint32_t>(round.standings.size());
  for (uint32_t match = (seats + seat) / 2; match > 0; match /= 2) {
    round.best[match] = Match(round, round.best[2 * match], round.best[2 * match + 1]);
  }
}

void Tournament::Climb(Node* queue, Entry* entry) {
  for (Node* child = queue; child->parent != nullptr; child = child->parent) {
    Round& round = RoundOf(child->parent);
    Standing& standing = round.standings[child->seat];
    standing.entry = entry;
    Judge(standing);
    PlayAgain(round, child->seat);
    entry = round.winner().entry;
  }
}

// ---- picks

Entry* Tournament::Next() {
  if (processing_ != nullptr) Climb(NodeOf(processing_), nullptr);
  processing_ = nullptr;
  if (!rounds_.empty()) {
    processing_ = RoundOf(root_).winner().entry;
    if (processing_ != nullptr) return processing_;
    rounds_.clear();
  }
  if (next_tree_ == entries_.size()) return nullptr;
  root_ = NodeOf(entries_[next_tree_])->root;
  const size_t first = next_tree_;
  while (next_tree_ < entries_.size() && NodeOf(entries_[next_tree_])->root == root_) ++next_tree_;
  if (root_->is_queue()) return entries_[first];
  SeatTree(first, next_tree_);
  return processing_ = RoundOf(root_).winner().entry;
}

}  // namespace kueue::scheduling
