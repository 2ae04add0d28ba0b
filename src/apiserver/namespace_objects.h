#pragma once

#include <set>
#include <string>

#include "apiserver/kind_registry.h"
#include "apiserver/writer.h"
#include "base/executor.h"

namespace kueue::apiserver {

// Gives every namespace the service account "default" and the config map "kube-root-ca.crt", and
// gives them again when somebody has taken them away.
class NamespaceObjects {
 public:
  // `authority_pem`: whom clients inside the cluster trust. All others must outlive this.
  NamespaceObjects(base::Executor& executor, const KindRegistry& kinds, Writer& writer,
                   std::string authority_pem);
  ~NamespaceObjects();

 private:
  void OnChange(const StoreChange& change);
  void Enqueue(const std::string& namespace_name);
  void Work();
  void Give(const std::string& namespace_name);

  base::Executor& executor_;
  Writer& writer_;
  Store& store_;
  const std::string authority_pem_;
  const api::KindInfo& namespaces_;
  const api::KindInfo& accounts_;
  const api::KindInfo& config_maps_;
  Store::WatcherId watcher_ = 0;
  std::set<std::string> queue_;
  base::Scope scope_;
};

}  // namespace kueue::apiserver
