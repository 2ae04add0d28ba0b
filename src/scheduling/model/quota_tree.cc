#include "scheduling/model/quota_tree.h"

#include <algorithm>

#include "base/check.h"
#include "scheduling/mutation.h"

namespace kueue::scheduling {
namespace {

// Cohorts before ClusterQueues, each by name: the fair search visits children in this order
// (spec/scheduling.md §15).
bool ChildLess(const Node* a, const Node* b) {
  if (a->is_queue() != b->is_queue()) return b->is_queue();
  return a->name < b->name;
}

bool CellLess(const std::pair<CellId, uint32_t>& entry, CellId cell) { return entry.first < cell; }

// Height of a Cohort (§6.6): leaves out of view do not count as children.
int HeightOf(const Node& cohort) {
  int height = 0;
  for (const Node* child : cohort.children) {
    if (child->is_queue()) {
      if (child->in_view) height = std::max(height, 1);
    } else {
      height = std::max(height, 1 + child->height);
    }
  }
  return height;
}

}  // namespace

const Slot* Node::Find(CellId cell) const {
  const auto at = std::lower_bound(slot_of.begin(), slot_of.end(), cell, CellLess);
  return at != slot_of.end() && at->first == cell ? &slots[at->second] : nullptr;
}

uint32_t QuotaTree::EnsureSlot(Node* node, CellId cell) {
  const auto at = std::lower_bound(node->slot_of.begin(), node->slot_of.end(), cell, CellLess);
  if (at != node->slot_of.end() && at->first == cell) return at->second;
  const auto slot = static_cast<uint32_t>(node->slots.size());
  node->slot_of.insert(at, {cell, slot});
  node->slots.emplace_back();
  node->slots[slot].cell = cell;
  if (node->parent != nullptr) {
    const uint32_t above = EnsureSlot(node->parent, cell);
    node->slots[slot].parent_slot = above;
    node->slots[slot].potential = node->parent->slots[above].potential;
  }
  return slot;
}

void QuotaTree::SetQuotas(Node* node, const Quotas& quotas) {
  for (Slot& slot : node->slots) {
    slot.declared = slot.has_borrowing_limit = slot.has_lending_limit = false;
    slot.nominal = slot.borrowing_limit = slot.lending_limit = Amount(0);
  }
  for (const auto& [cell, quota] : quotas) {
    Slot& slot = node->slots[EnsureSlot(node, cell)];
    slot.declared = true;
    slot.nominal = quota.nominal;
    slot.has_borrowing_limit = quota.borrowing_limit.has_value();
    slot.has_lending_limit = quota.lending_limit.has_value();
    slot.borrowing_limit = quota.borrowing_limit.value_or(Amount(0));
    slot.lending_limit = quota.lending_limit.value_or(Amount(0));
  }
  node->own.clear();
  for (const auto& entry : quotas) node->own.push_back(entry.first);
}

Node* QuotaTree::FindCohort(const std::string& name) const {
  const auto found = cohorts_.find(name);
  return found == cohorts_.end() ? nullptr : found->second.get();
}

Node* QuotaTree::CohortFor(const std::string& name) {
  auto& cohort = cohorts_[name];
  if (cohort == nullptr) {
    cohort = std::make_unique<Node>();
    cohort->name = name;
    cohort->root = cohort.get();
    Touch(cohort.get());
  }
  return cohort.get();
}

void QuotaTree::Attach(Node* node, Node* parent) {
  node->parent = parent;
  auto& children = parent->children;
  children.insert(std::upper_bound(children.begin(), children.end(), node, ChildLess), node);
  for (uint32_t slot = 0; slot < node->slots.size(); ++slot) {
    const uint32_t above = EnsureSlot(parent, node->slots[slot].cell);
    node->slots[slot].parent_slot = above;
  }
}

void QuotaTree::Detach(Node* node) {
  if (node->parent == nullptr) return;
  std::erase(node->parent->children, node);
  node->parent = nullptr;
}

bool QuotaTree::DropIfUnused(Node* cohort) {
  // An implicit Cohort goes with its last child (§2.1).
  if (cohort->explicit_object || !cohort->children.empty() || cohort->parent != nullptr) {
    return false;
  }
  const std::string name = cohort->name;
  cohorts_.erase(name);
  return true;
}

// Gives the node another parent; returns the old one if it still exists and is another.
Node* QuotaTree::Move(Node* node, const std::string& parent) {
  Node* const old = node->parent;
  if (old != nullptr && old->name == parent) return nullptr;
  Detach(node);
  if (!parent.empty()) Attach(node, CohortFor(parent));
  if (old == nullptr || old == node) return nullptr;
  return DropIfUnused(old) ? nullptr : old;
}

Node* QuotaTree::SetQueue(Node* existing, const std::string& name, ClusterQueue* queue,
                          const Quotas& quotas, const std::string& cohort, double weight) {
  Node* node = existing;
  if (node == nullptr) {
    node = queues_.emplace_back(std::make_unique<Node>()).get();
    node->name = name;
    node->queue = queue;
    node->root = node;
  }
  node->weight = weight;
  SetQuotas(node, quotas);
  Node* const old = Move(node, cohort);
  Refresh(node);
  if (old != nullptr) Refresh(old);
  return node;
}

void QuotaTree::RaiseNominal(Node* queue, uint32_t slot, Amount by) {
  queue->slots[slot].nominal += by;
  Refresh(queue);
}

void QuotaTree::DeleteQueue(Node* node) {
  Node* const old = Move(node, "");
  if (old != nullptr) Refresh(old);
  std::erase_if(queues_, [&](const auto& owned) { return owned.get() == node; });
}

Node* QuotaTree::SetCohort(const std::string& name, const Quotas& quotas, const std::string& parent,
                           double weight) {
  Node* const node = CohortFor(name);
  node->explicit_object = true;
  node->weight = weight;
  SetQuotas(node, quotas);
  Node* const old = Move(node, parent);
  Refresh(node);
  if (old != nullptr) Refresh(old);
  return node;
}

void QuotaTree::DeleteCohort(const std::string& name) {
  Node* const node = FindCohort(name);
  if (node == nullptr) return;
  node->explicit_object = false;
  node->weight = 1;
  SetQuotas(node, {});
  Node* const old = Move(node, "");
  // The children stay together below a Cohort without quota of its own (§2.1).
  Refresh(node);
  if (old != nullptr) Refresh(old);
  DropIfUnused(node);
}

// Walks down from the node and up from each node found: who is in a cycle, who is whose root.
void QuotaTree::MarkShape(Node* node) {
  std::vector<Node*> unvisited{node}, found;
  const uint64_t walk = ++last_version_;
  while (!unvisited.empty()) {
    Node* const next = unvisited.back();
    unvisited.pop_back();
    if (next->marked_at == walk) continue;
    next->marked_at = walk;
    found.push_back(next);
    unvisited.insert(unvisited.end(), next->children.begin(), next->children.end());
  }
  for (Node* below : found) {
    // The second walker moves twice as fast and meets the first one only in a cycle.
    Node *slow = below, *fast = below;
    do {
      slow = slow->parent;
      fast = fast->parent == nullptr ? nullptr : fast->parent->parent;
    } while (fast != nullptr && fast->parent != nullptr && slow != fast);
    below->cyclic = fast != nullptr && fast->parent != nullptr;
    if (below->cyclic) continue;
    Node* root = below;
    while (root->parent != nullptr) root = root->parent;
    below->root = root;
  }
}

void QuotaTree::Refresh(Node* node) {
  MarkShape(node);
  if (node->cyclic) return;
  Node* const root = node->root;
  root->victim_cache.reset();
  RebuildUp(root);
  RebuildDown(root);
}

// Bottom-up: what each subtree has and uses (§2.2).
void QuotaTree::RebuildUp(Node* node) {
  for (Slot& slot : node->slots) {
    slot.subtree = slot.nominal;
    slot.kept_below = false;
    if (!node->is_queue()) slot.usage = Amount(0), slot.declared = false;
  }
  for (CellId cell : node->own) node->slots[EnsureSlot(node, cell)].declared = true;
  for (Node* child : node->children) {
    RebuildUp(child);
    for (const Slot& slot : child->slots) {
      Slot& above = node->slots[slot.parent_slot];
      if (slot.declared) {
        above.declared = true;
        above.subtree += slot.Stored();
      }
      const Amount over = slot.usage - slot.local_quota;
      if (over > Amount(0)) above.usage += over;
      above.kept_below |= slot.kept_below || slot.local_quota != Amount(0);
    }
  }
  for (Slot& slot : node->slots) {
    const Amount kept = slot.subtree - slot.lending_limit;
    const bool keeps = slot.has_lending_limit && !Mutated(kLendingLimitIsIgnored);
    slot.local_quota = keeps && kept > Amount(0) ? kept : Amount(0);
  }
  if (node->is_queue()) {
    ++node->generation;
  } else {
    node->height = HeightOf(*node);
  }
  Touch(node);
}

// Top-down: what each node could use at most (§2.3), and what a parent has to lend (§2.6).
void QuotaTree::RebuildDown(Node* node) {
  for (Slot& slot : node->slots) {
    if (node->parent == nullptr) {
      slot.potential = slot.subtree;
      continue;
    }
    slot.potential = slot.local_quota + node->parent->slots[slot.parent_slot].potential;
    if (slot.has_borrowing_limit) {
      slot.potential = std::min(slot.subtree + slot.borrowing_limit, slot.potential);
    }
  }
  if (node->is_queue()) return;
  node->lendable.clear();
  for (const Slot& top : node->root->slots) {
    if (!top.declared) continue;
    // A node without the cell could use what its nearest ancestor with it could.
    const Node* with = node;
    while (with->Find(top.cell) == nullptr) with = with->parent;
    const Amount amount = with->Find(top.cell)->potential;
    const ResourceId resource = catalog_.ResourceOf(top.cell);
    const auto at = std::find_if(node->lendable.begin(), node->lendable.end(),
                                 [&](const auto& entry) { return entry.first == resource; });
    if (at == node->lendable.end()) {
      node->lendable.emplace_back(resource, amount);
    } else {
      at->second += amount;
    }
  }
  for (Node* child : node->children) {
    child->root = node->root;
    RebuildDown(child);
  }
}

void QuotaTree::SetInView(Node* queue, bool in_view) {
  if (queue->in_view == in_view) return;
  queue->in_view = in_view;
  VictimsChanged(queue);
  if (queue->cyclic) return;
  for (Node* up = queue->parent; up != nullptr; up = up->parent) up->height = HeightOf(*up);
}

}  // namespace kueue::scheduling
