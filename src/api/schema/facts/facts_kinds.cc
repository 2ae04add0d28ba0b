// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr ColumnFacts kComponentStatusColumns[] = {
    {"Name", "string"},
    {"Status", "string"},
    {"Message", "string"},
    {"Error", "string"},
};
constexpr ColumnFacts kConfigMapColumns[] = {
    {"Name", "string"},
    {"Data", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kEndpointsColumns[] = {
    {"Name", "string"},
    {"Endpoints", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kEventColumns[] = {
    {"Last Seen", "string"},
    {"Type", "string"},
    {"Reason", "string"},
    {"Object", "string"},
    {"Subobject", "string", 1},
    {"Source", "string", 1},
    {"Message", "string"},
    {"First Seen", "string", 1},
    {"Count", "string", 1},
    {"Name", "string", 1},
};
constexpr ColumnFacts kLimitRangeColumns[] = {
    {"Name", "string"},
    {"Created At", "date"},
};
constexpr ColumnFacts kNamespaceColumns[] = {
    {"Name", "string"},
    {"Status", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kNodeColumns[] = {
    {"Name", "string"},
    {"Status", "string"},
    {"Roles", "string"},
    {"Age", "string"},
    {"Version", "string"},
    {"Internal-IP", "string", 1},
    {"External-IP", "string", 1},
    {"OS-Image", "string", 1},
    {"Kernel-Version", "string", 1},
    {"Container-Runtime", "string", 1},
};
constexpr ColumnFacts kPersistentVolumeColumns[] = {
    {"Name", "string"},
    {"Capacity", "string"},
    {"Access Modes", "string"},
    {"Reclaim Policy", "string"},
    {"Status", "string"},
    {"Claim", "string"},
    {"StorageClass", "string"},
    {"VolumeAttributesClass", "string"},
    {"Reason", "string"},
    {"Age", "string"},
    {"VolumeMode", "string", 1},
};
constexpr ColumnFacts kPersistentVolumeClaimColumns[] = {
    {"Name", "string"},
    {"Status", "string"},
    {"Volume", "string"},
    {"Capacity", "string"},
    {"Access Modes", "string"},
    {"StorageClass", "string"},
    {"VolumeAttributesClass", "string"},
    {"Age", "string"},
    {"VolumeMode", "string", 1},
};
constexpr ColumnFacts kPodColumns[] = {
    {"Name", "string"},
    {"Ready", "string"},
    {"Status", "string"},
    {"Restarts", "string"},
    {"Age", "string"},
    {"IP", "string", 1},
    {"Node", "string", 1},
    {"Nominated Node", "string", 1},
    {"Readiness Gates", "string", 1},
};
constexpr ColumnFacts kPodTemplateColumns[] = {
    {"Name", "string"},
    {"Containers", "string"},
    {"Images", "string"},
    {"Pod Labels", "string"},
};
constexpr ColumnFacts kReplicationControllerColumns[] = {
    {"Name", "string"},
    {"Desired", "integer"},
    {"Current", "integer"},
    {"Ready", "integer"},
    {"Age", "string"},
    {"Containers", "string", 1},
    {"Images", "string", 1},
    {"Selector", "string", 1},
};
constexpr ColumnFacts kResourceQuotaColumns[] = {
    {"Name", "string"},
    {"Request", "string"},
    {"Limit", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kSecretColumns[] = {
    {"Name", "string"},
    {"Type", "string"},
    {"Data", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kServiceColumns[] = {
    {"Name", "string"},
    {"Type", "string"},
    {"Cluster-IP", "string"},
    {"External-IP", "string"},
    {"Port(s)", "string"},
    {"Age", "string"},
    {"Selector", "string", 1},
};
constexpr ColumnFacts kServiceAccountColumns[] = {
    {"Name", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kAdmissionregistrationK8sIoMutatingAdmissionPolicyColumns[] = {
    {"Name", "string"},
    {"Mutations", "integer"},
    {"ParamKind", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kAdmissionregistrationK8sIoMutatingAdmissionPolicyBindingColumns[] = {
    {"Name", "string"},
    {"PolicyName", "string"},
    {"ParamRef", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kAdmissionregistrationK8sIoMutatingWebhookConfigurationColumns[] = {
    {"Name", "string"},
    {"Webhooks", "integer"},
    {"Age", "string"},
};
constexpr ColumnFacts kAdmissionregistrationK8sIoValidatingAdmissionPolicyColumns[] = {
    {"Name", "string"},
    {"Validations", "integer"},
    {"ParamKind", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kAdmissionregistrationK8sIoValidatingAdmissionPolicyBindingColumns[] = {
    {"Name", "string"},
    {"PolicyName", "string"},
    {"ParamRef", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kAdmissionregistrationK8sIoValidatingWebhookConfigurationColumns[] = {
    {"Name", "string"},
    {"Webhooks", "integer"},
    {"Age", "string"},
};
constexpr ColumnFacts kApiextensionsK8sIoCustomResourceDefinitionColumns[] = {
    {"Name", "string"},
    {"Created At", "date"},
};
constexpr ColumnFacts kApiregistrationK8sIoAPIServiceColumns[] = {
    {"Name", "string"},
    {"Service", "string"},
    {"Available", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kAppsControllerRevisionColumns[] = {
    {"Name", "string"},
    {"Controller", "string"},
    {"Revision", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kAppsDaemonSetColumns[] = {
    {"Name", "string"},
    {"Desired", "integer"},
    {"Current", "integer"},
    {"Ready", "integer"},
    {"Up-to-date", "integer"},
    {"Available", "integer"},
    {"Node Selector", "string"},
    {"Age", "string"},
    {"Containers", "string", 1},
    {"Images", "string", 1},
    {"Selector", "string", 1},
};
constexpr ColumnFacts kAppsDeploymentColumns[] = {
    {"Name", "string"},
    {"Ready", "string"},
    {"Up-to-date", "string"},
    {"Available", "string"},
    {"Age", "string"},
    {"Containers", "string", 1},
    {"Images", "string", 1},
    {"Selector", "string", 1},
};
constexpr ColumnFacts kAppsReplicaSetColumns[] = {
    {"Name", "string"},
    {"Desired", "integer"},
    {"Current", "integer"},
    {"Ready", "integer"},
    {"Age", "string"},
    {"Containers", "string", 1},
    {"Images", "string", 1},
    {"Selector", "string", 1},
};
constexpr ColumnFacts kAppsStatefulSetColumns[] = {
    {"Name", "string"},
    {"Ready", "string"},
    {"Age", "string"},
    {"Containers", "string", 1},
    {"Images", "string", 1},
};
constexpr ColumnFacts kAutoscalingHorizontalPodAutoscalerColumns[] = {
    {"Name", "string"},
    {"Reference", "string"},
    {"Targets", "string"},
    {"MinPods", "string"},
    {"MaxPods", "string"},
    {"Replicas", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kAutoscalingV2HorizontalPodAutoscalerColumns[] = {
    {"Name", "string"},
    {"Reference", "string"},
    {"Targets", "string"},
    {"MinPods", "string"},
    {"MaxPods", "string"},
    {"Replicas", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kBatchCronJobColumns[] = {
    {"Name", "string"},
    {"Schedule", "string"},
    {"Timezone", "string"},
    {"Suspend", "boolean"},
    {"Active", "integer"},
    {"Last Schedule", "string"},
    {"Age", "string"},
    {"Containers", "string", 1},
    {"Images", "string", 1},
    {"Selector", "string", 1},
};
constexpr ColumnFacts kBatchJobColumns[] = {
    {"Name", "string"},
    {"Status", "string"},
    {"Completions", "string"},
    {"Duration", "string"},
    {"Age", "string"},
    {"Containers", "string", 1},
    {"Images", "string", 1},
    {"Selector", "string", 1},
};
constexpr ColumnFacts kCertificatesK8sIoCertificateSigningRequestColumns[] = {
    {"Name", "string"},
    {"Age", "string"},
    {"SignerName", "string"},
    {"Requestor", "string"},
    {"RequestedDuration", "string"},
    {"Condition", "string"},
};
constexpr ColumnFacts kCoordinationK8sIoLeaseColumns[] = {
    {"Name", "string"},
    {"Holder", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kDiscoveryK8sIoEndpointSliceColumns[] = {
    {"Name", "string"},
    {"AddressType", "string"},
    {"Ports", "string"},
    {"Endpoints", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kEventsK8sIoEventColumns[] = {
    {"Last Seen", "string"},
    {"Type", "string"},
    {"Reason", "string"},
    {"Object", "string"},
    {"Subobject", "string", 1},
    {"Source", "string", 1},
    {"Message", "string"},
    {"First Seen", "string", 1},
    {"Count", "string", 1},
    {"Name", "string", 1},
};
constexpr ColumnFacts kFlowcontrolApiserverK8sIoFlowSchemaColumns[] = {
    {"Name", "string"},
    {"PriorityLevel", "string"},
    {"MatchingPrecedence", "string"},
    {"DistinguisherMethod", "string"},
    {"Age", "string"},
    {"MissingPL", "string"},
};
constexpr ColumnFacts kFlowcontrolApiserverK8sIoPriorityLevelConfigurationColumns[] = {
    {"Name", "string"},
    {"Type", "string"},
    {"NominalConcurrencyShares", "string"},
    {"Queues", "string"},
    {"HandSize", "string"},
    {"QueueLengthLimit", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kNetworkingK8sIoIPAddressColumns[] = {
    {"Name", "string"},
    {"ParentRef", "string"},
};
constexpr ColumnFacts kNetworkingK8sIoIngressColumns[] = {
    {"Name", "string"},
    {"Class", "string"},
    {"Hosts", "string"},
    {"Address", "string"},
    {"Ports", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kNetworkingK8sIoIngressClassColumns[] = {
    {"Name", "string"},
    {"Controller", "string"},
    {"Parameters", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kNetworkingK8sIoNetworkPolicyColumns[] = {
    {"Name", "string"},
    {"Pod-Selector", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kNetworkingK8sIoServiceCIDRColumns[] = {
    {"Name", "string"},
    {"CIDRs", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kNodeK8sIoRuntimeClassColumns[] = {
    {"Name", "string"},
    {"Handler", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kPolicyPodDisruptionBudgetColumns[] = {
    {"Name", "string"},
    {"Min Available", "string"},
    {"Max Unavailable", "string"},
    {"Allowed Disruptions", "integer"},
    {"Age", "string"},
};
constexpr ColumnFacts kRbacAuthorizationK8sIoClusterRoleColumns[] = {
    {"Name", "string"},
    {"Created At", "date"},
};
constexpr ColumnFacts kRbacAuthorizationK8sIoClusterRoleBindingColumns[] = {
    {"Name", "string"},
    {"Role", "string"},
    {"Age", "string"},
    {"Users", "string", 1},
    {"Groups", "string", 1},
    {"ServiceAccounts", "string", 1},
};
constexpr ColumnFacts kRbacAuthorizationK8sIoRoleColumns[] = {
    {"Name", "string"},
    {"Created At", "date"},
};
constexpr ColumnFacts kRbacAuthorizationK8sIoRoleBindingColumns[] = {
    {"Name", "string"},
    {"Role", "string"},
    {"Age", "string"},
    {"Users", "string", 1},
    {"Groups", "string", 1},
    {"ServiceAccounts", "string", 1},
};
constexpr ColumnFacts kResourceK8sIoDeviceClassColumns[] = {
    {"Name", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kResourceK8sIoResourceClaimColumns[] = {
    {"Name", "string"},
    {"State", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kResourceK8sIoResourceClaimTemplateColumns[] = {
    {"Name", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kResourceK8sIoResourceSliceColumns[] = {
    {"Name", "string"},
    {"Node", "string"},
    {"Driver", "string"},
    {"Pool", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kSchedulingK8sIoPriorityClassColumns[] = {
    {"Name", "string"},
    {"Value", "integer"},
    {"Global-Default", "boolean"},
    {"Age", "string"},
    {"PreemptionPolicy", "string"},
};
constexpr ColumnFacts kStorageK8sIoCSIDriverColumns[] = {
    {"Name", "string"},
    {"AttachRequired", "boolean"},
    {"PodInfoOnMount", "boolean"},
    {"StorageCapacity", "boolean"},
    {"TokenRequests", "string"},
    {"RequiresRepublish", "boolean"},
    {"Modes", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kStorageK8sIoCSINodeColumns[] = {
    {"Name", "string"},
    {"Drivers", "integer"},
    {"Age", "string"},
};
constexpr ColumnFacts kStorageK8sIoCSIStorageCapacityColumns[] = {
    {"Name", "string"},
    {"Created At", "date"},
};
constexpr ColumnFacts kStorageK8sIoStorageClassColumns[] = {
    {"Name", "string"},
    {"Provisioner", "string"},
    {"ReclaimPolicy", "string"},
    {"VolumeBindingMode", "string"},
    {"AllowVolumeExpansion", "string"},
    {"Age", "string"},
};
constexpr ColumnFacts kStorageK8sIoVolumeAttachmentColumns[] = {
    {"Name", "string"},
    {"Attacher", "string"},
    {"PV", "string"},
    {"Node", "string"},
    {"Attached", "boolean"},
    {"Age", "string"},
};
constexpr ColumnFacts kStorageK8sIoVolumeAttributesClassColumns[] = {
    {"Name", "string"},
    {"DriverName", "string"},
    {"Age", "string"},
};

constexpr KindFacts kKinds[] = {
    {"", "v1", "ComponentStatus", "componentstatuses", "componentstatus", "cs", "",
     "core.v1.ComponentStatus", kComponentStatusColumns, 0},
    {"", "v1", "ConfigMap", "configmaps", "configmap", "cm", "", "core.v1.ConfigMap",
     kConfigMapColumns, kNamespaced},
    {"", "v1", "Endpoints", "endpoints", "endpoints", "ep", "", "core.v1.Endpoints",
     kEndpointsColumns, kNamespaced},
    {"", "v1", "Event", "events", "event", "ev", "", "core.v1.Event", kEventColumns, kNamespaced},
    {"", "v1", "LimitRange", "limitranges", "limitrange", "limits", "", "core.v1.LimitRange",
     kLimitRangeColumns, kNamespaced},
    {"", "v1", "Namespace", "namespaces", "namespace", "ns", "", "core.v1.Namespace",
     kNamespaceColumns, kHasStatus},
    {"", "v1", "Node", "nodes", "node", "no", "", "core.v1.Node", kNodeColumns, kHasStatus},
    {"", "v1", "PersistentVolume", "persistentvolumes", "persistentvolume", "pv", "",
     "core.v1.PersistentVolume", kPersistentVolumeColumns, kHasStatus},
    {"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", "persistentvolumeclaim", "pvc",
     "", "core.v1.PersistentVolumeClaim", kPersistentVolumeClaimColumns, kNamespaced | kHasStatus},
    {"", "v1", "Pod", "pods", "pod", "po", "all", "core.v1.Pod", kPodColumns,
     kNamespaced | kHasStatus},
    {"", "v1", "PodTemplate", "podtemplates", "podtemplate", "", "", "core.v1.PodTemplate",
     kPodTemplateColumns, kNamespaced},
    {"", "v1", "ReplicationController", "replicationcontrollers", "replicationcontroller", "rc",
     "all", "core.v1.ReplicationController", kReplicationControllerColumns,
     kNamespaced | kHasStatus | kHasScale},
    {"", "v1", "ResourceQuota", "resourcequotas", "resourcequota", "quota", "",
     "core.v1.ResourceQuota", kResourceQuotaColumns, kNamespaced | kHasStatus},
    {"", "v1", "Secret", "secrets", "secret", "", "", "core.v1.Secret", kSecretColumns,
     kNamespaced},
    {"", "v1", "Service", "services", "service", "svc", "all", "core.v1.Service", kServiceColumns,
     kNamespaced | kHasStatus},
    {"", "v1", "ServiceAccount", "serviceaccounts", "serviceaccount", "sa", "",
     "core.v1.ServiceAccount", kServiceAccountColumns, kNamespaced},
    {"admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicy", "mutatingadmissionpolicies",
     "mutatingadmissionpolicy", "", "api-extensions",
     "admissionregistration.v1.MutatingAdmissionPolicy",
     kAdmissionregistrationK8sIoMutatingAdmissionPolicyColumns, 0},
    {"admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicyBinding",
     "mutatingadmissionpolicybindings", "mutatingadmissionpolicybinding", "", "api-extensions",
     "admissionregistration.v1.MutatingAdmissionPolicyBinding",
     kAdmissionregistrationK8sIoMutatingAdmissionPolicyBindingColumns, 0},
    {"admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration",
     "mutatingwebhookconfigurations", "mutatingwebhookconfiguration", "", "api-extensions",
     "admissionregistration.v1.MutatingWebhookConfiguration",
     kAdmissionregistrationK8sIoMutatingWebhookConfigurationColumns, 0},
    {"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy",
     "validatingadmissionpolicies", "validatingadmissionpolicy", "", "api-extensions",
     "admissionregistration.v1.ValidatingAdmissionPolicy",
     kAdmissionregistrationK8sIoValidatingAdmissionPolicyColumns, kHasStatus},
    {"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicyBinding",
     "validatingadmissionpolicybindings", "validatingadmissionpolicybinding", "", "api-extensions",
     "admissionregistration.v1.ValidatingAdmissionPolicyBinding",
     kAdmissionregistrationK8sIoValidatingAdmissionPolicyBindingColumns, 0},
    {"admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration",
     "validatingwebhookconfigurations", "validatingwebhookconfiguration", "", "api-extensions",
     "admissionregistration.v1.ValidatingWebhookConfiguration",
     kAdmissionregistrationK8sIoValidatingWebhookConfigurationColumns, 0},
    {"apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions",
     "customresourcedefinition", "crd,crds", "api-extensions",
     "apiextensions.v1.CustomResourceDefinition",
     kApiextensionsK8sIoCustomResourceDefinitionColumns, kHasStatus},
    {"apiregistration.k8s.io", "v1", "APIService", "apiservices", "apiservice", "",
     "api-extensions", "apiregistration.v1.APIService", kApiregistrationK8sIoAPIServiceColumns,
     kHasStatus},
    {"apps", "v1", "ControllerRevision", "controllerrevisions", "controllerrevision", "", "",
     "apps.v1.ControllerRevision", kAppsControllerRevisionColumns, kNamespaced},
    {"apps", "v1", "DaemonSet", "daemonsets", "daemonset", "ds", "all", "apps.v1.DaemonSet",
     kAppsDaemonSetColumns, kNamespaced | kHasStatus},
    {"apps", "v1", "Deployment", "deployments", "deployment", "deploy", "all", "apps.v1.Deployment",
     kAppsDeploymentColumns, kNamespaced | kHasStatus | kHasScale},
    {"apps", "v1", "ReplicaSet", "replicasets", "replicaset", "rs", "all", "apps.v1.ReplicaSet",
     kAppsReplicaSetColumns, kNamespaced | kHasStatus | kHasScale},
    {"apps", "v1", "StatefulSet", "statefulsets", "statefulset", "sts", "all",
     "apps.v1.StatefulSet", kAppsStatefulSetColumns, kNamespaced | kHasStatus | kHasScale},
    {"autoscaling", "v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers",
     "horizontalpodautoscaler", "hpa", "all", "autoscaling.v1.HorizontalPodAutoscaler",
     kAutoscalingHorizontalPodAutoscalerColumns, kNamespaced | kHasStatus},
    {"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers",
     "horizontalpodautoscaler", "hpa", "all", "autoscaling.v2.HorizontalPodAutoscaler",
     kAutoscalingV2HorizontalPodAutoscalerColumns, kNamespaced | kHasStatus},
    {"batch", "v1", "CronJob", "cronjobs", "cronjob", "cj", "all", "batch.v1.CronJob",
     kBatchCronJobColumns, kNamespaced | kHasStatus},
    {"batch", "v1", "Job", "jobs", "job", "", "all", "batch.v1.Job", kBatchJobColumns,
     kNamespaced | kHasStatus},
    {"certificates.k8s.io", "v1", "CertificateSigningRequest", "certificatesigningrequests",
     "certificatesigningrequest", "csr", "", "certificates.v1.CertificateSigningRequest",
     kCertificatesK8sIoCertificateSigningRequestColumns, kHasStatus},
    {"coordination.k8s.io", "v1", "Lease", "leases", "lease", "", "", "coordination.v1.Lease",
     kCoordinationK8sIoLeaseColumns, kNamespaced},
    {"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", "endpointslice", "", "",
     "discovery.v1.EndpointSlice", kDiscoveryK8sIoEndpointSliceColumns, kNamespaced},
    {"events.k8s.io", "v1", "Event", "events", "event", "ev", "", "events.v1.Event",
     kEventsK8sIoEventColumns, kNamespaced},
    {"flowcontrol.apiserver.k8s.io", "v1", "FlowSchema", "flowschemas", "flowschema", "", "",
     "flowcontrol.v1.FlowSchema", kFlowcontrolApiserverK8sIoFlowSchemaColumns, kHasStatus},
    {"flowcontrol.apiserver.k8s.io", "v1", "PriorityLevelConfiguration",
     "prioritylevelconfigurations", "prioritylevelconfiguration", "", "",
     "flowcontrol.v1.PriorityLevelConfiguration",
     kFlowcontrolApiserverK8sIoPriorityLevelConfigurationColumns, kHasStatus},
    {"networking.k8s.io", "v1", "IPAddress", "ipaddresses", "ipaddress", "ip", "",
     "networking.v1.IPAddress", kNetworkingK8sIoIPAddressColumns, 0},
    {"networking.k8s.io", "v1", "Ingress", "ingresses", "ingress", "ing", "",
     "networking.v1.Ingress", kNetworkingK8sIoIngressColumns, kNamespaced | kHasStatus},
    {"networking.k8s.io", "v1", "IngressClass", "ingressclasses", "ingressclass", "", "",
     "networking.v1.IngressClass", kNetworkingK8sIoIngressClassColumns, 0},
    {"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", "networkpolicy", "netpol", "",
     "networking.v1.NetworkPolicy", kNetworkingK8sIoNetworkPolicyColumns, kNamespaced},
    {"networking.k8s.io", "v1", "ServiceCIDR", "servicecidrs", "servicecidr", "", "",
     "networking.v1.ServiceCIDR", kNetworkingK8sIoServiceCIDRColumns, kHasStatus},
    {"node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", "runtimeclass", "", "",
     "node.v1.RuntimeClass", kNodeK8sIoRuntimeClassColumns, 0},
    {"policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", "poddisruptionbudget", "pdb",
     "", "policy.v1.PodDisruptionBudget", kPolicyPodDisruptionBudgetColumns,
     kNamespaced | kHasStatus},
    {"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", "clusterrole", "", "",
     "rbac.v1.ClusterRole", kRbacAuthorizationK8sIoClusterRoleColumns, 0},
    {"rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings",
     "clusterrolebinding", "", "", "rbac.v1.ClusterRoleBinding",
     kRbacAuthorizationK8sIoClusterRoleBindingColumns, 0},
    {"rbac.authorization.k8s.io", "v1", "Role", "roles", "role", "", "", "rbac.v1.Role",
     kRbacAuthorizationK8sIoRoleColumns, kNamespaced},
    {"rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", "rolebinding", "", "",
     "rbac.v1.RoleBinding", kRbacAuthorizationK8sIoRoleBindingColumns, kNamespaced},
    {"resource.k8s.io", "v1", "DeviceClass", "deviceclasses", "deviceclass", "", "",
     "resource.v1.DeviceClass", kResourceK8sIoDeviceClassColumns, 0},
    {"resource.k8s.io", "v1", "ResourceClaim", "resourceclaims", "resourceclaim", "", "",
     "resource.v1.ResourceClaim", kResourceK8sIoResourceClaimColumns, kNamespaced | kHasStatus},
    {"resource.k8s.io", "v1", "ResourceClaimTemplate", "resourceclaimtemplates",
     "resourceclaimtemplate", "", "", "resource.v1.ResourceClaimTemplate",
     kResourceK8sIoResourceClaimTemplateColumns, kNamespaced},
    {"resource.k8s.io", "v1", "ResourceSlice", "resourceslices", "resourceslice", "", "",
     "resource.v1.ResourceSlice", kResourceK8sIoResourceSliceColumns, 0},
    {"scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", "priorityclass", "pc", "",
     "scheduling.v1.PriorityClass", kSchedulingK8sIoPriorityClassColumns, 0},
    {"storage.k8s.io", "v1", "CSIDriver", "csidrivers", "csidriver", "", "", "storage.v1.CSIDriver",
     kStorageK8sIoCSIDriverColumns, 0},
    {"storage.k8s.io", "v1", "CSINode", "csinodes", "csinode", "", "", "storage.v1.CSINode",
     kStorageK8sIoCSINodeColumns, 0},
    {"storage.k8s.io", "v1", "CSIStorageCapacity", "csistoragecapacities", "csistoragecapacity", "",
     "", "storage.v1.CSIStorageCapacity", kStorageK8sIoCSIStorageCapacityColumns, kNamespaced},
    {"storage.k8s.io", "v1", "StorageClass", "storageclasses", "storageclass", "sc", "",
     "storage.v1.StorageClass", kStorageK8sIoStorageClassColumns, 0},
    {"storage.k8s.io", "v1", "VolumeAttachment", "volumeattachments", "volumeattachment", "", "",
     "storage.v1.VolumeAttachment", kStorageK8sIoVolumeAttachmentColumns, kHasStatus},
    {"storage.k8s.io", "v1", "VolumeAttributesClass", "volumeattributesclasses",
     "volumeattributesclass", "vac", "", "storage.v1.VolumeAttributesClass",
     kStorageK8sIoVolumeAttributesClassColumns, 0},
};

}  // namespace

std::span<const KindFacts> AllKindFacts() { return kKinds; }

}  // namespace kueue::api::facts
