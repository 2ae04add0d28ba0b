#include "api/schema/defaults_built_in.h"

#include <map>

#include "api/types/batch.h"
#include "api/types/core.h"
#include "resources/quantity.h"

namespace kueue::api {
namespace {

void SetIfAbsent(Json& object, std::string_view key, Json value) {
  const Json* member = object.Find(key);
  if (!member || member->IsNull()) object.Set(key, std::move(value));
}

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
  Json* get = parent ? parent->Find("httpGet") : nullptr;
  if (!get || !get->IsObject()) return;
  SetIfAbsent(*get, "path", "/");
  SetIfAbsent(*get, "scheme", "HTTP");
}

void DefaultProbe(Json* probe) {
  if (!probe || !probe->IsObject()) return;
  DefaultHttpGet(probe);
  if (Json* grpc = probe->Find("grpc"); grpc && grpc->IsObject()) SetIfAbsent(*grpc, "service", "");
  SetIfAbsent(*probe, "timeoutSeconds", 1);
  SetIfAbsent(*probe, "periodSeconds", 10);
  SetIfAbsent(*probe, "successThreshold", 1);
  SetIfAbsent(*probe, "failureThreshold", 3);
}

void DefaultPorts(Json& container, bool host_network) {
  Json* ports = container.Find("ports");
  if (!ports || !ports->IsArray()) return;
  for (Json& port : ports->AsArray()) {
    if (!port.IsObject()) continue;
    SetIfAbsent(port, "protocol", "TCP");
    const Json* number = port.Find("containerPort");
    if (host_network && number) SetIfAbsent(port, "hostPort", *number);
  }
}

// A limit without a request is also the request.
void DefaultRequests(Json& container) {
  SetIfAbsent(container, "resources", Json::MakeObject());
  Json& resources = container["resources"];
  const Json* limits = resources.Find("limits");
  if (!limits || !limits->IsObject()) return;
  const Json copy = *limits;
  Json requests = Json::MakeObject();
  if (const Json* present = resources.Find("requests"); present && present->IsObject()) {
    requests = *present;
  }
  for (const Json::Member& limit : copy.AsObject()) SetIfAbsent(requests, limit.key, limit.value);
  if (requests.size() > 0) resources.Set("requests", std::move(requests));
}

void DefaultContainer(Json& container, bool host_network) {
  if (!container.IsObject()) return;
  DefaultRequests(container);
  DefaultPorts(container, host_network);
  DefaultProbe(container.Find("livenessProbe"));
  DefaultProbe(container.Find("readinessProbe"));
  DefaultProbe(container.Find("startupProbe"));
  if (Json* lifecycle = container.Find("lifecycle"); lifecycle && lifecycle->IsObject()) {
    DefaultHttpGet(lifecycle->Find("postStart"));
    DefaultHttpGet(lifecycle->Find("preStop"));
  }
  SetIfAbsent(container, "terminationMessagePath", "/dev/termination-log");
  SetIfAbsent(container, "terminationMessagePolicy", "File");
  SetIfAbsent(container, "imagePullPolicy", PullPolicyOf(container.StringAt({"image"})));
}

// Defaults of a PodSpec, in pods and in templates of built-in kinds.
void DefaultPodSpec(Json& spec) {
  if (!spec.IsObject()) return;
  const Json* host = spec.Find("hostNetwork");
  const bool host_network = host && host->IsBool() && host->AsBool();
  for (const char* list : {"initContainers", "containers"}) {
    Json* containers = spec.Find(list);
    if (!containers || !containers->IsArray()) continue;
    for (Json& container : containers->AsArray()) DefaultContainer(container, host_network);
  }
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

bool Tolerates(const Json& tolerations, std::string_view key) {
  for (const Json& toleration : tolerations.AsArray()) {
    const std::string effect = toleration.StringAt({"effect"});
    if (!effect.empty() && effect != "NoExecute") continue;
    const std::string of = toleration.StringAt({"key"});
    const bool every_key = of.empty() && toleration.StringAt({"operator"}) == "Exists";
    if (of == key || every_key) return true;
  }
  return false;
}

// Pods survive five minutes on a node that is not ready, unless they say otherwise.
void AddNotReadyTolerations(Json& spec) {
  SetIfAbsent(spec, "tolerations", Json::MakeArray());
  Json& tolerations = spec["tolerations"];
  if (!tolerations.IsArray()) return;
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    if (Tolerates(tolerations, key)) continue;
    Json toleration = Json::MakeObject();
    toleration.Set("key", key);
    toleration.Set("operator", "Exists");
    toleration.Set("effect", "NoExecute");
    toleration.Set("tolerationSeconds", 300);
    tolerations.Append(std::move(toleration));
  }
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

// Conditions of pods and jobs are always written with both times, null when there is none.
void AddProbeTimes(Json& status) {
  Json* conditions = status.Find("conditions");
  if (!conditions || !conditions->IsArray()) return;
  for (Json& condition : conditions->AsArray()) {
    if (!condition.IsObject()) continue;
    for (const char* member : {"lastProbeTime", "lastTransitionTime"}) {
      if (!condition.Find(member)) condition.Set(member, nullptr);
    }
  }
}

void DefaultPod(Json& pod) {
  SetIfAbsent(pod, "spec", Json::MakeObject());
  Json& spec = pod["spec"];
  if (!spec.IsObject()) return;
  DefaultPodSpec(spec);
  SetIfAbsent(spec, "enableServiceLinks", true);
  AddNotReadyTolerations(spec);
  DefaultPriority(spec);
  Json* status = pod.Find("status");
  if (!status || !status->IsObject()) return;
  SetIfAbsent(*status, "qosClass", QosClassOf(spec));
  AddProbeTimes(*status);
  for (const char* list : {"initContainerStatuses", "containerStatuses"}) {
    Json* containers = status->Find(list);
    if (!containers || !containers->IsArray()) continue;
    for (Json& container : containers->AsArray()) {
      SetIfAbsent(container, "state", Json::MakeObject());
      SetIfAbsent(container, "lastState", Json::MakeObject());
    }
  }
}

void DefaultJob(Json& job) {
  SetIfAbsent(job, "spec", Json::MakeObject());
  SetIfAbsent(job, "status", Json::MakeObject());
  if (job["status"].IsObject()) AddProbeTimes(job["status"]);
  Json& spec = job["spec"];
  if (!spec.IsObject()) return;
  const bool has_counts = spec.Find("completions") || spec.Find("parallelism");
  SetIfAbsent(spec, "parallelism", 1);
  if (!has_counts) SetIfAbsent(spec, "completions", 1);
  if (spec.Find("backoffLimitPerIndex")) {
    SetIfAbsent(spec, "backoffLimit", int64_t{2147483647});
  } else {
    SetIfAbsent(spec, "backoffLimit", 6);
  }
  SetIfAbsent(spec, "completionMode", "NonIndexed");
  SetIfAbsent(spec, "suspend", false);
  SetIfAbsent(spec, "manualSelector", false);
  SetIfAbsent(spec, "podReplacementPolicy",
              spec.Find("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
  SetIfAbsent(spec, "template", Json::MakeObject());
  Json& pod_template = spec["template"];
  if (!pod_template.IsObject()) return;
  SetIfAbsent(pod_template, "metadata", Json::MakeObject());
  SetIfAbsent(pod_template, "spec", Json::MakeObject());
  DefaultPodSpec(pod_template["spec"]);
  // A job without labels takes those of its template.
  const Json* labels = pod_template.FindPath({"metadata", "labels"});
  const Json* own = job.FindPath({"metadata", "labels"});
  if (labels && labels->size() > 0 && (!own || own->size() == 0)) {
    job["metadata"].Set("labels", *labels);
  }
}

void DefaultNode(Json& node) {
  SetIfAbsent(node, "spec", Json::MakeObject());
  SetIfAbsent(node, "status", Json::MakeObject());
  Json& spec = node["spec"];
  const std::string range = node.StringAt({"spec", "podCIDR"});
  if (spec.IsObject() && !range.empty()) {
    SetIfAbsent(spec, "podCIDRs", Json(Json::Array{Json(range)}));
  }
  Json& status = node["status"];
  if (!status.IsObject()) return;
  if (const Json* capacity = status.Find("capacity")) {
    const Json copy = *capacity;
    SetIfAbsent(status, "allocatable", copy);
  }
  Json endpoint = Json::MakeObject();
  endpoint.Set("Port", 0);
  Json endpoints = Json::MakeObject();
  endpoints.Set("kubeletEndpoint", std::move(endpoint));
  SetIfAbsent(status, "daemonEndpoints", std::move(endpoints));
  SetIfAbsent(status, "nodeInfo", Json::MakeObject());
  if (!status["nodeInfo"].IsObject()) return;
  for (const char* member :
       {"machineID", "systemUUID", "bootID", "kernelVersion", "osImage", "containerRuntimeVersion",
        "kubeletVersion", "kubeProxyVersion", "operatingSystem", "architecture"}) {
    SetIfAbsent(status["nodeInfo"], member, "");
  }
}

void DefaultEvent(Json& event) {
  if (!event.Find("eventTime")) event.Set("eventTime", nullptr);
}

void DefaultNamespace(Json& object) {
  SetIfAbsent(object, "spec", Json::MakeObject());
  SetIfAbsent(object, "status", Json::MakeObject());
  SetIfAbsent(object["status"], "phase", "Active");
  const std::string name = object.StringAt({"metadata", "name"});
  if (name.empty()) return;
  Json& metadata = object["metadata"];
  SetIfAbsent(metadata, "labels", Json::MakeObject());
  if (metadata["labels"].IsObject()) metadata["labels"].Set("kubernetes.io/metadata.name", name);
}

std::string Base64(std::string_view bytes) {
  constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    }
    const size_t digits = std::min<size_t>(bytes.size() - i, 3) + 1;
    for (size_t k = 0; k < 4; ++k) {
      text += k < digits ? kAlphabet[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

void DefaultSecret(Json& secret) {
  SetIfAbsent(secret, "type", "Opaque");
  const Json* texts = secret.Find("stringData");
  if (!texts || !texts->IsObject()) return;
  const Json copy = *texts;
  SetIfAbsent(secret, "data", Json::MakeObject());
  for (const Json::Member& entry : copy.AsObject()) {
    if (entry.value.IsString()) secret["data"].Set(entry.key, Base64(entry.value.AsString()));
  }
  secret.Erase("stringData");
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

void PrepareJob(Json& job) {
  const std::string uid = job.StringAt({"metadata", "uid"});
  const std::string name = job.StringAt({"metadata", "name"});
  job.Set("status", Json::MakeObject());
  Json& spec = job["spec"];
  if (!spec.IsObject() || !spec["template"].IsObject()) return;
  Json& metadata = spec["template"]["metadata"];
  const Json before = metadata.Find("labels") ? *metadata.Find("labels") : Json::MakeObject();
  const Json* manual = spec.Find("manualSelector");
  if (!manual || !manual->IsBool() || !manual->AsBool()) {
    Json labels = before.IsObject() ? before : Json::MakeObject();
    SetIfAbsent(labels, "batch.kubernetes.io/controller-uid", uid);
    SetIfAbsent(labels, "batch.kubernetes.io/job-name", name);
    SetIfAbsent(labels, "controller-uid", uid);
    SetIfAbsent(labels, "job-name", name);
    metadata.Set("labels", std::move(labels));
    Json& selector = spec["selector"];
    if (selector.IsNull()) selector = Json::MakeObject();
    SetIfAbsent(selector, "matchLabels", Json::MakeObject());
    if (!selector["matchLabels"].IsObject()) return;
    SetIfAbsent(selector["matchLabels"], "batch.kubernetes.io/controller-uid", uid);
  }
  // Labels the job has from its template follow it.
  const Json* own = job.FindPath({"metadata", "labels"});
  const Json* labels = metadata.Find("labels");
  if (labels && (!own || own->size() == 0 || *own == before)) {
    job["metadata"].Set("labels", *labels);
  }
}

void PreparePod(Json& pod) {
  Json status = Json::MakeObject();
  status.Set("phase", "Pending");
  const Json* spec = pod.Find("spec");
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

}  // namespace

std::string QosClassOf(const Json& pod_spec) {
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

void DefaultBuiltIn(const KindInfo& kind, Json& object) {
  if (&kind == &KindOf<Pod>()) DefaultPod(object);
  if (&kind == &KindOf<Job>()) DefaultJob(object);
  if (&kind == &KindOf<Namespace>()) DefaultNamespace(object);
  if (&kind == &KindOf<Secret>()) DefaultSecret(object);
  if (&kind == &KindOf<Node>()) DefaultNode(object);
  if (&kind == &KindOf<Event>()) DefaultEvent(object);
}

void PrepareBuiltIn(const KindInfo& kind, Json& object) {
  if (&kind == &KindOf<Pod>()) PreparePod(object);
  if (&kind == &KindOf<Job>()) PrepareJob(object);
  if (&kind == &KindOf<Namespace>()) PrepareNamespace(object);
}

}  // namespace kueue::api
