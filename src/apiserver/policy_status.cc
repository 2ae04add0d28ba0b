#include "apiserver/policy_status.h"

#include "base/check.h"

namespace kueue::apiserver {

using api::Json;

namespace {

const api::KindInfo& PolicyKind() {
  const api::KindInfo* kind =
      api::FindKind("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy");
  KUEUE_CHECK(kind != nullptr);
  return *kind;
}

bool IsObserved(const Json& policy) {
  const Json* generation = policy.FindPath({"metadata", "generation"});
  const Json* observed = policy.FindPath({"status", "observedGeneration"});
  return generation == nullptr || (observed != nullptr && *observed == *generation);
}

}  // namespace

PolicyStatus::PolicyStatus(base::Executor& executor, Store& store)
    : executor_(executor), store_(store), kind_(PolicyKind()) {
  watcher_ = store_.AddWatcher(&kind_, [this](const StoreChange& change) { OnChange(change); });
}

PolicyStatus::~PolicyStatus() { store_.RemoveWatcher(watcher_); }

void PolicyStatus::OnChange(const StoreChange& change) {
  if (change.type == ChangeType::kDeleted || IsObserved(change.object->object())) return;
  pending_.insert(change.key);
  if (pending_.size() == 1) executor_.Post(scope_.Wrap([this] { Work(); }));
}

void PolicyStatus::Work() {
  std::set<std::string> keys;
  keys.swap(pending_);
  for (const std::string& key : keys) {
    const StoredPtr policy = store_.Get(kind_, key);
    if (policy == nullptr || IsObserved(policy->object())) continue;
    Json object = policy->object();
    Json& status = object["status"];
    if (!status.IsObject()) status = Json::MakeObject();
    status.Set("observedGeneration", *object.FindPath({"metadata", "generation"}));
    if (status.Find("typeChecking") == nullptr) status.Set("typeChecking", Json::MakeObject());
    store_.Put(kind_, key, std::move(object));
  }
}

}  // namespace kueue::apiserver
