// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kDiscoveryV1Endpoint[] = {
    {"addresses", "[]string", kRequired | kWritten | kSet},
    {"conditions", "discovery.v1.EndpointConditions", kWritten},
    {"deprecatedTopology", "{}string"},
    {"hints", "discovery.v1.EndpointHints", kPointer},
    {"hostname", "string", kPointer},
    {"nodeName", "string", kPointer},
    {"targetRef", "core.v1.ObjectReference", kPointer},
    {"zone", "string", kPointer},
};
constexpr FieldFacts kDiscoveryV1EndpointConditions[] = {
    {"ready", "bool", kPointer},
    {"serving", "bool", kPointer},
    {"terminating", "bool", kPointer},
};
constexpr FieldFacts kDiscoveryV1EndpointHints[] = {
    {"forNodes", "[]discovery.v1.ForNode", kAtomic},
    {"forZones", "[]discovery.v1.ForZone", kAtomic},
};
constexpr FieldFacts kDiscoveryV1EndpointPort[] = {
    {"appProtocol", "string", kPointer},
    {"name", "string", kPointer},
    {"port", "int32", kPointer},
    {"protocol", "string", kPointer, "", "", "", "SCTP|TCP|UDP"},
};
constexpr FieldFacts kDiscoveryV1EndpointSlice[] = {
    {"addressType", "string", kRequired | kWritten, "", "", "", "FQDN|IPv4|IPv6"},
    {"endpoints", "[]discovery.v1.Endpoint", kWritten | kAtomic},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"ports", "[]discovery.v1.EndpointPort", kWritten | kAtomic},
};
constexpr FieldFacts kDiscoveryV1ForNode[] = {
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kDiscoveryV1ForZone[] = {
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kNetworkingV1HTTPIngressPath[] = {
    {"backend", "networking.v1.IngressBackend", kRequired | kWritten},
    {"path", "string"},
    {"pathType", "string", kRequired | kPointer | kWritten, "", "", "",
     "Exact|ImplementationSpecific|Prefix"},
};
constexpr FieldFacts kNetworkingV1HTTPIngressRuleValue[] = {
    {"paths", "[]networking.v1.HTTPIngressPath", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kNetworkingV1IPAddress[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "networking.v1.IPAddressSpec", kRequired | kWritten},
};
constexpr FieldFacts kNetworkingV1IPAddressSpec[] = {
    {"parentRef", "networking.v1.ParentReference", kRequired | kPointer},
};
constexpr FieldFacts kNetworkingV1IPBlock[] = {
    {"cidr", "string", kRequired | kWritten},
    {"except", "[]string", kAtomic},
};
constexpr FieldFacts kNetworkingV1Ingress[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "networking.v1.IngressSpec", kWritten},
    {"status", "networking.v1.IngressStatus", kWritten},
};
constexpr FieldFacts kNetworkingV1IngressBackend[] = {
    {"resource", "core.v1.TypedLocalObjectReference", kPointer},
    {"service", "networking.v1.IngressServiceBackend", kPointer},
};
constexpr FieldFacts kNetworkingV1IngressClass[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "networking.v1.IngressClassSpec", kWritten},
};
constexpr FieldFacts kNetworkingV1IngressClassParametersReference[] = {
    {"apiGroup", "string", kPointer},
    {"kind", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"namespace", "string", kPointer},
    {"scope", "string", kPointer | kWritten},
};
constexpr FieldFacts kNetworkingV1IngressClassSpec[] = {
    {"controller", "string"},
    {"parameters", "networking.v1.IngressClassParametersReference", kPointer},
};
constexpr FieldFacts kNetworkingV1IngressLoadBalancerIngress[] = {
    {"hostname", "string"},
    {"ip", "string"},
    {"ports", "[]networking.v1.IngressPortStatus", kAtomic},
};
constexpr FieldFacts kNetworkingV1IngressLoadBalancerStatus[] = {
    {"ingress", "[]networking.v1.IngressLoadBalancerIngress", kAtomic},
};
constexpr FieldFacts kNetworkingV1IngressPortStatus[] = {
    {"error", "string", kPointer},
    {"port", "int32", kRequired | kWritten},
    {"protocol", "string", kRequired | kWritten, "", "", "", "SCTP|TCP|UDP"},
};
constexpr FieldFacts kNetworkingV1IngressRule[] = {
    {"host", "string"},
    {"http", "networking.v1.HTTPIngressRuleValue", kPointer},
};
constexpr FieldFacts kNetworkingV1IngressServiceBackend[] = {
    {"name", "string", kRequired | kWritten},
    {"port", "networking.v1.ServiceBackendPort", kWritten},
};
constexpr FieldFacts kNetworkingV1IngressSpec[] = {
    {"defaultBackend", "networking.v1.IngressBackend", kPointer},
    {"ingressClassName", "string", kPointer},
    {"rules", "[]networking.v1.IngressRule", kAtomic},
    {"tls", "[]networking.v1.IngressTLS", kAtomic},
};
constexpr FieldFacts kNetworkingV1IngressStatus[] = {
    {"loadBalancer", "networking.v1.IngressLoadBalancerStatus", kWritten},
};
constexpr FieldFacts kNetworkingV1IngressTLS[] = {
    {"hosts", "[]string", kAtomic},
    {"secretName", "string"},
};
constexpr FieldFacts kNetworkingV1NetworkPolicy[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "networking.v1.NetworkPolicySpec", kWritten},
};
constexpr FieldFacts kNetworkingV1NetworkPolicyEgressRule[] = {
    {"ports", "[]networking.v1.NetworkPolicyPort", kAtomic},
    {"to", "[]networking.v1.NetworkPolicyPeer", kAtomic},
};
constexpr FieldFacts kNetworkingV1NetworkPolicyIngressRule[] = {
    {"from", "[]networking.v1.NetworkPolicyPeer", kAtomic},
    {"ports", "[]networking.v1.NetworkPolicyPort", kAtomic},
};
constexpr FieldFacts kNetworkingV1NetworkPolicyPeer[] = {
    {"ipBlock", "networking.v1.IPBlock", kPointer},
    {"namespaceSelector", "meta.v1.LabelSelector", kPointer},
    {"podSelector", "meta.v1.LabelSelector", kPointer},
};
constexpr FieldFacts kNetworkingV1NetworkPolicyPort[] = {
    {"endPort", "int32", kPointer},
    {"port", "intorstring", kPointer},
    {"protocol", "string", kPointer, "", "", "", "SCTP|TCP|UDP"},
};
constexpr FieldFacts kNetworkingV1NetworkPolicySpec[] = {
    {"egress", "[]networking.v1.NetworkPolicyEgressRule", kAtomic},
    {"ingress", "[]networking.v1.NetworkPolicyIngressRule", kAtomic},
    {"podSelector", "meta.v1.LabelSelector", kWritten},
    {"policyTypes", "[]string", kAtomic, "", "", "", "Egress|Ingress"},
};
constexpr FieldFacts kNetworkingV1ParentReference[] = {
    {"group", "string"},
    {"name", "string", kRequired},
    {"namespace", "string"},
    {"resource", "string", kRequired},
};
constexpr FieldFacts kNetworkingV1ServiceBackendPort[] = {
    {"name", "string"},
    {"number", "int32"},
};
constexpr FieldFacts kNetworkingV1ServiceCIDR[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "networking.v1.ServiceCIDRSpec", kWritten},
    {"status", "networking.v1.ServiceCIDRStatus", kWritten},
};
constexpr FieldFacts kNetworkingV1ServiceCIDRSpec[] = {
    {"cidrs", "[]string", kAtomic},
};
constexpr FieldFacts kNetworkingV1ServiceCIDRStatus[] = {
    {"conditions", "[]meta.v1.Condition", kMap | kMerge, "type", "type"},
};

constexpr StructFacts kStructs[] = {
    {"discovery.v1.Endpoint", kDiscoveryV1Endpoint},
    {"discovery.v1.EndpointConditions", kDiscoveryV1EndpointConditions},
    {"discovery.v1.EndpointHints", kDiscoveryV1EndpointHints},
    {"discovery.v1.EndpointPort", kDiscoveryV1EndpointPort, kAtomicStruct},
    {"discovery.v1.EndpointSlice", kDiscoveryV1EndpointSlice, kTopLevel},
    {"discovery.v1.ForNode", kDiscoveryV1ForNode},
    {"discovery.v1.ForZone", kDiscoveryV1ForZone},
    {"networking.v1.HTTPIngressPath", kNetworkingV1HTTPIngressPath, 0, "pathType,backend"},
    {"networking.v1.HTTPIngressRuleValue", kNetworkingV1HTTPIngressRuleValue},
    {"networking.v1.IPAddress", kNetworkingV1IPAddress, kTopLevel},
    {"networking.v1.IPAddressSpec", kNetworkingV1IPAddressSpec},
    {"networking.v1.IPBlock", kNetworkingV1IPBlock},
    {"networking.v1.Ingress", kNetworkingV1Ingress, kTopLevel},
    {"networking.v1.IngressBackend", kNetworkingV1IngressBackend},
    {"networking.v1.IngressClass", kNetworkingV1IngressClass, kTopLevel},
    {"networking.v1.IngressClassParametersReference", kNetworkingV1IngressClassParametersReference},
    {"networking.v1.IngressClassSpec", kNetworkingV1IngressClassSpec},
    {"networking.v1.IngressLoadBalancerIngress", kNetworkingV1IngressLoadBalancerIngress},
    {"networking.v1.IngressLoadBalancerStatus", kNetworkingV1IngressLoadBalancerStatus},
    {"networking.v1.IngressPortStatus", kNetworkingV1IngressPortStatus},
    {"networking.v1.IngressRule", kNetworkingV1IngressRule},
    {"networking.v1.IngressServiceBackend", kNetworkingV1IngressServiceBackend},
    {"networking.v1.IngressSpec", kNetworkingV1IngressSpec},
    {"networking.v1.IngressStatus", kNetworkingV1IngressStatus},
    {"networking.v1.IngressTLS", kNetworkingV1IngressTLS},
    {"networking.v1.NetworkPolicy", kNetworkingV1NetworkPolicy, kTopLevel},
    {"networking.v1.NetworkPolicyEgressRule", kNetworkingV1NetworkPolicyEgressRule},
    {"networking.v1.NetworkPolicyIngressRule", kNetworkingV1NetworkPolicyIngressRule},
    {"networking.v1.NetworkPolicyPeer", kNetworkingV1NetworkPolicyPeer},
    {"networking.v1.NetworkPolicyPort", kNetworkingV1NetworkPolicyPort},
    {"networking.v1.NetworkPolicySpec", kNetworkingV1NetworkPolicySpec},
    {"networking.v1.ParentReference", kNetworkingV1ParentReference, 0, "resource,name"},
    {"networking.v1.ServiceBackendPort", kNetworkingV1ServiceBackendPort, kAtomicStruct},
    {"networking.v1.ServiceCIDR", kNetworkingV1ServiceCIDR, kTopLevel},
    {"networking.v1.ServiceCIDRSpec", kNetworkingV1ServiceCIDRSpec},
    {"networking.v1.ServiceCIDRStatus", kNetworkingV1ServiceCIDRStatus},
};

}  // namespace

std::span<const StructFacts> NetworkFacts() { return kStructs; }

}  // namespace kueue::api::facts
