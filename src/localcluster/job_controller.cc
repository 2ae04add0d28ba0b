#include "localcluster/job_controller.h"

#include "localcluster/job_pods.h"

namespace kueue::localcluster {

kube::ObjectKey JobKeyOf(const api::Pod& pod) {
  if (JobUidOf(pod).empty()) return {};
  return {pod.metadata.namespace_name, api::ControllerOf(pod.metadata)->name};
}

void JobController::OnPodGone(const std::shared_ptr<const api::Pod>& pod) {
  const auto it = memory_.find(JobKeyOf(*pod));
  // Of a Job nobody has looked at yet, nothing was counted by this process; the first look takes
  // the counters as they are.
  if (it == memory_.end() || it->second.job_uid != JobUidOf(*pod)) return;
  if (it->second.counted.count(pod->metadata.uid) == 0) it->second.gone[pod->metadata.uid] = pod;
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
  if (outcome.ok() || write.verb != runtime::WriteVerb::kDelete) return;
  // The pod lives on: if somebody else deletes it later, that is a failure again.
  const auto it = memory_.find(key);
  if (it != memory_.end() && outcome.error().code != base::Code::kNotFound) {
    it->second.removed.erase(write.remove.precondition_uid);
  }
}

}  // namespace kueue::localcluster
