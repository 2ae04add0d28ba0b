#include <algorithm>

#include "api/types/names.h"
#include "base/check.h"
#include "scheduling/policies/budget.h"
#include "scheduling/world.h"

// Facts about workloads: the transitions of spec/controllers.md §3.2 (predicates create, update,
// delete), and the accounting of usage (spec/scheduling.md §2.5).
namespace kueue::scheduling {
namespace {

bool SameCondition(const api::Workload& a, const api::Workload& b, const char* type) {
  const api::Condition* x = api::FindCondition(a.status.conditions, type);
  const api::Condition* y = api::FindCondition(b.status.conditions, type);
  if (x == nullptr || y == nullptr) return x == y;
  return *x == *y;
}

std::string AnnotationOf(const api::Workload& object, const char* name) {
  const auto found = object.metadata.annotations.find(name);
  return found == object.metadata.annotations.end() ? std::string() : found->second;
}

std::string AllowedFlavors(const api::Workload& object) {
  return AnnotationOf(object, api::names::kAllowedResourceFlavors);
}

// §4.8: only under a WorkloadPriorityClass, and not where a pod's PriorityClass was named before.
bool PriorityChanged(const api::Workload& before, int64_t priority_before, const WorkItem& now) {
  const auto& a = before.spec.priority_class_ref;
  const auto& b = now.object->spec.priority_class_ref;
  if (!b || b->kind != "WorkloadPriorityClass") return false;
  if (a && a->kind == "PriorityClass") return false;
  const std::string name_before = a ? a->name : std::string();
  return (name_before != b->name && !b->name.empty()) || priority_before != now.priority;
}

// Some pod set smaller and none larger (§11).
bool ScaledDown(const api::Workload& before, const api::Workload& after) {
  if (before.spec.pod_sets.size() != after.spec.pod_sets.size()) return false;
  bool smaller = false;
  for (size_t i = 0; i < after.spec.pod_sets.size(); ++i) {
    if (after.spec.pod_sets[i].count > before.spec.pod_sets[i].count) return false;
    smaller |= after.spec.pod_sets[i].count < before.spec.pod_sets[i].count;
  }
  return smaller;
}

std::string LocalKey(const api::Workload& object) {
  return object.metadata.namespace_name + "/" + object.spec.queue_name;
}

}  // namespace

WorkItem* World::FindItem(const std::string& key) const {
  const auto found = items_.find(key);
  return found == items_.end() ? nullptr : found->second.get();
}

// ---- which LocalQueue

void World::BindItem(WorkItem* item) {
  LocalQueue* const queue = LocalQueueNamed(LocalKey(*item->object));
  item->local_queue = queue;
  item->past_use = &queue->past_use;
  item->local_at = static_cast<uint32_t>(queue->items.size());
  queue->items.push_back(item);
  FollowQueuePriority(item);
}

// The priority of the LocalQueue is part of what makes workloads alike.
void World::FollowQueuePriority(WorkItem* item) {
  if (item->queue_priority == item->local_queue->priority) return;
  item->queue_priority = item->local_queue->priority;
  item->shape = ReadShape(*item, config, catalog, shapes);
}

void World::UnbindItem(WorkItem* item) {
  LocalQueue* const queue = item->local_queue;
  queue->items[item->local_at] = queue->items.back();
  queue->items[item->local_at]->local_at = item->local_at;
  queue->items.pop_back();
  item->local_queue = nullptr;
  item->past_use = nullptr;
  DropIfUnused(queue);
}

// ---- waiting

// §10: in a queue with such a policy only variants are queued and counted.
bool World::IsForVariants(const ClusterQueue& queue, const WorkItem& item) const {
  return config.gates.concurrent_admission && queue.object != nullptr &&
         queue.object->spec.concurrent_admission_policy &&
         (item.variant == nullptr || item.variant->parent_uid.empty());
}

PendingQueue* World::PendingFor(const WorkItem& item) const {
  const LocalQueue* local = item.local_queue;
  if (local == nullptr || !local->usable() || local->target == nullptr) return nullptr;
  if (IsForVariants(*local->target, item)) return nullptr;
  return local->target->pending.get();
}

void World::LeaveQueue(WorkItem* item) {
  if (item->queued_in != nullptr) {
    item->queued_in->pending->Forget(item);
  } else if (PendingQueue* pending = PendingFor(*item)) {
    pending->Forget(item);  // its record as preemptor
  }
}

void World::WatchBackoff(WorkItem* item, base::Time now) {
  if (item->bucket != Bucket::kParked || item->requeued_false) return;
  if (item->requeue_at && *item->requeue_at > now) backoffs_.emplace(*item->requeue_at, item->key);
}

void World::Enqueue(WorkItem* item, base::Time now) {
  PendingQueue* const pending = PendingFor(*item);
  if (pending == nullptr || !item->Queueable()) return;
  pending->PushOrUpdate(item, now);
  WatchBackoff(item, now);
}

// §4.4: what is in no bucket goes straight to the heap.
void World::EnqueueInBulk(LocalQueue* queue) {
  for (WorkItem* item : queue->items) {
    PendingQueue* const pending = PendingFor(*item);
    if (pending == nullptr || !item->Queueable() || item->bucket != Bucket::kNone) continue;
    pending->PushToHeap(item);
  }
}

void World::Requeue(WorkItem* item, ClusterQueue* queue, RequeueReason reason,
                    const std::string& parked_reason, base::Time now) {
  item->bucket = Bucket::kNone;
  queue->pending->Requeue(item, reason, parked_reason, now);
  WatchBackoff(item, now);
}

// ---- usage (§2.5)

void World::AddUsage(WorkItem* item) {
  Node* const node = item->accounted_in->node;
  for (const CellUse& use : item->usage) tree.Add(node, use.slot, Amount(use.amount));
  ChargeDomains(item);
}

void World::RemoveUsage(WorkItem* item) {
  Node* const node = item->accounted_in->node;
  if (node == nullptr) return;
  for (const CellUse& use : item->usage) tree.Remove(node, use.slot, Amount(use.amount));
  DischargeDomains(item);
  ++node->generation;
}

void World::AccountAs(WorkItem* item, std::vector<CellUse> usage) {
  ClusterQueue* const queue = QueueNamed(item->admission()->cluster_queue);
  item->accounted_in = queue;
  item->accounted_at = static_cast<uint32_t>(queue->accounted.size());
  queue->accounted.push_back(item);
  if (queue->node != nullptr) QuotaTree::VictimsChanged(queue->node);
  item->usage = std::move(usage);
  if (queue->node != nullptr) AddUsage(item);
  if (config.block_admission_until_ready && !item->pods_ready) unready_.insert(item->key);
}

void World::Account(WorkItem* item) {
  Discount(item);
  if (!item->Accountable()) return;
  ClusterQueue* const queue = QueueNamed(item->admission()->cluster_queue);
  if (IsForVariants(*queue, *item)) return DropIfUnused(queue);
  AccountAs(item, queue->node == nullptr ? std::vector<CellUse>()
                                         : ReadUsage(*item, config, queue->node, tree));
}

void World::Discount(WorkItem* item) {
  ClusterQueue* const queue = item->accounted_in;
  if (queue == nullptr) return;
  RemoveUsage(item);
  item->usage.clear();
  queue->accounted[item->accounted_at] = queue->accounted.back();
  queue->accounted[item->accounted_at]->accounted_at = item->accounted_at;
  queue->accounted.pop_back();
  if (queue->node != nullptr) QuotaTree::VictimsChanged(queue->node);
  unready_.erase(item->key);
  item->accounted_in = nullptr;
  DropIfUnused(queue);
}

// §16 (87): the tree of the queue its LocalQueue points to now; failing that, of its admission.
Node* World::HomeOf(const WorkItem& item) const {
  const LocalQueue* local = item.local_queue;
  if (local != nullptr && local->usable() && local->target != nullptr &&
      local->target->node != nullptr) {
    return local->target->node;
  }
  const api::Admission* admission = item.admission();
  if (admission == nullptr) return nullptr;
  const ClusterQueue* queue = FindQueue(admission->cluster_queue);
  return queue == nullptr ? nullptr : queue->node;
}

void World::AskRetry(const WorkItem& item, base::Time now) {
  if (Node* home = HomeOf(item)) retries.Ask(home, now);
}

// ---- facts

void World::ReadObject(WorkItem* item, std::shared_ptr<const api::Workload> object) {
  const auto before = std::exchange(item->object, std::move(object));
  const bool same_spec = before != nullptr && before->spec.pod_sets == item->object->spec.pod_sets;
  if (!same_spec) item->demand = ReadDemand(item->object, config, surroundings, catalog);
  const std::vector<int32_t> counts = std::move(item->counts);
  const int64_t priority = item->priority;
  const std::string allowed = before == nullptr ? std::string() : AllowedFlavors(*before);
  ReadStatus(*item, config);
  if (item->alike != nullptr) item->alike->judged_by = nullptr;
  const bool shown = item->assumed_again ? !WaitsForSecondWrite(*item)
                                         : item->reserved || item->finished || !item->active;
  if (shown) {
    item->assumed.reset();
    item->assumed_again = false;
  }
  if (item->assumed != nullptr) ShowAssumed(item);
  if (!same_spec || counts != item->counts || priority != item->priority ||
      allowed != AllowedFlavors(*item->object)) {
    item->shape = ReadShape(*item, config, catalog, shapes);
  }
  Record(*item);
}

void World::Record(const WorkItem& item) {
  records.workloads.Set(item.row, {item.object, item.assumed, item.assumed_at,
                                   item.assumed_admitted, item.eviction_in_flight});
}

void World::Restore(const WorkloadRow& row, base::Time now) {
  SetWorkload(row.object, now);
  WorkItem* const item = FindItem(api::KeyOf(row.object->metadata));
  if (row.assumed != nullptr && item->accounted_in != nullptr) {
    AssumeAgain(item, row.assumed, row.assumed_admitted);
  } else if (row.assumed != nullptr) {
    const ClusterQueue* const queue = FindQueue(row.assumed->cluster_queue);
    item->assumed = row.assumed;
    std::vector<CellUse> usage;
    if (queue != nullptr && queue->node != nullptr) {
      usage = ReadUsage(*item, config, queue->node, tree);
    }
    Assume(item, row.assumed, std::move(usage), row.assumed_admitted, row.assumed_at);
  }
  if (row.eviction_in_flight) SetEvictionInFlight(item, true);
}

// The flags as the object will have them once the reservation is written (§13).
void World::ShowAssumed(WorkItem* item) {
  item->reserved = true;
  item->reserved_at = item->assumed_at;
  item->admitted = item->assumed_admitted;
  item->evicted = false;
  item->order_time = item->object->metadata.creation_timestamp.value_or(base::Time::min());
}

void World::Assume(WorkItem* item, std::shared_ptr<const api::Admission> admission,
                   std::vector<CellUse> usage, bool also_admitted, base::Time now) {
  LeaveQueue(item);
  item->assumed = std::move(admission);
  item->assumed_at = base::CutToSeconds(now);
  item->assumed_admitted = also_admitted;
  SetEvictionInFlight(item, false);
  item->progress.reset();
  ShowAssumed(item);
  if (!item->object->status.reclaimable_pods.empty()) {
    // Pods that are done count for nothing, as they will once the object shows the quota (§1.10).
    const ClusterQueue* const queue = QueueNamed(item->assumed->cluster_queue);
    if (queue->node != nullptr) usage = ReadUsage(*item, config, queue->node, tree);
  }
  AccountAs(item, std::move(usage));
  Record(*item);
  if (ledger) ChargeForEntry(*item, *item->accounted_in, now);
}

void World::ReservationFailed(const std::string& key, const std::string& uid, base::Time now) {
  WorkItem* const item = FindItem(key);
  if (item == nullptr || item->uid() != uid || item->assumed == nullptr) return;
  Discount(item);
  AskRetry(*item, now);
  item->assumed.reset();
  ReadStatus(*item, config);
  Record(*item);
  if (std::exchange(item->assumed_again, false)) {
    Account(item);
    return WatchSecondPass(*item, now);
  }
  if (ledger && ledger->Refund(item->local_queue->key, key)) PastUseChanged(item->local_queue);
  PendingQueue* const pending = PendingFor(*item);
  if (pending == nullptr || !item->Queueable()) return;
  pending->Requeue(item, RequeueReason::kFailedAfterNomination, "", now);
  WatchBackoff(item, now);
}

void World::EvictionFailed(const std::string& key, const std::string& uid) {
  WorkItem* const item = FindItem(key);
  if (item == nullptr || item->uid() != uid) return;
  SetEvictionInFlight(item, false);
  if (NeedsSecondPass(*item)) second_passes.Ask(key, 0, item->reserved_at);
}

void World::SetEvictionInFlight(WorkItem* item, bool in_flight) {
  item->eviction_in_flight = in_flight;
  const ClusterQueue* const queue = item->accounted_in;
  if (queue != nullptr && queue->node != nullptr) QuotaTree::VictimsChanged(queue->node);
  Record(*item);
}

void World::SetWorkload(std::shared_ptr<const api::Workload> object, base::Time now) {
  const std::string key = api::KeyOf(object->metadata);
  WorkItem* const item = FindItem(key);
  if (item != nullptr && item->uid() == object->metadata.uid) {
    return UpdateWorkload(item, std::move(object), now);
  }
  if (item != nullptr) DeleteWorkload(key, now);  // deleted and created anew, seen as one change
  AddWorkload(std::move(object), now);
}

void World::AddWorkload(std::shared_ptr<const api::Workload> object, base::Time now) {
  auto owned = std::make_unique<WorkItem>();
  WorkItem* const item = owned.get();
  item->key = api::KeyOf(object->metadata);
  item->row = records.workloads.Add({});
  items_.emplace(item->key, std::move(owned));
  ReadObject(item, std::move(object));
  BindItem(item);
  if (item->finished) return;
  if (item->Queueable()) return Enqueue(item, now);
  Account(item);
  WatchSecondPass(*item, now);
}

void World::UpdateWorkload(WorkItem* item, std::shared_ptr<const api::Workload> object,
                           base::Time now) {
  if (object == item->object) return;  // told again
  const auto before = item->object;
  ApplyUpdate(item, before, std::move(object), now);
  if (ledger) FollowPastUse(*item, *before, now);
}

void World::ApplyUpdate(WorkItem* item, const std::shared_ptr<const api::Workload>& before,
                        std::shared_ptr<const api::Workload> object, base::Time now) {
  const bool was_reserved = item->reserved, was_admitted = item->admitted;
  const int64_t priority_before = item->priority;
  const Shape shape_before = item->shape;
  const bool refused_before = item->check_refuses;
  ReadObject(item, std::move(object));
  if (item->evicted || !item->reserved) SetEvictionInFlight(item, false);
  WatchSecondPass(*item, now);
  if (before->spec.queue_name != item->object->spec.queue_name) {
    LeaveQueue(item);
    UnbindItem(item);
    BindItem(item);
  }
  if (item->finished || !item->active) {
    LeaveQueue(item);
    AskRetry(*item, now);
    return Discount(item);
  }
  if (!item->reserved && !was_reserved) {
    // §6.9: the scan goes on if the workload still looks the same.
    const bool keep = config.gates.flavor_fungibility_preserve_scan_progress;
    if (!keep || item->shape != shape_before) item->progress.reset();
    return UpdatePending(item, *before, refused_before && !item->check_refuses, now);
  }
  if (!item->reserved) {
    AskRetry(*item, now);
    Discount(item);
    // With a back-off it comes back when that is over (spec/controllers.md §3.2).
    if (item->requeue_at && *item->requeue_at > now) {
      backoffs_.emplace(*item->requeue_at, item->key);
      return;
    }
    return Enqueue(item, now);
  }
  if (!was_reserved) LeaveQueue(item);
  Account(item);
  const bool reclaimed = was_admitted && item->admitted &&
                         before->status.reclaimable_pods != item->object->status.reclaimable_pods;
  if (was_reserved && (reclaimed || ScaledDown(*before, *item->object) ||
                       PriorityChanged(*before, priority_before, *item))) {
    AskRetry(*item, now);
  }
}

// §4.4. Parked for a check that said no (§5.2), work hears of the check's new answer: nothing else
// would ever bring it back, because no queue and no quota changes with it.
void World::UpdatePending(WorkItem* item, const api::Workload& before, bool check_relents,
                          base::Time now) {
  if (!item->Queueable()) return LeaveQueue(item);
  const PendingQueue* const pending = PendingFor(*item);
  if (item->queued_in != nullptr && item->queued_in->pending.get() != pending) LeaveQueue(item);
  if (item->queued_in != nullptr && item->queued_in->pending->IsParked(*item)) {
    const api::Workload& after = *item->object;
    const bool evaluated = item->evaluated_generation == -1 ||
                           item->evaluated_generation == after.metadata.generation;
    if (evaluated && !check_relents && before.spec == after.spec &&
        AnnotationOf(before, api::names::kPriorityBoost) ==
            AnnotationOf(after, api::names::kPriorityBoost) &&
        before.status.reclaimable_pods == after.status.reclaimable_pods &&
        before.status.preemption_gates == after.status.preemption_gates &&
        SameCondition(before, after, api::names::kEvicted) &&
        SameCondition(before, after, api::names::kRequeued)) {
      return WatchBackoff(item, now);
    }
    item->queued_in->pending->Unpark(item);
  }
  Enqueue(item, now);
}

void World::DeleteWorkload(const std::string& key, base::Time now) {
  const auto found = items_.find(key);
  if (found == items_.end()) return;
  WorkItem* const item = found->second.get();
  LeaveQueue(item);
  second_passes.Drop(key);
  AskRetry(*item, now);
  Discount(item);
  if (ledger && ledger->Refund(item->local_queue->key, key)) PastUseChanged(item->local_queue);
  RememberRuns(*item->local_queue, *item, now);
  UnbindItem(item);
  records.workloads.Remove(item->row);
  items_.erase(found);
}

// ---- time

void World::CarryOutRetries(base::Time now, bool all) {
  second_passes.Ring(now);
  for (ClusterQueue* queue : aging_) queue->pending->AgeTo(now);
  if (freed_due_ && (all || *freed_due_ <= now)) RetryAfterFreeing(now);
  for (Node* node : retries.Take(all ? std::nullopt : std::optional(now))) {
    node->queue->pending->Retry(now);
  }
  while (!backoffs_.empty() && backoffs_.begin()->first <= now) {
    WorkItem* const item = FindItem(backoffs_.begin()->second);
    backoffs_.erase(backoffs_.begin());
    if (item != nullptr && item->queued_in != nullptr) {
      item->queued_in->pending->BackoffEnded(item, now);
    } else if (item != nullptr && item->bucket == Bucket::kNone && !item->reserved) {
      Enqueue(item, now);
    }
  }
}

std::optional<base::Time> World::NextDue() const {
  std::optional<base::Time> next = retries.NextDue();
  for (const auto& due : {freed_due_, second_passes.NextDue()}) {
    if (due && (!next || *due < *next)) next = due;
  }
  for (const ClusterQueue* queue : aging_) {
    const auto due = queue->active ? queue->pending->NextAging() : std::nullopt;
    if (due && (!next || *due < *next)) next = due;
  }
  if (!backoffs_.empty() && (!next || backoffs_.begin()->first < *next)) {
    next = backoffs_.begin()->first;
  }
  return next;
}

bool World::HasHeads() const {
  if (second_passes.AnyReady()) return true;
  return !HoldsBack() && std::any_of(queues.begin(), queues.end(), [](const ClusterQueue* queue) {
    return queue->active && (!queue->pending->empty() || queue->pending->AnyUnsaid());
  });
}

}  // namespace kueue::scheduling
