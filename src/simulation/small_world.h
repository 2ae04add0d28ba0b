#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "api/codec/json_text.h"
#include "api/types/batch.h"
#include "api/types/names.h"
#include "simulation/world.h"

// For tests: a small cluster with one flavor, and short ways to say what users do in it.
namespace kueue::simulation {

// One job for SmallWorld::Submit.
struct SmallJob {
  explicit SmallJob(std::string name_of) : name(std::move(name_of)) {}
  SmallJob& Pods(int n) { return parallelism = completions = n, *this; }
  SmallJob& Completions(int n) { return completions = n, *this; }
  SmallJob& Cpu(std::string value) { return cpu = std::move(value), *this; }
  SmallJob& Seconds(int n) { return seconds = n, *this; }
  SmallJob& Queue(std::string value) { return queue = std::move(value), *this; }
  // "key: value" of the job.
  SmallJob& Label(std::string text) { return labels += ", " + std::move(text), *this; }
  SmallJob& Annotation(std::string text) { return annotations += std::move(text) + ", ", *this; }
  // "key: value, " of the pods' annotations, of their spec and of the job's spec.
  SmallJob& PodAnnotation(std::string text) {
    return pod_annotations += ", " + std::move(text), *this;
  }
  SmallJob& PodSpec(std::string text) { return pod_spec += std::move(text) + ", ", *this; }
  SmallJob& Spec(std::string text) { return spec += std::move(text) + ", ", *this; }
  // Instead of requests of cpu: a container's resources.
  SmallJob& Resources(std::string text) { return resources = std::move(text), *this; }

  std::string Yaml() const {
    const std::string asks = resources.empty() ? "{requests: {cpu: '" + cpu + "'}}" : resources;
    return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: " + name +
           ", namespace: default, labels: {kueue.x-k8s.io/queue-name: " + queue + labels +
           "}, annotations: {" + annotations + "}}\nspec: {" + spec +
           "parallelism: " + std::to_string(parallelism) +
           ", completions: " + std::to_string(completions) +
           ", template: {metadata: {annotations: {kueue-cpp.dev/run-seconds: '" +
           std::to_string(seconds) + "'" + pod_annotations + "}}, spec: {" + pod_spec +
           "restartPolicy: Never, containers: [{name: c, image: i, resources: " + asks + "}]}}}\n";
  }

  std::string name, cpu = "1", queue = "lq", labels, annotations, pod_annotations, pod_spec, spec,
                    resources;
  int parallelism = 1, completions = 1, seconds = 3600;
};

inline std::string SmallQueue(const std::string& name, const std::string& cpu,
                              const std::string& more = "") {
  return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: " + name +
         "}\nspec:\n  namespaceSelector: {}\n  resourceGroups:\n  - coveredResources: [cpu]\n" +
         "    flavors: [{name: default, resources: [{name: cpu, nominalQuota: '" + cpu + "'}]}]\n" +
         more;
}
inline std::string SmallLocalQueue(const std::string& name, const std::string& target) {
  return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: " + name +
         ", namespace: default}\nspec: {clusterQueue: " + target + "}\n";
}
inline constexpr char kSmallFlavor[] =
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: default}\n";
inline constexpr char kSmallClasses[] =
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: low}\n"
    "value: 10\n"
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: high}\n"
    "value: 1000\n";
// For Label().
inline std::string PriorityClass(const std::string& name) {
  return "kueue.x-k8s.io/priority-class: " + name;
}

class SmallWorld : public testing::Test {
 protected:
  // Nothing runs before Begin.
  SmallWorld() { options_.plane.cluster.nodes = *localcluster::ParseNodeSpec("8x(cpu=16)"); }
  manager::ManagerOptions& ManagerOptions() { return options_.plane.manager; }
  WorldOptions& Options() { return options_; }
  void Begin(const std::string& yaml) {
    world_ = std::make_unique<World>(options_);
    world_->plane().server().store().AddWatcher(
        nullptr, [this](const apiserver::StoreChange& change) {
          const bool runs_out =
              change.kind->kind == "Event" && change.type == apiserver::ChangeType::kDeleted;
          if (!runs_out) written_.push_back(std::string(change.kind->kind) + " " + change.key);
        });
    Add(kSmallFlavor + yaml);
    Run(5);
  }
  World& world() { return *world_; }

  void Add(const std::string& yaml) {
    const auto created = world_->CreateAll(yaml);
    ASSERT_TRUE(created.ok()) << created.error().message;
  }
  void Submit(const SmallJob& job) { Add(job.Yaml()); }
  void Run(int seconds) { world_->executor().RunFor(base::seconds(seconds)); }
  template <class T>
  void Patch(const std::string& name, const std::string& patch, const std::string& sub = "") {
    const api::KindInfo& kind = api::KindOf<T>();
    const auto done =
        world_->Patch(kind, {kind.namespaced ? "default" : "", name}, *api::ParseJson(patch), sub);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  template <class T>
  void Delete(const std::string& name) {
    const api::KindInfo& kind = api::KindOf<T>();
    const auto done = world_->Delete(kind, {kind.namespaced ? "default" : "", name});
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  template <class T>
  T Object(const std::string& name) {
    const api::KindInfo& kind = api::KindOf<T>();
    auto json = world_->Get(kind, {kind.namespaced ? "default" : "", name});
    EXPECT_TRUE(json.ok()) << name;
    return json.ok() ? *api::Decode<T>(*json) : T{};
  }

  // ---- a job and its workload
  api::Workload WorkloadOf(const std::string& job) {
    for (api::Workload& w : world_->All<api::Workload>()) {
      const api::OwnerReference* owner = api::ControllerOf(w.metadata);
      if (owner != nullptr && owner->name == job) return w;
    }
    return {};
  }
  std::string WorkloadName(const std::string& job) { return WorkloadOf(job).metadata.name; }
  void PatchWorkload(const std::string& job, const std::string& patch,
                     const std::string& sub = "") {
    Patch<api::Workload>(WorkloadName(job), patch, sub);
  }
  // "True/Reason", "False/Reason"; "" without the condition.
  static std::string Says(const api::Workload& workload, const std::string& type) {
    const api::Condition* c = api::FindCondition(workload.status.conditions, type);
    if (c == nullptr) return "";
    return (c->status == api::ConditionStatus::kTrue ? "True/" : "False/") + c->reason;
  }
  std::string Says(const std::string& job, const std::string& type) {
    return Says(WorkloadOf(job), type);
  }
  bool Holds(const std::string& job) {
    return api::IsConditionTrue(WorkloadOf(job).status.conditions, api::names::kQuotaReserved);
  }
  bool Suspended(const std::string& job) {
    return Object<api::Job>(job).spec.suspend.value_or(false);
  }
  bool Running(const std::string& job) {
    return !Suspended(job) && Object<api::Job>(job).status.active > 0;
  }
  bool Completed(const std::string& job) {
    const auto conditions = Object<api::Job>(job).status.conditions;
    return std::any_of(conditions.begin(), conditions.end(), [](const auto& c) {
      return c.type == "Complete" && c.status == api::ConditionStatus::kTrue;
    });
  }
  // As the check's controller would.
  void AnswerCheck(const std::string& job, const std::string& check, const std::string& state,
                   const std::string& more = "") {
    api::Workload workload = WorkloadOf(job);
    api::Json list = api::Json::MakeArray();
    for (const api::AdmissionCheckState& have : workload.status.admission_checks) {
      if (have.name != check) {
        list.Append(api::Encode(have));
        continue;
      }
      std::string text = "{\"name\": \"" + check + "\", \"state\": \"" + state +
                         "\", \"message\": \"" + state + "\", \"lastTransitionTime\": \"" +
                         base::FormatTime(world_->executor().clock().Now()) + "\"";
      if (have.retry_count) text += ", \"retryCount\": " + std::to_string(*have.retry_count);
      list.Append(*api::ParseJson(text + (more.empty() ? "" : ", " + more) + "}"));
    }
    api::Json patch;
    patch["status"].Set("admissionChecks", std::move(list));
    const auto done = world_->Patch(api::KindOf<api::Workload>(),
                                    {"default", workload.metadata.name}, patch, "status");
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  void AddCheck(const std::string& name) {
    Add("apiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck\nmetadata: {name: " + name +
        "}\nspec: {controllerName: example.com/check}\n");
    Patch<api::AdmissionCheck>(name, R"({"status": {"conditions": [{"type": "Active",
        "status": "True", "reason": "Active", "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z"}]}})",
                               "status");
  }

  // ---- what is counted
  // cpu that the ClusterQueue's status shows as reserved, "0" if it shows none.
  std::string Reserved(const std::string& queue) {
    const api::ClusterQueue object = Object<api::ClusterQueue>(queue);
    for (const auto& flavor : object.status.flavors_reservation) {
      for (const auto& resource : flavor.resources) {
        if (resource.name == "cpu") return resource.total.ToString();
      }
    }
    return "0";
  }
  // Events with this reason about the object of this name.
  int EventsAbout(const std::string& name, const std::string& reason) {
    int count = 0;
    for (const api::Event& event : world_->All<api::Event>()) {
      if (event.involved_object.name != name || event.reason != reason) continue;
      count += std::max(event.series ? event.series->count : event.count, 1);
    }
    return count;
  }
  // What was written in so many seconds; events that run out do not count.
  std::vector<std::string> WritesIn(int seconds) {
    written_.clear();
    Run(seconds);
    return written_;
  }

  std::unique_ptr<World> world_;

 private:
  WorldOptions options_;
  std::vector<std::string> written_;
};

using Lines = std::vector<std::string>;

}  // namespace kueue::simulation
