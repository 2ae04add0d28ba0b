#include "controllers/core_controllers.h"

#include <set>

#include "api/types/names.h"
#include "controllers/job_reconciler.h"
#include "controllers/queue_reconcilers.h"
#include "controllers/surroundings.h"
#include "controllers/workload_reconciler.h"
#include "controllers/workload_status.h"

namespace kueue::controllers {
namespace {

std::string QueueKey(const api::Workload& w) {
  return w.metadata.namespace_name + "/" + w.spec.queue_name;
}

// Changes of a ClusterQueue that its workloads have to hear of (spec/controllers.md §3.2).
bool WorkloadsMustKnow(const api::ClusterQueue* before, const api::ClusterQueue* after) {
  if (before == nullptr || after == nullptr) return true;
  return after->metadata.deletion_timestamp.has_value() ||
         before->spec.stop_policy != after->spec.stop_policy ||
         before->spec.admission_checks_strategy != after->spec.admission_checks_strategy;
}
bool WorkloadsMustKnow(const api::LocalQueue* before, const api::LocalQueue* after) {
  if (before == nullptr || after == nullptr) return true;
  return after->metadata.deletion_timestamp.has_value() ||
         before->spec.stop_policy != after->spec.stop_policy;
}

// The change of a waiting workload is only what is said of it: why it waits, whether its pods are
// ready. That is no news for the decision; taking it for news would let a cycle answer to its own
// status writes without end (reference-defects D1).
bool OnlySaysWhy(const api::Workload* before, const api::Workload* after) {
  if (before == nullptr || after == nullptr || HasQuotaReservation(*before) ||
      HasQuotaReservation(*after) || before->spec != after->spec ||
      before->metadata.annotations != after->metadata.annotations ||
      before->metadata.deletion_timestamp != after->metadata.deletion_timestamp) {
    return false;
  }
  const auto without_talk = [&](const api::Workload& workload) {
    api::WorkloadStatus status = workload.status;
    std::erase_if(status.conditions, [](const api::Condition& c) {
      return c.type == api::names::kQuotaReserved || c.type == api::names::kAdmitted ||
             c.type == api::names::kPodsReady;
    });
    status.resource_requests.clear();
    return status;
  };
  return without_talk(*before) == without_talk(*after);
}

std::set<std::string> FlavorsOf(const api::ClusterQueue* queue) {
  std::set<std::string> names;
  if (queue == nullptr) return names;
  for (const auto& group : queue->spec.resource_groups) {
    for (const auto& flavor : group.flavors) names.insert(flavor.name);
  }
  return names;
}

std::set<std::string> ChecksOf(const api::ClusterQueue* queue) {
  std::set<std::string> names;
  if (queue == nullptr || !queue->spec.admission_checks_strategy) return names;
  for (const auto& rule : queue->spec.admission_checks_strategy->admission_checks) {
    names.insert(rule.name);
  }
  return names;
}

}  // namespace

CoreControllers::CoreControllers(Parts parts) : parts_(std::move(parts)) {
  AddIndexes();
  // Facts first: when a reconciler looks, the state has heard.
  FeedState();
  FeedWorkloads();
  AddReconcilers();
  AddJobs();
}

void CoreControllers::AddIndexes() {
  kube::Informer& workloads = parts_.cache.InformerOf<api::Workload>();
  workloads.AddIndex(kByQueue, [](const void* object) {
    return std::vector<std::string>{QueueKey(*static_cast<const api::Workload*>(object))};
  });
  workloads.AddIndex(kByOwner, [](const void* object) {
    std::vector<std::string> uids;
    for (const auto& owner : static_cast<const api::Workload*>(object)->metadata.owner_references) {
      uids.push_back(owner.uid);
    }
    return uids;
  });
  workloads.AddIndex(kByPriorityClass, [](const void* object) {
    const auto& ref = static_cast<const api::Workload*>(object)->spec.priority_class_ref;
    std::vector<std::string> names;
    if (ref && ref->kind == "WorkloadPriorityClass") names.push_back(ref->name);
    return names;
  });
  parts_.cache.InformerOf<api::LocalQueue>().AddIndex(kByClusterQueue, [](const void* object) {
    return std::vector<std::string>{
        static_cast<const api::LocalQueue*>(object)->spec.cluster_queue};
  });
}

void CoreControllers::FeedState() {
  kube::Cache& cache = parts_.cache;
  scheduling::State& state = parts_.state;
  cache.OnChange<api::Namespace>([this, &state](const auto& before, const auto& after) {
    after ? state.SetNamespace(*after, parts_.clock.Now())
          : state.DeleteNamespace(before->metadata.name);
    parts_.wake_scheduler();
  });
  cache.OnChange<api::ResourceFlavor>([this, &state](const auto& before, const auto& after) {
    after ? state.SetResourceFlavor(after, parts_.clock.Now())
          : state.DeleteResourceFlavor(before->metadata.name);
    parts_.wake_scheduler();
  });
  cache.OnChange<api::AdmissionCheck>([this, &state](const auto& before, const auto& after) {
    after ? state.SetAdmissionCheck(after, parts_.clock.Now())
          : state.DeleteAdmissionCheck(before->metadata.name);
    parts_.wake_scheduler();
  });
  cache.OnChange<api::Cohort>([this, &state](const auto& before, const auto& after) {
    after ? state.SetCohort(after, parts_.clock.Now()) : state.DeleteCohort(before->metadata.name);
    parts_.wake_scheduler();
  });
  cache.OnChange<api::ClusterQueue>([this, &state](const auto& before, const auto& after) {
    // A status write is no news for the decision: its own reports must not wake it.
    if (before && after && before->spec == after->spec &&
        before->metadata.annotations == after->metadata.annotations &&
        before->metadata.deletion_timestamp == after->metadata.deletion_timestamp) {
      return;
    }
    after ? state.SetClusterQueue(after, parts_.clock.Now())
          : state.DeleteClusterQueue(before->metadata.name);
    parts_.wake_scheduler();
  });
  cache.OnChange<api::LocalQueue>([this, &state](const auto& before, const auto& after) {
    if (before && after && before->spec == after->spec &&
        before->metadata.annotations == after->metadata.annotations) {
      return;
    }
    after ? state.SetLocalQueue(after, parts_.clock.Now())
          : state.DeleteLocalQueue(before->metadata.namespace_name, before->metadata.name);
    parts_.wake_scheduler();
  });
  FeedSurroundings(cache, state, parts_.clock, parts_.wake_scheduler);
}

void CoreControllers::FeedWorkloads() {
  parts_.cache.OnChange<api::Workload>([this](const auto& before, const auto& after) {
    const base::Time now = parts_.clock.Now();
    if (after) {
      parts_.state.SetWorkload(after, now);
    } else {
      parts_.state.DeleteWorkload(before->metadata.namespace_name, before->metadata.name, now);
    }
    if (!OnlySaysWhy(before.get(), after.get())) parts_.wake_scheduler();
  });
}

void CoreControllers::AddReconcilers() {
  kube::Cache& cache = parts_.cache;
  runtime::Driver& driver = parts_.driver;
  workloads_ =
      &driver.Add(std::make_unique<WorkloadReconciler>(cache, parts_.state, parts_.settings));
  cluster_queues_ = &driver.Add(std::make_unique<ClusterQueueReconciler>(cache, parts_.state));
  local_queues_ = &driver.Add(std::make_unique<LocalQueueReconciler>(cache, parts_.state));
  cohorts_ = &driver.Add(std::make_unique<CohortReconciler>(cache, parts_.state));
  flavors_ = &driver.Add(std::make_unique<ResourceFlavorReconciler>(cache, parts_.state));
  checks_ = &driver.Add(std::make_unique<AdmissionCheckReconciler>(cache, parts_.state));
  priority_classes_ = &driver.Add(std::make_unique<WorkloadPriorityClassReconciler>(cache));

  cache.OnChange<api::Workload>([this](const auto& b, const auto& a) { OnWorkload(b, a); });
  cache.OnChange<api::LocalQueue>([this](const auto& b, const auto& a) { OnLocalQueue(b, a); });
  cache.OnChange<api::ClusterQueue>([this](const auto& b, const auto& a) { OnClusterQueue(b, a); });
  cache.OnChange<api::ResourceFlavor>([this](const auto& b, const auto& a) { OnFlavor(b, a); });
  cache.OnChange<api::Cohort>([this](const auto&, const auto& after) {
    if (after) cohorts_->Add({"", after->metadata.name});
  });
  cache.OnChange<api::AdmissionCheck>([this](const auto&, const auto& after) {
    if (after) checks_->Add({"", after->metadata.name});
    for (const auto& queue : parts_.cache.template List<api::ClusterQueue>()) {
      if (queue->spec.admission_checks_strategy) cluster_queues_->Add({"", queue->metadata.name});
    }
  });
  cache.OnChange<api::WorkloadPriorityClass>([this](const auto& before, const auto& after) {
    if (after && (!before || before->value != after->value)) {
      priority_classes_->Add({"", after->metadata.name});
    }
  });
}

void CoreControllers::AddJobs() {
  for (const integrations::Integration* integration : parts_.integrations) {
    kube::Informer& informer = parts_.cache.InformerOf(
        integration->kind(),
        [integration](const api::Json& json) { return integration->Decode(json); });
    runtime::Queue* queue = &parts_.driver.Add(
        std::make_unique<JobReconciler>(*integration, informer, parts_.cache, parts_.settings));
    jobs_.push_back({&integration->kind(), queue});
    informer.AddHandler([queue](const kube::Change& change) { queue->Add(change.key); });
  }
}

// Counts of queues are refreshed in batches: many workloads change together.
void CoreControllers::QueueSummaries(const api::Workload& workload) {
  const base::Duration batch = parts_.settings.batch_period;
  const kube::ObjectKey local{workload.metadata.namespace_name, workload.spec.queue_name};
  if (!workload.spec.queue_name.empty()) local_queues_->AddAfter(local, batch);
  std::set<std::string> clusters;
  if (const auto queue = parts_.cache.Get<api::LocalQueue>(local)) {
    clusters.insert(queue->spec.cluster_queue);
  }
  if (workload.status.admission) clusters.insert(workload.status.admission->cluster_queue);
  for (const std::string& name : clusters) {
    if (name.empty()) continue;
    cluster_queues_->AddAfter({"", name}, batch);
    if (!parts_.state.config().fair_sharing) continue;
    for (const std::string& cohort : parts_.state.AncestorsOf(name)) {
      cohorts_->AddAfter({"", cohort}, batch);
    }
  }
}

void CoreControllers::QueueOwner(const api::Workload& workload) {
  for (const api::OwnerReference& owner : workload.metadata.owner_references) {
    for (const JobKind& job : jobs_) {
      if (job.kind->kind == owner.kind && job.kind->ApiVersion() == owner.api_version) {
        job.queue->Add({workload.metadata.namespace_name, owner.name});
      }
    }
  }
}

void CoreControllers::OnWorkload(const Ptr<api::Workload>& before,
                                 const Ptr<api::Workload>& after) {
  if (after) {
    workloads_->Add(kube::KeyOf(after->metadata));
    QueueOwner(*after);
    QueueSummaries(*after);
  } else {
    QueueOwner(*before);
  }
  const bool moved = before && after && before->spec.queue_name != after->spec.queue_name;
  const bool released = before && before->status.admission && (!after || !after->status.admission);
  if (!after || moved || released) QueueSummaries(*before);
}

void CoreControllers::QueueWorkloadsOf(const api::LocalQueue& queue) {
  const std::string key = queue.metadata.namespace_name + "/" + queue.metadata.name;
  for (const auto& workload : parts_.cache.ByIndex<api::Workload>(kByQueue, key)) {
    workloads_->Add(kube::KeyOf(workload->metadata));
  }
}

void CoreControllers::OnLocalQueue(const Ptr<api::LocalQueue>& before,
                                   const Ptr<api::LocalQueue>& after) {
  const api::LocalQueue& queue = after ? *after : *before;
  if (after) local_queues_->Add(kube::KeyOf(after->metadata));
  if (!before || !after)
    cluster_queues_->AddAfter({"", queue.spec.cluster_queue}, parts_.settings.batch_period);
  if (WorkloadsMustKnow(before.get(), after.get())) QueueWorkloadsOf(queue);
}

void CoreControllers::OnClusterQueue(const Ptr<api::ClusterQueue>& before,
                                     const Ptr<api::ClusterQueue>& after) {
  const std::string name = after ? after->metadata.name : before->metadata.name;
  cluster_queues_->Add({"", name});
  const bool workloads_too = WorkloadsMustKnow(before.get(), after.get());
  const bool status_changed =
      !before || !after || before->status.conditions != after->status.conditions;
  if (workloads_too || status_changed) {
    // What waits says whether its queue can admit at all.
    const bool turned = status_changed && before && after &&
                        api::IsConditionTrue(before->status.conditions, api::names::kActive) !=
                            api::IsConditionTrue(after->status.conditions, api::names::kActive);
    for (const auto& queue : parts_.cache.ByIndex<api::LocalQueue>(kByClusterQueue, name)) {
      local_queues_->Add(kube::KeyOf(queue->metadata));
      if (workloads_too || turned) QueueWorkloadsOf(*queue);
    }
  }
  const std::set<std::string> now = FlavorsOf(after.get());
  for (const std::string& flavor : FlavorsOf(before.get())) {
    if (now.count(flavor) == 0) flavors_->Add({"", flavor});
  }
  const std::set<std::string> checks = ChecksOf(after.get());
  for (const std::string& check : ChecksOf(before.get())) {
    if (checks.count(check) == 0) checks_->Add({"", check});
  }
  for (const std::string& cohort : parts_.state.AncestorsOf(name)) cohorts_->Add({"", cohort});
}

void CoreControllers::OnFlavor(const Ptr<api::ResourceFlavor>& before,
                               const Ptr<api::ResourceFlavor>& after) {
  const std::string name = after ? after->metadata.name : before->metadata.name;
  if (after) flavors_->Add({"", name});
  for (const std::string& queue : parts_.state.ClusterQueuesUsingFlavor(name)) {
    cluster_queues_->Add({"", queue});
  }
}

}  // namespace kueue::controllers
