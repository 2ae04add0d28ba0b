#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/types/core.h"

// The life of a simulated pod on its node, as a function of time.
namespace kueue::localcluster {

// On a pod: with what code its containers end; 0 to 255. Absent: 0. How long it runs is
// api::names::kRunSeconds: seconds, a fraction is allowed, or "forever".
inline constexpr char kExitCodeAnnotation[] = "kueue-cpp.dev/exit-code";

struct PodLifeOptions {
  base::Duration start_delay = base::seconds(1);  // from binding to running
  // Run time of pods that do not say it and do not restart always. Absent: for ever. Pods that
  // restart always are services: unless they say otherwise they run for ever.
  std::optional<base::Duration> default_run = base::seconds(10);
  base::Duration termination = base::seconds(1);  // from deletion to the end; at most the grace
  // Before the second restart of a container; doubles up to the longest. The first is at once.
  base::Duration first_restart_delay = base::seconds(10);
  base::Duration longest_restart_delay = base::seconds(300);
};

// Instants of a pod's life finer than the whole seconds of its status. Absent ones are taken from
// the status (after a restart of the process).
struct PodMemory {
  std::optional<base::Time> accepted, started, ended;
  bool removed = false;  // the deletion was asked for; finalizers may keep the pod
};

// What is due for a pod now.
struct PodStep {
  api::PodStatus status;  // what the status should say
  bool remove = false;    // delete it now, without grace
  std::optional<base::Duration> look_again;
  std::string warning;  // for a person: an annotation that makes no sense, and what is taken
};

// Phase Succeeded or Failed.
bool HasEnded(const api::Pod& pod);

// REQUIRES: the pod is bound to a node that lives, or is being deleted. `host_ip` is the node's
// address; podIP is left to the caller. Moves at most one stage: the write brings the next call.
PodStep StepPod(const api::Pod& pod, const std::string& host_ip, PodMemory& memory, base::Time now,
                const PodLifeOptions& options);

}  // namespace kueue::localcluster
