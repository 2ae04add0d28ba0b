// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kCoreV1AttachedVolume[] = {
    {"devicePath", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1Binding[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"target", "core.v1.ObjectReference", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ClientIPConfig[] = {
    {"timeoutSeconds", "int32", kPointer},
};
constexpr FieldFacts kCoreV1ComponentCondition[] = {
    {"error", "string"},
    {"message", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ComponentStatus[] = {
    {"conditions", "[]core.v1.ComponentCondition", kMap | kMerge, "type", "type"},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
};
constexpr FieldFacts kCoreV1ConfigMap[] = {
    {"binaryData", "{}bytes"},
    {"data", "{}string"},
    {"immutable", "bool", kPointer},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
};
constexpr FieldFacts kCoreV1ConfigMapNodeConfigSource[] = {
    {"kubeletConfigKey", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"namespace", "string", kRequired | kWritten},
    {"resourceVersion", "string"},
    {"uid", "string"},
};
constexpr FieldFacts kCoreV1ContainerImage[] = {
    {"names", "[]string", kWritten | kAtomic},
    {"sizeBytes", "int64"},
};
constexpr FieldFacts kCoreV1DaemonEndpoint[] = {
    {"Port", "int32", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1EndpointAddress[] = {
    {"hostname", "string"},
    {"ip", "string", kRequired | kWritten},
    {"nodeName", "string", kPointer},
    {"targetRef", "core.v1.ObjectReference", kPointer},
};
constexpr FieldFacts kCoreV1EndpointPort[] = {
    {"appProtocol", "string", kPointer},
    {"name", "string"},
    {"port", "int32", kRequired | kWritten},
    {"protocol", "string", 0, "", "", "", "SCTP|TCP|UDP"},
};
constexpr FieldFacts kCoreV1EndpointSubset[] = {
    {"addresses", "[]core.v1.EndpointAddress", kAtomic},
    {"notReadyAddresses", "[]core.v1.EndpointAddress", kAtomic},
    {"ports", "[]core.v1.EndpointPort", kAtomic},
};
constexpr FieldFacts kCoreV1Endpoints[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"subsets", "[]core.v1.EndpointSubset", kAtomic},
};
constexpr FieldFacts kCoreV1Event[] = {
    {"action", "string"},
    {"count", "int32"},
    {"eventTime", "microtime", kWritten},
    {"firstTimestamp", "time", kWritten},
    {"involvedObject", "core.v1.ObjectReference", kRequired | kWritten},
    {"lastTimestamp", "time", kWritten},
    {"message", "string"},
    {"metadata", "meta.v1.ObjectMeta", kRequired | kWritten},
    {"reason", "string"},
    {"related", "core.v1.ObjectReference", kPointer},
    {"reportingComponent", "string", kWritten},
    {"reportingInstance", "string", kWritten},
    {"series", "core.v1.EventSeries", kPointer},
    {"source", "core.v1.EventSource", kWritten},
    {"type", "string"},
};
constexpr FieldFacts kCoreV1EventSeries[] = {
    {"count", "int32"},
    {"lastObservedTime", "microtime", kWritten},
};
constexpr FieldFacts kCoreV1EventSource[] = {
    {"component", "string"},
    {"host", "string"},
};
constexpr FieldFacts kCoreV1LimitRange[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.LimitRangeSpec", kWritten},
};
constexpr FieldFacts kCoreV1LimitRangeItem[] = {
    {"default", "{}quantity"},
    {"defaultRequest", "{}quantity"},
    {"max", "{}quantity"},
    {"maxLimitRequestRatio", "{}quantity"},
    {"min", "{}quantity"},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1LimitRangeSpec[] = {
    {"limits", "[]core.v1.LimitRangeItem", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kCoreV1LoadBalancerIngress[] = {
    {"hostname", "string"},
    {"ip", "string"},
    {"ipMode", "string", kPointer},
    {"ports", "[]core.v1.PortStatus", kAtomic},
};
constexpr FieldFacts kCoreV1LoadBalancerStatus[] = {
    {"ingress", "[]core.v1.LoadBalancerIngress", kAtomic},
};
constexpr FieldFacts kCoreV1ModifyVolumeStatus[] = {
    {"status", "string", kRequired | kWritten, "", "", "", "InProgress|Infeasible|Pending"},
    {"targetVolumeAttributesClassName", "string"},
};
constexpr FieldFacts kCoreV1Namespace[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.NamespaceSpec", kWritten},
    {"status", "core.v1.NamespaceStatus", kWritten},
};
constexpr FieldFacts kCoreV1NamespaceCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1NamespaceSpec[] = {
    {"finalizers", "[]string", kAtomic},
};
constexpr FieldFacts kCoreV1NamespaceStatus[] = {
    {"conditions", "[]core.v1.NamespaceCondition", kMap | kMerge, "type", "type"},
    {"phase", "string", 0, "", "", "", "Active|Terminating"},
};
constexpr FieldFacts kCoreV1Node[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.NodeSpec", kWritten},
    {"status", "core.v1.NodeStatus", kWritten},
};
constexpr FieldFacts kCoreV1NodeAddress[] = {
    {"address", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1NodeCondition[] = {
    {"lastHeartbeatTime", "time", kWritten},
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1NodeConfigSource[] = {
    {"configMap", "core.v1.ConfigMapNodeConfigSource", kPointer},
};
constexpr FieldFacts kCoreV1NodeConfigStatus[] = {
    {"active", "core.v1.NodeConfigSource", kPointer},
    {"assigned", "core.v1.NodeConfigSource", kPointer},
    {"error", "string"},
    {"lastKnownGood", "core.v1.NodeConfigSource", kPointer},
};
constexpr FieldFacts kCoreV1NodeDaemonEndpoints[] = {
    {"kubeletEndpoint", "core.v1.DaemonEndpoint", kWritten},
};
constexpr FieldFacts kCoreV1NodeFeatures[] = {
    {"supplementalGroupsPolicy", "bool", kPointer},
};
constexpr FieldFacts kCoreV1NodeRuntimeHandler[] = {
    {"features", "core.v1.NodeRuntimeHandlerFeatures", kPointer},
    {"name", "string", kWritten},
};
constexpr FieldFacts kCoreV1NodeRuntimeHandlerFeatures[] = {
    {"recursiveReadOnlyMounts", "bool", kPointer},
    {"userNamespaces", "bool", kPointer},
};
constexpr FieldFacts kCoreV1NodeSpec[] = {
    {"configSource", "core.v1.NodeConfigSource", kPointer},
    {"externalID", "string"},
    {"podCIDR", "string"},
    {"podCIDRs", "[]string", kSet | kMerge},
    {"providerID", "string"},
    {"taints", "[]core.v1.Taint", kAtomic},
    {"unschedulable", "bool"},
};
constexpr FieldFacts kCoreV1NodeStatus[] = {
    {"addresses", "[]core.v1.NodeAddress", kMap | kMerge, "type", "type"},
    {"allocatable", "{}quantity"},
    {"capacity", "{}quantity"},
    {"conditions", "[]core.v1.NodeCondition", kMap | kMerge, "type", "type"},
    {"config", "core.v1.NodeConfigStatus", kPointer},
    {"daemonEndpoints", "core.v1.NodeDaemonEndpoints", kWritten},
    {"declaredFeatures", "[]string", kAtomic},
    {"features", "core.v1.NodeFeatures", kPointer},
    {"images", "[]core.v1.ContainerImage", kAtomic},
    {"nodeInfo", "core.v1.NodeSystemInfo", kWritten},
    {"phase", "string", 0, "", "", "", "Pending|Running|Terminated"},
    {"runtimeHandlers", "[]core.v1.NodeRuntimeHandler", kAtomic},
    {"volumesAttached", "[]core.v1.AttachedVolume", kAtomic},
    {"volumesInUse", "[]string", kAtomic},
};
constexpr FieldFacts kCoreV1NodeSwapStatus[] = {
    {"capacity", "int64", kPointer},
};
constexpr FieldFacts kCoreV1NodeSystemInfo[] = {
    {"architecture", "string", kRequired | kWritten},
    {"bootID", "string", kRequired | kWritten},
    {"containerRuntimeVersion", "string", kRequired | kWritten},
    {"kernelVersion", "string", kRequired | kWritten},
    {"kubeProxyVersion", "string", kRequired | kWritten},
    {"kubeletVersion", "string", kRequired | kWritten},
    {"machineID", "string", kRequired | kWritten},
    {"operatingSystem", "string", kRequired | kWritten},
    {"osImage", "string", kRequired | kWritten},
    {"swap", "core.v1.NodeSwapStatus", kPointer},
    {"systemUUID", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PersistentVolumeClaim[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.PersistentVolumeClaimSpec", kWritten},
    {"status", "core.v1.PersistentVolumeClaimStatus", kWritten},
};
constexpr FieldFacts kCoreV1PersistentVolumeClaimCondition[] = {
    {"lastProbeTime", "time", kWritten},
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PersistentVolumeClaimStatus[] = {
    {"accessModes", "[]string", kAtomic, "", "", "",
     "ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod"},
    {"allocatedResourceStatuses", "{}string", 0, "", "", "",
     "ControllerResizeInProgress|ControllerResizeInfeasible|NodeResizeInProgress|"
     "NodeResizeInfeasible|NodeResizePending"},
    {"allocatedResources", "{}quantity"},
    {"capacity", "{}quantity"},
    {"conditions", "[]core.v1.PersistentVolumeClaimCondition", kMap | kMerge, "type", "type"},
    {"currentVolumeAttributesClassName", "string", kPointer},
    {"modifyVolumeStatus", "core.v1.ModifyVolumeStatus", kPointer},
    {"phase", "string", 0, "", "", "", "Bound|Lost|Pending"},
};
constexpr FieldFacts kCoreV1PortStatus[] = {
    {"error", "string", kPointer},
    {"port", "int32", kRequired | kWritten},
    {"protocol", "string", kRequired | kWritten, "", "", "", "SCTP|TCP|UDP"},
};
constexpr FieldFacts kCoreV1ReplicationController[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.ReplicationControllerSpec", kWritten},
    {"status", "core.v1.ReplicationControllerStatus", kWritten},
};
constexpr FieldFacts kCoreV1ReplicationControllerCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ReplicationControllerSpec[] = {
    {"minReadySeconds", "int32", 0, "", "", "0"},
    {"replicas", "int32", kPointer, "", "", "1"},
    {"selector", "{}string", kAtomic},
    {"template", "core.v1.PodTemplateSpec", kPointer},
};
constexpr FieldFacts kCoreV1ReplicationControllerStatus[] = {
    {"availableReplicas", "int32"},
    {"conditions", "[]core.v1.ReplicationControllerCondition", kMap | kMerge, "type", "type"},
    {"fullyLabeledReplicas", "int32"},
    {"observedGeneration", "int64"},
    {"readyReplicas", "int32"},
    {"replicas", "int32", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ResourceQuota[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.ResourceQuotaSpec", kWritten},
    {"status", "core.v1.ResourceQuotaStatus", kWritten},
};
constexpr FieldFacts kCoreV1ResourceQuotaSpec[] = {
    {"hard", "{}quantity"},
    {"scopeSelector", "core.v1.ScopeSelector", kPointer},
    {"scopes", "[]string", kAtomic, "", "", "",
     "BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|"
     "VolumeAttributesClass"},
};
constexpr FieldFacts kCoreV1ResourceQuotaStatus[] = {
    {"hard", "{}quantity"},
    {"used", "{}quantity"},
};
constexpr FieldFacts kCoreV1ScopeSelector[] = {
    {"matchExpressions", "[]core.v1.ScopedResourceSelectorRequirement", kAtomic},
};
constexpr FieldFacts kCoreV1ScopedResourceSelectorRequirement[] = {
    {"operator", "string", kRequired | kWritten, "", "", "", "DoesNotExist|Exists|In|NotIn"},
    {"scopeName", "string", kRequired | kWritten, "", "", "",
     "BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|"
     "VolumeAttributesClass"},
    {"values", "[]string", kAtomic},
};
constexpr FieldFacts kCoreV1Secret[] = {
    {"data", "{}bytes"},
    {"immutable", "bool", kPointer},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"stringData", "{}string"},
    {"type", "string"},
};
constexpr FieldFacts kCoreV1Service[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.ServiceSpec", kWritten},
    {"status", "core.v1.ServiceStatus", kWritten},
};
constexpr FieldFacts kCoreV1ServiceAccount[] = {
    {"automountServiceAccountToken", "bool", kPointer},
    {"imagePullSecrets", "[]core.v1.LocalObjectReference", kAtomic},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"secrets", "[]core.v1.ObjectReference", kMap | kMerge, "name", "name"},
};
constexpr FieldFacts kCoreV1ServicePort[] = {
    {"appProtocol", "string", kPointer},
    {"name", "string"},
    {"nodePort", "int32"},
    {"port", "int32", kRequired | kWritten},
    {"protocol", "string", 0, "", "", "\"TCP\"", "SCTP|TCP|UDP"},
    {"targetPort", "intorstring", kWritten},
};
constexpr FieldFacts kCoreV1ServiceSpec[] = {
    {"allocateLoadBalancerNodePorts", "bool", kPointer},
    {"clusterIP", "string"},
    {"clusterIPs", "[]string", kAtomic},
    {"externalIPs", "[]string", kAtomic},
    {"externalName", "string"},
    {"externalTrafficPolicy", "string", 0, "", "", "", "Cluster|Local"},
    {"healthCheckNodePort", "int32"},
    {"internalTrafficPolicy", "string", kPointer, "", "", "", "Cluster|Local"},
    {"ipFamilies", "[]string", kAtomic, "", "", "", "|IPv4|IPv6"},
    {"ipFamilyPolicy", "string", kPointer, "", "", "",
     "PreferDualStack|RequireDualStack|SingleStack"},
    {"loadBalancerClass", "string", kPointer},
    {"loadBalancerIP", "string"},
    {"loadBalancerSourceRanges", "[]string", kAtomic},
    {"ports", "[]core.v1.ServicePort", kMap | kMerge, "port,protocol", "port"},
    {"publishNotReadyAddresses", "bool"},
    {"selector", "{}string", kAtomic},
    {"sessionAffinity", "string", 0, "", "", "", "ClientIP|None"},
    {"sessionAffinityConfig", "core.v1.SessionAffinityConfig", kPointer},
    {"trafficDistribution", "string", kPointer},
    {"type", "string", 0, "", "", "", "ClusterIP|ExternalName|LoadBalancer|NodePort"},
};
constexpr FieldFacts kCoreV1ServiceStatus[] = {
    {"conditions", "[]meta.v1.Condition", kMap | kMerge, "type", "type"},
    {"loadBalancer", "core.v1.LoadBalancerStatus", kWritten},
};
constexpr FieldFacts kCoreV1SessionAffinityConfig[] = {
    {"clientIP", "core.v1.ClientIPConfig", kPointer},
};
constexpr FieldFacts kCoreV1Taint[] = {
    {"effect", "string", kRequired | kWritten, "", "", "", "NoExecute|NoSchedule|PreferNoSchedule"},
    {"key", "string", kRequired | kWritten},
    {"timeAdded", "time", kPointer},
    {"value", "string"},
};
constexpr FieldFacts kCoreV1TopologySelectorLabelRequirement[] = {
    {"key", "string", kRequired | kWritten},
    {"values", "[]string", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kCoreV1TopologySelectorTerm[] = {
    {"matchLabelExpressions", "[]core.v1.TopologySelectorLabelRequirement", kAtomic},
};

constexpr StructFacts kStructs[] = {
    {"core.v1.AttachedVolume", kCoreV1AttachedVolume, 0, "name,devicePath"},
    {"core.v1.Binding", kCoreV1Binding, kTopLevel},
    {"core.v1.ClientIPConfig", kCoreV1ClientIPConfig},
    {"core.v1.ComponentCondition", kCoreV1ComponentCondition, 0, "type,status"},
    {"core.v1.ComponentStatus", kCoreV1ComponentStatus, kTopLevel},
    {"core.v1.ConfigMap", kCoreV1ConfigMap, kTopLevel},
    {"core.v1.ConfigMapNodeConfigSource", kCoreV1ConfigMapNodeConfigSource, 0,
     "namespace,name,kubeletConfigKey"},
    {"core.v1.ContainerImage", kCoreV1ContainerImage},
    {"core.v1.DaemonEndpoint", kCoreV1DaemonEndpoint},
    {"core.v1.EndpointAddress", kCoreV1EndpointAddress, kAtomicStruct},
    {"core.v1.EndpointPort", kCoreV1EndpointPort, kAtomicStruct},
    {"core.v1.EndpointSubset", kCoreV1EndpointSubset},
    {"core.v1.Endpoints", kCoreV1Endpoints, kTopLevel},
    {"core.v1.Event", kCoreV1Event, kTopLevel, "metadata,involvedObject"},
    {"core.v1.EventSeries", kCoreV1EventSeries},
    {"core.v1.EventSource", kCoreV1EventSource},
    {"core.v1.LimitRange", kCoreV1LimitRange, kTopLevel},
    {"core.v1.LimitRangeItem", kCoreV1LimitRangeItem},
    {"core.v1.LimitRangeSpec", kCoreV1LimitRangeSpec},
    {"core.v1.LoadBalancerIngress", kCoreV1LoadBalancerIngress},
    {"core.v1.LoadBalancerStatus", kCoreV1LoadBalancerStatus},
    {"core.v1.ModifyVolumeStatus", kCoreV1ModifyVolumeStatus},
    {"core.v1.Namespace", kCoreV1Namespace, kTopLevel},
    {"core.v1.NamespaceCondition", kCoreV1NamespaceCondition, 0, "type,status"},
    {"core.v1.NamespaceSpec", kCoreV1NamespaceSpec},
    {"core.v1.NamespaceStatus", kCoreV1NamespaceStatus},
    {"core.v1.Node", kCoreV1Node, kTopLevel},
    {"core.v1.NodeAddress", kCoreV1NodeAddress, 0, "type,address"},
    {"core.v1.NodeCondition", kCoreV1NodeCondition, 0, "type,status"},
    {"core.v1.NodeConfigSource", kCoreV1NodeConfigSource},
    {"core.v1.NodeConfigStatus", kCoreV1NodeConfigStatus},
    {"core.v1.NodeDaemonEndpoints", kCoreV1NodeDaemonEndpoints},
    {"core.v1.NodeFeatures", kCoreV1NodeFeatures},
    {"core.v1.NodeRuntimeHandler", kCoreV1NodeRuntimeHandler},
    {"core.v1.NodeRuntimeHandlerFeatures", kCoreV1NodeRuntimeHandlerFeatures},
    {"core.v1.NodeSpec", kCoreV1NodeSpec},
    {"core.v1.NodeStatus", kCoreV1NodeStatus},
    {"core.v1.NodeSwapStatus", kCoreV1NodeSwapStatus},
    {"core.v1.NodeSystemInfo", kCoreV1NodeSystemInfo, 0,
     "machineID,systemUUID,bootID,kernelVersion,osImage,containerRuntimeVersion,kubeletVersion,"
     "kubeProxyVersion,operatingSystem,architecture"},
    {"core.v1.PersistentVolumeClaim", kCoreV1PersistentVolumeClaim, kTopLevel},
    {"core.v1.PersistentVolumeClaimCondition", kCoreV1PersistentVolumeClaimCondition, 0,
     "type,status"},
    {"core.v1.PersistentVolumeClaimStatus", kCoreV1PersistentVolumeClaimStatus},
    {"core.v1.PortStatus", kCoreV1PortStatus},
    {"core.v1.ReplicationController", kCoreV1ReplicationController, kTopLevel},
    {"core.v1.ReplicationControllerCondition", kCoreV1ReplicationControllerCondition, 0,
     "type,status"},
    {"core.v1.ReplicationControllerSpec", kCoreV1ReplicationControllerSpec},
    {"core.v1.ReplicationControllerStatus", kCoreV1ReplicationControllerStatus},
    {"core.v1.ResourceQuota", kCoreV1ResourceQuota, kTopLevel},
    {"core.v1.ResourceQuotaSpec", kCoreV1ResourceQuotaSpec},
    {"core.v1.ResourceQuotaStatus", kCoreV1ResourceQuotaStatus},
    {"core.v1.ScopeSelector", kCoreV1ScopeSelector, kAtomicStruct},
    {"core.v1.ScopedResourceSelectorRequirement", kCoreV1ScopedResourceSelectorRequirement, 0,
     "scopeName,operator"},
    {"core.v1.Secret", kCoreV1Secret, kTopLevel},
    {"core.v1.Service", kCoreV1Service, kTopLevel},
    {"core.v1.ServiceAccount", kCoreV1ServiceAccount, kTopLevel},
    {"core.v1.ServicePort", kCoreV1ServicePort},
    {"core.v1.ServiceSpec", kCoreV1ServiceSpec},
    {"core.v1.ServiceStatus", kCoreV1ServiceStatus},
    {"core.v1.SessionAffinityConfig", kCoreV1SessionAffinityConfig},
    {"core.v1.Taint", kCoreV1Taint, 0, "key,effect"},
    {"core.v1.TopologySelectorLabelRequirement", kCoreV1TopologySelectorLabelRequirement},
    {"core.v1.TopologySelectorTerm", kCoreV1TopologySelectorTerm, kAtomicStruct},
};

}  // namespace

std::span<const StructFacts> CoreFacts() { return kStructs; }

}  // namespace kueue::api::facts
