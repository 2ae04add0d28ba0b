#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/types/batch.h"
#include "runtime/intents.h"

// What the Job controller does: a function of the Job, its pods and the time.
namespace kueue::localcluster {

struct JobOptions {
  // After a failed pod its replacement waits so long; every further failure in a row doubles it.
  base::Duration first_backoff = base::seconds(10), longest_backoff = base::seconds(360);
  int32_t most_creates = 500;  // pods made at once; the rest follows when those are there
};

using Pods = std::vector<std::shared_ptr<const api::Pod>>;

// What the controller knows of a Job beyond the objects. Losing it (a restart of the process) does
// not matter.
struct JobMemory {
  std::string job_uid;
  // Pods the controller deleted itself: their end is no failure that replacements wait for.
  std::set<std::string> removed;
  int64_t next_number = 0;     // of pod names
  std::string create_refused;  // why the server did not take the last pod: the status goes first
};

// One look at a Job. `pods` are all pods it controls, in key order. Writes: deletions and creations
// of pods, then the status, whose `active` already counts them, then the tracking finalizers of
// pods whose end the status tells go.
//
// Reasons and messages of conditions are those of Kubernetes: SuccessCriteriaMet and Complete
// (CompletionsReached, SuccessPolicy), FailureTarget and Failed (BackoffLimitExceeded,
// DeadlineExceeded, PodFailurePolicy, FailedIndexes, MaxFailedIndexesExceeded), Suspended
// (JobSuspended, JobResumed). Jobs managed by somebody else (spec.managedBy) are left alone.
runtime::Intents PlanJob(const api::Job& job, const Pods& pods, JobMemory& memory, base::Time now,
                         const JobOptions& options);

// Takes the tracking finalizer off the pod; nothing if it has none.
std::optional<runtime::Write> ReleasePod(const api::Pod& pod);

}  // namespace kueue::localcluster
