#include "apiserver/namespace_cleaner.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "apiserver/object_meta.h"
#include "base/log.h"

namespace kueue::apiserver {

using api::Json;

namespace {

// While nothing can be kept.
constexpr base::Duration kTryAgain = base::seconds(2);

}  // namespace

NamespaceCleaner::NamespaceCleaner(base::Executor& executor, const KindRegistry& kinds,
                                   Writer& writer)
    : executor_(executor),
      kinds_(kinds),
      writer_(writer),
      store_(writer.store()),
      namespaces_(api::KindOf<api::Namespace>()),
      user_{"system:kueue:namespace-cleaner", "", {kOwnersGroup, kAuthenticatedGroup}},
      patient_(executor, writer) {
  store_.Scan(namespaces_, "", "", [&](const std::string& key, const StoredPtr& object) {
    if (IsDeleting(object->object())) Enqueue(key);
    return true;
  });
  watcher_ = store_.AddWatcher(nullptr, [this](const StoreChange& change) { OnChange(change); });
}

NamespaceCleaner::~NamespaceCleaner() { store_.RemoveWatcher(watcher_); }

void NamespaceCleaner::OnChange(const StoreChange& change) {
  if (change.kind == &namespaces_) {
    if (change.type == ChangeType::kDeleted) {
      terminating_.erase(change.key);
    } else if (IsDeleting(change.object->object())) {
      Enqueue(change.key);
    }
    return;
  }
  if (terminating_.empty() || !change.kind->namespaced) return;
  const std::string name = change.key.substr(0, change.key.find('/'));
  if (terminating_.count(name) > 0) Enqueue(name);
}

void NamespaceCleaner::Enqueue(const std::string& namespace_name) {
  terminating_.insert(namespace_name);
  const bool idle = queue_.empty();
  queue_.insert(namespace_name);
  if (idle) executor_.Post(scope_.Wrap([this] { Work(); }));
}

void NamespaceCleaner::Work() {
  std::set<std::string> batch;
  batch.swap(queue_);
  for (const std::string& name : batch) Clean(name);
}

void NamespaceCleaner::Clean(const std::string& namespace_name) {
  const StoredPtr current = store_.Get(namespaces_, namespace_name);
  if (current == nullptr || !IsDeleting(current->object())) return;
  const auto again = scope_.Wrap([this, namespace_name] { Enqueue(namespace_name); });
  if (store_.failure() != nullptr) {
    executor_.PostAfter(kTryAgain, again);
    return;
  }
  const std::string prefix = namespace_name + "/";
  bool empty = true;
  std::vector<const api::KindInfo*> kinds = kinds_.kinds();
  for (const api::KindInfo* kind : store_.kinds()) {
    if (kind->defined) kinds.push_back(kind);
  }
  for (const api::KindInfo* kind : kinds) {
    if (!kind->namespaced) continue;
    std::vector<std::string> names;
    store_.Scan(*kind, prefix, "", [&](const std::string&, const StoredPtr& object) {
      empty = false;
      if (!IsDeleting(object->object())) {
        names.push_back(object->object().StringAt({"metadata", "name"}));
      }
      return true;
    });
    DeleteRequest request;
    request.propagation = Propagation::kBackground;
    for (const std::string& name : names) {
      WriteContext context;
      context.user = &user_;
      const std::string key =
          fmt::format("{} {} {}{}", kind->ApiVersion(), kind->plural, prefix, name);
      context.session = patient_.SessionOf(key);
      const auto result = writer_.Delete(*kind, namespace_name, name, request, context);
      if (patient_.Unfinished(key, result.ok() ? nullptr : &result.error(), again)) {
        continue;
      }
      if (!result.ok() && result.error().code != 404) {
        base::LogWarn("apiserver",
                      fmt::format("namespace {} cannot be emptied of {} {}: {}", namespace_name,
                                  kind->kind, name, result.error().message));
      }
    }
  }
  // Deletions come back here as changes, the last of them too.
  if (!empty) return;
  IncomingObject incoming;
  incoming.object = current->object();
  Json kept = Json::MakeArray();
  if (const Json* finalizers = current->object().FindPath({"spec", "finalizers"})) {
    for (const Json& finalizer : finalizers->AsArray()) {
      if (!(finalizer == Json("kubernetes"))) kept.Append(finalizer);
    }
  }
  incoming.object["spec"].Set("finalizers", std::move(kept));
  WriteContext context;
  context.user = &user_;
  context.manager = "kube-controller-manager";
  const std::string key = "finalize " + namespace_name;
  context.session = patient_.SessionOf(key);
  const auto result = writer_.Update(namespaces_, "", namespace_name, "finalize",
                                     UpdateSource::kPut, std::move(incoming), context);
  if (patient_.Unfinished(key, result.ok() ? nullptr : &result.error(), again)) {
    return;
  }
  if (!result.ok()) {
    base::LogWarn("apiserver", fmt::format("namespace {} cannot be finalized: {}", namespace_name,
                                           result.error().message));
  }
}

}  // namespace kueue::apiserver
