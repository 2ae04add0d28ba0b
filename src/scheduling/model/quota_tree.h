#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/time.h"
#include "resources/amount.h"
#include "scheduling/fairness/share.h"
#include "scheduling/model/catalog.h"

// The quota tree: ClusterQueues are leaves, Cohorts inner nodes (spec/scheduling.md §2).
namespace kueue::scheduling {

namespace topology {
class Atlas;
}
using resources::Amount;
struct ClusterQueue;
struct VictimCache;
struct WorkItem;

struct Quota {
  Amount nominal;
  std::optional<Amount> borrowing_limit, lending_limit;
};
using Quotas = std::vector<std::pair<CellId, Quota>>;

// One cell in one node.
struct Slot {
  CellId cell;
  uint32_t parent_slot = 0;  // the same cell in the parent, if there is a parent
  bool declared = false;     // a key of the node's subtree (§2.2): own quota or a child's
  bool has_borrowing_limit = false, has_lending_limit = false;
  Amount nominal, borrowing_limit, lending_limit;
  Amount subtree, usage;
  Amount local_quota;  // kept from the parent (§2.2); fixed between rebuilds
  Amount potential;    // §2.3; fixed between rebuilds
  // Some node below keeps quota for itself: of what it gives back not all may arrive here.
  bool kept_below = false;
  // What victims of this cycle hold here: out of `usage` already, and still to be seen by some
  // questions (QuotaTree::TakeLeaving).
  Amount leaving;

  Amount UsageWithLeaving() const { return usage + leaving; }

  Amount Stored() const { return subtree - local_quota; }
  Amount LocalAvailable() const {
    const Amount free = local_quota - usage;
    return free < Amount(0) ? Amount(0) : free;
  }
};

struct Node {
  std::string name;
  ClusterQueue* queue = nullptr;  // of a leaf; null for a Cohort
  Node* parent = nullptr;
  Node* root = nullptr;          // of a tree without a cycle
  std::vector<Node*> children;   // Cohorts by name, then ClusterQueues by name
  bool explicit_object = false;  // a Cohort with an API object (§2.1)
  bool cyclic = false;           // the way up never ends (§2.1)
  bool in_view = true;           // a leaf that may schedule; others only count (§3.2)
  uint64_t marked_at = 0;        // scratch: the last walk that marked it, by epoch
  uint64_t listed_in = 0;        // scratch of a search: the epoch of its list, and the place in it
  uint32_t listed_at = 0;
  uint64_t turned_away_in = 0;  // scratch: the search that turned the whole subtree away
  uint32_t seat = 0;            // scratch of a tournament: its place among its siblings
  uint64_t holders_in = 0;      // scratch: the cache whose entry for the node is at holders_at
  uint32_t holders_at = 0;
  int height = 0;               // of a Cohort (§6.6)
  double weight = 1;            // §2.6
  // Of a root: who would have to go, in order; kept by preemption/candidates.h, null after a
  // change.
  std::shared_ptr<VictimCache> victim_cache;
  bool victims_known = false;  // of a leaf: its list is good; kept by preemption/candidates.h
  bool retry_asked = false;  // scratch of queues/retries.h, with retry_due
  base::Time retry_due;
  uint64_t generation = 0;  // AllocatableResourceGeneration of a leaf (§2.5)

  std::vector<CellId> own;  // cells with a quota of the node itself
  std::vector<Slot> slots;  // only grows, so an index stays good as long as the node lives
  std::vector<std::pair<CellId, uint32_t>> slot_of;     // sorted by cell
  std::vector<std::pair<ResourceId, Amount>> lendable;  // of a Cohort (§2.6), sorted

  // A number that is different whenever quota or usage of this node are different: an undone
  // change brings the old number back. Results computed from the node are kept under it.
  uint64_t version = 0;
  mutable uint64_t share_version = UINT64_MAX;
  mutable Share share;

  bool is_queue() const { return queue != nullptr; }
  // Null if the node never had that cell: everything about it reads 0.
  const Slot* Find(CellId cell) const;
};

// All trees. Usage changes are incremental; while the journal is on they can be undone exactly.
class QuotaTree {
 public:
  explicit QuotaTree(Catalog& catalog) : catalog_(catalog) {}
  // Marks and undoing are meant for the trials of `atlas` as well. It has to stay.
  void Accompany(topology::Atlas* atlas) { atlas_ = atlas; }
  topology::Atlas* atlas() const { return atlas_; }

  // ---- shape (§2.1). Trees whose shape or quota changes are rebuilt; cyclic ones are left stale.
  // Creates the leaf of `queue` or gives it other quotas, weight and parent ("" = none).
  Node* SetQueue(Node* existing, const std::string& name, ClusterQueue* queue, const Quotas& quotas,
                 const std::string& cohort, double weight);
  void DeleteQueue(Node* node);
  // For trials: so much more nominal quota for a leaf, or less.
  void RaiseNominal(Node* queue, uint32_t slot, Amount by);
  Node* SetCohort(const std::string& name, const Quotas& quotas, const std::string& parent,
                  double weight);
  void DeleteCohort(const std::string& name);
  Node* FindCohort(const std::string& name) const;
  // The root of the node's tree; null when the way up is cyclic.
  static Node* RootOf(Node* node) { return node->cyclic ? nullptr : node->root; }
  // Running workloads of the queue, or the order in which they would go, changed.
  static void VictimsChanged(Node* queue) {
    queue->victims_known = false;
    if (Node* root = RootOf(queue)) root->victim_cache.reset();
  }
  // Heights depend on which leaves are in view.
  void SetInView(Node* queue, bool in_view);

  // The slot of `cell` in `node` and in all its ancestors, made where missing.
  uint32_t EnsureSlot(Node* node, CellId cell);

  Catalog& catalog() const { return catalog_; }

  // ---- usage (§2.4)
  void Add(Node* node, uint32_t slot, Amount amount);
  void Remove(Node* node, uint32_t slot, Amount amount);
  // A victim of the cycle gives this up. It is gone for everybody from now on; only Slot::leaving
  // and ShareWithLeaving() still count it. ReturnLeaving() takes that back.
  void TakeLeaving(Node* node, uint32_t slot, Amount amount);
  void ReturnLeaving(Node* node, uint32_t slot, Amount amount);
  // Add() while victims of the cycle are gone: `leaving` stays what it has to be above the node
  // too. Not for negative amounts.
  void AddBesideLeaving(Node* node, uint32_t slot, Amount amount);
  // False if the order in which amounts like this one come and go makes a difference: sums so
  // large that they may not be exact.
  static bool IsExact(const Node& node, uint32_t slot, Amount amount);

  // ---- questions (§2.3)
  // What is free for the node; negative when an ancestor is in debt.
  static Amount Available(const Node& node, uint32_t slot);
  // The same for a leaf, never below 0.
  static Amount AvailableToQueue(const Node& queue, uint32_t slot);
  // Would it exceed its own quota: nominal of a leaf, subtree of a Cohort.
  static bool BorrowsWith(const Node& node, const Slot& slot, Amount amount) {
    return (node.is_queue() ? slot.nominal : slot.subtree) < slot.usage + amount;
  }
  static bool WithinNominal(const Node& node, const std::vector<CellId>& cells);
  // §2.6.
  const Share& ShareOf(const Node& node) const;
  // That share if `used` were added to the usage (or removed, if negative), no matter where from;
  // slots are the node's.
  Share ShareWith(const Node& node, const ShareChange* changes, size_t count) const {
    return ComputeShare(catalog_, node, changes, count, false);
  }
  Share ShareWithLeaving(const Node& node, const ShareChange* changes, size_t count) const {
    return ComputeShare(catalog_, node, changes, count, true);
  }

  // ---- journal: everything changed after a mark can be undone, in reverse order.
  struct Mark {
    size_t usage = 0, hidden = 0, domains = 0;
  };
  void StartJournal();
  // Undoes everything and stops writing.
  void StopJournal();
  Mark Here() const;
  void Undo(Mark mark);
  // Nothing is changed that is not undone.
  bool Pristine() const { return usage_log_.empty() && hidden_log_.empty(); }
  // Until the journal stops, usage may be less than what workloads hold, or sums too large to be
  // exact.
  void SetUneven() { uneven_ = true; }
  bool uneven() const { return uneven_; }
  // A number never used before, for marks on nodes.
  uint64_t NewEpoch() { return ++last_version_; }
  // Takes the item out of sight of candidate searches, until undone.
  void Hide(WorkItem* item, bool hidden);

 private:
  struct UsageChange {
    Node* node;
    uint32_t slot;
    Amount before, leaving;
    uint64_t version;
  };
  struct HiddenChange {
    WorkItem* item;
    bool before;
  };
  Node* CohortFor(const std::string& name);
  void SetQuotas(Node* node, const Quotas& quotas);
  Node* Move(Node* node, const std::string& parent);
  void Detach(Node* node);
  void Attach(Node* node, Node* parent);
  bool DropIfUnused(Node* cohort);
  void Refresh(Node* node);
  void MarkShape(Node* node);
  void RebuildUp(Node* node);
  void RebuildDown(Node* node);
  void Touch(Node* node) { node->version = ++last_version_; }
  void SetUsage(Node* node, uint32_t slot, Amount usage, Amount leaving);

  Catalog& catalog_;
  topology::Atlas* atlas_ = nullptr;
  std::unordered_map<std::string, std::unique_ptr<Node>> cohorts_;  // only looked up, never walked
  std::vector<std::unique_ptr<Node>> queues_;
  std::vector<UsageChange> usage_log_;
  std::vector<HiddenChange> hidden_log_;
  bool journal_ = false, uneven_ = false;
  uint64_t last_version_ = 0;
};

}  // namespace kueue::scheduling
