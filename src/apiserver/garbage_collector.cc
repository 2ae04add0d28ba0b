#include "apiserver/garbage_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apiserver/object_meta.h"
#include "base/log.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr int kInsufficientStorage = 507;
constexpr base::Duration kTryAgain = base::seconds(2);

std::vector<Json> OwnersOf(const Json& object) {
  const Json* owners = object.FindPath({"metadata", "ownerReferences"});
  if (owners == nullptr || !owners->IsArray()) return {};
  return owners->AsArray();
}

std::string UidOf(const Json& object) { return object.StringAt({"metadata", "uid"}); }

bool Blocks(const Json& dependent, const std::string& owner_uid) {
  for (const Json& owner : OwnersOf(dependent)) {
    const Json* block = owner.Find("blockOwnerDeletion");
    if (owner.StringAt({"uid"}) == owner_uid) {
      return block != nullptr && block->IsBool() && block->AsBool();
    }
  }
  return false;
}

void RemoveOwner(Json& object, const std::string& uid) {
  Json* metadata = object.Find("metadata");
  Json* owners = metadata != nullptr ? metadata->Find("ownerReferences") : nullptr;
  if (owners == nullptr || !owners->IsArray()) return;
  auto& items = owners->AsArray();
  items.erase(std::remove_if(items.begin(), items.end(),
                             [&](const Json& owner) { return owner.StringAt({"uid"}) == uid; }),
              items.end());
  if (items.empty()) metadata->Erase("ownerReferences");
}

}  // namespace

GarbageCollector::GarbageCollector(base::Executor& executor, const KindRegistry& kinds,
                                   Writer& writer)
    : executor_(executor),
      kinds_(kinds),
      writer_(writer),
      store_(writer.store()),
      user_{"system:kueue:garbage-collector", "", {kOwnersGroup, kAuthenticatedGroup}},
      patient_(executor, writer) {
  for (const api::KindInfo* kind : store_.kinds()) {
    store_.Scan(*kind, "", "", [&](const std::string& key, const StoredPtr& object) {
      const Uid uid = UidOf(object->object());
      objects_[uid] = {kind, key};
      Link(uid, object->object());
      Enqueue(uid);
      return true;
    });
  }
  watcher_ = store_.AddWatcher(nullptr, [this](const StoreChange& change) { OnChange(change); });
}

GarbageCollector::~GarbageCollector() { store_.RemoveWatcher(watcher_); }

void GarbageCollector::Link(const Uid& uid, const Json& object) {
  for (const Json& owner : OwnersOf(object)) dependents_[owner.StringAt({"uid"})].insert(uid);
}

void GarbageCollector::Unlink(const Uid& uid, const Json& object) {
  for (const Json& owner : OwnersOf(object)) {
    auto it = dependents_.find(owner.StringAt({"uid"}));
    if (it == dependents_.end()) continue;
    it->second.erase(uid);
    if (it->second.empty()) dependents_.erase(it);
  }
}

void GarbageCollector::OnChange(const StoreChange& change) {
  const Json& object = change.object->object();
  const Uid uid = UidOf(object);
  if (change.before != nullptr) Unlink(uid, change.before->object());
  if (change.type != ChangeType::kDeleted) {
    objects_[uid] = {change.kind, change.key};
    Link(uid, object);
    if (!OwnersOf(object).empty() || IsDeleting(object)) Enqueue(uid);
    return;
  }
  objects_.erase(uid);
  if (auto it = dependents_.find(uid); it != dependents_.end()) {
    for (const Uid& dependent : it->second) Enqueue(dependent);
  }
  // An owner that waits for this one may go now.
  for (const Json& owner : OwnersOf(object)) Enqueue(owner.StringAt({"uid"}));
}

void GarbageCollector::Enqueue(const Uid& uid) {
  if (!queued_.insert(uid).second) return;
  queue_.push_back(uid);
  if (work_posted_) return;
  work_posted_ = true;
  executor_.Post(scope_.Wrap([this] { Work(); }));
}

void GarbageCollector::Work() {
  work_posted_ = false;
  std::vector<Uid> batch;
  batch.swap(queue_);
  queued_.clear();
  for (const Uid& uid : batch) Check(uid);
}

void GarbageCollector::TryLater(const Uid& uid) {
  executor_.PostAfter(kTryAgain, scope_.Wrap([this, uid] { Enqueue(uid); }));
}

StoredPtr GarbageCollector::Load(const Uid& uid, Ref& ref) const {
  auto it = objects_.find(uid);
  if (it == objects_.end()) return nullptr;
  ref = it->second;
  return store_.Get(*ref.kind, ref.key);
}

void GarbageCollector::Check(const Uid& uid) {
  Ref ref;
  const StoredPtr stored = Load(uid, ref);
  if (stored == nullptr) return;
  const Json& object = stored->object();
  if (IsDeleting(object)) {
    if (HasFinalizer(object, kOrphanFinalizer)) return OrphanDependents(ref, object);
    if (HasFinalizer(object, kForegroundFinalizer)) return CollectForeground(ref, object);
    return;
  }
  if (OwnersOf(object).empty()) return;
  if (HasLiveOwner(object)) return DropDeadOwners(ref, object);
  Delete(ref, uid);
}

bool GarbageCollector::HasLiveOwner(const Json& object) const {
  for (const Json& owner : OwnersOf(object)) {
    if (objects_.count(owner.StringAt({"uid"})) > 0) return true;
    // An owner of a kind that is not served may live somewhere else.
    const std::string api_version = owner.StringAt({"apiVersion"});
    const size_t slash = api_version.find('/');
    const bool core = slash == std::string::npos;
    if (kinds_.FindKind(core ? "" : api_version.substr(0, slash),
                        core ? api_version : api_version.substr(slash + 1),
                        owner.StringAt({"kind"})) == nullptr) {
      return true;
    }
  }
  return false;
}

// With one owner left, references to others that are gone are only noise.
void GarbageCollector::DropDeadOwners(const Ref& ref, const Json& object) {
  bool some_live = false;
  std::vector<Uid> dead;
  for (const Json& owner : OwnersOf(object)) {
    const Uid uid = owner.StringAt({"uid"});
    if (objects_.count(uid) > 0) {
      some_live = true;
    } else {
      dead.push_back(uid);
    }
  }
  if (!some_live || dead.empty()) return;
  Json changed = object;
  for (const Uid& uid : dead) RemoveOwner(changed, uid);
  Write(ref, std::move(changed), UidOf(object));
}

void GarbageCollector::CollectForeground(const Ref& ref, const Json& object) {
  const Uid uid = UidOf(object);
  bool blocked = false;
  if (auto it = dependents_.find(uid); it != dependents_.end()) {
    const std::set<Uid> dependents = it->second;
    for (const Uid& dependent : dependents) {
      Ref dependent_ref;
      const StoredPtr stored = Load(dependent, dependent_ref);
      if (stored == nullptr) continue;
      blocked = blocked || Blocks(stored->object(), uid);
      if (!IsDeleting(stored->object())) Delete(dependent_ref, dependent);
    }
  }
  if (blocked) {
    // What could be deleted at once has been: look whether anything is left.
    blocked = false;
    if (auto it = dependents_.find(uid); it != dependents_.end()) {
      for (const Uid& dependent : it->second) {
        Ref dependent_ref;
        const StoredPtr stored = Load(dependent, dependent_ref);
        blocked = blocked || (stored != nullptr && Blocks(stored->object(), uid));
      }
    }
  }
  if (!blocked) LiftFinalizer(ref, kForegroundFinalizer);
}

void GarbageCollector::OrphanDependents(const Ref& ref, const Json& object) {
  const Uid uid = UidOf(object);
  if (auto it = dependents_.find(uid); it != dependents_.end()) {
    const std::set<Uid> dependents = it->second;
    bool all = true;
    for (const Uid& dependent : dependents) {
      Ref dependent_ref;
      const StoredPtr stored = Load(dependent, dependent_ref);
      if (stored == nullptr) continue;
      Json changed = stored->object();
      RemoveOwner(changed, uid);
      all = Write(dependent_ref, std::move(changed), uid) && all;
    }
    // Whoever still names the owner would be deleted with it.
    if (!all) return;
  }
  LiftFinalizer(ref, kOrphanFinalizer);
}

void GarbageCollector::Delete(const Ref& ref, const Uid& uid) {
  const StoredPtr stored = store_.Get(*ref.kind, ref.key);
  if (stored == nullptr) return;
  DeleteRequest request;
  request.precondition_uid = uid;
  // Those that own something themselves take it along before they go.
  request.propagation =
      dependents_.count(uid) > 0 ? Propagation::kForeground : Propagation::kBackground;
  const Json& object = stored->object();
  WriteContext context;
  context.user = &user_;
  context.session = patient_.SessionOf(uid);
  const auto result = writer_.Delete(*ref.kind, object.StringAt({"metadata", "namespace"}),
                                     object.StringAt({"metadata", "name"}), request, context);
  if (patient_.Unfinished(uid, result.ok() ? nullptr : &result.error(),
                          scope_.Wrap([this, uid] { Enqueue(uid); }))) {
    return;
  }
  if (!result.ok()) {
    if (result.error().code == kInsufficientStorage) return TryLater(uid);
    base::LogWarn("apiserver", fmt::format("{} {} has lost its owner and cannot be deleted: {}",
                                           ref.kind->kind, ref.key, result.error().message));
  }
}

bool GarbageCollector::Write(const Ref& ref, Json object, const Uid& waiting) {
  IncomingObject incoming;
  const std::string namespace_name = object.StringAt({"metadata", "namespace"});
  const std::string name = object.StringAt({"metadata", "name"});
  const Uid uid = UidOf(object);
  incoming.object = std::move(object);
  WriteContext context;
  context.user = &user_;
  context.manager = "kube-controller-manager";
  context.options.field_validation = FieldValidation::kIgnore;
  const std::string key = uid + " " + waiting;
  context.session = patient_.SessionOf(key);
  const auto result = writer_.Update(*ref.kind, namespace_name, name, "", UpdateSource::kPut,
                                     std::move(incoming), context);
  if (patient_.Unfinished(key, result.ok() ? nullptr : &result.error(),
                          scope_.Wrap([this, waiting] { Enqueue(waiting); }))) {
    return false;
  }
  if (!result.ok()) {
    if (result.error().code == kInsufficientStorage) {
      TryLater(waiting);
      return false;
    }
    base::LogWarn("apiserver", fmt::format("owners of {} {} cannot be updated: {}", ref.kind->kind,
                                           ref.key, result.error().message));
  }
  return true;
}

void GarbageCollector::LiftFinalizer(const Ref& ref, const char* finalizer) {
  const StoredPtr stored = store_.Get(*ref.kind, ref.key);
  if (stored == nullptr) return;
  Json changed = stored->object();
  if (RemoveFinalizer(changed, finalizer)) {
    Write(ref, std::move(changed), UidOf(stored->object()));
  }
}

}  // namespace kueue::apiserver
