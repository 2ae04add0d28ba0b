#include "cli/up_command.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <thread>

#include "base/log.h"
#include "cli/http_check.h"
#include "cli/signals.h"
#include "embedded/instance.h"
#include "manager/configured.h"

namespace kueue::cli {
namespace {

int Fail(const std::string& text) {
  fmt::print(stderr, "kueue: {}\n", text);
  return 1;
}

struct Endpoint {
  std::string address;
  uint16_t port = 0;
};

// "127.0.0.1:6443", "[::1]:0", ":6443".
base::Result<Endpoint> ParseListen(const std::string& text, const char* option = "--listen") {
  const size_t colon = text.rfind(':');
  const base::Error bad =
      base::BadRequest(std::string(option) + " '" + text +
                       "': write it as ADDRESS:PORT, for example 127.0.0.1:6443");
  if (colon == std::string::npos) return bad;
  Endpoint endpoint;
  endpoint.address = text.substr(0, colon);
  if (endpoint.address.size() > 2 && endpoint.address.front() == '[') {
    endpoint.address = endpoint.address.substr(1, endpoint.address.size() - 2);
  }
  if (endpoint.address.empty() || endpoint.address == "localhost") endpoint.address = "127.0.0.1";
  const char* first = text.data() + colon + 1;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, endpoint.port);
  if (error != std::errc() || end != last) return bad;
  return endpoint;
}

std::string MetricsHost(const UpFlags& flags) {
  const std::string host = flags.metrics_addr.substr(0, flags.metrics_addr.rfind(':'));
  return host.empty() ? "127.0.0.1" : host;
}

// What the configuration file and the flags beside it make of the manager; parts of the file that
// change nothing are named on standard error.
base::Result<manager::ManagerOptions> ManagerOf(const UpFlags& flags) {
  manager::ManagerOptions defaults;
  defaults.controllers.simple_dialect = true;
  auto configured =
      manager::ConfigureFromFile(flags.config, flags.feature_gates, std::move(defaults));
  if (!configured.ok()) return configured.error();
  for (const std::string& part : configured->unused) {
    fmt::print(stderr, "kueue: {}: {}\n", flags.config, part);
  }
  manager::ManagerOptions options = std::move(configured->options);
  options.metrics.version = KUEUE_VERSION;
  if (!flags.dialect.empty()) options.controllers.simple_dialect = flags.dialect == "simple";
  return options;
}

// A restart without --nodes goes on with the nodes it had.
std::string NodeText(const UpFlags& flags) {
  if (!flags.nodes.empty()) return flags.nodes;
  const std::string kept = flags.in_memory ? "" : embedded::RememberedNodes(flags.data_dir);
  return kept.empty() ? "1x(cpu=8,memory=32Gi)" : kept;
}

}  // namespace

int Up(const UpFlags& flags) {
  const auto endpoint = ParseListen(flags.listen);
  if (!endpoint.ok()) return Fail(endpoint.error().message);
  const std::string node_text = NodeText(flags);
  auto nodes = localcluster::ParseNodeSpec(node_text);
  if (!nodes.ok()) return Fail("--nodes: " + nodes.error().message);
  embedded::InstanceOptions options;
  options.data_dir = flags.data_dir;
  options.kubeconfig = flags.kubeconfig;
  options.address = endpoint->address;
  options.port = endpoint->port;
  if (!flags.metrics_addr.empty()) {
    const auto metrics = ParseListen(flags.metrics_addr, "--metrics-addr");
    if (!metrics.ok()) return Fail(metrics.error().message);
    options.metrics_address = metrics->address;
    options.metrics_port = metrics->port;
  }
  options.remote = flags.remote;
  options.seed = flags.seed;
  options.in_memory = flags.in_memory;
  options.audit_log = flags.audit_log;
  for (const std::string& text : flags.users) {
    auto user = embedded::ParseUser(text);
    if (!user.ok()) return Fail("--user: " + user.error().message);
    options.users.push_back(std::move(*user));
  }
  options.control_plane.cluster.nodes = std::move(*nodes);
  auto manager = ManagerOf(flags);
  if (!manager.ok()) return Fail(manager.error().message);
  options.control_plane.manager = std::move(*manager);

  const SignalWaiter signals;
  auto instance = embedded::Instance::Start(std::move(options));
  if (!instance.ok()) return Fail(instance.error().message);
  if (!flags.in_memory) {
    const base::Status kept = embedded::RememberNodes(flags.data_dir, node_text);
    if (!kept.ok()) return Fail(kept.error().message);
  }
  const embedded::InstanceInfo info = (*instance)->info();
  if (!(*instance)->WaitUntilReady(base::seconds(60))) {
    return Fail("the control plane did not become ready within a minute");
  }
  fmt::print("kueue is up at {}\n", info.url);
  if ((*instance)->metrics_port() != 0) {
    fmt::print("Metrics are at http://{}:{}/metrics\n", MetricsHost(flags),
               (*instance)->metrics_port());
  }
  if (flags.in_memory) {
    fmt::print("Objects are held in memory: they are gone when this process ends.\n");
  } else {
    fmt::print("Objects are kept in {}.\n", flags.data_dir);
  }
  fmt::print(
      "\n  export KUBECONFIG={}\n  kubectl get nodes\n\nEnd it with Ctrl-C or `kueue down`.\n",
      info.kubeconfig);
  for (size_t i = 0; i < info.user_kubeconfigs.size(); ++i) {
    fmt::print("Kubeconfig of user {}: {}\n", flags.users[i], info.user_kubeconfigs[i]);
  }
  std::fflush(stdout);
  const int number = signals.Wait();
  fmt::print("\nstopping ({})\n", number == SIGINT ? "interrupted" : "asked to");
  (*instance)->Stop();
  return 0;
}

int AddUser(const UserFlags& flags) {
  const auto info = embedded::FindInstance(flags.data_dir);
  if (!info) {
    return Fail("nothing runs on " + flags.data_dir + "; start it with `kueue up`");
  }
  const base::RealClock clock;
  const auto path = embedded::WriteUser(flags.data_dir, info->url, {flags.name, flags.groups},
                                        flags.kubeconfig, clock.Now());
  if (!path.ok()) return Fail(path.error().message);
  fmt::print("{}\n", *path);
  return 0;
}

int Down(const std::string& data_dir) {
  const auto info = embedded::FindInstance(data_dir);
  if (!info || info->pid <= 0) {
    fmt::print("nothing runs on {}\n", data_dir);
    return 0;
  }
  if (::kill(static_cast<pid_t>(info->pid), SIGTERM) != 0) {
    return Fail(fmt::format("cannot end process {}", info->pid));
  }
  // The lock goes when the process has ended, however it ends.
  for (int i = 0; i < 200; ++i) {
    if (!embedded::FindInstance(data_dir)) {
      fmt::print("stopped process {}\n", info->pid);
      return 0;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return Fail(fmt::format("process {} has not ended after 10 seconds", info->pid));
}

int Status(const std::string& data_dir) {
  const auto info = embedded::FindInstance(data_dir);
  if (!info) {
    fmt::print("nothing runs on {}\n", data_dir);
    return 1;
  }
  const auto health = CheckHealth(info->kubeconfig);
  fmt::print("process     {}\nserver      {}\nkubeconfig  {}\nhealth      {}\n", info->pid,
             info->url, info->kubeconfig, health.ok() ? "ok" : health.error().message);
  return health.ok() ? 0 : 1;
}

int Backup(const std::string& data_dir, const std::string& file) {
  const auto info = embedded::BackUpInstance(data_dir, file);
  if (!info.ok()) return Fail(info.error().message);
  fmt::print("wrote {} objects ({} bytes) to {}\n", info->objects, info->bytes, file);
  return 0;
}

int Restore(const std::string& data_dir, const std::string& file) {
  const auto info = embedded::RestoreInstance(data_dir, file);
  if (!info.ok()) return Fail(info.error().message);
  fmt::print("{} has the {} objects of {}; `kueue up` goes on with them\n", data_dir, info->objects,
             file);
  return 0;
}

int Reset(const std::string& data_dir) {
  const auto removed = embedded::RemoveInstanceFiles(data_dir);
  if (!removed.ok()) return Fail(removed.error().message);
  fmt::print("{} {}\n", *removed ? "removed what kueue kept in" : "kueue keeps nothing in",
             data_dir);
  return 0;
}

}  // namespace kueue::cli
