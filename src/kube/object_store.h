#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kube/informer.h"

namespace kueue::kube {

// A resourceVersion as the number that orders it; nothing if it is none. Versions of one kind can
// be compared since API servers hand them out from one growing counter.
std::optional<uint64_t> ParseVersion(std::string_view text);

// What tells one state of one object from another.
struct ObjectIdentity {
  ObjectKey key;
  std::string uid;
  std::optional<uint64_t> version;
};
ObjectIdentity IdentityOf(const api::Json& object);

// Objects of one kind by key, with indexes. Decides which of two states is the newer one, whatever
// way and in whatever order they arrive: a watch, a list, or the answer to a write.
class ObjectStore {
 public:
  struct Entry {
    ObjectPtr object;
    std::string uid;
    std::optional<uint64_t> version;
  };

  void AddIndex(const std::string& name, Informer::IndexValues values);

  // Takes the object in unless the same or a newer state is held, or it is known to be deleted.
  // Appends what changed: nothing, one change, or a deletion and a creation if the uid differs.
  void Upsert(const ObjectIdentity& identity, ObjectPtr object, std::vector<Change>& changes);
  // Whether Upsert would take it, so that nobody decodes in vain.
  bool Wants(const ObjectIdentity& identity) const;
  // Takes the deletion in, unless a younger object of that name is held. An empty uid means
  // whatever object of at most that version. `now` (any growing clock) bounds how long the deletion
  // is remembered.
  void Remove(const ObjectIdentity& identity, base::Duration now, std::vector<Change>& changes);
  // Makes `listed` the contents, seen at `list_version`; keys in `kept` stay as they are. What is
  // held in a newer state than the list stays too.
  void Replace(std::map<ObjectKey, Entry> listed, const std::set<ObjectKey>& kept,
               std::optional<uint64_t> list_version, base::Duration now,
               std::vector<Change>& changes);
  // Everything that comes is taken as newer: the server's history began anew.
  void ForgetVersions();

  const Entry* Find(const ObjectKey& key) const;
  std::vector<ObjectPtr> List(const std::string& namespace_name) const;
  std::vector<ObjectPtr> ByIndex(const std::string& index, const std::string& value) const;
  size_t size() const { return entries_.size(); }

 private:
  struct Index {
    Informer::IndexValues values;
    std::map<std::string, std::map<ObjectKey, ObjectPtr>> objects;
  };
  // The last deletion under a key. Late states of the object must not bring it back.
  struct Tombstone {
    std::string uid;
    std::optional<uint64_t> version;
    base::Duration at{0};
  };

  void Erase(std::map<ObjectKey, Entry>::iterator it, std::vector<Change>& changes);
  void Unindex(const ObjectKey& key, const ObjectPtr& object);
  void AddToIndexes(const ObjectKey& key, const ObjectPtr& object);
  void Bury(const ObjectKey& key, Tombstone tombstone);

  std::map<ObjectKey, Entry> entries_;
  std::map<std::string, Index> indexes_;
  std::map<ObjectKey, Tombstone> tombstones_;
  std::deque<std::pair<base::Duration, ObjectKey>> burials_;  // oldest first
};

}  // namespace kueue::kube
