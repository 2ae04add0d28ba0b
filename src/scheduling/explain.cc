#include "scheduling/explain.h"

#include <algorithm>

namespace kueue::scheduling {
namespace {

// One reason for one resource or flavor; with the numbers, so that a changed shortage is a changed
// message (§6.9).
std::string DescribeCell(const World& world, const Attempt& attempt, const CellAttempt& cell) {
  const std::string what = world.catalog.Name(cell.resource) + " in flavor " +
                           world.catalog.Name(attempt.flavor);
  const auto text = [&](Amount amount) {
    if (amount.IsUnlimited()) return amount.ToString();
    return resources::UnitsToQuantity(world.catalog.Name(cell.resource), amount.value())
        .ToString();
  };
  switch (cell.shortage) {
    case Shortage::kNone:
    case Shortage::kNoPlace: return {};
    case Shortage::kExceedsMaxQuota:
      return "request of " + text(cell.requested) + " " + what +
             " exceeds the most the queue can ever use, " + text(cell.potential);
    case Shortage::kWaitingForQuota:
      return what + " lacks " + text(cell.requested - cell.available) + " of unused quota";
    case Shortage::kNoMatchingFlavor:
      return what + " is not the flavor of the slice it replaces";
  }
  return {};
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Why a flavor is not eligible; where levels are missing, which were asked for and which there are.
std::string DescribeRefusal(const World& world, const WorkItem& item, const Attempt& attempt) {
  std::string text = Describe(attempt.refusal);
  const auto& request = item.demand->pod_sets[attempt.pod_set].spec->topology_request;
  if (attempt.refusal != Refusal::kLacksLevel || !request) return text;
  std::vector<std::string> asked;
  for (const auto* level :
       {&request->required, &request->preferred, &request->pod_set_slice_required_topology}) {
    if (level->has_value()) asked.push_back(**level);
  }
  for (const auto& layer : request->podset_slice_required_topology_constraints) {
    asked.push_back(layer.topology);
  }
  const topology::Space* const space = world.atlas.Find(attempt.flavor);
  text += asked.empty() ? " (no level is asked for, and unconstrained placement neither"
                        : " (asked: " + Listed(asked);
  return text + (space == nullptr ? ")" : "; there are: " + Listed(space->spec().keys) + ")");
}

std::vector<std::string> ReasonsOf(const World& world, const Entry& entry,
                                   const PodSetResult& pod_set) {
  const Assignment& assignment = entry.assignment;
  std::vector<std::string> reasons;
  if (pod_set.uncovered.valid()) {
    reasons.push_back("resource " + world.catalog.Name(pod_set.uncovered) +
                      " is not covered by the ClusterQueue");
  }
  for (uint32_t i = 0; i < pod_set.attempt_count; ++i) {
    const Attempt& attempt = assignment.attempts[pod_set.first_attempt + i];
    if (attempt.refusal != Refusal::kNone) {
      reasons.push_back("flavor " + world.catalog.Name(attempt.flavor) + " " +
                        DescribeRefusal(world, *entry.item, attempt));
    }
    for (uint32_t c = 0; c < attempt.cell_count; ++c) {
      std::string reason = DescribeCell(world, attempt, assignment.cells[attempt.first_cell + c]);
      if (!reason.empty()) reasons.push_back(std::move(reason));
    }
  }
  if (!pod_set.place_problem.empty()) reasons.push_back(pod_set.place_problem);
  std::sort(reasons.begin(), reasons.end());
  return reasons;
}

// The severity of one failed pod set (§6.12): flavors are alternatives, groups co-requisites.
Shortage SeverityOf(const Assignment& assignment, const PodSetResult& pod_set) {
  if (pod_set.no_place) return Shortage::kNoPlace;
  if (pod_set.uncovered.valid() || pod_set.attempt_count == 0) return Shortage::kNoMatchingFlavor;
  std::map<uint32_t, Shortage> by_group;
  for (uint32_t i = 0; i < pod_set.attempt_count; ++i) {
    const Attempt& attempt = assignment.attempts[pod_set.first_attempt + i];
    if (attempt.fitness != Fitness::kNoFit) continue;
    Shortage worst =
        attempt.refusal != Refusal::kNone ? Shortage::kNoMatchingFlavor : Shortage::kNone;
    for (uint32_t c = 0; c < attempt.cell_count; ++c) {
      const CellAttempt& cell = assignment.cells[attempt.first_cell + c];
      if (cell.rating.fitness == Fitness::kNoFit) worst = std::max(worst, cell.shortage);
    }
    const auto [at, added] = by_group.emplace(attempt.group, worst);
    if (!added) at->second = std::min(at->second, worst);
  }
  Shortage worst = Shortage::kNone;
  for (const auto& entry : by_group) worst = std::max(worst, entry.second);
  return worst;
}

Shortage SeverityOf(const Assignment& assignment) {
  Shortage worst = Shortage::kNone;
  for (const PodSetResult& pod_set : assignment.pod_sets) {
    if (pod_set.mode() != FlavorMode::kNoFit) continue;
    worst = std::max(worst, SeverityOf(assignment, pod_set));
  }
  return worst;
}

FlavorMode ShownMode(const Assignment& assignment, Fitness fitness) {
  const FlavorMode mode = ModeOf(fitness);
  return assignment.deferred && mode == FlavorMode::kFit ? FlavorMode::kDeferredFit : mode;
}

PlaceRefusal DescribeRefusal(const std::string& pod_set, const topology::Failure& failure) {
  PlaceRefusal out;
  out.pod_set = pod_set;
  out.flavor = failure.topology_flavor;
  out.problem = failure.problem;
  out.fitting = failure.fitting;
  out.wanted = failure.wanted;
  out.in_slices = failure.in_slices;
  for (const auto& level : failure.best) out.best.push_back({level.key, level.domain, level.pods});
  out.nodes = failure.leaves;
  out.excluded = failure.excluded;
  out.unusable = failure.unusable;
  return out;
}

// Without observability every reason is the same (§5.7).
Outcome Granular(const World& world, std::string reason, std::string message) {
  if (!world.config.gates.unadmitted_workloads_observability) reason = "Pending";
  return {std::move(reason), std::move(message)};
}

}  // namespace

std::vector<std::string> NotesOf(const Entry& entry) {
  std::vector<std::string> notes;
  if (entry.item->aged > 0) {
    notes.push_back("it counts as priority " +
                    std::to_string(entry.item->priority + entry.item->aged) +
                    " in its queue: " + std::to_string(entry.item->aged) +
                    " more than its own for the time it waits");
  }
  if (entry.spared) notes.push_back(Describe(*entry.spared));
  if (entry.held) notes.push_back("it is " + Describe(*entry.held));
  return notes;
}

std::string DescribeShortages(const World& world, const Entry& entry) {
  std::string text;
  for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
    if (pod_set.mode() == FlavorMode::kFit) continue;
    if (!text.empty()) text += "; ";
    text += "pod set " + entry.item->demand->pod_sets[pod_set.index].spec->name + ": ";
    const std::vector<std::string> reasons = ReasonsOf(world, entry, pod_set);
    for (size_t i = 0; i < reasons.size(); ++i) {
      if (i > 0) text += ", ";
      text += reasons[i];
    }
  }
  return text;
}

api::TopologyAssignment DescribePlace(const World& world, const topology::Given& given) {
  return api::EncodeTopology(world.atlas.Find(given.flavor)->StoredKeys(),
                             world.atlas.DomainsOf(given.flavor, given.portions),
                             world.config.gates.tas_assignments_encoding_by_hostname_prefix);
}

Outcome DescribeOutcome(const World& world, const Entry& entry) {
  if (entry.awaits_readiness) {
    const bool granular = world.config.gates.unadmitted_workloads_observability;
    return {granular ? "WaitingForPodsReady" : "Waiting",
            "Fits; waits until the pods of all admitted workloads are ready"};
  }
  switch (entry.sibling) {
    case Entry::Sibling::kBetterIsAdmitted:
      return Granular(world, "PendingEvaluation", "A variant with a better flavor is admitted");
    case Entry::Sibling::kStays:
      return Granular(world, "PendingEvaluation",
                      "Fits, but migration ends at a better flavor than its own");
    case Entry::Sibling::kLeaves:
      return Granular(world, "WaitingForPreemptedWorkloads",
                      "Waits for the variant with a worse flavor to stop");
    case Entry::Sibling::kNone: break;
  }
  if (entry.held) {
    return Granular(world, "WaitingForQuota", "Fits, and is " + Describe(*entry.held));
  }
  std::string shortages = DescribeShortages(world, entry);
  for (const std::string& note : NotesOf(entry)) {
    shortages += (shortages.empty() ? "" : "; ") + note;
  }
  switch (entry.reason) {
    case RequeueReason::kNoFit: {
      const std::string reason = NameOf(SeverityOf(entry.assignment));
      return Granular(world, reason.empty() ? "PendingEvaluation" : reason,
                      "No flavors fit: " + shortages);
    }
    case RequeueReason::kPreemptionNoCandidates:
      return Granular(world, "WaitingForQuota", "Nobody can be preempted: " + shortages);
    case RequeueReason::kPreemptionGated:
      return Granular(world, "AdmissionGated", "Preemption is held back by a closed gate");
    case RequeueReason::kFailedAfterNomination:
      return Granular(world, "WaitingForQuota",
                      "Another workload took the quota in the same scheduling cycle");
    default: break;
  }
  std::string message = entry.assignment.deferred
                            ? "Fits once workloads preempted for others have stopped"
                            : "Waits for preempted workloads to stop";
  if (!shortages.empty()) message += ": " + shortages;
  return Granular(world, "WaitingForPreemptedWorkloads", std::move(message));
}

Evaluated DescribeEvaluation(const World& world, const Entry& entry) {
  Evaluated out;
  out.workload = entry.item->key;
  out.cluster_queue = entry.queue->name;
  out.mode = entry.assignment.mode();
  out.attempts.reserve(entry.assignment.attempts.size());
  for (const Attempt& attempt : entry.assignment.attempts) {
    FlavorAttempt& flavor = out.attempts.emplace_back();
    flavor.resources.reserve(attempt.cell_count);
    flavor.pod_set = entry.item->demand->pod_sets[attempt.pod_set].spec->name;
    flavor.flavor = world.catalog.Name(attempt.flavor);
    flavor.mode = ShownMode(entry.assignment, attempt.fitness);
    flavor.refusal = DescribeRefusal(world, *entry.item, attempt);
    for (uint32_t c = 0; c < attempt.cell_count; ++c) {
      const CellAttempt& cell = entry.assignment.cells[attempt.first_cell + c];
      flavor.resources.push_back({world.catalog.Name(cell.resource),
                                  ShownMode(entry.assignment, cell.rating.fitness),
                                  cell.rating.level, NameOf(cell.shortage),
                                  cell.requested.value(), cell.used, cell.nominal, cell.available,
                                  cell.potential});
    }
  }
  for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
    if (pod_set.place_failure == nullptr) continue;
    const std::string& name = entry.item->demand->pod_sets[pod_set.index].spec->name;
    out.places.push_back(DescribeRefusal(name, *pod_set.place_failure));
  }
  out.policies = NotesOf(entry);
  for (const Victim& victim : entry.targets) out.victims.push_back(victim.item->key);
  std::sort(out.victims.begin(), out.victims.end());
  return out;
}

api::Admission DescribeAdmission(const World& world, const Entry& entry) {
  api::Admission out;
  out.cluster_queue = entry.queue->name;
  for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
    api::PodSetAssignment& to = out.pod_set_assignments.emplace_back();
    to.name = entry.item->demand->pod_sets[pod_set.index].spec->name;
    to.count = pod_set.count;
    if (!pod_set.delayed.empty()) to.delayed_topology_request = pod_set.delayed;
    if (pod_set.place) to.topology_assignment = DescribePlace(world, *pod_set.place);
    for (const Choice& choice : pod_set.choices) {
      const std::string& resource = world.catalog.Name(choice.resource);
      to.flavors.emplace(resource, world.catalog.Name(choice.flavor));
      if (pod_set.requests.empty()) continue;  // only along with its group (topology.md §14.1)
      to.resource_usage.emplace(
          resource, ShownAmount(world.config, resource,
                                AmountOf(pod_set.requests, choice.resource)));
    }
  }
  return out;
}

std::map<std::string, resources::ResourceVector> DescribeRequests(const World& world,
                                                                  const WorkItem& item) {
  std::map<std::string, resources::ResourceVector> out;
  for (size_t i = 0; i < item.demand->pod_sets.size(); ++i) {
    const PodSetDemand& pod_set = item.demand->pod_sets[i];
    resources::ResourceVector& totals = out[pod_set.spec->name];
    for (const ResourceAmount& entry : Scaled(pod_set.per_pod, item.counts[i])) {
      totals.Set(world.catalog.Name(entry.resource), entry.amount);
    }
  }
  return out;
}

bool ChecksAreReady(const api::ClusterQueue& queue, const api::Workload& workload,
                    const api::Admission& admission) {
  const bool waits = std::any_of(
      admission.pod_set_assignments.begin(), admission.pod_set_assignments.end(),
      [](const auto& assignment) { return assignment.delayed_topology_request == "Pending"; });
  if (waits) return false;
  const auto& states = workload.status.admission_checks;
  if (queue.spec.admission_checks_strategy) {
    for (const auto& rule : queue.spec.admission_checks_strategy->admission_checks) {
      // A check for some flavors only is required where one of them was assigned.
      const bool required =
          rule.on_flavors.empty() ||
          std::any_of(
              admission.pod_set_assignments.begin(), admission.pod_set_assignments.end(),
              [&](const api::PodSetAssignment& assignment) {
                return std::any_of(
                    assignment.flavors.begin(), assignment.flavors.end(), [&](const auto& entry) {
                      return std::find(rule.on_flavors.begin(), rule.on_flavors.end(),
                                       entry.second) != rule.on_flavors.end();
                    });
              });
      const bool listed = std::any_of(states.begin(), states.end(), [&](const auto& state) {
        return state.name == rule.name;
      });
      if (required && !listed) return false;
    }
  }
  return std::all_of(states.begin(), states.end(),
                     [](const auto& state) { return state.state == "Ready"; });
}

}  // namespace kueue::scheduling
