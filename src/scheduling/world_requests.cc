#include <algorithm>

#include "scheduling/world.h"

// Facts about what surrounds workloads, and what they ask for because of it
// (spec/scheduling.md §1.5).
namespace kueue::scheduling {
namespace {

bool IsOfClass(const WorkItem& item, const std::string& runtime_class) {
  const auto& pod_sets = item.object->spec.pod_sets;
  return std::any_of(pod_sets.begin(), pod_sets.end(), [&](const api::PodSet& pod_set) {
    return pod_set.pod_template.spec.runtime_class_name == runtime_class;
  });
}

}  // namespace

// A waiting workload that asks for something else is changed work: no parking holds for it (§4.4).
// One that has quota keeps what its admission says; what its pods need on nodes follows.
void World::Reread(WorkItem* item, base::Time now) {
  auto demand = ReadDemand(item->object, config, surroundings, catalog);
  if (AsksForTheSame(*demand, *item->demand)) return;
  if (item->accounted_in != nullptr) DischargeDomains(item);
  item->demand = std::move(demand);
  if (item->accounted_in != nullptr) ChargeDomains(item);
  const Shape before = std::exchange(item->shape, ReadShape(*item, config, catalog, shapes));
  if (before != item->shape) item->progress.reset();  // §6.9
  if (item->alike != nullptr) item->alike->judged_by = nullptr;
  ReadStatus(*item, config);  // devices that can be counted end their hold
  if (item->assumed != nullptr) ShowAssumed(item);
  if (item->reserved) return;
  if (!item->Queueable()) return LeaveQueue(item);
  if (item->queued_in != nullptr && item->queued_in->pending->IsParked(*item)) {
    item->queued_in->pending->Unpark(item);
  }
  Enqueue(item, now);
}

template <class Concerns>
void World::RereadDemands(base::Time now, Concerns&& concerns) {
  std::vector<WorkItem*> items;
  for (const auto& entry : items_) {
    if (!entry.second->finished && concerns(*entry.second)) items.push_back(entry.second.get());
  }
  std::sort(items.begin(), items.end(),
            [](const WorkItem* a, const WorkItem* b) { return a->key < b->key; });
  for (WorkItem* item : items) Reread(item, now);
}

void World::SetLimitRange(std::shared_ptr<const api::LimitRange> object, base::Time now) {
  const std::string home = object->namespace_name;
  const bool changed = surroundings.SetLimitRange(*object);
  const std::string key = home + "/" + object->name;
  records.limit_ranges.Set(key, std::move(object));
  if (!changed) return;
  RereadDemands(now, [&](const WorkItem& item) { return item.namespace_name() == home; });
}

void World::DeleteLimitRange(const std::string& namespace_name, const std::string& name,
                             base::Time now) {
  records.limit_ranges.Remove(namespace_name + "/" + name);
  if (!surroundings.DeleteLimitRange(namespace_name, name)) return;
  RereadDemands(now, [&](const WorkItem& item) { return item.namespace_name() == namespace_name; });
}

void World::SetRuntimeClass(std::shared_ptr<const api::RuntimeClass> object, base::Time now) {
  const std::string name = object->name;
  const bool changed = surroundings.SetRuntimeClass(*object);
  records.runtime_classes.Set(name, std::move(object));
  if (!changed) return;
  RereadDemands(now, [&](const WorkItem& item) { return IsOfClass(item, name); });
}

void World::DeleteRuntimeClass(const std::string& name, base::Time now) {
  records.runtime_classes.Remove(name);
  if (!surroundings.DeleteRuntimeClass(name)) return;
  RereadDemands(now, [&](const WorkItem& item) { return IsOfClass(item, name); });
}

// ---- devices (§1.9)

void World::DevicesChanged(base::Time now) {
  RereadDemands(now, [&](const WorkItem& item) {
    const auto& pod_sets = item.demand->pod_sets;
    return item.demand->uses_devices ||
           std::any_of(pod_sets.begin(), pod_sets.end(), [&](const PodSetDemand& pod_set) {
             return surroundings.devices.Concerns(pod_set.pod(), config);
           });
  });
}

void World::SetDeviceClass(std::shared_ptr<const api::DeviceClass> object, base::Time now) {
  records.device_classes.Set(object->name, object);
  if (surroundings.devices.SetClass(object)) DevicesChanged(now);
}

void World::DeleteDeviceClass(const std::string& name, base::Time now) {
  records.device_classes.Remove(name);
  if (surroundings.devices.DeleteClass(name)) DevicesChanged(now);
}

// Queues that count devices of the driver retry (§4.8).
void World::RetryForDriver(const std::string& driver, base::Time now) {
  for (const DeviceMapping& mapping : config.device_mappings) {
    const bool concerned =
        std::any_of(mapping.sources.begin(), mapping.sources.end(),
                    [&](const DeviceSource& source) { return source.driver == driver; });
    if (!concerned) continue;
    const ResourceId resource = catalog.Resource(mapping.resource);
    for (ClusterQueue* queue : queues) {
      if (queue->rules.PlaceOf(resource).valid()) retries.Ask(queue->node, now);
    }
  }
}

void World::SetResourceSlice(std::shared_ptr<const api::ResourceSlice> object, base::Time now) {
  records.resource_slices.Set(object->name, object);
  if (!surroundings.devices.SetSlice(object)) return;
  DevicesChanged(now);
  RetryForDriver(object->driver, now);
}

void World::DeleteResourceSlice(const std::string& name, const std::string& driver,
                                base::Time now) {
  records.resource_slices.Remove(name);
  if (!surroundings.devices.DeleteSlice(name)) return;
  DevicesChanged(now);
  RetryForDriver(driver, now);
}

void World::SetClaimTemplate(std::shared_ptr<const api::ResourceClaimTemplate> object,
                             base::Time now) {
  records.claim_templates.Set(object->namespace_name + "/" + object->name, object);
  if (surroundings.devices.SetTemplate(object)) DevicesChanged(now);
}

void World::DeleteClaimTemplate(const std::string& namespace_name, const std::string& name,
                                base::Time now) {
  records.claim_templates.Remove(namespace_name + "/" + name);
  if (surroundings.devices.DeleteTemplate(namespace_name, name)) DevicesChanged(now);
}

}  // namespace kueue::scheduling
