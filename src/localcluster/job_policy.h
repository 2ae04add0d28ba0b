#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/types/batch.h"
#include "localcluster/index_set.h"

// What a Job's spec.podFailurePolicy and spec.successPolicy say of its pods (batch/v1).
namespace kueue::localcluster {

// The annotations of a pod of a Job with backoffLimitPerIndex: how often its index failed before,
// in ways that count and in ways that a rule ignores.
inline constexpr char kIndexFailureCount[] = "batch.kubernetes.io/job-index-failure-count";
inline constexpr char kIndexIgnoredFailureCount[] =
    "batch.kubernetes.io/job-index-ignored-failure-count";

struct FailureRuling {
  bool counts = true;        // against backoffLimit and in status.failed
  bool fails_index = false;  // the pod's index failed for good
  // The whole Job fails for this reason.
  std::optional<std::string> fails_job;
};
// The first rule of the Job's policy that matches decides; without one the failure counts.
FailureRuling RuleOnFailure(const api::Job& job, const api::Pod& pod);

bool HasLimitPerIndex(const api::Job& job);
// Terminating pods are not replaced before they have ended.
bool ReplacesOnlyFailed(const api::Job& job);

// The number of the first rule of the success policy that the succeeded indexes meet.
std::optional<int64_t> MetSuccessRule(const api::Job& job, const IndexSet& completed);

// How often the pod's index failed before this pod was made; 0 if the annotation says nothing.
int32_t EarlierFailures(const api::Pod& pod, const char* annotation);

}  // namespace kueue::localcluster
