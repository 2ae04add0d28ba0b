// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kNodeV1Overhead[] = {
    {"podFixed", "{}quantity"},
};
constexpr FieldFacts kNodeV1RuntimeClass[] = {
    {"handler", "string", kRequired | kWritten},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"overhead", "node.v1.Overhead", kPointer},
    {"scheduling", "node.v1.Scheduling", kPointer},
};
constexpr FieldFacts kNodeV1Scheduling[] = {
    {"nodeSelector", "{}string", kAtomic},
    {"tolerations", "[]core.v1.Toleration", kAtomic},
};
constexpr FieldFacts kResourceV1AllocatedDeviceStatus[] = {
    {"conditions", "[]meta.v1.Condition", kWritten | kMap, "type"},
    {"data", "json", kPointer},
    {"device", "string", kRequired | kWritten},
    {"driver", "string", kRequired | kWritten},
    {"networkData", "resource.v1.NetworkDeviceData", kPointer},
    {"pool", "string", kRequired | kWritten},
    {"shareID", "string", kPointer},
};
constexpr FieldFacts kResourceV1AllocationResult[] = {
    {"allocationTimestamp", "time", kPointer},
    {"devices", "resource.v1.DeviceAllocationResult", kWritten},
    {"nodeSelector", "core.v1.NodeSelector", kPointer},
};
constexpr FieldFacts kResourceV1CELDeviceSelector[] = {
    {"expression", "string", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1CapacityRequestPolicy[] = {
    {"default", "quantity", kPointer | kWritten},
    {"validRange", "resource.v1.CapacityRequestPolicyRange", kPointer},
    {"validValues", "[]quantity", kAtomic},
};
constexpr FieldFacts kResourceV1CapacityRequestPolicyRange[] = {
    {"max", "quantity", kPointer},
    {"min", "quantity", kRequired | kPointer},
    {"step", "quantity", kPointer},
};
constexpr FieldFacts kResourceV1CapacityRequirements[] = {
    {"requests", "{}quantity"},
};
constexpr FieldFacts kResourceV1Counter[] = {
    {"value", "quantity", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1CounterSet[] = {
    {"counters", "{}resource.v1.Counter", kRequired},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1Device[] = {
    {"allNodes", "bool", kPointer},
    {"allowMultipleAllocations", "bool", kPointer},
    {"attributes", "{}resource.v1.DeviceAttribute"},
    {"bindingConditions", "[]string", kAtomic},
    {"bindingFailureConditions", "[]string", kAtomic},
    {"bindsToNode", "bool", kPointer},
    {"capacity", "{}resource.v1.DeviceCapacity"},
    {"consumesCounters", "[]resource.v1.DeviceCounterConsumption", kAtomic},
    {"name", "string", kRequired | kWritten},
    {"nodeAllocatableResourceMappings", "{}resource.v1.NodeAllocatableResourceMapping"},
    {"nodeName", "string", kPointer},
    {"nodeSelector", "core.v1.NodeSelector", kPointer},
    {"taints", "[]resource.v1.DeviceTaint", kAtomic},
};
constexpr FieldFacts kResourceV1DeviceAllocationConfiguration[] = {
    {"opaque", "resource.v1.OpaqueDeviceConfiguration", kPointer},
    {"requests", "[]string", kAtomic},
    {"source", "string", kRequired | kWritten, "", "", "", "FromClaim|FromClass"},
};
constexpr FieldFacts kResourceV1DeviceAllocationResult[] = {
    {"config", "[]resource.v1.DeviceAllocationConfiguration", kAtomic},
    {"results", "[]resource.v1.DeviceRequestAllocationResult", kAtomic},
};
constexpr FieldFacts kResourceV1DeviceAttribute[] = {
    {"bool", "bool", kPointer},
    {"bools", "[]bool", kAtomic},
    {"int", "int64", kPointer},
    {"ints", "[]int64", kAtomic},
    {"string", "string", kPointer},
    {"strings", "[]string", kAtomic},
    {"version", "string", kPointer},
    {"versions", "[]string", kAtomic},
};
constexpr FieldFacts kResourceV1DeviceCapacity[] = {
    {"requestPolicy", "resource.v1.CapacityRequestPolicy", kPointer},
    {"value", "quantity", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1DeviceClaim[] = {
    {"config", "[]resource.v1.DeviceClaimConfiguration", kAtomic},
    {"constraints", "[]resource.v1.DeviceConstraint", kAtomic},
    {"requests", "[]resource.v1.DeviceRequest", kWritten | kAtomic},
};
constexpr FieldFacts kResourceV1DeviceClaimConfiguration[] = {
    {"opaque", "resource.v1.OpaqueDeviceConfiguration", kPointer},
    {"requests", "[]string", kAtomic},
};
constexpr FieldFacts kResourceV1DeviceClass[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "resource.v1.DeviceClassSpec", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1DeviceClassConfiguration[] = {
    {"opaque", "resource.v1.OpaqueDeviceConfiguration", kPointer},
};
constexpr FieldFacts kResourceV1DeviceClassSpec[] = {
    {"config", "[]resource.v1.DeviceClassConfiguration", kAtomic},
    {"extendedResourceName", "string", kPointer},
    {"selectors", "[]resource.v1.DeviceSelector", kAtomic},
};
constexpr FieldFacts kResourceV1DeviceConstraint[] = {
    {"distinctAttribute", "string", kPointer},
    {"matchAttribute", "string", kPointer},
    {"requests", "[]string", kAtomic},
};
constexpr FieldFacts kResourceV1DeviceCounterConsumption[] = {
    {"counterSet", "string", kRequired | kWritten},
    {"counters", "{}resource.v1.Counter", kRequired},
};
constexpr FieldFacts kResourceV1DeviceRequest[] = {
    {"exactly", "resource.v1.ExactDeviceRequest", kPointer},
    {"firstAvailable", "[]resource.v1.DeviceSubRequest", kAtomic},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1DeviceRequestAllocationResult[] = {
    {"adminAccess", "bool", kPointer},
    {"bindingConditions", "[]string", kAtomic},
    {"bindingFailureConditions", "[]string", kAtomic},
    {"consumedCapacity", "{}quantity"},
    {"device", "string", kRequired | kWritten},
    {"driver", "string", kRequired | kWritten},
    {"pool", "string", kRequired | kWritten},
    {"request", "string", kRequired | kWritten},
    {"shareID", "string", kPointer},
    {"tolerations", "[]resource.v1.DeviceToleration", kAtomic},
};
constexpr FieldFacts kResourceV1DeviceSelector[] = {
    {"cel", "resource.v1.CELDeviceSelector", kPointer},
};
constexpr FieldFacts kResourceV1DeviceSubRequest[] = {
    {"allocationMode", "string", 0, "", "", "", "All|ExactCount"},
    {"capacity", "resource.v1.CapacityRequirements", kPointer},
    {"count", "int64"},
    {"deviceClassName", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"selectors", "[]resource.v1.DeviceSelector", kAtomic},
    {"tolerations", "[]resource.v1.DeviceToleration", kAtomic},
};
constexpr FieldFacts kResourceV1DeviceTaint[] = {
    {"effect", "string", kRequired | kWritten, "", "", "", "NoExecute|NoSchedule|None"},
    {"key", "string", kRequired | kWritten},
    {"timeAdded", "time", kPointer},
    {"value", "string"},
};
constexpr FieldFacts kResourceV1DeviceToleration[] = {
    {"effect", "string", 0, "", "", "", "NoExecute|NoSchedule|None"},
    {"key", "string"},
    {"operator", "string", 0, "", "", "\"Equal\"", "Equal|Exists"},
    {"tolerationSeconds", "int64", kPointer},
    {"value", "string"},
};
constexpr FieldFacts kResourceV1ExactDeviceRequest[] = {
    {"adminAccess", "bool", kPointer},
    {"allocationMode", "string", 0, "", "", "", "All|ExactCount"},
    {"capacity", "resource.v1.CapacityRequirements", kPointer},
    {"count", "int64"},
    {"deviceClassName", "string", kRequired | kWritten},
    {"selectors", "[]resource.v1.DeviceSelector", kAtomic},
    {"tolerations", "[]resource.v1.DeviceToleration", kAtomic},
};
constexpr FieldFacts kResourceV1NetworkDeviceData[] = {
    {"hardwareAddress", "string"},
    {"interfaceName", "string"},
    {"ips", "[]string", kAtomic},
};
constexpr FieldFacts kResourceV1NodeAllocatableResourceMapping[] = {
    {"allocationMultiplier", "quantity", kPointer},
    {"capacityKey", "string", kPointer},
};
constexpr FieldFacts kResourceV1OpaqueDeviceConfiguration[] = {
    {"driver", "string", kRequired | kWritten},
    {"parameters", "json", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1ResourceClaim[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "resource.v1.ResourceClaimSpec", kRequired | kWritten},
    {"status", "resource.v1.ResourceClaimStatus", kWritten},
};
constexpr FieldFacts kResourceV1ResourceClaimConsumerReference[] = {
    {"apiGroup", "string"},
    {"name", "string", kRequired | kWritten},
    {"resource", "string", kRequired | kWritten},
    {"uid", "string", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1ResourceClaimSpec[] = {
    {"devices", "resource.v1.DeviceClaim", kWritten},
};
constexpr FieldFacts kResourceV1ResourceClaimStatus[] = {
    {"allocation", "resource.v1.AllocationResult", kPointer},
    {"devices", "[]resource.v1.AllocatedDeviceStatus", kMap, "driver,device,pool,shareID"},
    {"reservedFor", "[]resource.v1.ResourceClaimConsumerReference", kMap | kMerge, "uid", "uid"},
};
constexpr FieldFacts kResourceV1ResourceClaimTemplate[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "resource.v1.ResourceClaimTemplateSpec", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1ResourceClaimTemplateSpec[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "resource.v1.ResourceClaimSpec", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1ResourcePool[] = {
    {"generation", "int64", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"resourceSliceCount", "int64", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1ResourceSlice[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "resource.v1.ResourceSliceSpec", kRequired | kWritten},
};
constexpr FieldFacts kResourceV1ResourceSliceSpec[] = {
    {"allNodes", "bool", kPointer},
    {"devices", "[]resource.v1.Device", kAtomic},
    {"driver", "string", kRequired | kWritten},
    {"nodeName", "string", kPointer},
    {"nodeSelector", "core.v1.NodeSelector", kPointer},
    {"perDeviceNodeSelection", "bool", kPointer},
    {"pool", "resource.v1.ResourcePool", kRequired | kWritten},
    {"sharedCounters", "[]resource.v1.CounterSet", kAtomic},
};
constexpr FieldFacts kSchedulingV1PriorityClass[] = {
    {"description", "string"},
    {"globalDefault", "bool"},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"preemptionPolicy", "string", kPointer, "", "", "", "Never|PreemptLowerPriority"},
    {"value", "int32", kWritten},
};
constexpr FieldFacts kStorageV1CSIDriver[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "storage.v1.CSIDriverSpec", kRequired | kWritten},
};
constexpr FieldFacts kStorageV1CSIDriverSpec[] = {
    {"attachRequired", "bool", kPointer},
    {"fsGroupPolicy", "string", kPointer},
    {"nodeAllocatableUpdatePeriodSeconds", "int64", kPointer},
    {"podInfoOnMount", "bool", kPointer},
    {"preventPodSchedulingIfMissing", "bool", kPointer},
    {"requiresRepublish", "bool", kPointer},
    {"seLinuxMount", "bool", kPointer},
    {"serviceAccountTokenInSecrets", "bool", kPointer},
    {"storageCapacity", "bool", kPointer},
    {"tokenRequests", "[]storage.v1.TokenRequest", kAtomic},
    {"volumeLifecycleModes", "[]string", kSet},
};
constexpr FieldFacts kStorageV1CSINode[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "storage.v1.CSINodeSpec", kRequired | kWritten},
};
constexpr FieldFacts kStorageV1CSINodeDriver[] = {
    {"allocatable", "storage.v1.VolumeNodeResources", kPointer},
    {"name", "string", kRequired | kWritten},
    {"nodeID", "string", kRequired | kWritten},
    {"topologyKeys", "[]string", kWritten | kAtomic},
};
constexpr FieldFacts kStorageV1CSINodeSpec[] = {
    {"drivers", "[]storage.v1.CSINodeDriver", kRequired | kWritten | kMap | kMerge, "name", "name"},
};
constexpr FieldFacts kStorageV1CSIStorageCapacity[] = {
    {"capacity", "quantity", kPointer},
    {"maximumVolumeSize", "quantity", kPointer},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"nodeTopology", "meta.v1.LabelSelector", kPointer},
    {"storageClassName", "string", kRequired | kWritten},
};
constexpr FieldFacts kStorageV1StorageClass[] = {
    {"allowVolumeExpansion", "bool", kPointer},
    {"allowedTopologies", "[]core.v1.TopologySelectorTerm", kAtomic},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"mountOptions", "[]string", kAtomic},
    {"parameters", "{}string"},
    {"provisioner", "string", kRequired | kWritten},
    {"reclaimPolicy", "string", kPointer, "", "", "", "Delete|Recycle|Retain"},
    {"volumeBindingMode", "string", kPointer, "", "", "", "Immediate|WaitForFirstConsumer"},
};
constexpr FieldFacts kStorageV1TokenRequest[] = {
    {"audience", "string", kRequired | kWritten},
    {"expirationSeconds", "int64", kPointer},
};
constexpr FieldFacts kStorageV1VolumeAttachment[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "storage.v1.VolumeAttachmentSpec", kRequired | kWritten},
    {"status", "storage.v1.VolumeAttachmentStatus", kWritten},
};
constexpr FieldFacts kStorageV1VolumeAttachmentSource[] = {
    {"inlineVolumeSpec", "core.v1.PersistentVolumeSpec", kPointer},
    {"persistentVolumeName", "string", kPointer},
};
constexpr FieldFacts kStorageV1VolumeAttachmentSpec[] = {
    {"attacher", "string", kRequired | kWritten},
    {"nodeName", "string", kRequired | kWritten},
    {"source", "storage.v1.VolumeAttachmentSource", kRequired | kWritten},
};
constexpr FieldFacts kStorageV1VolumeAttachmentStatus[] = {
    {"attachError", "storage.v1.VolumeError", kPointer},
    {"attached", "bool", kRequired | kWritten},
    {"attachmentMetadata", "{}string"},
    {"detachError", "storage.v1.VolumeError", kPointer},
};
constexpr FieldFacts kStorageV1VolumeAttributesClass[] = {
    {"driverName", "string", kRequired | kWritten},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"parameters", "{}string"},
};
constexpr FieldFacts kStorageV1VolumeError[] = {
    {"errorCode", "int32", kPointer},
    {"message", "string"},
    {"time", "time", kWritten},
};
constexpr FieldFacts kStorageV1VolumeNodeResources[] = {
    {"count", "int32", kPointer},
};

constexpr StructFacts kStructs[] = {
    {"node.v1.Overhead", kNodeV1Overhead},
    {"node.v1.RuntimeClass", kNodeV1RuntimeClass, kTopLevel},
    {"node.v1.Scheduling", kNodeV1Scheduling},
    {"resource.v1.AllocatedDeviceStatus", kResourceV1AllocatedDeviceStatus, 0,
     "driver,pool,device"},
    {"resource.v1.AllocationResult", kResourceV1AllocationResult},
    {"resource.v1.CELDeviceSelector", kResourceV1CELDeviceSelector},
    {"resource.v1.CapacityRequestPolicy", kResourceV1CapacityRequestPolicy},
    {"resource.v1.CapacityRequestPolicyRange", kResourceV1CapacityRequestPolicyRange},
    {"resource.v1.CapacityRequirements", kResourceV1CapacityRequirements},
    {"resource.v1.Counter", kResourceV1Counter},
    {"resource.v1.CounterSet", kResourceV1CounterSet, 0, "name,counters"},
    {"resource.v1.Device", kResourceV1Device},
    {"resource.v1.DeviceAllocationConfiguration", kResourceV1DeviceAllocationConfiguration},
    {"resource.v1.DeviceAllocationResult", kResourceV1DeviceAllocationResult},
    {"resource.v1.DeviceAttribute", kResourceV1DeviceAttribute},
    {"resource.v1.DeviceCapacity", kResourceV1DeviceCapacity},
    {"resource.v1.DeviceClaim", kResourceV1DeviceClaim},
    {"resource.v1.DeviceClaimConfiguration", kResourceV1DeviceClaimConfiguration},
    {"resource.v1.DeviceClass", kResourceV1DeviceClass, kTopLevel},
    {"resource.v1.DeviceClassConfiguration", kResourceV1DeviceClassConfiguration},
    {"resource.v1.DeviceClassSpec", kResourceV1DeviceClassSpec},
    {"resource.v1.DeviceConstraint", kResourceV1DeviceConstraint},
    {"resource.v1.DeviceCounterConsumption", kResourceV1DeviceCounterConsumption},
    {"resource.v1.DeviceRequest", kResourceV1DeviceRequest},
    {"resource.v1.DeviceRequestAllocationResult", kResourceV1DeviceRequestAllocationResult, 0,
     "request,driver,pool,device"},
    {"resource.v1.DeviceSelector", kResourceV1DeviceSelector},
    {"resource.v1.DeviceSubRequest", kResourceV1DeviceSubRequest, 0, "name,deviceClassName"},
    {"resource.v1.DeviceTaint", kResourceV1DeviceTaint, 0, "key,effect"},
    {"resource.v1.DeviceToleration", kResourceV1DeviceToleration},
    {"resource.v1.ExactDeviceRequest", kResourceV1ExactDeviceRequest},
    {"resource.v1.NetworkDeviceData", kResourceV1NetworkDeviceData},
    {"resource.v1.NodeAllocatableResourceMapping", kResourceV1NodeAllocatableResourceMapping},
    {"resource.v1.OpaqueDeviceConfiguration", kResourceV1OpaqueDeviceConfiguration},
    {"resource.v1.ResourceClaim", kResourceV1ResourceClaim, kTopLevel},
    {"resource.v1.ResourceClaimConsumerReference", kResourceV1ResourceClaimConsumerReference, 0,
     "resource,name,uid"},
    {"resource.v1.ResourceClaimSpec", kResourceV1ResourceClaimSpec},
    {"resource.v1.ResourceClaimStatus", kResourceV1ResourceClaimStatus},
    {"resource.v1.ResourceClaimTemplate", kResourceV1ResourceClaimTemplate, kTopLevel},
    {"resource.v1.ResourceClaimTemplateSpec", kResourceV1ResourceClaimTemplateSpec},
    {"resource.v1.ResourcePool", kResourceV1ResourcePool, 0, "name,generation,resourceSliceCount"},
    {"resource.v1.ResourceSlice", kResourceV1ResourceSlice, kTopLevel},
    {"resource.v1.ResourceSliceSpec", kResourceV1ResourceSliceSpec},
    {"scheduling.v1.PriorityClass", kSchedulingV1PriorityClass, kTopLevel},
    {"storage.v1.CSIDriver", kStorageV1CSIDriver, kTopLevel},
    {"storage.v1.CSIDriverSpec", kStorageV1CSIDriverSpec},
    {"storage.v1.CSINode", kStorageV1CSINode, kTopLevel},
    {"storage.v1.CSINodeDriver", kStorageV1CSINodeDriver},
    {"storage.v1.CSINodeSpec", kStorageV1CSINodeSpec},
    {"storage.v1.CSIStorageCapacity", kStorageV1CSIStorageCapacity, kTopLevel},
    {"storage.v1.StorageClass", kStorageV1StorageClass, kTopLevel},
    {"storage.v1.TokenRequest", kStorageV1TokenRequest},
    {"storage.v1.VolumeAttachment", kStorageV1VolumeAttachment, kTopLevel},
    {"storage.v1.VolumeAttachmentSource", kStorageV1VolumeAttachmentSource},
    {"storage.v1.VolumeAttachmentSpec", kStorageV1VolumeAttachmentSpec, 0,
     "attacher,source,nodeName"},
    {"storage.v1.VolumeAttachmentStatus", kStorageV1VolumeAttachmentStatus},
    {"storage.v1.VolumeAttributesClass", kStorageV1VolumeAttributesClass, kTopLevel},
    {"storage.v1.VolumeError", kStorageV1VolumeError},
    {"storage.v1.VolumeNodeResources", kStorageV1VolumeNodeResources},
};

}  // namespace

std::span<const StructFacts> DevicesFacts() { return kStructs; }

}  // namespace kueue::api::facts
