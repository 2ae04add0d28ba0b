#include "apiserver/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "api/schema/conversion.h"
#include "api/schema/defined_kind.h"
#include "apiserver/field_manager.h"
#include "apiserver/kind_registry.h"
#include "apiserver/object_meta.h"
#include "apiserver/pod_changes.h"
#include "apiserver/storage/storage.h"
#include "apiserver/versions.h"
#include "apiserver/write_warnings.h"

namespace kueue::apiserver {

using api::FieldErrorType;
using api::Json;

namespace {

void Warn(const WriteContext& context, std::string text) {
  if (context.warnings != nullptr) context.warnings->push_back(std::move(text));
}

ManagedPtr Shared(api::ManagedFields managed) {
  if (managed.empty()) return nullptr;
  return std::make_shared<const api::ManagedFields>(std::move(managed));
}

api::Nulls NullsOf(UpdateSource source) {
  return source == UpdateSource::kApply ? api::Nulls::kStay : api::Nulls::kAreAbsent;
}

StoredPtr Unsaved(const api::KindInfo& kind, Json object, uint64_t revision,
                  api::ManagedFields managed) {
  OrderMembers(kind, object);
  return std::make_shared<const StoredObject>(std::move(object), revision,
                                              Shared(std::move(managed)));
}

// The admission that Kubernetes calls TaintNodesByCondition: a node is not used before somebody
// has seen it ready.
void TaintNode(Json& node) {
  Json& spec = node["spec"];
  if (!spec.IsObject()) spec = Json::MakeObject();
  Json& taints = spec["taints"];
  if (!taints.IsArray()) taints = Json::MakeArray();
  for (const Json& taint : taints.AsArray()) {
    if (taint.StringAt({"key"}) == "node.kubernetes.io/not-ready") return;
  }
  Json taint = Json::MakeObject();
  taint.Set("key", "node.kubernetes.io/not-ready");
  taint.Set("effect", "NoSchedule");
  taints.Append(std::move(taint));
}

// The part of `current` that a write to `subresource` does not touch is put back into `desired`.
void KeepUntouched(const api::KindInfo& kind, const std::string& subresource, const Json& current,
                   Json& desired) {
  const auto copy = [&](const char* member) {
    if (const Json* old = current.Find(member)) {
      desired.Set(member, *old);
    } else {
      desired.Erase(member);
    }
  };
  if (subresource.empty()) {
    if (kind.has_status) copy("status");
    if (IsDefinition(kind)) api::NoteStoredVersion(desired);
    if (kind.group.empty() && kind.kind == "Namespace") {
      // The namespace's own finalizers go through /finalize only.
      copy("spec");
    }
    return;
  }
  if (IsPodChange(kind, subresource)) return KeepButPodChange(subresource, current, desired);
  if (subresource == "finalize") {
    Json result = current;
    const Json* finalizers = desired.FindPath({"spec", "finalizers"});
    Json spec = Json::MakeObject();
    if (finalizers != nullptr && finalizers->size() > 0) spec.Set("finalizers", *finalizers);
    result.Set("spec", std::move(spec));
    desired = std::move(result);
    return;
  }
  if (subresource != "status") return;
  if (kind.custom_resource) {
    Json result = current;
    if (const Json* status = desired.Find("status")) {
      result.Set("status", *status);
    } else {
      result.Erase("status");
    }
    result["metadata"].Set("resourceVersion", desired.StringAt({"metadata", "resourceVersion"}));
    desired = std::move(result);
    return;
  }
  // Labels and annotations may come along with a built-in kind's status; nothing else may.
  Json result = current;
  Json* metadata = desired.Find("metadata");
  result.Set("metadata", metadata != nullptr ? *metadata : Json::MakeObject());
  const Json* owners = current.FindPath({"metadata", "ownerReferences"});
  if (owners != nullptr) {
    result["metadata"].Set("ownerReferences", *owners);
  } else {
    result["metadata"].Erase("ownerReferences");
  }
  const Json* labels = current.FindPath({"metadata", "labels"});
  if (kind.group == "apps" && kind.kind == "Deployment") {
    if (labels != nullptr) {
      result["metadata"].Set("labels", *labels);
    } else {
      result["metadata"].Erase("labels");
    }
  }
  if (const Json* status = desired.Find("status")) {
    result.Set("status", *status);
  } else {
    result.Erase("status");
  }
  desired = std::move(result);
}

// What a patch makes cannot be read as the kind: the patch is to blame, not the object.
ApiError UnreadablePatch(std::string message) {
  ApiError error;
  error.code = 422;
  error.reason = "Invalid";
  error.message = "the patched object cannot be read: " + message;
  error.has_details = true;
  error.causes.push_back({"FieldValueInvalid", "patch", std::move(message)});
  return error;
}

// Deleting objects go once nothing holds them any more.
bool NothingHolds(const api::KindInfo& kind, const Json& object) {
  if (!IsDeleting(object) || HasFinalizers(object)) return false;
  if (kind.group.empty() && kind.kind == "Namespace") {
    const Json* finalizers = object.FindPath({"spec", "finalizers"});
    return finalizers == nullptr || finalizers->size() == 0;
  }
  return !TraitsOf(kind).graceful_deletion || GraceOf(object) == 0;
}

// More than an etcd takes in one request: whoever reads the store expects no larger object.
Refusal CheckStoredSize(const IncomingObject& incoming, const Json& object) {
  constexpr size_t kSuspicious = 1u << 20, kLargest = 3u << 19;
  if (incoming.bytes < kSuspicious || api::WriteJson(object).size() <= kLargest) {
    return std::nullopt;
  }
  return InternalError("etcdserver: request is too large");
}

// What a client of another version of the path's kind is told: that its version is old, or that
// nothing of the body is known.
std::vector<std::string> RemarksOnOtherVersion(const api::KindInfo& kind, const Json& object) {
  const std::string version = object.StringAt({"apiVersion"});
  const size_t slash = version.find('/');
  if (version.substr(0, slash) != kind.group || object.StringAt({"kind"}) != kind.kind) return {};
  const api::KindInfo* other =
      slash == std::string::npos ? nullptr
                                 : api::FindKind(kind.group, version.substr(slash + 1), kind.kind);
  if (other != nullptr) {
    if (other->deprecation.empty()) return {};
    return {fmt::format("{} {}: {}", version, kind.kind, other->deprecation)};
  }
  std::vector<std::string> remarks;
  for (const Json::Member& member : object.AsObject()) {
    if (member.key == "apiVersion" || member.key == "kind" || member.key == "metadata") continue;
    remarks.push_back(fmt::format("unknown field \"{}\"", member.key));
  }
  return remarks;
}

Outcome<WriteResult> Written(const api::KindInfo& kind, const StoredPtr& stored, bool created) {
  const auto shown = ShowAs(kind, stored);
  if (!shown.ok()) return shown.error();
  return WriteResult{*shown, created};
}

// The options of a create or update as webhooks and policies see them.
Json AdmissionOptions(Operation operation, const WriteRequest& options) {
  Json json = Json::MakeObject();
  json.Set("kind", operation == Operation::kCreate ? "CreateOptions" : "UpdateOptions");
  json.Set("apiVersion", "meta.k8s.io/v1");
  if (options.dry_run) {
    Json all = Json::MakeArray();
    all.Append("All");
    json.Set("dryRun", std::move(all));
  }
  if (!options.field_manager.empty()) json.Set("fieldManager", options.field_manager);
  if (options.field_validation == FieldValidation::kStrict) json.Set("fieldValidation", "Strict");
  if (options.field_validation == FieldValidation::kIgnore) json.Set("fieldValidation", "Ignore");
  return json;
}

ApiError NamespaceTerminating(const api::KindInfo& kind, const std::string& name,
                              const std::string& namespace_name) {
  ApiError error = ForbiddenError(
      kind, name,
      fmt::format("namespace {} is being terminated and takes nothing new", namespace_name));
  error.causes.push_back({"NamespaceTerminating", "metadata.namespace",
                          fmt::format("namespace {} is being terminated", namespace_name)});
  return error;
}

}  // namespace

Refusal Writer::CheckStorage(bool dry_run) const {
  const StorageFailure* failure = store_.failure();
  if (failure == nullptr || dry_run) return std::nullopt;
  return InsufficientStorageError(failure->message);
}

Refusal Writer::CheckNamespace(const api::KindInfo& kind, const std::string& namespace_name,
                               const std::string& name) const {
  if (!kind.namespaced) return std::nullopt;
  const api::KindInfo& namespaces = api::KindOf<api::Namespace>();
  const StoredPtr found = store_.Get(namespaces, namespace_name);
  if (found == nullptr) return NotFoundError(namespaces, namespace_name);
  if (IsDeleting(found->object())) return NamespaceTerminating(kind, name, namespace_name);
  return std::nullopt;
}

// Kind and version of the body against those of the path. Custom resources must name both.
Refusal Writer::CheckBody(const api::KindInfo& kind, Json& object, UpdateSource source,
                          const WriteContext& context) const {
  if (object.IsNull() && !kind.custom_resource) object = Json::MakeObject();
  if (!object.IsObject()) return BadRequestError("the body must be one object");
  for (const char* member : {"kind", "apiVersion"}) {
    const Json* value = object.Find(member);
    if (value != nullptr && !value->IsNull() && !value->IsString()) {
      return BadRequestError(fmt::format("{} must be a text", member));
    }
  }
  // Of the store itself: which version it was written in does not matter.
  if (kind.defined && kind.definition == nullptr) object.Set("apiVersion", kind.ApiVersion());
  const std::string body_kind = object.StringAt({"kind"});
  const std::string body_version = object.StringAt({"apiVersion"});
  if (kind.custom_resource && (body_kind.empty() || body_version.empty())) {
    return BadRequestError("the body must name its apiVersion and kind");
  }
  const bool other_kind = !body_kind.empty() && body_kind != kind.kind;
  const bool other_version = !body_version.empty() && body_version != kind.ApiVersion();
  if (source != UpdateSource::kPut && !kind.custom_resource && (other_kind || other_version)) {
    return UnreadablePatch("apiVersion and kind of an object do not change");
  }
  if (other_version) {
    if (kind.custom_resource && context.options.field_validation != FieldValidation::kIgnore) {
      for (std::string& remark : RemarksOnOtherVersion(kind, object)) {
        Warn(context, std::move(remark));
      }
    }
    return BadRequestError(fmt::format("the body's apiVersion is {}, this path takes {}",
                                       body_version, kind.ApiVersion()));
  }
  if (other_kind) {
    if (!kind.custom_resource) {
      return BadRequestError(
          fmt::format("the body's kind is {}, this path takes {}", body_kind, kind.kind));
    }
    ApiError error =
        InvalidError(kind, object.StringAt({"metadata", "name"}),
                     {{FieldErrorType::kInvalid, "kind", fmt::format("must be {}", kind.kind)}});
    error.kind = body_kind;
    return error;
  }
  object.Set("kind", kind.kind);
  object.Set("apiVersion", kind.ApiVersion());
  return std::nullopt;
}

void Writer::FillIn(const api::KindInfo& kind, Json& object, api::Nulls nulls) const {
  api::ApplyDefaults(kind, object, nulls);
  for (const Admission* admission : admissions_) admission->Complete(kind, object);
}

Refusal Writer::Translate(const api::KindInfo& kind, const Json* before, Json& object,
                          const WriteContext& context) const {
  AdmissionRequest request;
  request.operation = before == nullptr ? Operation::kCreate : Operation::kUpdate;
  request.kind = request.requested = &kind;
  request.name = object.StringAt({"metadata", "name"});
  request.user = context.user;
  request.dry_run = context.options.dry_run;
  request.object = &object;
  request.old_object = before;
  for (Admission* admission : admissions_) {
    Verdict verdict = admission->Translate(request);
    for (std::string& warning : verdict.warnings) Warn(context, std::move(warning));
    if (verdict.allowed) continue;
    if (verdict.errors.empty()) {
      return DeniedError(kind, request.name, verdict.code, verdict.errors, verdict.message);
    }
    return InvalidError(kind, request.name, verdict.errors);
  }
  return std::nullopt;
}

// Fields nobody knows: refused, remarked upon, or dropped without a word. Then the types.
Refusal Writer::CheckFields(const api::KindInfo& kind, IncomingObject& incoming,
                            const WriteContext& context, UpdateSource source) const {
  if (context.options.field_validation != FieldValidation::kIgnore) {
    std::vector<std::string> remarks;
    for (const std::string& path : incoming.duplicate_keys) {
      remarks.push_back(fmt::format("duplicate field \"{}\"", path));
    }
    for (const std::string& path : api::UnknownFields(kind, incoming.object)) {
      remarks.push_back(fmt::format("unknown field \"{}\"", path));
    }
    if (!remarks.empty() && context.options.field_validation == FieldValidation::kStrict) {
      std::string text = fmt::format("strict decoding error: {}", fmt::join(remarks, ", "));
      if (source == UpdateSource::kPatch) return UnreadablePatch(std::move(text));
      if (!kind.defined) return BadRequestError(std::move(text));
      return BadRequestError(fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2}",
                                         kind.kind, kind.version, text));
    }
    for (std::string& remark : remarks) Warn(context, std::move(remark));
  }
  api::PruneUnknown(kind, incoming.object);
  const auto errors = api::TypeErrors(kind, incoming.object);
  if (errors.empty()) return std::nullopt;
  if (source == UpdateSource::kPatch) return UnreadablePatch(api::JoinFieldErrors(errors));
  if (source == UpdateSource::kApply) {
    return InternalError(fmt::format("what is applied makes a {} that cannot be read: {}",
                                     kind.kind, api::JoinFieldErrors(errors)));
  }
  return BadRequestError(
      fmt::format("{} cannot be read: {}", kind.kind, api::JoinFieldErrors(errors)));
}

Refusal Writer::CheckReadable(const api::KindInfo& kind, IncomingObject& incoming,
                              const WriteContext& context, UpdateSource source) const {
  if (Refusal refusal = CheckBody(kind, incoming.object, source, context)) return refusal;
  return CheckFields(kind, incoming, context, source);
}

base::Time Writer::Began(const WriteContext& context) const {
  if (context.session == nullptr) return Now();
  if (!context.session->began) context.session->began = Now();
  return *context.session->began;
}

std::string Writer::NewUid(const WriteContext& context) {
  if (context.session == nullptr) return random_.Uuid();
  if (!context.session->object_uid) context.session->object_uid = random_.Uuid();
  return *context.session->object_uid;
}

std::vector<Admission*> Writer::Asked(bool mutate) const {
  std::vector<Admission*> all = admissions_;
  if (webhooks_ != nullptr) all.push_back(webhooks_);
  if (!mutate && last_admission_ != nullptr) all.push_back(last_admission_);
  return all;
}

Refusal Writer::Admit(bool mutate, AdmissionRequest& request, const WriteContext& context) const {
  request.session = context.session;
  request.settled = context.settled;
  if (Refusal refusal = AdmitOnce(mutate, request, context)) return refusal;
  if (!mutate || !request.reinvocation.wanted) return std::nullopt;
  request.reinvocation.second = true;
  return AdmitOnce(mutate, request, context);
}

Refusal Writer::AdmitPart(const Part& part, Json& object, const Json* old_object,
                          const WriteContext& context) const {
  AdmissionRequest request;
  request.operation = part.operation;
  request.kind = &api::StoredKind(part.kind);
  request.requested = &part.kind;
  request.shown_as = &part.shown_as;
  request.namespace_name = part.namespace_name;
  request.name = part.name;
  request.subresource = part.subresource;
  request.user = context.user;
  request.dry_run = context.options.dry_run;
  request.options = AdmissionOptions(part.operation, context.options);
  request.managed = &part.managed;
  request.old_managed = &part.old_managed;
  request.object = &object;
  request.old_object = old_object;
  if (Refusal refusal = Admit(true, request, context)) return refusal;
  return Admit(false, request, context);
}

Refusal Writer::AdmitOnce(bool mutate, AdmissionRequest& request,
                          const WriteContext& context) const {
  for (Admission* admission : Asked(mutate)) {
    if (request.shown_as != nullptr && !admission->JudgesParts()) continue;
    if (!admission->Concerns(request, mutate)) continue;
    Verdict verdict = mutate ? admission->Mutate(request) : admission->Validate(request);
    if (Refusal refusal = Judged(request, std::move(verdict), context)) return refusal;
  }
  return std::nullopt;
}

Refusal Writer::Judged(const AdmissionRequest& request, Verdict verdict,
                       const WriteContext& context) {
  for (std::string& warning : verdict.warnings) Warn(context, std::move(warning));
  if (verdict.allowed) return std::nullopt;
  if (verdict.pending) return PendingError();
  if (verdict.answer) return std::move(*verdict.answer);
  if (!verdict.reason.empty()) {
    return PolicyError(*request.kind, request.name, verdict.code, verdict.reason, verdict.message);
  }
  return DeniedError(*request.kind, request.name, verdict.code, verdict.errors, verdict.message);
}

bool Writer::Asked(bool mutate, const AdmissionRequest& request) const {
  const std::vector<Admission*> all = Asked(mutate);
  return std::any_of(all.begin(), all.end(), [&](const Admission* admission) {
    return admission->Concerns(request, mutate);
  });
}

// The mutating half, on the stored version of the object; then the defaults of what came in.
Refusal Writer::Mutate(const api::KindInfo& kind, AdmissionRequest& request, Json& object,
                       const WriteContext& context) const {
  if (!Asked(true, request)) return std::nullopt;
  if (kind.stored == nullptr) {
    request.object = &object;
    if (Refusal refusal = Admit(true, request, context)) return refusal;
    if (kind.custom_resource) FillIn(kind, object);
    return std::nullopt;
  }
  Json converted = object;
  // What cannot be converted is told by the schema, in the words of the client's version.
  if (!api::ToStored(kind, converted).empty()) return std::nullopt;
  Json mutated = converted;
  request.object = &mutated;
  if (Refusal refusal = Admit(true, request, context)) return refusal;
  if (mutated == converted) return std::nullopt;
  const auto errors = api::FromStored(kind, mutated);
  if (!errors.empty()) return InvalidError(kind, request.name, errors);
  object = std::move(mutated);
  FillIn(kind, object);
  return std::nullopt;
}

// The validating half. Afterwards request.object is what to store: `object` itself, or `converted`
// if the version of the request is not the one that is stored.
Refusal Writer::Judge(const api::KindInfo& kind, AdmissionRequest& request, Json& object,
                      const WriteContext& context, Json& converted) const {
  request.object = &object;
  std::vector<api::FieldError> errors;
  if (kind.stored != nullptr) {
    converted = object;
    errors = api::ToStored(kind, converted);
    if (!errors.empty()) return InvalidError(kind, request.name, errors);
    request.object = &converted;
  }
  Json before;
  if (kind.stored != nullptr && request.old_object != nullptr && Asked(false, request)) {
    before = *request.old_object;
    errors = api::ToStored(kind, before);
    if (!errors.empty()) return InvalidError(kind, request.name, errors);
    request.old_object = &before;
  }
  Refusal refusal = Admit(false, request, context);
  request.old_object = nullptr;
  if (refusal) return refusal;
  errors = api::UnreadableValues(*request.kind, *request.object);
  if (!errors.empty()) return InvalidError(kind, request.name, errors);
  return std::nullopt;
}

// The same name in every pass, unless somebody has taken it meanwhile.
std::string Writer::MakeName(const api::KindInfo& kind, const std::string& namespace_name,
                             const Json& object, const WriteContext& context) {
  if (context.session == nullptr) return GenerateName(kind, namespace_name, object);
  std::optional<std::string>& name = context.session->generated_name;
  if (!name || store_.Get(api::StoredKind(kind), StoreKey(namespace_name, *name)) != nullptr) {
    name = GenerateName(kind, namespace_name, object);
  }
  return *name;
}

std::string Writer::GenerateName(const api::KindInfo& kind, const std::string& namespace_name,
                                 const Json& object) {
  // The name must stay a DNS label where one is needed: 63 characters less the suffix.
  std::string base = object.StringAt({"metadata", "generateName"});
  if (base.size() > 58) base.resize(58);
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::string name = base + random_.NameSuffix(5);
    const std::string key = StoreKey(namespace_name, name);
    if (store_.Get(api::StoredKind(kind), key) == nullptr) return name;
  }
  return base + random_.NameSuffix(10);
}

void Writer::NoteEmptyMetadata(const Json& object, std::vector<std::string> members) {
  const std::string uid = object.StringAt({"metadata", "uid"});
  if (members.empty()) {
    kept_empty_.erase(uid);
  } else {
    kept_empty_[uid] = std::move(members);
  }
}

// managedFields of a body are no part of the object: what they say is heard by Owners.
void Writer::TakeOwners(IncomingObject& incoming) {
  Json* metadata = incoming.object.Find("metadata");
  Json* given = metadata != nullptr ? metadata->Find("managedFields") : nullptr;
  if (given == nullptr) return;
  incoming.given_owners = std::move(*given);
  metadata->Erase("managedFields");
}

// Who owns which fields after the write. `incoming` is complete but for what the write puts back.
api::ManagedFields Writer::Owners(const api::KindInfo& kind, const std::string& subresource,
                                  const StoredObject* current, IncomingObject& incoming,
                                  const WriteContext& context) const {
  if (incoming.managed) return std::move(*incoming.managed);
  static const api::ManagedFields kNobody;
  const api::ManagedFields& live = current != nullptr ? current->managed() : kNobody;
  if (context.untracked || subresource == "binding") return live;
  const Json* given = incoming.given_owners.IsNull() ? nullptr : &incoming.given_owners;
  const WriteWay way{&kind, subresource};
  return TrackWrite(way, context.manager, Began(context),
                    current != nullptr ? &current->object() : nullptr, incoming.object,
                    given != nullptr ? OwnershipBefore(way, given, live) : live);
}

Outcome<WriteResult> Writer::Create(const api::KindInfo& kind, const std::string& namespace_name,
                                    IncomingObject incoming, const WriteContext& context) {
  Json& object = incoming.object;
  if (Refusal refusal = CheckStorage(context.options.dry_run)) return *refusal;
  const UpdateSource source = incoming.managed ? UpdateSource::kApply : UpdateSource::kPut;
  if (Refusal refusal = CheckBody(kind, object, source, context)) return *refusal;
  if (Refusal refusal = Translate(kind, nullptr, object, context)) return *refusal;
  if (Refusal refusal = CheckFields(kind, incoming, context, source)) return *refusal;
  TakeOwners(incoming);
  if (Refusal refusal = AdmitNewMetadata(kind, namespace_name, object)) return *refusal;
  std::string name = object.StringAt({"metadata", "name"});
  const bool generated = name.empty() && !object.StringAt({"metadata", "generateName"}).empty();
  if (generated) {
    name = MakeName(kind, namespace_name, object, context);
    object["metadata"].Set("name", name);
  }
  if (Refusal refusal = CheckNamespace(kind, namespace_name, name)) return *refusal;

  std::vector<std::string> dropped = DropEmptyMetadata(object);
  if (source == UpdateSource::kApply && kind.custom_resource) {
    incoming.empty_metadata = std::move(dropped);
  }
  WarnOfRepeatedOwners(object, context.warnings);
  const bool borrows_labels =
      &kind == &api::KindOf<api::Job>() && object.FindPath({"metadata", "labels"}) == nullptr;
  FillIn(kind, object, NullsOf(source));
  api::ManagedFields managed = Owners(kind, "", nullptr, incoming, context);
  AdmissionRequest request;
  request.session = context.session;
  request.operation = Operation::kCreate;
  request.nameless = generated;
  request.managed = &managed;
  request.options = AdmissionOptions(request.operation, context.options);
  request.kind = &api::StoredKind(kind);
  request.requested = &kind;
  request.namespace_name = namespace_name;
  request.name = name;
  request.user = context.user;
  request.dry_run = context.options.dry_run;
  if (Refusal refusal = Mutate(kind, request, object, context)) return *refusal;
  if (request.reinvocation.wanted) {
    // Webhooks may give the object another name, but put it nowhere else.
    name = object.StringAt({"metadata", "name"});
    if (Refusal refusal = AdmitNewMetadata(kind, namespace_name, object)) return *refusal;
    if (generated && name.empty()) name = *context.session->generated_name;
    object["metadata"].Set("name", name);
  }
  request.nameless = false;  // from now on it has the name that was made up
  StampNew(kind, NewUid(context), Began(context), object);
  api::PrepareForCreate(kind, object);
  if (taint_new_nodes_ && kind.group.empty() && kind.kind == "Node") TaintNode(object);
  const auto errors = api::ValidateCreate(kind, object, context.warnings);
  if (!errors.empty()) return InvalidError(kind, name, errors);
  Json converted;
  if (Refusal refusal = Judge(kind, request, object, context, converted)) return *refusal;
  WarnAbout(kind, object, context.warnings);

  const std::string key = StoreKey(namespace_name, name);
  if (store_.Get(*request.kind, key) != nullptr) return AlreadyExistsError(kind, name);
  if (Refusal refusal = CheckStoredSize(incoming, *request.object)) return *refusal;
  if (borrows_labels && !context.options.dry_run) {
    borrowed_labels_.insert(object.StringAt({"metadata", "uid"}));
  }
  if (context.options.dry_run) {
    return WriteResult{Unsaved(kind, std::move(object), 0, std::move(managed)), true};
  }
  NoteEmptyMetadata(object, std::move(incoming.empty_metadata));
  return Written(
      kind, store_.Put(*request.kind, key, std::move(*request.object), Shared(std::move(managed))),
      true);
}

Refusal Writer::CheckVersions(const api::KindInfo& kind, const std::string& subresource,
                              const StoredObject& current, const Json& desired,
                              UpdateSource source) const {
  const std::string name = current.object().StringAt({"metadata", "name"});
  const std::string version = desired.StringAt({"metadata", "resourceVersion"});
  if (version.empty() && (kind.custom_resource || IsDefinition(kind))) {
    ApiError error = InvalidError(kind, name,
                                  {{FieldErrorType::kInvalid, "metadata.resourceVersion",
                                    kind.defined ? "Invalid value: 0: must be specified for "
                                                   "an update"
                                                 : "must be given for an update"}});
    error.kind = kind.plural;
    if (kind.defined) {
      error.message = fmt::format("{} \"{}\" is invalid: metadata.resourceVersion: {}",
                                  kind.GroupResource(), name, error.causes[0].message);
    }
    return error;
  }
  if (!version.empty() && version != std::to_string(current.revision())) {
    return ConflictError(kind, name, "it has been changed since; read it again and try then");
  }
  // The status of a custom resource takes nothing else of a patch's metadata.
  const bool only_version =
      kind.custom_resource && subresource == "status" && source != UpdateSource::kPut;
  const std::string uid = desired.StringAt({"metadata", "uid"});
  if (only_version || uid.empty() || uid == current.object().StringAt({"metadata", "uid"})) {
    return std::nullopt;
  }
  if (source == UpdateSource::kPut) {
    return ConflictError(kind, name, fmt::format("its uid is not {}", uid));
  }
  const api::FieldError changed{FieldErrorType::kInvalid, "metadata.uid", "does not change"};
  return InvalidError(kind, name, {changed, changed});
}

Outcome<WriteResult> Writer::Update(const api::KindInfo& kind, const std::string& namespace_name,
                                    const std::string& name, const std::string& subresource,
                                    UpdateSource source, IncomingObject incoming,
                                    const WriteContext& context) {
  const std::string key = StoreKey(namespace_name, name);
  const auto read = ReadAs(kind, store_, key);
  if (!read.ok()) return read.error();
  const StoredPtr current = *read;
  Json& desired = incoming.object;
  if (Refusal refusal = CheckBody(kind, desired, source, context)) return *refusal;
  const Json* metadata = desired.Find("metadata");
  if (metadata != nullptr && !metadata->IsObject() && !metadata->IsNull()) {
    return BadRequestError("metadata must be an object");
  }
  if (desired.StringAt({"metadata", "name"}) != name) {
    return BadRequestError(
        fmt::format("the object's name \"{}\" is not \"{}\", the one of the "
                    "path",
                    desired.StringAt({"metadata", "name"}), name));
  }
  const std::string given = desired.StringAt({"metadata", "namespace"});
  if (kind.namespaced && !given.empty() && given != namespace_name) {
    return BadRequestError(
        fmt::format("the object's namespace \"{}\" is not \"{}\", the one of "
                    "the request",
                    given, namespace_name));
  }
  if (current == nullptr) {
    const bool versioned = !desired.StringAt({"metadata", "resourceVersion"}).empty();
    if (!subresource.empty() || versioned || !TraitsOf(kind).create_on_update) {
      return NotFoundError(kind, name);
    }
    return Create(kind, namespace_name, std::move(incoming), context);
  }
  if (subresource.empty()) {
    if (Refusal refusal = Translate(kind, &current->object(), desired, context)) return *refusal;
  }
  if (Refusal refusal = CheckFields(kind, incoming, context, source)) return *refusal;
  TakeOwners(incoming);
  if (Refusal refusal = CheckVersions(kind, subresource, *current, desired, source)) {
    return *refusal;
  }
  std::vector<std::string> dropped = DropEmptyMetadata(desired);
  if (source == UpdateSource::kApply && kind.custom_resource && subresource.empty()) {
    incoming.empty_metadata = std::move(dropped);
  }
  FillIn(kind, desired, NullsOf(source));
  api::ManagedFields managed = Owners(kind, subresource, current.get(), incoming, context);
  if (kind.namespaced) desired["metadata"].Set("namespace", namespace_name);
  return FinishUpdate(kind, current, key, subresource, std::move(incoming), std::move(managed),
                      context);
}

Outcome<WriteResult> Writer::FinishUpdate(const api::KindInfo& kind, const StoredPtr& current,
                                          const std::string& key, const std::string& subresource,
                                          IncomingObject incoming, api::ManagedFields managed,
                                          const WriteContext& context) {
  const Json& before = current->object();
  Json& after = incoming.object;
  const std::string name = before.StringAt({"metadata", "name"});
  WarnOfRepeatedOwners(after, context.warnings);
  AdmissionRequest request;
  request.session = context.session;
  request.settled = context.settled;
  request.operation = Operation::kUpdate;
  request.managed = &managed;
  request.old_managed = &current->managed();
  request.options = AdmissionOptions(request.operation, context.options);
  request.kind = &api::StoredKind(kind);
  request.requested = &kind;
  request.namespace_name = before.StringAt({"metadata", "namespace"});
  request.name = name;
  request.subresource = subresource;
  request.user = context.user;
  request.dry_run = context.options.dry_run;
  request.old_object = &before;
  if (Refusal refusal = Mutate(kind, request, after, context)) return *refusal;
  // Admissions see what the client wants; they may not touch more than the client either.
  KeepUntouched(kind, subresource, before, after);
  KeepSystemMetadata(kind, before, after);
  if (subresource.empty()) api::PrepareForUpdate(kind, before, after);
  if (subresource != "status" && subresource != "binding" && SpecChanged(kind, before, after)) {
    BumpGeneration(kind, after);
  }
  auto errors = SystemMetadataErrors(before, after);
  if (IsPodChange(kind, subresource)) {
    errors = PodChangeErrors(subresource, before, after);
  } else if (errors.empty() && subresource != "binding") {
    errors = api::ValidateUpdate(kind, before, after, subresource, context.warnings);
  }
  if (!errors.empty()) return InvalidError(kind, name, errors);
  Json converted;
  if (Refusal refusal = Judge(kind, request, after, context, converted)) return *refusal;
  if (subresource.empty()) WarnAbout(kind, after, context.warnings);
  if (Refusal refusal = CheckStoredSize(incoming, *request.object)) return *refusal;

  const bool first_labels =
      !context.options.dry_run && borrowed_labels_.erase(before.StringAt({"metadata", "uid"})) > 0;
  // An object stored in an older form is written again, though it says the same.
  const StoredPtr stored = kind.defined ? store_.Get(*request.kind, key) : nullptr;
  const auto kept = kept_empty_.find(before.StringAt({"metadata", "uid"}));
  const bool same_empty = kept == kept_empty_.end() ? incoming.empty_metadata.empty()
                                                    : incoming.empty_metadata == kept->second;
  const bool same_form = same_empty && (stored == nullptr || stored->object() == *request.object);
  if (after == before && same_form && !first_labels &&
      api::SameOwnership(managed, current->managed())) {
    return WriteResult{current, false};
  }
  if (Refusal refusal = CheckStorage(context.options.dry_run)) return *refusal;
  if (context.options.dry_run || NothingHolds(kind, after)) {
    // The last version of an object that goes is told, but never stored.
    const StoredPtr told = Unsaved(kind, after, current->revision(), std::move(managed));
    if (context.options.dry_run) return WriteResult{told, false};
    NoteEmptyMetadata(before, {});
    store_.Remove(*request.kind, key, std::move(*request.object));
    return WriteResult{told, false};
  }
  NoteEmptyMetadata(before, std::move(incoming.empty_metadata));
  return Written(
      kind, store_.Put(*request.kind, key, std::move(*request.object), Shared(std::move(managed))),
      false);
}

}  // namespace kueue::apiserver
