#pragma once

#include <map>
#include <string>
#include <vector>

#include "scheduling/cycle.h"

// What a cycle decided, in names and sentences: from the numbers it decided with.
namespace kueue::scheduling {

struct Outcome {
  std::string condition_reason, message;  // of QuotaReserved=False (spec/scheduling.md §5.7)
};
// What each pod set that does not fit lacks; "" if all fit.
std::string DescribeShortages(const World& world, const Entry& entry);
// What policies beyond the reference did about it (policies/); empty without any.
std::vector<std::string> NotesOf(const Entry& entry);
Outcome DescribeOutcome(const World& world, const Entry& entry);
Evaluated DescribeEvaluation(const World& world, const Entry& entry);
// The places as they are written (spec/topology.md §10, §13). REQUIRES: `given` is not `unchanged`.
api::TopologyAssignment DescribePlace(const World& world, const topology::Given& given);
// What is written to status.admission (§6.8).
api::Admission DescribeAdmission(const World& world, const Entry& entry);
// Totals by pod set (§1.10), for status.resourceRequests.
std::map<std::string, resources::ResourceVector> DescribeRequests(const World& world,
                                                                  const WorkItem& item);
// Every check required for the assigned flavors is listed and Ready, or none is required (§13), and
// no pod set waits for its places.
bool ChecksAreReady(const api::ClusterQueue& queue, const api::Workload& workload,
                    const api::Admission& admission);

}  // namespace kueue::scheduling
