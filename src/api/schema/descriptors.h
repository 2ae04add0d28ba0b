#pragma once

#include "api/codec/codec.h"
#include "api/schema/descriptors_kueue.h"
#include "api/types/autoscaling.h"
#include "api/types/batch.h"
#include "api/types/kueue.h"

// Which structs have a table. Include this to Decode or Encode one of them.
namespace kueue::api {

// tables_meta.cc
template <> const StructDescriptor& DescriptorOf<OwnerReference>();
template <> const StructDescriptor& DescriptorOf<ObjectMeta>();
template <> const StructDescriptor& DescriptorOf<Condition>();
template <> const StructDescriptor& DescriptorOf<LabelSelectorRequirement>();
template <> const StructDescriptor& DescriptorOf<LabelSelector>();

// tables_pod.cc
template <> const StructDescriptor& DescriptorOf<Toleration>();
template <> const StructDescriptor& DescriptorOf<NodeSelectorRequirement>();
template <> const StructDescriptor& DescriptorOf<NodeSelectorTerm>();
template <> const StructDescriptor& DescriptorOf<NodeSelector>();
template <> const StructDescriptor& DescriptorOf<PreferredSchedulingTerm>();
template <> const StructDescriptor& DescriptorOf<NodeAffinity>();
template <> const StructDescriptor& DescriptorOf<Affinity>();
template <> const StructDescriptor& DescriptorOf<ResourceRequirements>();
template <> const StructDescriptor& DescriptorOf<ContainerPort>();
template <> const StructDescriptor& DescriptorOf<EnvVar>();
template <> const StructDescriptor& DescriptorOf<Container>();
template <> const StructDescriptor& DescriptorOf<PodSchedulingGate>();
template <> const StructDescriptor& DescriptorOf<PodSpec>();
template <> const StructDescriptor& DescriptorOf<PodTemplateSpec>();
template <> const StructDescriptor& DescriptorOf<ContainerStateTerminated>();
template <> const StructDescriptor& DescriptorOf<ContainerStateRunning>();
template <> const StructDescriptor& DescriptorOf<ContainerStateWaiting>();
template <> const StructDescriptor& DescriptorOf<ContainerState>();
template <> const StructDescriptor& DescriptorOf<ContainerStatus>();
template <> const StructDescriptor& DescriptorOf<PodCondition>();
template <> const StructDescriptor& DescriptorOf<PodStatus>();
template <> const StructDescriptor& DescriptorOf<Pod>();

// tables_node.cc
template <> const StructDescriptor& DescriptorOf<Taint>();
template <> const StructDescriptor& DescriptorOf<NodeSpec>();
template <> const StructDescriptor& DescriptorOf<NodeCondition>();
template <> const StructDescriptor& DescriptorOf<NodeAddress>();
template <> const StructDescriptor& DescriptorOf<NodeSystemInfo>();
template <> const StructDescriptor& DescriptorOf<NodeStatus>();
template <> const StructDescriptor& DescriptorOf<Node>();

// tables_core.cc
template <> const StructDescriptor& DescriptorOf<NamespaceSpec>();
template <> const StructDescriptor& DescriptorOf<NamespaceStatus>();
template <> const StructDescriptor& DescriptorOf<Namespace>();
template <> const StructDescriptor& DescriptorOf<ObjectReference>();
template <> const StructDescriptor& DescriptorOf<EventSource>();
template <> const StructDescriptor& DescriptorOf<EventSeries>();
template <> const StructDescriptor& DescriptorOf<Event>();
template <> const StructDescriptor& DescriptorOf<Secret>();
template <> const StructDescriptor& DescriptorOf<ConfigMap>();

// tables_coordination.cc
template <> const StructDescriptor& DescriptorOf<LeaseSpec>();
template <> const StructDescriptor& DescriptorOf<Lease>();

// tables_batch.cc
template <> const StructDescriptor& DescriptorOf<JobSpec>();
template <> const StructDescriptor& DescriptorOf<UncountedTerminatedPods>();
template <> const StructDescriptor& DescriptorOf<JobStatus>();
template <> const StructDescriptor& DescriptorOf<Job>();

// tables_autoscaling.cc
template <> const StructDescriptor& DescriptorOf<PodTemplateReference>();
template <> const StructDescriptor& DescriptorOf<ProvisioningRequestPodSet>();
template <> const StructDescriptor& DescriptorOf<ProvisioningRequestSpec>();
template <> const StructDescriptor& DescriptorOf<ProvisioningRequestStatus>();
template <> const StructDescriptor& DescriptorOf<ProvisioningRequest>();

// tables_kueue_queues.cc
template <> const StructDescriptor& DescriptorOf<ResourceQuota>();
template <> const StructDescriptor& DescriptorOf<FlavorQuotas>();
template <> const StructDescriptor& DescriptorOf<ResourceGroup>();
template <> const StructDescriptor& DescriptorOf<FairSharing>();
template <> const StructDescriptor& DescriptorOf<FairSharingStatus>();
template <> const StructDescriptor& DescriptorOf<AdmissionScope>();
template <> const StructDescriptor& DescriptorOf<FlavorFungibility>();
template <> const StructDescriptor& DescriptorOf<BorrowWithinCohort>();
template <> const StructDescriptor& DescriptorOf<ClusterQueuePreemption>();
template <> const StructDescriptor& DescriptorOf<AdmissionCheckStrategyRule>();
template <> const StructDescriptor& DescriptorOf<AdmissionChecksStrategy>();
template <> const StructDescriptor& DescriptorOf<ConcurrentAdmissionConstraints>();
template <> const StructDescriptor& DescriptorOf<ConcurrentAdmissionMigration>();
template <> const StructDescriptor& DescriptorOf<ConcurrentAdmissionPolicy>();
template <> const StructDescriptor& DescriptorOf<ClusterQueueSpec>();
template <> const StructDescriptor& DescriptorOf<ResourceUsage>();
template <> const StructDescriptor& DescriptorOf<FlavorUsage>();
template <> const StructDescriptor& DescriptorOf<ClusterQueueStatus>();
template <> const StructDescriptor& DescriptorOf<ClusterQueue>();
template <> const StructDescriptor& DescriptorOf<CohortSpec>();
template <> const StructDescriptor& DescriptorOf<CohortStatus>();
template <> const StructDescriptor& DescriptorOf<Cohort>();
template <> const StructDescriptor& DescriptorOf<LocalQueueSpec>();
template <> const StructDescriptor& DescriptorOf<LocalQueueResourceUsage>();
template <> const StructDescriptor& DescriptorOf<LocalQueueFlavorUsage>();
template <> const StructDescriptor& DescriptorOf<AdmissionFairSharingStatus>();
template <> const StructDescriptor& DescriptorOf<LocalQueueFairSharingStatus>();
template <> const StructDescriptor& DescriptorOf<LocalQueueStatus>();
template <> const StructDescriptor& DescriptorOf<LocalQueue>();

// tables_kueue_workload.cc
template <> const StructDescriptor& DescriptorOf<SliceTopologyConstraint>();
template <> const StructDescriptor& DescriptorOf<PodSetTopologyRequest>();
template <> const StructDescriptor& DescriptorOf<PodSet>();
template <> const StructDescriptor& DescriptorOf<PriorityClassRef>();
template <> const StructDescriptor& DescriptorOf<PreemptionGate>();
template <> const StructDescriptor& DescriptorOf<WorkloadSpec>();
template <> const StructDescriptor& DescriptorOf<TopologyValueList>();
template <> const StructDescriptor& DescriptorOf<TopologyLevelValues>();
template <> const StructDescriptor& DescriptorOf<TopologyPodCounts>();
template <> const StructDescriptor& DescriptorOf<TopologyAssignmentSlice>();
template <> const StructDescriptor& DescriptorOf<TopologyAssignment>();
template <> const StructDescriptor& DescriptorOf<PodSetAssignment>();
template <> const StructDescriptor& DescriptorOf<Admission>();
template <> const StructDescriptor& DescriptorOf<RequeueState>();
template <> const StructDescriptor& DescriptorOf<ReclaimablePod>();
template <> const StructDescriptor& DescriptorOf<PodSetUpdate>();
template <> const StructDescriptor& DescriptorOf<AdmissionCheckState>();
template <> const StructDescriptor& DescriptorOf<PodSetRequest>();
template <> const StructDescriptor& DescriptorOf<EvictionCount>();
template <> const StructDescriptor& DescriptorOf<SchedulingStats>();
template <> const StructDescriptor& DescriptorOf<UnhealthyNode>();
template <> const StructDescriptor& DescriptorOf<PreemptionGateState>();
template <> const StructDescriptor& DescriptorOf<WorkloadStatus>();
template <> const StructDescriptor& DescriptorOf<Workload>();

// tables_kueue_others.cc
template <> const StructDescriptor& DescriptorOf<ResourceFlavorSpec>();
template <> const StructDescriptor& DescriptorOf<ResourceFlavor>();
template <> const StructDescriptor& DescriptorOf<WorkloadPriorityClass>();
template <> const StructDescriptor& DescriptorOf<AdmissionCheckParametersReference>();
template <> const StructDescriptor& DescriptorOf<AdmissionCheckSpec>();
template <> const StructDescriptor& DescriptorOf<AdmissionCheckStatus>();
template <> const StructDescriptor& DescriptorOf<AdmissionCheck>();
template <> const StructDescriptor& DescriptorOf<TopologyLevel>();
template <> const StructDescriptor& DescriptorOf<TopologySpec>();
template <> const StructDescriptor& DescriptorOf<Topology>();

}  // namespace kueue::api
