#include "scheduling/topology/node_table.h"

#include <algorithm>

#include "api/match/pod_requests.h"

namespace kueue::scheduling::topology {
namespace {

// A pod with one of these is placed by a Workload, whatever the value (§3.2).
constexpr const char* kTopologyAnnotations[] = {
    "kueue.x-k8s.io/podset-required-topology",
    "kueue.x-k8s.io/podset-preferred-topology",
    "kueue.x-k8s.io/podset-unconstrained-topology",
    "kueue.x-k8s.io/podset-slice-required-topology",
    "kueue.x-k8s.io/podset-slice-required-topology-constraints",
};

bool IsPlain(const api::Pod& pod) {
  const auto& annotations = pod.metadata.annotations;
  return std::none_of(std::begin(kTopologyAnnotations), std::end(kTopologyAnnotations),
                      [&](const char* key) { return annotations.contains(key); });
}

// A missing condition means not ready (§3.1).
bool IsUsable(const api::Node& node) {
  if (node.spec.unschedulable) return false;
  const auto& conditions = node.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(), [](const api::NodeCondition& c) {
    return c.type == "Ready" && c.status == api::ConditionStatus::kTrue;
  });
}

bool SameConditions(const api::Node& a, const api::Node& b) {
  const auto& x = a.status.conditions;
  const auto& y = b.status.conditions;
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const api::NodeCondition& c, const api::NodeCondition& d) {
                      return c.type == d.type && c.status == d.status;
                    });
}

// Something that both had is less now, or is gone.
bool Freed(const RequestVector& before, const RequestVector& after) {
  return std::any_of(before.begin(), before.end(), [&](const ResourceAmount& entry) {
    return AmountOf(after, entry.resource) < entry.amount;
  });
}

}  // namespace

void AddInto(RequestVector& sum, const RequestVector& more, int64_t factor,
             const Catalog& catalog) {
  for (const ResourceAmount& entry : more) {
    const int64_t amount = resources::SaturatingMul(entry.amount, factor);
    const auto at = std::find_if(sum.begin(), sum.end(), [&](const ResourceAmount& known) {
      return !catalog.VectorLess(known.resource, entry.resource);
    });
    if (at != sum.end() && at->resource == entry.resource) {
      at->amount = resources::SaturatingAdd(at->amount, amount);
    } else {
      sum.insert(at, {entry.resource, amount});
    }
  }
}

RequestVector WithPods(const RequestVector& per_pod, int64_t pods, Catalog& catalog) {
  const ResourceId resource = catalog.Resource("pods");
  RequestVector out = per_pod;
  std::erase_if(out, [&](const ResourceAmount& entry) { return entry.resource == resource; });
  AddInto(out, {{resource, pods}}, 1, catalog);
  return out;
}

// ---- plain pods

bool PlainPods::Counts(const api::Pod& pod) {
  return !pod.spec.node_name.empty() && pod.status.phase != "Succeeded" &&
         pod.status.phase != "Failed" && IsPlain(pod);
}

void PlainPods::Sum(const Record& record, int sign) {
  RequestVector& sum = sums_[record.node];
  AddInto(sum, record.requests, sign, catalog_);
  if (AmountOf(sum, catalog_.Resource("pods")) == 0) sums_.erase(record.node);
}

std::vector<PlainPods::Effect> PlainPods::Set(const api::Pod& pod) {
  const std::string key = api::KeyOf(pod.metadata);
  if (!Counts(pod)) return Delete(key);
  Record record;
  record.node = pod.spec.node_name;
  RequestVector requests;
  for (const auto& [name, amount] : api::PodRequests(pod.spec)) {
    requests.push_back({catalog_.Resource(name), amount});
  }
  record.requests = WithPods(requests, 1, catalog_);
  const auto known = records_.find(key);
  std::vector<Effect> effects;
  if (known != records_.end()) {
    const Record& before = known->second;
    if (before.node == record.node && before.requests == record.requests) return {};
    const bool moved = before.node != record.node;
    Sum(before, -1);
    if (moved) effects.push_back({before.node, true});
    Sum(record, 1);
    effects.push_back({record.node, !moved && Freed(before.requests, record.requests)});
    known->second = std::move(record);
    return effects;
  }
  Sum(record, 1);
  effects.push_back({record.node, false});
  records_.emplace(key, std::move(record));
  return effects;
}

std::vector<PlainPods::Effect> PlainPods::Delete(const std::string& key) {
  const auto known = records_.find(key);
  if (known == records_.end()) return {};
  Sum(known->second, -1);
  std::vector<Effect> effects{{std::move(known->second.node), true}};
  records_.erase(known);
  return effects;
}

const RequestVector* PlainPods::Of(const std::string& node) const {
  const auto found = sums_.find(node);
  return found == sums_.end() ? nullptr : &found->second;
}

// ---- nodes

bool NodeTable::SetRoom(ResourceId resource, Row row, int64_t value) {
  if (room_.size() <= resource.index()) {
    if (value == 0) return false;
    room_.resize(resource.index() + 1);
  }
  std::vector<int64_t>& column = room_[resource.index()];
  if (column.size() <= row) {
    if (value == 0) return false;
    column.resize(objects_.size());
  }
  return std::exchange(column[row], value) != value;
}

// True if anything is different.
bool NodeTable::ReadRoom(Row row) {
  const api::Node& node = *objects_[row];
  RequestVector room;
  for (const auto& [name, quantity] : node.status.allocatable) {
    const ResourceId resource = catalog_.Resource(name);
    AddInto(room, {{resource, resources::RequestUnits(name, quantity)}}, 1, catalog_);
  }
  if (const RequestVector* busy = pods_.Of(node.metadata.name)) {
    AddInto(room, *busy, -1, catalog_);
  }
  bool changed = false;
  for (const ResourceAmount& entry : room) changed |= SetRoom(entry.resource, row, entry.amount);
  for (uint32_t r = 0; r < room_.size(); ++r) {
    if (Room({r}, row) == 0) continue;
    const bool named = std::any_of(room.begin(), room.end(), [&](const ResourceAmount& entry) {
      return entry.resource.value == r;
    });
    if (!named) changed |= SetRoom({r}, row, 0);
  }
  return changed;
}

NodeTable::Change NodeTable::Set(std::shared_ptr<const api::Node> object) {
  Change change;
  const bool usable = IsUsable(*object);
  if (!Find(object->metadata.name, change.row)) {
    if (free_rows_.empty()) {
      change.row = static_cast<Row>(objects_.size());
      objects_.emplace_back();
      usable_.push_back(0);
    } else {
      change.row = free_rows_.back();
      free_rows_.pop_back();
    }
    rows_.emplace(object->metadata.name, change.row);
    objects_[change.row] = std::move(object);
    usable_[change.row] = usable;
    ReadRoom(change.row);
    change.added = change.retry = true;
    return change;
  }
  const std::shared_ptr<const api::Node> before =
      std::exchange(objects_[change.row], std::move(object));
  const api::Node& now = *objects_[change.row];
  change.labels = before->metadata.labels != now.metadata.labels;
  change.matching = change.labels || before->spec.taints != now.spec.taints;
  change.usable = std::exchange(usable_[change.row], static_cast<uint8_t>(usable)) !=
                  static_cast<uint8_t>(usable);
  change.room = before->status.allocatable != now.status.allocatable && ReadRoom(change.row);
  change.retry = change.any() || before->spec.unschedulable != now.spec.unschedulable ||
                 before->metadata.annotations != now.metadata.annotations ||
                 !SameConditions(*before, now);
  return change;
}

NodeTable::Change NodeTable::Refresh(const std::string& name) {
  Change change;
  if (Find(name, change.row)) change.room = ReadRoom(change.row);
  return change;
}

bool NodeTable::Find(const std::string& name, Row& row) const {
  const auto found = rows_.find(name);
  if (found == rows_.end()) return false;
  row = found->second;
  return true;
}

void NodeTable::Delete(Row row) {
  rows_.erase(objects_[row]->metadata.name);
  objects_[row].reset();
  usable_[row] = 0;
  for (uint32_t r = 0; r < room_.size(); ++r) SetRoom({r}, row, 0);
  free_rows_.push_back(row);
}

}  // namespace kueue::scheduling::topology
