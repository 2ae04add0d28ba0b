#include "localcluster/pod_life.h"

#include <algorithm>
#include <charconv>

#include "api/types/names.h"
#include "localcluster/conditions.h"

namespace kueue::localcluster {
namespace {

using base::Duration;
using base::Time;

// A run of more than ten years is for ever: sums of times stay far from overflow.
constexpr int64_t kLongestRunSeconds = 10LL * 366 * 24 * 3600;

// How the annotations want the pod to run.
struct RunPlan {
  std::optional<Duration> run;  // absent: for ever
  int32_t exit_code = 0;
  std::string warning;
};

// "12", "0.5": digits with an optional fraction, to the microsecond.
std::optional<Duration> ParseSeconds(const std::string& text) {
  int64_t whole = 0;
  const char* const end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, whole);
  if (error == std::errc::result_out_of_range) whole = kLongestRunSeconds;
  if ((error != std::errc() && error != std::errc::result_out_of_range) || whole < 0 ||
      text.front() == '-') {
    return std::nullopt;
  }
  int64_t micros = 0;
  if (at != end) {
    if (*at++ != '.' || at == end) return std::nullopt;
    for (int64_t scale = 100000; at != end; ++at, scale /= 10) {
      if (*at < '0' || *at > '9') return std::nullopt;
      micros += (*at - '0') * scale;
    }
  }
  return base::seconds(std::min(whole, kLongestRunSeconds)) + Duration(micros);
}

RunPlan PlanRun(const api::Pod& pod, const PodLifeOptions& options) {
  RunPlan plan;
  if (pod.spec.restart_policy == "OnFailure" || pod.spec.restart_policy == "Never") {
    plan.run = options.default_run;
  }
  const api::StringMap& annotations = pod.metadata.annotations;
  if (const auto it = annotations.find(api::names::kRunSeconds); it != annotations.end()) {
    const auto run = ParseSeconds(it->second);
    if (it->second == "forever" || (run && *run >= base::seconds(kLongestRunSeconds))) {
      plan.run.reset();
    } else if (run) {
      plan.run = run;
    } else {
      plan.warning = "annotation " + it->first + ": '" + it->second.substr(0, 50) +
                     "' is neither seconds (12 or 0.5) nor 'forever'; the default is taken";
    }
  }
  if (const auto it = annotations.find(kExitCodeAnnotation); it != annotations.end()) {
    int32_t code = 0;
    const char* const end = it->second.data() + it->second.size();
    const auto [at, error] = std::from_chars(it->second.data(), end, code);
    if (error == std::errc() && at == end && code >= 0 && code <= 255) {
      plan.exit_code = code;
    } else {
      plan.warning = "annotation " + it->first + ": '" + it->second.substr(0, 50) +
                     "' is no exit code (0 to 255); 0 is taken";
    }
  }
  return plan;
}

void Sooner(PodStep& step, Duration delay) {
  if (!step.look_again || delay < *step.look_again) step.look_again = delay;
}

bool IsSidecar(const api::Container& container) { return container.restart_policy == "Always"; }

std::string ContainerId(const api::Pod& pod, const std::string& container, int32_t restarts) {
  return "simulated://" + pod.metadata.uid + "/" + container + "/" + std::to_string(restarts);
}

// The statuses that belong to the containers, made anew where missing.
std::vector<api::ContainerStatus> MatchingStatuses(const std::vector<api::Container>& containers,
                                                   const std::vector<api::ContainerStatus>& have) {
  std::vector<api::ContainerStatus> out;
  for (const api::Container& container : containers) {
    const auto it = std::find_if(have.begin(), have.end(), [&](const api::ContainerStatus& s) {
      return s.name == container.name;
    });
    api::ContainerStatus status = it == have.end() ? api::ContainerStatus() : *it;
    status.name = container.name;
    status.image = container.image;
    out.push_back(std::move(status));
  }
  return out;
}

void SetReady(api::PodStatus& status, bool ready, const std::string& reason, Time now) {
  const std::string message =
      reason == "ContainersNotReady" ? "the pod waits for containers that are not ready" : "";
  SetCondition(status.conditions, "Ready", ready, reason, message, now);
  SetCondition(status.conditions, "ContainersReady", ready, reason, message, now);
}

// The node has taken the pod: its containers are being made.
void Accept(const api::Pod& pod, const std::string& host_ip, api::PodStatus& status, Time now) {
  status.phase = "Pending";
  status.start_time = base::CutToSeconds(now);
  status.host_ip = host_ip;
  const auto wait = [](std::vector<api::ContainerStatus>& statuses, const char* reason) {
    for (api::ContainerStatus& container : statuses) {
      container.ready = false;
      container.started = false;
      container.state = {};
      container.state.waiting.emplace();
      container.state.waiting->reason = reason;
    }
  };
  status.init_container_statuses = MatchingStatuses(pod.spec.init_containers, {});
  status.container_statuses = MatchingStatuses(pod.spec.containers, {});
  wait(status.init_container_statuses, "PodInitializing");
  wait(status.container_statuses,
       pod.spec.init_containers.empty() ? "ContainerCreating" : "PodInitializing");
  SetCondition(status.conditions, "PodReadyToStartContainers", false, "", "", now);
  SetCondition(status.conditions, "Initialized", pod.spec.init_containers.empty(),
               pod.spec.init_containers.empty() ? "" : "ContainersNotInitialized", "", now);
  SetReady(status, false, "ContainersNotReady", now);
  SetCondition(status.conditions, "PodScheduled", true, "", "", now);
}

void Run(const api::Pod& pod, api::ContainerStatus& container, Time now) {
  container.ready = true;
  container.started = true;
  container.image_id = container.image;
  container.container_id = ContainerId(pod, container.name, container.restart_count);
  container.state = {};
  container.state.running.emplace();
  container.state.running->started_at = base::CutToSeconds(now);
}

void Terminate(const api::Pod& pod, api::ContainerStatus& container, int32_t exit_code,
               const char* reason, Time now) {
  if (container.state.terminated) return;
  api::ContainerStateTerminated end;
  end.exit_code = exit_code;
  end.reason = reason;
  end.started_at = container.state.running ? container.state.running->started_at
                                           : std::optional(base::CutToSeconds(now));
  end.finished_at = base::CutToSeconds(now);
  end.extra.Add("containerID", ContainerId(pod, container.name, container.restart_count));
  container.ready = false;
  container.started = false;
  container.state = {};
  container.state.terminated = std::move(end);
}

// All containers run (again).
void StartContainers(const api::Pod& pod, api::PodStatus& status, Time now) {
  status.phase = "Running";
  status.init_container_statuses =
      MatchingStatuses(pod.spec.init_containers, status.init_container_statuses);
  status.container_statuses = MatchingStatuses(pod.spec.containers, status.container_statuses);
  for (size_t i = 0; i < pod.spec.init_containers.size(); ++i) {
    api::ContainerStatus& container = status.init_container_statuses[i];
    if (container.state.running || container.state.terminated) continue;
    Run(pod, container, now);
    if (IsSidecar(pod.spec.init_containers[i])) continue;
    Terminate(pod, container, 0, "Completed", now);
    container.ready = true;  // an init container is ready when it is done
  }
  for (api::ContainerStatus& container : status.container_statuses) {
    if (!container.state.running) Run(pod, container, now);
  }
  SetCondition(status.conditions, "PodReadyToStartContainers", true, "", "", now);
  SetCondition(status.conditions, "Initialized", true, "", "", now);
  SetReady(status, true, "", now);
}

// All containers have stopped for good.
void End(const api::Pod& pod, api::PodStatus& status, bool succeeded, int32_t exit_code,
         const char* reason, Time now) {
  status.phase = succeeded ? "Succeeded" : "Failed";
  for (size_t i = 0; i < status.init_container_statuses.size(); ++i) {
    Terminate(pod, status.init_container_statuses[i], 0, "Completed", now);
  }
  for (api::ContainerStatus& container : status.container_statuses) {
    Terminate(pod, container, exit_code, reason, now);
  }
  SetCondition(status.conditions, "PodReadyToStartContainers", false, "", "", now);
  if (succeeded) SetCondition(status.conditions, "Initialized", true, "PodCompleted", "", now);
  SetReady(status, false, succeeded ? "PodCompleted" : "PodFailed", now);
}

int32_t Restarts(const api::PodStatus& status) {
  int32_t most = 0;
  for (const api::ContainerStatus& c : status.container_statuses) {
    most = std::max(most, c.restart_count);
  }
  return most;
}

// How long containers wait before restart number `restarts` + 1.
Duration RestartDelay(int32_t restarts, const PodLifeOptions& options) {
  if (restarts <= 0) return Duration(0);
  Duration delay = options.first_restart_delay;
  for (int32_t i = 1; i < restarts && delay < options.longest_restart_delay; ++i) delay *= 2;
  return std::min(delay, options.longest_restart_delay);
}

// The containers ended, and will be started again after a while.
void WaitForRestart(const api::Pod& pod, api::PodStatus& status, int32_t exit_code, Time now) {
  for (api::ContainerStatus& container : status.container_statuses) {
    Terminate(pod, container, exit_code, exit_code == 0 ? "Completed" : "Error", now);
    container.last_state = container.state;
    container.state = {};
    container.state.waiting.emplace();
    container.state.waiting->reason = "CrashLoopBackOff";
    container.state.waiting->message = "the container has ended and is started again after a while";
  }
  SetReady(status, false, "ContainersNotReady", now);
}

std::optional<Time> StartedAt(const api::PodStatus& status) {
  for (const api::ContainerStatus& c : status.container_statuses) {
    if (c.state.running && c.state.running->started_at) return c.state.running->started_at;
  }
  return std::nullopt;
}

std::optional<Time> EndedAt(const api::PodStatus& status) {
  for (const api::ContainerStatus& c : status.container_statuses) {
    if (c.last_state.terminated && c.last_state.terminated->finished_at) {
      return c.last_state.terminated->finished_at;
    }
  }
  return std::nullopt;
}

bool WaitsForRestart(const api::PodStatus& status) {
  return !status.container_statuses.empty() &&
         status.container_statuses[0].state.waiting.has_value();
}

// Deletion: containers end after the termination time, then the object goes. A pod with finalizers
// says first how it ended, since somebody waits to read it.
void StepDeletion(const api::Pod& pod, PodMemory& memory, Time now, const PodLifeOptions& options,
                  PodStep& step) {
  const bool started = pod.status.phase == "Running";
  if (started) {
    const Duration grace = base::seconds(
        std::clamp<int64_t>(pod.metadata.deletion_grace_period_seconds.value_or(0), 0, 1 << 30));
    const Time asked = *pod.metadata.deletion_timestamp - grace;
    const Time end = asked + std::min(grace, options.termination);
    if (now < end) {
      Sooner(step, end - now);
      return;
    }
  }
  if (!pod.metadata.finalizers.empty() && !HasEnded(pod)) {
    End(pod, step.status, false, 137, "Error", now);
    return;
  }
  step.remove = !memory.removed;
}

void StepRunning(const api::Pod& pod, PodMemory& memory, Time now, const PodLifeOptions& options,
                 PodStep& step) {
  const RunPlan plan = PlanRun(pod, options);
  api::PodStatus& status = step.status;
  if (WaitsForRestart(status)) {
    if (!memory.ended) memory.ended = EndedAt(status).value_or(now);
    const Time due = *memory.ended + RestartDelay(Restarts(status), options);
    if (now < due) return Sooner(step, due - now);
    for (api::ContainerStatus& container : status.container_statuses) ++container.restart_count;
    StartContainers(pod, status, now);
    memory.started = now;
    memory.ended.reset();
    if (plan.run) Sooner(step, *plan.run);
    return;
  }
  // The node was away and made the pod unready.
  if (!IsTrue(status.conditions, "Ready")) SetReady(status, true, "", now);
  if (!plan.run) return;
  if (!memory.started) memory.started = StartedAt(status).value_or(now);
  const Time end = *memory.started + *plan.run;
  if (now < end) return Sooner(step, end - now);
  const bool succeeded = plan.exit_code == 0;
  const std::string& policy = pod.spec.restart_policy;
  if (policy == "Never" || (policy == "OnFailure" && succeeded)) {
    return End(pod, status, succeeded, plan.exit_code, succeeded ? "Completed" : "Error", now);
  }
  WaitForRestart(pod, status, plan.exit_code, now);
  memory.ended = now;
  Sooner(step, RestartDelay(Restarts(status), options));
}

}  // namespace

bool HasEnded(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

PodStep StepPod(const api::Pod& pod, const std::string& host_ip, PodMemory& memory, Time now,
                const PodLifeOptions& options) {
  PodStep step;
  step.status = pod.status;
  if (pod.metadata.deletion_timestamp) {
    StepDeletion(pod, memory, now, options, step);
    return step;
  }
  if (HasEnded(pod)) return step;
  if (const auto limit = pod.spec.active_deadline_seconds; limit && pod.status.start_time) {
    const Time deadline =
        *pod.status.start_time + base::seconds(std::clamp<int64_t>(*limit, 0, kLongestRunSeconds));
    if (now >= deadline) {
      End(pod, step.status, false, 137, "Error", now);
      step.status.reason = "DeadlineExceeded";
      step.status.message = "the pod was active for longer than its activeDeadlineSeconds";
      return step;
    }
    Sooner(step, deadline - now);
  }
  if (pod.status.phase == "Running") {
    StepRunning(pod, memory, now, options, step);
    return step;
  }
  if (!pod.status.start_time) {
    Accept(pod, host_ip, step.status, now);
    memory.accepted = now;
  }
  const Time due =
      memory.accepted.value_or(step.status.start_time.value_or(now)) + options.start_delay;
  if (now < due) {
    Sooner(step, due - now);
    return step;
  }
  StartContainers(pod, step.status, now);
  memory.started = now;
  const RunPlan plan = PlanRun(pod, options);
  step.warning = plan.warning;
  if (plan.run) Sooner(step, *plan.run);
  return step;
}

}  // namespace kueue::localcluster
