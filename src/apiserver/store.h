#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/merge/managed_fields.h"
#include "api/schema/kind.h"
#include "api/types/json.h"

// Every object the server holds, by kind and key, with one counter of revisions and a bounded
// memory of what changed. Knows nothing of HTTP, of defaults or of what kinds mean.
//
// With a Storage there are two states. Writers work on the newest one; what clients are shown is
// the kept one: the newest that the storage has promised not to lose. Without a storage they are
// the same.
//
// Single-threaded: all calls come from the server's executor.
namespace kueue::apiserver {

// Shared between the versions of an object; null is the same as empty.
using ManagedPtr = std::shared_ptr<const api::ManagedFields>;

// One version of one object; never changes.
class StoredObject {
 public:
  // `object` has kind, apiVersion and metadata as its first members (see OrderMembers), and the
  // revision as its resourceVersion. Its managedFields, if it has any, are taken out.
  StoredObject(api::Json object, uint64_t revision, ManagedPtr managed = nullptr);
  // Without metadata.managedFields: most who look at an object have no use for them, and they are
  // as large as all the rest.
  const api::Json& object() const { return object_; }
  const api::ManagedFields& managed() const;
  const ManagedPtr& managed_ptr() const { return managed_; }
  uint64_t revision() const { return revision_; }
  // Compact JSON text, made at the first call and kept: of the whole object, or without its
  // metadata.managedFields.
  const std::string& Text(bool managed_fields = true) const;
  // The object's metadata, with managedFields or without.
  api::Json Metadata(bool managed_fields = true) const;
  // The text without kind and apiVersion, as items of lists of built-in kinds are written.
  // Appends to `out`.
  void AppendTextWithoutKind(std::string& out, bool managed_fields = true) const;

 private:
  ManagedPtr managed_;  // null: nobody owns anything
  const api::Json object_;
  const uint64_t revision_;
  mutable std::string text_, plain_text_;
};
using StoredPtr = std::shared_ptr<const StoredObject>;

enum class ChangeType { kAdded, kModified, kDeleted };

struct StoreChange {
  ChangeType type;
  uint64_t revision;
  const api::KindInfo* kind;
  std::string key;
  StoredPtr object;  // the new version; of a deletion the last state under the new revision
  StoredPtr before;  // null for kAdded
};

class Storage;
struct StorageFailure;

// "namespace/name", or "name" for cluster-scoped objects: the order of lists.
std::string StoreKey(std::string_view namespace_name, std::string_view name);

// Puts kind, apiVersion and metadata first, in this order; the rest keeps its order.
void OrderMembers(const api::KindInfo& kind, api::Json& object);

class Store {
 public:
  struct Options {
    // The counter starts here, so that small numbers are versions long gone.
    uint64_t first_revision = 100;
    // Changes remembered for watches and lists at an older revision. Those not kept yet are
    // remembered in any case.
    size_t history = 8192;
    // Keeps every change; null: they live as long as the store does. Must outlive the store.
    Storage* storage = nullptr;
  };
  // What a watcher waits for: the change itself, or that it is kept. A change told at once may be
  // taken back, which is told as the opposite change.
  enum class When { kAtOnce, kKept };
  using Watcher = std::function<void(const StoreChange&)>;
  using WatcherId = uint64_t;

  Store() : Store(Options()) {}
  explicit Store(const Options& options);
  ~Store();

  uint64_t revision() const { return revision_; }
  // The state that clients may see.
  uint64_t kept_revision() const { return kept_; }
  // Changes up to this revision are forgotten.
  uint64_t compacted_revision() const { return compacted_; }

  // Null if there is none.
  StoredPtr Get(const api::KindInfo& kind, std::string_view key) const;
  // Objects whose key starts with `prefix` and is not before `from`, in key order, until `visit`
  // returns false. `visit` must not change the store.
  void Scan(const api::KindInfo& kind, std::string_view prefix, std::string_view from,
            const std::function<bool(const std::string& key, const StoredPtr&)>& visit) const;
  // The same as it was at `revision`. REQUIRES: compacted_revision() <= revision <= revision().
  void ScanAt(uint64_t revision, const api::KindInfo& kind, std::string_view prefix,
              std::string_view from,
              const std::function<bool(const std::string& key, const StoredPtr&)>& visit) const;
  // The object in the kept state.
  StoredPtr GetKept(const api::KindInfo& kind, std::string_view key) const;
  size_t Count(const api::KindInfo& kind) const;
  // Kinds that hold or held objects, in the order of their first object.
  const std::vector<const api::KindInfo*>& kinds() const { return kinds_; }

  // Creates or replaces. Sets resourceVersion and orders the members. Without `managed` the owners
  // of fields stay who they were.
  StoredPtr Put(const api::KindInfo& kind, const std::string& key, api::Json object,
                std::optional<ManagedPtr> managed = std::nullopt);
  // Removes the object. `last_state` replaces the stored state in the deletion event.
  // REQUIRES: the object exists. Returns the last state under the deletion's revision.
  StoredPtr Remove(const api::KindInfo& kind, const std::string& key,
                   std::optional<api::Json> last_state = std::nullopt);

  // Kept changes after `revision` of that kind (null: all), oldest first.
  // REQUIRES: revision >= compacted_revision().
  void Replay(uint64_t revision, const api::KindInfo* kind, const Watcher& watcher) const;
  // `watcher` is called in order of revisions after the change is in (kAtOnce: inside Put and
  // Remove). It must not change the store: post that to the executor. Null kind: all kinds.
  WatcherId AddWatcher(const api::KindInfo* kind, Watcher watcher, When when = When::kAtOnce);
  void RemoveWatcher(WatcherId id);

  // Calls `then` once everything up to now is kept (true; at once if it is) or has been lost
  // (false). In the order of the calls.
  void OnceKept(std::function<void(bool kept)> then);
  bool all_kept() const { return kept_ == revision_; }
  // Why nothing can be kept at the moment; null if it can. REQUIRES of Put and Remove: null.
  const StorageFailure* failure() const;

  // Puts an object in as it was kept, without a change. Before the first Put; `revision` of the
  // whole store is at least that of each object.
  void Load(const api::KindInfo& kind, const std::string& key, StoredPtr object);
  void LoadRevision(uint64_t revision);

  // Forgets all kept changes.
  void Compact();

 private:
  using Objects = std::map<std::string, StoredPtr, std::less<>>;
  struct WatcherEntry {
    const api::KindInfo* kind;
    Watcher watcher;
    When when;
  };
  struct Waiting {
    uint64_t revision;
    std::function<void(bool)> then;
  };

  // The only place where anything changes.
  StoredPtr Commit(ChangeType type, const api::KindInfo& kind, const std::string& key,
                   api::Json object, std::optional<ManagedPtr> managed = std::nullopt);
  // From the storage: everything up to `revision` is kept; what came after it is lost.
  void Keep(uint64_t revision);
  void RollBack();
  void TakeBack(const StoreChange& change);
  void TrimHistory();
  std::deque<StoreChange>::const_iterator HistoryAfter(uint64_t revision) const;
  void Notify(const StoreChange& change, When when);

  const size_t history_limit_;
  Storage* const storage_;
  uint64_t revision_, compacted_, kept_;
  std::map<const api::KindInfo*, Objects> objects_;  // only looked up, never iterated
  std::vector<const api::KindInfo*> kinds_;
  std::deque<StoreChange> history_;
  std::map<WatcherId, WatcherEntry> watchers_;
  WatcherId next_watcher_ = 1;
  std::deque<Waiting> waiting_;  // by revision
  bool notifying_ = false;
};

}  // namespace kueue::apiserver
