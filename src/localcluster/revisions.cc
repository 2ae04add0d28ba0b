#include "localcluster/revisions.h"

#include <algorithm>

namespace kueue::localcluster {

using api::Json;

namespace {

constexpr char kHashLabel[] = "controller.kubernetes.io/hash";

int64_t NumberOf(const WorkloadObject& revision) { return IntAt(revision.object, {"revision"}); }

Json NewRevision(const WorkloadObject& owner, const Json& pod_template, const std::string& hash,
                 int64_t number) {
  Json object = Json::MakeObject();
  Json& metadata = object["metadata"];
  metadata.Set("name", owner.metadata.name + "-" + hash);
  metadata.Set("namespace", owner.metadata.namespace_name);
  const Json* labels = pod_template.FindPath({"metadata", "labels"});
  metadata.Set("labels", labels == nullptr ? Json::MakeObject() : *labels);
  metadata["labels"].Set(kHashLabel, hash);
  Json owners;
  owners.Append(api::Encode(ControlledBy(owner)));
  metadata.Set("ownerReferences", std::move(owners));
  Json kept = pod_template;
  kept.Set("$patch", "replace");
  object["data"]["spec"].Set("template", std::move(kept));
  object.Set("revision", number);
  return object;
}

}  // namespace

Json TemplateOfRevision(const WorkloadObject& revision) {
  const Json* found = revision.object.FindPath({"data", "spec", "template"});
  Json copy = found == nullptr ? Json::MakeObject() : *found;
  copy.Erase("$patch");
  return copy;
}

RevisionState SyncRevisions(const WorkloadObject& owner, const Workloads& revisions,
                            const std::vector<std::string>& used) {
  RevisionState state;
  const Json* found = owner.object.FindPath({"spec", "template"});
  const Json pod_template = found == nullptr ? Json::MakeObject() : *found;
  state.hash = TemplateHash(pod_template);
  Workloads sorted = revisions;
  std::stable_sort(sorted.begin(), sorted.end(), [](const WorkloadPtr& a, const WorkloadPtr& b) {
    return NumberOf(*a) < NumberOf(*b);
  });
  const int64_t last = sorted.empty() ? 0 : NumberOf(*sorted.back());
  for (const WorkloadPtr& revision : sorted) {
    if (TemplateOfRevision(*revision) == pod_template) state.current = revision;
  }
  if (!state.current) {
    state.intents.writes.push_back(
        CreateWorkload(WorkloadKind("apps", "ControllerRevision"),
                       NewRevision(owner, pod_template, state.hash, last + 1)));
    return state;
  }
  const auto label = state.current->metadata.labels.find(kHashLabel);
  if (label != state.current->metadata.labels.end()) state.hash = label->second;
  if (NumberOf(*state.current) < last) {
    Json renumbered = state.current->object;
    renumbered.Set("revision", last + 1);
    state.intents.Add(PatchWorkload(*state.current, renumbered));
  }
  const int64_t limit = IntAt(owner.object, {"spec", "revisionHistoryLimit"}, 10);
  Workloads unused;
  for (const WorkloadPtr& revision : sorted) {
    const bool in_use = revision == state.current ||
                        std::find(used.begin(), used.end(), revision->metadata.name) != used.end();
    if (!in_use) unused.push_back(revision);
  }
  for (size_t i = 0; static_cast<int64_t>(i) + limit < static_cast<int64_t>(unused.size()); ++i) {
    state.intents.writes.push_back(DeleteWorkload(*unused[i]));
  }
  return state;
}

}  // namespace kueue::localcluster
