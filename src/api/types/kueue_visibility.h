#pragma once

#include "api/types/meta.h"

// Answers of the visibility API, group visibility.kueue.x-k8s.io; v1beta1 and v1beta2 are the same
// (spec/api.md §14). Nothing here is stored.
namespace kueue::api {

struct PendingWorkload {
  ObjectMeta metadata;  // name, namespace, creationTimestamp and ownerReferences only
  int32_t priority = 0;
  std::string local_queue_name;
  int32_t position_in_cluster_queue = 0, position_in_local_queue = 0;  // from 0
  Extra extra;
  friend bool operator==(const PendingWorkload&, const PendingWorkload&) = default;
};
struct PendingWorkloadsSummary {
  ObjectMeta metadata;  // empty
  std::vector<PendingWorkload> items;
  Extra extra;
  friend bool operator==(const PendingWorkloadsSummary&, const PendingWorkloadsSummary&) = default;
};
// The query: limit absent or 0 means 1000.
struct PendingWorkloadOptions {
  int64_t offset = 0, limit = 0;
  Extra extra;
  friend bool operator==(const PendingWorkloadOptions&, const PendingWorkloadOptions&) = default;
};

}  // namespace kueue::api
