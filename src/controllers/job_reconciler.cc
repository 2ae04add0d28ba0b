#include "controllers/job_reconciler.h"

#include <algorithm>

#include "api/match/name_rules.h"
#include "api/match/selector.h"
#include "api/types/names.h"
#include "controllers/queue_reconcilers.h"
#include "controllers/workload_status.h"
#include "integrations/workload_for_job.h"

namespace kueue::controllers {

using api::ConditionStatus;
using runtime::Intents;
namespace names = api::names;

// One call's view.
struct JobReconciler::Context {
  kube::ObjectKey key;
  std::unique_ptr<integrations::Job> job;
  std::shared_ptr<const api::Workload> workload;  // null: none (yet)
  api::ObjectReference reference;                 // of the job
  base::Time now;

  void AddEvent(Intents& intents, const std::string& type, const std::string& reason,
                const std::string& message) const {
    intents.events.push_back({reference, type, reason, message});
  }
};

namespace {

std::string LabelOf(const api::ObjectMeta& meta, const char* key) {
  const auto it = meta.labels.find(key);
  return it == meta.labels.end() ? "" : it->second;
}

std::string AnnotationOf(const api::ObjectMeta& meta, const char* key) {
  const auto it = meta.annotations.find(key);
  return it == meta.annotations.end() ? "" : it->second;
}

std::string QueueOf(const api::ObjectMeta& meta) { return LabelOf(meta, names::kQueueLabel); }

std::optional<runtime::Write> DropFinalizer(const api::Workload& workload) {
  api::Workload after = workload;
  auto& list = after.metadata.finalizers;
  list.erase(std::remove(list.begin(), list.end(), names::kResourceInUseFinalizer), list.end());
  return runtime::PatchObject(workload, after);
}

api::ObjectReference ReferenceOf(const api::KindInfo& kind, const api::ObjectMeta& meta) {
  api::ObjectReference ref;
  ref.kind = kind.kind;
  ref.api_version = kind.ApiVersion();
  ref.namespace_name = meta.namespace_name;
  ref.name = meta.name;
  ref.uid = meta.uid;
  ref.resource_version = meta.resource_version;
  return ref;
}

}  // namespace

JobReconciler::JobReconciler(const integrations::Integration& integration,
                             const kube::Informer& jobs, const kube::Cache& cache,
                             const Settings& settings)
    : integration_(integration), jobs_(jobs), cache_(cache), settings_(settings) {}

std::string JobReconciler::name() const { return std::string(integration_.framework()); }

// Steps 4, 6 and 7: is the job ours at all?
bool JobReconciler::IsManaged(const integrations::Job& job) const {
  const api::ObjectMeta& meta = job.metadata();
  const auto home = cache_.Get<api::Namespace>({"", meta.namespace_name});
  if (!home) return false;
  if (settings_.managed_jobs_namespace_selector) {
    const auto matches =
        api::MatchesLabels(&*settings_.managed_jobs_namespace_selector, home->metadata.labels);
    if (!matches.ok() || !*matches) return false;
  }
  return settings_.manage_jobs_without_queue_name || !QueueOf(meta).empty();
}

Intents JobReconciler::Reconcile(const kube::ObjectKey& key, base::Time now) {
  Context c;
  c.key = key;
  c.now = now;
  const kube::ObjectPtr object = jobs_.Get(key);
  if (!object) {
    refusals_.erase(key);
    return JobGone(key, "", now);
  }
  c.job = integration_.View(object);
  c.reference = ReferenceOf(integration_.kind(), c.job->metadata());
  if (c.job->metadata().deletion_timestamp) return JobGone(key, c.job->metadata().uid, now);
  if (!IsManaged(*c.job)) return LetGo(c);
  if (auto intents = TellRefusal(c)) return std::move(*intents);

  if (auto intents = FindWorkload(c)) return std::move(*intents);
  if (c.workload && IsFinished(*c.workload)) {  // step 12
    Intents intents;
    intents.Add(DropFinalizer(*c.workload));
    if (!intents.writes.empty()) {
      const api::Condition* f = api::FindCondition(c.workload->status.conditions, names::kFinished);
      c.AddEvent(intents, "Normal", "FinishedWorkload",
                 "Workload " + api::KeyOf(c.workload->metadata) + " is finished: " + f->message);
    }
    return intents;
  }
  if (c.workload && c.workload->metadata.deletion_timestamp) {  // step 13
    Intents intents;
    if (!c.job->End()) intents = StopJob(c, c.workload.get(), "The workload is being deleted");
    // It knows what the job's templates were: it stays until they are restored.
    if (intents.writes.empty()) intents.Add(DropFinalizer(*c.workload));
    return intents;
  }
  if (const auto end = c.job->End()) {  // step 15
    return c.workload ? FinishWorkload(c, *end) : Intents{};
  }
  if (!c.workload) return CreateWorkload(c);  // step 16
  if (auto intents = SyncReclaimable(c)) return std::move(*intents);
  if (auto intents = SyncPodsReady(c)) return std::move(*intents);
  if (IsEvicted(*c.workload)) return HandleEvicted(c);    // step 19
  if (c.job->IsSuspended()) return HandleSuspended(c);    // step 20
  if (!IsAdmitted(*c.workload) || c.job->IsStopping()) {  // step 21
    return StopJob(c, c.workload.get(), "The workload is not admitted");
  }
  return {};
}

void JobReconciler::OnWritten(const kube::ObjectKey& key, const runtime::Write& write,
                              const base::Result<api::Json>& outcome) {
  if (write.kind != &api::KindOf<api::Workload>() || !write.subresource.empty()) return;
  if (outcome.ok()) {
    refusals_.erase(key);
    return;
  }
  const base::Code code = outcome.error().code;
  if (code != base::Code::kInvalid && code != base::Code::kBadRequest &&
      code != base::Code::kForbidden && code != base::Code::kTooLarge) {
    return;
  }
  Refusal& refusal = refusals_[key];
  if (refusal.message == outcome.error().message) return;
  refusal = {outcome.error().message, false};
}

// A job must not wait in silence for a workload that cannot be made (reference-defects D10). The
// write is tried again, because what it offends against may change.
std::optional<Intents> JobReconciler::TellRefusal(const Context& c) {
  const auto found = refusals_.find(c.key);
  if (found == refusals_.end() || found->second.told) return std::nullopt;
  found->second.told = true;
  Intents intents;
  c.AddEvent(intents, "Warning", "ErrWorkloadCompose",
             "The server does not take the job's workload: " + found->second.message);
  intents.look_again = base::seconds(1);
  return intents;
}

// Step 3: workloads of a job that is gone or going are finished and let go (spec/jobs.md §5.1).
// `uid` is empty when the object is gone: then its name identifies the owner.
Intents JobReconciler::JobGone(const kube::ObjectKey& key, const std::string& uid,
                               base::Time now) const {
  Intents intents;
  for (const auto& workload : cache_.List<api::Workload>(key.namespace_name)) {
    const api::OwnerReference* owner = api::ControllerOf(workload->metadata);
    if (owner == nullptr || owner->kind != integration_.kind().kind ||
        owner->api_version != integration_.kind().ApiVersion() || owner->name != key.name) {
      continue;
    }
    if (!uid.empty() && owner->uid != uid) continue;
    api::Workload after = *workload;
    if (!workload->metadata.deletion_timestamp &&
        Finish(after, "OwnerNotFound", "The job is deleted", now)) {
      // The finalizer goes on the next call: this write moves the resourceVersion.
      intents.Add(runtime::PatchStatus(*workload, after));
    } else {
      intents.Add(DropFinalizer(*workload));
    }
  }
  return intents;
}

// Step 6. A suspended job whose queue label was taken away: nobody would ever start it, so its
// workload must not wait for quota, much less hold it.
Intents JobReconciler::LetGo(Context& c) const {
  Intents intents;
  if (!QueueOf(c.job->metadata()).empty()) return intents;
  const auto workloads = cache_.ByIndex<api::Workload>(kByOwner, c.job->metadata().uid);
  if (c.job->IsStopping()) {
    return StopJob(c, workloads.empty() ? nullptr : workloads.front().get(), "");
  }
  if (!c.job->IsSuspended()) return intents;
  for (const auto& workload : workloads) {
    if (IsFinished(*workload)) continue;
    intents.Add(DropFinalizer(*workload));
    if (workload->metadata.deletion_timestamp) continue;
    intents.Add(runtime::DeleteObject(*workload));
    c.AddEvent(
        intents, "Normal", "DeletedWorkload",
        "Deleted workload " + api::KeyOf(workload->metadata) + ": the job names no queue any more");
  }
  return intents;
}

// Step 9 (spec/jobs.md §6.1).
std::optional<Intents> JobReconciler::FindWorkload(Context& c) const {
  auto pod_sets = c.job->PodSets();
  if (!pod_sets.ok()) {
    Intents intents;
    c.AddEvent(intents, "Warning", "ErrWorkloadCompose", pod_sets.error().message);
    return intents;
  }
  const auto find_flavor = [this](const std::string& name) {
    return cache_.Get<api::ResourceFlavor>({"", name});
  };
  std::vector<std::shared_ptr<const api::Workload>> others;
  for (const auto& workload : cache_.ByIndex<api::Workload>(kByOwner, c.job->metadata().uid)) {
    if (!c.workload && integrations::WorkloadMatchesJob(*workload, c.job->metadata(), *pod_sets,
                                                        c.job->IsSuspended(), find_flavor)) {
      c.workload = workload;
    } else {
      others.push_back(workload);
    }
  }
  if (others.empty()) return c.workload ? SyncPriority(c) : std::nullopt;
  if (!c.workload && c.job->IsSuspended() && !HasQuotaReservation(*others.front())) {
    return UpdateWorkload(c, *others.front());
  }
  Intents intents;
  if (!c.workload && !c.job->IsSuspended() && !c.job->End()) {
    const api::Workload* restore = others.size() == 1 ? others.front().get() : nullptr;
    intents = StopJob(c, restore, "No matching workload: the job was changed");
    // The workload knows what the job's templates were: it stays until they are restored.
    if (!intents.writes.empty()) return intents;
  }
  for (const auto& workload : others) {
    intents.Add(DropFinalizer(*workload));
    if (workload->metadata.deletion_timestamp) continue;
    intents.Add(runtime::DeleteObject(*workload));
    c.AddEvent(
        intents, "Normal", "DeletedWorkload",
        "Deleted workload " + api::KeyOf(workload->metadata) + ", which does not match the job");
  }
  intents.look_again = base::seconds(1);
  return intents;
}

// Only the spec is replaced; activity, labels and annotations stay.
Intents JobReconciler::UpdateWorkload(Context& c, const api::Workload& workload) const {
  Intents intents;
  auto fresh = Construct(c);
  if (!fresh.ok()) {
    c.AddEvent(intents, "Warning", "ErrWorkloadCompose", fresh.error().message);
    return intents;
  }
  api::Workload after = workload;
  const auto active = after.spec.active;
  after.spec = fresh->spec;
  after.spec.active = active;
  intents.Add(runtime::PatchObject(workload, after));
  c.AddEvent(intents, "Normal", "UpdatedWorkload",
             "Updated workload " + api::KeyOf(workload.metadata) + " to match the job");
  return intents;
}

// The class named by the job's label is the workload's (spec/jobs.md §6.4).
std::optional<Intents> JobReconciler::SyncPriority(Context& c) const {
  const std::string wanted = LabelOf(c.job->metadata(), names::kPriorityClassLabel);
  const auto& have = c.workload->spec.priority_class_ref;
  if (wanted.empty() || IsFinished(*c.workload)) return std::nullopt;
  if (have && (have->kind != "WorkloadPriorityClass" || have->name == wanted)) return std::nullopt;
  if (!have && HasQuotaReservation(*c.workload)) return std::nullopt;
  const auto priority_class = cache_.Get<api::WorkloadPriorityClass>({"", wanted});
  if (!priority_class) return std::nullopt;
  api::Workload after = *c.workload;
  after.spec.priority_class_ref =
      api::PriorityClassRef{"kueue.x-k8s.io", "WorkloadPriorityClass", wanted, {}};
  after.spec.priority = priority_class->value;
  Intents intents;
  intents.Add(runtime::PatchObject(*c.workload, after));
  c.AddEvent(intents, "Normal", "UpdatedWorkload",
             "Updated the priority of workload " + api::KeyOf(c.workload->metadata));
  return intents;
}

base::Result<api::Workload> JobReconciler::Construct(const Context& c) const {
  const api::ObjectMeta& job = c.job->metadata();
  auto pod_sets = c.job->PodSets();
  if (!pod_sets.ok()) return pod_sets.error();
  api::Workload workload;
  workload.metadata.name = integrations::WorkloadName(integration_.kind(), job.name, job.uid);
  workload.metadata.namespace_name = job.namespace_name;
  workload.metadata.finalizers = {names::kResourceInUseFinalizer};
  for (const std::string& key : settings_.label_keys_to_copy) {
    const auto it = job.labels.find(key);
    if (it != job.labels.end()) workload.metadata.labels[key] = it->second;
  }
  // A uid that is no label value is left out.
  if (api::IsLabelValue(job.uid)) workload.metadata.labels[names::kJobUidLabel] = job.uid;
  for (const auto& [key, value] : job.annotations) {
    if (key.rfind("provreq.kueue.x-k8s.io/", 0) == 0 || key == names::kAdmissionGatedBy) {
      workload.metadata.annotations[key] = value;
    }
  }
  if (settings_.gates.Enabled(api::Feature::kElasticJobsViaWorkloadSlices) &&
      AnnotationOf(job, names::kElasticJobAnnotation) == "true") {
    workload.metadata.annotations[names::kElasticJobAnnotation] = "true";
    workload.metadata.annotations[names::kWorkloadSliceName] = workload.metadata.name;
  }
  api::OwnerReference owner;
  owner.api_version = integration_.kind().ApiVersion();
  owner.kind = integration_.kind().kind;
  owner.name = job.name;
  owner.uid = job.uid;
  owner.controller = owner.block_owner_deletion = true;
  workload.metadata.owner_references.push_back(std::move(owner));

  integrations::RemoveRepeatedEnv(*pod_sets);
  if (!settings_.gates.Enabled(api::Feature::kTASMultiLayerTopology)) {
    integrations::LimitTopologyRequests(
        *pod_sets, !settings_.gates.Enabled(api::Feature::kTopologyAwareScheduling));
  }
  workload.spec.pod_sets = std::move(*pod_sets);
  workload.spec.queue_name = QueueOf(job);
  workload.spec.maximum_execution_time_seconds = integrations::MaximumExecutionTime(job);
  workload.spec.priority = 0;
  const std::string class_name = LabelOf(job, names::kPriorityClassLabel);
  if (!class_name.empty()) {
    const auto priority_class = cache_.Get<api::WorkloadPriorityClass>({"", class_name});
    if (!priority_class) {
      return base::NotFound("WorkloadPriorityClass " + class_name +
                            " does not exist; create it or change label " +
                            names::kPriorityClassLabel);
    }
    workload.spec.priority_class_ref =
        api::PriorityClassRef{"kueue.x-k8s.io", "WorkloadPriorityClass", class_name, {}};
    workload.spec.priority = priority_class->value;
  }
  return workload;
}

Intents JobReconciler::CreateWorkload(Context& c) const {
  Intents intents;
  if (!c.job->IsSuspended()) intents = StopJob(c, nullptr, "The job has no workload yet");
  // Made now it could be admitted before the stop is done, and the job would be neither.
  if (!intents.writes.empty()) return intents;
  if (c.job->IsActive()) {
    // Its pods have to go before the workload may claim quota for them.
    intents.look_again = base::seconds(1);
    return intents;
  }
  auto workload = Construct(c);
  if (!workload.ok()) {
    const bool no_class = workload.error().code == base::Code::kNotFound;
    c.AddEvent(intents, "Warning",
               no_class ? "WorkloadPriorityClassNotFound" : "ErrWorkloadCompose",
               workload.error().message);
    intents.look_again = base::seconds(10);
    return intents;
  }
  intents.writes.push_back(runtime::CreateObject(*workload));
  c.AddEvent(intents, "Normal", "CreatedWorkload",
             "Created workload " + api::KeyOf(workload->metadata));
  return intents;
}

Intents JobReconciler::FinishWorkload(Context& c, const integrations::JobEnd& end) const {
  api::Workload after = *c.workload;
  const std::string fallback = end.succeeded ? "The job succeeded" : "The job failed";
  Finish(after, end.succeeded ? "Succeeded" : "Failed",
         end.message.empty() ? fallback : end.message, c.now);
  Intents intents;
  intents.Add(runtime::PatchStatus(*c.workload, after));
  return intents;
}

// Step 17.
std::optional<Intents> JobReconciler::SyncReclaimable(Context& c) const {
  std::vector<api::ReclaimablePod> wanted = c.job->ReclaimablePods();
  for (api::ReclaimablePod& pod : wanted) {
    for (const api::PodSet& set : c.workload->spec.pod_sets) {
      if (set.name == pod.name) pod.count = std::min(pod.count, set.count);
    }
  }
  if (wanted == c.workload->status.reclaimable_pods) return std::nullopt;
  api::Workload after = *c.workload;
  after.status.reclaimable_pods = std::move(wanted);
  Intents intents;
  intents.Add(runtime::PatchStatus(*c.workload, after));
  return intents;
}

// Step 18.
std::optional<Intents> JobReconciler::SyncPodsReady(Context& c) const {
  if (!settings_.pods_ready) return std::nullopt;
  api::Workload after = *c.workload;
  if (!controllers::SyncPodsReady(after, c.job->ArePodsReady(), c.now)) return std::nullopt;
  Intents intents;
  intents.Add(runtime::PatchStatus(*c.workload, after));
  return intents;
}

// Step 19: stop the job; once it is not active, its quota is given back (spec/jobs.md §5.3).
Intents JobReconciler::HandleEvicted(Context& c) const {
  const api::Condition* evicted =
      api::FindCondition(c.workload->status.conditions, names::kEvicted);
  Intents intents = StopJob(c, c.workload.get(), evicted->message);
  if (!intents.writes.empty()) return intents;
  if (HasQuotaReservation(*c.workload) && !c.job->IsActive()) {
    api::Workload after = *c.workload;
    CompleteEviction(
        after, c.now, settings_.wording,
        settings_.gates.Enabled(api::Feature::kSkipReassignmentForPodOwnedWorkloads));
    intents.Add(runtime::PatchStatus(*c.workload, after));
    return intents;
  }
  const bool by_us = evicted->reason.rfind("DeactivatedDueTo", 0) == 0;
  if (settings_.retain_deactivated && !IsActive(*c.workload) && by_us) {
    const base::Time until =
        evicted->last_transition_time.value_or(c.now) + *settings_.retain_deactivated;
    if (c.now < until) {
      intents.look_again = until - c.now;
    } else {
      runtime::Write remove{runtime::WriteVerb::kDelete, &integration_.kind(), c.key, "", {}, {}};
      remove.remove.precondition_uid = c.job->metadata().uid;
      remove.remove.propagation_policy = "Background";
      intents.writes.push_back(std::move(remove));
      c.AddEvent(intents, "Normal", "Deleted", "Deleted after its retention period");
    }
  }
  return intents;
}

// Step 20.
Intents JobReconciler::HandleSuspended(Context& c) const {
  if (IsAdmitted(*c.workload)) return StartJob(c);
  const std::string queue = QueueOf(c.job->metadata());
  if (c.workload->spec.queue_name == queue || HasQuotaReservation(*c.workload)) return {};
  api::Workload after = *c.workload;
  after.spec.queue_name = queue;
  Intents intents;
  intents.Add(runtime::PatchObject(*c.workload, after));
  return intents;
}

Intents JobReconciler::StartJob(Context& c) const {
  const auto find_flavor = [this](const std::string& name) {
    return cache_.Get<api::ResourceFlavor>({"", name});
  };
  Intents intents;
  const auto infos = integrations::InfosFromAdmission(*c.workload, find_flavor);
  auto patch =
      infos.ok() ? c.job->Start(*infos) : base::Result<integrations::JobPatch>(infos.error());
  if (!patch.ok()) {
    if (patch.error().code == base::Code::kInvalid) {
      api::Workload after = *c.workload;
      Finish(after, "FailedToStart", patch.error().message, c.now);
      intents.Add(runtime::PatchStatus(*c.workload, after));
    } else {
      intents.look_again = base::seconds(5);
    }
    return intents;
  }
  patch->patch["metadata"].Set("resourceVersion", c.job->metadata().resource_version);
  intents.writes.push_back({runtime::WriteVerb::kMergePatch,
                            &integration_.kind(),
                            c.key,
                            patch->subresource,
                            std::move(patch->patch),
                            {}});
  c.AddEvent(intents, "Normal", "Started",
             "Admitted by ClusterQueue " + c.workload->status.admission->cluster_queue);
  return intents;
}

// The patches of a stop depend on each other's result: the first carries the resourceVersion that
// was read, later ones are computed again on the next call.
Intents JobReconciler::StopJob(Context& c, const api::Workload* restore_from,
                               const std::string& message) const {
  std::vector<integrations::PodSetInfo> restore;
  if (restore_from != nullptr) restore = integrations::InfosFromPodSets(*restore_from);
  std::vector<integrations::JobPatch> patches = c.job->Stop(restore_from ? &restore : nullptr);
  Intents intents;
  if (patches.empty()) return intents;
  const bool was_suspended = c.job->IsSuspended();
  api::Json& patch = patches.front().patch;
  patch["metadata"].Set("resourceVersion", c.job->metadata().resource_version);
  intents.writes.push_back({runtime::WriteVerb::kMergePatch,
                            &integration_.kind(),
                            c.key,
                            patches.front().subresource,
                            std::move(patch),
                            {}});
  if (!was_suspended && !c.job->IsStopping()) {
    c.AddEvent(intents, "Normal", "Stopped", message);
  }
  return intents;
}

}  // namespace kueue::controllers
