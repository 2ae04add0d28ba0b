#pragma once

#include <string>
#include <vector>

#include "api/schema/kind.h"
#include "api/types/kueue.h"
#include "integrations/pod_set_info.h"

// The Workload that stands for a job: its name, content, and whether it still says the same
// (spec/jobs.md §6).
namespace kueue::integrations {

// "job-<name>-<hash>": cut to 253 characters; five hex digits of SHA-1 over kind, group, owner name
// and uid (spec/jobs.md §6.3).
std::string WorkloadName(const api::KindInfo& owner_kind, const std::string& owner_name,
                         const std::string& owner_uid);

// The pod sets agree by position in count, minCount, containers and (unless `ignore_tolerations`)
// tolerations (spec/jobs.md §6.2).
bool PodSetsAgree(const std::vector<api::PodSet>& a, const std::vector<api::PodSet>& b,
                  bool ignore_tolerations);

// Each container's env without repeats: position of the first, value of the last.
void RemoveRepeatedEnv(std::vector<api::PodSet>& pod_sets);

// The workload says the same as the job (spec/jobs.md §6.2). `job_suspended` matters for a workload
// with quota: the job may not have been started yet.
bool WorkloadMatchesJob(const api::Workload& workload, const api::ObjectMeta& job,
                        std::vector<api::PodSet> job_pod_sets, bool job_suspended,
                        const FindFlavor& find_flavor);

// Seconds of label max-exec-time-seconds, if it is there and well formed.
std::optional<int32_t> MaximumExecutionTime(const api::ObjectMeta& job);

}  // namespace kueue::integrations
