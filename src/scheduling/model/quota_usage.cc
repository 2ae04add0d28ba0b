#include <algorithm>

#include "base/check.h"
#include "scheduling/model/quota_tree.h"
#include "scheduling/model/work_item.h"
#include "scheduling/topology/atlas.h"

namespace kueue::scheduling {

void QuotaTree::SetUsage(Node* node, uint32_t slot, Amount usage) {
  if (journal_) usage_log_.push_back({node, slot, node->slots[slot].usage, node->version});
  node->slots[slot].usage = usage;
  Touch(node);
}

// Usage beyond the local quota shows in the parent (§2.4).
void QuotaTree::Add(Node* node, uint32_t slot, Amount amount) {
  while (true) {
    const Slot& at = node->slots[slot];
    const Amount before = at.LocalAvailable();
    const uint32_t above = at.parent_slot;
    SetUsage(node, slot, at.usage + amount);
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
    SetUsage(node, slot, at.usage - amount);
    if (node->parent == nullptr || node->cyclic || over <= Amount(0)) return;
    amount = std::min(amount, over);
    node = node->parent;
    slot = above;
  }
}

Amount QuotaTree::Available(const Node& node, uint32_t slot) {
  const Slot& at = node.slots[slot];
  if (node.parent == nullptr) return at.subtree - at.usage;
  Amount above = Available(*node.parent, at.parent_slot);
  if (at.has_borrowing_limit) {
    Amount borrowed = at.usage - at.local_quota;
    if (borrowed < Amount(0)) borrowed = Amount(0);
    above = std::min(at.Stored() - borrowed + at.borrowing_limit, above);
  }
  return at.LocalAvailable() + above;
}

Amount QuotaTree::AvailableToQueue(const Node& queue, uint32_t slot) {
  return std::max(Amount(0), Available(queue, slot));
}

bool QuotaTree::WithinNominal(const Node& node, const std::vector<CellId>& cells) {
  return std::all_of(cells.begin(), cells.end(), [&](CellId cell) {
    const Slot* slot = node.Find(cell);
    return slot == nullptr || slot->subtree >= slot->usage;
  });
}

const Share& QuotaTree::ShareOf(const Node& node) const {
  if (node.share_version != node.version) {
    node.share = ComputeShare(catalog_, node);
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
  journal_ = false;
}

QuotaTree::Mark QuotaTree::Here() const {
  return {usage_log_.size(), hidden_log_.size(), atlas_ == nullptr ? 0 : atlas_->Here()};
}

void QuotaTree::Undo(Mark mark) {
  if (atlas_ != nullptr) atlas_->Undo(mark.domains);
  while (usage_log_.size() > mark.usage) {
    const UsageChange& change = usage_log_.back();
    change.node->slots[change.slot].usage = change.before;
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
