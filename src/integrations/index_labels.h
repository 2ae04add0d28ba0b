#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "integrations/topology_request.h"

// By which labels each framework numbers its pods: what the order of ranks is read from when pods
// are sent to their places (spec/topology.md §1.5, §16.3).
namespace kueue::integrations {

// What is known of one pod set of a job.
struct NumberedPodSet {
  bool leader = false;                          // of a LeaderWorkerSet
  std::optional<int32_t> replicas;              // of the replicated job of a JobSet or TrainJob
  const api::StringMap* annotations = nullptr;  // of an AppWrapper's pod set; not owned
};

// `framework`: as configurations name it ("batch/job"). Empty labels: its pods have no numbers, or
// the framework is not known.
IndexLabels IndexLabelsOf(std::string_view framework, const NumberedPodSet& pod_set);

}  // namespace kueue::integrations
