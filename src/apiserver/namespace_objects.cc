#include "apiserver/namespace_objects.h"

#include <fmt/format.h>

#include <utility>

#include "apiserver/object_meta.h"
#include "base/log.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kAccount[] = "default";
constexpr char kAuthority[] = "kube-root-ca.crt";

}  // namespace

NamespaceObjects::NamespaceObjects(base::Executor& executor, const KindRegistry& kinds,
                                   Writer& writer, std::string authority_pem)
    : executor_(executor),
      writer_(writer),
      store_(writer.store()),
      authority_pem_(std::move(authority_pem)),
      namespaces_(api::KindOf<api::Namespace>()),
      accounts_(*kinds.FindKind("", "v1", "ServiceAccount")),
      config_maps_(api::KindOf<api::ConfigMap>()) {
  store_.Scan(namespaces_, "", "", [&](const std::string& key, const StoredPtr&) {
    queue_.insert(key);
    return true;
  });
  Work();
  watcher_ = store_.AddWatcher(nullptr, [this](const StoreChange& change) { OnChange(change); });
}

NamespaceObjects::~NamespaceObjects() { store_.RemoveWatcher(watcher_); }

void NamespaceObjects::OnChange(const StoreChange& change) {
  if (change.kind == &namespaces_ && change.type == ChangeType::kAdded) Enqueue(change.key);
  const bool ours = change.kind == &accounts_ || change.kind == &config_maps_;
  if (!ours || change.type != ChangeType::kDeleted) return;
  const size_t slash = change.key.find('/');
  const std::string name = change.key.substr(slash + 1);
  if (name == kAccount || name == kAuthority) Enqueue(change.key.substr(0, slash));
}

void NamespaceObjects::Enqueue(const std::string& namespace_name) {
  const bool idle = queue_.empty();
  queue_.insert(namespace_name);
  if (idle) executor_.Post(scope_.Wrap([this] { Work(); }));
}

void NamespaceObjects::Work() {
  std::set<std::string> batch;
  batch.swap(queue_);
  for (const std::string& name : batch) Give(name);
}

void NamespaceObjects::Give(const std::string& namespace_name) {
  const StoredPtr space = store_.Get(namespaces_, namespace_name);
  if (space == nullptr || IsDeleting(space->object())) return;
  const User user{"system:kueue:namespace-objects", "", {kOwnersGroup, kAuthenticatedGroup}};
  WriteContext context;
  context.user = &user;
  const auto make = [&](const api::KindInfo& kind, const char* name, Json object) {
    if (store_.Get(kind, StoreKey(namespace_name, name)) != nullptr) return;
    object["metadata"].Set("name", name);
    IncomingObject incoming;
    incoming.object = std::move(object);
    const auto result = writer_.Create(kind, namespace_name, std::move(incoming), context);
    if (result.ok()) return;
    base::LogWarn("apiserver", fmt::format("namespace {} gets no {} {}: {}", namespace_name,
                                           kind.kind, name, result.error().message));
  };
  make(accounts_, kAccount, Json::MakeObject());
  Json authority = Json::MakeObject();
  authority["metadata"]["annotations"].Set(
      "kubernetes.io/description",
      "Contains a CA bundle that can be used to verify the kube-apiserver when using internal "
      "endpoints such as the internal service IP or kubernetes.default.svc.");
  authority["data"].Set("ca.crt", authority_pem_);
  make(config_maps_, kAuthority, std::move(authority));
}

}  // namespace kueue::apiserver
