#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/types/meta.h"

// The simple dialect: an older, shorter way to write the objects of kueue.x-k8s.io/v1beta1. What it
// says and v1beta2 has no field for is kept in annotations (docs/using/dialect.md).
namespace kueue::api {

namespace names {
// On objects that were written through v1beta1 with the dialect on: "simple".
inline constexpr char kDialect[] = "kueue-cpp.dev/dialect";
inline constexpr char kSimpleDialect[] = "simple";
// On ClusterQueues: spec.scheduling.strategy, and spec.metrics as JSON.
inline constexpr char kStrategy[] = "kueue-cpp.dev/scheduling";
inline constexpr char kQueueMetrics[] = "kueue-cpp.dev/metrics";
// On ResourceFlavors that a ClusterQueue of the dialect named and nobody had declared: "true".
inline constexpr char kAutoCreated[] = "kueue-cpp.dev/auto-created";
}  // namespace names

// Whether the object was written in the dialect.
inline bool IsSimple(const ObjectMeta& metadata) {
  const auto found = metadata.annotations.find(names::kDialect);
  return found != metadata.annotations.end() && found->second == names::kSimpleDialect;
}

// kind: Queue, v1beta1: a LocalQueue of the same name with a place among the others of its
// ClusterQueue.
struct SimpleQueueSpec {
  std::string cluster_queue;
  std::optional<int32_t> priority;  // absent: 0
  Extra extra;
  friend bool operator==(const SimpleQueueSpec&, const SimpleQueueSpec&) = default;
};
struct SimpleQueueStatus {
  std::vector<Condition> conditions;                      // Active
  int32_t pending_workloads = 0, admitted_workloads = 0;  // those of the LocalQueue
  Extra extra;
  friend bool operator==(const SimpleQueueStatus&, const SimpleQueueStatus&) = default;
};
struct SimpleQueue {
  ObjectMeta metadata;
  SimpleQueueSpec spec;
  SimpleQueueStatus status;
  Extra extra;
  friend bool operator==(const SimpleQueue&, const SimpleQueue&) = default;
};

}  // namespace kueue::api
