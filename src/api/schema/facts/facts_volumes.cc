// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kCoreV1AWSElasticBlockStoreVolumeSource[] = {
    {"fsType", "string"},
    {"partition", "int32"},
    {"readOnly", "bool"},
    {"volumeID", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1AzureDiskVolumeSource[] = {
    {"cachingMode", "string", kPointer, "", "", "\"ReadWrite\"", "None|ReadOnly|ReadWrite"},
    {"diskName", "string", kRequired | kWritten},
    {"diskURI", "string", kRequired | kWritten},
    {"fsType", "string", kPointer, "", "", "\"ext4\""},
    {"kind", "string", kPointer, "", "", "\"Shared\"", "Dedicated|Managed|Shared"},
    {"readOnly", "bool", kPointer, "", "", "false"},
};
constexpr FieldFacts kCoreV1AzureFilePersistentVolumeSource[] = {
    {"readOnly", "bool"},
    {"secretName", "string", kRequired | kWritten},
    {"secretNamespace", "string", kPointer | kWritten},
    {"shareName", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1AzureFileVolumeSource[] = {
    {"readOnly", "bool"},
    {"secretName", "string", kRequired | kWritten},
    {"shareName", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1CSIPersistentVolumeSource[] = {
    {"controllerExpandSecretRef", "core.v1.SecretReference", kPointer},
    {"controllerPublishSecretRef", "core.v1.SecretReference", kPointer},
    {"driver", "string", kRequired | kWritten},
    {"fsType", "string"},
    {"nodeExpandSecretRef", "core.v1.SecretReference", kPointer},
    {"nodePublishSecretRef", "core.v1.SecretReference", kPointer},
    {"nodeStageSecretRef", "core.v1.SecretReference", kPointer},
    {"readOnly", "bool"},
    {"volumeAttributes", "{}string"},
    {"volumeHandle", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1CSIVolumeSource[] = {
    {"driver", "string", kRequired | kWritten},
    {"fsType", "string", kPointer},
    {"nodePublishSecretRef", "core.v1.LocalObjectReference", kPointer},
    {"readOnly", "bool", kPointer},
    {"volumeAttributes", "{}string"},
};
constexpr FieldFacts kCoreV1CephFSPersistentVolumeSource[] = {
    {"monitors", "[]string", kRequired | kWritten | kAtomic},
    {"path", "string"},
    {"readOnly", "bool"},
    {"secretFile", "string"},
    {"secretRef", "core.v1.SecretReference", kPointer},
    {"user", "string"},
};
constexpr FieldFacts kCoreV1CephFSVolumeSource[] = {
    {"monitors", "[]string", kRequired | kWritten | kAtomic},
    {"path", "string"},
    {"readOnly", "bool"},
    {"secretFile", "string"},
    {"secretRef", "core.v1.LocalObjectReference", kPointer},
    {"user", "string"},
};
constexpr FieldFacts kCoreV1CinderPersistentVolumeSource[] = {
    {"fsType", "string"},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.SecretReference", kPointer},
    {"volumeID", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1CinderVolumeSource[] = {
    {"fsType", "string"},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.LocalObjectReference", kPointer},
    {"volumeID", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ClusterTrustBundleProjection[] = {
    {"labelSelector", "meta.v1.LabelSelector", kPointer},
    {"name", "string", kPointer},
    {"optional", "bool", kPointer},
    {"path", "string", kRequired | kWritten},
    {"signerName", "string", kPointer},
};
constexpr FieldFacts kCoreV1ConfigMapProjection[] = {
    {"items", "[]core.v1.KeyToPath", kAtomic},
    {"name", "string", 0, "", "", "\"\""},
    {"optional", "bool", kPointer},
};
constexpr FieldFacts kCoreV1ConfigMapVolumeSource[] = {
    {"defaultMode", "int32", kPointer},
    {"items", "[]core.v1.KeyToPath", kAtomic},
    {"name", "string", 0, "", "", "\"\""},
    {"optional", "bool", kPointer},
};
constexpr FieldFacts kCoreV1DownwardAPIProjection[] = {
    {"items", "[]core.v1.DownwardAPIVolumeFile", kAtomic},
};
constexpr FieldFacts kCoreV1DownwardAPIVolumeFile[] = {
    {"fieldRef", "core.v1.ObjectFieldSelector", kPointer},
    {"mode", "int32", kPointer},
    {"path", "string", kRequired | kWritten},
    {"resourceFieldRef", "core.v1.ResourceFieldSelector", kPointer},
};
constexpr FieldFacts kCoreV1DownwardAPIVolumeSource[] = {
    {"defaultMode", "int32", kPointer},
    {"items", "[]core.v1.DownwardAPIVolumeFile", kAtomic},
};
constexpr FieldFacts kCoreV1EmptyDirVolumeSource[] = {
    {"medium", "string"},
    {"sizeLimit", "quantity", kPointer},
};
constexpr FieldFacts kCoreV1EphemeralVolumeSource[] = {
    {"volumeClaimTemplate", "core.v1.PersistentVolumeClaimTemplate", kPointer},
};
constexpr FieldFacts kCoreV1FCVolumeSource[] = {
    {"fsType", "string"},
    {"lun", "int32", kPointer},
    {"readOnly", "bool"},
    {"targetWWNs", "[]string", kAtomic},
    {"wwids", "[]string", kAtomic},
};
constexpr FieldFacts kCoreV1FlexPersistentVolumeSource[] = {
    {"driver", "string", kRequired | kWritten},
    {"fsType", "string"},
    {"options", "{}string"},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.SecretReference", kPointer},
};
constexpr FieldFacts kCoreV1FlexVolumeSource[] = {
    {"driver", "string", kRequired | kWritten},
    {"fsType", "string"},
    {"options", "{}string"},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.LocalObjectReference", kPointer},
};
constexpr FieldFacts kCoreV1FlockerVolumeSource[] = {
    {"datasetName", "string"},
    {"datasetUUID", "string"},
};
constexpr FieldFacts kCoreV1GCEPersistentDiskVolumeSource[] = {
    {"fsType", "string"},
    {"partition", "int32"},
    {"pdName", "string", kRequired | kWritten},
    {"readOnly", "bool"},
};
constexpr FieldFacts kCoreV1GitRepoVolumeSource[] = {
    {"directory", "string"},
    {"repository", "string", kRequired | kWritten},
    {"revision", "string"},
};
constexpr FieldFacts kCoreV1GlusterfsPersistentVolumeSource[] = {
    {"endpoints", "string", kRequired | kWritten},
    {"endpointsNamespace", "string", kPointer},
    {"path", "string", kRequired | kWritten},
    {"readOnly", "bool"},
};
constexpr FieldFacts kCoreV1GlusterfsVolumeSource[] = {
    {"endpoints", "string", kRequired | kWritten},
    {"path", "string", kRequired | kWritten},
    {"readOnly", "bool"},
};
constexpr FieldFacts kCoreV1HostPathVolumeSource[] = {
    {"path", "string", kRequired | kWritten},
    {"type", "string", kPointer, "", "", "",
     "|BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket"},
};
constexpr FieldFacts kCoreV1ISCSIPersistentVolumeSource[] = {
    {"chapAuthDiscovery", "bool"},
    {"chapAuthSession", "bool"},
    {"fsType", "string"},
    {"initiatorName", "string", kPointer},
    {"iqn", "string", kRequired | kWritten},
    {"iscsiInterface", "string", 0, "", "", "\"default\""},
    {"lun", "int32", kRequired | kWritten},
    {"portals", "[]string", kAtomic},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.SecretReference", kPointer},
    {"targetPortal", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ISCSIVolumeSource[] = {
    {"chapAuthDiscovery", "bool"},
    {"chapAuthSession", "bool"},
    {"fsType", "string"},
    {"initiatorName", "string", kPointer},
    {"iqn", "string", kRequired | kWritten},
    {"iscsiInterface", "string", 0, "", "", "\"default\""},
    {"lun", "int32", kRequired | kWritten},
    {"portals", "[]string", kAtomic},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.LocalObjectReference", kPointer},
    {"targetPortal", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ImageVolumeSource[] = {
    {"pullPolicy", "string", 0, "", "", "", "Always|IfNotPresent|Never"},
    {"reference", "string"},
};
constexpr FieldFacts kCoreV1KeyToPath[] = {
    {"key", "string", kRequired | kWritten},
    {"mode", "int32", kPointer},
    {"path", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1LocalObjectReference[] = {
    {"name", "string", 0, "", "", "\"\""},
};
constexpr FieldFacts kCoreV1LocalVolumeSource[] = {
    {"fsType", "string", kPointer},
    {"path", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1NFSVolumeSource[] = {
    {"path", "string", kRequired | kWritten},
    {"readOnly", "bool"},
    {"server", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1NodeSelector[] = {
    {"nodeSelectorTerms", "[]core.v1.NodeSelectorTerm", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kCoreV1NodeSelectorRequirement[] = {
    {"key", "string", kRequired | kWritten},
    {"operator", "string", kRequired | kWritten, "", "", "", "DoesNotExist|Exists|Gt|In|Lt|NotIn"},
    {"values", "[]string", kAtomic},
};
constexpr FieldFacts kCoreV1NodeSelectorTerm[] = {
    {"matchExpressions", "[]core.v1.NodeSelectorRequirement", kAtomic},
    {"matchFields", "[]core.v1.NodeSelectorRequirement", kAtomic},
};
constexpr FieldFacts kCoreV1ObjectFieldSelector[] = {
    {"apiVersion", "string"},
    {"fieldPath", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ObjectReference[] = {
    {"apiVersion", "string"},
    {"fieldPath", "string"},
    {"kind", "string"},
    {"name", "string"},
    {"namespace", "string"},
    {"resourceVersion", "string"},
    {"uid", "string"},
};
constexpr FieldFacts kCoreV1PersistentVolume[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.PersistentVolumeSpec", kWritten},
    {"status", "core.v1.PersistentVolumeStatus", kWritten},
};
constexpr FieldFacts kCoreV1PersistentVolumeClaimSpec[] = {
    {"accessModes", "[]string", kAtomic, "", "", "",
     "ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod"},
    {"dataSource", "core.v1.TypedLocalObjectReference", kPointer},
    {"dataSourceRef", "core.v1.TypedObjectReference", kPointer},
    {"resources", "core.v1.VolumeResourceRequirements", kWritten},
    {"selector", "meta.v1.LabelSelector", kPointer},
    {"storageClassName", "string", kPointer},
    {"volumeAttributesClassName", "string", kPointer},
    {"volumeMode", "string", kPointer, "", "", "", "Block|Filesystem"},
    {"volumeName", "string"},
};
constexpr FieldFacts kCoreV1PersistentVolumeClaimTemplate[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.PersistentVolumeClaimSpec", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PersistentVolumeClaimVolumeSource[] = {
    {"claimName", "string", kRequired | kWritten},
    {"readOnly", "bool"},
};
constexpr FieldFacts kCoreV1PersistentVolumeSpec[] = {
    {"accessModes", "[]string", kAtomic, "", "", "",
     "ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod"},
    {"awsElasticBlockStore", "core.v1.AWSElasticBlockStoreVolumeSource", kPointer},
    {"azureDisk", "core.v1.AzureDiskVolumeSource", kPointer},
    {"azureFile", "core.v1.AzureFilePersistentVolumeSource", kPointer},
    {"capacity", "{}quantity"},
    {"cephfs", "core.v1.CephFSPersistentVolumeSource", kPointer},
    {"cinder", "core.v1.CinderPersistentVolumeSource", kPointer},
    {"claimRef", "core.v1.ObjectReference", kPointer},
    {"csi", "core.v1.CSIPersistentVolumeSource", kPointer},
    {"fc", "core.v1.FCVolumeSource", kPointer},
    {"flexVolume", "core.v1.FlexPersistentVolumeSource", kPointer},
    {"flocker", "core.v1.FlockerVolumeSource", kPointer},
    {"gcePersistentDisk", "core.v1.GCEPersistentDiskVolumeSource", kPointer},
    {"glusterfs", "core.v1.GlusterfsPersistentVolumeSource", kPointer},
    {"hostPath", "core.v1.HostPathVolumeSource", kPointer},
    {"iscsi", "core.v1.ISCSIPersistentVolumeSource", kPointer},
    {"local", "core.v1.LocalVolumeSource", kPointer},
    {"mountOptions", "[]string", kAtomic},
    {"nfs", "core.v1.NFSVolumeSource", kPointer},
    {"nodeAffinity", "core.v1.VolumeNodeAffinity", kPointer},
    {"persistentVolumeReclaimPolicy", "string", 0, "", "", "", "Delete|Recycle|Retain"},
    {"photonPersistentDisk", "core.v1.PhotonPersistentDiskVolumeSource", kPointer},
    {"portworxVolume", "core.v1.PortworxVolumeSource", kPointer},
    {"quobyte", "core.v1.QuobyteVolumeSource", kPointer},
    {"rbd", "core.v1.RBDPersistentVolumeSource", kPointer},
    {"scaleIO", "core.v1.ScaleIOPersistentVolumeSource", kPointer},
    {"storageClassName", "string"},
    {"storageos", "core.v1.StorageOSPersistentVolumeSource", kPointer},
    {"volumeAttributesClassName", "string", kPointer},
    {"volumeMode", "string", kPointer, "", "", "", "Block|Filesystem"},
    {"vsphereVolume", "core.v1.VsphereVirtualDiskVolumeSource", kPointer},
};
constexpr FieldFacts kCoreV1PersistentVolumeStatus[] = {
    {"lastPhaseTransitionTime", "time", kPointer},
    {"message", "string"},
    {"phase", "string", 0, "", "", "", "Available|Bound|Failed|Pending|Released"},
    {"reason", "string"},
};
constexpr FieldFacts kCoreV1PhotonPersistentDiskVolumeSource[] = {
    {"fsType", "string"},
    {"pdID", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PodCertificateProjection[] = {
    {"certificateChainPath", "string"},
    {"credentialBundlePath", "string"},
    {"keyPath", "string"},
    {"keyType", "string", kRequired},
    {"maxExpirationSeconds", "int32", kPointer},
    {"signerName", "string", kRequired},
    {"userAnnotations", "{}string"},
};
constexpr FieldFacts kCoreV1PortworxVolumeSource[] = {
    {"fsType", "string"},
    {"readOnly", "bool"},
    {"volumeID", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ProjectedVolumeSource[] = {
    {"defaultMode", "int32", kPointer},
    {"sources", "[]core.v1.VolumeProjection", kWritten | kAtomic},
};
constexpr FieldFacts kCoreV1QuobyteVolumeSource[] = {
    {"group", "string"},
    {"readOnly", "bool"},
    {"registry", "string", kRequired | kWritten},
    {"tenant", "string"},
    {"user", "string"},
    {"volume", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1RBDPersistentVolumeSource[] = {
    {"fsType", "string"},
    {"image", "string", kRequired | kWritten},
    {"keyring", "string", 0, "", "", "\"/etc/ceph/keyring\""},
    {"monitors", "[]string", kRequired | kWritten | kAtomic},
    {"pool", "string", 0, "", "", "\"rbd\""},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.SecretReference", kPointer},
    {"user", "string", 0, "", "", "\"admin\""},
};
constexpr FieldFacts kCoreV1RBDVolumeSource[] = {
    {"fsType", "string"},
    {"image", "string", kRequired | kWritten},
    {"keyring", "string", 0, "", "", "\"/etc/ceph/keyring\""},
    {"monitors", "[]string", kRequired | kWritten | kAtomic},
    {"pool", "string", 0, "", "", "\"rbd\""},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.LocalObjectReference", kPointer},
    {"user", "string", 0, "", "", "\"admin\""},
};
constexpr FieldFacts kCoreV1ResourceFieldSelector[] = {
    {"containerName", "string"},
    {"divisor", "quantity", kWritten},
    {"resource", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ScaleIOPersistentVolumeSource[] = {
    {"fsType", "string", 0, "", "", "\"xfs\""},
    {"gateway", "string", kRequired | kWritten},
    {"protectionDomain", "string"},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.SecretReference", kRequired | kPointer | kWritten},
    {"sslEnabled", "bool"},
    {"storageMode", "string", 0, "", "", "\"ThinProvisioned\""},
    {"storagePool", "string"},
    {"system", "string", kRequired | kWritten},
    {"volumeName", "string"},
};
constexpr FieldFacts kCoreV1ScaleIOVolumeSource[] = {
    {"fsType", "string", 0, "", "", "\"xfs\""},
    {"gateway", "string", kRequired | kWritten},
    {"protectionDomain", "string"},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.LocalObjectReference", kRequired | kPointer | kWritten},
    {"sslEnabled", "bool"},
    {"storageMode", "string", 0, "", "", "\"ThinProvisioned\""},
    {"storagePool", "string"},
    {"system", "string", kRequired | kWritten},
    {"volumeName", "string"},
};
constexpr FieldFacts kCoreV1SecretProjection[] = {
    {"items", "[]core.v1.KeyToPath", kAtomic},
    {"name", "string", 0, "", "", "\"\""},
    {"optional", "bool", kPointer},
};
constexpr FieldFacts kCoreV1SecretReference[] = {
    {"name", "string"},
    {"namespace", "string"},
};
constexpr FieldFacts kCoreV1SecretVolumeSource[] = {
    {"defaultMode", "int32", kPointer},
    {"items", "[]core.v1.KeyToPath", kAtomic},
    {"optional", "bool", kPointer},
    {"secretName", "string"},
};
constexpr FieldFacts kCoreV1ServiceAccountTokenProjection[] = {
    {"audience", "string"},
    {"expirationSeconds", "int64", kPointer},
    {"path", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1StorageOSPersistentVolumeSource[] = {
    {"fsType", "string"},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.ObjectReference", kPointer},
    {"volumeName", "string"},
    {"volumeNamespace", "string"},
};
constexpr FieldFacts kCoreV1StorageOSVolumeSource[] = {
    {"fsType", "string"},
    {"readOnly", "bool"},
    {"secretRef", "core.v1.LocalObjectReference", kPointer},
    {"volumeName", "string"},
    {"volumeNamespace", "string"},
};
constexpr FieldFacts kCoreV1TypedLocalObjectReference[] = {
    {"apiGroup", "string", kPointer | kWritten},
    {"kind", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1TypedObjectReference[] = {
    {"apiGroup", "string", kPointer | kWritten},
    {"kind", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"namespace", "string", kPointer},
};
constexpr FieldFacts kCoreV1Volume[] = {
    {"awsElasticBlockStore", "core.v1.AWSElasticBlockStoreVolumeSource", kPointer},
    {"azureDisk", "core.v1.AzureDiskVolumeSource", kPointer},
    {"azureFile", "core.v1.AzureFileVolumeSource", kPointer},
    {"cephfs", "core.v1.CephFSVolumeSource", kPointer},
    {"cinder", "core.v1.CinderVolumeSource", kPointer},
    {"configMap", "core.v1.ConfigMapVolumeSource", kPointer},
    {"csi", "core.v1.CSIVolumeSource", kPointer},
    {"downwardAPI", "core.v1.DownwardAPIVolumeSource", kPointer},
    {"emptyDir", "core.v1.EmptyDirVolumeSource", kPointer},
    {"ephemeral", "core.v1.EphemeralVolumeSource", kPointer},
    {"fc", "core.v1.FCVolumeSource", kPointer},
    {"flexVolume", "core.v1.FlexVolumeSource", kPointer},
    {"flocker", "core.v1.FlockerVolumeSource", kPointer},
    {"gcePersistentDisk", "core.v1.GCEPersistentDiskVolumeSource", kPointer},
    {"gitRepo", "core.v1.GitRepoVolumeSource", kPointer},
    {"glusterfs", "core.v1.GlusterfsVolumeSource", kPointer},
    {"hostPath", "core.v1.HostPathVolumeSource", kPointer},
    {"image", "core.v1.ImageVolumeSource", kPointer},
    {"iscsi", "core.v1.ISCSIVolumeSource", kPointer},
    {"name", "string", kRequired | kWritten},
    {"nfs", "core.v1.NFSVolumeSource", kPointer},
    {"persistentVolumeClaim", "core.v1.PersistentVolumeClaimVolumeSource", kPointer},
    {"photonPersistentDisk", "core.v1.PhotonPersistentDiskVolumeSource", kPointer},
    {"portworxVolume", "core.v1.PortworxVolumeSource", kPointer},
    {"projected", "core.v1.ProjectedVolumeSource", kPointer},
    {"quobyte", "core.v1.QuobyteVolumeSource", kPointer},
    {"rbd", "core.v1.RBDVolumeSource", kPointer},
    {"scaleIO", "core.v1.ScaleIOVolumeSource", kPointer},
    {"secret", "core.v1.SecretVolumeSource", kPointer},
    {"storageos", "core.v1.StorageOSVolumeSource", kPointer},
    {"vsphereVolume", "core.v1.VsphereVirtualDiskVolumeSource", kPointer},
};
constexpr FieldFacts kCoreV1VolumeNodeAffinity[] = {
    {"required", "core.v1.NodeSelector", kPointer},
};
constexpr FieldFacts kCoreV1VolumeProjection[] = {
    {"clusterTrustBundle", "core.v1.ClusterTrustBundleProjection", kPointer},
    {"configMap", "core.v1.ConfigMapProjection", kPointer},
    {"downwardAPI", "core.v1.DownwardAPIProjection", kPointer},
    {"podCertificate", "core.v1.PodCertificateProjection", kPointer},
    {"secret", "core.v1.SecretProjection", kPointer},
    {"serviceAccountToken", "core.v1.ServiceAccountTokenProjection", kPointer},
};
constexpr FieldFacts kCoreV1VolumeResourceRequirements[] = {
    {"limits", "{}quantity"},
    {"requests", "{}quantity"},
};
constexpr FieldFacts kCoreV1VsphereVirtualDiskVolumeSource[] = {
    {"fsType", "string"},
    {"storagePolicyID", "string"},
    {"storagePolicyName", "string"},
    {"volumePath", "string", kRequired | kWritten},
};

constexpr StructFacts kStructs[] = {
    {"core.v1.AWSElasticBlockStoreVolumeSource", kCoreV1AWSElasticBlockStoreVolumeSource},
    {"core.v1.AzureDiskVolumeSource", kCoreV1AzureDiskVolumeSource},
    {"core.v1.AzureFilePersistentVolumeSource", kCoreV1AzureFilePersistentVolumeSource},
    {"core.v1.AzureFileVolumeSource", kCoreV1AzureFileVolumeSource},
    {"core.v1.CSIPersistentVolumeSource", kCoreV1CSIPersistentVolumeSource},
    {"core.v1.CSIVolumeSource", kCoreV1CSIVolumeSource},
    {"core.v1.CephFSPersistentVolumeSource", kCoreV1CephFSPersistentVolumeSource},
    {"core.v1.CephFSVolumeSource", kCoreV1CephFSVolumeSource},
    {"core.v1.CinderPersistentVolumeSource", kCoreV1CinderPersistentVolumeSource},
    {"core.v1.CinderVolumeSource", kCoreV1CinderVolumeSource},
    {"core.v1.ClusterTrustBundleProjection", kCoreV1ClusterTrustBundleProjection},
    {"core.v1.ConfigMapProjection", kCoreV1ConfigMapProjection},
    {"core.v1.ConfigMapVolumeSource", kCoreV1ConfigMapVolumeSource},
    {"core.v1.DownwardAPIProjection", kCoreV1DownwardAPIProjection},
    {"core.v1.DownwardAPIVolumeFile", kCoreV1DownwardAPIVolumeFile},
    {"core.v1.DownwardAPIVolumeSource", kCoreV1DownwardAPIVolumeSource},
    {"core.v1.EmptyDirVolumeSource", kCoreV1EmptyDirVolumeSource},
    {"core.v1.EphemeralVolumeSource", kCoreV1EphemeralVolumeSource},
    {"core.v1.FCVolumeSource", kCoreV1FCVolumeSource},
    {"core.v1.FlexPersistentVolumeSource", kCoreV1FlexPersistentVolumeSource},
    {"core.v1.FlexVolumeSource", kCoreV1FlexVolumeSource},
    {"core.v1.FlockerVolumeSource", kCoreV1FlockerVolumeSource},
    {"core.v1.GCEPersistentDiskVolumeSource", kCoreV1GCEPersistentDiskVolumeSource},
    {"core.v1.GitRepoVolumeSource", kCoreV1GitRepoVolumeSource},
    {"core.v1.GlusterfsPersistentVolumeSource", kCoreV1GlusterfsPersistentVolumeSource},
    {"core.v1.GlusterfsVolumeSource", kCoreV1GlusterfsVolumeSource},
    {"core.v1.HostPathVolumeSource", kCoreV1HostPathVolumeSource},
    {"core.v1.ISCSIPersistentVolumeSource", kCoreV1ISCSIPersistentVolumeSource, 0,
     "targetPortal,iqn,lun"},
    {"core.v1.ISCSIVolumeSource", kCoreV1ISCSIVolumeSource, 0, "targetPortal,iqn,lun"},
    {"core.v1.ImageVolumeSource", kCoreV1ImageVolumeSource},
    {"core.v1.KeyToPath", kCoreV1KeyToPath},
    {"core.v1.LocalObjectReference", kCoreV1LocalObjectReference, kAtomicStruct},
    {"core.v1.LocalVolumeSource", kCoreV1LocalVolumeSource},
    {"core.v1.NFSVolumeSource", kCoreV1NFSVolumeSource, 0, "server,path"},
    {"core.v1.NodeSelector", kCoreV1NodeSelector, kAtomicStruct},
    {"core.v1.NodeSelectorRequirement", kCoreV1NodeSelectorRequirement},
    {"core.v1.NodeSelectorTerm", kCoreV1NodeSelectorTerm, kAtomicStruct},
    {"core.v1.ObjectFieldSelector", kCoreV1ObjectFieldSelector, kAtomicStruct},
    {"core.v1.ObjectReference", kCoreV1ObjectReference, kAtomicStruct},
    {"core.v1.PersistentVolume", kCoreV1PersistentVolume, kTopLevel},
    {"core.v1.PersistentVolumeClaimSpec", kCoreV1PersistentVolumeClaimSpec},
    {"core.v1.PersistentVolumeClaimTemplate", kCoreV1PersistentVolumeClaimTemplate},
    {"core.v1.PersistentVolumeClaimVolumeSource", kCoreV1PersistentVolumeClaimVolumeSource},
    {"core.v1.PersistentVolumeSpec", kCoreV1PersistentVolumeSpec},
    {"core.v1.PersistentVolumeStatus", kCoreV1PersistentVolumeStatus},
    {"core.v1.PhotonPersistentDiskVolumeSource", kCoreV1PhotonPersistentDiskVolumeSource},
    {"core.v1.PodCertificateProjection", kCoreV1PodCertificateProjection, 0, "signerName,keyType"},
    {"core.v1.PortworxVolumeSource", kCoreV1PortworxVolumeSource},
    {"core.v1.ProjectedVolumeSource", kCoreV1ProjectedVolumeSource},
    {"core.v1.QuobyteVolumeSource", kCoreV1QuobyteVolumeSource},
    {"core.v1.RBDPersistentVolumeSource", kCoreV1RBDPersistentVolumeSource, 0, "monitors,image"},
    {"core.v1.RBDVolumeSource", kCoreV1RBDVolumeSource, 0, "monitors,image"},
    {"core.v1.ResourceFieldSelector", kCoreV1ResourceFieldSelector, kAtomicStruct},
    {"core.v1.ScaleIOPersistentVolumeSource", kCoreV1ScaleIOPersistentVolumeSource, 0,
     "gateway,system,secretRef"},
    {"core.v1.ScaleIOVolumeSource", kCoreV1ScaleIOVolumeSource, 0, "gateway,system,secretRef"},
    {"core.v1.SecretProjection", kCoreV1SecretProjection},
    {"core.v1.SecretReference", kCoreV1SecretReference, kAtomicStruct},
    {"core.v1.SecretVolumeSource", kCoreV1SecretVolumeSource},
    {"core.v1.ServiceAccountTokenProjection", kCoreV1ServiceAccountTokenProjection},
    {"core.v1.StorageOSPersistentVolumeSource", kCoreV1StorageOSPersistentVolumeSource},
    {"core.v1.StorageOSVolumeSource", kCoreV1StorageOSVolumeSource},
    {"core.v1.TypedLocalObjectReference", kCoreV1TypedLocalObjectReference, kAtomicStruct},
    {"core.v1.TypedObjectReference", kCoreV1TypedObjectReference},
    {"core.v1.Volume", kCoreV1Volume},
    {"core.v1.VolumeNodeAffinity", kCoreV1VolumeNodeAffinity},
    {"core.v1.VolumeProjection", kCoreV1VolumeProjection},
    {"core.v1.VolumeResourceRequirements", kCoreV1VolumeResourceRequirements},
    {"core.v1.VsphereVirtualDiskVolumeSource", kCoreV1VsphereVirtualDiskVolumeSource},
};

}  // namespace

std::span<const StructFacts> VolumesFacts() { return kStructs; }

}  // namespace kueue::api::facts
