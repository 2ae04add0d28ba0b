#pragma once

#include "api/types/core.h"

// Kinds of group batch/v1.
namespace kueue::api {

struct JobSpec {
  std::optional<int32_t> parallelism, completions, backoff_limit, backoff_limit_per_index,
      max_failed_indexes, ttl_seconds_after_finished;
  std::optional<int64_t> active_deadline_seconds;
  std::optional<LabelSelector> selector;
  std::optional<bool> manual_selector;
  PodTemplateSpec pod_template;                // JSON name: template
  std::optional<std::string> completion_mode;  // NonIndexed, Indexed
  std::optional<bool> suspend;
  std::optional<std::string> pod_replacement_policy, managed_by;
  Extra extra;  // podFailurePolicy, successPolicy
  friend bool operator==(const JobSpec&, const JobSpec&) = default;
};

struct UncountedTerminatedPods {
  std::vector<std::string> succeeded, failed;
  Extra extra;
  friend bool operator==(const UncountedTerminatedPods&, const UncountedTerminatedPods&) = default;
};

struct JobStatus {
  std::vector<PodCondition>
      conditions;  // Suspended, SuccessCriteriaMet, Complete, FailureTarget, Failed
  std::optional<Time> start_time, completion_time;
  int32_t active = 0, succeeded = 0, failed = 0;
  std::optional<int32_t> terminating, ready;
  std::string completed_indexes;
  std::optional<std::string> failed_indexes;
  std::optional<UncountedTerminatedPods> uncounted_terminated_pods;
  Extra extra;
  friend bool operator==(const JobStatus&, const JobStatus&) = default;
};

struct Job {
  ObjectMeta metadata;
  JobSpec spec;
  JobStatus status;
  Extra extra;
  friend bool operator==(const Job&, const Job&) = default;
};

}  // namespace kueue::api
