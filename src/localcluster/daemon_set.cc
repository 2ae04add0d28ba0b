#include "localcluster/daemon_set.h"

#include <algorithm>
#include <map>
#include <set>

#include "api/match/selector.h"
#include "localcluster/job_pods.h"
#include "localcluster/pod_life.h"
#include "localcluster/revisions.h"

namespace kueue::localcluster {

using api::Json;
using runtime::Intents;

namespace {

constexpr char kRevisionLabel[] = "controller-revision-hash";
constexpr char kNodeName[] = "metadata.name";

std::string LabelOf(const api::Pod& pod, const char* label) {
  const auto it = pod.metadata.labels.find(label);
  return it == pod.metadata.labels.end() ? "" : it->second;
}

// What daemons tolerate beyond what they say: they stay where others go.
void AddTolerations(api::PodSpec& spec) {
  static constexpr const char* kTolerated[][2] = {
      {"node.kubernetes.io/not-ready", "NoExecute"},
      {"node.kubernetes.io/unreachable", "NoExecute"},
      {"node.kubernetes.io/disk-pressure", "NoSchedule"},
      {"node.kubernetes.io/memory-pressure", "NoSchedule"},
      {"node.kubernetes.io/pid-pressure", "NoSchedule"},
      {"node.kubernetes.io/unschedulable", "NoSchedule"}};
  for (const auto& [key, effect] : kTolerated) {
    api::Toleration toleration;
    toleration.key = key;
    toleration.op = "Exists";
    toleration.effect = effect;
    spec.tolerations.push_back(std::move(toleration));
  }
}

// The node a pod was made for.
std::string TargetOf(const api::Pod& pod) {
  if (!pod.spec.node_name.empty()) return pod.spec.node_name;
  if (!pod.spec.affinity || !pod.spec.affinity->node_affinity) return "";
  const auto& required =
      pod.spec.affinity->node_affinity->required_during_scheduling_ignored_during_execution;
  if (!required) return "";
  for (const api::NodeSelectorTerm& term : required->node_selector_terms) {
    for (const api::NodeSelectorRequirement& field : term.match_fields) {
      if (field.key == kNodeName && field.values.size() == 1) return field.values[0];
    }
  }
  return "";
}

void BindTo(api::PodSpec& spec, const std::string& node) {
  api::NodeSelectorRequirement field;
  field.key = kNodeName;
  field.op = "In";
  field.values = {node};
  if (!spec.affinity) spec.affinity.emplace();
  if (!spec.affinity->node_affinity) spec.affinity->node_affinity.emplace();
  auto& required =
      spec.affinity->node_affinity->required_during_scheduling_ignored_during_execution;
  required.emplace();
  required->node_selector_terms.resize(1);
  required->node_selector_terms[0].match_fields = {std::move(field)};
}

// One look at one DaemonSet.
class DaemonSetLook {
 public:
  DaemonSetLook(const WorkloadObject& set, NameMemory& memory, base::Time now)
      : set_(set), memory_(memory), now_(now) {
    const Json* found = set.object.FindPath({"spec", "template"});
    model_ = PodOfTemplate(set, found == nullptr ? Json::MakeObject() : *found);
    AddTolerations(model_.spec);
    min_ready_ =
        base::seconds(std::max<int64_t>(IntAt(set.object, {"spec", "minReadySeconds"}), 0));
  }

  Intents Run(const Pods& pods, const Nodes& nodes, RevisionState state);

 private:
  bool Runs(const api::Node& node) const {
    // A pod that is there stays on a tainted node unless the taint drives it away.
    return api::MatchesNode(model_.spec, node) &&
           api::ToleratesAll(model_.spec.tolerations, node.spec.taints, nullptr);
  }
  void Delete(const api::Pod& pod);
  void Create(const std::string& node, const std::set<std::string>& names);
  void WriteStatus(const std::set<std::string>& wanted);

  const WorkloadObject& set_;
  NameMemory& memory_;
  const base::Time now_;
  api::Pod model_;
  base::Duration min_ready_{0};
  std::string hash_;
  std::map<std::string, Pods> by_node_;
  Intents intents_;
};

void DaemonSetLook::Delete(const api::Pod& pod) {
  intents_.writes.push_back(runtime::DeleteObject(pod));
  intents_.events.push_back(
      {ReferenceTo(set_), "Normal", "SuccessfulDelete", "Deleted pod: " + pod.metadata.name});
}

void DaemonSetLook::Create(const std::string& node, const std::set<std::string>& names) {
  api::Pod pod = model_;
  do {
    pod.metadata.name = PodName(set_.metadata.name, set_.metadata.uid, memory_.next_number++);
  } while (names.count(pod.metadata.name) > 0);
  pod.metadata.labels[kRevisionLabel] = hash_;
  pod.metadata.labels["pod-template-generation"] =
      std::to_string(std::max<int64_t>(set_.metadata.generation, 1));
  BindTo(pod.spec, node);
  intents_.writes.push_back(runtime::CreateObject(pod));
  intents_.events.push_back(
      {ReferenceTo(set_), "Normal", "SuccessfulCreate", "Created pod: " + pod.metadata.name});
}

void DaemonSetLook::WriteStatus(const std::set<std::string>& wanted) {
  int64_t current = 0, misplaced = 0, ready = 0, available = 0, updated = 0;
  for (const auto& [node, pods] : by_node_) {
    if (wanted.count(node) == 0) {
      ++misplaced;
      continue;
    }
    ++current;
    const api::Pod& pod = *pods.front();
    ready += IsPodReady(pod);
    available += IsPodAvailable(pod, min_ready_, now_);
    if (const auto wait = UntilAvailable(pod, min_ready_, now_)) LookAgainIn(intents_, *wait);
    updated += LabelOf(pod, kRevisionLabel) == hash_;
  }
  Json after = set_.object;
  Json& status = after["status"];
  const int64_t want = static_cast<int64_t>(wanted.size());
  status.Set("currentNumberScheduled", current);
  status.Set("desiredNumberScheduled", want);
  status.Set("numberMisscheduled", misplaced);
  status.Set("numberReady", ready);
  const auto put = [&](const char* name, int64_t value) {
    if (value == 0) {
      status.Erase(name);
    } else {
      status.Set(name, value);
    }
  };
  put("numberAvailable", available);
  put("numberUnavailable", want - available);
  put("updatedNumberScheduled", updated);
  put("observedGeneration", set_.metadata.generation);
  intents_.Add(PatchWorkload(set_, after, "status"));
}

Intents DaemonSetLook::Run(const Pods& pods, const Nodes& nodes, RevisionState state) {
  intents_ = std::move(state.intents);
  hash_ = state.hash;
  std::set<std::string> names, wanted;
  for (const auto& pod : pods) {
    names.insert(pod->metadata.name);
    if (IsPodActive(*pod)) {
      by_node_[TargetOf(*pod)].push_back(pod);
    } else if (HasEnded(*pod) && !pod->metadata.deletion_timestamp) {
      Delete(*pod);
    }
  }
  for (const auto& node : nodes) {
    if (Runs(*node)) wanted.insert(node->metadata.name);
  }
  WriteStatus(wanted);
  if (set_.metadata.deletion_timestamp) return std::move(intents_);
  int64_t away = 0;
  for (const std::string& node : wanted) {
    const auto it = by_node_.find(node);
    if (it == by_node_.end()) {
      Create(node, names);
      ++away;
    } else {
      away += !IsPodAvailable(*it->second.front(), min_ready_, now_);
      for (size_t i = 1; i < it->second.size(); ++i) Delete(*it->second[i]);
    }
  }
  for (const auto& [node, there] : by_node_) {
    if (wanted.count(node) > 0) continue;
    for (const auto& pod : there) Delete(*pod);
  }
  if (set_.object.StringAt({"spec", "updateStrategy", "type"}) == "OnDelete") {
    return std::move(intents_);
  }
  const int64_t most = std::max<int64_t>(
      CountOrShare(
          set_.object.FindPath({"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"}),
          static_cast<int64_t>(wanted.size()), true, 1),
      1);
  for (const std::string& node : wanted) {
    const auto it = by_node_.find(node);
    if (it == by_node_.end() || LabelOf(*it->second.front(), kRevisionLabel) == hash_) continue;
    const bool counted = !IsPodAvailable(*it->second.front(), min_ready_, now_);
    if (!counted && away >= most) continue;
    Delete(*it->second.front());
    away += counted ? 0 : 1;
  }
  return std::move(intents_);
}

}  // namespace

Intents PlanDaemonSet(const WorkloadObject& set, const Pods& pods, const Nodes& nodes,
                      const Workloads& revisions, NameMemory& memory, base::Time now) {
  if (memory.uid != set.metadata.uid) memory = {set.metadata.uid, 0};
  RevisionState state;
  if (!set.metadata.deletion_timestamp) {
    std::vector<std::string> used;
    for (const auto& pod : pods) {
      used.push_back(set.metadata.name + "-" + LabelOf(*pod, kRevisionLabel));
    }
    state = SyncRevisions(set, revisions, used);
    if (!state.current) return std::move(state.intents);
  }
  return DaemonSetLook(set, memory, now).Run(pods, nodes, std::move(state));
}

}  // namespace kueue::localcluster
