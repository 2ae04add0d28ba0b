#include <optional>

#include "api/schema/columns_built_in.h"
#include "api/schema/validation_parts.h"
#include "base/time.h"

// The row of a pod: what its containers do, condensed into one word as kubectl shows it.
namespace kueue::api {
namespace {

struct PodSummary {
  std::string reason;
  int64_t containers = 0, ready = 0, restarts = 0;
  std::optional<Time> last_restart;
};

const Json* State(const Json& container, std::string_view state) {
  return container.FindPath({"state", state});
}

// Sidecars are init containers that keep running.
bool IsSidecar(const Json& pod, std::string_view name) {
  for (const Json& container : Items(pod.FindPath({"spec", "initContainers"}))) {
    if (Text(container, "name") == name) return Text(container, "restartPolicy") == "Always";
  }
  return false;
}

const Json* Condition(const Json& pod, std::string_view type) {
  for (const Json& condition : Items(pod.FindPath({"status", "conditions"}))) {
    if (Text(condition, "type") == type) return &condition;
  }
  return nullptr;
}

bool IsTrue(const Json& pod, std::string_view type) {
  const Json* condition = Condition(pod, type);
  return condition && Text(*condition, "status") == "True";
}

void CountRestarts(const Json& container, PodSummary& summary) {
  summary.restarts += Int(container, "restartCount").value_or(0);
  const auto time =
      base::ParseTime(container.StringAt({"lastState", "terminated", "finishedAt"}));
  if (!time.ok()) return;
  if (!summary.last_restart || *summary.last_restart < *time) summary.last_restart = *time;
}

// "Error", or "Signal:9" or "ExitCode:1" where no reason was given.
std::string TerminatedText(const Json& terminated) {
  const std::string_view reason = Text(terminated, "reason");
  if (!reason.empty()) return std::string(reason);
  const int64_t signal = Int(terminated, "signal").value_or(0);
  if (signal != 0) return "Signal:" + std::to_string(signal);
  return "ExitCode:" + std::to_string(Int(terminated, "exitCode").value_or(0));
}

// Returns whether the pod is still in its init containers.
bool SummarizeInit(const Json& pod, PodSummary& summary, PodSummary& sidecars) {
  const Json::Array& statuses = Items(pod.FindPath({"status", "initContainerStatuses"}));
  const size_t total = Items(pod.FindPath({"spec", "initContainers"})).size();
  for (size_t i = 0; i < statuses.size(); ++i) {
    const Json& container = statuses[i];
    CountRestarts(container, summary);
    const bool sidecar = IsSidecar(pod, Text(container, "name"));
    if (sidecar) CountRestarts(container, sidecars);
    const Json* terminated = State(container, "terminated");
    const Json* waiting = State(container, "waiting");
    if (terminated && Int(*terminated, "exitCode").value_or(0) == 0) continue;
    if (sidecar && True(container, "started")) {
      if (True(container, "ready")) ++summary.ready;
      continue;
    }
    if (terminated) {
      summary.reason = "Init:" + TerminatedText(*terminated);
    } else if (waiting && !Text(*waiting, "reason").empty() &&
               Text(*waiting, "reason") != "PodInitializing") {
      summary.reason = "Init:" + std::string(Text(*waiting, "reason"));
    } else {
      summary.reason = "Init:" + std::to_string(i) + "/" + std::to_string(total);
    }
    return true;
  }
  return false;
}

void SummarizeContainers(const Json& pod, PodSummary& summary) {
  const Json::Array& statuses = Items(pod.FindPath({"status", "containerStatuses"}));
  bool running = false;
  for (size_t i = statuses.size(); i-- > 0;) {
    const Json& container = statuses[i];
    CountRestarts(container, summary);
    const Json* waiting = State(container, "waiting");
    const Json* terminated = State(container, "terminated");
    if (waiting && !Text(*waiting, "reason").empty()) {
      summary.reason = Text(*waiting, "reason");
    } else if (terminated) {
      summary.reason = TerminatedText(*terminated);
    } else if (True(container, "ready") && State(container, "running")) {
      running = true;
      ++summary.ready;
    }
  }
  if (summary.reason == "Completed" && running) {
    summary.reason = IsTrue(pod, "Ready") ? "Running" : "NotReady";
  }
}

PodSummary Summarize(const Json& pod) {
  PodSummary summary;
  const std::string phase = pod.StringAt({"status", "phase"});
  const std::string given = pod.StringAt({"status", "reason"});
  summary.containers =
      static_cast<int64_t>(Items(pod.FindPath({"spec", "containers"})).size());
  for (const Json& container : Items(pod.FindPath({"spec", "initContainers"}))) {
    if (Text(container, "restartPolicy") == "Always") ++summary.containers;
  }
  summary.reason = given.empty() ? phase : given;
  const Json* scheduled = Condition(pod, "PodScheduled");
  if (scheduled && Text(*scheduled, "reason") == "SchedulingGated") {
    summary.reason = "SchedulingGated";
  }
  PodSummary sidecars;
  const bool initializing = SummarizeInit(pod, summary, sidecars);
  if (!initializing || IsTrue(pod, "Initialized")) {
    summary.restarts = sidecars.restarts;
    summary.last_restart = sidecars.last_restart;
    SummarizeContainers(pod, summary);
  }
  const Json* deleted = pod.FindPath({"metadata", "deletionTimestamp"});
  if (deleted && !deleted->IsNull()) {
    if (given == "NodeLost") {
      summary.reason = "Unknown";
    } else if (phase != "Succeeded" && phase != "Failed") {
      summary.reason = "Terminating";
    }
  }
  return summary;
}

std::string RestartsText(const PodSummary& summary, Time now) {
  std::string text = std::to_string(summary.restarts);
  if (summary.restarts == 0 || !summary.last_restart) return text;
  return text + " (" + base::FormatAge(now - *summary.last_restart) + " ago)";
}

std::string ReadinessGates(const Json& pod) {
  const Json::Array& gates = Items(pod.FindPath({"spec", "readinessGates"}));
  if (gates.empty()) return kNone;
  size_t open = 0;
  for (const Json& gate : gates) {
    if (IsTrue(pod, Text(gate, "conditionType"))) ++open;
  }
  return std::to_string(open) + "/" + std::to_string(gates.size());
}

std::string PodAddress(const Json& pod) {
  const Json::Array& addresses = Items(pod.FindPath({"status", "podIPs"}));
  if (!addresses.empty()) return std::string(Text(addresses.front(), "ip"));
  return pod.StringAt({"status", "podIP"}, kNone);
}

}  // namespace

std::vector<Json> PodRow(const Json& object, Time now) {
  const PodSummary summary = Summarize(object);
  return {object.StringAt({"metadata", "name"}),
          std::to_string(summary.ready) + "/" + std::to_string(summary.containers),
          summary.reason,
          RestartsText(summary, now),
          AgeAt(object, {"metadata", "creationTimestamp"}, now),
          PodAddress(object),
          object.StringAt({"spec", "nodeName"}, kNone),
          object.StringAt({"status", "nominatedNodeName"}, kNone),
          ReadinessGates(object)};
}

}  // namespace kueue::api
