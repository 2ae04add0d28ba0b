#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "api/schema/defined_kind.h"
#include "apiserver/admission.h"
#include "apiserver/kind_registry.h"
#include "apiserver/store.h"
#include "apiserver/watch_hub.h"
#include "apiserver/writer.h"
#include "base/executor.h"

// What becomes of CustomResourceDefinitions: their names are accepted or not, their kinds are
// served as long as they are there, and their objects go with them.
//
// A definition of a kind that the server has built in changes nothing about that kind.
namespace kueue::apiserver {

class Definitions final : public Admission {
 public:
  // All must outlive it.
  Definitions(base::Executor& executor, KindRegistry& kinds, Writer& writer, WatchHub& watches);
  ~Definitions() override;

  // Puts definitions of the built-in custom resources into the store, so that they can be listed.
  // Those that are there stay as they are.
  void AddBuiltIn();
  // Serves the kinds of all definitions that the store holds. Whoever fills a store from elsewhere
  // calls this when the definitions are in, and only then reads objects of their kinds.
  void Restore();
  // The kind under which objects of a defined kind are stored; null if there is no such definition.
  const api::KindInfo* FindStored(std::string_view group, std::string_view kind) const;

  // Refuses new objects of a kind whose definition is going.
  bool Concerns(const AdmissionRequest& request, bool mutating) const override;
  Verdict Validate(const AdmissionRequest& request) override;

 private:
  struct Served;

  void OnChange(const StoreChange& change);
  void Enqueue(const std::string& name);
  void EnqueueGroup(const std::string& name);
  void Work();
  void Sync(const std::string& name);
  bool SyncNames(const std::string& name, const StoredPtr& current);
  std::unique_ptr<Served> TakeBack(const api::Json& definition);
  void SyncKind(const std::string& name, const StoredPtr& current);
  void SyncDeletion(const std::string& name, const StoredPtr& current);
  // Whether no object is left; those that can go are told to.
  bool RemoveObjects(const std::string& name);
  void Serve(Served& served, const std::vector<const api::KindInfo*>& kinds);
  void Withdraw(const std::string& name);
  api::Json NamesTaken(const std::string& name, const std::string& group, bool of_kinds) const;

  base::Executor& executor_;
  KindRegistry& kinds_;
  Writer& writer_;
  WatchHub& watches_;
  Store& store_;
  const api::KindInfo& kind_;  // CustomResourceDefinition itself
  const User user_;
  std::map<std::string, std::unique_ptr<Served>> served_;  // by name of the definition
  std::vector<std::unique_ptr<Served>> gone_;   // the store's memory may still speak of them
  std::set<const api::KindInfo*> terminating_;  // only looked up
  std::set<std::string> queue_;
  Store::WatcherId watcher_ = 0;
  base::Scope scope_;
};

}  // namespace kueue::apiserver
