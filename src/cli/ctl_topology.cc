#include "cli/ctl_topology.h"

#include <fmt/format.h>

#include <cstdlib>
#include <future>

#include "api/codec/codec.h"
#include "cli/topology_text.h"
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

// The cluster as the scheduler sees it.
struct View {
  scheduling::State state{scheduling::Config()};
  std::vector<std::string> flavors;  // with a topology
  std::vector<std::shared_ptr<const api::Workload>> workloads;
};

base::Status ReadAll(Reader& reader, View& view) {
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
    if (o->spec.topology_name) view.flavors.push_back(o->metadata.name);
  });
  each(api::ClusterQueue(), [&](const auto& o) { state.SetClusterQueue(o, now); });
  each(api::LocalQueue(), [&](const auto& o) { state.SetLocalQueue(o, now); });
  each(api::Workload(), [&](const auto& o) {
    state.SetWorkload(o, now);
    view.workloads.push_back(o);
  });
  return status;
}

int Fail(const std::string& message) {
  fmt::print(stderr, "kueue ctl topology: {}\n", message);
  return 1;
}

int PrintWorkload(View& view, const std::string& key) {
  std::vector<FlavorReport> reports;
  for (const std::string& flavor : view.flavors) {
    if (auto report = view.state.ReportTopology(flavor)) reports.push_back({flavor, *report});
  }
  for (const auto& workload : view.workloads) {
    if (api::KeyOf(workload->metadata) != key) continue;
    fmt::print("{}", WorkloadPlacesText(*workload, reports));
    return 0;
  }
  return Fail("there is no workload '" + key + "'; `kubectl get workloads -A` lists them");
}

int PrintTopologies(View& view, const std::string& topology) {
  bool found = false;
  for (const std::string& flavor : view.flavors) {
    const auto report = view.state.ReportTopology(flavor);
    if (!report || (!topology.empty() && report->topology != topology)) continue;
    fmt::print("{}{}", found ? "\n" : "", TopologyText(flavor, *report));
    found = true;
  }
  if (found) return 0;
  return topology.empty()
             ? Fail("no ResourceFlavor names a Topology that exists (spec.topologyName)")
             : Fail("no ResourceFlavor names topology '" + topology + "', or it does not exist");
}

}  // namespace

int CtlTopology(const CtlTopologyFlags& flags) {
  if (!flags.workload.empty() && flags.workload.find('/') == std::string::npos) {
    return Fail("--workload wants NAMESPACE/NAME, got '" + flags.workload + "'");
  }
  const auto access = kube::ReadKubeconfig(KubeconfigPath(flags.kubeconfig), flags.context);
  if (!access.ok()) return Fail(access.error().message);
  Reader reader(*access);
  View view;
  if (const auto status = ReadAll(reader, view); !status.ok()) return Fail(status.error().message);
  return flags.workload.empty() ? PrintTopologies(view, flags.topology)
                                : PrintWorkload(view, flags.workload);
}

}  // namespace kueue::cli
