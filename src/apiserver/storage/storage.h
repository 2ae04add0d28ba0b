#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Where a store's changes are kept beyond the life of the process.
namespace kueue::apiserver {

struct StoreChange;

// One object as it was kept.
struct StoredRecord {
  std::string group, kind;  // of the stored version
  std::string key;          // see StoreKey
  uint64_t revision = 0;
  std::string text;  // compact JSON, kind and apiVersion first
};

// Everything that was kept, by kind and key.
struct StoredState {
  uint64_t revision = 0;  // of the last change, which may have been a deletion
  std::vector<StoredRecord> records;
};

// Why nothing can be kept at the moment, for people: what, where and what to do.
struct StorageFailure {
  std::string message;
};

// Single-threaded: all calls and all events are on the store's executor.
class Storage {
 public:
  struct Events {
    // Everything up to the revision survives a crash of the machine. Never goes back.
    std::function<void(uint64_t revision)> kept;
    // Everything appended and not told as kept is lost for good; failure() says why.
    std::function<void()> lost;
  };
  virtual ~Storage() = default;

  // What there was at the start. Once, before the first Append; a second call gives nothing.
  virtual StoredState TakeState() = 0;
  // Empty functions: nobody listens. Events are never called from within a method.
  virtual void SetEvents(Events events) = 0;
  // Changes in the order of their revisions. REQUIRES: failure() is null.
  virtual void Append(const StoreChange& change) = 0;
  // Null: changes are taken. It comes and goes by itself, as space on the disk does.
  virtual const StorageFailure* failure() const = 0;
};

}  // namespace kueue::apiserver
