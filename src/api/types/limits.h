#pragma once

#include <string>
#include <vector>

#include "api/types/meta.h"

// What beside its own template decides the requests of a pod (spec/scheduling.md §1.5).
namespace kueue::api {

// One item of a LimitRange. Ratios of limits to requests are not kept: nothing here enforces them.
struct LimitRangeItem {
  std::string type;  // "Container", "Pod"; others do not concern pods
  ResourceList max, min;
  ResourceList default_limits, default_requests;
  friend bool operator==(const LimitRangeItem&, const LimitRangeItem&) = default;
};
struct LimitRange {
  std::string namespace_name, name;
  std::vector<LimitRangeItem> items;
  friend bool operator==(const LimitRange&, const LimitRange&) = default;
};
struct RuntimeClass {
  std::string name;
  ResourceList overhead;  // overhead.podFixed; empty: none
  friend bool operator==(const RuntimeClass&, const RuntimeClass&) = default;
};

}  // namespace kueue::api
