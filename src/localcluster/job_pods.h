#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/types/batch.h"

// The pods of a Job: what they look like and what can be read off them.
namespace kueue::localcluster {

// On every pod of a Job until its end is in the Job's status.
inline constexpr char kTrackingFinalizer[] = "batch.kubernetes.io/job-tracking";
inline constexpr char kCompletionIndex[] = "batch.kubernetes.io/job-completion-index";

// The name of the Job's pod number `number` (counted over the Job's life): <job>-<suffix>, of an
// Indexed Job <job>-<index>-<suffix>. The suffix follows from the Job's uid and the number alone;
// the first 14 million numbers of a Job have different suffixes. At most 63 characters.
std::string JobPodName(const api::Job& job, std::optional<int32_t> index, int64_t number);

// The name of pod number `number` of any owner: <owner>-<suffix>, as above.
std::string PodName(const std::string& owner, const std::string& owner_uid, int64_t number);

// The pod from the Job's template: labels, owner, tracking finalizer and, for an Indexed Job, what
// tells a pod its index (annotation, label, environment, hostname).
api::Pod BuildJobPod(const api::Job& job, std::optional<int32_t> index, const std::string& name);

bool IsIndexed(const api::Job& job);
// The index a pod was made for; nothing if it has none or no sensible one.
std::optional<int32_t> CompletionIndexOf(const api::Pod& pod);

bool IsTracked(const api::Pod& pod);

// When a pod ended: the last of its containers' ends, else when it was to be deleted, else nothing.
std::optional<base::Time> EndTimeOf(const api::Pod& pod);

// The Job that manages a pod: its uid, or "" if none does.
std::string JobUidOf(const api::Pod& pod);

}  // namespace kueue::localcluster
