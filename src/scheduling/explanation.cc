#include "scheduling/explanation.h"

#include <algorithm>

#include "scheduling/cycle.h"
#include "scheduling/explain.h"
#include "scheduling/least_change.h"
#include "scheduling/reports.h"
#include "scheduling/world.h"

namespace kueue::scheduling {
namespace {

void AddHolds(const WorkItem& item, std::vector<Blocker>& out) {
  if (!item.active) out.push_back({"Deactivated", "The workload is not active"});
  if (item.gated) out.push_back({"AdmissionGated", "An admission gate is set"});
  if (item.on_hold) out.push_back({"OnHold", "The workload is on hold"});
  if (item.waiting_for_replacement) {
    out.push_back({"WaitingForReplacementPods", "Pods wait to be replaced"});
  }
}

// Null if the workload stands in no queue.
ClusterQueue* QueueOf(const World& world, const WorkItem& item, std::vector<Blocker>& out) {
  const LocalQueue* const local = item.local_queue;
  if (local == nullptr || local->object == nullptr) {
    out.push_back({"Misconfigured", "The LocalQueue does not exist"});
    return nullptr;
  }
  if (local->stopped) {
    out.push_back({"Suspended", "The LocalQueue is stopped"});
    return nullptr;
  }
  ClusterQueue* const queue = local->target;
  if (queue == nullptr || queue->object == nullptr) {
    out.push_back({"Misconfigured", "The ClusterQueue does not exist"});
    return nullptr;
  }
  const Activity activity = world.ActivityOf(*queue);
  if (!activity.active) out.push_back({"Suspended", activity.message});
  return queue;
}

// Which of the two it is, where work is passed only without harm: the first, or one that waits for
// the first.
void AddReservation(World& world, WorkItem* item, ClusterQueue* queue, base::Time now,
                    Explanation& out) {
  if (queue->policies.backfill.count() == 0) return;
  world.tree.StartJournal();
  Backfill backfill(world, *queue, now);
  const auto before = backfill.ReservationBefore(item);
  const auto start = before ? std::nullopt : backfill.StartOf(item);
  world.tree.StopJournal();
  if (before) {
    out.policies.push_back("it may pass workload " + before->holder->key +
                           " only if that can still start at " + base::FormatTime(before->start));
  } else if (start) {
    out.policies.push_back("it can start at " + base::FormatTime(*start) +
                           " at the latest, if what runs ends in time, and nobody may delay that");
  }
}

void DescribeAttempts(World& world, WorkItem* item, ClusterQueue* queue, base::Time now,
                      Explanation& out) {
  std::string reason, message;
  const auto entry = Cycle(world, now).Probe(item, queue, reason, message);
  if (entry == nullptr) {
    out.blockers.push_back({reason, message});
    return;
  }
  Evaluated evaluated = DescribeEvaluation(world, *entry);
  out.mode = evaluated.mode;
  out.attempts = std::move(evaluated.attempts);
  out.places = std::move(evaluated.places);
  out.victims = std::move(evaluated.victims);
  out.policies = std::move(evaluated.policies);
  AddReservation(world, item, queue, now, out);
  if (out.mode == FlavorMode::kFit) return;
  out.least_change = FindLeastChange(world, *item, *queue, now);
}

}  // namespace

Explanation Explain(World& world, const std::string& workload, base::Time now) {
  Explanation out;
  WorkItem* const item = world.FindItem(workload);
  if (item == nullptr) return out;
  out.local_queue = item->object->spec.queue_name;
  AddHolds(*item, out.blockers);
  ClusterQueue* const queue = QueueOf(world, *item, out.blockers);
  if (queue != nullptr) out.cluster_queue = queue->name;
  if (item->finished || item->reserved) {
    out.standing = item->finished ? Standing::kFinished : Standing::kReserved;
    out.blockers.clear();
    return out;
  }
  if (queue == nullptr || !item->Queueable()) {
    out.standing = Standing::kHeld;
    return out;
  }
  out.standing = item->BackoffOver(now) ? Standing::kWaiting : Standing::kBackingOff;
  for (std::string& key : PendingInOrder(world, queue->name)) {
    if (key == workload) break;
    out.ahead.push_back(std::move(key));
  }
  DescribeAttempts(world, item, queue, now, out);
  return out;
}

}  // namespace kueue::scheduling
