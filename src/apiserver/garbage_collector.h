#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "apiserver/kind_registry.h"
#include "apiserver/patient_writes.h"
#include "apiserver/store.h"
#include "apiserver/writer.h"
#include "base/executor.h"

// Dependents follow their owners: an object whose owners are all gone is deleted; an owner deleted
// in the foreground waits for those that block it; one that orphans lets them go first.
//
// Reacts to changes of the store, in tasks of the executor; no timers, no polling.
namespace kueue::apiserver {

class GarbageCollector {
 public:
  GarbageCollector(base::Executor& executor, const KindRegistry& kinds, Writer& writer);
  ~GarbageCollector();

 private:
  // Names an object of the store.
  struct Ref {
    const api::KindInfo* kind = nullptr;
    std::string key;
  };
  using Uid = std::string;

  void OnChange(const StoreChange& change);
  void Unlink(const Uid& uid, const api::Json& object);
  void Link(const Uid& uid, const api::Json& object);
  void Enqueue(const Uid& uid);
  // When nothing can be kept at the moment.
  void TryLater(const Uid& uid);
  void Work();
  void Check(const Uid& uid);

  bool HasLiveOwner(const api::Json& object) const;
  void DropDeadOwners(const Ref& ref, const api::Json& object);
  void CollectForeground(const Ref& ref, const api::Json& object);
  void OrphanDependents(const Ref& ref, const api::Json& object);
  void Delete(const Ref& ref, const Uid& uid);
  // Makes the change, or has `waiting` looked at again when it can be made; false then.
  bool Write(const Ref& ref, api::Json object, const Uid& waiting);
  void LiftFinalizer(const Ref& ref, const char* finalizer);
  StoredPtr Load(const Uid& uid, Ref& ref) const;

  base::Executor& executor_;
  const KindRegistry& kinds_;
  Writer& writer_;
  Store& store_;
  Store::WatcherId watcher_;
  User user_;
  std::map<Uid, Ref> objects_;               // all objects that live
  std::map<Uid, std::set<Uid>> dependents_;  // owner -> those that name it
  std::set<Uid> queued_;
  std::vector<Uid> queue_;  // in the order it is worked off
  bool work_posted_ = false;
  PatientWrites patient_;
  base::Scope scope_;
};

}  // namespace kueue::apiserver
