#include "apiserver/store.h"

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "apiserver/storage/storage.h"
#include "base/check.h"

namespace kueue::apiserver {

using api::Json;

namespace {

// Ownership that is written in the object itself is taken out of it.
ManagedPtr TakeManaged(Json& object) {
  Json* metadata = object.Find("metadata");
  const Json* list = metadata != nullptr ? metadata->Find("managedFields") : nullptr;
  if (list == nullptr) return nullptr;
  auto managed = api::DecodeManagedFields(list);
  metadata->Erase("managedFields");
  if (!managed.ok() || managed->empty()) return nullptr;
  return std::make_shared<const api::ManagedFields>(std::move(*managed));
}

// Ownership goes to the end of the metadata.
std::string TextOf(const Json& object, const api::ManagedFields& managed) {
  std::string out = "{";
  for (const Json::Member& member : object.AsObject()) {
    if (out.size() > 1) out += ',';
    out += api::WriteJson(Json(member.key));
    out += ':';
    out += api::WriteJson(member.value);
    if (member.key != "metadata" || out.back() != '}') continue;
    out.pop_back();
    if (member.value.size() > 0) out += ',';
    out += "\"managedFields\":";
    out += api::ManagedFieldsText(managed);
    out += '}';
  }
  out += '}';
  return out;
}

}  // namespace

StoredObject::StoredObject(Json object, uint64_t revision, ManagedPtr managed)
    : managed_(managed != nullptr ? std::move(managed) : TakeManaged(object)),
      object_(std::move(object)),
      revision_(revision) {}

const api::ManagedFields& StoredObject::managed() const {
  static const api::ManagedFields kNone;
  return managed_ != nullptr ? *managed_ : kNone;
}

const std::string& StoredObject::Text(bool managed_fields) const {
  if (managed_fields && !managed().empty()) {
    if (text_.empty()) text_ = TextOf(object_, managed());
    return text_;
  }
  if (plain_text_.empty()) plain_text_ = api::WriteJson(object_);
  return plain_text_;
}

Json StoredObject::Metadata(bool managed_fields) const {
  const Json* own = object_.Find("metadata");
  Json metadata = own != nullptr ? *own : Json::MakeObject();
  if (managed_fields && !managed().empty())
    metadata.Set("managedFields", api::EncodeManagedFields(managed()));
  return metadata;
}

void StoredObject::AppendTextWithoutKind(std::string& out, bool managed_fields) const {
  // kind and apiVersion come first and neither value needs escaping, so the text after the second
  // comma is the rest of the object.
  const std::string& text = Text(managed_fields);
  size_t at = text.find(',');
  if (at != std::string::npos) at = text.find(',', at + 1);
  if (at == std::string::npos) {
    out += "{}";
    return;
  }
  out += '{';
  out.append(text, at + 1, std::string::npos);
}

std::string StoreKey(std::string_view namespace_name, std::string_view name) {
  if (namespace_name.empty()) return std::string(name);
  std::string key;
  key.reserve(namespace_name.size() + name.size() + 1);
  key.append(namespace_name).append("/").append(name);
  return key;
}

void OrderMembers(const api::KindInfo& kind, Json& object) {
  Json ordered = Json::MakeObject();
  ordered.Set("kind", kind.kind);
  ordered.Set("apiVersion", kind.ApiVersion());
  Json* metadata = object.Find("metadata");
  ordered.Set("metadata", metadata ? std::move(*metadata) : Json::MakeObject());
  auto& members = ordered.AsObject();
  for (Json::Member& member : object.AsObject()) {
    if (member.key == "kind" || member.key == "apiVersion" || member.key == "metadata") continue;
    members.push_back(std::move(member));
  }
  object = std::move(ordered);
}

Store::Store(const Options& options)
    : history_limit_(std::max<size_t>(1, options.history)),
      storage_(options.storage),
      revision_(options.first_revision),
      compacted_(options.first_revision),
      kept_(options.first_revision) {
  if (storage_ == nullptr) return;
  storage_->SetEvents({[this](uint64_t revision) { Keep(revision); }, [this] { RollBack(); }});
}

Store::~Store() {
  if (storage_ != nullptr) storage_->SetEvents({});
}

StoredPtr Store::Get(const api::KindInfo& kind, std::string_view key) const {
  auto objects = objects_.find(&kind);
  if (objects == objects_.end()) return nullptr;
  auto it = objects->second.find(key);
  return it == objects->second.end() ? nullptr : it->second;
}

void Store::Scan(const api::KindInfo& kind, std::string_view prefix, std::string_view from,
                 const std::function<bool(const std::string&, const StoredPtr&)>& visit) const {
  auto objects = objects_.find(&kind);
  if (objects == objects_.end()) return;
  for (auto it = objects->second.lower_bound(std::max(prefix, from));
       it != objects->second.end() && it->first.compare(0, prefix.size(), prefix) == 0; ++it) {
    if (!visit(it->first, it->second)) return;
  }
}

void Store::ScanAt(uint64_t revision, const api::KindInfo& kind, std::string_view prefix,
                   std::string_view from,
                   const std::function<bool(const std::string&, const StoredPtr&)>& visit) const {
  KUEUE_CHECK(revision >= compacted_ && revision <= revision_);
  if (revision == revision_) return Scan(kind, prefix, from, visit);
  // What changed since is taken back: the oldest change after `revision` knows the state before.
  std::map<std::string, StoredPtr, std::less<>> taken_back;
  for (auto change = history_.rbegin(); change != history_.rend() && change->revision > revision;
       ++change) {
    if (change->kind != &kind || change->key.compare(0, prefix.size(), prefix) != 0) continue;
    taken_back[change->key] = change->before;
  }
  const std::string_view start = std::max(prefix, from);
  auto old = taken_back.lower_bound(start);
  bool go_on = true;
  Scan(kind, prefix, from, [&](const std::string& key, const StoredPtr& object) {
    for (; go_on && old != taken_back.end() && old->first < key; ++old) {
      if (old->second) go_on = visit(old->first, old->second);
    }
    if (!go_on) return false;
    if (old != taken_back.end() && old->first == key) {
      if (old->second) go_on = visit(key, old->second);
      ++old;
    } else {
      go_on = visit(key, object);
    }
    return go_on;
  });
  for (; go_on && old != taken_back.end(); ++old) {
    if (old->second) go_on = visit(old->first, old->second);
  }
}

StoredPtr Store::GetKept(const api::KindInfo& kind, std::string_view key) const {
  // The first change that is not kept yet knows the state before.
  for (auto change = HistoryAfter(kept_); change != history_.end(); ++change) {
    if (change->kind == &kind && change->key == key) return change->before;
  }
  return Get(kind, key);
}

size_t Store::Count(const api::KindInfo& kind) const {
  auto objects = objects_.find(&kind);
  return objects == objects_.end() ? 0 : objects->second.size();
}

StoredPtr Store::Put(const api::KindInfo& kind, const std::string& key, Json object,
                     std::optional<ManagedPtr> managed) {
  const bool exists = Get(kind, key) != nullptr;
  return Commit(exists ? ChangeType::kModified : ChangeType::kAdded, kind, key, std::move(object),
                std::move(managed));
}

StoredPtr Store::Remove(const api::KindInfo& kind, const std::string& key,
                        std::optional<Json> last_state) {
  const StoredPtr before = Get(kind, key);
  KUEUE_CHECK_MSG(before != nullptr, "removing an object that is not there: " + key);
  return Commit(ChangeType::kDeleted, kind, key,
                last_state ? std::move(*last_state) : before->object());
}

StoredPtr Store::Commit(ChangeType type, const api::KindInfo& kind, const std::string& key,
                        Json object, std::optional<ManagedPtr> managed) {
  KUEUE_CHECK_MSG(!notifying_, "a watcher changed the store: " + key);
  KUEUE_CHECK_MSG(failure() == nullptr, "a change while nothing can be kept: " + key);
  const uint64_t revision = ++revision_;
  object["metadata"].Set("resourceVersion", std::to_string(revision));
  OrderMembers(kind, object);
  if (!managed) {
    const StoredPtr existing = Get(kind, key);
    managed = existing != nullptr ? existing->managed_ptr() : nullptr;
  }
  auto stored =
      std::make_shared<const StoredObject>(std::move(object), revision, std::move(*managed));

  auto [objects, first] = objects_.try_emplace(&kind);
  if (first) kinds_.push_back(&kind);
  StoredPtr before;
  if (type == ChangeType::kDeleted) {
    auto it = objects->second.find(key);
    before = std::move(it->second);
    objects->second.erase(it);
  } else {
    StoredPtr& slot = objects->second[key];
    before = std::move(slot);
    slot = stored;
  }
  history_.push_back({type, revision, &kind, key, stored, before});
  if (storage_ == nullptr) {
    kept_ = revision;
  } else {
    storage_->Append(history_.back());
  }
  TrimHistory();
  Notify(history_.back(), When::kAtOnce);
  if (storage_ == nullptr) Notify(history_.back(), When::kKept);
  return stored;
}

void Store::TrimHistory() {
  while (history_.size() > history_limit_ && history_.front().revision <= kept_ &&
         history_.size() > 1) {
    compacted_ = history_.front().revision;
    history_.pop_front();
  }
}

std::deque<StoreChange>::const_iterator Store::HistoryAfter(uint64_t revision) const {
  return std::upper_bound(
      history_.begin(), history_.end(), revision,
      [](uint64_t at, const StoreChange& change) { return at < change.revision; });
}

void Store::Keep(uint64_t revision) {
  KUEUE_CHECK(revision >= kept_ && revision <= revision_);
  for (auto change = HistoryAfter(kept_); change != history_.end() && change->revision <= revision;
       ++change) {
    kept_ = change->revision;
    Notify(*change, When::kKept);
  }
  kept_ = revision;
  TrimHistory();
  while (!waiting_.empty() && waiting_.front().revision <= kept_) {
    const Waiting waiting = std::move(waiting_.front());
    waiting_.pop_front();
    waiting.then(true);
  }
}

void Store::RollBack() {
  while (!history_.empty() && history_.back().revision > kept_) {
    const StoreChange change = std::move(history_.back());
    history_.pop_back();
    TakeBack(change);
  }
  // Nobody outside has seen the numbers.
  revision_ = kept_;
  std::deque<Waiting> waiting;
  waiting.swap(waiting_);
  for (const Waiting& one : waiting) one.then(false);
}

void Store::TakeBack(const StoreChange& change) {
  Objects& objects = objects_[change.kind];
  StoreChange opposite = change;
  if (change.type == ChangeType::kAdded) {
    objects.erase(change.key);
    opposite.type = ChangeType::kDeleted;
    opposite.before = change.object;
  } else {
    objects[change.key] = change.before;
    opposite.object = change.before;
    opposite.revision = change.before->revision();
    opposite.before = change.type == ChangeType::kModified ? change.object : nullptr;
    if (change.type == ChangeType::kDeleted) opposite.type = ChangeType::kAdded;
  }
  Notify(opposite, When::kAtOnce);
}

void Store::OnceKept(std::function<void(bool)> then) {
  if (all_kept()) return then(true);
  waiting_.push_back({revision_, std::move(then)});
}

const StorageFailure* Store::failure() const {
  return storage_ == nullptr ? nullptr : storage_->failure();
}

void Store::Load(const api::KindInfo& kind, const std::string& key, StoredPtr object) {
  KUEUE_CHECK(history_.empty());
  auto [objects, first] = objects_.try_emplace(&kind);
  if (first) kinds_.push_back(&kind);
  LoadRevision(object->revision());
  objects->second[key] = std::move(object);
}

void Store::LoadRevision(uint64_t revision) {
  KUEUE_CHECK(history_.empty());
  revision_ = kept_ = compacted_ = std::max(revision_, revision);
}

void Store::Notify(const StoreChange& change, When when) {
  notifying_ = true;
  // A watcher may end itself or others while it is told; ids only grow, so walking by id is safe.
  const WatcherId end = next_watcher_;
  for (auto it = watchers_.begin(); it != watchers_.end() && it->first < end;) {
    const WatcherId id = it->first;
    const bool concerned = it->second.kind == nullptr || it->second.kind == change.kind;
    if (concerned && it->second.when == when) {
      const Watcher watcher = it->second.watcher;
      watcher(change);
    }
    it = watchers_.upper_bound(id);
  }
  notifying_ = false;
}

void Store::Replay(uint64_t revision, const api::KindInfo* kind, const Watcher& watcher) const {
  KUEUE_CHECK(revision >= compacted_);
  for (auto it = HistoryAfter(revision); it != history_.end() && it->revision <= kept_; ++it) {
    if (kind == nullptr || it->kind == kind) watcher(*it);
  }
}

Store::WatcherId Store::AddWatcher(const api::KindInfo* kind, Watcher watcher, When when) {
  const WatcherId id = next_watcher_++;
  watchers_.emplace(id, WatcherEntry{kind, std::move(watcher), when});
  return id;
}

void Store::RemoveWatcher(WatcherId id) { watchers_.erase(id); }

void Store::Compact() {
  if (history_.empty()) return;
  history_.erase(history_.begin(), history_.begin() + (HistoryAfter(kept_) - history_.cbegin()));
  compacted_ = kept_;
}

}  // namespace kueue::apiserver
