#include "scheduling/reports.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "scheduling/fairness/share.h"

namespace kueue::scheduling {
namespace {

// Reserved or admitted quantities by cell.
using Totals = std::map<CellId, Amount>;

void AddUsage(Totals& totals, const WorkItem& item) {
  for (const CellUse& use : item.usage) totals[use.cell] += Amount(use.amount);
}

// The cells of the current resource groups, flavors in their order, resources by name (§2.5).
template <class FlavorEntry, class Fill>
std::vector<FlavorEntry> ByFlavor(const World& world, const ClusterQueue& queue, Fill&& fill) {
  std::vector<FlavorEntry> out;
  for (const RuleGroup& group : queue.rules.groups) {
    for (const RuleFlavor& flavor : group.flavors) {
      FlavorEntry& entry = out.emplace_back();
      entry.name = world.catalog.Name(flavor.flavor);
      std::vector<std::pair<std::string, uint32_t>> cells;
      for (size_t i = 0; i < group.resources.size(); ++i) {
        cells.emplace_back(world.catalog.Name(group.resources[i]), flavor.slots[i]);
      }
      std::sort(cells.begin(), cells.end());
      for (const auto& [resource, slot] : cells) {
        auto& to = entry.resources.emplace_back();
        to.name = resource;
        fill(to, resource, queue.node->slots[slot]);
      }
    }
  }
  return out;
}

Amount TotalOf(const Totals& totals, CellId cell) {
  const auto found = totals.find(cell);
  return found == totals.end() ? Amount(0) : found->second;
}

std::vector<api::FlavorUsage> QueueUsage(const World& world, const ClusterQueue& queue,
                                         const Totals& totals) {
  return ByFlavor<api::FlavorUsage>(
      world, queue, [&](api::ResourceUsage& to, const std::string& resource, const Slot& slot) {
        const Amount used = TotalOf(totals, slot.cell);
        to.total = ShownAmount(world.config, resource, used.value());
        const Amount over = used - slot.nominal;
        if (queue.node->parent != nullptr && over > Amount(0)) {
          to.borrowed = ShownAmount(world.config, resource, over.value());
        }
      });
}

std::vector<api::LocalQueueFlavorUsage> LocalUsage(const World& world, const ClusterQueue& queue,
                                                   const Totals& totals) {
  return ByFlavor<api::LocalQueueFlavorUsage>(
      world, queue,
      [&](api::LocalQueueResourceUsage& to, const std::string& resource, const Slot& slot) {
        to.total = ShownAmount(world.config, resource, TotalOf(totals, slot.cell).value());
      });
}

}  // namespace

State::ClusterQueueReport ReportOn(const World& world, const std::string& cluster_queue) {
  State::ClusterQueueReport report;
  const ClusterQueue* const queue = world.FindQueue(cluster_queue);
  if (queue == nullptr || queue->object == nullptr) {
    report.reason = "NotFound";
    report.message = "The ClusterQueue is not known";
    return report;
  }
  report.known = true;
  const Activity activity = world.ActivityOf(*queue);
  report.active = activity.active;
  report.reason = activity.reason;
  report.message = activity.message;
  Totals reserved, admitted;
  for (const WorkItem* item : queue->accounted) {
    AddUsage(reserved, *item);
    ++report.reserving;
    if (!item->admitted) continue;
    AddUsage(admitted, *item);
    ++report.admitted;
  }
  report.flavors_reservation = QueueUsage(world, *queue, reserved);
  report.flavors_usage = QueueUsage(world, *queue, admitted);
  report.pending =
      static_cast<int32_t>(queue->pending->size());
  if (world.config.fair_sharing && !queue->node->cyclic) {
    const Share& share = world.tree.ShareOf(*queue->node);
    report.weighted_share = ShownShare(share);
    report.exact_share =
        share.endless ? std::numeric_limits<double>::infinity() : share.value;
  }
  return report;
}

State::LocalQueueReport ReportOnLocal(const World& world, const std::string& key) {
  State::LocalQueueReport report;
  const LocalQueue* const local = world.FindLocalQueue(key);
  if (local == nullptr || local->object == nullptr) return report;
  report.known = true;
  if (world.ledger) report.past_use = local->past_use;
  const ClusterQueue* const queue = local->target;
  if (queue == nullptr || queue->node == nullptr) return report;
  Totals reserved, admitted;
  for (const WorkItem* item : local->items) {
    if (item->queued_in != nullptr && item->queued_in->pending->Holds(*item)) ++report.pending;
    if (item->accounted_in != queue) continue;
    AddUsage(reserved, *item);
    ++report.reserving;
    if (!item->admitted) continue;
    AddUsage(admitted, *item);
    ++report.admitted;
  }
  report.flavors_reservation = LocalUsage(world, *queue, reserved);
  report.flavors_usage = LocalUsage(world, *queue, admitted);
  return report;
}

State::PendingReport ReportWaiting(const World& world, const std::string& cluster_queue) {
  State::PendingReport report;
  const ClusterQueue* const queue = world.FindQueue(cluster_queue);
  if (queue == nullptr || queue->object == nullptr || queue->pending == nullptr) return report;
  std::map<ResourceId, Amount> requests;
  for (const RuleGroup& group : queue->rules.groups) {
    for (const ResourceId resource : group.resources) requests[resource];
  }
  const bool active = world.ActivityOf(*queue).active;
  std::set<const void*> shapes[2];
  const auto count = [&](const std::vector<WorkItem*>& items, bool to_be_tried) {
    for (const WorkItem* item : items) {
      State::PendingReport::Count& local = report.by_local[item->local_queue->key];
      ++(to_be_tried ? report.workloads.active : report.workloads.parked);
      ++(to_be_tried ? local.active : local.parked);
      if (item->shape.known()) shapes[to_be_tried].insert(item->shape.id());
      for (size_t i = 0; i < item->demand->pod_sets.size(); ++i) {
        for (const ResourceAmount& ask : item->demand->pod_sets[i].per_pod) {
          const auto covered = requests.find(ask.resource);
          if (covered == requests.end()) continue;
          covered->second += Amount(resources::SaturatingMul(ask.amount, item->counts[i]));
        }
      }
    }
  };
  count(queue->pending->Heap(), active);
  count(queue->pending->Parked(), false);
  report.shapes = {shapes[1].size(), shapes[0].size()};
  for (const auto& [resource, amount] : requests) {
    const std::string& name = world.catalog.Name(resource);
    report.requests[name] = resources::UnitsToQuantity(name, amount.value());
  }
  return report;
}

namespace {

// Of all ClusterQueues below a node, or of the node itself.
void AddSubtree(const World& world, const Node& node, State::CohortReport& report,
                Totals& reserved) {
  if (node.is_queue()) {
    for (const Slot& slot : node.slots) reserved[slot.cell] += slot.usage;
    for (const WorkItem* item : node.queue->accounted) report.admitted += item->admitted ? 1 : 0;
    return;
  }
  for (const Node* child : node.children) AddSubtree(world, *child, report, reserved);
}

}  // namespace

State::CohortReport ReportOnCohort(const World& world, const std::string& name) {
  State::CohortReport report;
  const Node* const node = world.tree.FindCohort(name);
  if (node == nullptr || node->cyclic) return report;
  report.known = true;
  if (node->parent != nullptr) report.parent = node->parent->name;
  report.root = node->root->name;
  const auto show = [&](State::CohortReport::Cells& to, CellId cell, Amount amount) {
    if (amount <= Amount(0)) return;
    const std::string& resource = world.catalog.Name(world.catalog.ResourceOf(cell));
    to[{world.catalog.Name(world.catalog.FlavorOf(cell)), resource}] =
        resources::UnitsToQuantity(resource, amount.value());
  };
  for (const Slot& slot : node->slots) show(report.quota, slot.cell, slot.subtree);
  Totals reserved;
  AddSubtree(world, *node, report, reserved);
  for (const auto& [cell, amount] : reserved) show(report.reservations, cell, amount);
  if (world.config.fair_sharing) {
    const Share& share = world.tree.ShareOf(*node);
    report.exact_share = share.endless ? std::numeric_limits<double>::infinity() : share.value;
  }
  return report;
}

std::vector<std::string> PendingInOrder(const World& world, const std::string& cluster_queue) {
  const ClusterQueue* const queue = world.FindQueue(cluster_queue);
  if (queue == nullptr || queue->pending == nullptr) return {};
  std::vector<WorkItem*> items = queue->pending->Heap();
  const std::vector<WorkItem*> parked = queue->pending->Parked();
  items.insert(items.end(), parked.begin(), parked.end());
  std::sort(items.begin(), items.end(), [&](WorkItem* a, WorkItem* b) {
    return queue->pending->Before(a, b);
  });
  std::vector<std::string> keys;
  for (const WorkItem* item : items) keys.push_back(item->key);
  return keys;
}

}  // namespace kueue::scheduling
