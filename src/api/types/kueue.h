#pragma once

#include "api/types/core.h"

// Kinds of group kueue.x-k8s.io, version v1beta2 (spec/api.md §2-§10).
namespace kueue::api {

// ---- shared parts (spec/api.md §2)

struct ResourceQuota {
  std::string name;
  Quantity nominal_quota;
  std::optional<Quantity> borrowing_limit;  // absent: unlimited
  std::optional<Quantity> lending_limit;    // absent: everything can be lent
  Extra extra;
  friend bool operator==(const ResourceQuota&, const ResourceQuota&) = default;
};
struct FlavorQuotas {
  std::string name;
  std::vector<ResourceQuota> resources;
  Extra extra;
  friend bool operator==(const FlavorQuotas&, const FlavorQuotas&) = default;
};
struct ResourceGroup {
  std::vector<std::string> covered_resources;
  std::vector<FlavorQuotas> flavors;
  Extra extra;
  friend bool operator==(const ResourceGroup&, const ResourceGroup&) = default;
};
struct FairSharing {
  std::optional<Quantity> weight;  // absent: 1
  Extra extra;
  friend bool operator==(const FairSharing&, const FairSharing&) = default;
};
struct FairSharingStatus {
  int64_t weighted_share = 0;
  Extra extra;
  friend bool operator==(const FairSharingStatus&, const FairSharingStatus&) = default;
};
struct AdmissionScope {
  std::string admission_mode;
  Extra extra;
  friend bool operator==(const AdmissionScope&, const AdmissionScope&) = default;
};

// ---- ResourceFlavor

struct ResourceFlavorSpec {
  StringMap node_labels;
  std::vector<Taint> node_taints;
  std::vector<Toleration> tolerations;
  std::optional<std::string> topology_name;
  Extra extra;
  friend bool operator==(const ResourceFlavorSpec&, const ResourceFlavorSpec&) = default;
};
struct ResourceFlavor {
  ObjectMeta metadata;
  ResourceFlavorSpec spec;
  Extra extra;
  friend bool operator==(const ResourceFlavor&, const ResourceFlavor&) = default;
};

// ---- ClusterQueue

struct FlavorFungibility {
  std::string when_can_borrow, when_can_preempt;
  std::optional<std::string> preference;
  Extra extra;
  friend bool operator==(const FlavorFungibility&, const FlavorFungibility&) = default;
};
struct BorrowWithinCohort {
  std::string policy;
  std::optional<int32_t> max_priority_threshold;
  Extra extra;
  friend bool operator==(const BorrowWithinCohort&, const BorrowWithinCohort&) = default;
};
struct ClusterQueuePreemption {
  std::string reclaim_within_cohort, within_cluster_queue;
  std::optional<BorrowWithinCohort> borrow_within_cohort;
  Extra extra;
  friend bool operator==(const ClusterQueuePreemption&, const ClusterQueuePreemption&) = default;
};
struct AdmissionCheckStrategyRule {
  std::string name;
  std::vector<std::string> on_flavors;  // empty: all flavors of the queue
  Extra extra;
  friend bool operator==(const AdmissionCheckStrategyRule&,
                         const AdmissionCheckStrategyRule&) = default;
};
struct AdmissionChecksStrategy {
  std::vector<AdmissionCheckStrategyRule> admission_checks;
  Extra extra;
  friend bool operator==(const AdmissionChecksStrategy&, const AdmissionChecksStrategy&) = default;
};
struct ConcurrentAdmissionConstraints {
  std::optional<std::string> last_acceptable_flavor_name;
  Extra extra;
  friend bool operator==(const ConcurrentAdmissionConstraints&,
                         const ConcurrentAdmissionConstraints&) = default;
};
struct ConcurrentAdmissionMigration {
  std::string mode;
  std::optional<ConcurrentAdmissionConstraints> constraints;
  Extra extra;
  friend bool operator==(const ConcurrentAdmissionMigration&,
                         const ConcurrentAdmissionMigration&) = default;
};
struct ConcurrentAdmissionPolicy {
  ConcurrentAdmissionMigration migration;
  Extra extra;
  friend bool operator==(const ConcurrentAdmissionPolicy&,
                         const ConcurrentAdmissionPolicy&) = default;
};
struct ClusterQueueSpec {
  std::vector<ResourceGroup> resource_groups;
  std::string cohort_name;
  std::string queueing_strategy;                    // StrictFIFO, BestEffortFIFO
  std::optional<LabelSelector> namespace_selector;  // absent: nothing; {}: everything
  std::optional<FlavorFungibility> flavor_fungibility;
  std::optional<ClusterQueuePreemption> preemption;
  std::optional<AdmissionChecksStrategy> admission_checks_strategy;
  std::optional<std::string> stop_policy;  // None, Hold, HoldAndDrain
  std::optional<FairSharing> fair_sharing;
  std::optional<AdmissionScope> admission_scope;
  std::optional<ConcurrentAdmissionPolicy> concurrent_admission_policy;
  Extra extra;
  friend bool operator==(const ClusterQueueSpec&, const ClusterQueueSpec&) = default;
};
struct ResourceUsage {
  std::string name;
  Quantity total, borrowed;
  Extra extra;
  friend bool operator==(const ResourceUsage&, const ResourceUsage&) = default;
};
struct FlavorUsage {
  std::string name;
  std::vector<ResourceUsage> resources;
  Extra extra;
  friend bool operator==(const FlavorUsage&, const FlavorUsage&) = default;
};
struct ClusterQueueStatus {
  std::vector<Condition> conditions;
  std::vector<FlavorUsage> flavors_reservation, flavors_usage;
  int32_t pending_workloads = 0, reserving_workloads = 0, admitted_workloads = 0;
  std::optional<FairSharingStatus> fair_sharing;
  Extra extra;
  friend bool operator==(const ClusterQueueStatus&, const ClusterQueueStatus&) = default;
};
struct ClusterQueue {
  ObjectMeta metadata;
  ClusterQueueSpec spec;
  ClusterQueueStatus status;
  Extra extra;
  friend bool operator==(const ClusterQueue&, const ClusterQueue&) = default;
};

// ---- Cohort

struct CohortSpec {
  std::string parent_name;
  std::vector<ResourceGroup> resource_groups;
  std::optional<FairSharing> fair_sharing;
  Extra extra;
  friend bool operator==(const CohortSpec&, const CohortSpec&) = default;
};
struct CohortStatus {
  std::optional<FairSharingStatus> fair_sharing;
  Extra extra;
  friend bool operator==(const CohortStatus&, const CohortStatus&) = default;
};
struct Cohort {
  ObjectMeta metadata;
  CohortSpec spec;
  CohortStatus status;
  Extra extra;
  friend bool operator==(const Cohort&, const Cohort&) = default;
};

// ---- LocalQueue

struct LocalQueueSpec {
  std::string cluster_queue;
  std::optional<std::string> stop_policy;
  std::optional<FairSharing> fair_sharing;
  Extra extra;
  friend bool operator==(const LocalQueueSpec&, const LocalQueueSpec&) = default;
};
struct LocalQueueResourceUsage {
  std::string name;
  Quantity total;
  Extra extra;
  friend bool operator==(const LocalQueueResourceUsage&, const LocalQueueResourceUsage&) = default;
};
struct LocalQueueFlavorUsage {
  std::string name;
  std::vector<LocalQueueResourceUsage> resources;
  Extra extra;
  friend bool operator==(const LocalQueueFlavorUsage&, const LocalQueueFlavorUsage&) = default;
};
struct AdmissionFairSharingStatus {
  ResourceList consumed_resources;
  std::optional<Time> last_update;
  Extra extra;
  friend bool operator==(const AdmissionFairSharingStatus&,
                         const AdmissionFairSharingStatus&) = default;
};
struct LocalQueueFairSharingStatus {
  int64_t weighted_share = 0;
  std::optional<AdmissionFairSharingStatus> admission_fair_sharing_status;
  Extra extra;
  friend bool operator==(const LocalQueueFairSharingStatus&,
                         const LocalQueueFairSharingStatus&) = default;
};
struct LocalQueueStatus {
  std::vector<Condition> conditions;
  int32_t pending_workloads = 0, reserving_workloads = 0, admitted_workloads = 0;
  std::vector<LocalQueueFlavorUsage> flavors_reservation, flavors_usage;
  std::optional<LocalQueueFairSharingStatus> fair_sharing;
  Extra extra;
  friend bool operator==(const LocalQueueStatus&, const LocalQueueStatus&) = default;
};
struct LocalQueue {
  ObjectMeta metadata;
  LocalQueueSpec spec;
  LocalQueueStatus status;
  Extra extra;
  friend bool operator==(const LocalQueue&, const LocalQueue&) = default;
};

// ---- Workload

struct SliceTopologyConstraint {
  std::string topology;
  int32_t size = 0;
  Extra extra;
  friend bool operator==(const SliceTopologyConstraint&, const SliceTopologyConstraint&) = default;
};
struct PodSetTopologyRequest {
  std::optional<std::string> required, preferred;
  std::optional<bool> unconstrained;
  std::optional<std::string> pod_index_label, sub_group_index_label;
  std::optional<int32_t> sub_group_count;
  std::optional<std::string> pod_set_group_name, pod_set_slice_required_topology;
  std::optional<int32_t> pod_set_slice_size;
  std::vector<SliceTopologyConstraint> podset_slice_required_topology_constraints;
  Extra extra;
  friend bool operator==(const PodSetTopologyRequest&, const PodSetTopologyRequest&) = default;
};
struct PodSet {
  std::string name;
  PodTemplateSpec pod_template;  // JSON name: template
  int32_t count = 0;
  std::optional<int32_t> min_count;
  std::optional<PodSetTopologyRequest> topology_request;
  Extra extra;
  friend bool operator==(const PodSet&, const PodSet&) = default;
};
struct PriorityClassRef {
  std::string group, kind, name;
  Extra extra;
  friend bool operator==(const PriorityClassRef&, const PriorityClassRef&) = default;
};
struct PreemptionGate {
  std::string name;
  Extra extra;
  friend bool operator==(const PreemptionGate&, const PreemptionGate&) = default;
};
struct WorkloadSpec {
  std::vector<PodSet> pod_sets;
  std::string queue_name;
  std::optional<PriorityClassRef> priority_class_ref;
  std::optional<int32_t> priority;
  std::optional<bool> active;
  std::optional<int32_t> maximum_execution_time_seconds;
  std::vector<PreemptionGate> preemption_gates;
  Extra extra;
  friend bool operator==(const WorkloadSpec&, const WorkloadSpec&) = default;
};
struct TopologyValueList {
  std::optional<std::string> prefix, suffix;
  std::vector<std::string> roots;
  Extra extra;
  friend bool operator==(const TopologyValueList&, const TopologyValueList&) = default;
};
struct TopologyLevelValues {
  std::optional<std::string> universal;
  std::optional<TopologyValueList> individual;
  Extra extra;
  friend bool operator==(const TopologyLevelValues&, const TopologyLevelValues&) = default;
};
struct TopologyPodCounts {
  std::optional<int32_t> universal;
  std::vector<int32_t> individual;
  Extra extra;
  friend bool operator==(const TopologyPodCounts&, const TopologyPodCounts&) = default;
};
struct TopologyAssignmentSlice {
  int32_t domain_count = 0;
  std::vector<TopologyLevelValues> values_per_level;
  TopologyPodCounts pod_counts;
  Extra extra;
  friend bool operator==(const TopologyAssignmentSlice&, const TopologyAssignmentSlice&) = default;
};
struct TopologyAssignment {
  std::vector<std::string> levels;
  std::vector<TopologyAssignmentSlice> slices;
  Extra extra;
  friend bool operator==(const TopologyAssignment&, const TopologyAssignment&) = default;
};
struct PodSetAssignment {
  std::string name;
  StringMap flavors;  // resource -> flavor
  ResourceList resource_usage;
  std::optional<int32_t> count;
  std::optional<TopologyAssignment> topology_assignment;
  std::optional<std::string> delayed_topology_request;
  Extra extra;
  friend bool operator==(const PodSetAssignment&, const PodSetAssignment&) = default;
};
struct Admission {
  std::string cluster_queue;
  std::vector<PodSetAssignment> pod_set_assignments;
  Extra extra;
  friend bool operator==(const Admission&, const Admission&) = default;
};
struct RequeueState {
  std::optional<int32_t> count;
  std::optional<Time> requeue_at;
  Extra extra;
  friend bool operator==(const RequeueState&, const RequeueState&) = default;
};
struct ReclaimablePod {
  std::string name;
  int32_t count = 0;
  Extra extra;
  friend bool operator==(const ReclaimablePod&, const ReclaimablePod&) = default;
};
struct PodSetUpdate {
  std::string name;
  StringMap labels, annotations, node_selector;
  std::vector<Toleration> tolerations;
  Extra extra;
  friend bool operator==(const PodSetUpdate&, const PodSetUpdate&) = default;
};
struct AdmissionCheckState {
  std::string name, state;  // state: Pending, Ready, Retry, Rejected
  std::optional<Time> last_transition_time;
  std::string message;
  std::optional<int32_t> requeue_after_seconds, retry_count;
  std::vector<PodSetUpdate> pod_set_updates;
  Extra extra;
  friend bool operator==(const AdmissionCheckState&, const AdmissionCheckState&) = default;
};
struct PodSetRequest {
  std::string name;
  ResourceList resources;
  Extra extra;
  friend bool operator==(const PodSetRequest&, const PodSetRequest&) = default;
};
struct EvictionCount {
  std::string reason, underlying_cause;
  int32_t count = 0;
  Extra extra;
  friend bool operator==(const EvictionCount&, const EvictionCount&) = default;
};
struct SchedulingStats {
  std::vector<EvictionCount> evictions;
  Extra extra;
  friend bool operator==(const SchedulingStats&, const SchedulingStats&) = default;
};
struct UnhealthyNode {
  std::string name;
  Extra extra;
  friend bool operator==(const UnhealthyNode&, const UnhealthyNode&) = default;
};
struct PreemptionGateState {
  std::string name, position;  // position: Closed, Open
  std::optional<Time> last_transition_time;
  Extra extra;
  friend bool operator==(const PreemptionGateState&, const PreemptionGateState&) = default;
};
struct WorkloadStatus {
  std::vector<Condition> conditions;
  std::optional<Admission> admission;
  std::optional<RequeueState> requeue_state;
  std::vector<ReclaimablePod> reclaimable_pods;
  std::vector<AdmissionCheckState> admission_checks;
  std::vector<PodSetRequest> resource_requests;
  std::optional<int32_t> accumulated_past_execution_time_seconds;
  std::optional<SchedulingStats> scheduling_stats;
  std::vector<std::string> nominated_cluster_names;
  std::optional<std::string> cluster_name;
  std::vector<UnhealthyNode> unhealthy_nodes;
  std::vector<PreemptionGateState> preemption_gates;
  Extra extra;
  friend bool operator==(const WorkloadStatus&, const WorkloadStatus&) = default;
};
struct Workload {
  ObjectMeta metadata;
  WorkloadSpec spec;
  WorkloadStatus status;
  Extra extra;
  friend bool operator==(const Workload&, const Workload&) = default;
};

// ---- WorkloadPriorityClass

struct WorkloadPriorityClass {
  ObjectMeta metadata;
  int32_t value = 0;
  std::string description;
  Extra extra;
  friend bool operator==(const WorkloadPriorityClass&, const WorkloadPriorityClass&) = default;
};

// ---- AdmissionCheck

struct AdmissionCheckParametersReference {
  std::string api_group, kind, name;
  Extra extra;
  friend bool operator==(const AdmissionCheckParametersReference&,
                         const AdmissionCheckParametersReference&) = default;
};
struct AdmissionCheckSpec {
  std::string controller_name;
  std::optional<AdmissionCheckParametersReference> parameters;
  Extra extra;
  friend bool operator==(const AdmissionCheckSpec&, const AdmissionCheckSpec&) = default;
};
struct AdmissionCheckStatus {
  std::vector<Condition> conditions;
  Extra extra;
  friend bool operator==(const AdmissionCheckStatus&, const AdmissionCheckStatus&) = default;
};
struct AdmissionCheck {
  ObjectMeta metadata;
  AdmissionCheckSpec spec;
  AdmissionCheckStatus status;
  Extra extra;
  friend bool operator==(const AdmissionCheck&, const AdmissionCheck&) = default;
};

// ---- Topology

struct TopologyLevel {
  std::string node_label;
  Extra extra;
  friend bool operator==(const TopologyLevel&, const TopologyLevel&) = default;
};
struct TopologySpec {
  std::vector<TopologyLevel> levels;
  Extra extra;
  friend bool operator==(const TopologySpec&, const TopologySpec&) = default;
};
struct Topology {
  ObjectMeta metadata;
  TopologySpec spec;
  Extra extra;
  friend bool operator==(const Topology&, const Topology&) = default;
};

}  // namespace kueue::api
