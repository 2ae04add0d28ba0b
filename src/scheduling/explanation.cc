#include "scheduling/explanation.h"

#include <algorithm>

#include "scheduling/cycle.h"
#include "scheduling/explain.h"
#include "scheduling/reports.h"
#include "scheduling/world.h"

namespace kueue::scheduling {
namespace {

// Looks for the least increase of quota that lets one workload in.
class LeastChange {
 public:
  LeastChange(World& world, WorkItem* item, ClusterQueue* queue, base::Time now)
      : world_(world), item_(item), queue_(queue), now_(now) {}

  // Of the flavors with which it works, the one that needs the fewest resources raised, then the
  // smaller part of what is asked for, then the first.
  std::vector<QuotaIncrease> Find() {
    std::vector<Increase> best;
    double best_share = 0;
    for (const RuleGroup& group : queue_->rules.groups) {
      for (const RuleFlavor& flavor : group.flavors) {
        std::vector<Increase> found = ForFlavor(group, flavor);
        if (found.empty()) continue;
        double share = 0;
        for (const Increase& increase : found) {
          share = std::max(share, static_cast<double>(increase.amount) /
                                      static_cast<double>(std::max<int64_t>(1, increase.asked)));
        }
        if (best.empty() || found.size() < best.size() ||
            (found.size() == best.size() && share < best_share)) {
          best = std::move(found);
          best_share = share;
        }
      }
    }
    std::vector<QuotaIncrease> out;
    for (const Increase& increase : best) {
      const CellId cell = queue_->node->slots[increase.slot].cell;
      out.push_back({world_.catalog.Name(world_.catalog.FlavorOf(cell)),
                     world_.catalog.Name(world_.catalog.ResourceOf(cell)), increase.amount});
    }
    return out;
  }

 private:
  struct Increase {
    uint32_t slot = 0;
    int64_t asked = 0;   // by the workload, of this resource
    int64_t amount = 0;  // of the increase
  };

  bool Fits(const std::vector<Increase>& increases) {
    for (const Increase& i : increases) Raise(i.slot, i.amount);
    std::string reason, message;
    const auto entry = Cycle(world_, now_).Probe(item_, queue_, reason, message);
    for (const Increase& i : increases) Raise(i.slot, -i.amount);
    return entry != nullptr && entry->assignment.mode() == FlavorMode::kFit;
  }
  void Raise(uint32_t slot, int64_t by) {
    if (by != 0) world_.tree.RaiseNominal(queue_->node, slot, Amount(by));
  }

  int64_t AskedOf(ResourceId resource) const {
    int64_t sum = 0;
    for (size_t i = 0; i < item_->demand->pod_sets.size(); ++i) {
      const int64_t per_pod = AmountOf(item_->demand->pod_sets[i].per_pod, resource);
      sum = resources::SaturatingAdd(sum, resources::SaturatingMul(per_pod, item_->counts[i]));
    }
    return sum;
  }

  // Enough of every resource of the flavor at first; then each is lowered as far as it goes.
  std::vector<Increase> ForFlavor(const RuleGroup& group, const RuleFlavor& flavor) {
    std::vector<Increase> increases;
    for (size_t i = 0; i < group.resources.size(); ++i) {
      const uint32_t slot = flavor.slots[i];
      int64_t asked = AskedOf(group.resources[i]);
      if (world_.catalog.Name(group.resources[i]) == "pods") {
        for (const int32_t count : item_->counts) asked += count;
      }
      const Amount debt = Amount(0) - QuotaTree::Available(*queue_->node, slot);
      const int64_t most = resources::SaturatingAdd(asked, std::max<int64_t>(0, debt.value()));
      if (queue_->node->slots[slot].nominal.IsUnlimited() || most > INT64_MAX / 4) continue;
      increases.push_back({slot, asked, most});
    }
    bool fits = Fits(increases);
    // Where quota is lent or kept on the way up, an increase may not count in full.
    for (int doubled = 0; !fits && doubled < 3; ++doubled) {
      for (Increase& increase : increases) increase.amount *= 2;
      fits = Fits(increases);
    }
    if (!fits) return {};
    // Less of one may make less of another enough: smaller counts fit then.
    for (bool lowered = true; lowered;) {
      lowered = false;
      for (Increase& increase : increases) lowered |= Lower(increases, increase);
    }
    std::erase_if(increases, [](const Increase& increase) { return increase.amount == 0; });
    return increases;
  }

  // As far as it goes while the others stay; true if it went.
  bool Lower(std::vector<Increase>& increases, Increase& one) {
    const int64_t before = one.amount;
    int64_t enough = before, too_little = -1;
    const auto fits_at = [&](int64_t amount) {
      one.amount = amount;
      return Fits(increases);
    };
    // What is asked for less what is available is the answer in all but odd trees.
    const Amount lack = Amount(one.asked) - QuotaTree::AvailableToQueue(*queue_->node, one.slot);
    const int64_t guess = std::clamp<int64_t>(lack.value(), 0, enough);
    for (const int64_t probe : {guess, guess - 1}) {
      if (probe <= too_little || probe >= enough) continue;
      (fits_at(probe) ? enough : too_little) = probe;
    }
    while (enough - too_little > 1) {
      const int64_t middle = too_little + (enough - too_little) / 2;
      (fits_at(middle) ? enough : too_little) = middle;
    }
    one.amount = enough;
    return enough < before;
  }

  World& world_;
  WorkItem* const item_;
  ClusterQueue* const queue_;
  const base::Time now_;
};

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
  if (out.mode == FlavorMode::kFit) return;
  out.least_change = LeastChange(world, item, queue, now).Find();
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
