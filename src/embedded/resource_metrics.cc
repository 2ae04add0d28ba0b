#include "embedded/resource_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "api/match/pod_requests.h"
#include "embedded/manager_presence.h"
#include "localcluster/pod_life.h"

namespace kueue::embedded {

using api::Json;

namespace {

// Metrics are told as means over so long.
constexpr char kWindow[] = "15s";

struct Usage {
  int64_t cpu_milli = 0, memory_bytes = 0;
};

api::KindInfo MakeKind(std::string_view kind, std::string_view plural, bool namespaced) {
  api::KindInfo info;
  info.group = "metrics.k8s.io";
  info.version = "v1beta1";
  info.kind = kind;
  info.plural = plural;
  info.namespaced = namespaced;
  info.table = &api::DescriptorOf<api::ConfigMap>();
  return info;
}
const api::KindInfo& NodeKind() {
  static const api::KindInfo* const kind =
      new api::KindInfo(MakeKind("NodeMetrics", "nodes", false));
  return *kind;
}
const api::KindInfo& PodKind() {
  static const api::KindInfo* const kind = new api::KindInfo(MakeKind("PodMetrics", "pods", true));
  return *kind;
}

// CPU time and memory of this process; the CPU over its whole life.
Usage UsageOfProcess(const api::Pod& pod, base::Time now) {
  Usage usage;
  rusage times{};
  getrusage(RUSAGE_SELF, &times);
  const int64_t micros = (int64_t{times.ru_utime.tv_sec} + times.ru_stime.tv_sec) * 1000000 +
                         times.ru_utime.tv_usec + times.ru_stime.tv_usec;
  base::Time since = now;
  for (const api::ContainerStatus& container : pod.status.container_statuses) {
    if (container.state.running) since = container.state.running->started_at.value_or(now);
  }
  usage.cpu_milli = micros * 1000 / std::max<int64_t>((now - since).count(), 1000000);
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    long total = 0, resident = 0;
    if (std::fscanf(file, "%ld %ld", &total, &resident) == 2) {
      usage.memory_bytes = int64_t{resident} * sysconf(_SC_PAGESIZE);
    }
    std::fclose(file);
  }
  return usage;
}

Usage UsageOf(const api::Container& container) {
  Usage usage;
  const auto amount = [&](const char* name) {
    for (const auto* list : {&container.resources.requests, &container.resources.limits}) {
      const auto it = list->find(name);
      if (it != list->end()) return resources::RequestUnits(name, it->second);
    }
    return int64_t{0};
  };
  usage.cpu_milli = amount("cpu");
  usage.memory_bytes = amount("memory");
  return usage;
}

Json UsageJson(const Usage& usage) {
  Json json = Json::MakeObject();
  json.Set("cpu", std::to_string(usage.cpu_milli) + "m");
  json.Set("memory", std::to_string((usage.memory_bytes + 1023) / 1024) + "Ki");
  return json;
}

Json Described(const api::ObjectMeta& meta, base::Time now) {
  Json object = Json::MakeObject();
  Json& metadata = object["metadata"];
  metadata.Set("name", meta.name);
  if (!meta.namespace_name.empty()) metadata.Set("namespace", meta.namespace_name);
  metadata.Set("creationTimestamp", base::FormatTime(now));
  if (!meta.labels.empty()) {
    Json labels = Json::MakeObject();
    for (const auto& [key, value] : meta.labels) labels.Set(key, value);
    metadata.Set("labels", std::move(labels));
  }
  object.Set("timestamp", base::FormatTime(now));
  object.Set("window", kWindow);
  return object;
}

bool Runs(const api::Pod& pod) { return pod.status.phase == "Running"; }

}  // namespace

class ResourceMetrics::PodsOf final : public apiserver::ComputedObjects {
 public:
  explicit PodsOf(const kube::Cache& cache) : cache_(cache) {}
  std::vector<Json> List(const std::string& namespace_name, base::Time now) override {
    std::vector<Json> out;
    for (const auto& pod : cache_.List<api::Pod>(namespace_name)) {
      if (!Runs(*pod)) continue;
      const bool own = ShowsManager(pod->metadata);
      Json object = Described(pod->metadata, now);
      Json containers = Json::MakeArray();
      for (const api::Container& container : pod->spec.containers) {
        Json item = Json::MakeObject();
        item.Set("name", container.name);
        item.Set("usage", UsageJson(own ? UsageOfProcess(*pod, now) : UsageOf(container)));
        containers.Append(std::move(item));
      }
      object.Set("containers", std::move(containers));
      out.push_back(std::move(object));
    }
    return out;
  }

 private:
  const kube::Cache& cache_;
};

class ResourceMetrics::Nodes final : public apiserver::ComputedObjects {
 public:
  explicit Nodes(const kube::Cache& cache) : cache_(cache) {}
  std::vector<Json> List(const std::string&, base::Time now) override {
    std::map<std::string, Usage> used;
    for (const auto& pod : cache_.List<api::Pod>()) {
      if (!Runs(*pod)) continue;
      Usage& sum = used[pod->spec.node_name];
      for (const api::Container& container : pod->spec.containers) {
        const Usage usage = UsageOf(container);
        sum.cpu_milli += usage.cpu_milli;
        sum.memory_bytes += usage.memory_bytes;
      }
    }
    std::vector<Json> out;
    for (const auto& node : cache_.List<api::Node>()) {
      Json object = Described(node->metadata, now);
      object.Set("usage", UsageJson(used[node->metadata.name]));
      out.push_back(std::move(object));
    }
    return out;
  }

 private:
  const kube::Cache& cache_;
};

ResourceMetrics::ResourceMetrics(apiserver::Server& server, const kube::Cache& cache)
    : nodes_(std::make_unique<Nodes>(cache)), pods_(std::make_unique<PodsOf>(cache)) {
  server.AddComputed(NodeKind(), *nodes_);
  server.AddComputed(PodKind(), *pods_);
}
ResourceMetrics::~ResourceMetrics() = default;

}  // namespace kueue::embedded
