#include "cli/manager_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace kueue::cli {
namespace {

// ADDRESS:PORT with the address left out for all of this machine's; "0" for none.
std::string CheckAddress(const std::string& text) {
  if (text == "0") return "";
  const size_t colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool digits =
      !port.empty() && port.size() <= 5 &&
      std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits && std::stoi(port) <= 65535) return "";
  return "'" + text + "': write it as :PORT or ADDRESS:PORT, for example :8080, or 0 for none";
}

}  // namespace

bool ParseManagerFlags(std::vector<std::string> arguments, ManagerFlags& flags, int& code) {
  CLI::App app("Job queueing for Kubernetes: the manager", "kueue-controller-manager");
  app.add_flag("--leader-elect", flags.leader_elect,
               "only one of several replicas works; --leader-elect=true or =false");
  app.add_option("--metrics-addr", flags.metrics_address, "where /metrics is served, plain HTTP")
      ->check(CheckAddress)
      ->capture_default_str();
  app.add_option("--health-probe-bind-address", flags.health_address,
                 "where /healthz and /readyz are served")
      ->check(CheckAddress)
      ->capture_default_str();
  app.add_option("--kubeconfig", flags.kubeconfig,
                 "how to reach the cluster; otherwise as the pod's service account");
  app.add_option("--config", flags.config, "file of the Configuration");
  // CLI11 takes the arguments from the end.
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    code = app.exit(error) == 0 ? 0 : 2;
    return false;
  }
  return true;
}

int RunManager(std::vector<std::string> arguments) {
  ManagerFlags flags;
  int code = 0;
  if (!ParseManagerFlags(std::move(arguments), flags, code)) return code;
  fmt::print(stderr,
             "kueue-controller-manager: the flags are understood (leader election {}, metrics at "
             "{}, probes at {}), but this build cannot run as the manager of another cluster yet; "
             "`kueue up` runs manager and cluster in one process\n",
             flags.leader_elect ? "on" : "off", flags.metrics_address, flags.health_address);
  return 1;
}

}  // namespace kueue::cli
