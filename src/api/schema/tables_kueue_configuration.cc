#include "api/schema/configuration.h"
#include "api/schema/descriptors.h"
#include "api/schema/table_builder.h"

// Tables of the configuration file (spec/controllers.md §14.1).
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<ConfigWebhook>() {
  using S = ConfigWebhook;
  static const StructDescriptor table = MakeTable<S>("Webhook", kComplete, [](TableBuilder& t) {
    t.Field<&S::port>("port").Default("9443").Min(0).Max(65535).Doc("The port webhooks listen on.");
    t.Field<&S::host>("host").Doc("The address they listen on; empty means all.");
    t.Field<&S::cert_dir>("certDir").Default("\"/tmp/k8s-webhook-server/serving-certs\"")
        .Doc("The folder of tls.crt and tls.key.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigLeaderElection>() {
  using S = ConfigLeaderElection;
  static const StructDescriptor table =
      MakeTable<S>("LeaderElection", kComplete, [](TableBuilder& t) {
        t.Field<&S::leader_elect>("leaderElect").Default("true").Doc("Only one replica acts.");
        t.Field<&S::resource_name>("resourceName").Default("\"c1f6bfd2.kueue.x-k8s.io\"")
            .Doc("The name of the lease.");
        t.Field<&S::resource_lock>("resourceLock").Default("\"leases\"").Enum({"leases"})
            .Doc("What the lock is.");
        t.Field<&S::resource_namespace>("resourceNamespace")
            .Doc("The lease's namespace; empty means the manager's.");
        t.Field<&S::lease_duration>("leaseDuration").Default("\"15s\"")
            .Doc("How long followers wait before they take over.");
        t.Field<&S::renew_deadline>("renewDeadline").Default("\"10s\"")
            .Doc("How long the leader tries to renew before it gives up.");
        t.Field<&S::retry_period>("retryPeriod").Default("\"2s\"").Doc("Time between tries.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigMetricLabel>() {
  using S = ConfigMetricLabel;
  static const StructDescriptor table =
      MakeTable<S>("MetricLabel", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Pattern("^[a-zA-Z][a-zA-Z0-9_]*$")
            .Doc("The label's name, without the prefix custom_.");
        t.Field<&S::source_label_key>("sourceLabelKey").Doc("The object's label to take it from.");
        t.Field<&S::source_annotation_key>("sourceAnnotationKey")
            .Doc("The object's annotation to take it from.");
        t.Field<&S::source_kind>("sourceKind").Default("\"ClusterQueue\"")
            .Enum({"ClusterQueue", "LocalQueue", "Cohort", "Workload"}).Doc("The object's kind.");
        t.Field<&S::tracked_values>("trackedValues").MaxItems(16)
            .Doc("Values that are told apart; empty means all.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigLocalQueueMetrics>() {
  using S = ConfigLocalQueueMetrics;
  static const StructDescriptor table =
      MakeTable<S>("LocalQueueMetrics", kComplete, [](TableBuilder& t) {
        t.Field<&S::enable>("enable").Doc("Metrics of LocalQueues are kept.");
        t.Field<&S::local_queue_selector>("localQueueSelector").Doc("Of which; absent means all.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigMetrics>() {
  using S = ConfigMetrics;
  static const StructDescriptor table = MakeTable<S>("Metrics", kComplete, [](TableBuilder& t) {
    t.Field<&S::bind_address>("bindAddress").Default("\":8443\"")
        .Doc("Where metrics are served; \"0\" turns them off.");
    t.Field<&S::enable_cluster_queue_resources>("enableClusterQueueResources").Default("false")
        .Doc("Also quotas and usage of ClusterQueues.");
    t.Field<&S::custom_labels>("customLabels").MaxItems(20).Doc("Labels taken from objects.");
    t.Field<&S::local_queue_metrics>("localQueueMetrics").Default("{\"enable\":true}")
        .Doc("Metrics of LocalQueues.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigHealth>() {
  using S = ConfigHealth;
  static const StructDescriptor table = MakeTable<S>("Health", kComplete, [](TableBuilder& t) {
    t.Field<&S::health_probe_bind_address>("healthProbeBindAddress").Default("\":8081\"")
        .Doc("Where probes are answered.");
    t.Field<&S::readiness_endpoint_name>("readinessEndpointName").Default("\"/readyz\"")
        .Doc("The path of the readiness probe.");
    t.Field<&S::liveness_endpoint_name>("livenessEndpointName").Default("\"/healthz\"")
        .Doc("The path of the liveness probe.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigController>() {
  using S = ConfigController;
  static const StructDescriptor table = MakeTable<S>("Controller", kComplete, [](TableBuilder& t) {
    t.Field<&S::group_kind_concurrency>("groupKindConcurrency").ItemMin(1)
        .Doc("Objects worked on at once, by Kind.group; absent means 1.");
    t.Field<&S::cache_sync_timeout>("cacheSyncTimeout")
        .Doc("How long to wait for the caches, in nanoseconds.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigTls>() {
  using S = ConfigTls;
  static const StructDescriptor table = MakeTable<S>("TLS", kComplete, [](TableBuilder& t) {
    t.Field<&S::min_version>("minVersion").Default("\"VersionTLS12\"")
        .Enum({"VersionTLS12", "VersionTLS13"}).Doc("The oldest version that is accepted.");
    t.Field<&S::cipher_suites>("cipherSuites").Doc("Suites of TLS 1.2; empty means a good set.");
    t.Field<&S::curve_preferences>("curvePreferences").Doc("Curves in order of preference.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigRequeuing>() {
  using S = ConfigRequeuing;
  static const StructDescriptor table = MakeTable<S>("Requeuing", kComplete, [](TableBuilder& t) {
    t.Field<&S::timestamp>("timestamp").Default("\"Eviction\"").Enum({"Eviction", "Creation"})
        .Doc("Which time gives a workload its place after an eviction.");
    t.Field<&S::backoff_limit_count>("backoffLimitCount").Min(0)
        .Doc("How often a workload is tried again; absent means without end.");
    t.Field<&S::backoff_base_seconds>("backoffBaseSeconds").Default("60").Min(0)
        .Doc("The first wait.");
    t.Field<&S::backoff_max_seconds>("backoffMaxSeconds").Default("3600").Min(0)
        .Doc("The longest wait.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigWaitForPodsReady>() {
  using S = ConfigWaitForPodsReady;
  static const StructDescriptor table =
      MakeTable<S>("WaitForPodsReady", kComplete, [](TableBuilder& t) {
        t.Field<&S::timeout>("timeout").Default("\"30m\"")
            .Doc("How long the pods of an admitted workload may take to become ready.");
        t.Field<&S::recovery_timeout>("recoveryTimeout")
            .Doc("How long they may take to come back; absent means as the timeout, 0s for ever.");
        t.Field<&S::block_admission>("blockAdmission").Default("false")
            .Doc("Admit nothing else meanwhile.");
        t.Field<&S::requeuing_strategy>("requeuingStrategy").Default("{}")
            .Doc("What follows an eviction.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigClientConnection>() {
  using S = ConfigClientConnection;
  static const StructDescriptor table =
      MakeTable<S>("ClientConnection", kComplete, [](TableBuilder& t) {
        t.Field<&S::qps>("qps").Default("300")
            .Doc("Requests a second; below zero there is no limit.");
        t.Field<&S::burst>("burst").Default("500").Doc("Requests at once.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigIntegrations>() {
  using S = ConfigIntegrations;
  static const StructDescriptor table =
      MakeTable<S>("Integrations", kComplete, [](TableBuilder& t) {
        t.Field<&S::frameworks>("frameworks").Default("[\"batch/job\"]")
            .Doc("Kinds of jobs that are managed.");
        t.Field<&S::external_frameworks>("externalFrameworks")
            .Doc("Kinds that others manage, as Kind.version.group.");
        t.Field<&S::label_keys_to_copy>("labelKeysToCopy")
            .Doc("Labels of jobs their workloads get.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigMultiKueueFramework>() {
  using S = ConfigMultiKueueFramework;
  static const StructDescriptor table =
      MakeTable<S>("MultiKueueFramework", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Doc("Kind.version.group.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigIncrementalDispatcher>() {
  using S = ConfigIncrementalDispatcher;
  static const StructDescriptor table =
      MakeTable<S>("IncrementalDispatcher", kComplete, [](TableBuilder& t) {
        t.Field<&S::step_size>("stepSize").Default("3").Min(1).Doc("Clusters nominated at once.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigAccessProvider>() {
  using S = ConfigAccessProvider;
  static const StructDescriptor table =
      MakeTable<S>("AccessProvider", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Doc("The provider's name.");
        t.Field<&S::exec_config>("execConfig").Doc("The command that gives credentials.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigClusterProfile>() {
  using S = ConfigClusterProfile;
  static const StructDescriptor table =
      MakeTable<S>("ClusterProfile", kComplete, [](TableBuilder& t) {
        t.Field<&S::access_providers>("accessProviders").Doc("Ways to get credentials.");
        t.Field<&S::credentials_providers>("credentialsProviders")
            .Doc("The old name of accessProviders.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigMultiKueue>() {
  using S = ConfigMultiKueue;
  static const StructDescriptor table = MakeTable<S>("MultiKueue", kComplete, [](TableBuilder& t) {
    t.Field<&S::gc_interval>("gcInterval").Default("\"1m\"")
        .Doc("How often leftovers on workers are looked for; 0s never.");
    t.Field<&S::worker_lost_timeout>("workerLostTimeout").Default("\"15m\"")
        .Doc("How long a worker may be away before its workloads go elsewhere.");
    t.Field<&S::origin>("origin").Default("\"multikueue\"").MaxLength(63)
        .Doc("The label value on remote objects.");
    t.Field<&S::dispatcher_name>("dispatcherName")
        .Default("\"kueue.x-k8s.io/multikueue-dispatcher-all-at-once\"")
        .Doc("Who nominates worker clusters.");
    t.Field<&S::incremental_dispatcher_config>("incrementalDispatcherConfig")
        .Doc("Of the incremental dispatcher.");
    t.Field<&S::external_frameworks>("externalFrameworks").Doc("Further kinds to dispatch.");
    t.Field<&S::cluster_profile>("clusterProfile").Doc("Workers named by ClusterProfiles.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigFairSharing>() {
  using S = ConfigFairSharing;
  static const StructDescriptor table = MakeTable<S>("FairSharing", kComplete, [](TableBuilder& t) {
    t.Field<&S::preemption_strategies>("preemptionStrategies").Required()
        .Doc("Which comparisons of shares allow preemption, in this order.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigAdmissionFairSharing>() {
  using S = ConfigAdmissionFairSharing;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionFairSharing", kComplete, [](TableBuilder& t) {
        t.Field<&S::usage_half_life_time>("usageHalfLifeTime")
            .Doc("After this time past use counts half.");
        t.Field<&S::usage_sampling_interval>("usageSamplingInterval").Default("\"5m\"")
            .Doc("How often use is measured.");
        t.Field<&S::resource_weights>("resourceWeights").Doc("Weights; absent means 1.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigResourceTransformation>() {
  using S = ConfigResourceTransformation;
  static const StructDescriptor table =
      MakeTable<S>("ResourceTransformation", kComplete, [](TableBuilder& t) {
        t.Field<&S::input>("input").Required().Doc("The resource pods ask for.");
        t.Field<&S::strategy>("strategy").Default("\"Retain\"").Enum({"Retain", "Replace"})
            .Doc("Whether the input counts as well.");
        t.Field<&S::multiply_by>("multiplyBy").Doc("A resource whose amount multiplies.");
        t.Field<&S::outputs>("outputs").Doc("What one unit of input counts as.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigDeviceClassMapping>() {
  using S = ConfigDeviceClassMapping;
  static const StructDescriptor table =
      MakeTable<S>("DeviceClassMapping", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().MaxLength(253).Doc("The resource in quotas.");
        t.Field<&S::device_class_names>("deviceClassNames").Required().Set().Items(1, 8)
            .Doc("Device classes that count as it.");
        t.Field<&S::sources>("sources").Doc("Counters or capacities that are counted instead.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigResources>() {
  using S = ConfigResources;
  static const StructDescriptor table = MakeTable<S>("Resources", kComplete, [](TableBuilder& t) {
    t.Field<&S::quota_check_strategy>("quotaCheckStrategy").Default("\"BlockUndeclared\"")
        .Enum({"BlockUndeclared", "IgnoreUndeclared"})
        .Doc("What resources the queue does not cover mean.");
    t.Field<&S::exclude_resource_prefixes>("excludeResourcePrefixes")
        .Doc("Resources that need no quota.");
    t.Field<&S::transformations>("transformations").MapBy("input")
        .Doc("Resources counted as others.");
    t.Field<&S::device_class_mappings>("deviceClassMappings").MapBy("name").MaxItems(16)
        .Doc("Devices counted as resources.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigWorkloadRetention>() {
  using S = ConfigWorkloadRetention;
  static const StructDescriptor table =
      MakeTable<S>("WorkloadRetention", kComplete, [](TableBuilder& t) {
        t.Field<&S::after_finished>("afterFinished").Doc("Finished workloads live so long.");
        t.Field<&S::after_deactivated_by_kueue>("afterDeactivatedByKueue")
            .Doc("Deactivated ones, with their jobs.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigRetention>() {
  using S = ConfigRetention;
  static const StructDescriptor table = MakeTable<S>("Retention", kComplete, [](TableBuilder& t) {
    t.Field<&S::workloads>("workloads").Doc("Of workloads.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigCertManagement>() {
  using S = ConfigCertManagement;
  static const StructDescriptor table =
      MakeTable<S>("CertManagement", kComplete, [](TableBuilder& t) {
        t.Field<&S::enable>("enable").Default("true")
            .Doc("Certificates are made and renewed here.");
        t.Field<&S::webhook_service_name>("webhookServiceName")
            .Default("\"kueue-webhook-service\"").Doc("The service they are for.");
        t.Field<&S::webhook_secret_name>("webhookSecretName")
            .Default("\"kueue-webhook-server-cert\"").Doc("The Secret they are kept in.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigVisibilityServer>() {
  using S = ConfigVisibilityServer;
  static const StructDescriptor table =
      MakeTable<S>("VisibilityServer", kComplete, [](TableBuilder& t) {
        t.Field<&S::bind_address>("bindAddress").Doc("An IP; absent means all.");
        t.Field<&S::bind_port>("bindPort").Default("8082").Min(1).Max(65535).Doc("The port.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigCompatibility>() {
  using S = ConfigCompatibility;
  static const StructDescriptor table =
      MakeTable<S>("Compatibility", kComplete, [](TableBuilder& t) {
        t.Field<&S::dialect>("dialect").Enum({"simple", ""})
            .Doc("A shorter way to write objects of v1beta1; absent means off.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Configuration>() {
  using S = Configuration;
  static const StructDescriptor table =
      MakeTable<S>("Configuration", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::namespace_name>("namespace").Doc("Where the manager runs.");
        t.Field<&S::manage_jobs_without_queue_name>("manageJobsWithoutQueueName")
            .Doc("Jobs without a queue are managed too.");
        t.Field<&S::managed_jobs_namespace_selector>("managedJobsNamespaceSelector")
            .Doc("Namespaces whose jobs are managed.");
        t.Field<&S::webhook>("webhook").Default("{}").Doc("The webhook server.");
        t.Field<&S::leader_election>("leaderElection").Default("{}").Doc("One of many replicas.");
        t.Field<&S::metrics>("metrics").Default("{}").Doc("The metrics server.");
        t.Field<&S::health>("health").Default("{}").Doc("Probes.");
        t.Field<&S::pprof_bind_address>("pprofBindAddress").Doc("Not served here.");
        t.Field<&S::controller>("controller").Doc("The controllers.");
        t.Field<&S::tls>("tls").Default("{}").Doc("All servers' TLS.");
        t.Field<&S::wait_for_pods_ready>("waitForPodsReady").Default("{}")
            .Doc("Admitted workloads must get their pods ready.");
        t.Field<&S::client_connection>("clientConnection").Default("{}")
            .Doc("Limits of requests to the API server.");
        t.Field<&S::integrations>("integrations").Default("{}").Doc("Kinds of jobs.");
        t.Field<&S::multi_kueue>("multiKueue").Default("{}").Doc("Dispatching to other clusters.");
        t.Field<&S::fair_sharing>("fairSharing").Doc("Fair sharing of cohorts; absent means off.");
        t.Field<&S::admission_fair_sharing>("admissionFairSharing")
            .Doc("Fair sharing of LocalQueues; absent means off.");
        t.Field<&S::resources>("resources").Doc("How resources count.");
        t.Field<&S::feature_gates>("featureGates").Doc("Features by name.");
        t.Field<&S::object_retention_policies>("objectRetentionPolicies")
            .Doc("When objects are deleted.");
        t.Field<&S::internal_cert_management>("internalCertManagement").Default("{}")
            .Doc("Certificates.");
        t.Field<&S::visibility_server>("visibilityServer").Default("{}")
            .Doc("The server of pending workloads.");
        t.Field<&S::compatibility>("compatibility").Doc("Additions of this implementation.");
      });
  return table;
}

}  // namespace kueue::api
