#include "simulation/lives.h"

#include <algorithm>
#include <cstdio>

#include "api/codec/json_text.h"
#include "api/codec/patch.h"
#include "api/types/batch.h"
#include "api/types/names.h"
#include "controllers/workload_status.h"

namespace kueue::simulation {
namespace {

// In one stretch of time; a hundred times what it takes.
constexpr uint64_t kMostTasks = 2'000'000;

constexpr char kNodes[] = "6x(cpu=8)";

constexpr char kQueues[] = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f1}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f2}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: high}
value: 100
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: low}
value: 10
)";

// Short enough to matter in a life, and for all that was held back to run while it calms down.
constexpr char kQueuePolicies[] =
    ", annotations: {kueue-cpp.dev/priority-aging-interval: 20s, "
    "kueue-cpp.dev/priority-aging-limit: '90', kueue-cpp.dev/minimum-run-time: 10s, "
    "kueue-cpp.dev/preemption-damping: 5s, kueue-cpp.dev/backfill-run-time: 30s}";
constexpr char kLocalQueuePolicies[] =
    ", annotations: {kueue-cpp.dev/wall-time-budget: 4m, kueue-cpp.dev/wall-time-period: 5m}";

std::string LocalQueueYaml(const std::string& name, const std::string& target,
                           const std::string& annotations = "") {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: " + name +
         ", namespace: default" + annotations + "}\nspec: {clusterQueue: " + target + "}\n";
}

api::Json Spec(const std::string& field, const std::string& value) {
  return *api::ParseJson("{\"spec\": {\"" + field + "\": " + value + "}}");
}

}  // namespace

Lives::Lives(LivesOptions options) : options_(options), random_(options.seed) {
  checks_ = random_.OneIn(2);
  past_use_ = random_.OneIn(2);
  pods_ready_ = random_.OneIn(2);
  shares_ = random_.OneIn(3);
  world_ = std::make_unique<World>(MakeOptions());
  world_->plane().server().store().AddWatcher(
      nullptr, [this](const apiserver::StoreChange& change) { Remember(change); });
}

WorldOptions Lives::MakeOptions() {
  WorldOptions options;
  options.seed = random_.Next();
  options.plane.cluster.nodes = *localcluster::ParseNodeSpec(kNodes);
  manager::ManagerOptions& manager = options.plane.manager;
  if (shares_) manager.scheduling.fair_sharing.emplace();
  if (past_use_) {
    manager.scheduling.admission_fair_sharing.emplace();
    manager.scheduling.admission_fair_sharing->half_life = base::minutes(2);
    manager.scheduling.admission_fair_sharing->sampling_interval = base::seconds(30);
  }
  if (pods_ready_) {
    controllers::WaitForPodsReady& policy = manager.controllers.wait_for_pods_ready.emplace();
    policy.timeout = policy.recovery_timeout.emplace(base::seconds(30));
    policy.first_backoff = base::seconds(5);
    manager.scheduling.block_admission_until_ready = random_.OneIn(4);
  }
  options.plane.manager_transport = [this](net::Transport& inner, base::Executor& executor) {
    return std::make_unique<FaultyTransport>(inner, executor, random_.Fork(), faults_);
  };
  return options;
}

void Lives::Build() {
  std::string yaml = kQueues;
  const auto queue = [&](const std::string& name, const std::string& rest) {
    cluster_queues_.push_back(name);
    yaml +=
        "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: " + name +
        (options_.policies ? kQueuePolicies : "") +
        "}\nspec:\n  namespaceSelector: {}\n  queueingStrategy: " +
        (random_.OneIn(3) ? "StrictFIFO" : "BestEffortFIFO") + "\n" +
        (past_use_ ? "  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n" : "") +
        rest;
    for (const char* part : {"a", "b"}) {
      local_queues_.push_back(name + part);
      targets_[name + part] = name;
      yaml += "---\n" + LocalQueueYaml(name + part, name,
                                        options_.policies ? kLocalQueuePolicies : "");
    }
  };
  const std::string check =
      checks_ ? "  admissionChecksStrategy: {admissionChecks: [{name: c1, onFlavors: [f2]}]}\n"
              : "";
  queue("q1",
        "  cohortName: team\n"
        "  preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any}\n"
        "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n"
        "    - {name: f1, resources: [{name: cpu, nominalQuota: 6, borrowingLimit: 4}]}\n"
        "    - {name: f2, resources: [{name: cpu, nominalQuota: 4}]}\n" +
            check);
  queue("q2",
        "  cohortName: team\n"
        "  preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: LowerPriority}\n"
        "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n"
        "    - {name: f1, resources: [{name: cpu, nominalQuota: 6, lendingLimit: 5}]}\n");
  queue("q3",
        "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n"
        "    - {name: f2, resources: [{name: cpu, nominalQuota: 5}]}\n" +
            check);
  if (checks_) {
    yaml +=
        "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck\nmetadata: {name: c1}\n"
        "spec: {controllerName: simulation/checks}\n";
  }
  if (const auto created = world_->CreateAll(yaml); !created.ok()) {
    Problem("the queues cannot be made: " + created.error().message);
  }
  if (checks_) {
    MayFail(
        PatchStatus(api::KindOf<api::AdmissionCheck>(), {"", "c1"}, *api::ParseJson(R"({"status":
        {"conditions": [{"type": "Active", "status": "True", "reason": "Active", "message": "",
                         "lastTransitionTime": "2026-01-01T00:00:00Z"}]}})")));
  }
  RunFor(base::seconds(5));
}

LivesReport Lives::Run() {
  Build();
  for (int i = 0; i < options_.steps && report_.problems.empty(); ++i) Step();
  if (report_.problems.empty()) CalmDown();
  if (report_.problems.empty()) CheckEnd();
  if (report_.problems.empty()) CheckSilence();
  report_.writes = world_->writes();
  return report_;
}

void Lives::Do(const std::string& what) {
  const std::string line = base::FormatMicroTime(world_->executor().clock().Now()) + " " + what;
  report_.history.push_back(line);
  if (options_.verbose) std::fprintf(stderr, "%s\n", line.c_str());
}

// Gives up where writes or calls go on without end.
void Lives::RunFor(base::Duration length) {
  base::VirtualExecutor& executor = world_->executor();
  const uint64_t most = executor.tasks_run() + kMostTasks;
  const base::Time until = executor.clock().Now() + length;
  executor.RunUntilTrue([&] { return executor.tasks_run() > most; }, until);
  if (executor.tasks_run() <= most) return;
  std::string last;
  for (const std::string& line : last_writes_) last += "\n    " + line;
  Problem("it never comes to rest; the last writes:" + last);
}

void Lives::Remember(const apiserver::StoreChange& change) {
  const api::Json before = change.before ? change.before->object() : api::Json();
  last_writes_.push_back(change.key + " " +
                         api::WriteJson(api::DiffMergePatch(before, change.object->object())));
  if (last_writes_.size() > 6) last_writes_.pop_front();
}

void Lives::Step() {
  const uint64_t what = random_.Below(26);
  if (what < 8)
    SubmitJob();
  else if (what < 10)
    DeleteJob();
  else if (what < 12)
    ChangePriority();
  else if (what < 14)
    StopLocalQueue();
  else if (what < 16)
    StopClusterQueue();
  else if (what < 18)
    ChangeActivity();
  else if (what < 21)
    AnswerChecks(false);
  else if (what < 22)
    MoveLocalQueue();
  else if (what < 23)
    LoseNode();
  else if (what < 24)
    Restart();
  else
    ChangeFaults();
  RunFor(base::milliseconds(
      static_cast<int64_t>(random_.OneIn(3) ? random_.Below(100) : random_.Below(20'000))));
  Check();
}

void Lives::SubmitJob() {
  api::Job job;
  job.metadata.name = "job-" + std::to_string(next_job_++);
  job.metadata.namespace_name = "default";
  job.metadata.labels[api::names::kQueueLabel] = OneOf(local_queues_);
  job.metadata.labels[api::names::kPriorityClassLabel] = random_.OneIn(3) ? "high" : "low";
  // At most 4 cpu: every queue has room for that in one flavor.
  const auto cpu = static_cast<int64_t>(1 + random_.Below(2));
  const auto pods = static_cast<int32_t>(1 + random_.Below(cpu == 1 ? 4 : 2));
  job.spec.parallelism = job.spec.completions = pods;
  job.spec.pod_template.metadata.annotations[api::names::kRunSeconds] =
      std::to_string(2 + random_.Below(90));
  job.spec.pod_template.spec.restart_policy = "Never";
  api::Container container;
  container.name = "main";
  container.image = "registry.example/work:1";
  container.resources.requests["cpu"] = api::Quantity::FromUnits(cpu);
  job.spec.pod_template.spec.containers.push_back(std::move(container));
  Do("submit " + job.metadata.name + " to " + job.metadata.labels[api::names::kQueueLabel]);
  if (world_->Create(api::EncodeObject(job)).ok()) ++report_.jobs;
}

void Lives::DeleteJob() {
  const auto jobs = world_->All<api::Job>();
  if (jobs.empty()) return;
  const std::string& name = OneOf(jobs).metadata.name;
  Do("delete " + name);
  MayFail(world_->Delete(api::KindOf<api::Job>(), {"default", name}));
}

void Lives::ChangePriority() {
  const auto jobs = world_->All<api::Job>();
  if (jobs.empty()) return;
  const std::string& name = OneOf(jobs).metadata.name;
  const std::string to = random_.OneIn(2) ? "high" : "low";
  Do("priority of " + name + " " + to);
  MayFail(world_->Patch(
      api::KindOf<api::Job>(), {"default", name},
      *api::ParseJson("{\"metadata\": {\"labels\": {\"" +
                      std::string(api::names::kPriorityClassLabel) + "\": \"" + to + "\"}}}")));
}

void Lives::StopLocalQueue() {
  static const std::vector<std::string> kPolicies{"None", "None", "Hold", "HoldAndDrain"};
  const std::string& name = OneOf(local_queues_);
  const std::string& policy = OneOf(kPolicies);
  Do("stop policy of LocalQueue " + name + " " + policy);
  MayFail(world_->Patch(api::KindOf<api::LocalQueue>(), {"default", name},
                        Spec("stopPolicy", '"' + policy + '"')));
}

void Lives::StopClusterQueue() {
  static const std::vector<std::string> kPolicies{"None", "None", "Hold", "HoldAndDrain"};
  const std::string& name = OneOf(cluster_queues_);
  const std::string& policy = OneOf(kPolicies);
  Do("stop policy of ClusterQueue " + name + " " + policy);
  MayFail(world_->Patch(api::KindOf<api::ClusterQueue>(), {"", name},
                        Spec("stopPolicy", '"' + policy + '"')));
}

api::Workload* Lives::Pick(std::vector<api::Workload>& workloads) {
  return workloads.empty() ? nullptr : &workloads[random_.Below(workloads.size())];
}

// Work is activated again only once it has stopped: before, its pods may still run while its quota
// belongs to others (spec/controllers.md §20 (3)).
void Lives::ChangeActivity() {
  auto workloads = world_->All<api::Workload>();
  const api::Workload* workload = Pick(workloads);
  if (workload == nullptr || controllers::IsFinished(*workload)) return;
  const bool active = controllers::IsActive(*workload);
  if (!active && controllers::HasQuotaReservation(*workload)) return;
  Do(std::string(active ? "deactivate " : "activate ") + workload->metadata.name);
  MayFail(world_->Patch(api::KindOf<api::Workload>(), {"default", workload->metadata.name},
                        Spec("active", active ? "false" : "true")));
}

// `kindly`: whatever is not Ready becomes so.
void Lives::AnswerChecks(bool kindly) {
  for (const api::Workload& workload : world_->All<api::Workload>()) {
    if (workload.status.admission_checks.empty() || controllers::IsFinished(workload)) continue;
    api::WorkloadStatus status = workload.status;
    bool changed = false;
    for (api::AdmissionCheckState& check : status.admission_checks) {
      static const std::vector<std::string> kStates{"Ready", "Ready", "Retry", "Rejected",
                                                    "Pending"};
      const std::string to = kindly ? "Ready" : OneOf(kStates);
      if (check.state == to || (!kindly && random_.OneIn(2))) continue;
      check.state = to;
      check.last_transition_time = base::CutToSeconds(world_->executor().clock().Now());
      check.requeue_after_seconds.reset();
      if (to == "Retry" && random_.OneIn(2)) {
        check.requeue_after_seconds = static_cast<int32_t>(random_.Below(20));
      }
      Do("check of " + workload.metadata.name + " " + to);
      changed = true;
    }
    if (!changed) continue;
    api::Json list = api::Json::MakeArray();
    const api::Json encoded = api::Encode(status);
    api::Json patch = api::Json::MakeObject();
    patch["status"].Set("admissionChecks", *encoded.Find("admissionChecks"));
    MayFail(PatchStatus(api::KindOf<api::Workload>(), {"default", workload.metadata.name}, patch));
  }
}

// Away, or back; possibly to another ClusterQueue.
void Lives::MoveLocalQueue() {
  const std::string name = OneOf(local_queues_);
  const kube::ObjectKey key{"default", name};
  if (world_->Get(api::KindOf<api::LocalQueue>(), key).ok()) {
    Do("delete LocalQueue " + name);
    MayFail(world_->Delete(api::KindOf<api::LocalQueue>(), key));
    return;
  }
  if (random_.OneIn(3)) targets_[name] = OneOf(cluster_queues_);
  Do("create LocalQueue " + name + " to " + targets_[name]);
  MayFail(world_->CreateAll(LocalQueueYaml(name, targets_[name])));
}

void Lives::LoseNode() {
  const auto nodes = world_->All<api::Node>();
  if (nodes.size() <= 4) return;
  const std::string& name = OneOf(nodes).metadata.name;
  Do("lose node " + name);
  MayFail(world_->Delete(api::KindOf<api::Node>(), {"", name}));
}

void Lives::Restart() {
  Do("restart the manager");
  ++report_.restarts;
  world_->plane().RestartManager();
}

void Lives::ChangeFaults() {
  faults_ =
      random_.OneIn(2) ? FaultRates{} : FaultRates{3 + random_.Below(10), 5 + random_.Below(20)};
  Do("writes refused 1/" + std::to_string(faults_.refused) + ", unheard 1/" +
     std::to_string(faults_.unheard));
}

base::Result<api::Json> Lives::PatchStatus(const api::KindInfo& kind, const kube::ObjectKey& key,
                                           const api::Json& patch) {
  std::optional<base::Result<api::Json>> answer;
  world_->client().Patch(kind, key, "status", kube::PatchType::kMerge, patch,
                         [&](base::Result<api::Json> result) { answer = std::move(result); });
  world_->executor().RunUntilTrue([&] { return answer.has_value(); },
                                  world_->executor().clock().Now());
  return std::move(*answer);
}

}  // namespace kueue::simulation
