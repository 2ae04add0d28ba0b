// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

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
constexpr ColumnFacts kStorageK8sIoStorageClassColumns[] = {
    {"Name", "string"},
    {"Provisioner", "string"},
    {"ReclaimPolicy", "string"},
    {"VolumeBindingMode", "string"},
    {"AllowVolumeExpansion", "string"},
    {"Age", "string"},
};

constexpr KindFacts kKinds[] = {
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
    {"batch", "v1", "CronJob", "cronjobs", "cronjob", "cj", "all", "batch.v1.CronJob",
     kBatchCronJobColumns, kNamespaced | kHasStatus},
    {"batch", "v1", "Job", "jobs", "job", "", "all", "batch.v1.Job", kBatchJobColumns,
     kNamespaced | kHasStatus},
    {"coordination.k8s.io", "v1", "Lease", "leases", "lease", "", "", "coordination.v1.Lease",
     kCoordinationK8sIoLeaseColumns, kNamespaced},
    {"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", "endpointslice", "", "",
     "discovery.v1.EndpointSlice", kDiscoveryK8sIoEndpointSliceColumns, kNamespaced},
    {"events.k8s.io", "v1", "Event", "events", "event", "ev", "", "events.v1.Event",
     kEventsK8sIoEventColumns, kNamespaced},
    {"networking.k8s.io", "v1", "Ingress", "ingresses", "ingress", "ing", "",
     "networking.v1.Ingress", kNetworkingK8sIoIngressColumns, kNamespaced | kHasStatus},
    {"networking.k8s.io", "v1", "IngressClass", "ingressclasses", "ingressclass", "", "",
     "networking.v1.IngressClass", kNetworkingK8sIoIngressClassColumns, 0},
    {"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", "networkpolicy", "netpol", "",
     "networking.v1.NetworkPolicy", kNetworkingK8sIoNetworkPolicyColumns, kNamespaced},
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
    {"storage.k8s.io", "v1", "StorageClass", "storageclasses", "storageclass", "sc", "",
     "storage.v1.StorageClass", kStorageK8sIoStorageClassColumns, 0},
};

}  // namespace

std::span<const KindFacts> AllKindFacts() { return kKinds; }

}  // namespace kueue::api::facts
