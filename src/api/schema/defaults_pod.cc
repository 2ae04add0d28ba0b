#include <algorithm>
#include <map>
#include <optional>

#include "api/schema/defaults_built_in.h"
#include "api/schema/validation_parts.h"
#include "resources/quantity.h"

// Defaults of pods and of the templates pods are made from.
namespace kueue::api {
namespace {

// The tag of an image decides how it is pulled: latest, and what has no tag, always.
std::string PullPolicyOf(std::string_view image) {
  if (image.find('@') != std::string_view::npos) return "IfNotPresent";
  const size_t slash = image.rfind('/');
  const std::string_view last = slash == std::string_view::npos ? image : image.substr(slash + 1);
  const size_t colon = last.find(':');
  if (colon == std::string_view::npos) return "Always";
  return last.substr(colon + 1) == "latest" ? "Always" : "IfNotPresent";
}

void DefaultHttpGet(Json* parent) {
  Json* get = ObjectIn(parent, "httpGet");
  if (!get) return;
  SetIfAbsent(*get, "path", "/");
  SetIfAbsent(*get, "scheme", "HTTP");
}

void DefaultProbe(Json* probe) {
  if (!probe) return;
  DefaultHttpGet(probe);
  SetIfAbsent(*probe, "timeoutSeconds", 1);
  SetIfAbsent(*probe, "periodSeconds", 10);
  SetIfAbsent(*probe, "successThreshold", 1);
  SetIfAbsent(*probe, "failureThreshold", 3);
}

void DefaultPorts(Json& container, bool host_network) {
  ForEachIn(&container, "ports", [&](Json& port) {
    SetIfAbsent(port, "protocol", "TCP");
    const Json* number = port.Find("containerPort");
    if (host_network && number) SetIfAbsent(port, "hostPort", *number);
  });
}

// The API version a downward reference to a field of the pod is in.
void DefaultFieldRef(Json* parent) {
  if (Json* reference = ObjectIn(parent, "fieldRef")) SetIfAbsent(*reference, "apiVersion", "v1");
}

void DefaultContainer(Json& container, bool host_network) {
  DefaultPorts(container, host_network);
  ForEachIn(&container, "env",
            [](Json& variable) { DefaultFieldRef(ObjectIn(&variable, "valueFrom")); });
  for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    DefaultProbe(ObjectIn(&container, probe));
  }
  Json* lifecycle = ObjectIn(&container, "lifecycle");
  DefaultHttpGet(ObjectIn(lifecycle, "postStart"));
  DefaultHttpGet(ObjectIn(lifecycle, "preStop"));
  SetIfAbsent(container, "terminationMessagePath", "/dev/termination-log");
  SetIfAbsent(container, "terminationMessagePolicy", "File");
  SetIfAbsent(container, "imagePullPolicy", PullPolicyOf(container.StringAt({"image"})));
}

// Permissions of files that come from objects: 0644.
constexpr int kFileMode = 420;

void DefaultDownward(Json* volume) {
  ForEachIn(volume, "items", [](Json& item) { DefaultFieldRef(&item); });
}

void DefaultProjected(Json* volume) {
  if (!volume) return;
  SetIfAbsent(*volume, "defaultMode", kFileMode);
  ForEachIn(volume, "sources", [](Json& source) {
    DefaultDownward(ObjectIn(&source, "downwardAPI"));
    if (Json* token = ObjectIn(&source, "serviceAccountToken")) {
      SetIfAbsent(*token, "expirationSeconds", 3600);
    }
  });
}

void DefaultVolume(Json& volume) {
  if (volume.size() == (volume.Find("name") ? 1U : 0U)) volume.Set("emptyDir", Json::MakeObject());
  for (const char* source : {"secret", "configMap", "downwardAPI"}) {
    if (Json* files = ObjectIn(&volume, source)) SetIfAbsent(*files, "defaultMode", kFileMode);
  }
  DefaultDownward(ObjectIn(&volume, "downwardAPI"));
  DefaultProjected(ObjectIn(&volume, "projected"));
  if (Json* path = ObjectIn(&volume, "hostPath")) SetIfAbsent(*path, "type", "");
  if (Json* image = ObjectIn(&volume, "image")) {
    SetIfAbsent(*image, "pullPolicy", PullPolicyOf(image->StringAt({"reference"})));
  }
  Json* claim = ObjectIn(ObjectIn(&volume, "ephemeral"), "volumeClaimTemplate");
  if (Json* spec = MakeObjectIn(claim, "spec")) SetIfAbsent(*spec, "volumeMode", "Filesystem");
}

// A limit without a request is also the request.
void DefaultRequests(Json& holder) {
  Json* resources = ObjectIn(&holder, "resources");
  Json* limits = ObjectIn(resources, "limits");
  if (!limits || limits->size() == 0) return;
  const Json copy = *limits;
  Json* requests = MakeObjectIn(resources, "requests");
  if (!requests) return;
  for (const Json::Member& limit : copy.AsObject()) SetIfAbsent(*requests, limit.key, limit.value);
}

// The two classes every cluster has; without a class the priority is 0.
void DefaultPriority(Json& spec) {
  const std::string name = spec.StringAt({"priorityClassName"});
  int64_t priority = 0;
  if (name == "system-cluster-critical") {
    priority = 2000000000;
  } else if (name == "system-node-critical") {
    priority = 2000001000;
  } else if (!name.empty()) {
    return;
  }
  SetIfAbsent(spec, "priority", priority);
  SetIfAbsent(spec, "preemptionPolicy", "PreemptLowerPriority");
}

void AddComputeResources(const Json& container, std::string_view list,
                         std::map<std::string, Quantity>& sums, int& found) {
  const Json* values = container.FindPath({"resources", list});
  if (!values || !values->IsObject()) return;
  for (const Json::Member& entry : values->AsObject()) {
    if ((entry.key != "cpu" && entry.key != "memory") || !entry.value.IsString()) continue;
    const auto quantity = Quantity::Parse(entry.value.AsString());
    if (!quantity.ok() || quantity->Sign() <= 0) continue;
    sums[entry.key] += *quantity;
    ++found;
  }
}

std::string QosClassOfPod(const Json& pod_spec) {
  std::map<std::string, Quantity> requests, limits;
  int requested = 0, limited = 0;
  AddComputeResources(pod_spec, "requests", requests, requested);
  AddComputeResources(pod_spec, "limits", limits, limited);
  if (requested == 0 && limited == 0) return "BestEffort";
  return limited == 2 && requests == limits ? "Guaranteed" : "Burstable";
}

// What all containers together ask of one resource: those that run side by side are added up, an
// init container counts alone. Nothing if none asks for it.
std::optional<Quantity> RequestOfContainers(const Json& spec, std::string_view resource) {
  Quantity together, alone;
  bool any = false;
  for (const char* list : {"initContainers", "containers"}) {
    for (const Json& container : Items(spec, list)) {
      const auto request = QuantityIn(container.FindPath({"resources", "requests", resource}));
      if (!request) continue;
      any = true;
      if (list[0] == 'c' || Text(container, "restartPolicy") == "Always") {
        together += *request;
      } else {
        alone = std::max(alone, *request);
      }
    }
  }
  if (!any) return std::nullopt;
  return std::max(together, alone);
}

// Of the pod as a whole: what its containers ask for, else the limit.
void DefaultPodRequests(Json& spec) {
  Json* resources = ObjectIn(&spec, "resources");
  Json* limits = ObjectIn(resources, "limits");
  if (!limits || limits->size() == 0) return;
  const Json copy = *limits;
  Json* requests = MakeObjectIn(resources, "requests");
  if (!requests) return;
  for (const Json::Member& limit : copy.AsObject()) {
    const auto request = RequestOfContainers(spec, limit.key);
    SetIfAbsent(*requests, limit.key, request ? Json(request->ToString()) : limit.value);
  }
}

}  // namespace

void DefaultPodSpec(Json* pod_spec) {
  if (!pod_spec || !pod_spec->IsObject()) return;
  Json& spec = *pod_spec;
  const Json* host = spec.Find("hostNetwork");
  const bool host_network = host && host->IsBool() && host->AsBool();
  for (const char* list : {"initContainers", "containers", "ephemeralContainers"}) {
    ForEachIn(&spec, list, [&](Json& item) { DefaultContainer(item, host_network); });
  }
  ForEachIn(&spec, "volumes", DefaultVolume);
  SetIfAbsent(spec, "restartPolicy", "Always");
  SetIfAbsent(spec, "terminationGracePeriodSeconds", 30);
  SetIfAbsent(spec, "dnsPolicy", "ClusterFirst");
  SetIfAbsent(spec, "securityContext", Json::MakeObject());
  SetIfAbsent(spec, "schedulerName", "default-scheduler");
  // Two names of one field.
  const std::string account = spec.StringAt({"serviceAccountName"});
  const std::string older = spec.StringAt({"serviceAccount"});
  if (!account.empty()) {
    spec.Set("serviceAccount", account);
  } else if (!older.empty()) {
    spec.Set("serviceAccountName", older);
  }
}

void DefaultPodTemplate(Json* pod_template) { DefaultPodSpec(MakeObjectIn(pod_template, "spec")); }

void DefaultPod(Json& pod) {
  Json* spec = MakeObjectIn(&pod, "spec");
  if (!spec) return;
  DefaultPodSpec(spec);
  for (const char* list : {"initContainers", "containers"}) {
    ForEachIn(spec, list, DefaultRequests);
  }
  DefaultPodRequests(*spec);
  SetIfAbsent(*spec, "enableServiceLinks", true);
  const std::string qos_class = QosClassOf(*spec);
  // A stored pod has a status even if none was given. From here on `spec` may have moved.
  if (pod.Find("status") == nullptr) pod.Set("status", Json::MakeObject());
  if (Json* status = ObjectIn(&pod, "status")) SetIfAbsent(*status, "qosClass", qos_class);
}

void PreparePod(Json& pod) {
  Json status = Json::MakeObject();
  status.Set("phase", "Pending");
  Json* spec = pod.Find("spec");
  if (spec && spec->IsObject()) DefaultPriority(*spec);
  status.Set("qosClass", spec ? QosClassOf(*spec) : std::string("BestEffort"));
  const Json* gates = spec ? spec->Find("schedulingGates") : nullptr;
  if (gates && gates->size() > 0) {
    Json condition = Json::MakeObject();
    condition.Set("type", "PodScheduled");
    condition.Set("status", "False");
    condition.Set("lastProbeTime", nullptr);
    const Json* created = pod.FindPath({"metadata", "creationTimestamp"});
    condition.Set("lastTransitionTime", created ? *created : Json());
    condition.Set("reason", "SchedulingGated");
    condition.Set("message", "Scheduling is blocked by scheduling gates");
    status["conditions"].Append(std::move(condition));
  }
  pod.Set("status", std::move(status));
}

std::string QosClassOf(const Json& pod_spec) {
  // What the pod asks for as a whole counts instead of its containers.
  if (pod_spec.FindPath({"resources", "requests"}) || pod_spec.FindPath({"resources", "limits"})) {
    return QosClassOfPod(pod_spec);
  }
  std::map<std::string, Quantity> requests, limits;
  bool all_limited = true;
  for (const char* list : {"initContainers", "containers"}) {
    const Json* containers = pod_spec.Find(list);
    if (!containers || !containers->IsArray()) continue;
    for (const Json& container : containers->AsArray()) {
      int requested = 0, limited = 0;
      AddComputeResources(container, "requests", requests, requested);
      AddComputeResources(container, "limits", limits, limited);
      all_limited = all_limited && limited == 2;
    }
  }
  if (requests.empty() && limits.empty()) return "BestEffort";
  return all_limited && requests == limits ? "Guaranteed" : "Burstable";
}

}  // namespace kueue::api
