#include "api/schema/defaults_built_in.h"
#include "api/schema/defined_kind.h"

// Defaults of the kinds a cluster is set up with: network, storage, access, extension.
namespace kueue::api {
namespace {

constexpr char kAccessGroup[] = "rbac.authorization.k8s.io";

void DefaultProtocols(Json* object, std::string_view list) {
  ForEachIn(object, list, [](Json& port) { SetIfAbsent(port, "protocol", "TCP"); });
}

void DefaultServiceReference(Json* client) {
  if (Json* service = ObjectIn(client, "service")) SetIfAbsent(*service, "port", 443);
}

// rules and resourceRules of webhooks and policies.
void DefaultRuleScopes(Json* object, std::string_view list) {
  ForEachIn(object, list, [](Json& rule) { SetIfAbsent(rule, "scope", "*"); });
}

void DefaultWebhook(Json& webhook) {
  SetIfAbsent(webhook, "failurePolicy", "Fail");
  SetIfAbsent(webhook, "matchPolicy", "Equivalent");
  SetIfAbsent(webhook, "namespaceSelector", Json::MakeObject());
  SetIfAbsent(webhook, "objectSelector", Json::MakeObject());
  SetIfAbsent(webhook, "timeoutSeconds", 10);
  DefaultServiceReference(ObjectIn(&webhook, "clientConfig"));
  DefaultRuleScopes(&webhook, "rules");
}

void DefaultMatchResources(Json* match) {
  if (!match) return;
  SetIfAbsent(*match, "matchPolicy", "Equivalent");
  SetIfAbsent(*match, "namespaceSelector", Json::MakeObject());
  SetIfAbsent(*match, "objectSelector", Json::MakeObject());
  DefaultRuleScopes(match, "resourceRules");
  DefaultRuleScopes(match, "excludeResourceRules");
}

void DefaultDeviceRequest(Json* request) {
  if (!request) return;
  SetIfAbsent(*request, "allocationMode", "ExactCount");
  if (request->StringAt({"allocationMode"}) == "ExactCount") SetIfAbsent(*request, "count", 1);
  ForEachIn(request, "tolerations",
            [](Json& toleration) { SetIfAbsent(toleration, "operator", "Equal"); });
}

void DefaultClaimSpec(Json* spec) {
  ForEachIn(ObjectIn(spec, "devices"), "requests", [](Json& request) {
    DefaultDeviceRequest(ObjectIn(&request, "exactly"));
    ForEachIn(&request, "firstAvailable", [](Json& sub) { DefaultDeviceRequest(&sub); });
  });
}

void AddFinalizer(Json& object, std::string_view name) {
  Json* metadata = ObjectIn(&object, "metadata");
  if (!metadata) return;
  SetIfAbsent(*metadata, "finalizers", Json::MakeArray());
  Json& finalizers = *metadata->Find("finalizers");
  if (!finalizers.IsArray()) return;
  for (const Json& item : finalizers.AsArray()) {
    if (item == Json(name)) return;
  }
  finalizers.Append(name);
}

void StartPending(Json& object) {
  Json status = Json::MakeObject();
  status.Set("phase", "Pending");
  object.Set("status", std::move(status));
}

std::string LowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

}  // namespace

// ---- network

void DefaultEndpoints(Json& object) {
  ForEachIn(&object, "subsets", [](Json& subset) { DefaultProtocols(&subset, "ports"); });
}

void DefaultEndpointSlice(Json& object) {
  ForEachIn(&object, "ports", [](Json& port) {
    SetIfAbsent(port, "name", "");
    SetIfAbsent(port, "protocol", "TCP");
  });
}

void DefaultNetworkPolicy(Json& object) {
  Json* spec = MakeObjectIn(&object, "spec");
  if (!spec) return;
  for (const char* list : {"ingress", "egress"}) {
    ForEachIn(spec, list, [](Json& rule) { DefaultProtocols(&rule, "ports"); });
  }
  if (spec->Find("policyTypes")) return;
  Json types = Json::MakeArray();
  types.Append("Ingress");
  const Json* egress = spec->Find("egress");
  if (egress && egress->size() > 0) types.Append("Egress");
  spec->Set("policyTypes", std::move(types));
}

void DefaultIngressClass(Json& object) {
  Json* parameters = ObjectIn(ObjectIn(&object, "spec"), "parameters");
  if (parameters) SetIfAbsent(*parameters, "scope", "Cluster");
}

// ---- storage

void DefaultPersistentVolume(Json& object) {
  Json* spec = MakeObjectIn(&object, "spec");
  if (!spec) return;
  SetIfAbsent(*spec, "persistentVolumeReclaimPolicy", "Retain");
  SetIfAbsent(*spec, "volumeMode", "Filesystem");
  if (Json* path = ObjectIn(spec, "hostPath")) SetIfAbsent(*path, "type", "");
  if (Json* status = MakeObjectIn(&object, "status")) SetIfAbsent(*status, "phase", "Pending");
}

void DefaultPersistentVolumeClaim(Json& object) {
  if (Json* spec = MakeObjectIn(&object, "spec")) SetIfAbsent(*spec, "volumeMode", "Filesystem");
  if (Json* status = MakeObjectIn(&object, "status")) SetIfAbsent(*status, "phase", "Pending");
}

// Nobody deletes what is in use: the finalizer is taken off by whoever watches over the use.
void PreparePersistentVolume(Json& object) {
  AddFinalizer(object, "kubernetes.io/pv-protection");
  StartPending(object);
  if (const Json* created = object.FindPath({"metadata", "creationTimestamp"})) {
    const Json copy = *created;
    object["status"].Set("lastPhaseTransitionTime", copy);
  }
}

void PreparePersistentVolumeClaim(Json& object) {
  AddFinalizer(object, "kubernetes.io/pvc-protection");
  StartPending(object);
}

void DefaultStorageClass(Json& object) {
  SetIfAbsent(object, "reclaimPolicy", "Delete");
  SetIfAbsent(object, "volumeBindingMode", "Immediate");
}

// ---- limits and priorities

// A container's default limit is the most it may have, its default request its default limit, else
// the least it must have.
void DefaultLimitRange(Json& object) {
  ForEachIn(ObjectIn(&object, "spec"), "limits", [](Json& item) {
    if (item.StringAt({"type"}) != "Container") return;
    for (const auto& [from, into] :
         {std::pair("max", "default"), std::pair("default", "defaultRequest"),
          std::pair("min", "defaultRequest")}) {
      const Json* source = ObjectIn(&item, from);
      if (!source || source->size() == 0) continue;
      const Json copy = *source;
      Json* target = MakeObjectIn(&item, into);
      if (!target) continue;
      for (const Json::Member& entry : copy.AsObject()) {
        SetIfAbsent(*target, entry.key, entry.value);
      }
    }
  });
}

void DefaultPriorityClass(Json& object) {
  SetIfAbsent(object, "preemptionPolicy", "PreemptLowerPriority");
}

// ---- access

void DefaultRoleBinding(Json& object) {
  Json* role = ObjectIn(&object, "roleRef");
  if (role && role->StringAt({"apiGroup"}).empty()) role->Set("apiGroup", kAccessGroup);
  ForEachIn(&object, "subjects", [](Json& subject) {
    const std::string kind = subject.StringAt({"kind"});
    const bool person = kind == "User" || kind == "Group";
    if (person && subject.StringAt({"apiGroup"}).empty()) subject.Set("apiGroup", kAccessGroup);
  });
}

// ---- extension

void DefaultValidatingWebhooks(Json& object) { ForEachIn(&object, "webhooks", DefaultWebhook); }

void DefaultMutatingWebhooks(Json& object) {
  ForEachIn(&object, "webhooks", [](Json& webhook) {
    DefaultWebhook(webhook);
    SetIfAbsent(webhook, "reinvocationPolicy", "Never");
  });
}

void DefaultValidatingPolicy(Json& object) {
  Json* spec = MakeObjectIn(&object, "spec");
  if (!spec) return;
  SetIfAbsent(*spec, "failurePolicy", "Fail");
  DefaultMatchResources(ObjectIn(spec, "matchConstraints"));
}

void DefaultValidatingPolicyBinding(Json& object) {
  DefaultMatchResources(ObjectIn(ObjectIn(&object, "spec"), "matchResources"));
}

void DefaultApiService(Json& object) { DefaultServiceReference(ObjectIn(&object, "spec")); }

void DefaultCustomResourceDefinition(Json& object) {
  Json* spec = ObjectIn(&object, "spec");
  if (!spec) return;
  if (Json* names = ObjectIn(spec, "names")) {
    const std::string kind = names->StringAt({"kind"});
    SetIfAbsent(*names, "singular", LowerCase(kind));
    if (!kind.empty()) SetIfAbsent(*names, "listKind", kind + "List");
  }
  Json* conversion = MakeObjectIn(spec, "conversion");
  if (!conversion) return;
  SetIfAbsent(*conversion, "strategy", "None");
  DefaultServiceReference(ObjectIn(ObjectIn(conversion, "webhook"), "clientConfig"));
}

void PrepareCustomResourceDefinition(Json& object) { NoteStoredVersion(object); }

// ---- devices

void DefaultResourceClaim(Json& object) { DefaultClaimSpec(ObjectIn(&object, "spec")); }

void DefaultResourceClaimTemplate(Json& object) {
  DefaultClaimSpec(ObjectIn(ObjectIn(&object, "spec"), "spec"));
}

}  // namespace kueue::api
