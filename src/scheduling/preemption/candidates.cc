#include "scheduling/preemption/candidates.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "scheduling/mutation.h"
#include "scheduling/preemption/search.h"

namespace kueue::scheduling {
namespace {

// What decides most comparisons, side by side in memory.
struct SortKey {
  bool leaving;
  int64_t priority;
  base::Time reserved_at;
  WorkItem* item;
  // Whose LocalQueues are compared by their priority and by what they used; null: nobody's. A
  // comparison within one queue only: keys of several such queues have no common order.
  const ClusterQueue* by_local_queue;
  int64_t queue_priority;
  double past_use;
  bool operator<(const SortKey& other) const {
    if (leaving != other.leaving && !Mutated(kLeavingGoInTurn)) return leaving;
    if (by_local_queue != nullptr && by_local_queue == other.by_local_queue) {
      if (queue_priority != other.queue_priority) return queue_priority < other.queue_priority;
      if (past_use != other.past_use) return past_use > other.past_use;
    }
    if (priority != other.priority) {
      return (priority < other.priority) != Mutated(kHighestPriorityGoesFirst);
    }
    if (reserved_at != other.reserved_at) {
      return (reserved_at > other.reserved_at) != Mutated(kOldestReservationGoesFirst);
    }
    return std::tie(item->uid(), item->key) < std::tie(other.item->uid(), other.item->key);
  }
};

bool ByLocalQueue(const ClusterQueue& queue) {
  return queue.by_past_use || queue.by_queue_priority;
}

SortKey KeyOf(WorkItem* item) {
  const ClusterQueue* const queue = item->accounted_in;
  const bool compared = queue != nullptr && ByLocalQueue(*queue);
  return {item->leaving(),
          item->priority,
          item->reserved_at,
          item,
          compared ? queue : nullptr,
          compared ? item->queue_priority : 0,
          compared && queue->by_past_use ? item->local_queue->past_use : 0};
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

VictimCache& CacheOf(QuotaTree& tree, Node* root) {
  if (root->victim_cache != nullptr) return *root->victim_cache;
  root->victim_cache = std::make_shared<VictimCache>();
  VictimCache& cache = *root->victim_cache;
  cache.epoch = tree.NewEpoch();
  std::vector<Node*> queues;
  CollectQueues(root, queues);
  cache.by_local_queue = std::any_of(queues.begin(), queues.end(),
                                     [](const Node* node) { return ByLocalQueue(*node->queue); });
  // What LocalQueues used may have changed without a word about these queues.
  if (cache.by_local_queue) {
    for (Node* node : queues) node->victims_known = false;
  }
  return cache;
}

std::vector<SortKey> SortedKeys(const ClusterQueue& queue) {
  std::vector<SortKey> keys;
  keys.reserve(queue.accounted.size());
  for (WorkItem* item : queue.accounted) keys.push_back(KeyOf(item));
  std::sort(keys.begin(), keys.end());
  return keys;
}

// Sorts the workloads of the whole tree.
const VictimList& AllOf(VictimCache& cache, Node* root) {
  if (std::exchange(cache.all_known, true)) return cache.all;
  std::vector<Node*> queues;
  CollectQueues(root, queues);
  cache.all.by_priority = !cache.by_local_queue;
  std::vector<SortKey> keys;
  if (cache.by_local_queue) {
    std::vector<std::vector<SortKey>> lists;
    for (const Node* node : queues) lists.push_back(SortedKeys(*node->queue));
    keys = Merge(std::move(lists));
  } else {
    for (const Node* node : queues) {
      for (WorkItem* item : node->queue->accounted) keys.push_back(KeyOf(item));
    }
    std::sort(keys.begin(), keys.end());
  }
  cache.all.items.reserve(keys.size());
  for (const SortKey& key : keys) Append(cache.all, key.item);
  return cache.all;
}

// ---- what candidates hold

bool SameAmounts(const std::vector<CellUse>& a, const std::vector<CellUse>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const CellUse& x, const CellUse& y) {
    return x.cell == y.cell && x.amount == y.amount;
  });
}

void CutToLeast(std::vector<CellUse>& least, const std::vector<CellUse>& other) {
  std::erase_if(least, [&](CellUse& use) {
    const auto same = std::find_if(other.begin(), other.end(),
                                   [&](const CellUse& known) { return known.cell == use.cell; });
    if (same == other.end()) return true;
    use.amount = std::min(use.amount, same->amount);
    return false;
  });
}

void AddHolder(Holders& holders, const std::vector<CellUse>& amounts) {
  if (holders.many) return CutToLeast(holders.least, amounts);
  for (const auto* known : holders.amounts) {
    if (known == &amounts || SameAmounts(*known, amounts)) return;
  }
  if (holders.amounts.size() < Holders::kMost) return holders.amounts.push_back(&amounts);
  holders.many = true;
  holders.least = amounts;
  for (const auto* known : holders.amounts) CutToLeast(holders.least, *known);
}

// The place in the cache: entries move when others are made.
uint32_t HoldersOf(VictimCache& cache, Node* node) {
  if (node->holders_in == cache.epoch) return node->holders_at;
  Holders holders;
  if (node->is_queue()) {
    for (const WorkItem* item : node->queue->accounted) AddHolder(holders, item->usage);
  }
  for (Node* child : node->children) {
    if (child->is_queue() && !child->in_view) continue;
    const Holders& below = cache.holders[HoldersOf(cache, child)];
    for (const auto* amounts : below.amounts) AddHolder(holders, *amounts);
    if (below.many) AddHolder(holders, below.least);
  }
  node->holders_in = cache.epoch;
  node->holders_at = static_cast<uint32_t>(cache.holders.size());
  cache.holders.push_back(std::move(holders));
  return node->holders_at;
}

// Nothing is sure to arrive of a cell that nodes on the way may keep.
Share LeftWithout(const QuotaTree& tree, const Node& side, const std::vector<CellUse>& amounts) {
  std::vector<ShareChange> changes;
  changes.reserve(amounts.size());
  for (const CellUse& use : amounts) {
    const Slot* const slot = side.Find(use.cell);
    if (slot == nullptr || slot->kept_below || use.amount <= 0) continue;
    changes.push_back({static_cast<uint32_t>(slot - side.slots.data()), Amount(-use.amount)});
  }
  return tree.ShareWith(side, changes.data(), changes.size());
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

const VictimList& VictimsOf(QuotaTree& tree, const ClusterQueue& queue) {
  CacheOf(tree, queue.node->root);
  std::shared_ptr<VictimList>& list = queue.node->queue->victims;
  const bool known = queue.node->victims_known && list->by_priority == !ByLocalQueue(queue);
  if (known) return *list;
  list = std::make_shared<VictimList>();
  list->by_priority = !ByLocalQueue(queue);
  list->items.reserve(queue.accounted.size());
  for (const SortKey& key : SortedKeys(queue)) Append(*list, key.item);
  queue.node->victims_known = true;
  return *list;
}

Share MostLeft(QuotaTree& tree, Node* below, const Node& side) {
  VictimCache& cache = CacheOf(tree, below->root);
  Holders& holders = cache.holders[HoldersOf(cache, below)];
  if (holders.side == &side && holders.side_version == side.version) return holders.most_left;
  holders.side = &side;
  holders.side_version = side.version;
  if (holders.many) return holders.most_left = LeftWithout(tree, side, holders.least);
  holders.most_left = Share();
  for (const auto* amounts : holders.amounts) {
    const Share left = LeftWithout(tree, side, *amounts);
    if (ShareLess(holders.most_left, left)) holders.most_left = left;
  }
  return holders.most_left;
}

std::shared_ptr<const VictimList> BorrowersBelow(QuotaTree& tree, const Node& cohort,
                                                 const std::vector<CellId>& needed) {
  VictimCache& cache = CacheOf(tree, cohort.root);
  // What is found in a view that somebody changed is of no use to others.
  const bool keep = tree.Pristine();
  if (keep) {
    for (const auto& known : cache.borrowers) {
      if (known.cohort == &cohort && known.needed == needed) return known.list;
    }
  }
  auto found = std::make_shared<VictimList>();
  const VictimList& all = AllOf(cache, cohort.root);
  found->by_priority = all.by_priority;
  const uint64_t epoch = tree.NewEpoch();
  size_t left = MarkBorrowers(cohort, needed, epoch);
  for (size_t i = 0; left > 0; ++i) {
    WorkItem* const item = all.items[i];
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
