#include "controllers/dialect_controllers.h"

#include <set>

#include "api/schema/simple_queue.h"
#include "api/types/names.h"
#include "controllers/work_runner.h"

namespace kueue::controllers {
namespace {

using runtime::Intents;
namespace names = api::names;

bool Owns(const api::SimpleQueue& queue, const api::LocalQueue& local) {
  const api::OwnerReference* owner = api::ControllerOf(local.metadata);
  return owner != nullptr && owner->uid == queue.metadata.uid;
}

void Describe(const api::SimpleQueue& queue, api::LocalQueue& local) {
  if (queue.spec.priority) {
    local.metadata.annotations[names::kQueuePriority] = std::to_string(*queue.spec.priority);
  } else {
    local.metadata.annotations.erase(names::kQueuePriority);
  }
}

api::LocalQueue LocalQueueFor(const api::SimpleQueue& queue) {
  const api::KindInfo& kind = api::KindOf<api::SimpleQueue>();
  api::LocalQueue local;
  local.metadata.name = queue.metadata.name;
  local.metadata.namespace_name = queue.metadata.namespace_name;
  api::OwnerReference owner;
  owner.api_version = kind.ApiVersion();
  owner.kind = kind.kind;
  owner.name = queue.metadata.name;
  owner.uid = queue.metadata.uid;
  owner.controller = owner.block_owner_deletion = true;
  local.metadata.owner_references.push_back(std::move(owner));
  local.spec.cluster_queue = queue.spec.cluster_queue;
  Describe(queue, local);
  return local;
}

// The Queue's status from its LocalQueue's; `taken`: that name belongs to a LocalQueue of others.
Intents TellStatus(const api::SimpleQueue& queue, const api::LocalQueue* local, bool taken,
                   base::Time now) {
  api::SimpleQueue after = queue;
  api::Condition active;
  active.type = names::kActive;
  active.status = api::ConditionStatus::kFalse;
  active.observed_generation = queue.metadata.generation;
  const api::Condition* theirs =
      local != nullptr ? api::FindCondition(local->status.conditions, names::kActive) : nullptr;
  if (taken) {
    active.reason = "LocalQueueExists";
    active.message = "LocalQueue " + queue.metadata.name +
                     " exists and was not made for this Queue; rename one of them";
  } else if (theirs != nullptr) {
    active.status = theirs->status;
    active.reason = theirs->reason;
    active.message = theirs->message;
  } else {
    active.reason = "Pending";
    active.message = "The LocalQueue of this Queue is being made";
  }
  api::SetCondition(after.status.conditions, std::move(active), now);
  const bool ours = local != nullptr && !taken;
  after.status.pending_workloads = ours ? local->status.pending_workloads : 0;
  after.status.admitted_workloads = ours ? local->status.admitted_workloads : 0;
  Intents intents;
  intents.Add(runtime::PatchStatus(queue, after));
  return intents;
}

}  // namespace

Intents SimpleQueueReconciler::Reconcile(const kube::ObjectKey& key, base::Time now) {
  const auto queue = cache_.Get<api::SimpleQueue>(key);
  if (!queue || queue->metadata.deletion_timestamp) return {};
  const auto local = cache_.Get<api::LocalQueue>(key);
  if (!local) {
    Intents intents = TellStatus(*queue, nullptr, false, now);
    intents.writes.push_back(runtime::CreateObject(LocalQueueFor(*queue)));
    return intents;
  }
  if (!Owns(*queue, *local)) return TellStatus(*queue, local.get(), true, now);
  api::LocalQueue after = *local;
  Describe(*queue, after);
  Intents intents = TellStatus(*queue, local.get(), false, now);
  intents.Add(runtime::PatchObject(*local, after));
  return intents;
}

Intents MissingFlavorReconciler::Reconcile(const kube::ObjectKey& key, base::Time) {
  const auto queue = cache_.Get<api::ClusterQueue>(key);
  if (!queue || queue->metadata.deletion_timestamp || !api::IsSimple(queue->metadata)) return {};
  std::set<std::string> missing;
  for (const api::ResourceGroup& group : queue->spec.resource_groups) {
    for (const api::FlavorQuotas& flavor : group.flavors) {
      if (!cache_.Get<api::ResourceFlavor>({"", flavor.name})) missing.insert(flavor.name);
    }
  }
  Intents intents;
  for (const std::string& name : missing) {
    api::ResourceFlavor flavor;
    flavor.metadata.name = name;
    flavor.metadata.labels[names::kAutoCreated] = "true";
    intents.writes.push_back(runtime::CreateObject(flavor));
    intents.events.push_back(
        {runtime::ReferenceTo(*queue), "Normal", "CreatedResourceFlavor",
         "Created ResourceFlavor " + name + ", empty: it was named and not declared"});
  }
  return intents;
}

void AddDialectControllers(kube::Cache& cache, runtime::Driver& driver, const Settings& settings) {
  if (!settings.simple_dialect) return;
  runtime::Queue* queues = &driver.Add(std::make_unique<SimpleQueueReconciler>(cache));
  cache.OnChange<api::SimpleQueue>([queues](const auto&, const auto& after) {
    if (after) queues->Add(kube::KeyOf(after->metadata));
  });
  cache.OnChange<api::LocalQueue>([queues](const auto& before, const auto& after) {
    queues->Add(kube::KeyOf((after ? after : before)->metadata));
  });
  runtime::Queue* flavors = &driver.Add(std::make_unique<MissingFlavorReconciler>(cache));
  cache.OnChange<api::ClusterQueue>([flavors](const auto& before, const auto& after) {
    const bool same = before && after && before->spec == after->spec &&
                      before->metadata.annotations == after->metadata.annotations;
    if (after && !same) flavors->Add(kube::KeyOf(after->metadata));
  });
  cache.OnChange<api::ResourceFlavor>([&cache, flavors](const auto&, const auto& after) {
    if (after) return;
    for (const auto& queue : cache.List<api::ClusterQueue>()) {
      if (api::IsSimple(queue->metadata)) flavors->Add(kube::KeyOf(queue->metadata));
    }
  });
  AddWorkRunner(cache, driver, settings);
}

}  // namespace kueue::controllers
