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
// not matter as long as no ended pod was deleted: see `counted`.
struct JobMemory {
  std::string job_uid;
  // Pods that are in the Job's counters and that the server still has (as far as known). After a
  // restart the pods that ended first are taken for the counted ones.
  std::set<std::string> counted;
  // Counted in the status write that was sent last. It arrived if the Job says these numbers.
  struct Sent {
    std::vector<std::string> pods;
    int32_t succeeded = 0, failed = 0;
  };
  std::optional<Sent> sent;
  // Pods the controller deleted itself: their end is no failure.
  std::set<std::string> removed;
  // Pods that are gone from the server and were not counted before, as last seen, by uid.
  std::map<std::string, std::shared_ptr<const api::Pod>> gone;
  int64_t next_number = 0;  // of pod names
};

// One look at a Job. `pods` are all pods it controls, in key order. Writes: deletions and creations
// of pods, then the status, whose `active` already counts them.
//
// Reasons and conditions are those of Kubernetes: SuccessCriteriaMet and Complete
// (CompletionsReached), FailureTarget and Failed (BackoffLimitExceeded, DeadlineExceeded),
// Suspended (JobSuspended, JobResumed). Jobs managed by somebody else (spec.managedBy) are left
// alone.
runtime::Intents PlanJob(const api::Job& job, const Pods& pods, JobMemory& memory, base::Time now,
                         const JobOptions& options);

}  // namespace kueue::localcluster
