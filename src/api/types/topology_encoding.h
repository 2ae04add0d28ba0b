#pragma once

#include <string>
#include <vector>

#include "api/types/kueue.h"

// The compact form of a topology assignment and the list of domains it stands for (spec/api.md
// §8.3).
namespace kueue::api {

struct TopologyDomain {
  std::vector<std::string> values;  // of the levels, the highest first
  int32_t count = 0;                // pods in it
  friend bool operator==(const TopologyDomain&, const TopologyDomain&) = default;
};

// Every domain must have as many values as there are levels. Without domains there are no slices.
TopologyAssignment EncodeDomains(const std::vector<std::string>& levels,
                                 const std::vector<TopologyDomain>& domains);
// kInvalid if the slices do not agree with themselves (a list shorter than domainCount, another
// number of levels); the message names the slice.
base::Result<std::vector<TopologyDomain>> DecodeDomains(const TopologyAssignment& assignment);

}  // namespace kueue::api
