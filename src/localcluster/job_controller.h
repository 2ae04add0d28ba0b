#pragma once

#include <map>
#include <memory>
#include <string>

#include "kube/informer.h"
#include "localcluster/job_plan.h"
#include "runtime/driver.h"

namespace kueue::localcluster {

// Index of pods by the uid of the Job that controls them.
inline constexpr char kPodsByJob[] = "localcluster/job-uid";

// Runs Jobs: makes, counts and removes their pods. Keys are Jobs. The decisions are PlanJob's.
class JobController final : public runtime::Reconciler {
 public:
  // The cache has the index kPodsByJob.
  JobController(const kube::Cache& cache, JobOptions options)
      : cache_(cache), options_(options) {}

  // Every pod that is gone, so that its end is counted if it was not before.
  void OnPodGone(const std::shared_ptr<const api::Pod>& pod);

  std::string name() const override { return "job-controller"; }
  std::string event_source() const override { return "job-controller"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;
  void OnWritten(const kube::ObjectKey& key, const runtime::Write& write,
                 const base::Result<api::Json>& outcome) override;

 private:
  const kube::Cache& cache_;
  const JobOptions options_;
  std::map<kube::ObjectKey, JobMemory> memory_;
};

// The key of the Job that controls the pod; the name is empty if none does.
kube::ObjectKey JobKeyOf(const api::Pod& pod);

}  // namespace kueue::localcluster
