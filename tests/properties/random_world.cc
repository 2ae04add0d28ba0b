#include "random_world.h"

#include "api/codec/codec.h"
#include "api/codec/json_text.h"
#include "api/match/policy_annotations.h"
#include "api/types/names.h"

namespace kueue::properties {
namespace {

namespace names = api::names;
using resources::Quantity;

template <class Map>
const std::string& AnyKey(base::Random& random, const Map& map) {
  auto at = map.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(random.Below(map.size())));
  return at->first;
}

bool Holds(const api::Workload& workload, const char* type) {
  return api::IsConditionTrue(workload.status.conditions, type);
}

bool DecidedNothing(const scheduling::Plan& plan) {
  return plan.reservations.empty() && plan.evictions.empty();
}

}  // namespace

RandomWorld::RandomWorld(uint64_t seed, bool policies) : random_(seed) {
  if (policies) policies_.emplace(seed + 1);
  MakeConfig();
  // The second one is there to be compared: it looks at every head.
  if (Chance(80)) config_.shapes_always_tried = 0;
  states_.push_back(std::make_unique<scheduling::State>(config_));
  scheduling::Config one_by_one = config_;
  one_by_one.one_by_one = true;
  states_.push_back(std::make_unique<scheduling::State>(one_by_one));
  api::Namespace home;
  home.metadata.name = "ns";
  for (auto& state : states_) state->SetNamespace(home, now_);
  for (const char* name : {"f0", "f1", "f2"}) MakeFlavor(name);
  for (int64_t i = Pick(5); i > 0; --i) MakeCohort("c" + std::to_string(i));
  for (int64_t i = 2 + Pick(5); i > 0; --i) {
    MakeQueue("q" + std::to_string(i));
    MakeLocalQueue("q" + std::to_string(i));
  }
}

void RandomWorld::MakeConfig() {
  scheduling::Gates& gates = config_.gates;
  for (bool* gate : {&gates.partial_admission, &gates.flavor_fungibility_preserve_scan_progress,
                     &gates.priority_sorting_within_cohort, &gates.scheduling_equivalence_hashing,
                     &gates.recompute_assignment_upon_preemption_targets_overlap,
                     &gates.fair_sharing_prioritize_non_borrowing}) {
    if (Chance(8)) *gate = false;
  }
  gates.prioritize_preemptor_workloads = Chance(8);
  if (Chance(35)) config_.fair_sharing.emplace();
}

// Seconds: a life lasts for a minute.
api::StringMap RandomWorld::RandomPolicies() {
  api::StringMap annotations;
  if (!policies_) return annotations;
  const auto maybe = [&](const char* key, uint64_t most) {
    if (policies_->OneIn(2)) annotations[key] = std::to_string(1 + policies_->Below(most)) + "s";
  };
  maybe(names::kPriorityAgingInterval, 10);
  maybe(names::kMinimumRunTime, 20);
  maybe(names::kPreemptionDamping, 5);
  maybe(names::kBackfillRunTime, 20);
  if (policies_->OneIn(2)) annotations[names::kPriorityAgingLimit] = "2";
  return annotations;
}

api::StringMap RandomWorld::RandomBudget() {
  if (!policies_ || policies_->OneIn(2)) return {};
  return {{names::kWallTimeBudget, std::to_string(1 + policies_->Below(60)) + "s"},
          {names::kWallTimePeriod, std::to_string(10 + policies_->Below(20)) + "s"}};
}

void RandomWorld::MakeFlavor(const std::string& name) {
  auto flavor = std::make_shared<api::ResourceFlavor>();
  flavor->metadata.name = name;
  if (Chance(15)) flavor->spec.node_taints.push_back({"k", "v", "NoSchedule", {}, {}});
  flavors_[name] = flavor;
  for (auto& state : states_) state->SetResourceFlavor(flavor, now_);
}

std::vector<api::ResourceGroup> RandomWorld::RandomGroups(bool limits) {
  const bool memory = Chance(30);
  std::vector<api::ResourceGroup> groups(1);
  groups[0].covered_resources = {"cpu"};
  if (memory) groups[0].covered_resources.emplace_back("memory");
  const int64_t first = Pick(3), count = 1 + Pick(3 - first);
  for (int64_t i = first; i < first + count; ++i) {
    api::FlavorQuotas& flavor = groups[0].flavors.emplace_back();
    flavor.name = "f" + std::to_string(i);
    for (const std::string& resource : groups[0].covered_resources) {
      api::ResourceQuota& quota = flavor.resources.emplace_back();
      quota.name = resource;
      quota.nominal_quota = Quantity::FromUnits(Pick(8));
      if (limits && Chance(30)) quota.borrowing_limit = Quantity::FromUnits(Pick(6));
      if (limits && Chance(25)) quota.lending_limit = Quantity::FromUnits(Pick(6));
    }
  }
  return groups;
}

void RandomWorld::MakeCohort(const std::string& name) {
  auto cohort = std::make_shared<api::Cohort>();
  cohort->metadata.name = name;
  cohort->metadata.generation = ++generation_;
  if (Chance(60)) cohort->spec.parent_name = "c" + std::to_string(1 + Pick(5));
  if (Chance(40)) cohort->spec.resource_groups = RandomGroups(!cohort->spec.parent_name.empty());
  if (Chance(20)) {
    cohort->spec.fair_sharing.emplace();
    cohort->spec.fair_sharing->weight = Quantity::FromUnits(Pick(4));
  }
  cohorts_[name] = cohort;
  for (auto& state : states_) state->SetCohort(cohort, now_);
}

void RandomWorld::MakeQueue(const std::string& name) {
  auto queue = std::make_shared<api::ClusterQueue>();
  queue->metadata.name = name;
  queue->metadata.generation = ++generation_;
  queue->metadata.annotations = RandomPolicies();
  api::ClusterQueueSpec& spec = queue->spec;
  if (Chance(75)) spec.cohort_name = "c" + std::to_string(1 + Pick(4));
  spec.namespace_selector.emplace();
  spec.queueing_strategy = Chance(25) ? "StrictFIFO" : "BestEffortFIFO";
  spec.resource_groups = RandomGroups(!spec.cohort_name.empty());
  const char* kWithin[] = {"Never", "LowerPriority", "LowerOrNewerEqualPriority"};
  const char* kReclaim[] = {"Never", "LowerPriority", "Any"};
  spec.preemption.emplace();
  spec.preemption->within_cluster_queue = kWithin[Pick(3)];
  spec.preemption->reclaim_within_cohort = kReclaim[Pick(3)];
  if (spec.preemption->reclaim_within_cohort != "Never" && Chance(30)) {
    spec.preemption->borrow_within_cohort.emplace();
    spec.preemption->borrow_within_cohort->policy = "LowerPriority";
  }
  spec.flavor_fungibility.emplace();
  spec.flavor_fungibility->when_can_borrow = Chance(50) ? "MayStopSearch" : "TryNextFlavor";
  spec.flavor_fungibility->when_can_preempt = Chance(50) ? "MayStopSearch" : "TryNextFlavor";
  if (Chance(10)) spec.stop_policy = "Hold";
  queues_[name] = queue;
  for (auto& state : states_) state->SetClusterQueue(queue, now_);
}

void RandomWorld::MakeLocalQueue(const std::string& name) {
  auto local = std::make_shared<api::LocalQueue>();
  local->metadata.name = name;
  local->metadata.namespace_name = "ns";
  local->metadata.annotations = RandomBudget();
  local->spec.cluster_queue = name;
  local->spec.stop_policy = Chance(8) ? "Hold" : "None";
  locals_[name] = local;
  for (auto& state : states_) state->SetLocalQueue(local, now_);
}

// ---- workloads

void RandomWorld::Tell(api::Workload workload) {
  auto shared = std::make_shared<const api::Workload>(std::move(workload));
  workloads_[api::KeyOf(shared->metadata)] = shared;
  for (auto& state : states_) state->SetWorkload(shared, now_);
}

void RandomWorld::Set(api::Workload& workload, const char* type, bool value,
                      const char* reason) const {
  api::Condition condition;
  condition.type = type;
  condition.status = value ? api::ConditionStatus::kTrue : api::ConditionStatus::kFalse;
  condition.reason = reason;
  api::SetCondition(workload.status.conditions, std::move(condition), now_);
}

void RandomWorld::Submit() {
  api::Workload workload;
  const std::string name = "w" + std::to_string(++number_);
  workload.metadata.name = name;
  workload.metadata.namespace_name = "ns";
  workload.metadata.uid = "uid-" + std::to_string(Pick(1000)) + "-" + name;
  workload.metadata.generation = 1;
  workload.metadata.creation_timestamp = base::CutToSeconds(now_) - base::seconds(Pick(3));
  workload.spec.queue_name = "q" + std::to_string(1 + Pick(6));
  workload.spec.priority = static_cast<int32_t>(Pick(4));
  for (int64_t i = Chance(15) ? 2 : 1; i > 0; --i) {
    api::PodSet& pods = workload.spec.pod_sets.emplace_back();
    pods.name = "p" + std::to_string(i);
    pods.count = static_cast<int32_t>(1 + Pick(4));
    if (Chance(20)) pods.min_count = static_cast<int32_t>(1 + Pick(pods.count));
    api::Container& container = pods.pod_template.spec.containers.emplace_back();
    container.name = "c";
    container.resources.requests["cpu"] = Quantity::FromUnits(Pick(4));
    if (Chance(30)) container.resources.requests["memory"] = Quantity::FromUnits(Pick(4));
    if (Chance(50)) pods.pod_template.spec.tolerations.push_back({"k", "Exists", "", "", {}, {}});
  }
  Tell(std::move(workload));
}

std::string RandomWorld::AnyWorkload() {
  return workloads_.empty() ? std::string() : AnyKey(random_, workloads_);
}

void RandomWorld::ChangeWorkload() {
  const std::string key = AnyWorkload();
  if (key.empty()) return;
  api::Workload workload = *workloads_.at(key);
  switch (Pick(4)) {
    case 0:
      Set(workload, names::kFinished, true, "Succeeded");
      break;
    case 1:
      workload.spec.active = !workload.spec.active.value_or(true);
      ++workload.metadata.generation;
      break;
    case 2:
      workload.spec.priority = static_cast<int32_t>(Pick(4));
      ++workload.metadata.generation;
      break;
    default:
      workload.status.reclaimable_pods = {{workload.spec.pod_sets[0].name, 1, {}}};
      break;
  }
  // Its write would find the object changed.
  const bool ended = Holds(workload, names::kFinished) || !workload.spec.active.value_or(true);
  if (ended) unwritten_.erase(key);
  Tell(std::move(workload));
}

void RandomWorld::RemoveSomething() {
  switch (Pick(5)) {
    case 0: {
      const std::string name = "c" + std::to_string(1 + Pick(4));
      cohorts_.erase(name);
      for (auto& state : states_) state->DeleteCohort(name);
      return;
    }
    case 1: {
      const std::string name = "q" + std::to_string(1 + Pick(6));
      queues_.erase(name);
      for (auto& state : states_) state->DeleteClusterQueue(name);
      return;
    }
    case 2: {
      const std::string name = "f" + std::to_string(Pick(3));
      flavors_.erase(name);
      for (auto& state : states_) state->DeleteResourceFlavor(name);
      return;
    }
    case 3: {
      const std::string name = "q" + std::to_string(1 + Pick(6));
      locals_.erase(name);
      for (auto& state : states_) state->DeleteLocalQueue("ns", name);
      return;
    }
    default: {
      const std::string key = AnyWorkload();
      if (key.empty()) return;
      workloads_.erase(key);
      unwritten_.erase(key);
      for (auto& state : states_) state->DeleteWorkload("ns", key.substr(3), now_);
    }
  }
}

void RandomWorld::Change() {
  const int64_t kind = Pick(100);
  if (kind < 55) return Submit();
  if (kind < 80) return ChangeWorkload();
  if (kind < 86) return MakeQueue("q" + std::to_string(1 + Pick(6)));
  if (kind < 90) return MakeCohort("c" + std::to_string(1 + Pick(4)));
  if (kind < 93) return MakeLocalQueue("q" + std::to_string(1 + Pick(6)));
  if (kind < 96) return MakeFlavor("f" + std::to_string(Pick(3)));
  RemoveSomething();
}

// ---- decisions

void RandomWorld::Write(const scheduling::Reservation& reservation) {
  api::Workload workload = *workloads_.at(reservation.workload);
  workload.status.admission = reservation.admission;
  Set(workload, names::kQuotaReserved, true, "QuotaReserved");
  for (const char* type : {names::kEvicted, names::kPreempted}) {
    if (Holds(workload, type)) Set(workload, type, false, "QuotaReserved");
  }
  if (reservation.also_admitted) Set(workload, names::kAdmitted, true, "Admitted");
  Tell(std::move(workload));
}

void RandomWorld::WriteEviction(const scheduling::Eviction& eviction) {
  if (Chance(10)) {
    for (auto& state : states_) state->EvictionFailed(eviction.workload, eviction.uid);
    return;
  }
  // The victim's own reservation reached the object before it could be chosen.
  api::Workload workload = *workloads_.at(eviction.workload);
  if (!Holds(workload, names::kQuotaReserved)) return;
  Set(workload, names::kPreempted, true, eviction.preempted_reason.c_str());
  Set(workload, names::kEvicted, true, eviction.evicted_reason.c_str());
  Tell(std::move(workload));
}

bool RandomWorld::Cycle() {
  leaving_before_.clear();
  for (const auto& [key, workload] : workloads_) {
    if (Holds(*workload, names::kEvicted) && Holds(*workload, names::kQuotaReserved)) {
      leaving_before_.insert(key);
    }
  }
  plan_ = scheduling::Step(*states_[0], now_);
  const bool same = plan_.cycles == 0 ? DecidedNothing(plan_) : CatchUp();
  for (const auto& reservation : plan_.reservations) {
    unwritten_.emplace(reservation.workload, reservation);
  }
  unwritten_evictions_.insert(unwritten_evictions_.end(), plan_.evictions.begin(),
                              plan_.evictions.end());
  return same;
}

// The second State takes as many cycles; all but the last have to come to nothing, the last to the
// same.
bool RandomWorld::CatchUp() {
  for (uint64_t i = 1; i < plan_.cycles; ++i) {
    if (!DecidedNothing(scheduling::Step(*states_[1], now_))) return false;
  }
  const scheduling::Plan other = scheduling::Step(*states_[1], now_);
  const auto decisions = [](const scheduling::Plan& plan) {
    std::set<std::string> lines;
    for (const auto& entry : plan.reservations) {
      lines.insert("reserve " + entry.workload + " " +
                   api::WriteJson(api::Encode(entry.admission)));
    }
    for (const auto& entry : plan.evictions) {
      lines.insert("evict " + entry.workload + " " + entry.preempted_reason + " " +
                   entry.by_workload);
    }
    return lines;
  };
  return plan_.cycle == other.cycle && decisions(plan_) == decisions(other) && SameQueues();
}

// What waits, and what is parked, is the same to both States.
bool RandomWorld::SameQueues() const {
  for (const auto& [name, queue] : queues_) {
    if (states_[0]->ActiveHeap(name) != states_[1]->ActiveHeap(name) ||
        states_[0]->Inadmissible(name) != states_[1]->Inadmissible(name)) {
      return false;
    }
  }
  return true;
}

void RandomWorld::Stop(const std::string& key) {
  api::Workload workload = *workloads_.at(key);
  Set(workload, names::kRequeued, true, "Preempted");
  Set(workload, names::kQuotaReserved, false, "Pending");
  Set(workload, names::kAdmitted, false, "NoReservation");
  workload.status.admission.reset();
  Tell(std::move(workload));
}

void RandomWorld::Settle() {
  for (const auto& [key, reservation] : std::exchange(unwritten_, {})) {
    const WorkloadPointer& now = workloads_.at(key);
    const bool gone = Holds(*now, names::kFinished) || !now->spec.active.value_or(true);
    if (gone || Chance(10)) {
      for (auto& state : states_) state->ReservationFailed(key, reservation.uid, now_);
    } else {
      Write(reservation);
    }
  }
  for (const auto& eviction : std::exchange(unwritten_evictions_, {})) {
    const auto found = workloads_.find(eviction.workload);
    if (found == workloads_.end() || found->second->metadata.uid != eviction.uid) continue;
    WriteEviction(eviction);
  }
  std::vector<std::string> leaving;
  for (const auto& [key, workload] : workloads_) {
    const bool inactive = !workload->spec.active.value_or(true);
    if (Holds(*workload, names::kQuotaReserved) &&
        (Holds(*workload, names::kEvicted) || inactive) && Chance(70)) {
      leaving.push_back(key);
    }
  }
  for (const std::string& key : leaving) Stop(key);
  now_ += base::seconds(1);
  for (auto& state : states_) state->CarryOutDueRetries(now_);
}

// ---- the whole

void RandomWorld::TellAll(scheduling::State& state) const {
  api::Namespace home;
  home.metadata.name = "ns";
  state.SetNamespace(home, now_);
  for (const auto& entry : flavors_) state.SetResourceFlavor(entry.second, now_);
  for (const auto& entry : cohorts_) state.SetCohort(entry.second, now_);
  for (const auto& entry : queues_) state.SetClusterQueue(entry.second, now_);
  for (const auto& entry : locals_) state.SetLocalQueue(entry.second, now_);
  for (const auto& entry : workloads_) state.SetWorkload(entry.second, now_);
}

scheduling::State RandomWorld::Restarted() const {
  scheduling::State state(config_);
  TellAll(state);
  return state;
}

void RandomWorld::TellAgain() {
  for (auto& state : states_) TellAll(*state);
}

void RandomWorld::Empty() {
  for (const auto& entry : workloads_) {
    for (auto& state : states_) state->DeleteWorkload("ns", entry.first.substr(3), now_);
  }
  workloads_.clear();
  unwritten_.clear();
}

std::string RandomWorld::QueueOf(const api::Workload& workload) const {
  const auto local = locals_.find(workload.spec.queue_name);
  if (local == locals_.end() || local->second->spec.stop_policy == "Hold") return {};
  const std::string& name = local->second->spec.cluster_queue;
  return queues_.contains(name) ? name : std::string();
}

}  // namespace kueue::properties
