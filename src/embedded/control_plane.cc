#include "embedded/control_plane.h"

#include "embedded/admission_bridge.h"
#include "embedded/pod_logs.h"
#include "embedded/resource_metrics.h"
#include "net/client.h"

namespace kueue::embedded {
namespace {

runtime::DriverOptions ClusterDriverOptions() {
  runtime::DriverOptions options;
  options.component = "local-cluster";
  return options;
}

// The Deployment that shows the manager is run by nobody: the process is its pod.
localcluster::Options WithStranger(localcluster::Options options, bool shown) {
  if (shown) {
    options.stranger = [](const kube::ObjectKey& key) { return key == ManagerPresence::Key(); };
  }
  return options;
}

// Configurations of an installed Kueue name this service, whose rules are asked in process here.
apiserver::ServerOptions WithOwnWebhooks(apiserver::ServerOptions options) {
  options.own_services.insert(std::string(kManagerNamespace) + "/kueue-webhook-service");
  return options;
}

admission::Policy PolicyOf(const controllers::Settings& settings) {
  admission::Policy policy;
  policy.manage_jobs_without_queue_name = settings.manage_jobs_without_queue_name;
  policy.managed_jobs_namespace_selector = settings.managed_jobs_namespace_selector;
  policy.gates = settings.gates;
  policy.simple_dialect = settings.simple_dialect;
  return policy;
}

}  // namespace

class ControlPlane::Impl {
 public:
  Impl(base::Executor& executor, base::Random random, ControlPlaneOptions options)
      : executor_(executor),
        server_(executor, random.Fork(), WithOwnWebhooks(options.server)),
        bridge_(server_.store(), PolicyOf(options.manager.controllers)),
        transport_(net::MakeInProcessTransport(server_, executor, executor)),
        cluster_client_(*transport_, "", "kueue-cpp/local-cluster", executor),
        cluster_cache_(cluster_client_, executor),
        cluster_driver_(cluster_client_, cluster_cache_, executor, random.Fork(),
                        ClusterDriverOptions()),
        cluster_(cluster_cache_, cluster_driver_,
                 WithStranger(std::move(options.cluster), options.show_manager)),
        logs_(cluster_cache_, executor),
        metrics_(server_, cluster_cache_),
        presence_options_(options.presence),
        manager_transport_(
            options.manager_transport ? options.manager_transport(*transport_, executor) : nullptr),
        manager_options_(std::move(options.manager)),
        random_(random.Fork()) {
    server_.AddAdmission(&bridge_);
    server_.SetLogSource(&logs_);
    if (options.show_manager) ShowManager();
    MakeManager();
  }

  void ShowManager() {
    presence_ = &cluster_driver_.Add(std::make_unique<ManagerPresence>(
        cluster_cache_, executor_.clock().Now(), presence_options_));
    const auto look = [this](const kube::ObjectKey& key, bool pod) {
      const bool concerns =
          pod ? key.namespace_name == kManagerNamespace : key == ManagerPresence::Key();
      if (concerns) presence_->Add(ManagerPresence::Key());
    };
    cluster_cache_.Find(localcluster::WorkloadKind("apps", "Deployment"))
        ->AddHandler([look](const kube::Change& change) { look(change.key, false); });
    cluster_cache_.InformerOf<api::Pod>().AddHandler(
        [look](const kube::Change& change) { look(change.key, true); });
    presence_->Add(ManagerPresence::Key());
  }

  void ShowMetricsService() {
    if (presence_ == nullptr || presence_options_.metrics_port == 0) return;
    const api::KindInfo* services = api::FindKind("", "v1", "Service");
    cluster_client_.Create(*services, MetricsService(presence_options_.metrics_port),
                           [](const base::Result<api::Json>&) {});  // one that is there stays
  }

  void MakeManager() {
    manager_.reset();
    net::Transport& transport = manager_transport_ ? *manager_transport_ : *transport_;
    manager_ =
        std::make_unique<manager::Manager>(transport, executor_, random_.Fork(), manager_options_);
  }

  void Start() {
    cluster_cache_.Start([this] {
      cluster_driver_.Start();
      cluster_started_ = true;
      ShowMetricsService();
    });
    manager_->Start();
  }

  base::Executor& executor_;
  apiserver::Server server_;
  AdmissionBridge bridge_;
  std::unique_ptr<net::Transport> transport_;
  kube::Client cluster_client_;
  kube::Cache cluster_cache_;
  runtime::Driver cluster_driver_;
  localcluster::LocalCluster cluster_;
  PodLogs logs_;
  ResourceMetrics metrics_;
  const PresenceOptions presence_options_;
  runtime::Queue* presence_ = nullptr;
  const std::unique_ptr<net::Transport> manager_transport_;  // null: the transport itself
  const manager::ManagerOptions manager_options_;
  base::Random random_;
  std::unique_ptr<manager::Manager> manager_;
  bool cluster_started_ = false;
};

ControlPlane::ControlPlane(base::Executor& executor, base::Random random,
                           ControlPlaneOptions options)
    : impl_(std::make_unique<Impl>(executor, random, std::move(options))) {}
ControlPlane::~ControlPlane() = default;
void ControlPlane::Start() { impl_->Start(); }
void ControlPlane::RestartManager() {
  impl_->MakeManager();
  impl_->manager_->Start();
}
bool ControlPlane::ready() const { return impl_->cluster_started_ && impl_->manager_->started(); }
apiserver::Server& ControlPlane::server() { return impl_->server_; }
manager::Manager& ControlPlane::manager() { return *impl_->manager_; }
net::Transport& ControlPlane::transport() { return *impl_->transport_; }

}  // namespace kueue::embedded
