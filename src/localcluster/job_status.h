#pragma once

#include <map>
#include <optional>
#include <set>
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

// What the latest failed pod of an index leaves to its replacement.
struct IndexFailures {
  int32_t counted = 0, ignored = 0;
  std::optional<base::Time> last;
};

// Ends of pods added up. An end passes three stages, so that none is lost or counted twice whatever
// stops in between: the pod's uid enters status.uncountedTerminatedPods, the pod loses its tracking
// finalizer, the counter rises and the uid leaves the list.
struct JobTally {
  // What the Job's end is judged by: all ends that are known.
  int32_t succeeded = 0, failed = 0;
  // What the status says.
  int32_t counted_succeeded = 0, counted_failed = 0;
  api::UncountedTerminatedPods uncounted;
  IndexSet completed, failed_indexes;         // of an Indexed Job
  Pods release;                               // lose their finalizer once the status is written
  std::optional<std::string> fails_job;       // a rule of the pod failure policy ends the Job
  std::map<int32_t, IndexFailures> by_index;  // with backoffLimitPerIndex
  bool more = false;                          // too many ends for one write: the rest comes next
};

// The Job's counters with the ends that are new.
//
// A pod counts as failed when it has failed, or (unless the Job replaces failed pods only) is being
// deleted by somebody else. The controller takes the finalizer of pods that it deletes itself for
// another reason than the Job's end: these count for nothing.
JobTally CountEnds(const api::Job& job, const Pods& pods);
// The Job fails: pods that have not ended, and those kept for their index, count as failed too.
void CountRestAsFailed(const api::Job& job, const Pods& pods, JobTally& tally);

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
// The same for one index of a Job with backoffLimitPerIndex.
std::optional<base::Time> BackoffEnd(const IndexFailures& failures, const JobOptions& options);

// Complete or Failed is true.
bool IsFinished(const api::Job& job);

}  // namespace kueue::localcluster
