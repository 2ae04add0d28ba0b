#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/kind.h"
#include "api/types/kueue.h"
#include "base/result.h"
#include "integrations/pod_set_info.h"
#include "integrations/topology_request.h"

// What the generic job reconciler needs to know of a kind of job. Pure: facts out, patches out.
namespace kueue::integrations {

// How a job ended.
struct JobEnd {
  bool succeeded = false;
  std::string message;
};

// A merge patch of the job, or of its subresource. The reconciler adds the resourceVersion that
// was read, so a concurrent writer is noticed (spec/jobs.md §5.5).
struct JobPatch {
  std::string subresource;
  api::Json patch;
};

// One job object, as it was read. Borrows nothing: holds the object alive.
class Job {
 public:
  virtual ~Job() = default;
  virtual const api::ObjectMeta& metadata() const = 0;

  virtual bool IsSuspended() const = 0;
  // A stop was begun and has still patches to send. Not suspended as long.
  virtual bool IsStopping() const { return false; }
  // Pods of it still run (or are counted as running).
  virtual bool IsActive() const = 0;
  virtual std::optional<JobEnd> End() const = 0;
  virtual base::Result<std::vector<api::PodSet>> PodSets() const = 0;
  virtual bool ArePodsReady() const = 0;
  // Pods whose quota the job no longer needs; empty if it does not know.
  virtual std::vector<api::ReclaimablePod> ReclaimablePods() const { return {}; }
  // The pod priority class an integration names beside its templates; empty if it has no say.
  virtual std::string PriorityClassName() const { return ""; }

  // Unsuspends and injects what the admission says, in one patch. kInvalid: the admission can never
  // be merged into the job (spec/jobs.md §7.2), the workload is to be finished as FailedToStart.
  virtual base::Result<JobPatch> Start(const std::vector<PodSetInfo>& infos) const = 0;
  // What is still to be done to stop the job and restore its templates, in order; empty: nothing.
  // `restore` is null when it is not known what to restore (spec/jobs.md §7.4).
  virtual std::vector<JobPatch> Stop(const std::vector<PodSetInfo>* restore) const = 0;
  // Only suspends, templates untouched: for child jobs (spec/jobs.md §5.2).
  virtual JobPatch Suspend() const = 0;
};

// A kind of job.
class Integration {
 public:
  virtual ~Integration() = default;
  virtual std::string_view framework() const = 0;  // "batch/job"
  virtual const api::KindInfo& kind() const = 0;
  virtual base::Result<std::shared_ptr<const void>> Decode(const api::Json& json) const = 0;
  // `object` is one that Decode made.
  virtual std::unique_ptr<Job> View(std::shared_ptr<const void> object) const = 0;
  // What its webhook puts in and refuses beyond the shared rules (spec/jobs.md §4).
  // `suspend_by_default` is the outcome of §3.3.
  virtual void ApplyDefaults(api::Json& object, bool suspend_by_default) const = 0;
  virtual std::vector<api::FieldError> Validate(const api::Json* before,
                                                const api::Json& after) const = 0;
  // The pod templates whose topology annotations are checked (spec/topology.md §18.1, §18.2), by
  // path; they point into `object`, which is one that Decode made.
  virtual std::vector<TemplateAt> Templates(const void* object) const {
    (void)object;
    return {};
  }
};

// Integrations in registration order (spec/jobs.md §2). They live for ever.
const std::vector<const Integration*>& AllIntegrations();

}  // namespace kueue::integrations
