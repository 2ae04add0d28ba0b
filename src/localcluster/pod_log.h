#pragma once

#include <string>
#include <vector>

#include "api/types/core.h"

namespace kueue::localcluster {

// On a pod: lines that its containers print when they have started, separated by line feeds.
inline constexpr char kLogAnnotation[] = "kueue-cpp.dev/log";

struct LogLine {
  base::Time time;
  std::string text;  // without a line feed
};

struct ContainerLog {
  std::vector<LogLine> lines;
  bool ended = false;   // nothing will be added
  std::string waiting;  // why there is no log yet: the reason its container waits for
};

// What a simulated container has printed, going by the pod's status: what was started, the lines of
// the annotation, and how it ended. `previous`: of the run before the last restart.
ContainerLog SimulatedLog(const api::Pod& pod, const std::string& container, bool previous);

}  // namespace kueue::localcluster
