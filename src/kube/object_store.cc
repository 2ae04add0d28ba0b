#include "kube/object_store.h"

#include <charconv>
#include <utility>

namespace kueue::kube {
namespace {

// Longer than the answer to any write is on its way.
constexpr base::Duration kRememberDeletions = base::minutes(5);

bool NotNewer(const std::optional<uint64_t>& version, const std::optional<uint64_t>& held) {
  return version && held && *version <= *held;
}

}  // namespace

std::optional<uint64_t> ParseVersion(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

ObjectIdentity IdentityOf(const api::Json& object) {
  ObjectIdentity identity;
  identity.key.namespace_name = object.StringAt({"metadata", "namespace"});
  identity.key.name = object.StringAt({"metadata", "name"});
  identity.uid = object.StringAt({"metadata", "uid"});
  identity.version = ParseVersion(object.StringAt({"metadata", "resourceVersion"}));
  return identity;
}

void ObjectStore::AddIndex(const std::string& name, Informer::IndexValues values) {
  const bool added = indexes_.emplace(name, Index{std::move(values), {}}).second;
  KUEUE_CHECK_MSG(added, "the index '" + name + "' exists");
  for (const auto& [key, entry] : entries_) {
    Unindex(key, entry.object);
    AddToIndexes(key, entry.object);
  }
}

bool ObjectStore::Wants(const ObjectIdentity& identity) const {
  const auto tombstone = tombstones_.find(identity.key);
  if (tombstone != tombstones_.end()) {
    const Tombstone& t = tombstone->second;
    if (!identity.uid.empty() && identity.uid == t.uid) return false;
    if (NotNewer(identity.version, t.version)) return false;
  }
  const auto held = entries_.find(identity.key);
  return held == entries_.end() || !NotNewer(identity.version, held->second.version);
}

void ObjectStore::Upsert(const ObjectIdentity& identity, ObjectPtr object,
                         std::vector<Change>& changes) {
  if (!Wants(identity)) return;
  auto it = entries_.find(identity.key);
  if (it != entries_.end() && it->second.uid != identity.uid) {
    Erase(it, changes);
    it = entries_.end();
  }
  Change change{nullptr, object, identity.key};
  if (it == entries_.end()) {
    entries_[identity.key] = Entry{object, identity.uid, identity.version};
  } else {
    change.before = std::move(it->second.object);
    Unindex(identity.key, change.before);
    it->second.object = object;
    it->second.version = identity.version;
  }
  AddToIndexes(identity.key, object);
  changes.push_back(std::move(change));
}

void ObjectStore::Remove(const ObjectIdentity& identity, base::Duration now,
                         std::vector<Change>& changes) {
  const auto it = entries_.find(identity.key);
  Tombstone tombstone{identity.uid, identity.version, now};
  if (it != entries_.end()) {
    Entry& held = it->second;
    const bool same = identity.uid.empty() || held.uid.empty() || held.uid == identity.uid;
    if (!same) {
      // Another object of that name. Without versions to compare, the one named is the past one.
      const bool held_is_older = NotNewer(held.version, identity.version);
      if (!held_is_older) return;
    }
    if (identity.uid.empty()) {
      if (identity.version && held.version && *held.version > *identity.version) return;
      tombstone.uid = held.uid;
    }
    if (!tombstone.version || NotNewer(tombstone.version, held.version)) {
      tombstone.version = held.version;
    }
    Erase(it, changes);
  }
  Bury(identity.key, std::move(tombstone));
  while (!burials_.empty() && burials_.front().first + kRememberDeletions < now) {
    const auto old = tombstones_.find(burials_.front().second);
    if (old != tombstones_.end() && old->second.at == burials_.front().first) {
      tombstones_.erase(old);
    }
    burials_.pop_front();
  }
}

void ObjectStore::Bury(const ObjectKey& key, Tombstone tombstone) {
  const auto it = tombstones_.find(key);
  // Of two deletions under one name the later counts, in whatever order they are heard of.
  if (it != tombstones_.end() && tombstone.version && it->second.version &&
      *it->second.version > *tombstone.version) {
    return;
  }
  burials_.emplace_back(tombstone.at, key);
  tombstones_[key] = std::move(tombstone);
}

void ObjectStore::Replace(std::map<ObjectKey, Entry> listed, const std::set<ObjectKey>& kept,
                          std::optional<uint64_t> list_version, base::Duration now,
                          std::vector<Change>& changes) {
  std::vector<ObjectKey> gone;
  for (const auto& [key, entry] : entries_) {
    if (listed.count(key) != 0 || kept.count(key) != 0) continue;
    // Written after the list was made: the watch that follows will tell.
    if (entry.version && list_version && *entry.version > *list_version) continue;
    gone.push_back(key);
  }
  for (const ObjectKey& key : gone) {
    Remove(ObjectIdentity{key, entries_[key].uid, list_version}, now, changes);
  }
  for (auto& [key, entry] : listed) {
    Upsert(ObjectIdentity{key, entry.uid, entry.version}, std::move(entry.object), changes);
  }
}

void ObjectStore::ForgetVersions() {
  for (auto& [key, entry] : entries_) entry.version.reset();
  tombstones_.clear();
  burials_.clear();
}

const ObjectStore::Entry* ObjectStore::Find(const ObjectKey& key) const {
  const auto it = entries_.find(key);
  return it == entries_.end() ? nullptr : &it->second;
}

std::vector<ObjectPtr> ObjectStore::List(const std::string& namespace_name) const {
  std::vector<ObjectPtr> out;
  auto it = entries_.begin();
  if (namespace_name.empty()) {
    out.reserve(entries_.size());
  } else {
    it = entries_.lower_bound(ObjectKey{namespace_name, ""});
  }
  for (; it != entries_.end(); ++it) {
    if (!namespace_name.empty() && it->first.namespace_name != namespace_name) break;
    out.push_back(it->second.object);
  }
  return out;
}

std::vector<ObjectPtr> ObjectStore::ByIndex(const std::string& index,
                                            const std::string& value) const {
  const auto found = indexes_.find(index);
  KUEUE_CHECK_MSG(found != indexes_.end(), "there is no index '" + index + "'");
  std::vector<ObjectPtr> out;
  const auto objects = found->second.objects.find(value);
  if (objects == found->second.objects.end()) return out;
  out.reserve(objects->second.size());
  for (const auto& [key, object] : objects->second) out.push_back(object);
  return out;
}

void ObjectStore::Erase(std::map<ObjectKey, Entry>::iterator it, std::vector<Change>& changes) {
  Change change{std::move(it->second.object), nullptr, it->first};
  Unindex(it->first, change.before);
  entries_.erase(it);
  changes.push_back(std::move(change));
}

void ObjectStore::Unindex(const ObjectKey& key, const ObjectPtr& object) {
  for (auto& [name, index] : indexes_) {
    for (const std::string& value : index.values(object.get())) {
      const auto it = index.objects.find(value);
      if (it == index.objects.end()) continue;
      it->second.erase(key);
      if (it->second.empty()) index.objects.erase(it);
    }
  }
}

void ObjectStore::AddToIndexes(const ObjectKey& key, const ObjectPtr& object) {
  for (auto& [name, index] : indexes_) {
    for (const std::string& value : index.values(object.get())) index.objects[value][key] = object;
  }
}

}  // namespace kueue::kube
