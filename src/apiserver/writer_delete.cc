#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/schema/conversion.h"
#include "apiserver/kind_registry.h"
#include "apiserver/object_meta.h"
#include "apiserver/writer.h"

// Deletion: preconditions, grace periods, finalizers and what happens to dependents.
namespace kueue::apiserver {

using api::Json;

namespace {

ApiError PreconditionFailed(const api::KindInfo& kind, const std::string& name,
                            const std::string& what) {
  ApiError error = ConflictError(kind, name, what);
  error.kind = kind.kind;
  return error;
}

// Finalizers that stand for a policy; an explicit policy replaces one asked for before.
void ApplyPropagation(const api::KindInfo& kind, Propagation propagation, Json& object) {
  const bool asked_before =
      HasFinalizer(object, kOrphanFinalizer) || HasFinalizer(object, kForegroundFinalizer);
  if (propagation == Propagation::kDefault) {
    if (!asked_before && TraitsOf(kind).orphans_by_default) AddFinalizer(object, kOrphanFinalizer);
    return;
  }
  if (propagation != Propagation::kOrphan) RemoveFinalizer(object, kOrphanFinalizer);
  if (propagation != Propagation::kForeground) RemoveFinalizer(object, kForegroundFinalizer);
  if (propagation == Propagation::kOrphan) AddFinalizer(object, kOrphanFinalizer);
  if (propagation == Propagation::kForeground) AddFinalizer(object, kForegroundFinalizer);
}

// Seconds a pod is given: what is asked, else what it says itself; none if no kubelet knows it or
// it has ended.
int64_t GraceWanted(const Json& pod, const std::optional<int64_t>& asked) {
  if (pod.StringAt({"spec", "nodeName"}).empty()) return 0;
  const std::string phase = pod.StringAt({"status", "phase"});
  if (phase == "Succeeded" || phase == "Failed") return 0;
  if (asked) return *asked;
  const Json* own = pod.FindPath({"spec", "terminationGracePeriodSeconds"});
  return own != nullptr && own->IsInt() ? std::max<int64_t>(0, own->AsInt()) : 30;
}

void Stamp(Json& object, base::Time when, int64_t grace) {
  object["metadata"].Set("deletionTimestamp", base::FormatTime(when));
  object["metadata"].Set("deletionGracePeriodSeconds", grace);
}

// Begins the deletion of a pod, or shortens the time it was given.
void BeginGracefully(const api::KindInfo& kind, const std::optional<int64_t>& asked, base::Time now,
                     Json& object) {
  const int64_t wanted = GraceWanted(object, asked);
  if (!IsDeleting(object)) {
    Stamp(object, now + base::seconds(wanted), wanted);
    BumpGeneration(kind, object);
    return;
  }
  const int64_t given = GraceOf(object);
  const bool shorter = (asked || wanted == 0) && wanted < given;
  if (!shorter) return;
  const auto due = base::ParseTime(object.StringAt({"metadata", "deletionTimestamp"}));
  const base::Time asked_at = due.ok() ? *due - base::seconds(given) : now;
  Stamp(object, asked_at + base::seconds(wanted), wanted);
}

void Begin(const api::KindInfo& kind, base::Time now, Json& object) {
  if (IsDeleting(object)) return;
  Stamp(object, now, 0);
  BumpGeneration(kind, object);
}

Json AdmissionOptions(const DeleteRequest& request) {
  Json json = Json::MakeObject();
  json.Set("kind", "DeleteOptions");
  json.Set("apiVersion", "meta.k8s.io/v1");
  if (request.grace_period_seconds) json.Set("gracePeriodSeconds", *request.grace_period_seconds);
  Json preconditions = Json::MakeObject();
  if (!request.precondition_uid.empty()) preconditions.Set("uid", request.precondition_uid);
  if (!request.precondition_resource_version.empty()) {
    preconditions.Set("resourceVersion", request.precondition_resource_version);
  }
  if (preconditions.size() > 0) json.Set("preconditions", std::move(preconditions));
  switch (request.propagation) {
    case Propagation::kDefault:
      break;
    case Propagation::kBackground:
      json.Set("propagationPolicy", "Background");
      break;
    case Propagation::kForeground:
      json.Set("propagationPolicy", "Foreground");
      break;
    case Propagation::kOrphan:
      json.Set("propagationPolicy", "Orphan");
      break;
  }
  if (request.dry_run) {
    Json all = Json::MakeArray();
    all.Append("All");
    json.Set("dryRun", std::move(all));
  }
  return json;
}

StoredPtr Unsaved(const api::KindInfo& kind, Json object, const StoredObject& current) {
  OrderMembers(kind, object);
  return std::make_shared<const StoredObject>(std::move(object), current.revision(),
                                              current.managed_ptr());
}

}  // namespace

Outcome<DeleteResult> Writer::Delete(const api::KindInfo& served, const std::string& namespace_name,
                                     const std::string& name, const DeleteRequest& request,
                                     const WriteContext& context) {
  const api::KindInfo& kind = api::StoredKind(served);
  const std::string key = StoreKey(namespace_name, name);
  const StoredPtr current = store_.Get(kind, key);
  if (current == nullptr) return NotFoundError(served, name);
  if (Refusal refusal = CheckStorage(request.dry_run)) return *refusal;
  const Json& before = current->object();
  if (!request.precondition_uid.empty() &&
      request.precondition_uid != before.StringAt({"metadata", "uid"})) {
    return PreconditionFailed(kind, name,
                              fmt::format("its uid is not {}", request.precondition_uid));
  }
  if (!request.precondition_resource_version.empty() &&
      request.precondition_resource_version != std::to_string(current->revision())) {
    return PreconditionFailed(kind, name, "it has been changed since");
  }
  AdmissionRequest admission;
  admission.operation = Operation::kDelete;
  admission.kind = &kind;
  admission.requested = &served;
  admission.namespace_name = namespace_name;
  admission.name = name;
  admission.nameless = context.nameless;
  admission.user = context.user;
  admission.dry_run = request.dry_run;
  admission.old_object = &before;
  admission.old_managed = &current->managed();
  admission.options = AdmissionOptions(request);
  if (webhooks_ != nullptr) {
    // Of all that mutates only webhooks hear of deletions.
    admission.session = context.session;
    admission.settled = context.settled;
    if (webhooks_->Concerns(admission, true)) {
      if (Refusal refusal = Judged(admission, webhooks_->Mutate(admission), context))
        return *refusal;
    }
  }
  if (Refusal refusal = Admit(false, admission, context)) return *refusal;
  if (kind.group.empty() && kind.kind == "Namespace") {
    return DeleteNamespace(kind, current, key, request.dry_run);
  }
  if (IsDefinition(kind) && !IsDeleting(before)) {
    return DeleteDefinition(kind, current, key, request.dry_run);
  }
  if (request.propagation == Propagation::kDefault && TraitsOf(kind).orphans_by_default &&
      context.warnings != nullptr) {
    context.warnings->emplace_back(
        "the pods of a deleted job stay unless propagationPolicy says Background or Foreground");
  }
  Json after = before;
  ApplyPropagation(kind, request.propagation, after);
  if (TraitsOf(kind).graceful_deletion) {
    BeginGracefully(kind, request.grace_period_seconds, Now(), after);
  } else if (HasFinalizers(after)) {
    Begin(kind, Now(), after);
  }
  return CarryOut(kind, current, key, std::move(after), request.dry_run);
}

DeleteResult Writer::CarryOut(const api::KindInfo& kind, const StoredPtr& current,
                              const std::string& key, Json after, bool dry_run) {
  const bool graceful = TraitsOf(kind).graceful_deletion;
  const bool gone = !HasFinalizers(after) && (!graceful || GraceOf(after) == 0);
  const bool changed = !(after == current->object());
  if (dry_run) return {Unsaved(kind, std::move(after), *current), gone};
  if (!gone) {
    if (!changed) return {current, false};
    return {store_.Put(kind, key, std::move(after)), false};
  }
  borrowed_labels_.erase(current->object().StringAt({"metadata", "uid"}));
  NoteEmptyMetadata(current->object(), {});
  // Watchers of pods see the deletion begin, even if it ends at once.
  if (graceful && changed) store_.Put(kind, key, after);
  return {store_.Remove(kind, key, std::move(after)), true};
}

// A definition waits for its objects to go (definitions.h).
Outcome<DeleteResult> Writer::DeleteDefinition(const api::KindInfo& kind, const StoredPtr& current,
                                               const std::string& key, bool dry_run) {
  Json after = current->object();
  const std::string now = base::FormatTime(Now());
  after["metadata"].Set("deletionTimestamp", now);
  AddFinalizer(after, "customresourcecleanup.apiextensions.k8s.io");
  Json condition = Json::MakeObject();
  condition.Set("type", "Terminating");
  condition.Set("status", "True");
  condition.Set("lastTransitionTime", now);
  condition.Set("reason", "InstanceDeletionPending");
  condition.Set("message",
                "CustomResourceDefinition marked for deletion; CustomResource deletion will begin "
                "soon");
  Json& conditions = after["status"]["conditions"];
  if (!conditions.IsArray()) conditions = Json::MakeArray();
  conditions.Append(std::move(condition));
  if (dry_run) return DeleteResult{Unsaved(kind, std::move(after), *current), false};
  return DeleteResult{store_.Put(kind, key, std::move(after)), false};
}

Outcome<DeleteResult> Writer::DeleteNamespace(const api::KindInfo& kind, const StoredPtr& current,
                                              const std::string& key, bool dry_run) {
  if (key == "default" || key == "kube-system" || key == "kube-public") {
    return ForbiddenError(kind, key, "this namespace may not be deleted");
  }
  if (IsDeleting(current->object())) return DeleteResult{current, false};
  Json after = current->object();
  after["metadata"].Set("deletionTimestamp", base::FormatTime(Now()));
  after["status"].Set("phase", "Terminating");
  const Json* own = after.FindPath({"spec", "finalizers"});
  const bool gone = !HasFinalizers(after) && (own == nullptr || own->size() == 0);
  if (dry_run) {
    return DeleteResult{Unsaved(kind, std::move(after), *current), gone};
  }
  if (gone) return DeleteResult{store_.Remove(kind, key, std::move(after)), true};
  return DeleteResult{store_.Put(kind, key, std::move(after)), false};
}

}  // namespace kueue::apiserver
