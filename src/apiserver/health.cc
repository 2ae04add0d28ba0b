#include "apiserver/health.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kueue::apiserver {

namespace {

struct Probe {
  std::string_view name;
  std::vector<std::string_view> checks;
};

// The names clients of Kubernetes know. "etcd" is whatever keeps the objects.
const std::vector<Probe>& Probes() {
  static const std::vector<Probe> probes = {
      {"healthz", {"ping", "log", "etcd", "poststarthook/start-system-namespaces-controller"}},
      {"livez", {"ping", "log", "etcd", "poststarthook/start-system-namespaces-controller"}},
      {"readyz",
       {"ping", "log", "etcd", "etcd-readiness", "informer-sync",
        "poststarthook/start-system-namespaces-controller", "shutdown"}},
  };
  return probes;
}

std::vector<std::string> Excluded(const Call& call) {
  std::vector<std::string> excluded;
  for (const auto& [name, value] : call.target.query) {
    if (name == "exclude") excluded.push_back(value);
  }
  return excluded;
}

std::string Report(const Probe& probe, const std::vector<std::string>& excluded) {
  const auto is_excluded = [&](std::string_view check) {
    return std::find(excluded.begin(), excluded.end(), check) != excluded.end();
  };
  std::string text;
  for (const std::string_view check : probe.checks) {
    text += fmt::format("[+]{} {}ok\n", check, is_excluded(check) ? "excluded: " : "");
  }
  for (const std::string& check : excluded) {
    if (std::find(probe.checks.begin(), probe.checks.end(), check) != probe.checks.end()) continue;
    text +=
        fmt::format("warn: some health checks cannot be excluded: no matches for \"{}\"\n", check);
  }
  return text + fmt::format("{} check passed\n", probe.name);
}

}  // namespace

std::vector<std::string> HealthPaths() {
  std::vector<std::string> paths;
  for (const Probe& probe : Probes()) {
    paths.push_back(fmt::format("/{}", probe.name));
    for (const std::string_view check : probe.checks) {
      paths.push_back(fmt::format("/{}/{}", probe.name, check));
    }
  }
  return paths;
}

bool HandleHealth(Call& call) {
  const auto& segments = call.segments;
  if (segments.empty()) return false;
  const auto probe = std::find_if(Probes().begin(), Probes().end(),
                                  [&](const Probe& p) { return p.name == segments[0]; });
  if (probe == Probes().end()) return false;
  if (call.request.method != "GET" && call.request.method != "HEAD") {
    SendError(call, MethodNotAllowedError());
    return true;
  }
  if (segments.size() == 1) {
    const bool verbose = call.target.Query("verbose").has_value();
    SendText(call, 200, verbose ? Report(*probe, Excluded(call)) : "ok");
    return true;
  }
  std::string check = segments[1];
  for (size_t i = 2; i < segments.size(); ++i) check += "/" + segments[i];
  const bool known =
      std::find(probe->checks.begin(), probe->checks.end(), check) != probe->checks.end();
  SendText(call, known ? 200 : 404, known ? "ok" : "404 page not found\n");
  return true;
}

}  // namespace kueue::apiserver
