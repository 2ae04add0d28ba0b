#pragma once

#include <string>
#include <vector>

#include "api/codec/codec.h"
#include "api/types/core.h"

// Kinds of metrics.k8s.io/v1beta1 (kubectl top): what they look like, for discovery and OpenAPI.
// Their objects are computed as JSON.
namespace kueue::api {

struct NodeMetrics {
  ObjectMeta metadata;
  std::optional<Time> timestamp;
  std::optional<Duration> window;
  ResourceList usage;
  Extra extra;
  friend bool operator==(const NodeMetrics&, const NodeMetrics&) = default;
};
struct ContainerMetrics {
  std::string name;
  ResourceList usage;
  Extra extra;
  friend bool operator==(const ContainerMetrics&, const ContainerMetrics&) = default;
};
struct PodMetrics {
  ObjectMeta metadata;
  std::optional<Time> timestamp;
  std::optional<Duration> window;
  std::vector<ContainerMetrics> containers;
  Extra extra;
  friend bool operator==(const PodMetrics&, const PodMetrics&) = default;
};

template <>
const StructDescriptor& DescriptorOf<NodeMetrics>();
template <>
const StructDescriptor& DescriptorOf<ContainerMetrics>();
template <>
const StructDescriptor& DescriptorOf<PodMetrics>();

}  // namespace kueue::api
