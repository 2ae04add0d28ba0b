#include <algorithm>

#include "api/types/dialect.h"
#include "api/types/names.h"
#include "scheduling/world.h"

// Admission fair sharing: LocalQueues of one ClusterQueue in the order of what they used (§9).
namespace kueue::scheduling {
namespace {

enum class Phase : uint8_t { kPending, kReserved, kAdmitted, kFinished };

Phase PhaseOf(const api::Workload& workload) {
  const auto is_true = [&](const char* type) {
    return api::IsConditionTrue(workload.status.conditions, type);
  };
  if (is_true(api::names::kFinished)) return Phase::kFinished;
  if (is_true(api::names::kAdmitted)) return Phase::kAdmitted;
  return is_true(api::names::kQuotaReserved) ? Phase::kReserved : Phase::kPending;
}

bool IsActive(const api::Workload& workload) { return workload.spec.active.value_or(true); }
bool IsReserved(const api::Workload& workload) {
  return api::IsConditionTrue(workload.status.conditions, api::names::kQuotaReserved);
}

const api::ResourceList* Persisted(const api::LocalQueue& queue) {
  const auto& sharing = queue.status.fair_sharing;
  if (!sharing || !sharing->admission_fair_sharing_status) return nullptr;
  return &sharing->admission_fair_sharing_status->consumed_resources;
}

}  // namespace

bool World::CountsPastUse(const api::ClusterQueue& queue) const {
  if (!ledger) return false;
  if (config.admission_fair_sharing->only_by_strategy) {
    const auto& annotations = queue.metadata.annotations;
    const auto strategy = annotations.find(api::names::kStrategy);
    if (strategy == annotations.end() || strategy->second != "FairSharing") return false;
  }
  return queue.spec.admission_scope &&
         queue.spec.admission_scope->admission_mode == "UsageBasedAdmissionFairSharing";
}

// What the admitted workloads of the LocalQueue use, flavors summed; also the zeros of what the
// ClusterQueue covers.
api::ResourceList World::LiveUse(const LocalQueue& local, const ClusterQueue& queue) const {
  std::map<std::string, int64_t> units;
  for (const RuleGroup& group : queue.rules.groups) {
    for (const ResourceId resource : group.resources) units[catalog.Name(resource)] = 0;
  }
  for (const WorkItem* item : local.items) {
    if (item->accounted_in != &queue || !item->admitted) continue;
    for (const CellUse& use : item->usage) {
      int64_t& sum = units[catalog.Name(catalog.ResourceOf(use.cell))];
      sum = resources::SaturatingAdd(sum, use.amount);
    }
  }
  api::ResourceList out;
  for (const auto& [name, amount] : units) out[name] = resources::UnitsToQuantity(name, amount);
  return out;
}

void World::PastUseChanged(LocalQueue* local) {
  local->past_use = ledger->UsageOf(local->key, local->weight);
  if (local->target != nullptr && local->target->node != nullptr && local->target->by_past_use) {
    QuotaTree::VictimsChanged(local->target->node);
  }
  RecordPastUse(local->key);
}

void World::RecordPastUse(const std::string& local_queue) {
  if (const PastUse* entry = ledger->Find(local_queue)) {
    records.past_use.Set(local_queue, std::make_shared<const PastUse>(*entry));
  } else {
    records.past_use.Remove(local_queue);
  }
}

// The weight of the object, and what an earlier process left in its status.
void World::FollowWeight(LocalQueue* local, base::Time now) {
  local->weight = ReadWeight(local->object->spec.fair_sharing);
  if (!ledger) return;
  const api::ResourceList* const persisted = Persisted(*local->object);
  if (persisted != nullptr && !persisted->empty() && ledger->Find(local->key) == nullptr) {
    ledger->Merge(local->key, *persisted, now);
  }
  const double before = local->past_use;
  PastUseChanged(local);
  if (before == local->past_use || local->target == nullptr) return;
  if (local->target->pending != nullptr) local->target->pending->Rebuild();
}

void World::ForgetPastUse(LocalQueue* local) {
  local->weight = 1;
  if (!ledger) return;
  ledger->Forget(local->key);
  PastUseChanged(local);
}

void World::RestorePastUse(const PastUse& entry) {
  if (!ledger) return;
  ledger->Restore(entry);
  LocalQueue* const local = LocalQueueNamed(entry.local_queue);
  PastUseChanged(local);
  if (local->target != nullptr && local->target->pending != nullptr) {
    local->target->pending->Rebuild();
  }
  DropIfUnused(local);
}

void World::OrderByPastUse(ClusterQueue* queue) {
  const bool pending = std::any_of(
      queue->local_queues.begin(), queue->local_queues.end(), [&](const LocalQueue* local) {
        const PastUse* const entry = local->usable() ? ledger->Find(local->key) : nullptr;
        return entry != nullptr && entry->HasPending();
      });
  if (pending) queue->pending->Rebuild();
}

// The price of an admission before it is part of what was used (§9.2).
void World::ChargeForEntry(const WorkItem& item, const ClusterQueue& queue, base::Time now) {
  if (!queue.by_past_use || IsReserved(*item.object)) return;
  std::map<std::string, int64_t> units;
  for (size_t i = 0; i < item.demand->pod_sets.size(); ++i) {
    for (const ResourceAmount& want : item.demand->pod_sets[i].per_pod) {
      if (config.ignore_undeclared_resources && config.gates.quota_check_strategy &&
          !queue.rules.PlaceOf(want.resource).valid()) {
        continue;
      }
      int64_t& sum = units[catalog.Name(want.resource)];
      sum = resources::SaturatingAdd(sum, resources::SaturatingMul(want.amount, item.counts[i]));
    }
  }
  api::ResourceList requests;
  for (const auto& [name, amount] : units) {
    requests[name] = resources::UnitsToQuantity(name, amount);
  }
  ledger->Charge(item.local_queue->key, item.key, requests, now);
  PastUseChanged(item.local_queue);
}

// A change of a workload settles its penalty, or lets it go if it can never be settled (§9.2).
void World::FollowPastUse(const WorkItem& item, const api::Workload& before, base::Time now) {
  const api::Workload& after = *item.object;
  LocalQueue* const local = item.local_queue;
  const Phase phase = PhaseOf(after), phase_before = PhaseOf(before);
  bool changed = false;
  if (IsActive(after) && phase == Phase::kAdmitted && phase_before != Phase::kAdmitted &&
      after.status.admission) {
    const ClusterQueue* const queue = FindQueue(after.status.admission->cluster_queue);
    if (queue != nullptr && queue->by_past_use && local->object != nullptr &&
        local->target == queue) {
      ledger->Settle(local->key, item.key, LiveUse(*local, *queue), now);
      changed = true;
    }
  }
  if (before.spec.queue_name != after.spec.queue_name) {
    const std::string old_key = before.metadata.namespace_name + "/" + before.spec.queue_name;
    if (ledger->Refund(old_key, item.key)) {
      LocalQueue* const old = LocalQueueNamed(old_key);
      PastUseChanged(old);
      DropIfUnused(old);
    }
  }
  const bool over = !IsActive(after) && !IsReserved(after);
  if ((over && (IsActive(before) || IsReserved(before))) ||
      (phase == Phase::kFinished && phase_before != Phase::kFinished)) {
    changed |= ledger->Refund(local->key, item.key);
  }
  if (changed) PastUseChanged(local);
}

std::optional<State::PastUseReport> World::SamplePastUse(const std::string& local_queue,
                                                         base::Time now) {
  const auto found = local_by_key_.find(local_queue);
  if (!ledger || found == local_by_key_.end()) return std::nullopt;
  LocalQueue* const local = found->second.get();
  if (local->object == nullptr || local->target == nullptr || local->target->node == nullptr) {
    return std::nullopt;
  }
  if (config.admission_fair_sharing->only_by_strategy && !local->target->by_past_use) {
    return std::nullopt;
  }
  const api::ResourceList* const persisted = Persisted(*local->object);
  const auto next =
      ledger->Sample(local_queue, persisted != nullptr ? *persisted : api::ResourceList(),
                     LiveUse(*local, *local->target), now);
  const double before = local->past_use;
  PastUseChanged(local);
  if (before != local->past_use) local->target->pending->Rebuild();
  const PastUse& entry = *ledger->Find(local_queue);
  return State::PastUseReport{entry.consumed, entry.last_update, local->past_use, next};
}

}  // namespace kueue::scheduling
