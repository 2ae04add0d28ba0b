#include <set>

#include "api/match/name_rules.h"
#include "api/schema/validation_parts.h"

// Rules of the small built-in kinds; pods and jobs have files of their own.
namespace kueue::api {
namespace {

constexpr size_t kDataBytes = 1 << 20;

void CheckNamespaceRules(const Json& object, const Json* before, FieldErrors& errors) {
  for (const Json& finalizer : Items(object.FindPath({"spec", "finalizers"}))) {
    if (!finalizer.IsString()) continue;
    const std::string& text = finalizer.AsString();
    AddInvalid(errors, "spec.finalizers", QualifiedNameProblems(text));
    if (text != "kubernetes" && text.find('/') == std::string::npos) {
      AddInvalid(errors, "spec.finalizers", "must be a known finalizer or a name with a domain");
    }
  }
  const std::string phase = object.StringAt({"status", "phase"});
  if (!before || before->StringAt({"status", "phase"}) == phase) return;
  const Json* deleted = object.FindPath({"metadata", "deletionTimestamp"});
  const bool going = deleted && !deleted->IsNull();
  if (phase != (going ? "Terminating" : "Active")) {
    AddInvalid(errors, "status.Phase", "follows from whether the namespace is being deleted");
  }
}

void CheckTaints(const Json& node, const Json*, FieldErrors& errors) {
  const Json::Array& taints = Items(node.FindPath({"spec", "taints"}));
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (size_t i = 0; i < taints.size(); ++i) {
    const std::string path = Field("metadata.taints", i);
    const std::string_view effect = Text(taints[i], "effect");
    AddInvalid(errors, Field(path, "key"), QualifiedNameProblems(Text(taints[i], "key")));
    AddInvalid(errors, Field(path, "value"), LabelValueProblems(Text(taints[i], "value")));
    if (effect.empty()) {
      AddRequired(errors, Field(path, "effect"));
    } else if (effect != "NoSchedule" && effect != "PreferNoSchedule" && effect != "NoExecute") {
      AddNotSupported(errors, Field(path, "effect"), effect,
                      {"NoSchedule", "PreferNoSchedule", "NoExecute"});
    }
    if (!seen.emplace(Text(taints[i], "key"), effect).second) {
      AddError(errors, FieldErrorType::kDuplicate, path, "a key has each effect only once");
    }
  }
}

bool IsGiven(const Json& object, std::string_view member) {
  const Json* value = object.Find(member);
  return value && !value->IsNull();
}

// What both sorts of events have in common. Those that say when they happened say who acted, too.
// `about`: the member that names the object; `controller`, `note`: as the version calls them.
// Errors use the core version's words for the others.
void CheckAnyEvent(const Json& event, const char* about, const char* controller, const char* note,
                   FieldErrors& errors) {
  const bool timed = IsGiven(event, "eventTime");
  const std::string of = event.StringAt({about, "namespace"});
  const std::string own = event.StringAt({"metadata", "namespace"});
  // What has no namespace has its events in "default".
  const bool home = own == "default" || (timed && own == "kube-system");
  if (of.empty() ? !home : of != own) {
    AddInvalid(errors, "involvedObject.namespace", "must be the event's own namespace");
  }
  if (!timed) return;
  const std::string_view acting = Text(event, controller);
  if (acting.empty()) AddRequired(errors, controller);
  AddInvalid(errors, controller, QualifiedNameProblems(acting));
  constexpr size_t kMostCharacters = 128;
  for (const char* member : {"reportingInstance", "action", "reason"}) {
    if (Text(event, member).empty()) AddRequired(errors, member);
    if (Text(event, member).size() > kMostCharacters) {
      AddInvalid(errors, member, "must have at most 128 characters");
    }
  }
  constexpr size_t kMostNote = 1024;
  if (Text(event, note).size() > kMostNote) {
    AddInvalid(errors, "message", "must have at most 1024 characters");
  }
}

void CheckEventRules(const Json& event, const Json*, FieldErrors& errors) {
  CheckAnyEvent(event, "involvedObject", "reportingComponent", "message", errors);
}

void CheckNewEventUpdate(const Json& event, const Json& before, FieldErrors& errors) {
  constexpr std::pair<const char*, const char*> kFixed[] = {
      {"regarding", "involvedObject"},      {"reason", "reason"},
      {"note", "message"},                  {"deprecatedSource", "source"},
      {"deprecatedFirstTimestamp", "firstTimestamp"},
      {"deprecatedLastTimestamp", "lastTimestamp"},
      {"deprecatedCount", "count"},         {"type", "type"},
      {"eventTime", "eventTime"},           {"action", "action"},
      {"related", "related"},               {"reportingController", "reportingController"},
      {"reportingInstance", "reportingInstance"}};
  for (const auto& [member, name] : kFixed) {
    if (!SameOrBothEmpty(event.Find(member), before.Find(member))) {
      AddInvalid(errors, name, "may not be changed");
    }
  }
}

// Events of events.k8s.io say who acted, and when.
void CheckNewEventRules(const Json& event, const Json* before, FieldErrors& errors) {
  CheckAnyEvent(event, "regarding", "reportingController", "note", errors);
  if (const Json* series = event.Find("series"); series && series->IsObject()) {
    if (Int(*series, "count").value_or(0) < 2) {
      AddInvalid(errors, "series.count", "must be at least 2");
    }
    if (!IsGiven(*series, "lastObservedTime")) AddRequired(errors, "series.lastObservedTime");
  }
  if (before) return CheckNewEventUpdate(event, *before, errors);
  if (!IsGiven(event, "eventTime")) AddRequired(errors, "eventTime");
  const std::string_view type = Text(event, "type");
  if (type != "Normal" && type != "Warning") {
    AddInvalid(errors, "type", "must be Normal or Warning");
  }
  constexpr std::pair<const char*, const char*> kUnset[] = {
      {"deprecatedFirstTimestamp", "firstTimestamp"},
      {"deprecatedLastTimestamp", "lastTimestamp"},
      {"deprecatedCount", "count"}};
  for (const auto& [member, name] : kUnset) {
    if (IsGiven(event, member)) AddInvalid(errors, name, "must not be set");
  }
  for (const char* member : {"component", "host"}) {
    if (!event.StringAt({"deprecatedSource", member}).empty()) {
      AddInvalid(errors, Field("source", member), "must not be set");
    }
  }
}

void CheckLeaseRules(const Json& lease, const Json*, FieldErrors& errors) {
  const Json* spec = lease.Find("spec");
  if (!spec) return;
  if (const auto seconds = Int(*spec, "leaseDurationSeconds"); seconds && *seconds <= 0) {
    AddInvalid(errors, "spec.leaseDurationSeconds", "must be greater than 0");
  }
  if (const auto count = Int(*spec, "leaseTransitions"); count && *count < 0) {
    AddInvalid(errors, "spec.leaseTransitions", "must not be negative");
  }
}

// Keys name files: letters, digits, '-', '_', '.', at most 253, not "." and not starting with "..".
bool IsDataKey(std::string_view key) {
  if (key.empty() || key.size() > 253 || key == "." || key.substr(0, 2) == "..") return false;
  for (const char c : key) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != '.') return false;
  }
  return true;
}

size_t CheckData(const Json& object, const char* member, FieldErrors& errors) {
  size_t bytes = 0;
  for (const Json::Member& entry : Members(object.Find(member))) {
    if (!IsDataKey(entry.key)) {
      AddInvalid(errors, Key(member, entry.key),
                 "a key consists of letters, digits, '-', '_' or '.'");
    }
    if (entry.value.IsString()) bytes += entry.value.AsString().size();
  }
  return bytes;
}

void CheckUnchangedWhenImmutable(const Json& object, const Json* before, const char* member,
                                 FieldErrors& errors) {
  if (!before || !True(*before, "immutable")) return;
  if (SameOrBothEmpty(object.Find(member), before->Find(member))) return;
  AddError(errors, FieldErrorType::kForbidden, member, "the object is marked immutable");
}

void CheckStaysImmutable(const Json& object, const Json* before, FieldErrors& errors) {
  if (before && True(*before, "immutable") && !True(object, "immutable")) {
    AddError(errors, FieldErrorType::kForbidden, "immutable", "cannot be taken back");
  }
}

// What secrets of a well-known type must hold.
void CheckSecretType(const Json& secret, FieldErrors& errors) {
  const std::string_view type = Text(secret, "type");
  std::vector<const char*> keys;
  if (type == "kubernetes.io/tls") keys = {"tls.crt", "tls.key"};
  if (type == "kubernetes.io/dockerconfigjson") keys = {".dockerconfigjson"};
  if (type == "kubernetes.io/dockercfg") keys = {".dockercfg"};
  if (type == "kubernetes.io/ssh-auth") keys = {"ssh-privatekey"};
  const Json* data = secret.Find("data");
  for (const char* key : keys) {
    if (!data || !data->Find(key)) AddRequired(errors, Key("data", key));
  }
}

void CheckSecretRules(const Json& secret, const Json* before, FieldErrors& errors) {
  CheckSecretType(secret, errors);
  // The data is base64 on the wire: four characters for three bytes.
  if (CheckData(secret, "data", errors) / 4 * 3 > kDataBytes) {
    AddError(errors, FieldErrorType::kTooLong, "data", "must have at most 1048576 bytes");
  }
  if (before && Text(*before, "type") != Text(secret, "type")) {
    AddInvalid(errors, "type", "may not be changed");
  }
  CheckStaysImmutable(secret, before, errors);
  CheckUnchangedWhenImmutable(secret, before, "data", errors);
}

void CheckConfigMapRules(const Json& map, const Json* before, FieldErrors& errors) {
  const size_t bytes = CheckData(map, "data", errors) + CheckData(map, "binaryData", errors);
  if (bytes > kDataBytes) {
    AddError(errors, FieldErrorType::kTooLong, "[]", "all data must have at most 1048576 bytes");
  }
  const Json::Object& texts = Members(map.Find("data"));
  for (const Json::Member& entry : texts) {
    const Json* binary = map.Find("binaryData");
    if (binary && binary->Find(entry.key)) {
      AddInvalid(errors, Key("data", entry.key), "is also in binaryData");
    }
  }
  CheckStaysImmutable(map, before, errors);
  CheckUnchangedWhenImmutable(map, before, "data", errors);
  CheckUnchangedWhenImmutable(map, before, "binaryData", errors);
}

using Rules = void (*)(const Json& object, const Json* before, FieldErrors& errors);
struct KindRules {
  std::string_view group, kind;
  Rules check;
};

constexpr char kAdmissionGroup[] = "admissionregistration.k8s.io";
constexpr char kAccessGroup[] = "rbac.authorization.k8s.io";
constexpr KindRules kRules[] = {
    {"", "ConfigMap", CheckConfigMapRules},
    {"", "Event", CheckEventRules},
    {"", "LimitRange", CheckLimitRangeRules},
    {"", "Namespace", CheckNamespaceRules},
    {"", "Node", CheckTaints},
    {"", "PersistentVolume", CheckPersistentVolumeRules},
    {"", "PersistentVolumeClaim", CheckPersistentVolumeClaimRules},
    {"", "Pod", CheckPodRules},
    {"", "PodTemplate", CheckPodTemplateRules},
    {"", "ReplicationController", CheckReplicationControllerRules},
    {"", "ResourceQuota", CheckResourceQuotaRules},
    {"", "Secret", CheckSecretRules},
    {"", "Service", CheckServiceRules},
    {kAdmissionGroup, "MutatingWebhookConfiguration", CheckWebhookRules},
    {kAdmissionGroup, "ValidatingAdmissionPolicy", CheckAdmissionPolicyRules},
    {kAdmissionGroup, "ValidatingAdmissionPolicyBinding", CheckAdmissionBindingRules},
    {kAdmissionGroup, "ValidatingWebhookConfiguration", CheckWebhookRules},
    {"apiextensions.k8s.io", "CustomResourceDefinition", CheckCustomResourceDefinitionRules},
    {"apps", "DaemonSet", CheckDaemonSetRules},
    {"apps", "Deployment", CheckDeploymentRules},
    {"apps", "ReplicaSet", CheckReplicaSetRules},
    {"apps", "StatefulSet", CheckStatefulSetRules},
    {"batch", "CronJob", CheckCronJobRules},
    {"batch", "Job", CheckJobRules},
    {"coordination.k8s.io", "Lease", CheckLeaseRules},
    {"events.k8s.io", "Event", CheckNewEventRules},
    {"node.k8s.io", "RuntimeClass", CheckRuntimeClassRules},
    {"policy", "PodDisruptionBudget", CheckPodDisruptionBudgetRules},
    {kAccessGroup, "ClusterRole", CheckRoleRules},
    {kAccessGroup, "ClusterRoleBinding", CheckBindingRules},
    {kAccessGroup, "Role", CheckRoleRules},
    {kAccessGroup, "RoleBinding", CheckBindingRules},
    {"resource.k8s.io", "ResourceClaim", CheckResourceClaimRules},
    {"scheduling.k8s.io", "PriorityClass", CheckPriorityClassRules},
    {"storage.k8s.io", "StorageClass", CheckStorageClassRules},
};

}  // namespace

void CheckBuiltInRules(const KindInfo& kind, const Json& object, const Json* before,
                       FieldErrors& errors) {
  for (const KindRules& rules : kRules) {
    if (rules.group == kind.group && rules.kind == kind.kind) {
      return rules.check(object, before, errors);
    }
  }
}

}  // namespace kueue::api
