#include "controllers/work_runner.h"

#include <algorithm>
#include <set>

#include "api/types/dialect.h"
#include "api/types/names.h"
#include "controllers/workload_status.h"
#include "integrations/pod_set_info.h"

namespace kueue::controllers {
namespace {

using runtime::Intents;
namespace names = api::names;

constexpr char kPodsByWorkload[] = "dialect.workload";  // uid of the Workload

// Of the pods of one workload; by Kubernetes' rules no other phase follows these two.
bool Ended(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

bool IsReady(const api::Pod& pod) {
  if (pod.status.phase == "Succeeded") return true;
  const auto& list = pod.status.conditions;
  return std::any_of(list.begin(), list.end(), [](const api::PodCondition& c) {
    return c.type == "Ready" && c.status == api::ConditionStatus::kTrue;
  });
}

bool IsRunHere(const api::Workload& workload) {
  const api::ObjectMeta& meta = workload.metadata;
  return api::IsSimple(meta) && meta.owner_references.empty() &&
         meta.labels.count(names::kJobUidLabel) == 0;
}

std::string PodName(const api::Workload& workload, const std::string& set, int32_t index) {
  return workload.metadata.name + "-" + set + "-" + std::to_string(index);
}

api::Pod MakePod(const api::Workload& workload, const api::PodTemplateSpec& pod_template,
                 const std::string& set, int32_t index) {
  const api::KindInfo& kind = api::KindOf<api::Workload>();
  api::Pod pod;
  pod.metadata.name = PodName(workload, set, index);
  pod.metadata.namespace_name = workload.metadata.namespace_name;
  pod.metadata.labels = pod_template.metadata.labels;
  pod.metadata.annotations = pod_template.metadata.annotations;
  pod.metadata.annotations[names::kWorkloadAnnotation] = workload.metadata.name;
  api::OwnerReference owner;
  owner.api_version = kind.ApiVersion();
  owner.kind = kind.kind;
  owner.name = workload.metadata.name;
  owner.uid = workload.metadata.uid;
  owner.controller = owner.block_owner_deletion = true;
  pod.metadata.owner_references.push_back(std::move(owner));
  pod.spec = pod_template.spec;
  // Work ends. Kubernetes' own default would start it again for ever.
  if (pod.spec.restart_policy.empty()) pod.spec.restart_policy = "Never";
  return pod;
}

void DeleteLiving(const std::vector<std::shared_ptr<const api::Pod>>& pods, bool ended_too,
                  Intents& intents) {
  for (const auto& pod : pods) {
    if (pod->metadata.deletion_timestamp || (Ended(*pod) && !ended_too)) continue;
    intents.writes.push_back(runtime::DeleteObject(*pod));
  }
}

}  // namespace

Intents WorkRunner::Reconcile(const kube::ObjectKey& key, base::Time now) {
  const auto workload = cache_.Get<api::Workload>(key);
  if (!workload || workload->metadata.deletion_timestamp || !IsRunHere(*workload)) return {};
  const Pods pods = cache_.ByIndex<api::Pod>(kPodsByWorkload, workload->metadata.uid);
  if (IsFinished(*workload)) {
    Intents intents;
    DeleteLiving(pods, false, intents);
    return intents;
  }
  if (IsEvicted(*workload) || !IsAdmitted(*workload)) return Stop(*workload, pods, now);
  return Run(*workload, pods, now);
}

Intents WorkRunner::Stop(const api::Workload& workload, const Pods& pods, base::Time now) const {
  Intents intents;
  DeleteLiving(pods, true, intents);
  if (!intents.writes.empty()) {
    intents.events.push_back({runtime::ReferenceTo(workload), "Normal", "Stopped",
                              "The pods are deleted: the workload is not admitted any more"});
  }
  if (!pods.empty() || !IsEvicted(workload) || !HasQuotaReservation(workload)) return intents;
  api::Workload after = workload;
  CompleteEviction(after, now, settings_.wording);
  intents.Add(runtime::PatchStatus(workload, after));
  return intents;
}

Intents WorkRunner::Run(const api::Workload& workload, const Pods& pods, base::Time now) const {
  const auto infos = integrations::InfosFromAdmission(workload, [this](const std::string& name) {
    return cache_.Get<api::ResourceFlavor>({"", name});
  });
  Intents intents;
  if (!infos.ok()) {
    intents.look_again = base::seconds(5);
    return intents;
  }
  std::set<std::string> there;
  for (const auto& pod : pods) there.insert(pod->metadata.name);
  size_t wanted = 0;
  for (const integrations::PodSetInfo& info : *infos) {
    for (const api::PodSet& set : workload.spec.pod_sets) {
      if (set.name != info.name) continue;
      api::PodTemplateSpec pod_template = set.pod_template;
      if (auto merged = integrations::MergeInto(pod_template, info); !merged.ok()) {
        api::Workload after = workload;
        Finish(after, "FailedToStart", merged.error().message, now);
        intents.Add(runtime::PatchStatus(workload, after));
        return intents;
      }
      wanted += static_cast<size_t>(std::max(info.count, 0));
      for (int32_t i = 0; i < info.count; ++i) {
        if (there.count(PodName(workload, set.name, i)) > 0) continue;
        intents.writes.push_back(
            runtime::CreateObject(MakePod(workload, pod_template, set.name, i)));
      }
    }
  }
  if (intents.writes.empty()) return End(workload, pods, wanted, now);
  intents.events.push_back({runtime::ReferenceTo(workload), "Normal", "Started",
                            "Created " + std::to_string(intents.writes.size()) +
                                " pods: admitted by ClusterQueue " +
                                workload.status.admission->cluster_queue});
  return intents;
}

// All pods are there: whether they are ready, or how they ended.
Intents WorkRunner::End(const api::Workload& workload, const Pods& pods, size_t wanted,
                        base::Time now) const {
  api::Workload after = workload;
  const auto failed = std::find_if(pods.begin(), pods.end(),
                                   [](const auto& pod) { return pod->status.phase == "Failed"; });
  const auto done = static_cast<size_t>(std::count_if(
      pods.begin(), pods.end(), [](const auto& p) { return p->status.phase == "Succeeded"; }));
  if (failed != pods.end()) {
    Finish(after, "Failed", "Pod " + (*failed)->metadata.name + " failed", now);
  } else if (done >= wanted) {
    Finish(after, "Succeeded", "All pods succeeded", now);
  } else if (settings_.pods_ready) {
    const bool ready =
        std::all_of(pods.begin(), pods.end(), [](const auto& pod) { return IsReady(*pod); });
    SyncPodsReady(after, ready, now);
  }
  Intents intents;
  intents.Add(runtime::PatchStatus(workload, after));
  return intents;
}

void AddWorkRunner(kube::Cache& cache, runtime::Driver& driver, const Settings& settings) {
  cache.InformerOf<api::Pod>().AddIndex(kPodsByWorkload, [](const void* object) {
    std::vector<std::string> uids;
    const auto& pod = *static_cast<const api::Pod*>(object);
    const api::OwnerReference* owner = api::ControllerOf(pod.metadata);
    if (owner != nullptr && owner->kind == "Workload") uids.push_back(owner->uid);
    return uids;
  });
  runtime::Queue* queue = &driver.Add(std::make_unique<WorkRunner>(cache, settings));
  cache.OnChange<api::Workload>([queue](const auto&, const auto& after) {
    if (after && IsRunHere(*after)) queue->Add(kube::KeyOf(after->metadata));
  });
  cache.OnChange<api::Pod>([queue](const auto& before, const auto& after) {
    const api::Pod& pod = after ? *after : *before;
    const api::OwnerReference* owner = api::ControllerOf(pod.metadata);
    if (owner == nullptr || owner->kind != "Workload") return;
    queue->Add({pod.metadata.namespace_name, owner->name});
  });
}

}  // namespace kueue::controllers
