#include "scenario_world.h"

#include <algorithm>
#include <cmath>

#include "api/codec/codec.h"
#include "api/types/names.h"

namespace kueue::conformance {
namespace {

namespace names = api::names;
using api::Json;

scheduling::Config ReadConfig(const Json& scenario, bool one_by_one) {
  scheduling::Config config;
  config.one_by_one = one_by_one;
  config.shapes_always_tried = 0;
  if (const Json* gates = scenario.Find("featureGates")) {
    for (const Json::Member& gate : gates->AsObject()) {
      scheduling::SetGate(config.gates, gate.key, gate.value.AsBool());
    }
  }
  const Json* fair = scenario.Find("fairSharing");
  if (fair == nullptr) return config;
  config.fair_sharing.emplace();
  const Json* strategies = fair->Find("preemptionStrategies");
  if (strategies == nullptr || !strategies->IsArray()) return config;
  for (const Json& strategy : strategies->AsArray()) {
    config.fair_sharing->preemption_strategies.push_back(
        strategy.AsString() == "LessThanInitialShare"
            ? scheduling::FairPreemptionStrategy::kLessThanInitialShare
            : scheduling::FairPreemptionStrategy::kLessThanOrEqualToFinalShare);
  }
  return config;
}

Json NamesOf(const std::vector<std::string>& keys) {
  Json list = Json::MakeArray();
  for (const std::string& key : keys) list.Append(key);
  return list;
}

const Json::Array& ListOf(const Json& step, std::string_view name) {
  static const Json::Array kNone;
  const Json* list = step.Find(name);
  return list == nullptr || !list->IsArray() ? kNone : list->AsArray();
}

// Two values as the stop rule of a step compares them.
bool SameMember(const Json& a, const Json& b, std::string_view name) {
  const Json *x = a.Find(name), *y = b.Find(name);
  if (x == nullptr || y == nullptr) return x == y;
  return *x == *y;
}

}  // namespace

ScenarioWorld::ScenarioWorld(const Json& scenario, bool one_by_one)
    : scenario_(scenario),
      one_by_one_(one_by_one),
      state_(std::make_unique<scheduling::State>(ReadConfig(scenario, one_by_one))) {
  const auto now = base::ParseTime(scenario.StringAt({"now"}));
  if (now.ok()) now_ = *now;
  for (const Json& object : ListOf(scenario, "objects")) Apply(object);
  state_->CarryOutAllRetries(now_);
}

template <class T>
std::shared_ptr<T> ScenarioWorld::Read(const Json& object) {
  auto decoded = api::Decode<T>(object);
  if (decoded.ok()) return std::make_shared<T>(std::move(*decoded));
  problem_ = decoded.error().message;
  return std::make_shared<T>();
}

void ScenarioWorld::Apply(const Json& object) {
  const std::string kind = object.StringAt({"kind"});
  if (kind == "Namespace") {
    state_->SetNamespace(*Read<api::Namespace>(object), now_);
  } else if (kind == "ResourceFlavor") {
    state_->SetResourceFlavor(Read<api::ResourceFlavor>(object), now_);
  } else if (kind == "Cohort") {
    auto cohort = Read<api::Cohort>(object);
    cohort->metadata.generation = ++generation_;
    state_->SetCohort(cohort, now_);
  } else if (kind == "ClusterQueue") {
    auto queue = Read<api::ClusterQueue>(object);
    queue->metadata.generation = ++generation_;
    queues_[queue->metadata.name] = queue;
    state_->SetClusterQueue(queue, now_);
  } else if (kind == "LocalQueue") {
    state_->SetLocalQueue(Read<api::LocalQueue>(object), now_);
  } else if (kind == "AdmissionCheck") {
    state_->SetAdmissionCheck(Read<api::AdmissionCheck>(object), now_);
  } else if (kind == "Topology") {
    state_->SetTopology(Read<api::Topology>(object), now_);
  } else if (kind == "Node") {
    state_->SetNode(Read<api::Node>(object), now_);
  } else if (kind == "Pod") {
    state_->SetPod(Read<api::Pod>(object), now_);
  } else if (kind == "Workload") {
    ApplyWorkload(std::move(*Read<api::Workload>(object)));
  }
}

// A known workload keeps its status, its uid and its age.
void ScenarioWorld::ApplyWorkload(api::Workload object) {
  const auto known = workloads_.find(api::KeyOf(object.metadata));
  if (known != workloads_.end()) {
    const api::Workload& before = *known->second;
    object.status = before.status;
    object.metadata.uid = before.metadata.uid;
    object.metadata.creation_timestamp = before.metadata.creation_timestamp;
    object.metadata.generation = before.metadata.generation + (object.spec == before.spec ? 0 : 1);
  }
  Tell(std::move(object));
}

void ScenarioWorld::Tell(api::Workload object) {
  auto shared = std::make_shared<const api::Workload>(std::move(object));
  workloads_[api::KeyOf(shared->metadata)] = shared;
  state_->SetWorkload(shared, now_);
}

void ScenarioWorld::SetCondition(api::Workload& object, const char* type, bool status,
                                 const std::string& reason, const std::string& message) const {
  api::Condition condition;
  condition.type = type;
  condition.status = status ? api::ConditionStatus::kTrue : api::ConditionStatus::kFalse;
  condition.reason = reason;
  condition.message = message;
  api::SetCondition(object.status.conditions, std::move(condition), now_);
}

void ScenarioWorld::Delete(const Json& reference) {
  const std::string kind = reference.StringAt({"kind"});
  const std::string name = reference.StringAt({"name"});
  const std::string in = reference.StringAt({"namespace"});
  if (kind == "Workload") {
    workloads_.erase(in + "/" + name);
    state_->DeleteWorkload(in, name, now_);
  } else if (kind == "ClusterQueue") {
    queues_.erase(name);
    state_->DeleteClusterQueue(name);
  } else if (kind == "Cohort") {
    state_->DeleteCohort(name);
  } else if (kind == "LocalQueue") {
    state_->DeleteLocalQueue(in, name);
  } else if (kind == "ResourceFlavor") {
    state_->DeleteResourceFlavor(name);
  } else if (kind == "Namespace") {
    state_->DeleteNamespace(name);
  } else if (kind == "Topology") {
    state_->DeleteTopology(name, now_);
  } else if (kind == "Node") {
    state_->DeleteNode(name, now_);
  } else if (kind == "Pod") {
    state_->DeletePod(in, name, now_);
  }
}

void ScenarioWorld::Finish(const std::string& key, const std::string& reason) {
  const auto found = workloads_.find(key);
  if (found == workloads_.end()) return;
  api::Workload object = *found->second;
  if (api::IsConditionTrue(object.status.conditions, names::kFinished)) return;
  SetCondition(object, names::kFinished, true, reason);
  Tell(std::move(object));
}

void ScenarioWorld::Reclaim(const std::string& key, const Json& counts) {
  const auto found = workloads_.find(key);
  if (found == workloads_.end() || !found->second->status.admission) return;
  api::Workload object = *found->second;
  object.status.reclaimable_pods.clear();
  for (const Json::Member& count : counts.AsObject()) {
    object.status.reclaimable_pods.push_back(
        {count.key, static_cast<int32_t>(count.value.AsInt()), {}});
  }
  Tell(std::move(object));
}

// ---- cycles

// What the cluster writes after a cycle, seen before the next one.
void ScenarioWorld::CarryOut(const scheduling::Plan& plan) {
  for (const scheduling::Reservation& reservation : plan.reservations) {
    api::Workload object = *workloads_.at(reservation.workload);
    object.status.admission = reservation.admission;
    SetCondition(object, names::kQuotaReserved, true, "QuotaReserved");
    for (const char* type :
         {names::kEvicted, names::kPreempted, names::kBlockedOnPreemptionGates}) {
      if (api::IsConditionTrue(object.status.conditions, type)) {
        SetCondition(object, type, false, "QuotaReserved");
      }
    }
    if (reservation.also_admitted) SetCondition(object, names::kAdmitted, true, "Admitted");
    Tell(std::move(object));
  }
  for (const std::string& slice : plan.finished_slices) Finish(slice, "WorkloadSliceReplaced");
  for (const scheduling::Eviction& eviction : plan.evictions) {
    api::Workload object = *workloads_.at(eviction.workload);
    SetCondition(object, names::kPreempted, true, eviction.preempted_reason);
    SetCondition(object, names::kEvicted, true, eviction.evicted_reason);
    Tell(std::move(object));
  }
  for (const scheduling::Requeue& requeue : plan.requeues) {
    if (!requeue.write_status) continue;
    api::Workload object = *workloads_.at(requeue.workload);
    const api::WorkloadStatus before = object.status;
    SetCondition(object, names::kQuotaReserved, false, requeue.condition_reason, requeue.message);
    if (!(before == object.status)) Tell(std::move(object));
  }
}

Json ScenarioWorld::PlayCycles(uint64_t most, uint64_t& budget) {
  const scheduling::Plan plan = scheduling::Step(*state_, now_, most);
  budget -= plan.cycles;
  CarryOut(plan);
  state_->CarryOutAllRetries(now_);
  return Record(plan);
}

// Workloads whose eviction is under way.
std::vector<std::string> ScenarioWorld::Leaving() const {
  std::vector<std::string> leaving;
  for (const auto& [key, workload] : workloads_) {
    const auto& conditions = workload->status.conditions;
    if (api::IsConditionTrue(conditions, names::kQuotaReserved) &&
        api::IsConditionTrue(conditions, names::kEvicted)) {
      leaving.push_back(key);
    }
  }
  return leaving;
}

// Every eviction under way ends at once: the job has stopped.
void ScenarioWorld::Settle() {
  for (const std::string& key : Leaving()) {
    api::Workload object = *workloads_.at(key);
    const auto* evicted = api::FindCondition(object.status.conditions, names::kEvicted);
    SetCondition(object, names::kRequeued, true, std::string(evicted->reason));
    SetCondition(object, names::kQuotaReserved, false, "Pending");
    SetCondition(object, names::kAdmitted, false, "NoReservation");
    object.status.admission.reset();
    Tell(std::move(object));
  }
  state_->CarryOutAllRetries(now_);
}

Json ScenarioWorld::Record(const scheduling::Plan& plan) const {
  Json entry = Json::MakeObject();
  for (const scheduling::Reservation& reservation : plan.reservations) {
    entry["quotaReserved"].Set(reservation.workload, api::Encode(reservation.admission));
  }
  for (const scheduling::Eviction& eviction : plan.evictions) {
    Json reasons = Json::MakeObject();
    reasons.Set("evicted", eviction.evicted_reason);
    reasons.Set("preempted", eviction.preempted_reason);
    entry["evicted"].Set(eviction.workload, std::move(reasons));
  }
  for (const auto& [name, queue] : queues_) {
    const auto active = state_->ActiveHeap(name), parked = state_->Inadmissible(name);
    if (!active.empty()) entry["active"].Set(name, NamesOf(active));
    if (!parked.empty()) entry["inadmissible"].Set(name, NamesOf(parked));
  }
  return entry;
}

uint64_t ScenarioWorld::RecordedCycles(int64_t index) const {
  uint64_t count = 0;
  for (const Json& entry : ListOf(scenario_, "expect")) {
    const Json* const step = entry.Find("step");
    count += step != nullptr && step->AsInt() == index ? 1 : 0;
  }
  return count;
}

void ScenarioWorld::PlayStep(const Json& step, int64_t index, std::vector<Json>& entries) {
  for (const Json& reference : ListOf(step, "delete")) Delete(reference);
  for (const Json& key : ListOf(step, "finish")) Finish(key.AsString(), "Succeeded");
  if (const Json* reclaimable = step.Find("reclaimablePods")) {
    for (const Json::Member& entry : reclaimable->AsObject()) Reclaim(entry.key, entry.value);
  }
  for (const Json& object : ListOf(step, "apply")) Apply(object);
  state_->CarryOutAllRetries(now_);
  if (const Json* advance = step.Find("advanceSeconds")) now_ += base::seconds(advance->AsInt());
  const Json* cycles = step.Find("cycles");
  const Json* settle = step.Find("settle");
  uint64_t budget = cycles == nullptr ? 0 : static_cast<uint64_t>(cycles->AsInt());
  // When a step is over depends on what single cycles left behind, which fused ones do not show.
  if (!one_by_one_) budget = std::min(budget, RecordedCycles(index));
  const bool settles = settle == nullptr || settle->AsBool();
  // What an earlier step left under way ends after one cycle of this one.
  uint64_t most = settles && !Leaving().empty() ? 1 : UINT64_MAX;
  int quiet = 0;
  Json before;
  while (budget > 0 && quiet < 2 && state_->HasHeads()) {
    const uint64_t had = budget;
    Json entry = PlayCycles(std::min(most, budget), budget);
    if (had == budget) continue;  // only sentences
    most = UINT64_MAX;
    entries.push_back(entry);
    now_ += base::seconds(static_cast<int64_t>(had - budget));
    if (settles) Settle();
    const bool moved = entry.Find("quotaReserved") != nullptr || entry.Find("evicted") != nullptr;
    const bool same = before.IsObject() && SameMember(entry, before, "active") &&
                      SameMember(entry, before, "inadmissible");
    quiet = moved || !same || !one_by_one_ ? 0 : quiet + 1;
    before = std::move(entry);
  }
}

std::vector<Json> ScenarioWorld::Play() {
  std::vector<Json> entries;
  int64_t index = 0;
  for (const Json& step : ListOf(scenario_, "steps")) {
    const size_t first = entries.size();
    PlayStep(step, index, entries);
    for (size_t i = first; i < entries.size(); ++i) entries[i].Set("step", index);
    ++index;
  }
  return entries;
}

Json ScenarioWorld::End() const {
  Json queues = Json::MakeObject();
  for (const auto& [name, queue] : queues_) {
    const auto report = state_->ReportClusterQueue(name);
    Json entry = Json::MakeObject();
    for (const api::FlavorUsage& flavor : report.flavors_reservation) {
      for (const api::ResourceUsage& usage : flavor.resources) {
        if (usage.total.IsZero()) continue;
        entry["usage"][flavor.name].Set(usage.name, usage.total.ToString());
      }
    }
    if (report.exact_share) {
      const double share = *report.exact_share;
      entry.Set("weightedShare", std::isinf(share) ? INT64_MIN : static_cast<int64_t>(share));
    }
    queues.Set(name, std::move(entry));
  }
  Json end = Json::MakeObject();
  end.Set("clusterQueues", std::move(queues));
  std::vector<std::string> held;
  for (const auto& [key, workload] : workloads_) {
    const auto& conditions = workload->status.conditions;
    if (api::IsConditionTrue(conditions, names::kQuotaReserved) &&
        !api::IsConditionTrue(conditions, names::kFinished)) {
      held.push_back(key);
    }
  }
  if (!held.empty()) end.Set("quotaReserved", NamesOf(held));
  return end;
}

}  // namespace kueue::conformance
