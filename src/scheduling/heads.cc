#include <algorithm>
#include <optional>
#include <tuple>

#include "scheduling/cycle.h"
#include "scheduling/flavors/hopeless.h"

// Which workloads a cycle looks at (spec/scheduling.md §4.5), and which it need not look at.
namespace kueue::scheduling {
namespace {

// Sentences about workloads that were passed over are made in the cycles after all the others, so
// many of a queue at a time.
constexpr size_t kMostUnsaidAtOnce = 64;

// Whether the queue has so many shapes that looking at each again and again costs too much.
bool IsPassedOver(const Config& config, const ClusterQueue& queue) {
  return !config.one_by_one && !queue.by_past_use && queue.policies.backfill.count() == 0 &&
         !config.gates.concurrent_admission && queue.pending->shapes() > config.shapes_always_tried;
}

}  // namespace

// Cycles whose heads all are hopeless change nothing but who has been tried; they are taken in one
// go. The queue with the nearest other head says how many: in the cycle of that head every other
// queue is as far as it would be.
void Cycle::PassOverHopeless(std::vector<std::optional<Hopeless>>& judges) {
  if (world_.second_passes.AnyReady() || world_.HoldsBack()) return;
  uint64_t cycles = most_cycles_;
  std::vector<ClusterQueue*> passing;
  for (size_t i = 0; i < world_.queues.size(); ++i) {
    ClusterQueue* const queue = world_.queues[i];
    if (!queue->active || queue->pending->empty()) continue;
    if (!IsPassedOver(world_.config, *queue)) return;
    if (judges.empty()) judges.resize(world_.queues.size());
    judges[i].emplace(world_, *queue);
    cycles = std::min(cycles, queue->pending->CountHopeless(cycles, *judges[i]));
    if (cycles == 0) return;
    passing.push_back(queue);
  }
  uint64_t taken = 0;
  for (ClusterQueue* queue : passing) {
    taken = std::max(taken, queue->pending->PassOver(cycles));
  }
  world_.cycle += taken;
  fused_ = taken;
}

// One head from every queue that may schedule, by queue name (§4.5, §15). Each is judged on its
// own, before anything is decided.
void Cycle::TakeHeads() {
  // Made when they are first asked: no usage changes before the heads are taken.
  std::vector<std::optional<Hopeless>> judges;
  PassOverHopeless(judges);
  if (fused_ == most_cycles_) return;
  std::vector<std::tuple<WorkItem*, ClusterQueue*, bool>> heads;
  bool passed = false;
  for (size_t i = 0; i < world_.queues.size(); ++i) {
    ClusterQueue* const queue = world_.queues[i];
    if (!queue->active || world_.HoldsBack()) continue;
    if (queue->by_past_use) world_.OrderByPastUse(queue);
    queue->pending->AgeTo(now_);
    if (IsPassedOver(world_.config, *queue)) {
      if (judges.empty()) judges.resize(world_.queues.size());
      if (!judges[i]) judges[i].emplace(world_, *queue);
      if (queue->pending->CountHopeless(1, *judges[i]) == 1) {
        passed |= queue->pending->PassOver(1) > 0;
        continue;
      }
    }
    WorkItem* const item = queue->pending->Pop();
    if (item != nullptr) heads.emplace_back(item, queue, queue->pending->IsPreemptor(*item));
  }
  if (heads.empty() && !passed && !world_.second_passes.AnyReady()) return TakeUnsaid();
  ++world_.cycle;
  tree_.StartJournal();
  NominateSecondPasses();
  for (const auto& [item, queue, preemptor] : heads) Nominate(item, queue, preemptor);
}

// When there is nothing else to do, those that were passed over are told why they wait.
void Cycle::TakeUnsaid() {
  if (world_.HoldsBack()) return;
  only_says_why_ = true;
  tree_.StartJournal();
  for (ClusterQueue* queue : world_.queues) {
    if (!queue->active || !queue->pending->AnyUnsaid()) continue;
    for (WorkItem* item : queue->pending->PopUnsaid(kMostUnsaidAtOnce, Hopeless(world_, *queue))) {
      Nominate(item, queue, queue->pending->IsPreemptor(*item));
    }
  }
}

}  // namespace kueue::scheduling
