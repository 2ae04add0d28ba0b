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
  JobController(const kube::Cache& cache, JobOptions options) : cache_(cache), options_(options) {}

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

// Takes the tracking finalizer off pods whose Job is gone, or that were taken from it, so that they
// can go too. Keys are pods.
class OrphanRelease final : public runtime::Reconciler {
 public:
  explicit OrphanRelease(const kube::Cache& cache) : cache_(cache) {}
  std::string name() const override { return "orphan-release"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
};

// Whether the pod is tracked for a Job that does not exist.
bool IsOrphan(const kube::Cache& cache, const api::Pod& pod);

// The key of the Job that controls the pod; the name is empty if none does.
kube::ObjectKey JobKeyOf(const api::Pod& pod);

}  // namespace kueue::localcluster
