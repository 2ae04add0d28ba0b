#pragma once

#include "api/types/meta.h"

// The configuration file of the manager: group config.kueue.x-k8s.io, kind Configuration, version
// v1beta2 (spec/controllers.md §14). Never served. Absent members have the defaults of the table
// once the file is loaded.
namespace kueue::api {

struct ConfigWebhook {
  std::optional<int32_t> port;
  std::string host, cert_dir;
  Extra extra;
  friend bool operator==(const ConfigWebhook&, const ConfigWebhook&) = default;
};
struct ConfigLeaderElection {
  std::optional<bool> leader_elect;
  std::string resource_name, resource_lock, resource_namespace;
  std::optional<Duration> lease_duration, renew_deadline, retry_period;
  Extra extra;
  friend bool operator==(const ConfigLeaderElection&, const ConfigLeaderElection&) = default;
};
struct ConfigMetricLabel {
  std::string name, source_label_key, source_annotation_key, source_kind;
  std::vector<std::string> tracked_values;
  Extra extra;
  friend bool operator==(const ConfigMetricLabel&, const ConfigMetricLabel&) = default;
};
struct ConfigLocalQueueMetrics {
  bool enable = false;
  std::optional<LabelSelector> local_queue_selector;
  Extra extra;
  friend bool operator==(const ConfigLocalQueueMetrics&, const ConfigLocalQueueMetrics&) = default;
};
struct ConfigMetrics {
  std::string bind_address;  // "0" turns metrics off
  std::optional<bool> enable_cluster_queue_resources;
  std::vector<ConfigMetricLabel> custom_labels;
  std::optional<ConfigLocalQueueMetrics> local_queue_metrics;
  Extra extra;
  friend bool operator==(const ConfigMetrics&, const ConfigMetrics&) = default;
};
struct ConfigHealth {
  std::string health_probe_bind_address, readiness_endpoint_name, liveness_endpoint_name;
  Extra extra;
  friend bool operator==(const ConfigHealth&, const ConfigHealth&) = default;
};
struct ConfigController {
  std::map<std::string, int32_t> group_kind_concurrency;  // "Job.batch" -> workers
  std::optional<int64_t> cache_sync_timeout;              // nanoseconds
  Extra extra;
  friend bool operator==(const ConfigController&, const ConfigController&) = default;
};
struct ConfigTls {
  std::string min_version;
  std::vector<std::string> cipher_suites, curve_preferences;
  Extra extra;
  friend bool operator==(const ConfigTls&, const ConfigTls&) = default;
};
struct ConfigRequeuing {
  std::optional<std::string> timestamp;        // Eviction, Creation
  std::optional<int32_t> backoff_limit_count;  // absent: unlimited
  std::optional<int32_t> backoff_base_seconds, backoff_max_seconds;
  Extra extra;
  friend bool operator==(const ConfigRequeuing&, const ConfigRequeuing&) = default;
};
struct ConfigWaitForPodsReady {
  std::optional<Duration> timeout, recovery_timeout;
  std::optional<bool> block_admission;
  std::optional<ConfigRequeuing> requeuing_strategy;
  Extra extra;
  friend bool operator==(const ConfigWaitForPodsReady&, const ConfigWaitForPodsReady&) = default;
};
struct ConfigClientConnection {
  Json qps;  // a number, maybe with a fraction; null: the default
  std::optional<int32_t> burst;
  Extra extra;
  friend bool operator==(const ConfigClientConnection&, const ConfigClientConnection&) = default;
};
struct ConfigIntegrations {
  std::vector<std::string> frameworks, external_frameworks, label_keys_to_copy;
  Extra extra;
  friend bool operator==(const ConfigIntegrations&, const ConfigIntegrations&) = default;
};
struct ConfigMultiKueueFramework {
  std::string name;
  Extra extra;
  friend bool operator==(const ConfigMultiKueueFramework&,
                         const ConfigMultiKueueFramework&) = default;
};
struct ConfigIncrementalDispatcher {
  std::optional<int32_t> step_size;
  Extra extra;
  friend bool operator==(const ConfigIncrementalDispatcher&,
                         const ConfigIncrementalDispatcher&) = default;
};
struct ConfigAccessProvider {
  std::string name;
  Json exec_config;
  Extra extra;
  friend bool operator==(const ConfigAccessProvider&, const ConfigAccessProvider&) = default;
};
struct ConfigClusterProfile {
  std::vector<ConfigAccessProvider> access_providers, credentials_providers;
  Extra extra;
  friend bool operator==(const ConfigClusterProfile&, const ConfigClusterProfile&) = default;
};
struct ConfigMultiKueue {
  std::optional<Duration> gc_interval, worker_lost_timeout;
  std::optional<std::string> origin, dispatcher_name;
  std::optional<ConfigIncrementalDispatcher> incremental_dispatcher_config;
  std::vector<ConfigMultiKueueFramework> external_frameworks;
  std::optional<ConfigClusterProfile> cluster_profile;
  Extra extra;
  friend bool operator==(const ConfigMultiKueue&, const ConfigMultiKueue&) = default;
};
struct ConfigFairSharing {
  std::vector<std::string> preemption_strategies;
  Extra extra;
  friend bool operator==(const ConfigFairSharing&, const ConfigFairSharing&) = default;
};
struct ConfigAdmissionFairSharing {
  Duration usage_half_life_time{};
  std::optional<Duration> usage_sampling_interval;
  std::map<std::string, Json> resource_weights;  // numbers; absent: 1
  Extra extra;
  friend bool operator==(const ConfigAdmissionFairSharing&,
                         const ConfigAdmissionFairSharing&) = default;
};
struct ConfigResourceTransformation {
  std::string input;
  std::optional<std::string> strategy;  // Retain, Replace
  std::string multiply_by;
  ResourceList outputs;
  Extra extra;
  friend bool operator==(const ConfigResourceTransformation&,
                         const ConfigResourceTransformation&) = default;
};
struct ConfigDeviceClassMapping {
  std::string name;
  std::vector<std::string> device_class_names;
  std::vector<Json> sources;
  Extra extra;
  friend bool operator==(const ConfigDeviceClassMapping&,
                         const ConfigDeviceClassMapping&) = default;
};
struct ConfigResources {
  std::string quota_check_strategy;
  std::vector<std::string> exclude_resource_prefixes;
  std::vector<ConfigResourceTransformation> transformations;
  std::vector<ConfigDeviceClassMapping> device_class_mappings;
  Extra extra;
  friend bool operator==(const ConfigResources&, const ConfigResources&) = default;
};
struct ConfigWorkloadRetention {
  std::optional<Duration> after_finished, after_deactivated_by_kueue;  // absent: kept
  Extra extra;
  friend bool operator==(const ConfigWorkloadRetention&, const ConfigWorkloadRetention&) = default;
};
struct ConfigRetention {
  std::optional<ConfigWorkloadRetention> workloads;
  Extra extra;
  friend bool operator==(const ConfigRetention&, const ConfigRetention&) = default;
};
struct ConfigCertManagement {
  std::optional<bool> enable;
  std::optional<std::string> webhook_service_name, webhook_secret_name;
  Extra extra;
  friend bool operator==(const ConfigCertManagement&, const ConfigCertManagement&) = default;
};
struct ConfigVisibilityServer {
  std::optional<std::string> bind_address;
  std::optional<int32_t> bind_port;
  Extra extra;
  friend bool operator==(const ConfigVisibilityServer&, const ConfigVisibilityServer&) = default;
};
struct ConfigCompatibility {
  std::string dialect;  // "simple" (docs/using/dialect.md) or ""
  Extra extra;
  friend bool operator==(const ConfigCompatibility&, const ConfigCompatibility&) = default;
};
struct Configuration {
  std::optional<std::string> namespace_name;
  bool manage_jobs_without_queue_name = false;
  std::optional<LabelSelector> managed_jobs_namespace_selector;
  ConfigWebhook webhook;
  std::optional<ConfigLeaderElection> leader_election;
  ConfigMetrics metrics;
  ConfigHealth health;
  std::string pprof_bind_address;
  std::optional<ConfigController> controller;
  std::optional<ConfigTls> tls;
  std::optional<ConfigWaitForPodsReady> wait_for_pods_ready;  // absent: readiness is not waited for
  std::optional<ConfigClientConnection> client_connection;
  std::optional<ConfigIntegrations> integrations;
  std::optional<ConfigMultiKueue> multi_kueue;
  std::optional<ConfigFairSharing> fair_sharing;  // absent: fair sharing is off
  std::optional<ConfigAdmissionFairSharing> admission_fair_sharing;
  std::optional<ConfigResources> resources;
  std::map<std::string, bool> feature_gates;
  std::optional<ConfigRetention> object_retention_policies;
  std::optional<ConfigCertManagement> internal_cert_management;
  std::optional<ConfigVisibilityServer> visibility_server;
  std::optional<ConfigCompatibility> compatibility;  // ours; absent: none
  Extra extra;
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

}  // namespace kueue::api
