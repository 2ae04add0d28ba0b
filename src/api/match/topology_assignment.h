#pragma once

#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "base/result.h"

namespace kueue::api {

// Pods of one topology domain; a value for every level of the assignment it belongs to.
struct TopologyDomain {
  std::vector<std::string> values;
  int32_t count = 0;
  friend bool operator==(const TopologyDomain&, const TopologyDomain&) = default;
};

// The stored form of a list of domains (spec/topology.md §13.2, §13.3): common beginnings and
// endings are written once. The order stays. `by_hostname_prefix`: several slices where hostnames
// begin alike and that is shorter (gate TASAssignmentsEncodingByHostnamePrefix).
// REQUIRES: every domain has a value for each of `levels`.
TopologyAssignment EncodeTopology(const std::vector<std::string>& levels,
                                  const std::vector<TopologyDomain>& domains,
                                  bool by_hostname_prefix);

// Back to the list; every legal form is read (§13.1). An error (kInvalid) says what does not fit.
base::Result<std::vector<TopologyDomain>> DecodeTopology(const TopologyAssignment& assignment);

}  // namespace kueue::api
