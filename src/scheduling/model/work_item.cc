#include "scheduling/model/work_item.h"

#include <algorithm>
#include <charconv>

#include "api/types/names.h"
#include "resources/resource_vector.h"

namespace kueue::scheduling {
namespace {

namespace names = api::names;
using resources::RequestUnits;

bool Holds(const api::Condition* condition, api::ConditionStatus status) {
  return condition != nullptr && condition->status == status;
}

base::Time Since(const api::Condition* condition) {
  return condition->last_transition_time.value_or(base::Time());
}

// The annotation's 32-bit number; anything else counts as 0 (§4.2).
int64_t BoostOf(const api::Workload& object) {
  const auto found = object.metadata.annotations.find(names::kPriorityBoost);
  if (found == object.metadata.annotations.end()) return 0;
  const std::string& text = found->second;
  const char* first = text.data();
  const char* const last = first + text.size();
  if (text.size() > 1 && *first == '+' && text[1] != '-') ++first;
  int32_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value);
  return error == std::errc() && end == last ? value : 0;
}

// §4.2, first match.
base::Time OrderTime(const api::Workload& object, const Config& config) {
  const auto& conditions = object.status.conditions;
  const api::Condition* evicted = api::FindCondition(conditions, names::kEvicted);
  if (Holds(evicted, api::ConditionStatus::kTrue)) {
    if (evicted->reason == "PodsReadyTimeout" && !config.requeue_by_creation) {
      return Since(evicted);
    }
    if (evicted->reason == "AdmissionCheck") return Since(evicted);
  }
  const api::Condition* preempted = api::FindCondition(conditions, names::kPreempted);
  if (!config.gates.priority_sorting_within_cohort &&
      Holds(preempted, api::ConditionStatus::kTrue) &&
      preempted->reason == "InCohortReclaimWhileBorrowing") {
    return Since(preempted) + base::milliseconds(1);
  }
  return object.metadata.creation_timestamp.value_or(base::Time::min());
}

// A gate named in the spec is closed unless its status says Open (§10).
bool HasClosedPreemptionGate(const api::Workload& object) {
  return std::any_of(object.spec.preemption_gates.begin(), object.spec.preemption_gates.end(),
                     [&](const api::PreemptionGate& gate) {
                       for (const api::PreemptionGateState& state :
                            object.status.preemption_gates) {
                         if (state.name == gate.name) return state.position != "Open";
                       }
                       return true;
                     });
}

bool HasAdmissionGate(const api::Workload& object, const Config& config) {
  if (!config.gates.admission_gated_by) return false;
  const auto found = object.metadata.annotations.find(names::kAdmissionGatedBy);
  return found != object.metadata.annotations.end() && !found->second.empty();
}

// "a, b" split; blanks around names do not count.
std::vector<std::string> SplitNames(const std::string& text) {
  std::vector<std::string> names;
  for (size_t from = 0; from <= text.size();) {
    const size_t comma = std::min(text.find(',', from), text.size());
    const size_t first = text.find_first_not_of(" \t", from);
    if (first < comma) {
      const size_t last = text.find_last_not_of(" \t", comma - 1);
      names.push_back(text.substr(first, last - first + 1));
    }
    from = comma + 1;
  }
  return names;
}

// §10; null for work of the usual kind.
std::unique_ptr<const VariantFacts> ReadVariant(const api::Workload& object) {
  auto facts = std::make_unique<VariantFacts>();
  for (const api::OwnerReference& owner : object.metadata.owner_references) {
    if (owner.kind != "Workload" || owner.api_version != "kueue.x-k8s.io/v1beta2") continue;
    facts->parent_uid = owner.uid;
    break;
  }
  const auto allowed = object.metadata.annotations.find(names::kAllowedResourceFlavors);
  facts->limited = allowed != object.metadata.annotations.end();
  if (facts->limited) facts->flavors = SplitNames(allowed->second);
  if (facts->parent_uid.empty() && !facts->limited) return nullptr;
  return facts;
}

bool IsParent(const api::Workload& object) {
  const auto label = object.metadata.labels.find(names::kConcurrentAdmissionParent);
  return label != object.metadata.labels.end() && label->second == "true";
}

}  // namespace

bool ScanProgress::HasUntried() const {
  return std::any_of(tried.begin(), tried.end(), [](const Tried& t) { return t.index != -1; });
}

uint32_t ScanProgress::NextIndex(uint32_t pod_set, ResourceId resource) const {
  for (const Tried& t : tried) {
    if (t.pod_set == pod_set && t.resource == resource) return static_cast<uint32_t>(t.index + 1);
  }
  return 0;
}

const api::Admission* WorkItem::admission() const {
  if (assumed != nullptr) return assumed.get();
  return object->status.admission ? &*object->status.admission : nullptr;
}

std::vector<int32_t> NeededCounts(const api::Workload& object, const Config& config) {
  std::vector<int32_t> counts;
  for (const api::PodSet& pod_set : object.spec.pod_sets) {
    int32_t reclaimable = 0;
    if (config.gates.reclaimable_pods) {
      for (const api::ReclaimablePod& entry : object.status.reclaimable_pods) {
        if (entry.name == pod_set.name) reclaimable = entry.count;
      }
    }
    counts.push_back(pod_set.count - std::min(reclaimable, pod_set.count));
  }
  return counts;
}

void ReadStatus(WorkItem& item, const Config& config) {
  const api::Workload& object = *item.object;
  const auto& conditions = object.status.conditions;
  const auto is_true = [&](const char* type) { return api::IsConditionTrue(conditions, type); };
  item.priority = object.spec.priority.value_or(0);
  if (config.gates.priority_boost) item.priority += BoostOf(object);
  item.order_time = OrderTime(object, config);
  item.finished = is_true(names::kFinished);
  item.active = object.spec.active.value_or(true);
  item.admitted = is_true(names::kAdmitted);
  item.evicted = is_true(names::kEvicted);
  item.pods_ready = is_true(names::kPodsReady);
  item.waiting_for_replacement = is_true(names::kWaitingForReplacementPods);
  const api::Condition* quota = api::FindCondition(conditions, names::kQuotaReserved);
  item.reserved = Holds(quota, api::ConditionStatus::kTrue);
  item.reserved_at = item.reserved ? Since(quota) : base::Time();
  item.on_hold = Holds(quota, api::ConditionStatus::kFalse) && quota->reason == "OnHold";
  item.gated = HasAdmissionGate(object, config);
  item.parent_of_variants = config.gates.concurrent_admission && IsParent(object);
  if (config.gates.concurrent_admission) item.variant = ReadVariant(object);
  const api::Condition* requeued = api::FindCondition(conditions, names::kRequeued);
  // That devices could not be counted is over once they can (§1.9).
  const bool about_devices = requeued != nullptr && requeued->reason == "Inadmissible" &&
                             item.demand != nullptr && item.demand->uses_devices;
  item.requeued_false = Holds(requeued, api::ConditionStatus::kFalse) && !about_devices;
  item.requeue_at.reset();
  if (object.status.requeue_state) item.requeue_at = object.status.requeue_state->requeue_at;
  item.check_refuses =
      std::any_of(object.status.admission_checks.begin(), object.status.admission_checks.end(),
                  [](const api::AdmissionCheckState& check) {
                    return check.state == "Retry" || check.state == "Rejected";
                  });
  item.preemption_gate_closed = HasClosedPreemptionGate(object);
  item.counts = NeededCounts(object, config);
}

RequestVector Scaled(const RequestVector& per_pod, int64_t count) {
  RequestVector out = per_pod;
  for (ResourceAmount& entry : out) entry.amount = resources::SaturatingMul(entry.amount, count);
  return out;
}

std::vector<CellUse> ReadUsage(const WorkItem& item, const Config& config, Node* node,
                               QuotaTree& tree) {
  std::vector<CellUse> usage;
  const api::Admission* admission = item.admission();
  const std::vector<int32_t> needed = NeededCounts(*item.object, config);
  const auto& pod_sets = item.object->spec.pod_sets;
  for (const api::PodSetAssignment& assignment : admission->pod_set_assignments) {
    int64_t count = assignment.count.value_or(0), left = count;
    for (size_t i = 0; i < pod_sets.size(); ++i) {
      if (pod_sets[i].name != assignment.name) continue;
      if (!assignment.count) count = pod_sets[i].count;
      left = needed[i];
    }
    for (const auto& [resource, flavor] : assignment.flavors) {
      const auto held = assignment.resource_usage.find(resource);
      int64_t amount =
          held == assignment.resource_usage.end() ? 0 : RequestUnits(resource, held->second);
      // Integer division first (§1.10); more pods than assigned change nothing.
      if (left < count && count != 0) amount = resources::SaturatingMul(amount / count, left);
      Catalog& catalog = tree.catalog();
      const CellId cell = catalog.Cell(catalog.Flavor(flavor), catalog.Resource(resource));
      const auto known = std::find_if(usage.begin(), usage.end(),
                                      [&](const CellUse& use) { return use.cell == cell; });
      if (known == usage.end()) {
        usage.push_back({cell, tree.EnsureSlot(node, cell), amount});
      } else {
        known->amount = resources::SaturatingAdd(known->amount, amount);
      }
    }
  }
  return usage;
}

RequestVector HeldBy(const api::Admission& admission, const std::string& pod_set,
                     Catalog& catalog) {
  RequestVector held;
  for (const api::PodSetAssignment& assignment : admission.pod_set_assignments) {
    if (assignment.name != pod_set) continue;
    for (const auto& entry : assignment.flavors) {
      const auto usage = assignment.resource_usage.find(entry.first);
      if (usage == assignment.resource_usage.end()) continue;
      held.push_back(
          {catalog.Resource(entry.first), RequestUnits(entry.first, usage->second)});
    }
  }
  return held;
}

}  // namespace kueue::scheduling
