#include "api/schema/descriptors_kueue.h"
#include "api/schema/patterns.h"
#include "api/schema/table_builder.h"

// Tables of ProvisioningRequestConfig, MultiKueueConfig and MultiKueueCluster (spec/api.md
// §11-§13), and of the answers of the visibility API (§14).
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<ProvisioningRetryStrategy>() {
  using S = ProvisioningRetryStrategy;
  static const StructDescriptor table =
      MakeTable<S>("ProvisioningRetryStrategy", kComplete, [](TableBuilder& t) {
        t.Field<&S::backoff_limit_count>("backoffLimitCount").Default("3")
            .Doc("How often a failed request is tried again; 0 turns retries off.");
        t.Field<&S::backoff_base_seconds>("backoffBaseSeconds").Default("60")
            .Doc("The wait before the first retry; it doubles each time.");
        t.Field<&S::backoff_max_seconds>("backoffMaxSeconds").Default("1800")
            .Doc("The longest wait.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ProvisioningNodeSelector>() {
  using S = ProvisioningNodeSelector;
  static const StructDescriptor table =
      MakeTable<S>("ProvisioningNodeSelector", kComplete, [](TableBuilder& t) {
        t.Field<&S::key>("key").Required().Length(1, 317)
            .Pattern(patterns::kLabelKey).Doc("The node label to select by.");
        t.Field<&S::value_from_provisioning_class_detail>("valueFromProvisioningClassDetail")
            .Required().Length(1, 32768)
            .Doc("The detail of the provisioning request that has the label's value.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ProvisioningPodSetUpdates>() {
  using S = ProvisioningPodSetUpdates;
  static const StructDescriptor table =
      MakeTable<S>("ProvisioningPodSetUpdates", kComplete, [](TableBuilder& t) {
        t.Field<&S::node_selector>("nodeSelector").MapBy("key").MaxItems(8)
            .Doc("Node labels added to the selectors of the pods.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ProvisioningRequestConfigSpec>() {
  using S = ProvisioningRequestConfigSpec;
  static const StructDescriptor table =
      MakeTable<S>("ProvisioningRequestConfigSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::provisioning_class_name>("provisioningClassName").Required()
            .Length(1, 253).Pattern(patterns::kDnsSubdomain).Doc("The way of provisioning.");
        t.Field<&S::parameters>("parameters").MaxProperties(100).ItemLength(0, 255)
            .Doc("Parameters of the provisioning requests.");
        t.Field<&S::managed_resources>("managedResources").Set().MaxItems(100)
            .Doc("Only pods that ask for one of these are provisioned for; empty means all.");
        t.Field<&S::retry_strategy>("retryStrategy")
            .Default("{\"backoffLimitCount\":3,\"backoffBaseSeconds\":60,"
                     "\"backoffMaxSeconds\":1800}")
            .Doc("What follows a failed request.");
        t.Field<&S::pod_set_updates>("podSetUpdates").Doc("Changes to the pods.");
        t.Field<&S::pod_set_merge_policy>("podSetMergePolicy")
            .Enum({"IdenticalPodTemplates", "IdenticalWorkloadSchedulingRequirements"})
            .Doc("Which pod sets are asked for together; absent means none.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ProvisioningRequestConfig>() {
  using S = ProvisioningRequestConfig;
  static const StructDescriptor table =
      MakeTable<S>("ProvisioningRequestConfig", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("How capacity is asked for.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<MultiKueueConfigSpec>() {
  using S = MultiKueueConfigSpec;
  static const StructDescriptor table =
      MakeTable<S>("MultiKueueConfigSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::clusters>("clusters").Required().Atomic().Items(1, 20)
            .ItemLength(0, 256)
            .Rule("self.all(c, self.exists_one(other, other == c))", "clusters must differ")
            .Doc("The MultiKueueClusters in the order they are nominated.");
        t.Field<&S::quota_management>("quotaManagement").Enum({"Manual", "Automated"})
            .Doc("Whether the quotas here follow those of the workers; absent means Manual.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<MultiKueueConfig>() {
  using S = MultiKueueConfig;
  static const StructDescriptor table =
      MakeTable<S>("MultiKueueConfig", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("The worker clusters.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<KubeConfigSource>() {
  using S = KubeConfigSource;
  static const StructDescriptor table =
      MakeTable<S>("KubeConfigSource", kComplete, [](TableBuilder& t) {
        t.Field<&S::location>("location").Required().Length(1, 256)
            .Doc("A Secret of the manager's namespace, or a path.");
        t.Field<&S::location_type>("locationType").Default("\"Secret\"")
            .Enum({"Secret", "Path"}).Doc("What the location is.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ClusterProfileReference>() {
  using S = ClusterProfileReference;
  static const StructDescriptor table =
      MakeTable<S>("ClusterProfileReference", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Length(1, 256)
            .Doc("A ClusterProfile of the manager's namespace.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ClusterSource>() {
  using S = ClusterSource;
  static const StructDescriptor table =
      MakeTable<S>("ClusterSource", kComplete, [](TableBuilder& t) {
        t.Field<&S::kube_config>("kubeConfig").Doc("A kubeconfig.");
        t.Field<&S::cluster_profile_ref>("clusterProfileRef").Doc("A ClusterProfile.");
        t.Rule("has(self.kubeConfig) != has(self.clusterProfileRef)",
               "exactly one of kubeConfig and clusterProfileRef must be set");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<MultiKueueClusterSpec>() {
  using S = MultiKueueClusterSpec;
  static const StructDescriptor table =
      MakeTable<S>("MultiKueueClusterSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::cluster_source>("clusterSource").Required().AlwaysWritten()
            .Doc("How the worker cluster is reached.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<MultiKueueClusterStatus>() {
  using S = MultiKueueClusterStatus;
  static const StructDescriptor table =
      MakeTable<S>("MultiKueueClusterStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::conditions>("conditions").MapBy("type").MaxItems(16)
            .Doc("Active says whether the worker is connected.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<MultiKueueCluster>() {
  using S = MultiKueueCluster;
  static const StructDescriptor table =
      MakeTable<S>("MultiKueueCluster", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("The worker cluster.");
        t.Field<&S::status>("status").Doc("Whether it is connected.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PendingWorkload>() {
  using S = PendingWorkload;
  static const StructDescriptor table =
      MakeTable<S>("PendingWorkload", kComplete, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::priority>("priority").AlwaysWritten().Doc("The base priority.");
        t.Field<&S::local_queue_name>("localQueueName").AlwaysWritten().Doc("The LocalQueue.");
        t.Field<&S::position_in_cluster_queue>("positionInClusterQueue").AlwaysWritten()
            .Doc("The place in the ClusterQueue, from 0.");
        t.Field<&S::position_in_local_queue>("positionInLocalQueue").AlwaysWritten()
            .Doc("The place among those of the LocalQueue, from 0.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PendingWorkloadsSummary>() {
  using S = PendingWorkloadsSummary;
  static const StructDescriptor table =
      MakeTable<S>("PendingWorkloadsSummary", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::items>("items").AlwaysWritten().Doc("The workloads in the queue's order.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PendingWorkloadOptions>() {
  using S = PendingWorkloadOptions;
  static const StructDescriptor table =
      MakeTable<S>("PendingWorkloadOptions", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::offset>("offset").AlwaysWritten().Doc("Entries to leave out at the start.");
        t.Field<&S::limit>("limit").Doc("The most entries to return.");
      });
  return table;
}

}  // namespace kueue::api
