#include "localcluster/conditions.h"

#include <algorithm>

namespace kueue::localcluster {

const api::PodCondition* FindCondition(const std::vector<api::PodCondition>& conditions,
                                       std::string_view type) {
  const auto it = std::find_if(conditions.begin(), conditions.end(),
                               [&](const api::PodCondition& c) { return c.type == type; });
  return it == conditions.end() ? nullptr : &*it;
}

bool IsTrue(const std::vector<api::PodCondition>& conditions, std::string_view type) {
  const api::PodCondition* condition = FindCondition(conditions, type);
  return condition != nullptr && condition->status == api::ConditionStatus::kTrue;
}

bool SetCondition(std::vector<api::PodCondition>& conditions, const std::string& type, bool status,
                  const std::string& reason, const std::string& message, api::Time now) {
  auto it = std::find_if(conditions.begin(), conditions.end(),
                         [&](const api::PodCondition& c) { return c.type == type; });
  if (it == conditions.end()) {
    conditions.emplace_back();
    it = conditions.end() - 1;
    it->type = type;
  }
  const auto wanted = status ? api::ConditionStatus::kTrue : api::ConditionStatus::kFalse;
  const bool moved = it->status != wanted || !it->last_transition_time;
  if (!moved && it->reason == reason && it->message == message) return false;
  if (moved) it->last_transition_time = base::CutToSeconds(now);
  it->status = wanted;
  it->reason = reason;
  it->message = message;
  return true;
}

}  // namespace kueue::localcluster
