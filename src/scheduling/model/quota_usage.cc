#include <algorithm>

#include "base/check.h"
#include "scheduling/model/quota_tree.h"
#include "scheduling/model/work_item.h"
#include "scheduling/mutation.h"
#include "scheduling/topology/atlas.h"

namespace kueue::scheduling {

void QuotaTree::SetUsage(Node* node, uint32_t slot, Amount usage, Amount leaving) {
  Slot& at = node->slots[slot];
  if (journal_) usage_log_.push_back({node, slot, at.usage, at.leaving, node->version});
  at.usage = usage;
  at.leaving = leaving;
  Touch(node);
}

// Usage beyond the local quota shows in the parent (§2.4).
void QuotaTree::Add(Node* node, uint32_t slot, Amount amount) {
  while (true) {
    const Slot& at = node->slots[slot];
    const Amount before = at.LocalAvailable();
    const uint32_t above = at.parent_slot;
    SetUsage(node, slot, at.usage + amount, at.leaving);
    if (node->parent == nullptr || node->cyclic || amount <= before) return;
    amount -= before;
    node = node->parent;
    slot = above;
  }
}

void QuotaTree::Remove(Node* node, uint32_t slot, Amount amount) {
  while (true) {
    const Slot& at = node->slots[slot];
    const Amount over = at.usage - at.local_quota;
    const uint32_t above = at.parent_slot;
    SetUsage(node, slot, at.usage - amount, at.leaving);
    if (node->parent == nullptr || node->cyclic || over <= Amount(0)) return;
    amount = std::min(amount, over);
    node = node->parent;
    slot = above;
  }
}

// ---- victims of a cycle

void QuotaTree::TakeLeaving(Node* node, uint32_t slot, Amount amount) {
  while (true) {
    const Slot& at = node->slots[slot];
    const Amount over = at.usage - at.local_quota;
    const uint32_t above = at.parent_slot;
    SetUsage(node, slot, at.usage - amount, at.leaving + amount);
    if (node->parent == nullptr || over <= Amount(0)) return;
    amount = std::min(amount, over);
    node = node->parent;
    slot = above;
  }
}

void QuotaTree::ReturnLeaving(Node* node, uint32_t slot, Amount amount) {
  while (true) {
    const Slot& at = node->slots[slot];
    const Amount before = at.LocalAvailable();
    const uint32_t above = at.parent_slot;
    SetUsage(node, slot, at.usage + amount, at.leaving - amount);
    if (node->parent == nullptr || amount <= before) return;
    amount -= before;
    node = node->parent;
    slot = above;
  }
}

// Two ways up at once: with the victims gone, and with them still there. One may end earlier.
void QuotaTree::AddBesideLeaving(Node* node, uint32_t slot, Amount amount) {
  Amount with_them = amount;
  while (true) {
    const Slot& at = node->slots[slot];
    const Amount usage = at.usage + amount, all = at.UsageWithLeaving() + with_them;
    const Amount free = at.local_quota - at.UsageWithLeaving();
    const Amount rest = amount - at.LocalAvailable();
    const Amount rest_with_them = with_them - std::max(Amount(0), free);
    const uint32_t above = at.parent_slot;
    SetUsage(node, slot, usage, all - usage);
    amount = std::max(Amount(0), rest);
    with_them = std::max(Amount(0), rest_with_them);
    if (node->parent == nullptr || (amount == Amount(0) && with_them == Amount(0))) return;
    node = node->parent;
    slot = above;
  }
}

bool QuotaTree::IsExact(const Node& node, uint32_t slot, Amount amount) {
  constexpr Amount kMostAmount(int64_t{1} << 48), kMostUsage(int64_t{1} << 60);
  if (amount < Amount(0) || amount > kMostAmount) return false;
  const Node* at = &node;
  while (true) {
    const Slot& here = at->slots[slot];
    if (here.usage > kMostUsage || here.usage < Amount(0) || here.local_quota > kMostUsage) {
      return false;
    }
    if (at->parent == nullptr) return true;
    slot = here.parent_slot;
    at = at->parent;
  }
}

Amount QuotaTree::Available(const Node& node, uint32_t slot) {
  const Slot& at = node.slots[slot];
  if (node.parent == nullptr) return at.subtree - at.usage;
  Amount above = Available(*node.parent, at.parent_slot);
  if (at.has_borrowing_limit && !Mutated(kBorrowingLimitIsIgnored)) {
    Amount borrowed = at.usage - at.local_quota;
    if (borrowed < Amount(0)) borrowed = Amount(0);
    above = std::min(at.Stored() - borrowed + at.borrowing_limit, above);
  }
  return at.LocalAvailable() + above;
}

Amount QuotaTree::AvailableToQueue(const Node& queue, uint32_t slot) {
  return Mutated(kAvailableCountsDebt) ? Available(queue, slot)
                                       : std::max(Amount(0), Available(queue, slot));
}

bool QuotaTree::WithinNominal(const Node& node, const std::vector<CellId>& cells) {
  return std::all_of(cells.begin(), cells.end(), [&](CellId cell) {
    const Slot* slot = node.Find(cell);
    return slot == nullptr || (Mutated(kAtNominalBorrows) ? slot->subtree > slot->usage
                                                          : slot->subtree >= slot->usage);
  });
}

const Share& QuotaTree::ShareOf(const Node& node) const {
  if (node.share_version != node.version) {
    node.share = ComputeShare(catalog_, node, nullptr, 0, false);
    node.share_version = node.version;
  }
  return node.share;
}

void QuotaTree::StartJournal() {
  KUEUE_CHECK(!journal_ && usage_log_.empty() && hidden_log_.empty());
  journal_ = true;
}

void QuotaTree::StopJournal() {
  Undo({});
  journal_ = uneven_ = false;
}

QuotaTree::Mark QuotaTree::Here() const {
  return {usage_log_.size(), hidden_log_.size(), atlas_ == nullptr ? 0 : atlas_->Here()};
}

void QuotaTree::Undo(Mark mark) {
  if (atlas_ != nullptr) atlas_->Undo(mark.domains);
  while (usage_log_.size() > mark.usage) {
    const UsageChange& change = usage_log_.back();
    Slot& slot = change.node->slots[change.slot];
    slot.usage = change.before;
    slot.leaving = change.leaving;
    change.node->version = change.version;
    usage_log_.pop_back();
  }
  while (hidden_log_.size() > mark.hidden) {
    hidden_log_.back().item->hidden = hidden_log_.back().before;
    hidden_log_.pop_back();
  }
}

void QuotaTree::Hide(WorkItem* item, bool hidden) {
  KUEUE_CHECK(journal_);
  hidden_log_.push_back({item, item->hidden});
  item->hidden = hidden;
}

}  // namespace kueue::scheduling
