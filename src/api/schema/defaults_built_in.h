#pragma once

#include <string>
#include <string_view>

#include "api/schema/kind.h"

// The parts of ApplyDefaults and PrepareForCreate that belong to single built-in kinds. Values are
// those the Kubernetes API reference documents. All take a whole object, or a part that may be
// absent or of another type: then nothing happens.
namespace kueue::api {

void DefaultBuiltIn(const KindInfo& kind, Json& object);
void PrepareBuiltIn(const KindInfo& kind, Json& object);
void PrepareUpdateOfBuiltIn(const KindInfo& kind, const Json& before, Json& object);
// Guaranteed, Burstable or BestEffort, from cpu and memory of all containers.
std::string QosClassOf(const Json& pod_spec);

// ---- what the files of defaults share

void SetIfAbsent(Json& object, std::string_view key, Json value);
// The member of that name if it is an object, else null.
Json* ObjectIn(Json* object, std::string_view key);
// The same, made if it is absent.
Json* MakeObjectIn(Json* object, std::string_view key);
// Calls `visit` for every entry of the list that is an object.
template <class Visit>
void ForEachIn(Json* object, std::string_view list, const Visit& visit) {
  Json* items = object ? object->Find(list) : nullptr;
  if (!items || !items->IsArray()) return;
  for (Json& item : items->AsArray()) {
    if (item.IsObject()) visit(item);
  }
}

void DefaultPod(Json& pod);
// What pods and all templates share.
void DefaultPodSpec(Json* spec);
void DefaultPodTemplate(Json* pod_template);
void PreparePod(Json& pod);

// defaults_workloads.cc
void DefaultCronJob(Json& object);
void DefaultDaemonSet(Json& object);
void DefaultDeployment(Json& object);
void DefaultJob(Json& object);
void DefaultPodTemplateKind(Json& object);
void DefaultReplicaSet(Json& object);
void DefaultReplicationController(Json& object);
void DefaultStatefulSet(Json& object);
void PrepareDaemonSet(Json& object);
void PrepareJob(Json& object);

// defaults_cluster.cc
void DefaultApiService(Json& object);
void DefaultCustomResourceDefinition(Json& object);
void DefaultEndpointSlice(Json& object);
void DefaultEndpoints(Json& object);
void DefaultIngressClass(Json& object);
void DefaultLimitRange(Json& object);
void DefaultMutatingWebhooks(Json& object);
void DefaultNetworkPolicy(Json& object);
void DefaultPersistentVolume(Json& object);
void DefaultPersistentVolumeClaim(Json& object);
void DefaultPriorityClass(Json& object);
void DefaultResourceClaim(Json& object);
void DefaultResourceClaimTemplate(Json& object);
void DefaultRoleBinding(Json& object);
void DefaultStorageClass(Json& object);
void DefaultValidatingPolicy(Json& object);
void DefaultValidatingPolicyBinding(Json& object);
void DefaultValidatingWebhooks(Json& object);
void PrepareCustomResourceDefinition(Json& object);
void PreparePersistentVolume(Json& object);
void PreparePersistentVolumeClaim(Json& object);

// defaults_service.cc
void DefaultService(Json& object);
void PrepareService(Json& object);
void UpdateService(const Json& before, Json& object);

// defaults_control.cc
void DefaultAutoscaler(Json& object);
void DefaultCsiDriver(Json& object);
void DefaultFlowSchema(Json& object);
void DefaultPriorityLevel(Json& object);

}  // namespace kueue::api
