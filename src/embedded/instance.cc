#include "embedded/instance.h"

#include <openssl/rand.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>

#include "apiserver/storage/sqlite_storage.h"
#include "apiserver/webhook_caller.h"
#include "base/log.h"
#include "embedded/audit_file.h"
#include "embedded/data_folder.h"
#include "embedded/metrics_page.h"
#include "kube/kubeconfig.h"
#include "net/server.h"

namespace kueue::embedded {
namespace {

uint64_t SeedOf(uint64_t wanted) {
  if (wanted != 0) return wanted;
  uint64_t seed = 1;
  RAND_bytes(reinterpret_cast<unsigned char*>(&seed), sizeof(seed));
  return seed;
}

bool IsLoopback(const std::string& address) {
  return address == "localhost" || address == "::1" || address.rfind("127.", 0) == 0;
}

// Of one user who is not the owner. Client libraries stay far below by themselves.
constexpr size_t kRequestsPerSecond = 1000;
constexpr size_t kRequestBurst = 2000;
// Of one address: one client cannot take all of them.
constexpr size_t kConnectionsPerClient = 600;

}  // namespace

class Instance::Impl {
 public:
  Impl(InstanceOptions options, std::unique_ptr<FolderLock> lock, Credentials credentials,
       std::unique_ptr<AuditFile> audit)
      : options_(std::move(options)),
        lock_(std::move(lock)),
        credentials_(std::move(credentials)),
        audit_(std::move(audit)),
        executor_("kueue-control", clock_) {
    apiserver::ServerOptions& server = options_.control_plane.server;
    server.service_accounts = true;
    server.token_secret = credentials_.token_secret;
    server.authority_pem = credentials_.authority.certificate_pem;
    server.audit = audit_.get();
    server.requests_per_second = kRequestsPerSecond;
    server.request_burst = kRequestBurst;
  }

  base::Status OpenStorage() {
    if (options_.in_memory) return {};
    disk_ = std::make_unique<base::ThreadExecutor>("kueue-storage", clock_);
    apiserver::SqliteOptions sqlite;
    sqlite.path = DatabasePath(options_.data_dir);
    auto storage = apiserver::SqliteStorage::Open(sqlite, *disk_, executor_);
    if (!storage.ok()) return storage.error();
    storage_ = std::move(*storage);
    options_.control_plane.server.store.storage = storage_.get();
    return {};
  }

  void MakePlane() {
    options_.control_plane.server.show_definitions = true;
    options_.control_plane.show_manager = true;
    options_.control_plane.presence.metrics_port = options_.metrics_port.value_or(0);
    webhook_caller_ = apiserver::MakeHttpWebhookCaller(executor_);
    options_.control_plane.server.webhook_caller = webhook_caller_.get();
    // On its executor from the first moment: what it makes posts tasks that run there at once.
    executor_.RunAndWait([this] {
      plane_ = std::make_unique<ControlPlane>(executor_, base::Random(SeedOf(options_.seed)),
                                              options_.control_plane);
      apiserver::User owner;
      owner.name = "kueue-owner";
      owner.groups = {apiserver::kOwnersGroup};
      plane_->server().AddToken(credentials_.token, owner);
    });
  }

  ~Impl() { Stop(); }

  base::Status Listen() {
    net::ServerOptions server;
    server.address = options_.address;
    server.port = options_.port;
    server.tls = credentials_.server;
    server.max_connections_per_client = kConnectionsPerClient;
    server.client_authority_pem = credentials_.authority.certificate_pem;
    auto listening = net::Server::Listen(server, plane_->server());
    if (!listening.ok()) return listening.error();
    listener_ = std::move(*listening);
    const std::string host = options_.address.find(':') == std::string::npos
                                 ? options_.address
                                 : "[" + options_.address + "]";
    info_.url = "https://" + host + ":" + std::to_string(listener_->port());
    executor_.RunAndWait([this] { plane_->server().Publish(options_.address, listener_->port()); });
    return WriteFiles();
  }

  base::Status ListenForMetrics() {
    if (!options_.metrics_port) return {};
    page_ = std::make_unique<MetricsPage>(
        executor_, [this]() -> manager::Manager& { return plane_->manager(); });
    net::ServerOptions server;
    server.address = options_.metrics_address;
    server.port = *options_.metrics_port;
    auto listening = net::Server::Listen(server, *page_);
    if (!listening.ok()) return listening.error();
    metrics_listener_ = std::move(*listening);
    return {};
  }

  base::Status WriteFiles() {
    info_.pid = ::getpid();
    info_.kubeconfig =
        options_.kubeconfig.empty() ? options_.data_dir + "/kubeconfig" : options_.kubeconfig;
    kube::KubeconfigEntry entry;
    entry.name = "kueue";
    entry.server = info_.url;
    entry.authority_pem = credentials_.authority.certificate_pem;
    entry.bearer_token = credentials_.token;
    if (auto s = WriteFile(info_.kubeconfig, kube::WriteKubeconfig(entry), true); !s.ok()) return s;
    for (const UserRequest& user : options_.users) {
      auto path = WriteUser(options_.data_dir, info_.url, user, "", clock_.Now());
      if (!path.ok()) return path.error();
      info_.user_kubeconfigs.push_back(std::move(*path));
    }
    return WriteInfo(options_.data_dir, info_);
  }

  void Start() {
    executor_.Post([this] {
      base::LogInfo("manager", "starting; the API server is at " + info_.url);
      plane_->Start();
    });
  }

  void Stop() {
    if (stopped_) return;
    stopped_ = true;
    // Watches would go on for ever; what else is under way gets a moment. Sockets first, so that
    // nobody posts to the executor any more; then what runs on it is destroyed on it.
    if (metrics_listener_) metrics_listener_->Stop(base::milliseconds(100));
    executor_.RunAndWait([this] { plane_->server().EndWatches(); });
    if (listener_) listener_->Stop(base::milliseconds(500));
    executor_.RunAndWait([this] {
      plane_.reset();
      webhook_caller_.reset();
      storage_.reset();
    });
    // The disk's last task posts to the executor, which therefore ends after it.
    if (disk_) disk_->Stop();
    executor_.Stop();
    listener_.reset();
    RemoveInfo(options_.data_dir);
  }

  bool WaitUntilReady(base::Duration limit) {
    auto ready = std::make_shared<std::promise<void>>();
    std::future<void> future = ready->get_future();
    executor_.Post([this, ready] { PollReady(ready); });
    return future.wait_for(limit) == std::future_status::ready;
  }

  void PollReady(const std::shared_ptr<std::promise<void>>& ready) {
    if (plane_ && plane_->ready()) {
      ready->set_value();
      return;
    }
    executor_.PostAfter(base::milliseconds(2), [this, ready] { PollReady(ready); });
  }

  InstanceOptions options_;
  std::unique_ptr<FolderLock> lock_;
  const Credentials credentials_;
  std::unique_ptr<AuditFile> audit_;
  base::RealClock clock_;
  base::ThreadExecutor executor_;
  std::unique_ptr<base::ThreadExecutor> disk_;
  std::unique_ptr<apiserver::SqliteStorage> storage_;
  std::unique_ptr<apiserver::WebhookCaller> webhook_caller_;
  std::unique_ptr<ControlPlane> plane_;
  std::unique_ptr<net::Server> listener_;
  std::unique_ptr<MetricsPage> page_;
  std::unique_ptr<net::Server> metrics_listener_;
  InstanceInfo info_;
  bool stopped_ = false;
};

Instance::Instance(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Instance::~Instance() = default;

base::Result<std::unique_ptr<Instance>> Instance::Start(InstanceOptions options) {
  const bool open_metrics = options.metrics_port && !IsLoopback(options.metrics_address);
  if ((!IsLoopback(options.address) || open_metrics) && !options.remote) {
    const std::string& address = open_metrics ? options.metrics_address : options.address;
    return base::Invalid("other machines could reach " + address +
                         ": add --remote if that is wanted (whoever has the token of the "
                         "kubeconfig owns the cluster), or listen on 127.0.0.1");
  }
  auto lock = FolderLock::Take(options.data_dir);
  if (!lock.ok()) return lock.error();
  const base::RealClock clock;
  auto credentials = LoadCredentials(options.data_dir, options.address, clock.Now());
  if (!credentials.ok()) return credentials.error();
  std::unique_ptr<AuditFile> audit;
  if (!options.audit_log.empty()) {
    auto opened = AuditFile::Open(options.audit_log);
    if (!opened.ok()) return opened.error();
    audit = std::move(*opened);
  }
  auto impl = std::make_unique<Impl>(std::move(options), std::move(*lock), std::move(*credentials),
                                     std::move(audit));
  if (auto opened = impl->OpenStorage(); !opened.ok()) return opened.error();
  impl->MakePlane();
  if (auto listening = impl->Listen(); !listening.ok()) return listening.error();
  if (auto listening = impl->ListenForMetrics(); !listening.ok()) return listening.error();
  impl->Start();
  return std::unique_ptr<Instance>(new Instance(std::move(impl)));
}

const InstanceInfo& Instance::info() const { return impl_->info_; }
uint16_t Instance::metrics_port() const {
  return impl_->metrics_listener_ ? impl_->metrics_listener_->port() : 0;
}
const std::string& Instance::token() const { return impl_->credentials_.token; }
const std::string& Instance::authority_pem() const {
  return impl_->credentials_.authority.certificate_pem;
}
bool Instance::WaitUntilReady(base::Duration limit) { return impl_->WaitUntilReady(limit); }
void Instance::Stop() { impl_->Stop(); }

std::optional<InstanceInfo> FindInstance(const std::string& data_dir) {
  if (!IsLocked(data_dir)) return std::nullopt;
  return ReadInfo(data_dir);
}

base::Result<apiserver::BackupInfo> BackUpInstance(const std::string& data_dir,
                                                   const std::string& file) {
  return apiserver::BackUp(DatabasePath(data_dir), file);
}

base::Result<apiserver::BackupInfo> RestoreInstance(const std::string& data_dir,
                                                    const std::string& file) {
  const auto lock = FolderLock::Take(data_dir);
  if (!lock.ok()) return lock.error();
  return apiserver::RestoreBackup(file, DatabasePath(data_dir));
}

base::Result<bool> RemoveInstanceFiles(const std::string& data_dir) {
  const std::filesystem::path folder(data_dir);
  std::error_code error;
  // Other programs have a folder `pki` or a file `token` too; a lock beside them is ours.
  if (!std::filesystem::is_regular_file(folder / "lock", error)) return false;
  if (IsLocked(data_dir)) {
    return base::Unavailable(data_dir + " is in use; end it first with `kueue down`");
  }
  std::vector<std::string> names = {"pki/ca.crt", "pki/ca.key", "pki/service-accounts.key",
                                    "token",      "kubeconfig", "instance.json",
                                    "nodes",      "lock"};
  // The database, its log, and copies made before it was changed.
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    if (name.rfind("objects.db", 0) == 0) names.push_back(std::move(name));
  }
  for (const std::string& name : names) {
    if (!std::filesystem::remove(folder / name, error) && error) {
      return base::Unavailable("cannot remove " + (folder / name).string() + ": " +
                               error.message());
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder / "users", error)) {
    if (entry.path().extension() == ".kubeconfig") std::filesystem::remove(entry.path(), error);
  }
  std::filesystem::remove(folder / "users", error);
  // What others put there keeps its folder.
  std::filesystem::remove(folder / "pki", error);
  std::filesystem::remove(folder, error);
  return true;
}

std::string RememberedNodes(const std::string& data_dir) {
  const auto text = ReadFile(data_dir + "/nodes");
  return text.ok() ? text->substr(0, text->find('\n')) : "";
}

base::Status RememberNodes(const std::string& data_dir, const std::string& text) {
  return WriteFile(data_dir + "/nodes", text + "\n", false);
}

std::string DefaultDataDir() {
  if (const char* base = std::getenv("XDG_DATA_HOME"); base != nullptr && *base != '\0') {
    return std::string(base) + "/kueue";
  }
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : ".") + "/.local/share/kueue";
}

}  // namespace kueue::embedded
