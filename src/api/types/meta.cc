#include "api/types/meta.h"

#include <algorithm>

namespace kueue::api {

const OwnerReference* ControllerOf(const ObjectMeta& meta) {
  for (const auto& owner : meta.owner_references) {
    if (owner.controller.value_or(false)) return &owner;
  }
  return nullptr;
}

std::string KeyOf(const ObjectMeta& meta) {
  return meta.namespace_name.empty() ? meta.name : meta.namespace_name + "/" + meta.name;
}

const Condition* FindCondition(const std::vector<Condition>& conditions, std::string_view type) {
  const auto found = std::find_if(conditions.begin(), conditions.end(),
                                  [&](const Condition& c) { return c.type == type; });
  return found == conditions.end() ? nullptr : &*found;
}

bool IsConditionTrue(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* found = FindCondition(conditions, type);
  return found != nullptr && found->status == ConditionStatus::kTrue;
}

bool SetCondition(std::vector<Condition>& conditions, Condition condition, Time now) {
  const Condition* found = FindCondition(conditions, condition.type);
  if (found == nullptr) {
    condition.last_transition_time = base::CutToSeconds(now);
    conditions.push_back(std::move(condition));
    return true;
  }
  Condition& existing = conditions[static_cast<size_t>(found - conditions.data())];
  condition.last_transition_time = existing.status == condition.status
                                       ? existing.last_transition_time
                                       : base::CutToSeconds(now);
  // What the table does not describe belongs to whoever wrote it and stays.
  if (condition.extra.get() == nullptr) condition.extra = existing.extra;
  if (existing == condition) return false;
  existing = std::move(condition);
  return true;
}

}  // namespace kueue::api
