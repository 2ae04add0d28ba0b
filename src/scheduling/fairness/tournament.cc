#include "scheduling/fairness/tournament.h"

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
    rounds_.push_back({cohort, {}, nullptr});
  }
  return rounds_[cohort->listed_at];
}

Tournament::Standing& Tournament::StandingOf(Round& round, Node* child) const {
  return *std::find_if(round.standings.begin(), round.standings.end(),
                       [&](const Standing& known) { return known.child == child; });
}

void Tournament::Seat(Round& round, Node* child, Entry* entry) const {
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
    PlayAgain(round);
    if (cohort->parent != nullptr) {
      StandingOf(RoundOf(cohort->parent), cohort).entry = round.winner;
    }
  }
}

void Tournament::Judge(Standing& standing) {
  if (standing.entry == nullptr) return;
  const QuotaTree::Mark mark = tree_.Here();
  const Entry& entry = *standing.entry;
  for (const SlotAmount& use : entry.assignment.usage) {
    tree_.Add(NodeOf(&entry), use.slot, use.amount);
  }
  standing.share = tree_.ShareOf(*standing.child);
  standing.borrows = std::any_of(
      entry.assignment.usage.begin(), entry.assignment.usage.end(), [&](const SlotAmount& use) {
        if (use.amount <= Amount(0)) return false;
        const Slot* slot = standing.child->Find(use.cell);
        return slot != nullptr && slot->declared && slot->usage > slot->subtree;
      });
  tree_.Undo(mark);
}

bool Tournament::Beats(const Standing& a, const Standing& b) const {
  const Entry &x = *a.entry, &y = *b.entry;
  if (gates_.prioritize_preemptor_workloads && x.preemptor != y.preemptor) return x.preemptor;
  if (gates_.fair_sharing_prioritize_non_borrowing && a.borrows != b.borrows) return b.borrows;
  if (ShareLess(a.share, b.share)) return true;
  if (ShareLess(b.share, a.share)) return false;
  const int64_t px = x.item->priority + x.item->aged, py = y.item->priority + y.item->aged;
  if (gates_.priority_sorting_within_cohort && px != py) {
    return px > py;
  }
  return std::tie(x.item->order_time, x.item->key) < std::tie(y.item->order_time, y.item->key);
}

void Tournament::PlayAgain(Round& round) {
  const Standing* best = nullptr;
  for (const Standing& standing : round.standings) {
    if (standing.entry == nullptr) continue;
    if (best == nullptr || Beats(standing, *best)) best = &standing;
  }
  round.winner = best == nullptr ? nullptr : best->entry;
}

void Tournament::Climb(Node* queue, Entry* entry) {
  for (Node* child = queue; child->parent != nullptr; child = child->parent) {
    Round& round = RoundOf(child->parent);
    Standing& standing = StandingOf(round, child);
    standing.entry = entry;
    Judge(standing);
    PlayAgain(round);
    entry = round.winner;
  }
}

// ---- picks

Entry* Tournament::Next() {
  if (processing_ != nullptr) Climb(NodeOf(processing_), nullptr);
  processing_ = nullptr;
  if (!rounds_.empty()) {
    processing_ = RoundOf(root_).winner;
    if (processing_ != nullptr) return processing_;
    rounds_.clear();
  }
  if (next_tree_ == entries_.size()) return nullptr;
  root_ = NodeOf(entries_[next_tree_])->root;
  const size_t first = next_tree_;
  while (next_tree_ < entries_.size() && NodeOf(entries_[next_tree_])->root == root_) ++next_tree_;
  if (root_->is_queue()) return entries_[first];
  SeatTree(first, next_tree_);
  return processing_ = RoundOf(root_).winner;
}

}  // namespace kueue::scheduling
