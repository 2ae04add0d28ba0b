#include "api/schema/defaults_built_in.h"

#include <unordered_map>

#include "api/schema/kinds_built_in.h"
#include "base/base64.h"

namespace kueue::api {
namespace {

void DefaultNode(Json& node) {
  const std::string range = node.StringAt({"spec", "podCIDR"});
  if (!range.empty()) SetIfAbsent(node["spec"], "podCIDRs", Json(Json::Array{Json(range)}));
  Json* status = ObjectIn(&node, "status");
  if (!status) return;
  if (const Json* capacity = status->Find("capacity")) {
    const Json copy = *capacity;
    SetIfAbsent(*status, "allocatable", copy);
  }
}

void DefaultNamespace(Json& object) {
  if (Json* status = MakeObjectIn(&object, "status")) SetIfAbsent(*status, "phase", "Active");
  const std::string name = object.StringAt({"metadata", "name"});
  if (name.empty()) return;
  Json& metadata = object["metadata"];
  SetIfAbsent(metadata, "labels", Json::MakeObject());
  if (metadata["labels"].IsObject()) metadata["labels"].Set("kubernetes.io/metadata.name", name);
}

void DefaultSecret(Json& secret) {
  SetIfAbsent(secret, "type", "Opaque");
  const Json* texts = secret.Find("stringData");
  if (!texts || !texts->IsObject()) return;
  const Json copy = *texts;
  SetIfAbsent(secret, "data", Json::MakeObject());
  for (const Json::Member& entry : copy.AsObject()) {
    if (!entry.value.IsString()) continue;
    secret["data"].Set(entry.key, base::EncodeBase64(entry.value.AsString()));
  }
  secret.Erase("stringData");
}

void PrepareNamespace(Json& object) {
  Json finalizers = Json::MakeArray();
  const Json* given = object.FindPath({"spec", "finalizers"});
  bool has_own = false;
  if (given && given->IsArray()) {
    for (const Json& item : given->AsArray()) {
      has_own = has_own || (item.IsString() && item.AsString() == "kubernetes");
      finalizers.Append(item);
    }
  }
  if (!has_own) finalizers.Append("kubernetes");
  object["spec"].Set("finalizers", std::move(finalizers));
  Json status = Json::MakeObject();
  status.Set("phase", "Active");
  object.Set("status", std::move(status));
}

struct KindRules {
  std::string_view group, kind;
  void (*fill)(Json& object) = nullptr;
  void (*prepare)(Json& object) = nullptr;
  void (*update)(const Json& before, Json& object) = nullptr;
};

constexpr char kAdmissionGroup[] = "admissionregistration.k8s.io";
constexpr char kAccessGroup[] = "rbac.authorization.k8s.io";
constexpr KindRules kRules[] = {
    {"", "Endpoints", DefaultEndpoints},
    {"", "LimitRange", DefaultLimitRange},
    {"", "Namespace", DefaultNamespace, PrepareNamespace},
    {"", "Node", DefaultNode},
    {"", "PersistentVolume", DefaultPersistentVolume, PreparePersistentVolume},
    {"", "PersistentVolumeClaim", DefaultPersistentVolumeClaim, PreparePersistentVolumeClaim},
    {"", "Pod", DefaultPod, PreparePod},
    {"", "PodTemplate", DefaultPodTemplateKind},
    {"", "ReplicationController", DefaultReplicationController},
    {"", "Secret", DefaultSecret},
    {"", "Service", DefaultService, PrepareService, UpdateService},
    {kAdmissionGroup, "MutatingWebhookConfiguration", DefaultMutatingWebhooks},
    {kAdmissionGroup, "MutatingAdmissionPolicy", DefaultValidatingPolicy},
    {kAdmissionGroup, "MutatingAdmissionPolicyBinding", DefaultValidatingPolicyBinding},
    {kAdmissionGroup, "ValidatingAdmissionPolicy", DefaultValidatingPolicy},
    {kAdmissionGroup, "ValidatingAdmissionPolicyBinding", DefaultValidatingPolicyBinding},
    {kAdmissionGroup, "ValidatingWebhookConfiguration", DefaultValidatingWebhooks},
    {"apiextensions.k8s.io", "CustomResourceDefinition", DefaultCustomResourceDefinition,
     PrepareCustomResourceDefinition},
    {"apiregistration.k8s.io", "APIService", DefaultApiService},
    {"apps", "DaemonSet", DefaultDaemonSet, PrepareDaemonSet},
    {"apps", "Deployment", DefaultDeployment},
    {"apps", "ReplicaSet", DefaultReplicaSet},
    {"apps", "StatefulSet", DefaultStatefulSet},
    {"autoscaling", "HorizontalPodAutoscaler", DefaultAutoscaler},
    {"batch", "CronJob", DefaultCronJob},
    {"batch", "Job", DefaultJob, PrepareJob},
    {"discovery.k8s.io", "EndpointSlice", DefaultEndpointSlice},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema", DefaultFlowSchema},
    {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", DefaultPriorityLevel},
    {"networking.k8s.io", "IngressClass", DefaultIngressClass},
    {"networking.k8s.io", "NetworkPolicy", DefaultNetworkPolicy},
    {kAccessGroup, "ClusterRoleBinding", DefaultRoleBinding},
    {kAccessGroup, "RoleBinding", DefaultRoleBinding},
    {"resource.k8s.io", "ResourceClaim", DefaultResourceClaim},
    {"resource.k8s.io", "ResourceClaimTemplate", DefaultResourceClaimTemplate},
    {"scheduling.k8s.io", "PriorityClass", DefaultPriorityClass},
    {"storage.k8s.io", "CSIDriver", DefaultCsiDriver},
    {"storage.k8s.io", "StorageClass", DefaultStorageClass},
};

const KindRules* RulesOf(const KindInfo& kind) {
  static const auto* const rules = [] {
    auto* by_kind = new std::unordered_map<const KindInfo*, const KindRules*>;
    for (const KindInfo* info : BuiltInKinds()) {
      for (const KindRules& rule : kRules) {
        if (rule.group == info->group && rule.kind == info->kind) (*by_kind)[info] = &rule;
      }
    }
    return by_kind;
  }();
  const auto it = rules->find(&kind);
  return it == rules->end() ? nullptr : it->second;
}

}  // namespace

void SetIfAbsent(Json& object, std::string_view key, Json value) {
  const Json* member = object.Find(key);
  if (!member || member->IsNull()) object.Set(key, std::move(value));
}

Json* ObjectIn(Json* object, std::string_view key) {
  Json* member = object ? object->Find(key) : nullptr;
  return member && member->IsObject() ? member : nullptr;
}

Json* MakeObjectIn(Json* object, std::string_view key) {
  if (!object || !object->IsObject()) return nullptr;
  SetIfAbsent(*object, key, Json::MakeObject());
  return ObjectIn(object, key);
}

void DefaultBuiltIn(const KindInfo& kind, Json& object) {
  const KindRules* rules = RulesOf(kind);
  if (rules && rules->fill) rules->fill(object);
}

void PrepareBuiltIn(const KindInfo& kind, Json& object) {
  // A node says itself how it is; everything else starts without a status.
  if (kind.has_status && kind.kind != "Node") object.Erase("status");
  const KindRules* rules = RulesOf(kind);
  if (rules && rules->prepare) rules->prepare(object);
}

void PrepareUpdateOfBuiltIn(const KindInfo& kind, const Json& before, Json& object) {
  const KindRules* rules = RulesOf(kind);
  if (rules && rules->update) rules->update(before, object);
}

}  // namespace kueue::api
