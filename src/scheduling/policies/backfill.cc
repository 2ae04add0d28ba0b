#include "scheduling/policies/backfill.h"

#include <algorithm>
#include <tuple>

#include "scheduling/cycle.h"
#include "scheduling/flavors/assigner.h"
#include "scheduling/flavors/placing.h"
#include "scheduling/policies/sparing.h"

namespace kueue::scheduling {
namespace {

// So many of those in front are asked whether they can ever start.
constexpr size_t kMostHolders = 16;

}  // namespace

Backfill::Backfill(World& world, ClusterQueue& queue, base::Time now)
    : world_(world), queue_(queue), now_(now) {}

base::Time Backfill::EndOf(const WorkItem& item, base::Time since) const {
  const auto& limit = item.object->spec.maximum_execution_time_seconds;
  if (!limit) return since + queue_.policies.backfill;
  const int32_t past = item.object->status.accumulated_past_execution_time_seconds.value_or(0);
  return since + base::seconds(std::max(0, *limit - past));
}

// What has run longer than was thought counts as ending now.
void Backfill::CollectEndings() {
  endings_.clear();
  std::vector<Node*> queues;
  CollectQueues(queue_.node->root, queues);
  for (const Node* node : queues) {
    for (WorkItem* item : node->queue->accounted) {
      if (item->hidden) continue;
      const base::Time since = RunsSince(*item).value_or(now_);
      endings_.push_back({item->leaving() ? now_ : std::max(now_, EndOf(*item, since)), item});
    }
  }
  std::sort(endings_.begin(), endings_.end(), [](const Ending& a, const Ending& b) {
    return std::tie(a.at, a.item->key) < std::tie(b.at, b.item->key);
  });
}

// Whatever was remembered of a scan, and whoever searches spare, is none of this question's
// business.
bool Backfill::FitsNow(WorkItem* item) {
  auto progress = std::move(item->progress);
  const auto spared = world_.spared;
  Assigner assigner(world_, *item, queue_);
  const Placing placing(world_, *item, queue_, nullptr);
  Assignment assignment = assigner.Assign(item->counts);
  placing.Adjust(assignment);
  world_.spared = spared;
  item->progress = std::move(progress);
  return assignment.mode() == FlavorMode::kFit;
}

bool Backfill::FitsWithout(WorkItem* item, size_t ended) {
  const QuotaTree::Mark mark = world_.tree.Here();
  for (size_t i = 0; i < ended; ++i) TakeFromView(world_.tree, endings_[i].item);
  const bool fits = FitsNow(item);
  world_.tree.Undo(mark);
  return fits;
}

std::optional<base::Time> Backfill::StartOf(WorkItem* holder) {
  CollectEndings();
  if (FitsWithout(holder, 0)) return now_;
  if (!FitsWithout(holder, endings_.size())) return std::nullopt;
  size_t low = 0, high = endings_.size();  // does not fit without `low`, fits without `high`
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    (FitsWithout(holder, middle) ? high : low) = middle;
  }
  return endings_[high - 1].at;
}

std::optional<HeadReservation> Backfill::ReservationBefore(WorkItem* item) {
  std::vector<WorkItem*> ahead;
  for (const auto& list : {queue_.pending->Heap(), queue_.pending->Parked()}) {
    for (WorkItem* other : list) {
      if (other == item || !queue_.pending->Before(other, item)) continue;
      if (!other->BackoffOver(now_) || other->check_refuses) continue;
      if (world_.NamespaceMatches(*other, queue_)) ahead.push_back(other);
    }
  }
  std::sort(ahead.begin(), ahead.end(),
            [&](WorkItem* a, WorkItem* b) { return queue_.pending->Before(a, b); });
  if (ahead.size() > kMostHolders) ahead.resize(kMostHolders);
  for (WorkItem* other : ahead) {
    if (const auto start = StartOf(other)) return HeadReservation{other, *start};
  }
  return std::nullopt;
}

void Backfill::TakeEnded(base::Time at) {
  for (const Ending& ending : endings_) {
    if (ending.at > at) return;
    TakeFromView(world_.tree, ending.item);
  }
}

std::optional<Backfill::Hold> Backfill::Judge(const Entry& entry) {
  QuotaTree& tree = world_.tree;
  const QuotaTree::Mark mark = tree.Here();
  for (const Victim& victim : entry.targets) {
    if (!victim.item->hidden) TakeFromView(tree, victim.item);
  }
  std::optional<Hold> hold;
  if (const auto reservation = ReservationBefore(entry.item)) {
    hold = Hold{*reservation, EndOf(*entry.item, now_)};
    TakeEnded(reservation->start);
    for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
      if (!pod_set.place) continue;
      world_.atlas.Take(*pod_set.place, entry.item->demand->pod_sets[pod_set.index].placed);
    }
    for (const SlotAmount& use : entry.assignment.usage) {
      tree.Add(queue_.node, use.slot, use.amount);
    }
    if (hold->end <= reservation->start || FitsNow(reservation->holder)) hold.reset();
  }
  tree.Undo(mark);
  return hold;
}

std::string Describe(const Backfill::Hold& hold) {
  const std::string& holder = hold.reservation.holder->key;
  return "held back for workload " + holder + ", which is ahead in the queue and can start at " +
         base::FormatTime(hold.reservation.start) + "; this one could run until " +
         base::FormatTime(hold.end);
}

}  // namespace kueue::scheduling
