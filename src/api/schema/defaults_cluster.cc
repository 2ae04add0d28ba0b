#include <cstdint>

#include "api/schema/defaults_built_in.h"
#include "api/schema/defined_kind.h"

// Defaults of the kinds a cluster is set up with: network, storage, access, extension.
namespace kueue::api {
namespace {

constexpr char kAccessGroup[] = "rbac.authorization.k8s.io";

void DefaultProtocols(Json* object, std::string_view list) {
  ForEachIn(object, list, [](Json& port) { SetIfAbsent(port, "protocol", "TCP"); });
}

// Stands in for an allocator: spread by the object's uid, so that two services rarely meet. Nothing
// in this cluster routes by these numbers.
uint32_t NumberOf(const Json& object, std::string_view purpose) {
  uint32_t hash = 2166136261u;
  const std::string uid = object.StringAt({"metadata", "uid"});
  for (const std::string_view text : {std::string_view(uid), purpose}) {
    for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  }
  return hash ^ hash >> 15;
}

std::string ClusterAddress(const Json& service) {
  const uint32_t number = NumberOf(service, "address") % 0xfff00u + 0x80u;  // in 10.96.0.0/12
  return "10." + std::to_string(96 + (number >> 16)) + "." + std::to_string(number >> 8 & 255) +
         "." + std::to_string(number & 255);
}

// The cluster has IPv4 alone. Whoever lists the pods of a headless service without a selector may
// list any.
void DefaultFamilies(Json& spec) {
  const Json* selector = spec.Find("selector");
  const bool any = spec.StringAt({"clusterIP"}) == "None" && (!selector || selector->size() == 0);
  const bool chosen = spec.Find("ipFamilyPolicy") || spec.Find("ipFamilies");
  Json families(Json::Array{Json("IPv4")});
  if (any && !chosen) families.Append("IPv6");
  SetIfAbsent(spec, "ipFamilies", std::move(families));
  SetIfAbsent(spec, "ipFamilyPolicy", any && !chosen ? "RequireDualStack" : "SingleStack");
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

void DefaultService(Json& object) {
  Json* spec = MakeObjectIn(&object, "spec");
  if (!spec) return;
  SetIfAbsent(*spec, "sessionAffinity", "None");
  if (spec->StringAt({"sessionAffinity"}) == "ClientIP") {
    Json* config = MakeObjectIn(spec, "sessionAffinityConfig");
    if (Json* client = MakeObjectIn(config, "clientIP")) {
      SetIfAbsent(*client, "timeoutSeconds", 10800);
    }
  }
  SetIfAbsent(*spec, "type", "ClusterIP");
  ForEachIn(spec, "ports", [](Json& port) {
    SetIfAbsent(port, "protocol", "TCP");
    const Json* target = port.Find("targetPort");
    const bool none = !target || *target == Json(0) || *target == Json("");
    if (const Json* number = port.Find("port"); number && none)
      port.Set("targetPort", Json(*number));
  });
  const std::string type = spec->StringAt({"type"});
  const bool outside = type == "NodePort" || type == "LoadBalancer";
  if (outside || type == "ClusterIP") SetIfAbsent(*spec, "internalTrafficPolicy", "Cluster");
  if (outside) SetIfAbsent(*spec, "externalTrafficPolicy", "Cluster");
  if (type == "LoadBalancer") SetIfAbsent(*spec, "allocateLoadBalancerNodePorts", true);
}

void PrepareService(Json& object) {
  Json* spec = ObjectIn(&object, "spec");
  if (!spec || spec->StringAt({"type"}) == "ExternalName") return;
  if (spec->StringAt({"clusterIP"}).empty()) spec->Set("clusterIP", ClusterAddress(object));
  SetIfAbsent(*spec, "clusterIPs", Json(Json::Array{*spec->Find("clusterIP")}));
  DefaultFamilies(*spec);
  const std::string type = spec->StringAt({"type"});
  const Json* wanted = spec->Find("allocateLoadBalancerNodePorts");
  const bool none = type == "LoadBalancer" && wanted && *wanted == Json(false);
  if ((type != "NodePort" && type != "LoadBalancer") || none) return;
  ForEachIn(spec, "ports", [&](Json& port) {
    const std::string purpose = port.StringAt({"name"}) + "/" + port.StringAt({"protocol"});
    const uint32_t number = 30000 + NumberOf(object, purpose) % 2768;
    SetIfAbsent(port, "nodePort", static_cast<int64_t>(number));
  });
  // Whoever balances asks each node whether it has a pod.
  if (type == "LoadBalancer" && spec->StringAt({"externalTrafficPolicy"}) == "Local") {
    const uint32_t number = 30000 + NumberOf(object, "health") % 2768;
    SetIfAbsent(*spec, "healthCheckNodePort", static_cast<int64_t>(number));
  }
}

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
