#pragma once

#include "api/types/meta.h"

// Kinds of group kueue.x-k8s.io that configure admission checks: MultiKueue and provisioning
// requests, version v1beta2 (spec/api.md §11-§13).
namespace kueue::api {

// ---- ProvisioningRequestConfig

struct ProvisioningRetryStrategy {
  std::optional<int32_t> backoff_limit_count, backoff_base_seconds, backoff_max_seconds;
  Extra extra;
  friend bool operator==(const ProvisioningRetryStrategy&,
                         const ProvisioningRetryStrategy&) = default;
};
struct ProvisioningNodeSelector {
  std::string key, value_from_provisioning_class_detail;
  Extra extra;
  friend bool operator==(const ProvisioningNodeSelector&,
                         const ProvisioningNodeSelector&) = default;
};
struct ProvisioningPodSetUpdates {
  std::vector<ProvisioningNodeSelector> node_selector;
  Extra extra;
  friend bool operator==(const ProvisioningPodSetUpdates&,
                         const ProvisioningPodSetUpdates&) = default;
};
struct ProvisioningRequestConfigSpec {
  std::string provisioning_class_name;
  StringMap parameters;
  std::vector<std::string> managed_resources;  // empty: all
  std::optional<ProvisioningRetryStrategy> retry_strategy;
  std::optional<ProvisioningPodSetUpdates> pod_set_updates;
  std::optional<std::string> pod_set_merge_policy;  // absent: no merging
  Extra extra;
  friend bool operator==(const ProvisioningRequestConfigSpec&,
                         const ProvisioningRequestConfigSpec&) = default;
};
struct ProvisioningRequestConfig {
  ObjectMeta metadata;
  ProvisioningRequestConfigSpec spec;
  Extra extra;
  friend bool operator==(const ProvisioningRequestConfig&,
                         const ProvisioningRequestConfig&) = default;
};

// ---- MultiKueueConfig

struct MultiKueueConfigSpec {
  std::vector<std::string> clusters;            // in the order of preference
  std::optional<std::string> quota_management;  // absent: Manual
  Extra extra;
  friend bool operator==(const MultiKueueConfigSpec&, const MultiKueueConfigSpec&) = default;
};
struct MultiKueueConfig {
  ObjectMeta metadata;
  MultiKueueConfigSpec spec;
  Extra extra;
  friend bool operator==(const MultiKueueConfig&, const MultiKueueConfig&) = default;
};

// ---- MultiKueueCluster

struct KubeConfigSource {
  std::string location;       // the name of a Secret, or a path
  std::string location_type;  // Secret, Path
  Extra extra;
  friend bool operator==(const KubeConfigSource&, const KubeConfigSource&) = default;
};
struct ClusterProfileReference {
  std::string name;
  Extra extra;
  friend bool operator==(const ClusterProfileReference&, const ClusterProfileReference&) = default;
};
struct ClusterSource {  // exactly one of the two
  std::optional<KubeConfigSource> kube_config;
  std::optional<ClusterProfileReference> cluster_profile_ref;
  Extra extra;
  friend bool operator==(const ClusterSource&, const ClusterSource&) = default;
};
struct MultiKueueClusterSpec {
  ClusterSource cluster_source;
  Extra extra;
  friend bool operator==(const MultiKueueClusterSpec&, const MultiKueueClusterSpec&) = default;
};
struct MultiKueueClusterStatus {
  std::vector<Condition> conditions;
  Extra extra;
  friend bool operator==(const MultiKueueClusterStatus&, const MultiKueueClusterStatus&) = default;
};
struct MultiKueueCluster {
  ObjectMeta metadata;
  MultiKueueClusterSpec spec;
  MultiKueueClusterStatus status;
  Extra extra;
  friend bool operator==(const MultiKueueCluster&, const MultiKueueCluster&) = default;
};

}  // namespace kueue::api
