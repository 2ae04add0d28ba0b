#include "scheduling/fairness/tournament.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace kueue::scheduling {

Tournament::Tournament(QuotaTree& tree, const Gates& gates, const std::vector<Entry*>& entries)
    : tree_(tree), gates_(gates) {
  for (Entry* entry : entries) {
    Contender& contender = left_.emplace_back();
    contender.entry = entry;
    for (const Node* node = entry->queue->node; node->parent != nullptr; node = node->parent) {
      contender.standings.push_back({node, UINT64_MAX, {}, false});
    }
  }
  // Which tree first: by name (§15); a Cohort and a lone queue may share one.
  std::sort(left_.begin(), left_.end(), [](const Contender& a, const Contender& b) {
    const Node &x = *a.entry->queue->node, &y = *b.entry->queue->node;
    return std::tuple(std::tie(x.root->name), x.root->is_queue(), std::tie(x.name)) <
           std::tuple(std::tie(y.root->name), y.root->is_queue(), std::tie(y.name));
  });
}

// Shares change only when a node on the way up changed since they were computed.
void Tournament::RefreshStandings(Contender& contender) {
  const bool current = std::all_of(
      contender.standings.begin(), contender.standings.end(),
      [](const Standing& standing) { return standing.version == standing.below->version; });
  if (current) return;
  for (Standing& standing : contender.standings) standing.version = standing.below->version;
  const QuotaTree::Mark mark = tree_.Here();
  const Entry& entry = *contender.entry;
  for (const SlotAmount& use : entry.assignment.usage) {
    tree_.Add(entry.queue->node, use.slot, use.amount);
  }
  for (Standing& standing : contender.standings) {
    standing.share = tree_.ShareOf(*standing.below);
    standing.borrows = std::any_of(
        entry.assignment.usage.begin(), entry.assignment.usage.end(), [&](const SlotAmount& use) {
          if (use.amount <= Amount(0)) return false;
          const Slot* slot = standing.below->Find(use.cell);
          return slot != nullptr && slot->declared && slot->usage > slot->subtree;
        });
  }
  tree_.Undo(mark);
}

bool Tournament::Beats(const Contender& a, const Contender& b, const Node& cohort) const {
  const auto at = [&](const Contender& contender) {
    return std::find_if(
        contender.standings.begin(), contender.standings.end(),
        [&](const Standing& standing) { return standing.below->parent == &cohort; });
  };
  const Entry &x = *a.entry, &y = *b.entry;
  if (gates_.prioritize_preemptor_workloads && x.preemptor != y.preemptor) return x.preemptor;
  const auto mine = at(a), theirs = at(b);
  if (gates_.fair_sharing_prioritize_non_borrowing && mine->borrows != theirs->borrows) {
    return theirs->borrows;
  }
  if (ShareLess(mine->share, theirs->share)) return true;
  if (ShareLess(theirs->share, mine->share)) return false;
  if (gates_.priority_sorting_within_cohort && x.item->priority != y.item->priority) {
    return x.item->priority > y.item->priority;
  }
  return std::tie(x.item->order_time, x.item->key) < std::tie(y.item->order_time, y.item->key);
}

// Bottom-up over the tree: at each cohort the winner of the children's winners.
Tournament::Contender* Tournament::Winner(const Node& root) {
  // All contenders of the tree stand together at the front.
  std::unordered_map<const Node*, Contender*> best;  // only looked up
  std::vector<std::pair<int, const Node*>> cohorts;  // each once, with its depth
  const auto offer = [&](const Node* cohort, Contender* contender) {
    Contender*& winner = best[cohort];
    if (winner == nullptr || Beats(*contender, *winner, *cohort)) winner = contender;
  };
  for (Contender& contender : left_) {
    if (contender.entry->queue->node->root != &root) break;
    RefreshStandings(contender);
    int depth = static_cast<int>(contender.standings.size());
    const Node* const parent = contender.entry->queue->node->parent;
    for (const Node* cohort = parent; cohort != nullptr; cohort = cohort->parent) {
      if (!best.try_emplace(cohort, nullptr).second) break;  // then those above are known, too
      cohorts.emplace_back(--depth, cohort);
    }
    offer(parent, &contender);
  }
  // The deepest first; equal ones in an order that does not matter, since Beats is total.
  std::stable_sort(cohorts.begin(), cohorts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [depth, cohort] : cohorts) {
    if (cohort->parent != nullptr) offer(cohort->parent, best.at(cohort));
  }
  return best.at(&root);
}

Entry* Tournament::Next() {
  if (left_.empty()) return nullptr;
  Contender* chosen = &left_.front();
  const Node* const root = chosen->entry->queue->node->root;
  if (!root->is_queue()) chosen = Winner(*root);
  Entry* const entry = chosen->entry;
  left_.erase(left_.begin() + (chosen - left_.data()));
  return entry;
}

}  // namespace kueue::scheduling
