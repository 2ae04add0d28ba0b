#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/types/core.h"
#include "api/types/limits.h"

namespace kueue::api {

// From the objects as they are served (v1 LimitRange, node.k8s.io/v1 RuntimeClass). Amounts that
// are no quantities are left out.
LimitRange ReadLimitRange(const Json& object);
RuntimeClass ReadRuntimeClass(const Json& object);
// A map of resource names to quantities; null or anything else: empty.
ResourceList ReadResourceList(const Json* map);

// All LimitRanges of a namespace as one (spec/scheduling.md §1.5): the smallest max, the largest
// min, the first default of each resource.
struct LimitSummary {
  std::optional<LimitRangeItem> container, pod;
  bool empty() const { return !container && !pod; }
};
// `ranges` in the order in which defaults count. None is null.
LimitSummary Summarize(const std::vector<const LimitRange*>& ranges);

// Missing limits of containers take the default limit, missing requests the default request; the
// same for the pod as a whole if it has resources of its own. Does not touch what is there.
void FillLimitDefaults(const LimitSummary& summary, PodSpec& pod);

// What of the pod is out of bounds, for people; empty if nothing is. Compared where both sides name
// the resource, in decision units (§1.6 (4)).
std::string FindOutOfBounds(const LimitSummary& summary, const PodSpec& pod);

}  // namespace kueue::api
