#include "embedded/manager_presence.h"

#include <algorithm>

#include "localcluster/conditions.h"
#include "localcluster/deployment.h"
#include "localcluster/job_pods.h"
#include "localcluster/local_cluster.h"

namespace kueue::embedded {

using api::Json;
using localcluster::WorkloadObject;
using runtime::Intents;

namespace {

constexpr char kProcess[] = "process";

api::StringMap Labels() {
  return {{"app.kubernetes.io/component", "controller"},
          {"app.kubernetes.io/name", "kueue"},
          {"control-plane", "controller-manager"}};
}

Json LabelsJson() {
  Json json = Json::MakeObject();
  for (const auto& [key, value] : Labels()) json.Set(key, value);
  return json;
}

Json Metadata(const char* name) {
  Json metadata = Json::MakeObject();
  metadata.Set("name", name);
  metadata.Set("namespace", kManagerNamespace);
  metadata.Set("labels", LabelsJson());
  return metadata;
}

Json NewDeployment(const PresenceOptions& options) {
  Json object = Json::MakeObject();
  object.Set("metadata", Metadata(kManagerName));
  Json& spec = object["spec"];
  spec.Set("replicas", 1);
  spec["selector"].Set("matchLabels", LabelsJson());
  Json& pod_template = spec["template"];
  pod_template["metadata"].Set("labels", LabelsJson());
  Json container = Json::MakeObject();
  container.Set("name", "manager");
  container.Set("image", "kueue-cpp:" + (options.version.empty() ? "dev" : options.version));
  if (options.metrics_port != 0) {
    Json port = Json::MakeObject();
    port.Set("name", "metrics");
    port.Set("containerPort", int64_t{options.metrics_port});
    port.Set("protocol", "TCP");
    container["ports"].Append(std::move(port));
  }
  pod_template["spec"]["containers"].Append(std::move(container));
  return object;
}

// The pod of the Deployment's template as far as it tells who the process is.
api::Pod NewPod(const WorkloadObject& deployment) {
  const Json* found = deployment.object.FindPath({"spec", "template"});
  const api::Pod pattern =
      localcluster::PodOfTemplate(deployment, found == nullptr ? Json::MakeObject() : *found);
  api::Pod pod;
  pod.metadata.name = localcluster::PodName(kManagerName, deployment.metadata.uid, 0);
  pod.metadata.namespace_name = kManagerNamespace;
  pod.metadata.labels = pattern.metadata.labels;
  pod.metadata.annotations[localcluster::kRuntimeAnnotation] = kProcess;
  for (const api::Container& container : pattern.spec.containers) {
    api::Container own;
    own.name = container.name;
    own.image = container.image;
    own.ports = container.ports;
    pod.spec.containers.push_back(std::move(own));
  }
  pod.spec.restart_policy = "Always";
  // Nobody else is to place or start it.
  pod.spec.scheduler_name = "kueue-cpp.dev/process";
  pod.spec.node_name = "this-process";
  return pod;
}

bool SameContainers(const api::Pod& a, const api::Pod& b) {
  return std::equal(a.spec.containers.begin(), a.spec.containers.end(), b.spec.containers.begin(),
                    b.spec.containers.end(), [](const api::Container& x, const api::Container& y) {
                      return x.name == y.name && x.image == y.image;
                    });
}

// The pod's status since the process began.
api::PodStatus StatusOf(const api::Pod& pod, base::Time started, base::Time now) {
  api::PodStatus status = pod.status;
  const base::Time since = base::CutToSeconds(started);
  status.phase = "Running";
  if (!status.start_time) status.start_time = since;
  status.host_ip = status.pod_ip = "127.0.0.1";
  status.container_statuses.resize(pod.spec.containers.size());
  for (size_t i = 0; i < pod.spec.containers.size(); ++i) {
    api::ContainerStatus& container = status.container_statuses[i];
    const auto& running = container.state.running;
    const bool restarted = running && running->started_at && *running->started_at < since;
    container.name = pod.spec.containers[i].name;
    container.image = container.image_id = pod.spec.containers[i].image;
    container.ready = true;
    container.started = true;
    if (restarted) ++container.restart_count;
    container.state = {};
    container.state.running.emplace();
    container.state.running->started_at = since;
  }
  for (const char* type :
       {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
    localcluster::SetCondition(status.conditions, type, true, "", "", now);
  }
  return status;
}

}  // namespace

Json MetricsService(uint16_t port) {
  Json object = Json::MakeObject();
  object.Set("apiVersion", "v1");
  object.Set("kind", "Service");
  object.Set("metadata", Metadata(kMetricsService));
  Json& spec = object["spec"];
  spec.Set("selector", LabelsJson());
  Json entry = Json::MakeObject();
  entry.Set("name", "metrics");
  entry.Set("port", int64_t{port});
  entry.Set("protocol", "TCP");
  entry.Set("targetPort", "metrics");
  spec["ports"].Append(std::move(entry));
  return object;
}

bool ShowsManager(const api::ObjectMeta& pod) {
  const auto it = pod.annotations.find(localcluster::kRuntimeAnnotation);
  return pod.namespace_name == kManagerNamespace && it != pod.annotations.end() &&
         it->second == kProcess;
}

void ManagerPresence::ShowPod(const WorkloadObject& deployment, base::Time now, Intents& intents) {
  const api::Pod want = NewPod(deployment);
  bool there = false;
  for (const auto& pod : cache_.List<api::Pod>(kManagerNamespace)) {
    if (!ShowsManager(pod->metadata)) continue;
    const bool right = pod->metadata.name == want.metadata.name && SameContainers(*pod, want) &&
                       !pod->metadata.deletion_timestamp;
    if (!right) {
      runtime::Write remove = runtime::DeleteObject(*pod);
      remove.remove.grace_period_seconds = 0;
      intents.writes.push_back(std::move(remove));
      continue;
    }
    there = true;
    api::Pod after = *pod;
    for (const auto& [key, value] : want.metadata.labels) after.metadata.labels[key] = value;
    intents.Add(runtime::PatchObject(*pod, after));
    if (!intents.writes.empty()) return;
    after.status = StatusOf(*pod, started_, now);
    intents.Add(runtime::PatchStatus(*pod, after));
  }
  if (!there) intents.writes.push_back(runtime::CreateObject(want));
}

void ManagerPresence::ShowStatus(const WorkloadObject& deployment, base::Time now,
                                 Intents& intents) const {
  Json after = deployment.object;
  Json& status = after["status"];
  for (const char* count : {"replicas", "updatedReplicas", "readyReplicas", "availableReplicas"}) {
    status.Set(count, 1);
  }
  status.Erase("unavailableReplicas");
  status.Set("observedGeneration", deployment.metadata.generation);
  localcluster::SetWorkloadCondition(status, "Available", true, "MinimumReplicasAvailable",
                                     "Deployment has minimum availability.", now, true);
  localcluster::SetWorkloadCondition(status, "Progressing", true, "NewReplicaSetAvailable",
                                     "the manager runs in the process of the control plane", now,
                                     true);
  intents.Add(localcluster::PatchWorkload(deployment, after, "status"));
}

Intents ManagerPresence::Reconcile(const kube::ObjectKey& key, base::Time now) {
  Intents intents;
  const api::KindInfo& kind = localcluster::WorkloadKind("apps", "Deployment");
  const kube::Informer* informer = cache_.Find(kind);
  const auto deployment = std::static_pointer_cast<const WorkloadObject>(informer->Get(key));
  if (!deployment) {
    intents.writes.push_back(localcluster::CreateWorkload(kind, NewDeployment(options_)));
    return intents;
  }
  if (deployment->metadata.deletion_timestamp) return intents;
  ShowPod(*deployment, now, intents);
  ShowStatus(*deployment, now, intents);
  return intents;
}

}  // namespace kueue::embedded
