#pragma once

#include <set>
#include <string>

#include "apiserver/admission.h"
#include "apiserver/kind_registry.h"
#include "apiserver/quota_usage.h"
#include "apiserver/store.h"
#include "base/executor.h"

// ResourceQuotas: how much of what a namespace may hold.
namespace kueue::apiserver {

// Refuses what would exceed a quota and counts what does not. It has to be asked last: what it
// allows counts as there. Judges by the status of quotas; one whose status nobody has filled yet
// refuses nothing.
class QuotaAdmission final : public Admission {
 public:
  // Both must outlive this.
  QuotaAdmission(Store& store, const KindRegistry& kinds);
  bool Concerns(const AdmissionRequest& request, bool mutating) const override;
  Verdict Validate(const AdmissionRequest& request) override;

 private:
  Store& store_;
  const api::KindInfo& quotas_;
};

// Keeps the status of quotas: what is allowed, and what is used when objects have gone or changed.
class QuotaController {
 public:
  QuotaController(base::Executor& executor, const KindRegistry& kinds, Store& store);
  ~QuotaController();

 private:
  void OnChange(const StoreChange& change);
  void Enqueue(const std::string& namespace_name);
  void Work();
  void Recount(const std::string& namespace_name);

  base::Executor& executor_;
  const KindRegistry& kinds_;
  Store& store_;
  const api::KindInfo& quotas_;
  Store::WatcherId watcher_ = 0;
  std::set<std::string> queue_;
  base::Scope scope_;
};

}  // namespace kueue::apiserver
