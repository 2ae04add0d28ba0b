#include "apiserver/definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "api/schema/crd.h"
#include "apiserver/object_meta.h"
#include "base/check.h"
#include "base/log.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kCleanup[] = "customresourcecleanup.apiextensions.k8s.io";

const api::KindInfo& DefinitionKind() {
  const api::KindInfo* kind =
      api::FindKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
  KUEUE_CHECK(kind != nullptr);
  return *kind;
}

const Json::Array& ListIn(const Json& object, std::initializer_list<std::string_view> path) {
  static const Json::Array kNone;
  const Json* list = object.FindPath(path);
  return list != nullptr && list->IsArray() ? list->AsArray() : kNone;
}

// A kind that is served without a definition.
bool IsBuiltIn(const Json& definition) {
  const std::string group = definition.StringAt({"spec", "group"});
  const std::string plural = definition.StringAt({"spec", "names", "plural"});
  const auto& all = api::AllKinds();
  return std::any_of(all.begin(), all.end(), [&](const api::KindInfo* kind) {
    return kind->group == group && kind->plural == plural;
  });
}

bool Holds(const Json::Array& list, const std::string& text) {
  return std::find(list.begin(), list.end(), Json(text)) != list.end();
}

// Sets the condition of that type; its time changes only with its status.
void SetCondition(Json& definition, const char* type, bool status, const char* reason,
                  const std::string& message, base::Time now) {
  Json condition = Json::MakeObject();
  condition.Set("type", type);
  condition.Set("status", status ? "True" : "False");
  condition.Set("lastTransitionTime", base::FormatTime(now));
  condition.Set("reason", reason);
  condition.Set("message", message);
  Json& conditions = definition["status"]["conditions"];
  if (!conditions.IsArray()) conditions = Json::MakeArray();
  for (Json& old : conditions.AsArray()) {
    if (old.StringAt({"type"}) != type) continue;
    if (old.StringAt({"status"}) == condition.StringAt({"status"})) {
      condition.Set("lastTransitionTime", old.StringAt({"lastTransitionTime"}));
    }
    old = std::move(condition);
    return;
  }
  conditions.Append(std::move(condition));
}

std::string ConditionText(const Json& definition, const char* type, const char* member) {
  for (const Json& condition : ListIn(definition, {"status", "conditions"})) {
    if (condition.StringAt({"type"}) == type) return condition.StringAt({member});
  }
  return "";
}

// What was accepted of the names, and why not all of them.
class NameAcceptance {
 public:
  NameAcceptance(const Json& definition, Json::Array resources, Json::Array kinds)
      : wanted_(*definition.FindPath({"spec", "names"})),
        resources_(std::move(resources)),
        kinds_(std::move(kinds)) {
    const Json* accepted = definition.FindPath({"status", "acceptedNames"});
    accepted_ = accepted != nullptr && accepted->IsObject() ? *accepted : Json::MakeObject();
    Json before = accepted_;
    Text(before, "plural", resources_, "PluralConflict");
    Text(before, "singular", resources_, "SingularConflict");
    ShortNames(before);
    Text(before, "kind", kinds_, "KindConflict");
    Text(before, "listKind", kinds_, "ListKindConflict");
    Take("categories");
  }

  const Json& accepted() const { return accepted_; }
  const std::string& reason() const { return reason_; }  // "" if all were
  const std::string& message() const { return message_; }

 private:
  void Take(const char* member) {
    const Json* value = wanted_.Find(member);
    if (value != nullptr) {
      accepted_.Set(member, *value);
    } else {
      accepted_.Erase(member);
    }
  }

  void Text(const Json& before, const char* member, const Json::Array& taken,
            const char* conflict) {
    const std::string name = wanted_.StringAt({member});
    if (name == before.StringAt({member}) || !Holds(taken, name)) return Take(member);
    reason_ = conflict;
    message_ = fmt::format("\"{}\" is already in use", name);
  }

  void ShortNames(const Json& before) {
    std::vector<std::string> conflicts;
    for (const Json& name : ListIn(wanted_, {"shortNames"})) {
      const std::string text = name.IsString() ? name.AsString() : "";
      if (Holds(ListIn(before, {"shortNames"}), text) || !Holds(resources_, text)) continue;
      conflicts.push_back(fmt::format("\"{}\" is already in use", text));
    }
    if (conflicts.empty()) return Take("shortNames");
    reason_ = "ShortNamesConflict";
    message_ =
        conflicts.size() == 1 ? conflicts[0] : fmt::format("[{}]", fmt::join(conflicts, ", "));
  }

  const Json& wanted_;
  const Json::Array resources_, kinds_;
  Json accepted_;
  std::string reason_, message_;
};

}  // namespace

struct Definitions::Served {
  Served(const Json& definition, uint64_t revision) : kind(definition, revision) {}
  api::DefinedKind kind;
  std::vector<const api::KindInfo*> registered;
  Store::WatcherId watcher = 0;  // while the objects are being removed
};

Definitions::Definitions(base::Executor& executor, KindRegistry& kinds, Writer& writer,
                         WatchHub& watches)
    : executor_(executor),
      kinds_(kinds),
      writer_(writer),
      watches_(watches),
      store_(writer.store()),
      kind_(DefinitionKind()),
      user_{"system:kueue:definitions", "", {kOwnersGroup, kAuthenticatedGroup}} {
  watcher_ = store_.AddWatcher(&kind_, [this](const StoreChange& change) { OnChange(change); });
}

Definitions::~Definitions() {
  store_.RemoveWatcher(watcher_);
  for (const auto& [name, served] : served_) {
    if (served->watcher != 0) store_.RemoveWatcher(served->watcher);
  }
}

void Definitions::AddBuiltIn() {
  for (const api::KindInfo* kind : kinds_.kinds()) {
    if (!kind->custom_resource || kind->defined || kind->stored != nullptr) continue;
    if (store_.Get(kind_, kind->GroupResource()) != nullptr) continue;
    IncomingObject incoming;
    incoming.object = api::CrdManifest(*kind);
    WriteContext context;
    context.user = &user_;
    const auto created = writer_.Create(kind_, "", std::move(incoming), context);
    if (!created.ok()) {
      base::LogWarn("apiserver", fmt::format("the definition of {} is not shown: {}", kind->kind,
                                             created.error().message));
    }
  }
}

void Definitions::Restore() {
  std::vector<std::pair<std::string, StoredPtr>> all;
  store_.Scan(kind_, "", "", [&](const std::string& name, const StoredPtr& object) {
    all.emplace_back(name, object);
    return true;
  });
  for (const auto& [name, object] : all) {
    SyncKind(name, object);
    Enqueue(name);
  }
}

const api::KindInfo* Definitions::FindStored(std::string_view group, std::string_view kind) const {
  for (const auto& [name, served] : served_) {
    const api::KindInfo& stored = served->kind.stored();
    if (stored.group == group && stored.kind == kind) return &stored;
  }
  return nullptr;
}

bool Definitions::Concerns(const AdmissionRequest& request, bool mutating) const {
  return !mutating && request.operation == Operation::kCreate && request.kind->defined &&
         terminating_.count(request.kind) > 0;
}

Verdict Definitions::Validate(const AdmissionRequest&) {
  return Verdict::Deny("create not allowed while custom resource definition is terminating");
}

void Definitions::OnChange(const StoreChange& change) { Enqueue(change.key); }

void Definitions::Enqueue(const std::string& name) {
  const bool idle = queue_.empty();
  queue_.insert(name);
  if (idle) executor_.Post(scope_.Wrap([this] { Work(); }));
}

// Definitions of the same group, whose names may be free now or taken.
void Definitions::EnqueueGroup(const std::string& name) {
  const std::string tail = name.substr(std::min(name.find('.'), name.size()));
  std::vector<std::string> others;
  store_.Scan(kind_, "", "", [&](const std::string& other, const StoredPtr&) {
    const bool same =
        other.size() > tail.size() && other.substr(std::min(other.find('.'), other.size())) == tail;
    if (same && other != name) others.push_back(other);
    return true;
  });
  for (const std::string& other : others) Enqueue(other);
}

void Definitions::Work() {
  if (store_.failure() != nullptr) {
    executor_.PostAfter(base::seconds(1), scope_.Wrap([this] { Work(); }));
    return;
  }
  std::set<std::string> batch;
  batch.swap(queue_);
  for (const std::string& name : batch) Sync(name);
}

void Definitions::Sync(const std::string& name) {
  StoredPtr current = store_.Get(kind_, name);
  if (current == nullptr) {
    Withdraw(name);
    EnqueueGroup(name);
    return;
  }
  if (SyncNames(name, current)) current = store_.Get(kind_, name);
  SyncKind(name, current);
  if (IsDeleting(current->object())) SyncDeletion(name, current);
}

Json Definitions::NamesTaken(const std::string& name, const std::string& group,
                             bool of_kinds) const {
  Json taken = Json::MakeArray();
  store_.Scan(kind_, "", "", [&](const std::string& other, const StoredPtr& stored) {
    const Json& object = stored->object();
    if (other == name || object.StringAt({"spec", "group"}) != group) return true;
    const Json* accepted = object.FindPath({"status", "acceptedNames"});
    if (accepted == nullptr) return true;
    for (const char* member : {of_kinds ? "kind" : "plural", of_kinds ? "listKind" : "singular"}) {
      const std::string text = accepted->StringAt({member});
      if (!text.empty()) taken.Append(text);
    }
    if (of_kinds) return true;
    for (const Json& short_name : ListIn(*accepted, {"shortNames"})) taken.Append(short_name);
    return true;
  });
  return taken;
}

// Whether the definition was written.
bool Definitions::SyncNames(const std::string& name, const StoredPtr& current) {
  const Json& object = current->object();
  const std::string group = object.StringAt({"spec", "group"});
  const NameAcceptance names(object, NamesTaken(name, group, false).AsArray(),
                             NamesTaken(name, group, true).AsArray());
  Json changed = object;
  changed["status"].Set("acceptedNames", names.accepted());
  const base::Time now = executor_.clock().Now();
  const bool accepted = names.reason().empty();
  SetCondition(changed, "NamesAccepted", accepted,
               accepted ? "NoConflicts" : names.reason().c_str(),
               accepted ? "no conflicts found" : names.message(), now);
  const bool established = ConditionText(object, "Established", "status") == "True";
  if (!established) {
    SetCondition(changed, "Established", false, accepted ? "Installing" : "NotAccepted",
                 accepted ? "the initial names have been accepted" : "not all names are accepted",
                 now);
  }
  const bool written = !(changed == object);
  if (written) {
    store_.Put(kind_, name, changed);
    EnqueueGroup(name);
  }
  if (!accepted || established) return written;
  SetCondition(changed, "Established", true, "InitialNamesAccepted",
               "the initial names have been accepted", now);
  store_.Put(kind_, name, std::move(changed));
  return true;
}

// The kind of an earlier definition that went before its objects did, as somebody who takes its
// finalizer off can bring about: they belong to the new one. Null if there is none.
std::unique_ptr<Definitions::Served> Definitions::TakeBack(const Json& definition) {
  const std::string group = definition.StringAt({"spec", "group"});
  const std::string kind = definition.StringAt({"spec", "names", "kind"});
  for (auto it = gone_.begin(); it != gone_.end(); ++it) {
    const api::KindInfo& stored = (*it)->kind.stored();
    if (stored.group != group || stored.kind != kind || store_.Count(stored) == 0) continue;
    std::unique_ptr<Served> served = std::move(*it);
    gone_.erase(it);
    return served;
  }
  return nullptr;
}

void Definitions::SyncKind(const std::string& name, const StoredPtr& current) {
  const Json& object = current->object();
  if (IsBuiltIn(object)) return;
  auto it = served_.find(name);
  if (it == served_.end()) {
    if (!api::DefinitionCondition(object, "Established")) return;
    it = served_.emplace(name, TakeBack(object)).first;
    if (it->second == nullptr) {
      it->second = std::make_unique<Served>(object, current->revision());
    } else {
      it->second->kind.Update(object, current->revision());
    }
  } else {
    it->second->kind.Update(object, current->revision());
  }
  Served& served = *it->second;
  Serve(served, served.kind.served());
  if (IsDeleting(object)) {
    terminating_.insert(&served.kind.stored());
  } else {
    terminating_.erase(&served.kind.stored());
  }
}

void Definitions::Serve(Served& served, const std::vector<const api::KindInfo*>& kinds) {
  if (served.registered == kinds) return kinds_.Changed();
  for (const api::KindInfo* kind : served.registered) kinds_.Remove(*kind);
  for (const api::KindInfo* kind : kinds) kinds_.Add(*kind);
  served.registered = kinds;
}

void Definitions::Withdraw(const std::string& name) {
  const auto it = served_.find(name);
  if (it == served_.end()) return;
  Served& served = *it->second;
  Serve(served, {});
  watches_.CloseKind(served.kind.stored());
  terminating_.erase(&served.kind.stored());
  if (served.watcher != 0) store_.RemoveWatcher(served.watcher);
  served.watcher = 0;
  gone_.push_back(std::move(it->second));
  served_.erase(it);
}

bool Definitions::RemoveObjects(const std::string& name) {
  const auto it = served_.find(name);
  if (it == served_.end()) return true;
  Served& served = *it->second;
  const api::KindInfo& stored = served.kind.stored();
  std::vector<std::pair<std::string, std::string>> objects;  // namespace, name
  store_.Scan(stored, "", "", [&](const std::string&, const StoredPtr& object) {
    if (!IsDeleting(object->object())) {
      objects.emplace_back(object->object().StringAt({"metadata", "namespace"}),
                           object->object().StringAt({"metadata", "name"}));
    }
    return true;
  });
  DeleteRequest request;
  request.propagation = Propagation::kBackground;
  for (const auto& [namespace_name, object] : objects) {
    const auto result = writer_.Delete(stored, namespace_name, object, request, {&user_, {}, {}});
    if (!result.ok() && result.error().code != 404) {
      base::LogWarn("apiserver", fmt::format("definition {}: {} cannot be removed: {}", name,
                                             object, result.error().message));
    }
  }
  if (store_.Count(stored) == 0) return true;
  if (served.watcher == 0) {
    served.watcher = store_.AddWatcher(&stored, [this, name](const StoreChange& change) {
      if (change.type == ChangeType::kDeleted) Enqueue(name);
    });
  }
  return false;
}

void Definitions::SyncDeletion(const std::string& name, const StoredPtr& current) {
  if (!HasFinalizer(current->object(), kCleanup)) return;
  const base::Time now = executor_.clock().Now();
  Json changed = current->object();
  SetCondition(changed, "Terminating", true, "InstanceDeletionInProgress",
               "CustomResource deletion is in progress", now);
  if (!(changed == current->object())) store_.Put(kind_, name, changed);
  if (!RemoveObjects(name)) return;
  RemoveFinalizer(changed, kCleanup);
  // Whoever watches is told the state before the last finalizer went, as by the real server.
  if (!HasFinalizers(changed)) {
    store_.Remove(kind_, name);
    return;
  }
  SetCondition(changed, "Terminating", false, "InstanceDeletionCompleted", "removed all instances",
               now);
  store_.Put(kind_, name, std::move(changed));
}

}  // namespace kueue::apiserver
