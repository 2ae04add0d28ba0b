#pragma once

#include <set>
#include <string>

#include "apiserver/kind_registry.h"
#include "apiserver/patient_writes.h"
#include "apiserver/store.h"
#include "apiserver/writer.h"
#include "base/executor.h"

// Empties namespaces that are being deleted and then lets them go (finalizer "kubernetes").
// Reacts to changes of the store; no timers, no polling.
namespace kueue::apiserver {

class NamespaceCleaner {
 public:
  NamespaceCleaner(base::Executor& executor, const KindRegistry& kinds, Writer& writer);
  ~NamespaceCleaner();

 private:
  void OnChange(const StoreChange& change);
  void Enqueue(const std::string& namespace_name);
  void Work();
  void Clean(const std::string& namespace_name);

  base::Executor& executor_;
  const KindRegistry& kinds_;
  Writer& writer_;
  Store& store_;
  const api::KindInfo& namespaces_;
  Store::WatcherId watcher_;
  User user_;
  std::set<std::string> terminating_;
  std::set<std::string> queue_;
  PatientWrites patient_;
  base::Scope scope_;
};

}  // namespace kueue::apiserver
