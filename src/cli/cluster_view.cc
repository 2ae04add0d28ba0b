#include "cli/cluster_view.h"

#include <cstdlib>
#include <future>
#include <utility>

#include "api/codec/codec.h"
#include "kube/client.h"
#include "kube/kubeconfig.h"
#include "net/client.h"

namespace kueue::cli {
namespace {

std::string KubeconfigPath(const std::string& asked) {
  if (!asked.empty()) return asked;
  if (const char* path = std::getenv("KUBECONFIG"); path != nullptr && *path != 0) return path;
  const char* const home = std::getenv("HOME");
  return std::string(home == nullptr ? "." : home) + "/.kube/config";
}

// Lists objects one kind after the other.
class Reader {
 public:
  explicit Reader(const kube::ClusterAccess& access)
      : executor_("ctl", clock_),
        transport_(net::MakeHttpClient(access.connection, executor_)),
        client_(*transport_, access.bearer_token, "kueue-cpp/ctl", executor_, Settings(access)) {}
  ~Reader() { executor_.Stop(); }

  // Calls `tell` for every object of the kind.
  template <class T, class F>
  base::Status Each(const F& tell) {
    auto answer = std::make_shared<std::promise<base::Result<api::Json>>>();
    auto future = answer->get_future();
    executor_.Post([this, answer] {
      client_.List(api::KindOf<T>(), "", {},
                   [answer](base::Result<api::Json> list) { answer->set_value(std::move(list)); });
    });
    auto list = future.get();
    if (!list.ok()) return list.error();
    const api::Json* const items = list->Find("items");
    if (items == nullptr || !items->IsArray()) return {};
    for (const api::Json& item : items->AsArray()) {
      if (auto object = api::Decode<T>(item); object.ok()) {
        tell(std::make_shared<const T>(std::move(*object)));
      }
    }
    return {};
  }

 private:
  static kube::ClientSettings Settings(const kube::ClusterAccess& access) {
    kube::ClientSettings settings;
    settings.path_prefix = access.path_prefix;
    return settings;
  }

  const base::RealClock clock_;
  base::ThreadExecutor executor_;
  std::unique_ptr<net::Transport> transport_;
  kube::Client client_;
};

base::Status ReadAll(Reader& reader, ClusterView& view) {
  const base::Time now = base::RealClock().Now();
  scheduling::State& state = view.state;
  base::Status status;
  const auto each = [&](auto tag, const auto& tell) {
    using T = decltype(tag);
    if (status.ok()) status = reader.Each<T>(tell);
  };
  each(api::Namespace(), [&](const auto& o) { state.SetNamespace(*o, now); });
  each(api::Topology(), [&](const auto& o) { state.SetTopology(o, now); });
  each(api::Node(), [&](const auto& o) { state.SetNode(o, now); });
  each(api::Pod(), [&](const auto& o) { state.SetPod(o, now); });
  each(api::ResourceFlavor(), [&](const auto& o) {
    state.SetResourceFlavor(o, now);
    if (o->spec.topology_name) view.topology_flavors.push_back(o->metadata.name);
  });
  each(api::AdmissionCheck(), [&](const auto& o) { state.SetAdmissionCheck(o, now); });
  each(api::Cohort(), [&](const auto& o) { state.SetCohort(o, now); });
  each(api::ClusterQueue(), [&](const auto& o) { state.SetClusterQueue(o, now); });
  each(api::LocalQueue(), [&](const auto& o) { state.SetLocalQueue(o, now); });
  each(api::Workload(), [&](const auto& o) {
    state.SetWorkload(o, now);
    view.workloads.push_back(o);
  });
  return status;
}

}  // namespace

base::Result<ClusterView> ReadCluster(const ClusterFlags& flags) {
  const auto access = kube::ReadKubeconfig(KubeconfigPath(flags.kubeconfig), flags.context);
  if (!access.ok()) return access.error();
  Reader reader(*access);
  ClusterView view;
  view.namespace_name = access->namespace_name;
  if (const auto status = ReadAll(reader, view); !status.ok()) return status.error();
  return view;
}

}  // namespace kueue::cli
