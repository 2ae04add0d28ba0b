#include "scheduling/preemption/candidates.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "scheduling/preemption/search.h"

namespace kueue::scheduling {
namespace {

// What decides most comparisons, side by side in memory.
struct SortKey {
  bool leaving;
  int64_t priority;
  base::Time reserved_at;
  WorkItem* item;
  // Whose LocalQueues are compared by what they used; null: nobody's. A comparison within one
  // queue only: keys of several such queues have no common order.
  const ClusterQueue* by_past_use;
  double past_use;
  bool operator<(const SortKey& other) const {
    if (leaving != other.leaving) return leaving;
    if (by_past_use != nullptr && by_past_use == other.by_past_use && past_use != other.past_use) {
      return past_use > other.past_use;
    }
    if (priority != other.priority) return priority < other.priority;
    if (reserved_at != other.reserved_at) return reserved_at > other.reserved_at;
    return std::tie(item->uid(), item->key) < std::tie(other.item->uid(), other.item->key);
  }
};

SortKey KeyOf(WorkItem* item) {
  const ClusterQueue* const queue = item->accounted_in;
  const bool compared = queue != nullptr && queue->by_past_use;
  return {item->leaving(),
          item->priority,
          item->reserved_at,
          item,
          compared ? queue : nullptr,
          compared ? item->local_queue->past_use : 0};
}

// Merges lists that are each in order: of their first ones the first goes first.
std::vector<SortKey> Merge(std::vector<std::vector<SortKey>> lists) {
  std::vector<SortKey> out;
  std::vector<size_t> at(lists.size(), 0);
  while (true) {
    size_t best = lists.size();
    for (size_t i = 0; i < lists.size(); ++i) {
      if (at[i] == lists[i].size()) continue;
      if (best == lists.size() || lists[i][at[i]] < lists[best][at[best]]) best = i;
    }
    if (best == lists.size()) return out;
    out.push_back(lists[best][at[best]++]);
  }
}

void Append(VictimList& list, WorkItem* item) {
  list.items.push_back(item);
  if (item->leaving()) ++list.leaving;
}

// Sorts the workloads of a tree once, for its queues and for the whole.
VictimCache& CacheOf(Node* root) {
  if (root->victim_cache != nullptr) return *root->victim_cache;
  root->victim_cache = std::make_shared<VictimCache>();
  std::vector<Node*> queues;
  CollectQueues(root, queues);
  const bool by_past_use = std::any_of(queues.begin(), queues.end(), [](const Node* node) {
    return node->queue->by_past_use;
  });
  root->victim_cache->all.by_priority = !by_past_use;
  std::vector<std::vector<SortKey>> lists(1);
  for (const Node* node : queues) {
    if (by_past_use) lists.emplace_back();
    for (WorkItem* item : node->queue->accounted) lists.back().push_back(KeyOf(item));
    // Made anew: searches of the cycle before may have been in another order.
    node->queue->victims = std::make_shared<VictimList>();
    node->queue->victims->by_priority = !node->queue->by_past_use;
  }
  for (auto& list : lists) std::sort(list.begin(), list.end());
  const std::vector<SortKey> keys =
      by_past_use ? Merge(std::move(lists)) : std::move(lists.front());
  for (const SortKey& key : keys) {
    Append(root->victim_cache->all, key.item);
    Append(*key.item->accounted_in->victims, key.item);
  }
  return *root->victim_cache;
}

// Marks the queues that hold what others lend, and counts their workloads.
size_t MarkBorrowers(const Node& cohort, const std::vector<CellId>& needed, uint64_t epoch) {
  size_t count = 0;
  for (Node* child : cohort.children) {
    if (child->is_queue() && !child->in_view) continue;
    if (QuotaTree::WithinNominal(*child, needed)) continue;
    if (!child->is_queue()) {
      count += MarkBorrowers(*child, needed, epoch);
      continue;
    }
    child->marked_at = epoch;
    count += child->queue->accounted.size();
  }
  return count;
}

}  // namespace

bool GoesBefore(const WorkItem& a, const WorkItem& b) {
  return KeyOf(const_cast<WorkItem*>(&a)) < KeyOf(const_cast<WorkItem*>(&b));
}

const VictimList& VictimsOf(const ClusterQueue& queue) {
  CacheOf(queue.node->root);
  return *queue.victims;
}

std::shared_ptr<const VictimList> BorrowersBelow(QuotaTree& tree, const Node& cohort,
                                                 const std::vector<CellId>& needed) {
  VictimCache& cache = CacheOf(cohort.root);
  // What is found in a view that somebody changed is of no use to others.
  const bool keep = tree.Pristine();
  if (keep) {
    for (const auto& known : cache.borrowers) {
      if (known.cohort == &cohort && known.needed == needed) return known.list;
    }
  }
  auto found = std::make_shared<VictimList>();
  found->by_priority = cache.all.by_priority;
  const uint64_t epoch = tree.NewEpoch();
  size_t left = MarkBorrowers(cohort, needed, epoch);
  for (size_t i = 0; left > 0; ++i) {
    WorkItem* const item = cache.all.items[i];
    if (item->accounted_in->node->marked_at != epoch) continue;
    --left;
    if (!item->hidden) Append(*found, item);
  }
  if (keep) cache.borrowers.push_back({&cohort, needed, found});
  return found;
}

CandidateCursor::CandidateCursor(const VictimSearch& search, const VictimList& list,
                                 PreemptionPolicy policy, CandidatePart part, const Node* not_below)
    : search_(&search),
      items_(list.items.data()),
      not_below_(not_below),
      by_priority_(list.by_priority),
      policy_(policy) {
  at_ = part == CandidatePart::kStaying ? list.leaving : 0;
  last_ = part == CandidatePart::kLeaving ? list.leaving : static_cast<uint32_t>(list.items.size());
  Settle();
}

void CandidateCursor::Settle() {
  const auto is_below = [&](const Node* node) {
    while (node != nullptr && node != not_below_) node = node->parent;
    return node != nullptr;
  };
  for (; at_ < last_; ++at_) {
    const WorkItem& item = *items_[at_];
    // Sorted by priority: nobody behind the first that is too high may go.
    if (by_priority_ && policy_ != PreemptionPolicy::kAny && !item.leaving() &&
        item.priority > search_->preemptor().priority) {
      at_ = last_;
      return;
    }
    if (not_below_ != nullptr && is_below(item.accounted_in->node)) continue;
    if (search_->MayTake(policy_, item)) return;
  }
}

}  // namespace kueue::scheduling
