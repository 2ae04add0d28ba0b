#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/types/core.h"

// Conditions of pods and jobs.
namespace kueue::localcluster {

// Null if there is none of that type.
const api::PodCondition* FindCondition(const std::vector<api::PodCondition>& conditions,
                                       std::string_view type);
bool IsTrue(const std::vector<api::PodCondition>& conditions, std::string_view type);

// Sets status, reason and message of the condition of that type, appending it if need be; its
// lastTransitionTime becomes `now` when the status changes. True if anything changed.
bool SetCondition(std::vector<api::PodCondition>& conditions, const std::string& type, bool status,
                  const std::string& reason, const std::string& message, api::Time now);

}  // namespace kueue::localcluster
