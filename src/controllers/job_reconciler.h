#pragma once

#include <map>
#include <memory>
#include <string>

#include "controllers/settings.h"
#include "integrations/job.h"
#include "kube/informer.h"
#include "runtime/driver.h"

namespace kueue::controllers {

// Keeps one Workload for every job of a kind, starts the job when the Workload is admitted, stops
// it when it is not (spec/jobs.md §5). One instance per integration; needs index kByOwner over
// Workloads.
class JobReconciler final : public runtime::Reconciler {
 public:
  // All must outlive the reconciler and live on the driver's executor. `jobs` is the informer of
  // the integration's kind.
  JobReconciler(const integrations::Integration& integration, const kube::Informer& jobs,
                const kube::Cache& cache, const Settings& settings);

  std::string name() const override;
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;
  void OnWritten(const kube::ObjectKey& key, const runtime::Write& write,
                 const base::Result<api::Json>& outcome) override;

 private:
  struct Context;
  // Why the server does not take a job's workload; told once on the job.
  struct Refusal {
    std::string message;
    bool told = false;
  };
  std::optional<runtime::Intents> TellRefusal(const Context& c);
  bool IsManaged(const integrations::Job& job) const;
  runtime::Intents JobGone(const kube::ObjectKey& key, const std::string& uid,
                           base::Time now) const;
  // The workload that stands for the job; intents instead when something has to be written first.
  runtime::Intents LetGo(Context& c) const;
  std::optional<runtime::Intents> FindWorkload(Context& c) const;
  runtime::Intents UpdateWorkload(Context& c, const api::Workload& workload) const;
  std::optional<runtime::Intents> SyncPriority(Context& c) const;
  runtime::Intents CreateWorkload(Context& c) const;
  runtime::Intents FinishWorkload(Context& c, const integrations::JobEnd& end) const;
  std::optional<runtime::Intents> SyncReclaimable(Context& c) const;
  std::optional<runtime::Intents> SyncPodsReady(Context& c) const;
  runtime::Intents HandleEvicted(Context& c) const;
  runtime::Intents HandleSuspended(Context& c) const;
  runtime::Intents StartJob(Context& c) const;
  runtime::Intents StopJob(Context& c, const api::Workload* restore_from,
                           const std::string& message) const;
  base::Result<api::Workload> Construct(const Context& c) const;

  const integrations::Integration& integration_;
  const kube::Informer& jobs_;
  const kube::Cache& cache_;
  const Settings& settings_;
  std::map<kube::ObjectKey, Refusal> refusals_;
};

}  // namespace kueue::controllers
