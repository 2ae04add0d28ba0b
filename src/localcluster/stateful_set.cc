#include "localcluster/stateful_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "localcluster/pod_life.h"
#include "localcluster/revisions.h"

namespace kueue::localcluster {

using api::Json;
using runtime::Intents;

namespace {

constexpr char kRevisionLabel[] = "controller-revision-hash";

std::string LabelOf(const api::Pod& pod, const char* label) {
  const auto it = pod.metadata.labels.find(label);
  return it == pod.metadata.labels.end() ? "" : it->second;
}

bool Healthy(const api::Pod& pod) {
  return IsPodActive(pod) && pod.status.phase == "Running" && IsPodReady(pod);
}

// One look at one StatefulSet.
class StatefulSetLook {
 public:
  StatefulSetLook(const WorkloadObject& set, const Pods& pods, const Workloads& revisions,
                  base::Time now)
      : set_(set), revisions_(revisions), now_(now) {
    const std::string prefix = set.metadata.name + "-";
    for (const auto& pod : pods) {
      if (pod->metadata.name.rfind(prefix, 0) != 0) continue;
      int64_t ordinal = -1;
      const char* const end = pod->metadata.name.data() + pod->metadata.name.size();
      const auto [at, error] =
          std::from_chars(pod->metadata.name.data() + prefix.size(), end, ordinal);
      if (error == std::errc() && at == end && ordinal >= 0) pods_[ordinal] = pod;
    }
    first_ = IntAt(set.object, {"spec", "ordinals", "start"});
    want_ = std::max<int64_t>(IntAt(set.object, {"spec", "replicas"}, 1), 0);
    parallel_ = set.object.StringAt({"spec", "podManagementPolicy"}) == "Parallel";
    min_ready_ =
        base::seconds(std::max<int64_t>(IntAt(set.object, {"spec", "minReadySeconds"}), 0));
  }

  Intents Run();

 private:
  bool Available(const api::Pod& pod) {
    if (const auto wait = UntilAvailable(pod, min_ready_, now_)) LookAgainIn(intents_, *wait);
    return Healthy(pod) && IsPodAvailable(pod, min_ready_, now_);
  }
  bool Wanted(int64_t ordinal) const { return ordinal >= first_ && ordinal < first_ + want_; }
  void Delete(const api::Pod& pod);
  void Create(int64_t ordinal);
  bool Fill();
  bool Shrink();
  void Update();
  void WriteStatus();

  const WorkloadObject& set_;
  const Workloads& revisions_;
  const base::Time now_;
  std::map<int64_t, std::shared_ptr<const api::Pod>> pods_;  // by ordinal
  int64_t first_ = 0, want_ = 1;
  bool parallel_ = false;
  base::Duration min_ready_{0};
  std::string current_revision_, update_revision_;
  Intents intents_;
};

void StatefulSetLook::Delete(const api::Pod& pod) {
  intents_.writes.push_back(runtime::DeleteObject(pod));
  intents_.events.push_back({ReferenceTo(set_), "Normal", "SuccessfulDelete",
                             fmt::format("delete Pod {} in StatefulSet {} successful",
                                         pod.metadata.name, set_.metadata.name)});
}

// A pod below the partition keeps the template of the current revision.
void StatefulSetLook::Create(int64_t ordinal) {
  const Json* found = set_.object.FindPath({"spec", "template"});
  Json pod_template = found == nullptr ? Json::MakeObject() : *found;
  std::string revision = update_revision_;
  const int64_t partition =
      IntAt(set_.object, {"spec", "updateStrategy", "rollingUpdate", "partition"});
  if (ordinal < first_ + partition && current_revision_ != update_revision_) {
    for (const WorkloadPtr& kept : revisions_) {
      if (kept->metadata.name != current_revision_) continue;
      pod_template = TemplateOfRevision(*kept);
      revision = current_revision_;
    }
  }
  api::Pod pod = PodOfTemplate(set_, pod_template);
  pod.metadata.name = fmt::format("{}-{}", set_.metadata.name, ordinal);
  pod.metadata.labels["statefulset.kubernetes.io/pod-name"] = pod.metadata.name;
  pod.metadata.labels["apps.kubernetes.io/pod-index"] = std::to_string(ordinal);
  pod.metadata.labels[kRevisionLabel] = revision;
  pod.spec.hostname = pod.metadata.name;
  pod.spec.subdomain = set_.object.StringAt({"spec", "serviceName"});
  intents_.writes.push_back(runtime::CreateObject(pod));
  intents_.events.push_back({ReferenceTo(set_), "Normal", "SuccessfulCreate",
                             fmt::format("create Pod {} in StatefulSet {} successful",
                                         pod.metadata.name, set_.metadata.name)});
}

// True if all wanted pods are there and healthy, or need not be for the next step.
bool StatefulSetLook::Fill() {
  for (int64_t ordinal = first_; ordinal < first_ + want_; ++ordinal) {
    const auto it = pods_.find(ordinal);
    if (it == pods_.end()) {
      Create(ordinal);
      if (!parallel_) return false;
      continue;
    }
    const api::Pod& pod = *it->second;
    if (HasEnded(pod) && !pod.metadata.deletion_timestamp) {
      Delete(pod);
      if (!parallel_) return false;
    }
    if (!parallel_ && !Available(pod)) return false;
  }
  return true;
}

bool StatefulSetLook::Shrink() {
  for (auto it = pods_.rbegin(); it != pods_.rend(); ++it) {
    if (Wanted(it->first)) continue;
    if (!it->second->metadata.deletion_timestamp) Delete(*it->second);
    if (!parallel_) return false;
  }
  return true;
}

void StatefulSetLook::Update() {
  if (set_.object.StringAt({"spec", "updateStrategy", "type"}) == "OnDelete") return;
  const int64_t partition =
      IntAt(set_.object, {"spec", "updateStrategy", "rollingUpdate", "partition"});
  const int64_t most = std::max<int64_t>(
      CountOrShare(
          set_.object.FindPath({"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"}),
          want_, true, 1),
      1);
  int64_t away = 0;
  for (const auto& [ordinal, pod] : pods_) away += Wanted(ordinal) && !Available(*pod);
  for (auto it = pods_.rbegin(); it != pods_.rend() && it->first >= first_ + partition; ++it) {
    if (!Wanted(it->first)) continue;
    const api::Pod& pod = *it->second;
    if (LabelOf(pod, kRevisionLabel) == update_revision_) continue;
    if (pod.metadata.deletion_timestamp) continue;
    const bool counted = !Available(pod);
    if (!counted && away >= most) return;
    Delete(pod);
    away += counted ? 0 : 1;
  }
}

void StatefulSetLook::WriteStatus() {
  Json after = set_.object;
  Json& status = after["status"];
  int64_t replicas = 0, ready = 0, available = 0, current = 0, updated = 0, updated_ready = 0;
  for (const auto& [ordinal, pod] : pods_) {
    if (HasEnded(*pod)) continue;
    ++replicas;
    ready += Healthy(*pod);
    available += Available(*pod);
    const std::string revision = LabelOf(*pod, kRevisionLabel);
    current += IsPodActive(*pod) && revision == current_revision_;
    updated += IsPodActive(*pod) && revision == update_revision_;
    updated_ready += Healthy(*pod) && revision == update_revision_;
  }
  if (updated == want_ && updated_ready == want_ && replicas == want_) {
    current_revision_ = update_revision_;
    current = updated;
  }
  const auto put = [&](const char* name, int64_t value) {
    if (value == 0) {
      status.Erase(name);
    } else {
      status.Set(name, value);
    }
  };
  status.Set("replicas", replicas);
  status.Set("availableReplicas", available);
  put("readyReplicas", ready);
  put("currentReplicas", current);
  put("updatedReplicas", updated);
  put("observedGeneration", set_.metadata.generation);
  status.Set("currentRevision", current_revision_);
  status.Set("updateRevision", update_revision_);
  status.Set("collisionCount", 0);
  intents_.Add(PatchWorkload(set_, after, "status"));
}

Intents StatefulSetLook::Run() {
  std::vector<std::string> used;
  for (const auto& [ordinal, pod] : pods_) used.push_back(LabelOf(*pod, kRevisionLabel));
  current_revision_ = set_.object.StringAt({"status", "currentRevision"});
  used.push_back(current_revision_);
  if (!set_.metadata.deletion_timestamp) {
    RevisionState state = SyncRevisions(set_, revisions_, used);
    if (!state.current) return std::move(state.intents);
    intents_ = std::move(state.intents);
    update_revision_ = state.current->metadata.name;
  } else {
    update_revision_ = set_.object.StringAt({"status", "updateRevision"});
  }
  if (current_revision_.empty()) current_revision_ = update_revision_;
  WriteStatus();
  if (set_.metadata.deletion_timestamp) return std::move(intents_);
  const bool filled = Fill();
  if ((filled || parallel_) && Shrink() && intents_.writes.empty()) Update();
  return std::move(intents_);
}

}  // namespace

Intents PlanStatefulSet(const WorkloadObject& set, const Pods& pods, const Workloads& revisions,
                        base::Time now) {
  return StatefulSetLook(set, pods, revisions, now).Run();
}

}  // namespace kueue::localcluster
