#include "localcluster/replica_set.h"

#include <algorithm>
#include <set>

#include "localcluster/job_pods.h"

namespace kueue::localcluster {

using api::Json;
using runtime::Intents;

namespace {

constexpr int64_t kMostCreates = 500;

void CreatePods(const WorkloadObject& set, const Pods& pods, int64_t count, NameMemory& memory,
                Intents& intents) {
  std::set<std::string> names;
  for (const auto& pod : pods) names.insert(pod->metadata.name);
  const Json* pod_template = set.object.FindPath({"spec", "template"});
  if (pod_template == nullptr) return;
  for (int64_t i = 0; i < std::min(count, kMostCreates); ++i) {
    std::string name;
    do {
      name = PodName(set.metadata.name, set.metadata.uid, memory.next_number++);
    } while (names.count(name) > 0);
    api::Pod pod = PodOfTemplate(set, *pod_template);
    pod.metadata.name = name;
    intents.writes.push_back(runtime::CreateObject(pod));
    intents.events.push_back(
        {ReferenceTo(set), "Normal", "SuccessfulCreate", "Created pod: " + name});
  }
}

}  // namespace

Intents PlanReplicaSet(const WorkloadObject& set, const Pods& pods, NameMemory& memory,
                       base::Time now) {
  Intents intents;
  if (memory.uid != set.metadata.uid) memory = {set.metadata.uid, 0};
  const int64_t want = std::max<int64_t>(IntAt(set.object, {"spec", "replicas"}, 1), 0);
  const base::Duration min_ready =
      base::seconds(std::max<int64_t>(IntAt(set.object, {"spec", "minReadySeconds"}), 0));
  Pods active;
  int64_t ready = 0, available = 0, terminating = 0;
  for (const auto& pod : pods) {
    if (!IsPodActive(*pod)) {
      terminating += pod->metadata.deletion_timestamp ? 1 : 0;
      continue;
    }
    active.push_back(pod);
    ready += IsPodReady(*pod);
    available += IsPodAvailable(*pod, min_ready, now);
    if (const auto wait = UntilAvailable(*pod, min_ready, now)) LookAgainIn(intents, *wait);
  }
  Json after = set.object;
  Json& status = after["status"];
  const int64_t count = static_cast<int64_t>(active.size());
  const auto put = [&](const char* name, int64_t value, bool always = false) {
    if (value == 0 && !always) {
      status.Erase(name);
    } else {
      status.Set(name, value);
    }
  };
  put("replicas", count, true);
  put("fullyLabeledReplicas", count);
  put("readyReplicas", ready);
  put("availableReplicas", available);
  put("terminatingReplicas", terminating, true);
  put("observedGeneration", set.metadata.generation);
  intents.Add(PatchWorkload(set, after, "status"));
  if (set.metadata.deletion_timestamp) return intents;
  if (count < want) CreatePods(set, pods, want - count, memory, intents);
  SortForDeletion(active);
  for (int64_t i = 0; i < count - want; ++i) {
    intents.writes.push_back(runtime::DeleteObject(*active[i]));
    intents.events.push_back({ReferenceTo(set), "Normal", "SuccessfulDelete",
                              "Deleted pod: " + active[i]->metadata.name});
  }
  return intents;
}

}  // namespace kueue::localcluster
