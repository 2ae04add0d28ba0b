#include "scheduling/state.h"

#include <algorithm>

#include "scheduling/cycle.h"
#include "scheduling/fairness/share.h"
#include "scheduling/reports.h"
#include "scheduling/world.h"

namespace kueue::scheduling {

// The world stays where it is when a State moves: its parts point to each other.
class State::Impl {
 public:
  explicit Impl(Config config) : world(std::move(config)) {}
  World world;
};

namespace {

std::vector<std::string> SortedKeys(const std::vector<WorkItem*>& items) {
  std::vector<std::string> keys;
  for (const WorkItem* item : items) keys.push_back(item->key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

const PendingQueue* PendingOf(const World& world, const std::string& cluster_queue) {
  const ClusterQueue* const queue = world.FindQueue(cluster_queue);
  return queue == nullptr ? nullptr : queue->pending.get();
}

}  // namespace

State::State(Config config) : impl_(std::make_unique<Impl>(std::move(config))) {}
State::~State() = default;
State::State(State&&) noexcept = default;
State& State::operator=(State&&) noexcept = default;

const Config& State::config() const { return impl_->world.config; }

void State::SetNamespace(const api::Namespace& object) {
  SetNamespace(object, base::Time());
}
void State::SetNamespace(const api::Namespace& object, base::Time now) {
  impl_->world.SetNamespace(object.metadata.name, object.metadata.labels, now);
}
void State::DeleteNamespace(const std::string& name) { impl_->world.DeleteNamespace(name); }
void State::SetResourceFlavor(const std::shared_ptr<const api::ResourceFlavor>& object,
                              base::Time now) {
  impl_->world.SetResourceFlavor(object, now);
}
void State::DeleteResourceFlavor(const std::string& name) {
  impl_->world.DeleteResourceFlavor(name);
}
void State::SetCohort(const std::shared_ptr<const api::Cohort>& object, base::Time now) {
  impl_->world.SetCohort(object, now);
}
void State::DeleteCohort(const std::string& name) { impl_->world.DeleteCohort(name); }
void State::SetClusterQueue(const std::shared_ptr<const api::ClusterQueue>& object,
                            base::Time now) {
  impl_->world.SetClusterQueue(object, now);
}
void State::DeleteClusterQueue(const std::string& name) { impl_->world.DeleteClusterQueue(name); }
void State::SetLocalQueue(const std::shared_ptr<const api::LocalQueue>& object, base::Time now) {
  impl_->world.SetLocalQueue(object, now);
}
void State::DeleteLocalQueue(const std::string& namespace_name, const std::string& name) {
  impl_->world.DeleteLocalQueue(namespace_name + "/" + name);
}
void State::SetAdmissionCheck(const std::shared_ptr<const api::AdmissionCheck>& object,
                              base::Time now) {
  impl_->world.SetAdmissionCheck(object, now);
}
void State::DeleteAdmissionCheck(const std::string& name) {
  impl_->world.DeleteAdmissionCheck(name);
}
void State::SetWorkload(const std::shared_ptr<const api::Workload>& object, base::Time now) {
  impl_->world.SetWorkload(object, now);
}
void State::DeleteWorkload(const std::string& namespace_name, const std::string& name,
                           base::Time now) {
  impl_->world.DeleteWorkload(namespace_name + "/" + name, now);
}

void State::CarryOutDueRetries(base::Time now) { impl_->world.CarryOutRetries(now, false); }
void State::CarryOutAllRetries(base::Time now) { impl_->world.CarryOutRetries(now, true); }
std::optional<base::Time> State::NextDue() const { return impl_->world.NextDue(); }
bool State::HasHeads() const { return impl_->world.HasHeads(); }

void State::ReservationFailed(const std::string& workload, const std::string& uid,
                              base::Time now) {
  impl_->world.ReservationFailed(workload, uid, now);
}
void State::EvictionFailed(const std::string& workload, const std::string& uid) {
  impl_->world.EvictionFailed(workload, uid);
}

State::ClusterQueueReport State::ReportClusterQueue(const std::string& name) const {
  return ReportOn(impl_->world, name);
}
State::LocalQueueReport State::ReportLocalQueue(const std::string& namespace_name,
                                                const std::string& name) const {
  return ReportOnLocal(impl_->world, namespace_name + "/" + name);
}

std::optional<int64_t> State::CohortWeightedShare(const std::string& name) const {
  const Node* const node = impl_->world.tree.FindCohort(name);
  if (!impl_->world.config.fair_sharing || node == nullptr || node->cyclic) return std::nullopt;
  return ShownShare(impl_->world.tree.ShareOf(*node));
}

std::vector<std::string> State::AncestorsOf(const std::string& cluster_queue) const {
  std::vector<std::string> names;
  const ClusterQueue* const queue = impl_->world.FindQueue(cluster_queue);
  if (queue == nullptr || queue->node == nullptr) return names;
  for (const Node* up = queue->node->parent; up != nullptr; up = up->parent) {
    if (std::find(names.begin(), names.end(), up->name) != names.end()) break;  // a cycle
    names.push_back(up->name);
  }
  return names;
}

std::vector<std::string> State::ClusterQueuesUsingFlavor(const std::string& flavor) const {
  std::vector<std::string> names;
  for (const ClusterQueue* queue : impl_->world.queues) {
    for (const api::ResourceGroup& group : queue->object->spec.resource_groups) {
      const bool uses = std::any_of(group.flavors.begin(), group.flavors.end(),
                                    [&](const auto& entry) { return entry.name == flavor; });
      if (!uses) continue;
      names.push_back(queue->name);
      break;
    }
  }
  return names;
}

std::vector<std::string> State::PendingInOrder(const std::string& cluster_queue) const {
  return scheduling::PendingInOrder(impl_->world, cluster_queue);
}
std::vector<std::string> State::ActiveHeap(const std::string& cluster_queue) const {
  const PendingQueue* pending = PendingOf(impl_->world, cluster_queue);
  return pending == nullptr ? std::vector<std::string>() : SortedKeys(pending->heap());
}
std::vector<std::string> State::Inadmissible(const std::string& cluster_queue) const {
  const PendingQueue* pending = PendingOf(impl_->world, cluster_queue);
  return pending == nullptr ? std::vector<std::string>() : SortedKeys(pending->parked());
}
std::string State::ParkedReason(const std::string& workload) const {
  const WorkItem* const item = impl_->world.FindItem(workload);
  if (item == nullptr || item->bucket != Bucket::kParked) return {};
  const std::string* reason = item->queued_in->pending->ParkedReason(item->shape);
  return reason == nullptr ? std::string() : *reason;
}

Plan Step(State& state, base::Time now) { return Cycle(state.impl_->world, now).Run(); }

}  // namespace kueue::scheduling
