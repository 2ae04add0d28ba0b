#include "localcluster/pod_log.h"

#include <algorithm>

#include "localcluster/pod_life.h"

namespace kueue::localcluster {
namespace {

template <class T>
const T* Named(const std::vector<T>& items, const std::string& name) {
  for (const T& item : items) {
    if (item.name == name) return &item;
  }
  return nullptr;
}

void AddLines(const std::string& text, base::Time time, std::vector<LogLine>& lines) {
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back({time, text.substr(from, end - from)});
    from = end + 1;
  }
}

std::string CommandOf(const api::Container& container) {
  std::string text = "started " + (container.image.empty() ? "container" : container.image);
  for (const auto* part : {&container.command, &container.args}) {
    for (const std::string& word : *part) text += " " + word;
  }
  return text;
}

void AddRun(const api::Pod& pod, const api::Container& container, const api::ContainerState& state,
            ContainerLog& log) {
  const auto& end = state.terminated;
  const auto started = end             ? end->started_at
                       : state.running ? state.running->started_at
                                       : std::nullopt;
  if (!started) return;
  AddLines(CommandOf(container), *started, log.lines);
  if (const auto it = pod.metadata.annotations.find(kLogAnnotation);
      it != pod.metadata.annotations.end()) {
    AddLines(it->second, *started, log.lines);
  }
  if (!end) return;
  log.ended = true;
  log.lines.push_back(
      {end->finished_at.value_or(*started), "exited with code " + std::to_string(end->exit_code)});
}

}  // namespace

ContainerLog SimulatedLog(const api::Pod& pod, const std::string& name, bool previous) {
  ContainerLog log;
  const api::Container* container = Named(pod.spec.containers, name);
  const api::ContainerStatus* status = Named(pod.status.container_statuses, name);
  if (container == nullptr) {
    container = Named(pod.spec.init_containers, name);
    status = Named(pod.status.init_container_statuses, name);
  }
  log.ended = HasEnded(pod);
  if (container == nullptr || status == nullptr) {
    log.waiting = "ContainerCreating";
    return log;
  }
  if (previous) {
    AddRun(pod, *container, status->last_state, log);
    log.ended = true;
    return log;
  }
  AddRun(pod, *container, status->state, log);
  if (status->state.waiting && status->last_state.terminated) {
    AddRun(pod, *container, status->last_state, log);
    log.ended = false;
  } else if (status->state.waiting) {
    log.waiting = status->state.waiting->reason;
  }
  return log;
}

}  // namespace kueue::localcluster
