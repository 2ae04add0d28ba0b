#include <algorithm>

#include "scheduling/cycle.h"

// Variants of one workload race for a flavor each; the earlier a flavor stands in the queue's first
// resource group the better (spec/scheduling.md §10).
namespace kueue::scheduling {
namespace {

constexpr size_t kNoRank = SIZE_MAX;

size_t RankOf(const std::string& flavor, const ClusterQueue& queue) {
  const auto& groups = queue.object->spec.resource_groups;
  if (groups.empty()) return kNoRank;
  const auto& flavors = groups[0].flavors;
  const auto at = std::find_if(flavors.begin(), flavors.end(),
                               [&](const auto& entry) { return entry.name == flavor; });
  return at == flavors.end() ? kNoRank : static_cast<size_t>(at - flavors.begin());
}

// Of the variant's own flavor.
size_t RankOf(const WorkItem& item, const ClusterQueue& queue) {
  if (item.variant == nullptr || item.variant->flavors.empty()) return kNoRank;
  return RankOf(item.variant->flavors.front(), queue);
}

}  // namespace

WorkItem* Cycle::AdmittedSibling(const Entry& entry, bool earlier) const {
  if (entry.item->variant == nullptr || entry.item->variant->parent_uid.empty()) return nullptr;
  const size_t own = RankOf(*entry.item, *entry.queue);
  if (own == kNoRank) return nullptr;
  WorkItem* found = nullptr;
  for (WorkItem* other : entry.queue->accounted) {
    if (other == entry.item || !other->admitted || other->variant == nullptr ||
        other->variant->parent_uid != entry.item->variant->parent_uid) {
      continue;
    }
    const size_t rank = RankOf(*other, *entry.queue);
    if (rank == kNoRank || (earlier ? rank >= own : rank <= own)) continue;
    if (found == nullptr || other->key < found->key) found = other;
  }
  return found;
}

bool Cycle::MayMigrate(const Entry& entry) const {
  const auto& policy = entry.queue->object->spec.concurrent_admission_policy;
  if (!policy || !policy->migration.constraints) return true;
  const auto& last = policy->migration.constraints->last_acceptable_flavor_name;
  return !last || RankOf(*entry.item, *entry.queue) <= RankOf(*last, *entry.queue);
}

// §5.6 L: its usage stays in view for the rest of the cycle, whether the sibling leaves or not.
void Cycle::MigrateFrom(Entry& entry, WorkItem* sibling) {
  if (!MayMigrate(entry)) {
    entry.sibling = Entry::Sibling::kStays;
    entry.reason = RequeueReason::kGeneric;
    return;
  }
  entry.sibling = Entry::Sibling::kLeaves;
  entry.reason = RequeueReason::kPendingMigration;
  entry.keep_progress = false;
  if (!sibling->leaving()) migrations_.emplace_back(sibling, &entry);
}

}  // namespace kueue::scheduling
