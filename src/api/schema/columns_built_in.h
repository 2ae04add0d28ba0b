#pragma once

#include <vector>

#include "api/schema/kind.h"

// Rows of the built-in kinds, as the Kubernetes API server answers them to kubectl.
namespace kueue::api {

std::vector<Json> AdmissionPolicyRow(const Json& object, Time now);
std::vector<Json> ApiServiceRow(const Json& object, Time now);
std::vector<Json> AutoscalerRow(const Json& object, Time now);
std::vector<Json> AutoscalerV1Row(const Json& object, Time now);
std::vector<Json> CertificateRequestRow(const Json& object, Time now);
std::vector<Json> ComponentStatusRow(const Json& object, Time now);
std::vector<Json> ConfigMapRow(const Json& object, Time now);
std::vector<Json> ControllerRevisionRow(const Json& object, Time now);
std::vector<Json> CronJobRow(const Json& object, Time now);
std::vector<Json> CsiDriverRow(const Json& object, Time now);
std::vector<Json> CsiNodeRow(const Json& object, Time now);
std::vector<Json> DaemonSetRow(const Json& object, Time now);
std::vector<Json> DeploymentRow(const Json& object, Time now);
std::vector<Json> EndpointSliceRow(const Json& object, Time now);
std::vector<Json> EndpointsRow(const Json& object, Time now);
std::vector<Json> EventRow(const Json& object, Time now);
std::vector<Json> FlowSchemaRow(const Json& object, Time now);
std::vector<Json> IngressClassRow(const Json& object, Time now);
std::vector<Json> IngressRow(const Json& object, Time now);
std::vector<Json> IpAddressRow(const Json& object, Time now);
std::vector<Json> JobRow(const Json& object, Time now);
std::vector<Json> LeaseRow(const Json& object, Time now);
std::vector<Json> MutatingPolicyRow(const Json& object, Time now);
std::vector<Json> NameAndAgeRow(const Json& object, Time now);
std::vector<Json> NamespaceRow(const Json& object, Time now);
std::vector<Json> NetworkPolicyRow(const Json& object, Time now);
std::vector<Json> NewEventRow(const Json& object, Time now);
std::vector<Json> NodeRow(const Json& object, Time now);
std::vector<Json> PersistentVolumeClaimRow(const Json& object, Time now);
std::vector<Json> PersistentVolumeRow(const Json& object, Time now);
std::vector<Json> PodDisruptionBudgetRow(const Json& object, Time now);
std::vector<Json> PodRow(const Json& object, Time now);
std::vector<Json> PodTemplateRow(const Json& object, Time now);
std::vector<Json> PolicyBindingRow(const Json& object, Time now);
std::vector<Json> PriorityClassRow(const Json& object, Time now);
std::vector<Json> PriorityLevelRow(const Json& object, Time now);
std::vector<Json> ReplicaSetRow(const Json& object, Time now);
std::vector<Json> ResourceClaimRow(const Json& object, Time now);
std::vector<Json> ResourceQuotaRow(const Json& object, Time now);
std::vector<Json> ResourceSliceRow(const Json& object, Time now);
std::vector<Json> RoleBindingRow(const Json& object, Time now);
std::vector<Json> RuntimeClassRow(const Json& object, Time now);
std::vector<Json> SecretRow(const Json& object, Time now);
std::vector<Json> ServiceCidrRow(const Json& object, Time now);
std::vector<Json> ServiceRow(const Json& object, Time now);
std::vector<Json> StatefulSetRow(const Json& object, Time now);
std::vector<Json> StorageCapacityRow(const Json& object, Time now);
std::vector<Json> StorageClassRow(const Json& object, Time now);
std::vector<Json> VolumeAttachmentRow(const Json& object, Time now);
std::vector<Json> VolumeAttributesClassRow(const Json& object, Time now);
std::vector<Json> WebhookConfigurationRow(const Json& object, Time now);

// ---- what rows share

constexpr char kNone[] = "<none>";
std::string NameOf(const Json& object);
std::string CreationAge(const Json& object, Time now);
// kNone for an empty text.
std::string OrNone(std::string text);
// Appends with a comma in between.
void JoinInto(std::string& list, std::string_view text);
int64_t EntriesOf(const Json& object, std::string_view member);
// Names and images of a pod spec's containers, each joined by ','.
std::pair<std::string, std::string> ContainersOf(const Json* pod_spec);
// A metav1.LabelSelector, or a plain map of labels, in kubectl's words; kNone if it selects
// nothing.
std::string SelectorText(const Json* selector);
std::string LabelsText(const Json* labels);
// The age of the time at `path`: "5m"; `otherwise` if there is none.
std::string AgeAt(const Json& object, std::initializer_list<std::string_view> path, Time now,
                  std::string_view otherwise = "<unknown>");

}  // namespace kueue::api
