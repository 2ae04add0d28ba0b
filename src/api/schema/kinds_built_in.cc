#include "api/schema/kinds_built_in.h"

#include <algorithm>
#include <deque>

#include "api/schema/columns_built_in.h"
#include "api/schema/conversion_autoscaler.h"
#include "api/schema/described.h"
#include "api/schema/facts/facts.h"
#include "api/types/batch.h"
#include "api/types/core.h"
#include "base/check.h"

namespace kueue::api {
namespace {

using Row = std::vector<Json> (*)(const Json& object, Time now);

// What the facts do not say about a kind.
struct Addition {
  std::string_view group, kind;
  Row row = nullptr;
  // Where the kind has a C++ struct.
  const StructDescriptor& (*table)() = nullptr;
  std::vector<std::string_view> selectable_fields = {};
};

const std::vector<Addition>& CoreAdditions() {
  static const std::vector<Addition> additions = {
      {"", "ComponentStatus", ComponentStatusRow},
      {"", "ConfigMap", ConfigMapRow, DescriptorOf<ConfigMap>},
      {"", "Endpoints", EndpointsRow},
      {"",
       "Event",
       EventRow,
       DescriptorOf<Event>,
       {"involvedObject.kind", "involvedObject.namespace", "involvedObject.name",
        "involvedObject.uid", "involvedObject.apiVersion", "involvedObject.resourceVersion",
        "involvedObject.fieldPath", "reason", "reportingComponent", "source", "type"}},
      {"", "Namespace", NamespaceRow, DescriptorOf<Namespace>, {"status.phase"}},
      {"", "Node", NodeRow, DescriptorOf<Node>, {"spec.unschedulable"}},
      {"", "PersistentVolume", PersistentVolumeRow},
      {"", "PersistentVolumeClaim", PersistentVolumeClaimRow},
      {"",
       "Pod",
       PodRow,
       DescriptorOf<Pod>,
       {"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
        "spec.hostNetwork", "status.phase", "status.podIP", "status.nominatedNodeName"}},
      {"", "PodTemplate", PodTemplateRow},
      {"", "ReplicationController", ReplicaSetRow, nullptr, {"status.replicas"}},
      {"", "ResourceQuota", ResourceQuotaRow},
      {"", "Secret", SecretRow, DescriptorOf<Secret>, {"type"}},
      {"", "Service", ServiceRow, nullptr, {"spec.clusterIP", "spec.type"}},
      {"", "ServiceAccount", NameAndAgeRow},
  };
  return additions;
}

const std::vector<Addition>& OtherAdditions() {
  static const std::vector<Addition> additions = {
      {"admissionregistration.k8s.io", "MutatingAdmissionPolicy", MutatingPolicyRow},
      {"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding", PolicyBindingRow},
      {"admissionregistration.k8s.io", "MutatingWebhookConfiguration", WebhookConfigurationRow},
      {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy", AdmissionPolicyRow},
      {"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", PolicyBindingRow},
      {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", WebhookConfigurationRow},
      {"apiregistration.k8s.io", "APIService", ApiServiceRow},
      {"apps", "ControllerRevision", ControllerRevisionRow},
      {"apps", "DaemonSet", DaemonSetRow},
      {"apps", "Deployment", DeploymentRow},
      {"apps", "ReplicaSet", ReplicaSetRow, nullptr, {"status.replicas"}},
      {"apps", "StatefulSet", StatefulSetRow},
      {"autoscaling", "HorizontalPodAutoscaler", AutoscalerRow},
      {"batch", "CronJob", CronJobRow},
      {"batch", "Job", JobRow, DescriptorOf<Job>, {"status.successful"}},
      {"certificates.k8s.io",
       "CertificateSigningRequest",
       CertificateRequestRow,
       nullptr,
       {"spec.signerName"}},
      {"coordination.k8s.io", "Lease", LeaseRow, DescriptorOf<Lease>},
      {"discovery.k8s.io", "EndpointSlice", EndpointSliceRow},
      {"events.k8s.io",
       "Event",
       NewEventRow,
       nullptr,
       {"regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid",
        "regarding.apiVersion", "regarding.resourceVersion", "regarding.fieldPath", "reason",
        "reportingController", "type"}},
      {"flowcontrol.apiserver.k8s.io", "FlowSchema", FlowSchemaRow},
      {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", PriorityLevelRow},
      {"networking.k8s.io", "IPAddress", IpAddressRow},
      {"networking.k8s.io", "Ingress", IngressRow},
      {"networking.k8s.io", "IngressClass", IngressClassRow},
      {"networking.k8s.io", "NetworkPolicy", NetworkPolicyRow},
      {"networking.k8s.io", "ServiceCIDR", ServiceCidrRow},
      {"node.k8s.io", "RuntimeClass", RuntimeClassRow},
      {"policy", "PodDisruptionBudget", PodDisruptionBudgetRow},
      {"rbac.authorization.k8s.io", "ClusterRoleBinding", RoleBindingRow},
      {"rbac.authorization.k8s.io", "RoleBinding", RoleBindingRow},
      {"resource.k8s.io", "DeviceClass", NameAndAgeRow},
      {"resource.k8s.io", "ResourceClaim", ResourceClaimRow},
      {"resource.k8s.io", "ResourceClaimTemplate", NameAndAgeRow},
      {"resource.k8s.io",
       "ResourceSlice",
       ResourceSliceRow,
       nullptr,
       {"spec.driver", "spec.nodeName"}},
      {"scheduling.k8s.io", "PriorityClass", PriorityClassRow},
      {"storage.k8s.io", "CSIDriver", CsiDriverRow},
      {"storage.k8s.io", "CSINode", CsiNodeRow},
      {"storage.k8s.io", "CSIStorageCapacity", StorageCapacityRow},
      {"storage.k8s.io", "StorageClass", StorageClassRow},
      {"storage.k8s.io", "VolumeAttachment", VolumeAttachmentRow},
      {"storage.k8s.io", "VolumeAttributesClass", VolumeAttributesClassRow},
  };
  return additions;
}

// Kinds whose changes are counted. Neither discovery nor OpenAPI says so.
bool HasGeneration(std::string_view kind) {
  static constexpr std::string_view kKinds[] = {"CronJob",
                                                "CustomResourceDefinition",
                                                "DaemonSet",
                                                "Deployment",
                                                "DeviceClass",
                                                "EndpointSlice",
                                                "FlowSchema",
                                                "Ingress",
                                                "IngressClass",
                                                "Job",
                                                "MutatingAdmissionPolicy",
                                                "MutatingAdmissionPolicyBinding",
                                                "MutatingWebhookConfiguration",
                                                "NetworkPolicy",
                                                "Pod",
                                                "PodDisruptionBudget",
                                                "PodTemplate",
                                                "PriorityClass",
                                                "PriorityLevelConfiguration",
                                                "ReplicaSet",
                                                "ReplicationController",
                                                "ResourceSlice",
                                                "StatefulSet",
                                                "ValidatingAdmissionPolicy",
                                                "ValidatingAdmissionPolicyBinding",
                                                "ValidatingWebhookConfiguration"};
  return std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds);
}

const Addition* AdditionTo(const facts::KindFacts& kind) {
  for (const auto* additions : {&CoreAdditions(), &OtherAdditions()}) {
    for (const Addition& addition : *additions) {
      if (addition.group == kind.group && addition.kind == kind.kind) return &addition;
    }
  }
  return nullptr;
}

std::vector<std::string_view> Names(std::string_view text) {
  std::vector<std::string_view> names;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    names.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

KindInfo MakeKind(const facts::KindFacts& facts) {
  KindInfo info;
  info.group = facts.group;
  info.version = facts.version;
  info.kind = facts.kind;
  info.plural = facts.plural;
  info.singular = facts.singular;
  info.short_names = Names(facts.short_names);
  info.categories = Names(facts.categories);
  info.namespaced = (facts.flags & facts::kNamespaced) != 0;
  info.has_status = (facts.flags & facts::kHasStatus) != 0;
  info.has_generation = HasGeneration(facts.kind);
  info.has_scale = (facts.flags & facts::kHasScale) != 0;
  for (const facts::ColumnFacts& column : facts.columns) {
    info.columns.push_back({column.name, column.type, "", column.priority});
  }
  if (facts.kind == "Endpoints") {
    info.deprecation =
        "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";
  }
  const Addition* addition = AdditionTo(facts);
  if (addition) {
    info.row = addition->row;
    info.selectable_fields = addition->selectable_fields;
  }
  info.table = addition && addition->table ? &addition->table() : DescribedTable(facts.table);
  KUEUE_CHECK(info.table != nullptr);
  return info;
}

// The one kind here that is served in two versions.
void LinkAutoscalers(std::deque<KindInfo>& infos) {
  KindInfo *older = nullptr, *newer = nullptr;
  for (KindInfo& info : infos) {
    if (info.group != "autoscaling") continue;
    (info.version == "v1" ? older : newer) = &info;
  }
  KUEUE_CHECK(older != nullptr && newer != nullptr);
  older->stored = newer;
  older->row = AutoscalerV1Row;
  older->to_stored = AutoscalerToV2;
  older->from_stored = AutoscalerToV1;
}

const std::deque<KindInfo>& Infos() {
  static const std::deque<KindInfo> infos = [] {
    std::deque<KindInfo> made;
    for (const facts::KindFacts& facts : facts::AllKindFacts()) made.push_back(MakeKind(facts));
    const auto event = [&](std::string_view group) {
      return std::find_if(made.begin(), made.end(), [&](const KindInfo& info) {
        return info.kind == "Event" && info.group == group;
      });
    };
    KindInfo& newer = *event("events.k8s.io");
    newer.stored = &*event("");
    newer.to_stored = EventToStored;
    newer.from_stored = EventFromStored;
    LinkAutoscalers(made);
    return made;
  }();
  return infos;
}

const KindInfo& BuiltIn(std::string_view group, std::string_view kind) {
  const auto& infos = Infos();
  const auto found = std::find_if(infos.begin(), infos.end(), [&](const KindInfo& info) {
    return info.group == group && info.kind == kind;
  });
  KUEUE_CHECK(found != infos.end());
  return *found;
}

// A body that is read and answered but not stored.
KindInfo MakeRequest(std::string_view group, std::string_view kind, std::string_view plural,
                     std::string_view table, bool namespaced) {
  KindInfo info;
  info.group = group;
  info.version = "v1";
  info.kind = kind;
  info.plural = plural;
  info.namespaced = namespaced;
  info.table = DescribedTable(table);
  KUEUE_CHECK(info.table != nullptr);
  return info;
}

}  // namespace

const std::vector<const KindInfo*>& BuiltInKinds() {
  static const std::vector<const KindInfo*> kinds = [] {
    std::vector<const KindInfo*> all;
    for (const KindInfo& info : Infos()) all.push_back(&info);
    return all;
  }();
  return kinds;
}

const std::vector<const KindInfo*>& RequestKinds() {
  static const std::deque<KindInfo> infos = {
      MakeRequest("", "Binding", "bindings", "core.v1.Binding", true),
      MakeRequest("admission.k8s.io", "AdmissionReview", "", "admission.v1.AdmissionReview", false),
      MakeRequest("apiextensions.k8s.io", "ConversionReview", "",
                  "apiextensions.v1.ConversionReview", false),
      MakeRequest("authentication.k8s.io", "SelfSubjectReview", "selfsubjectreviews",
                  "authentication.v1.SelfSubjectReview", false),
      MakeRequest("authentication.k8s.io", "TokenRequest", "", "authentication.v1.TokenRequest",
                  true),
      MakeRequest("authentication.k8s.io", "TokenReview", "tokenreviews",
                  "authentication.v1.TokenReview", false),
      MakeRequest("authorization.k8s.io", "LocalSubjectAccessReview", "localsubjectaccessreviews",
                  "authorization.v1.LocalSubjectAccessReview", true),
      MakeRequest("authorization.k8s.io", "SelfSubjectAccessReview", "selfsubjectaccessreviews",
                  "authorization.v1.SelfSubjectAccessReview", false),
      MakeRequest("authorization.k8s.io", "SelfSubjectRulesReview", "selfsubjectrulesreviews",
                  "authorization.v1.SelfSubjectRulesReview", false),
      MakeRequest("authorization.k8s.io", "SubjectAccessReview", "subjectaccessreviews",
                  "authorization.v1.SubjectAccessReview", false),
      MakeRequest("autoscaling", "Scale", "", "autoscaling.v1.Scale", true),
      MakeRequest("policy", "Eviction", "", "policy.v1.Eviction", true),
  };
  static const std::vector<const KindInfo*> kinds = [] {
    std::vector<const KindInfo*> all;
    for (const KindInfo& info : infos) all.push_back(&info);
    return all;
  }();
  return kinds;
}

template <>
const KindInfo& KindOf<ConfigMap>() {
  static const KindInfo& info = BuiltIn("", "ConfigMap");
  return info;
}
template <>
const KindInfo& KindOf<Event>() {
  static const KindInfo& info = BuiltIn("", "Event");
  return info;
}
template <>
const KindInfo& KindOf<Namespace>() {
  static const KindInfo& info = BuiltIn("", "Namespace");
  return info;
}
template <>
const KindInfo& KindOf<Node>() {
  static const KindInfo& info = BuiltIn("", "Node");
  return info;
}
template <>
const KindInfo& KindOf<Pod>() {
  static const KindInfo& info = BuiltIn("", "Pod");
  return info;
}
template <>
const KindInfo& KindOf<Secret>() {
  static const KindInfo& info = BuiltIn("", "Secret");
  return info;
}
template <>
const KindInfo& KindOf<Job>() {
  static const KindInfo& info = BuiltIn("batch", "Job");
  return info;
}
template <>
const KindInfo& KindOf<Lease>() {
  static const KindInfo& info = BuiltIn("coordination.k8s.io", "Lease");
  return info;
}

}  // namespace kueue::api
