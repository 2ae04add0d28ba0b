#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "api/codec/json_text.h"
#include "api/schema/simple_queue.h"
#include "api/types/names.h"
#include "simulation/world.h"

// For tests of the simple dialect: a world with the dialect on, filled by manifests as `kubectl
// apply` would, and a record of who was admitted when.
namespace kueue::simulation {

inline const api::KindInfo& Older(const std::string& kind) {
  const api::KindInfo* found = api::FindKind("kueue.x-k8s.io", "v1beta1", kind);
  KUEUE_CHECK_MSG(found != nullptr, kind);
  return *found;
}

class DialectWorld {
 public:
  struct Entry {
    std::string name;
    base::Time at;
  };

  explicit DialectWorld(bool on = true) : world(Options(on)) {
    world.plane().server().store().AddWatcher(
        &api::KindOf<api::Workload>(),
        [this](const apiserver::StoreChange& change) { Note(change); });
  }

  // Objects without a namespace go to `default`.
  base::Status Apply(const std::string& yaml) {
    auto documents = api::ParseYaml(yaml);
    if (!documents.ok()) return documents.error();
    for (api::Json& document : *documents) {
      const api::KindInfo* kind = api::FindKindOf(document);
      if (kind == nullptr) return base::Invalid("unknown: " + document.StringAt({"kind"}));
      if (kind->namespaced && document.StringAt({"metadata", "namespace"}).empty()) {
        document["metadata"].Set("namespace", "default");
      }
      if (auto created = world.Create(document); !created.ok()) return created.error();
    }
    return {};
  }
  void Run(base::Duration time) { world.executor().RunFor(time); }

  api::Workload Work(const std::string& name) {
    for (api::Workload& workload : world.All<api::Workload>()) {
      if (workload.metadata.name == name) return workload;
    }
    return {};
  }
  bool Is(const std::string& name, const char* condition) {
    return api::IsConditionTrue(Work(name).status.conditions, condition);
  }
  std::string State(const std::string& name) {
    const auto got = world.Get(api::KindOf<api::Workload>(), {"default", name});
    return got.ok() ? got->StringAt({"status", "state"}) : "";
  }

  World world;
  std::vector<Entry> admitted, finished;  // in the order of the writes
  // The most that was reserved at a time, by "queue/flavor/resource", in units of the resource.
  std::map<std::string, int64_t> most;

 private:
  static WorldOptions Options(bool on) {
    WorldOptions options;
    options.plane.manager.controllers.simple_dialect = on;
    options.plane.cluster.nodes =
        *localcluster::ParseNodeSpec("4x(cpu=64,memory=256Gi,nvidia.com/gpu=8,amd.com/rocm=4)");
    return options;
  }
  static bool IsTrue(const apiserver::StoredPtr& stored, const char* type) {
    if (!stored) return false;
    const auto workload = api::Decode<api::Workload>(stored->object());
    return workload.ok() && api::IsConditionTrue(workload->status.conditions, type);
  }
  void Note(const apiserver::StoreChange& change) {
    Count(change.before, -1);
    if (change.type != apiserver::ChangeType::kDeleted) Count(change.object, +1);
    for (const auto& [cell, amount] : used_) most[cell] = std::max(most[cell], amount);
    if (change.type == apiserver::ChangeType::kDeleted) return;
    const std::string name = change.object->object().StringAt({"metadata", "name"});
    const auto turned = [&](const char* type) {
      return IsTrue(change.object, type) && !IsTrue(change.before, type);
    };
    const base::Time now = world.executor().clock().Now();
    if (turned(api::names::kAdmitted)) admitted.push_back({name, now});
    if (turned(api::names::kFinished)) finished.push_back({name, now});
  }
  void Count(const apiserver::StoredPtr& stored, int sign) {
    if (!stored || IsTrue(stored, api::names::kFinished)) return;
    const auto workload = api::Decode<api::Workload>(stored->object());
    if (!workload.ok() || !workload->status.admission) return;
    const api::Admission& admission = *workload->status.admission;
    for (const auto& set : admission.pod_set_assignments) {
      for (const auto& [resource, quantity] : set.resource_usage) {
        used_[admission.cluster_queue + "/" + set.flavors.at(resource) + "/" + resource] +=
            sign * resources::RequestUnits(resource, quantity);
      }
    }
  }
  std::map<std::string, int64_t> used_;
};

}  // namespace kueue::simulation
