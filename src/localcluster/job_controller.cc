#include "localcluster/job_controller.h"

#include "localcluster/job_pods.h"

namespace kueue::localcluster {

kube::ObjectKey JobKeyOf(const api::Pod& pod) {
  if (JobUidOf(pod).empty()) return {};
  return {pod.metadata.namespace_name, api::ControllerOf(pod.metadata)->name};
}

bool IsOrphan(const kube::Cache& cache, const api::Pod& pod) {
  if (!IsTracked(pod)) return false;
  const kube::ObjectKey key = JobKeyOf(pod);
  if (key.name.empty()) return true;
  const auto job = cache.Get<api::Job>(key);
  return !job || job->metadata.uid != JobUidOf(pod);
}

runtime::Intents OrphanRelease::Reconcile(const kube::ObjectKey& key, base::Time) {
  runtime::Intents intents;
  const auto pod = cache_.Get<api::Pod>(key);
  if (pod && IsOrphan(cache_, *pod)) intents.Add(ReleasePod(*pod));
  return intents;
}

runtime::Intents JobController::Reconcile(const kube::ObjectKey& key, base::Time now) {
  const auto job = cache_.Get<api::Job>(key);
  if (!job) {
    memory_.erase(key);
    return {};
  }
  const Pods pods = cache_.ByIndex<api::Pod>(kPodsByJob, job->metadata.uid);
  return PlanJob(*job, pods, memory_[key], now, options_);
}

void JobController::OnWritten(const kube::ObjectKey& key, const runtime::Write& write,
                              const base::Result<api::Json>& outcome) {
  const auto it = memory_.find(key);
  if (outcome.ok() || it == memory_.end()) return;
  if (write.verb == runtime::WriteVerb::kCreate) {
    it->second.create_refused = outcome.error().message;
  } else if (write.verb == runtime::WriteVerb::kDelete &&
             outcome.error().code != base::Code::kNotFound) {
    // The pod lives on: if somebody else deletes it later, that is a failure again.
    it->second.removed.erase(write.remove.precondition_uid);
  }
}

}  // namespace kueue::localcluster
