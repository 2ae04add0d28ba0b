#include "apiserver/quota.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace kueue::apiserver {

using api::Json;
using resources::Quantity;

namespace {

const api::KindInfo& Quotas(const KindRegistry& kinds) {
  return *kinds.FindKind("", "v1", "ResourceQuota");
}

std::vector<StoredPtr> QuotasOf(const Store& store, const api::KindInfo& quotas,
                                const std::string& namespace_name) {
  std::vector<StoredPtr> found;
  store.Scan(quotas, namespace_name + "/", "", [&](const std::string&, const StoredPtr& quota) {
    found.push_back(quota);
    return true;
  });
  return found;
}

Quantity AmountOf(const Usage& usage, const std::string& name) {
  auto it = usage.find(name);
  return it == usage.end() ? Quantity() : it->second;
}

// What a write adds, of what the quota limits; only what grows.
Usage Growth(const Usage& hard, const Usage& before, const Usage& after) {
  Usage growth;
  for (const auto& [name, amount] : after) {
    if (hard.count(name) == 0) continue;
    const Quantity more = amount - AmountOf(before, name);
    if (more.Sign() > 0) growth[name] = more;
  }
  return growth;
}

// "": it fits. Otherwise why not.
std::string Exceeded(const std::string& name, const Usage& growth, const Usage& used,
                     const Usage& hard) {
  Usage asked, had, limited;
  for (const auto& [resource, more] : growth) {
    const Quantity bound = AmountOf(hard, resource);
    if (AmountOf(used, resource) + more <= bound) continue;
    asked[resource] = more;
    had[resource] = AmountOf(used, resource);
    limited[resource] = bound;
  }
  if (asked.empty()) return "";
  return fmt::format("exceeded quota: {}, requested: {}, used: {}, limited: {}", name,
                     Describe(asked), Describe(had), Describe(limited));
}

void SetUsed(const StoredPtr& quota, const api::KindInfo& quotas, const Usage& hard,
             const Usage& used, Store& store) {
  Json changed = quota->object();
  Json& status = changed["status"];
  if (!status.IsObject()) status = Json::MakeObject();
  status.Set("hard", UsageJson(hard));
  status.Set("used", UsageJson(used));
  if (changed == quota->object()) return;
  const std::string key =
      StoreKey(changed.StringAt({"metadata", "namespace"}), changed.StringAt({"metadata", "name"}));
  store.Put(quotas, key, std::move(changed));
}

}  // namespace

QuotaAdmission::QuotaAdmission(Store& store, const KindRegistry& kinds)
    : store_(store), quotas_(Quotas(kinds)) {}

bool QuotaAdmission::Concerns(const AdmissionRequest& request, bool mutating) const {
  if (mutating || !request.kind->namespaced || request.operation == Operation::kDelete)
    return false;
  if (!request.subresource.empty() && request.subresource != "resize") return false;
  if (request.kind == &quotas_ && request.operation == Operation::kUpdate) return false;
  return !QuotasOf(store_, quotas_, request.namespace_name).empty();
}

Verdict QuotaAdmission::Validate(const AdmissionRequest& request) {
  const Usage after = UsageOf(*request.kind, *request.object);
  const Usage before =
      request.old_object != nullptr ? UsageOf(*request.kind, *request.old_object) : Usage();
  struct Booking {
    StoredPtr quota;
    Usage hard, used;
  };
  std::vector<Booking> bookings;
  for (const StoredPtr& quota : QuotasOf(store_, quotas_, request.namespace_name)) {
    const Usage hard = UsageAt(quota->object(), {"status", "hard"});
    if (hard.empty() || !InScope(quota->object(), *request.kind, *request.object)) continue;
    const std::string name = quota->object().StringAt({"metadata", "name"});
    if (request.operation == Operation::kCreate) {
      const auto missing = Unspecified(hard, *request.kind, *request.object);
      if (!missing.empty()) {
        return Verdict::Deny(
            fmt::format("failed quota: {}: must specify {}", name, fmt::join(missing, "; ")));
      }
    }
    // An object that comes into the scope only now is new to the quota.
    const bool was_in = request.old_object != nullptr &&
                        InScope(quota->object(), *request.kind, *request.old_object);
    const Usage growth = Growth(hard, was_in ? before : Usage(), after);
    if (growth.empty()) continue;
    Usage used = UsageAt(quota->object(), {"status", "used"});
    std::string why = Exceeded(name, growth, used, hard);
    if (!why.empty()) return Verdict::Deny(std::move(why));
    for (const auto& [resource, more] : growth) used[resource] += more;
    bookings.push_back({quota, hard, std::move(used)});
  }
  if (request.dry_run) return Verdict::Allow();
  for (const Booking& booking : bookings) {
    SetUsed(booking.quota, quotas_, booking.hard, booking.used, store_);
  }
  return Verdict::Allow();
}

QuotaController::QuotaController(base::Executor& executor, const KindRegistry& kinds, Store& store)
    : executor_(executor), kinds_(kinds), store_(store), quotas_(Quotas(kinds)) {
  store_.Scan(quotas_, "", "", [&](const std::string& key, const StoredPtr&) {
    Enqueue(key.substr(0, key.find('/')));
    return true;
  });
  watcher_ = store_.AddWatcher(nullptr, [this](const StoreChange& change) { OnChange(change); });
}

QuotaController::~QuotaController() { store_.RemoveWatcher(watcher_); }

// What is created has been counted by the admission; what goes or changes is counted here.
void QuotaController::OnChange(const StoreChange& change) {
  if (!change.kind->namespaced || store_.Count(quotas_) == 0) return;
  if (change.kind != &quotas_ && change.type == ChangeType::kAdded) return;
  if (change.kind != &quotas_ && change.type == ChangeType::kModified &&
      UsageOf(*change.kind, change.before->object()) ==
          UsageOf(*change.kind, change.object->object())) {
    return;
  }
  if (change.kind == &quotas_ && change.type == ChangeType::kDeleted) return;
  Enqueue(change.key.substr(0, change.key.find('/')));
}

void QuotaController::Enqueue(const std::string& namespace_name) {
  const bool idle = queue_.empty();
  queue_.insert(namespace_name);
  if (idle) executor_.Post(scope_.Wrap([this] { Work(); }));
}

void QuotaController::Work() {
  std::set<std::string> batch;
  batch.swap(queue_);
  for (const std::string& name : batch) Recount(name);
}

void QuotaController::Recount(const std::string& namespace_name) {
  for (const StoredPtr& quota : QuotasOf(store_, quotas_, namespace_name)) {
    const Usage hard = UsageAt(quota->object(), {"spec", "hard"});
    Usage used;
    for (const auto& [name, bound] : hard) used[name] = Quantity();
    for (const api::KindInfo* kind : kinds_.kinds()) {
      if (!kind->namespaced || kind->stored != nullptr) continue;
      store_.Scan(*kind, namespace_name + "/", "",
                  [&](const std::string&, const StoredPtr& object) {
                    if (!InScope(quota->object(), *kind, object->object())) return true;
                    for (const auto& [name, amount] : UsageOf(*kind, object->object())) {
                      if (hard.count(name) > 0) used[name] += amount;
                    }
                    return true;
                  });
    }
    SetUsed(quota, quotas_, hard, used, store_);
  }
}

}  // namespace kueue::apiserver
