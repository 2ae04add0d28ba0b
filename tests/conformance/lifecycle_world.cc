#include "lifecycle_world.h"

#include <algorithm>

#include "api/codec/json_text.h"
#include "api/codec/patch.h"
#include "api/types/names.h"
#include "controllers/workload_status.h"
#include "net/client.h"

namespace kueue::conformance {

using api::Json;
namespace names = api::names;

namespace {

// Far more than any scenario needs.
constexpr uint64_t kMostWrites = 5000;

base::Time StartOf(const Json& scenario) { return *base::ParseTime(scenario.StringAt({"now"})); }

apiserver::ServerOptions BareServer() {
  apiserver::ServerOptions options;
  options.controllers = false;
  return options;
}

base::Duration DurationAt(const Json& json, std::initializer_list<std::string_view> path,
                          base::Duration otherwise) {
  const std::string text = json.StringAt(path);
  return text.empty() ? otherwise : *base::ParseDuration(text);
}

int64_t IntAt(const Json& json, std::string_view key, int64_t otherwise) {
  const Json* value = json.Find(key);
  return value != nullptr && value->IsInt() ? value->AsInt() : otherwise;
}

controllers::WaitForPodsReady PodsReadyPolicy(const Json& block) {
  controllers::WaitForPodsReady policy;
  policy.timeout = DurationAt(block, {"timeout"}, policy.timeout);
  if (block.Find("recoveryTimeout") != nullptr) {
    policy.recovery_timeout = DurationAt(block, {"recoveryTimeout"}, base::Duration(0));
  }
  if (const Json* strategy = block.Find("requeuingStrategy")) {
    if (const Json* limit = strategy->Find("backoffLimitCount"); limit && limit->IsInt()) {
      policy.backoff_limit = static_cast<int32_t>(limit->AsInt());
    }
    policy.first_backoff = base::seconds(IntAt(*strategy, "backoffBaseSeconds", 60));
    policy.longest_backoff = base::seconds(IntAt(*strategy, "backoffMaxSeconds", 3600));
  }
  return policy;
}

manager::ManagerOptions OptionsOf(const Json& scenario) {
  manager::ManagerOptions options;
  options.retry_at_once = true;
  options.integrations.clear();
  options.controllers.batch_period = base::Duration(0);
  options.controllers.pods_ready = false;
  const Json* config = scenario.Find("config");
  if (config == nullptr) return options;
  if (const Json* block = config->Find("waitForPodsReady")) {
    options.controllers.wait_for_pods_ready = PodsReadyPolicy(*block);
    options.scheduling.requeue_by_creation =
        block->StringAt({"requeuingStrategy", "timestamp"}) == "Creation";
  }
  if (const Json* seconds = config->Find("retainFinishedSeconds"); seconds && seconds->IsInt()) {
    options.controllers.retain_finished = base::seconds(seconds->AsInt());
  }
  if (config->Find("fairSharing") != nullptr) options.scheduling.fair_sharing.emplace();
  if (const Json* block = config->Find("admissionFairSharing")) {
    auto& sharing = options.scheduling.admission_fair_sharing.emplace();
    sharing.half_life = DurationAt(*block, {"usageHalfLifeTime"}, base::Duration(0));
    sharing.sampling_interval =
        DurationAt(*block, {"usageSamplingInterval"}, sharing.sampling_interval);
    if (const Json* weights = block->Find("resourceWeights")) {
      for (const Json::Member& m : weights->AsObject()) {
        sharing.resource_weights[m.key] = std::stod(m.value.NumberText());
      }
    }
  }
  return options;
}

std::string QuantityText(const std::string& resource, const api::Quantity& quantity) {
  return resources::UnitsToQuantity(resource, resources::RequestUnits(resource, quantity))
      .ToString();
}

Json RecordConditions(const std::vector<api::Condition>& conditions) {
  std::vector<std::string> lines;
  for (const api::Condition& c : conditions) {
    const char* status = c.status == api::ConditionStatus::kTrue    ? "True"
                         : c.status == api::ConditionStatus::kFalse ? "False"
                                                                    : "Unknown";
    lines.push_back(c.type + "=" + status + "/" + c.reason);
  }
  std::sort(lines.begin(), lines.end());
  Json out = Json::MakeArray();
  for (std::string& line : lines) out.Append(std::move(line));
  return out;
}

}  // namespace

// The owners of the workloads: they report ready pods and stop at once when evicted.
class LifecycleWorld::Jobs final : public runtime::Reconciler {
 public:
  Jobs(const kube::Cache& cache, std::map<std::string, bool>& ready, bool report)
      : cache_(cache), ready_(ready), report_(report) {}
  std::string name() const override { return "jobs"; }

  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override {
    runtime::Intents intents;
    const auto before = cache_.Get<api::Workload>(key);
    if (!before || controllers::IsFinished(*before)) return intents;
    api::Workload after = *before;
    // Pods that are not running are not ready: what was said of them before is forgotten.
    if (!controllers::IsAdmitted(*before)) ready_.erase(key.ToString());
    if (report_) {
      const auto it = ready_.find(key.ToString());
      const bool ready = it != ready_.end() && it->second;
      if (controllers::SyncPodsReady(after, ready, now)) {
        intents.Add(runtime::PatchStatus(*before, after));
        return intents;
      }
    }
    if (controllers::IsEvicted(*before) && controllers::HasQuotaReservation(*before)) {
      controllers::CompleteEviction(after, now);
      intents.Add(runtime::PatchStatus(*before, after));
    }
    return intents;
  }

 private:
  const kube::Cache& cache_;
  std::map<std::string, bool>& ready_;
  const bool report_;
};

LifecycleWorld::LifecycleWorld(const Json& scenario)
    : scenario_(scenario),
      start_(StartOf(scenario)),
      executor_(start_),
      server_(executor_, base::Random(1), BareServer()),
      transport_(net::MakeInProcessTransport(server_, executor_, executor_)),
      manager_(std::make_unique<manager::Manager>(*transport_, executor_, base::Random(2),
                                                  OptionsOf(scenario))),
      client_(*transport_, "", "jobs"),
      cache_(client_, executor_),
      driver_(client_, cache_, executor_, base::Random(3)) {
  const Json* config = scenario.Find("config");
  const bool report = config != nullptr && config->Find("waitForPodsReady") != nullptr;
  server_.store().AddWatcher(nullptr, [this](const apiserver::StoreChange& change) {
    if (++writes_ < kMostWrites - 8) return;
    const Json before = change.before ? change.before->object() : Json();
    last_writes_.push_back(change.key + " " +
                           api::WriteJson(api::DiffMergePatch(before, change.object->object())));
    if (last_writes_.size() > 8) last_writes_.pop_front();
  });
  cache_.InformerOf<api::Workload>();
  job_queue_ = &driver_.Add(std::make_unique<Jobs>(cache_, pods_ready_, report));
  cache_.OnChange<api::Workload>([this](const auto&, const auto& after) {
    if (after) job_queue_->Add(kube::KeyOf(after->metadata));
  });
  cache_.Start([this] { driver_.Start(); });
  manager_->Start();
  Rest();
}

LifecycleWorld::~LifecycleWorld() = default;

void LifecycleWorld::Begin() {
  for (const Json& object : scenario_.Find("objects")->AsArray()) Apply(object);
  Rest();
}

// What is due at this second, and the small delays of queues and retries, but never the next
// second.
void LifecycleWorld::Rest() {
  Run(std::max(
      Now(), std::min(Now() + base::milliseconds(40), start_ + moved_ + base::milliseconds(990))));
}

void LifecycleWorld::Run(base::Time until) {
  executor_.RunUntilTrue([this] { return writes_ > kMostWrites; }, until);
}

std::vector<std::string> LifecycleWorld::unrest() const {
  if (writes_ <= kMostWrites) return {};
  return {last_writes_.begin(), last_writes_.end()};
}

void LifecycleWorld::Put(const api::KindInfo& kind, const std::string& key, Json object) {
  if (object.StringAt({"metadata", "uid"}).empty()) {
    // What is created anew is another object.
    object["metadata"].Set("uid", std::string(kind.kind) + "-" + std::to_string(writes_));
  }
  if (object.StringAt({"metadata", "creationTimestamp"}).empty()) {
    object["metadata"].Set("creationTimestamp", base::FormatTime(start_));
  }
  server_.store().Put(kind, key, std::move(object));
}

void LifecycleWorld::Apply(const Json& object) {
  const api::KindInfo* kind = api::FindKindOf(object);
  KUEUE_CHECK_MSG(kind != nullptr, object.StringAt({"kind"}));
  const std::string key = apiserver::StoreKey(object.StringAt({"metadata", "namespace"}),
                                              object.StringAt({"metadata", "name"}));
  const auto have = server_.store().Get(*kind, key);
  if (!have) return Put(*kind, key, object);
  Json after = have->object();
  const char* part = kind->kind == "AdmissionCheck" ? "status" : "spec";
  const Json* fresh = object.Find(part);
  if (fresh == nullptr || (after.Find(part) != nullptr && *after.Find(part) == *fresh)) return;
  after.Set(part, *fresh);
  if (std::string_view(part) == "spec") {
    const Json* generation = after["metadata"].Find("generation");
    after["metadata"].Set("generation", (generation ? generation->AsInt() : 0) + 1);
  }
  Put(*kind, key, std::move(after));
}

void LifecycleWorld::Delete(const Json& reference) {
  const std::string key =
      apiserver::StoreKey(reference.StringAt({"Namespace"}), reference.StringAt({"Name"}));
  for (const api::KindInfo* kind : api::AllKinds()) {
    if (kind->kind != reference.StringAt({"Kind"}) || kind->group != "kueue.x-k8s.io") continue;
    if (server_.store().Get(*kind, key)) server_.store().Remove(*kind, key);
  }
}

template <class Change>
void LifecycleWorld::ChangeWorkload(const std::string& key, Change change) {
  const api::KindInfo& kind = api::KindOf<api::Workload>();
  const auto stored = server_.store().Get(kind, key);
  if (!stored) return;
  auto workload = api::Decode<api::Workload>(stored->object());
  KUEUE_CHECK(workload.ok());
  const api::Workload before = *workload;
  change(*workload);
  if (*workload == before) return;
  if (workload->spec != before.spec) ++workload->metadata.generation;
  Put(kind, key, api::EncodeObject(*workload));
}

void LifecycleWorld::PlayStep(const Json& step) {
  const auto each = [&](const char* name, const auto& act) {
    const Json* part = step.Find(name);
    if (part == nullptr) return;
    if (part->IsArray()) {
      for (const Json& item : part->AsArray()) act(item.IsString() ? item.AsString() : "", item);
    } else {
      for (const Json::Member& m : part->AsObject()) act(m.key, m.value);
    }
  };
  each("delete", [&](const std::string&, const Json& reference) { Delete(reference); });
  each("finish", [&](const std::string& key, const Json&) {
    ChangeWorkload(key, [&](api::Workload& w) {
      if (controllers::IsAdmitted(w)) controllers::Finish(w, "Succeeded", "done", Now());
    });
  });
  each("podsReady", [&](const std::string& key, const Json& ready) {
    pods_ready_[key] = ready.AsBool();
    const size_t slash = key.find('/');
    job_queue_->Add({key.substr(0, slash), key.substr(slash + 1)});
  });
  each("active", [&](const std::string& key, const Json& active) {
    ChangeWorkload(key, [&](api::Workload& w) { w.spec.active = active.AsBool(); });
  });
  each("reclaimablePods", [&](const std::string& key, const Json& counts) {
    ChangeWorkload(key, [&](api::Workload& w) {
      if (!controllers::IsAdmitted(w)) return;  // pods that never ran give nothing back
      w.status.reclaimable_pods.clear();
      for (const Json::Member& m : counts.AsObject()) {
        w.status.reclaimable_pods.push_back({m.key, static_cast<int32_t>(m.value.AsInt()), {}});
      }
    });
  });
  each("checks", [&](const std::string& key, const Json& checks) {
    ChangeWorkload(key, [&](api::Workload& w) {
      for (api::AdmissionCheckState& check : w.status.admission_checks) {
        const Json* change = checks.Find(check.name);
        if (change == nullptr) continue;
        if (check.state != change->StringAt({"state"})) {
          check.last_transition_time = base::CutToSeconds(Now());
        }
        check.state = change->StringAt({"state"});
        check.requeue_after_seconds.reset();
        if (const Json* after = change->Find("requeueAfterSeconds"); after && after->IsInt()) {
          check.requeue_after_seconds = static_cast<int32_t>(after->AsInt());
        }
      }
    });
  });
  each("apply", [&](const std::string&, const Json& object) { Apply(object); });
  Rest();
  const int64_t seconds = IntAt(step, "advanceSeconds", 0);
  if (seconds == 0) return;
  moved_ += base::seconds(seconds);
  Run(start_ + moved_);
  Rest();
}

template <class T>
std::vector<T> LifecycleWorld::All() const {
  std::vector<T> out;
  auto& store = const_cast<apiserver::Server&>(server_).store();
  store.Scan(api::KindOf<T>(), "", "", [&](const auto&, const auto& stored) {
    if (auto object = api::Decode<T>(stored->object()); object.ok()) {
      out.push_back(std::move(*object));
    }
    return true;
  });
  return out;
}

Json LifecycleWorld::RecordWorkload(const api::Workload& w) const {
  Json out = Json::MakeObject();
  if (!w.status.conditions.empty()) {
    out.Set("conditions", RecordConditions(w.status.conditions));
  }
  if (w.status.admission) out.Set("admission", api::Encode(*w.status.admission));
  if (w.status.requeue_state) {
    Json state = Json::MakeObject();
    if (w.status.requeue_state->count) state.Set("count", *w.status.requeue_state->count);
    if (w.status.requeue_state->requeue_at) {
      state.Set(
          "requeueAtSecondsFromStart",
          std::chrono::floor<base::seconds>(*w.status.requeue_state->requeue_at - start_).count());
    }
    out.Set("requeueState", std::move(state));
  }
  if (!controllers::IsActive(w)) out.Set("active", false);
  for (const api::AdmissionCheckState& check : w.status.admission_checks) {
    out["admissionChecks"].Append(check.name + "=" + check.state);
  }
  if (const auto past = w.status.accumulated_past_execution_time_seconds; past) {
    out.Set("accumulatedPastExecutionTimeSeconds", *past);
  }
  return out;
}

Json LifecycleWorld::RecordClusterQueue(const api::ClusterQueue& queue) const {
  Json out = Json::MakeObject();
  out.Set("conditions", RecordConditions(queue.status.conditions));
  out.Set("pendingWorkloads", queue.status.pending_workloads);
  out.Set("reservingWorkloads", queue.status.reserving_workloads);
  out.Set("admittedWorkloads", queue.status.admitted_workloads);
  const auto usage = [&](const char* name, const std::vector<api::FlavorUsage>& flavors,
                         api::Quantity api::ResourceUsage::*amount) {
    for (const api::FlavorUsage& flavor : flavors) {
      for (const api::ResourceUsage& r : flavor.resources) {
        if ((r.*amount).IsZero()) continue;
        out[name][flavor.name].Set(r.name, QuantityText(r.name, r.*amount));
      }
    }
  };
  usage("flavorsReservation", queue.status.flavors_reservation, &api::ResourceUsage::total);
  usage("borrowed", queue.status.flavors_reservation, &api::ResourceUsage::borrowed);
  usage("flavorsUsage", queue.status.flavors_usage, &api::ResourceUsage::total);
  if (queue.status.fair_sharing) {
    out.Set("weightedShare", queue.status.fair_sharing->weighted_share);
  }
  return out;
}

Json LifecycleWorld::Record() const {
  Json out = Json::MakeObject();
  out.Set("atSeconds", std::chrono::floor<base::seconds>(moved_).count());
  for (const char* part : {"workloads", "clusterQueues", "localQueues"}) {
    out.Set(part, Json::MakeObject());
  }
  for (const auto& w : All<api::Workload>()) {
    out["workloads"].Set(kube::KeyOf(w.metadata).ToString(), RecordWorkload(w));
  }
  for (const auto& queue : All<api::ClusterQueue>()) {
    out["clusterQueues"].Set(queue.metadata.name, RecordClusterQueue(queue));
  }
  for (const auto& queue : All<api::LocalQueue>()) {
    Json local = Json::MakeObject();
    local.Set("conditions", RecordConditions(queue.status.conditions));
    local.Set("pendingWorkloads", queue.status.pending_workloads);
    local.Set("reservingWorkloads", queue.status.reserving_workloads);
    local.Set("admittedWorkloads", queue.status.admitted_workloads);
    out["localQueues"].Set(kube::KeyOf(queue.metadata).ToString(), std::move(local));
  }
  return out;
}

}  // namespace kueue::conformance
