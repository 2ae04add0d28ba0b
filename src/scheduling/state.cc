#include "scheduling/state.h"

#include <algorithm>

#include "scheduling/cycle.h"
#include "scheduling/fairness/share.h"
#include "scheduling/explanation.h"
#include "scheduling/reports.h"
#include "scheduling/snapshot.h"
#include "scheduling/topology_report.h"
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
void State::SetTopology(const std::shared_ptr<const api::Topology>& object, base::Time now) {
  impl_->world.SetTopology(object, now);
}
void State::DeleteTopology(const std::string& name, base::Time now) {
  impl_->world.DeleteTopology(name, now);
}
void State::SetNode(const std::shared_ptr<const api::Node>& object, base::Time now) {
  impl_->world.SetNode(object, now);
}
void State::DeleteNode(const std::string& name, base::Time now) {
  impl_->world.DeleteNode(name, now);
}
void State::SetPod(const std::shared_ptr<const api::Pod>& object, base::Time now) {
  impl_->world.SetPod(object, now);
}
void State::DeletePod(const std::string& namespace_name, const std::string& name,
                      base::Time now) {
  impl_->world.DeletePod(namespace_name + "/" + name, now);
}
void State::SetLimitRange(const std::shared_ptr<const api::LimitRange>& object, base::Time now) {
  impl_->world.SetLimitRange(object, now);
}
void State::DeleteLimitRange(const std::string& namespace_name, const std::string& name,
                             base::Time now) {
  impl_->world.DeleteLimitRange(namespace_name, name, now);
}
void State::SetRuntimeClass(const std::shared_ptr<const api::RuntimeClass>& object,
                            base::Time now) {
  impl_->world.SetRuntimeClass(object, now);
}
void State::DeleteRuntimeClass(const std::string& name, base::Time now) {
  impl_->world.DeleteRuntimeClass(name, now);
}
void State::SetDeviceClass(const std::shared_ptr<const api::DeviceClass>& object, base::Time now) {
  impl_->world.SetDeviceClass(object, now);
}
void State::DeleteDeviceClass(const std::string& name, base::Time now) {
  impl_->world.DeleteDeviceClass(name, now);
}
void State::SetResourceSlice(const std::shared_ptr<const api::ResourceSlice>& object,
                             base::Time now) {
  impl_->world.SetResourceSlice(object, now);
}
void State::DeleteResourceSlice(const std::string& name, const std::string& driver,
                                base::Time now) {
  impl_->world.DeleteResourceSlice(name, driver, now);
}
void State::SetClaimTemplate(const std::shared_ptr<const api::ResourceClaimTemplate>& object,
                             base::Time now) {
  impl_->world.SetClaimTemplate(object, now);
}
void State::DeleteClaimTemplate(const std::string& namespace_name, const std::string& name,
                                base::Time now) {
  impl_->world.DeleteClaimTemplate(namespace_name, name, now);
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

bool State::Assumes(const std::string& workload, const api::Admission* admission) const {
  const WorkItem* const item = impl_->world.FindItem(workload);
  return item != nullptr && item->assumed != nullptr &&
         (admission == nullptr || *item->assumed == *admission);
}
bool State::Evicts(const std::string& workload) const {
  const WorkItem* const item = impl_->world.FindItem(workload);
  return item != nullptr && item->eviction_in_flight;
}

State::ClusterQueueReport State::ReportClusterQueue(const std::string& name) const {
  return ReportOn(impl_->world, name);
}
State::LocalQueueReport State::ReportLocalQueue(const std::string& namespace_name,
                                                const std::string& name) const {
  return ReportOnLocal(impl_->world, namespace_name + "/" + name);
}

State::PendingReport State::ReportPending(const std::string& cluster_queue) const {
  return ReportWaiting(impl_->world, cluster_queue);
}
State::CohortReport State::ReportCohort(const std::string& name) const {
  return ReportOnCohort(impl_->world, name);
}

std::optional<State::PastUseReport> State::SamplePastUse(const std::string& namespace_name,
                                                          const std::string& name,
                                                          base::Time now) {
  return impl_->world.SamplePastUse(namespace_name + "/" + name, now);
}

std::optional<std::string> State::DeletedRunsOf(const std::string& namespace_name,
                                                const std::string& name) const {
  const LocalQueue* const queue = impl_->world.FindLocalQueue(namespace_name + "/" + name);
  if (queue == nullptr || queue->budget.period.count() == 0) return std::nullopt;
  if (queue->deleted_runs.used.count() == 0) return std::nullopt;
  return api::DeletedRunsText(queue->deleted_runs);
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

bool State::IsCheckUsed(const std::string& check) const {
  const auto& queues = impl_->world.queues;
  return std::any_of(queues.begin(), queues.end(), [&](const ClusterQueue* queue) {
    const auto& strategy = queue->object->spec.admission_checks_strategy;
    return strategy && std::any_of(strategy->admission_checks.begin(),
                                   strategy->admission_checks.end(),
                                   [&](const auto& rule) { return rule.name == check; });
  });
}

std::optional<State::TopologyReport> State::ReportTopology(const std::string& flavor) {
  return ReportOnTopology(impl_->world, flavor);
}

std::vector<std::string> State::PendingInOrder(const std::string& cluster_queue) const {
  return scheduling::PendingInOrder(impl_->world, cluster_queue);
}
std::vector<std::string> State::ActiveHeap(const std::string& cluster_queue) const {
  const PendingQueue* pending = PendingOf(impl_->world, cluster_queue);
  return pending == nullptr ? std::vector<std::string>() : SortedKeys(pending->Heap());
}
std::vector<std::string> State::Inadmissible(const std::string& cluster_queue) const {
  const PendingQueue* pending = PendingOf(impl_->world, cluster_queue);
  return pending == nullptr ? std::vector<std::string>() : SortedKeys(pending->Parked());
}
std::string State::ParkedReason(const std::string& workload) const {
  const WorkItem* const item = impl_->world.FindItem(workload);
  if (item == nullptr || item->queued_in == nullptr) return {};
  if (!item->queued_in->pending->IsParked(*item)) return {};
  const std::string* reason = item->queued_in->pending->ParkedReason(item->shape);
  return reason == nullptr ? std::string() : *reason;
}

std::string State::Violation(const std::string& workload) const {
  const WorkItem* const item = impl_->world.FindItem(workload);
  return item == nullptr ? std::string() : item->demand->violation;
}

std::string State::DeviceProblem(const std::string& workload) const {
  const WorkItem* const item = impl_->world.FindItem(workload);
  return item == nullptr ? std::string() : item->demand->device_problem;
}

Explanation Explain(State& state, const std::string& workload, base::Time now) {
  return Explain(state.impl_->world, workload, now);
}

// ---- snapshots

struct Snapshot::Content {
  Config config;
  SharedTable<std::shared_ptr<const api::Namespace>>::Copy namespaces;
  SharedTable<std::shared_ptr<const api::ResourceFlavor>>::Copy flavors;
  SharedTable<std::shared_ptr<const api::AdmissionCheck>>::Copy checks;
  SharedTable<std::shared_ptr<const api::Cohort>>::Copy cohorts;
  SharedTable<std::shared_ptr<const api::ClusterQueue>>::Copy queues;
  SharedTable<std::shared_ptr<const api::LocalQueue>>::Copy local_queues;
  SharedTable<std::shared_ptr<const api::Topology>>::Copy topologies;
  SharedTable<std::shared_ptr<const api::Node>>::Copy nodes;
  SharedTable<std::shared_ptr<const api::Pod>>::Copy pods;
  SharedTable<std::shared_ptr<const api::LimitRange>>::Copy limit_ranges;
  SharedTable<std::shared_ptr<const api::RuntimeClass>>::Copy runtime_classes;
  SharedTable<std::shared_ptr<const api::DeviceClass>>::Copy device_classes;
  SharedTable<std::shared_ptr<const api::ResourceSlice>>::Copy resource_slices;
  SharedTable<std::shared_ptr<const api::ResourceClaimTemplate>>::Copy claim_templates;
  SharedTable<WorkloadRow>::Copy workloads;
  SharedTable<std::shared_ptr<const PastUse>>::Copy past_use;
};

Snapshot State::Fork() {
  Records& records = impl_->world.records;
  return Snapshot(std::make_shared<Snapshot::Content>(Snapshot::Content{
      impl_->world.config, records.namespaces.Share(), records.flavors.Share(),
      records.checks.Share(), records.cohorts.Share(), records.queues.Share(),
      records.local_queues.Share(), records.topologies.Share(), records.nodes.Share(),
      records.pods.Share(), records.limit_ranges.Share(), records.runtime_classes.Share(),
      records.device_classes.Share(), records.resource_slices.Share(),
      records.claim_templates.Share(), records.workloads.Share(), records.past_use.Share()}));
}

State Snapshot::Rebuild(base::Time now) const {
  State state(content_->config);
  World& world = state.impl_->world;
  const auto each = [](const auto& table, auto&& tell) {
    table.ForEach([&](const auto& object) {
      if (object != nullptr) tell(object);
    });
  };
  each(content_->namespaces, [&](const auto& object) {
    world.SetNamespace(object->metadata.name, object->metadata.labels, now);
  });
  each(content_->topologies, [&](const auto& object) { world.SetTopology(object, now); });
  each(content_->nodes, [&](const auto& object) { world.SetNode(object, now); });
  each(content_->pods, [&](const auto& object) { world.SetPod(object, now); });
  each(content_->flavors, [&](const auto& object) { world.SetResourceFlavor(object, now); });
  each(content_->checks, [&](const auto& object) { world.SetAdmissionCheck(object, now); });
  each(content_->cohorts, [&](const auto& object) { world.SetCohort(object, now); });
  each(content_->queues, [&](const auto& object) { world.SetClusterQueue(object, now); });
  each(content_->local_queues, [&](const auto& object) { world.SetLocalQueue(object, now); });
  each(content_->limit_ranges, [&](const auto& object) { world.SetLimitRange(object, now); });
  each(content_->runtime_classes, [&](const auto& object) { world.SetRuntimeClass(object, now); });
  each(content_->device_classes, [&](const auto& object) { world.SetDeviceClass(object, now); });
  each(content_->resource_slices, [&](const auto& object) { world.SetResourceSlice(object, now); });
  each(content_->claim_templates, [&](const auto& object) { world.SetClaimTemplate(object, now); });
  content_->workloads.ForEach([&](const WorkloadRow& row) {
    if (row.object != nullptr) world.Restore(row, now);
  });
  // Last: what was restored above has been charged already.
  each(content_->past_use, [&](const auto& entry) { world.RestorePastUse(*entry); });
  return state;
}

Plan Step(State& state, base::Time now, uint64_t most_cycles) {
  return Cycle(state.impl_->world, now, most_cycles).Run();
}

}  // namespace kueue::scheduling
