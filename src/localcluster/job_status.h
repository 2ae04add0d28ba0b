#pragma once

#include <optional>
#include <string>
#include <vector>

#include "localcluster/index_set.h"
#include "localcluster/job_plan.h"

// The reading half of the Job controller: what happened to the pods, and whether the Job is over.
namespace kueue::localcluster {

// The pods of a Job by what they mean to it, in key order.
struct JobPods {
  Pods active;       // neither ended nor being deleted
  Pods terminating;  // being deleted, not ended
  Pods ended;
};
JobPods SortPods(const Pods& pods);

// Ends of pods added up.
struct JobTally {
  int32_t succeeded = 0, failed = 0;
  IndexSet completed;                 // of an Indexed Job
  std::vector<std::string> newly;     // uids of the pods that are not in the Job's status yet
};

// The Job's counters with the ends that are new. Brings `memory` up to date: takes in a status
// write that arrived, forgets what is gone.
//
// A pod is counted as failed when it has failed, or (unless the Job replaces failed pods only) is
// being deleted by somebody else; deletions by the controller itself and those of a suspended Job
// are no failures.
JobTally CountEnds(const api::Job& job, const Pods& pods, JobMemory& memory);

// How a Job ends.
struct Verdict {
  bool success = false;
  std::string reason, message;
};
// Nothing while it goes on. A verdict that conditions tell already stays.
std::optional<Verdict> JudgeJob(const api::Job& job, const JobTally& tally, const Pods& active,
                                base::Time now);

// When the Job's deadline ends it; nothing if it has none or does not run.
std::optional<base::Time> DeadlineOf(const api::Job& job);

// Until when no replacement is made after the failures in a row; nothing if none happened.
std::optional<base::Time> BackoffEnd(const Pods& pods, const JobMemory& memory,
                                     const JobOptions& options);

// Complete or Failed is true.
bool IsFinished(const api::Job& job);

}  // namespace kueue::localcluster
