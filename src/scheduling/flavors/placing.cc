#include "scheduling/flavors/placing.h"

#include <algorithm>

namespace kueue::scheduling {
namespace {

constexpr char kPending[] = "Pending", kReady[] = "Ready";

const api::PodSetAssignment* FindAssignment(const api::Admission* admission,
                                            const std::string& pod_set) {
  if (admission == nullptr) return nullptr;
  for (const api::PodSetAssignment& assignment : admission->pod_set_assignments) {
    if (assignment.name == pod_set) return &assignment;
  }
  return nullptr;
}

// Under the flavors chosen the pod set has to preempt now, for all its resources (§14.3).
void Downgrade(PodSetResult& pod_set) {
  pod_set.complained = true;
  for (Choice& choice : pod_set.choices) {
    choice.rating.fitness = std::min(choice.rating.fitness, Fitness::kPreempt);
  }
}

void Complain(PodSetResult& pod_set, const topology::Failure& failure) {
  pod_set.place_problem = topology::Describe(failure);
  pod_set.place_failure = std::make_shared<const topology::Failure>(failure);
}

PodSetResult& ResultOf(Assignment& assignment, uint32_t index) {
  return *std::find_if(assignment.pod_sets.begin(), assignment.pod_sets.end(),
                       [&](const PodSetResult& pod_set) { return pod_set.index == index; });
}

// False if the same key would get two values.
bool MergeInto(api::StringMap& into, const api::StringMap& more) {
  for (const auto& [key, value] : more) {
    if (into.emplace(key, value).first->second != value) return false;
  }
  return true;
}

}  // namespace

bool HoldsFailedNode(const api::PodSetAssignment& assignment, const api::Workload& workload) {
  if (workload.status.unhealthy_nodes.empty() || !assignment.topology_assignment) return false;
  const auto domains = api::DecodeTopology(*assignment.topology_assignment);
  if (!domains.ok()) return false;
  return std::any_of(domains->begin(), domains->end(), [&](const api::TopologyDomain& domain) {
    return std::any_of(workload.status.unhealthy_nodes.begin(),
                       workload.status.unhealthy_nodes.end(),
                       [&](const auto& node) {
                         return !domain.values.empty() && domain.values.back() == node.name;
                       });
  });
}

bool Placing::Wants(const api::PodSet& pod_set) const {
  return queue_.topology_only || topology::AsksForTopology(pod_set);
}

// One flavor with a topology has to be among those assigned (§14.1); its check may ask to wait with
// the place (§14.2).
bool Placing::MarkWanting(Assignment& assignment) const {
  for (PodSetResult& pod_set : assignment.pod_sets) {
    const PodSetDemand& demand = item_.demand->pod_sets[pod_set.index];
    if (!Wants(*demand.spec) || pod_set.failed || pod_set.count == 0) continue;
    FlavorId found;
    bool several = false;
    for (const Choice& choice : pod_set.choices) {
      const api::ResourceFlavor* const flavor = world_.FindFlavor(choice.flavor);
      if (flavor == nullptr || !flavor->spec.topology_name) continue;
      several |= found.valid() && found != choice.flavor;
      found = choice.flavor;
    }
    if (several || !found.valid()) {
      pod_set.failed = pod_set.complained = true;
      pod_set.place_problem =
          several ? "has flavors of more than one topology" : "has no flavor with a topology";
      return false;
    }
    pod_set.topology_flavor = found;
    if (IsDelayed(found)) pod_set.delayed = kPending;
  }
  return true;
}

bool Placing::IsDelayed(FlavorId flavor) const {
  const auto& strategy = queue_.object->spec.admission_checks_strategy;
  if (!strategy) return false;
  const std::string& name = world_.catalog.Name(flavor);
  return std::any_of(
      strategy->admission_checks.begin(), strategy->admission_checks.end(), [&](const auto& rule) {
        const api::AdmissionCheck* const check = world_.FindCheck(rule.name);
        if (check == nullptr) return false;
        if (check->spec.controller_name == kMultiKueueController) return true;
        const auto& covered = rule.on_flavors;
        return check->spec.controller_name == kProvisioningController && !item_.reserved &&
               (covered.empty() ||
                std::find(covered.begin(), covered.end(), name) != covered.end());
      });
}

// The pod as checks that are ready have changed it (§5.1). Null if they contradict each other.
std::shared_ptr<const api::PodSpec> Placing::PodOf(const api::PodSet& pod_set) const {
  auto pod = std::make_shared<api::PodSpec>();
  const api::PodSpec& from = pod_set.pod_template.spec;
  pod->node_selector = from.node_selector;
  pod->tolerations = from.tolerations;
  pod->affinity = from.affinity;
  api::StringMap labels = pod_set.pod_template.metadata.labels;
  api::StringMap annotations = pod_set.pod_template.metadata.annotations;
  for (const api::AdmissionCheckState& check : item_.object->status.admission_checks) {
    if (check.state != kReady) continue;
    for (const auto& update : check.pod_set_updates) {
      if (update.name != pod_set.name) continue;
      if (!MergeInto(pod->node_selector, update.node_selector) ||
          !MergeInto(labels, update.labels) || !MergeInto(annotations, update.annotations)) {
        return nullptr;
      }
      for (const api::Toleration& toleration : update.tolerations) {
        const auto& known = pod->tolerations;
        if (std::find(known.begin(), known.end(), toleration) != known.end()) continue;
        pod->tolerations.push_back(toleration);
      }
    }
  }
  return pod;
}

std::vector<api::TopologyDomain> Placing::HeldBy(const WorkItem& item,
                                                 const std::string& pod_set) const {
  const api::PodSetAssignment* const assignment = FindAssignment(item.admission(), pod_set);
  if (assignment == nullptr || !assignment->topology_assignment) return {};
  auto domains = api::DecodeTopology(*assignment->topology_assignment);
  return domains.ok() ? std::move(*domains) : std::vector<api::TopologyDomain>();
}

std::vector<topology::Want> Placing::WantsOf(const Assignment& assignment) const {
  std::vector<topology::Want> wants;
  for (uint32_t index = 0; index < item_.demand->pod_sets.size(); ++index) {
    const auto result =
        std::find_if(assignment.pod_sets.begin(), assignment.pod_sets.end(),
                     [&](const PodSetResult& pod_set) { return pod_set.index == index; });
    if (result == assignment.pod_sets.end() || !result->topology_flavor.valid() || result->failed ||
        result->delayed == kPending) {
      continue;
    }
    const PodSetDemand& demand = item_.demand->pod_sets[index];
    topology::Want want;
    if (const auto* before = FindAssignment(Held(), demand.spec->name)) {
      if (before->topology_assignment && !HoldsFailedNode(*before, *item_.object)) continue;
      want.held = HeldBy(item_, demand.spec->name);
    }
    if (old_slice_ != nullptr && world_.config.gates.elastic_jobs_via_workload_slices_with_tas) {
      want.before = HeldBy(*old_slice_, demand.spec->name);
    }
    want.flavor = result->topology_flavor;
    want.request.pod_set = index;
    if (demand.spec->topology_request) want.request.topology = *demand.spec->topology_request;
    want.request.implied = !topology::AsksForTopology(*demand.spec);
    want.request.count = result->count;
    want.request.per_pod = demand.placed;
    want.request.pod = PodOf(*demand.spec);
    wants.push_back(std::move(want));
  }
  return wants;
}

topology::Places Placing::Place(const std::vector<topology::Want>& wants, bool empty) const {
  topology::Occasion occasion;
  occasion.empty = empty;
  const auto& unhealthy = item_.object->status.unhealthy_nodes;
  if (!unhealthy.empty()) occasion.failed_node = unhealthy.front().name;
  occasion.keep_as_is = world_.config.gates.skip_reassignment_for_pod_owned_workloads &&
                        topology::OwnedBySinglePod(*item_.object);
  const QuotaTree::Mark mark = world_.tree.Here();
  // What the replaced slice holds is its own: it is taken once, not on top (§12.4).
  if (old_slice_ != nullptr && !old_slice_->hidden &&
      world_.config.gates.elastic_jobs_via_workload_slices_with_tas) {
    world_.atlas.TakeOut(old_slice_->domains);
  }
  topology::Places places = world_.atlas.Place(wants, occasion);
  world_.tree.Undo(mark);
  return places;
}

void Placing::Give(Assignment& assignment, topology::Places& places) const {
  for (PodSetResult& pod_set : assignment.pod_sets) pod_set.place.reset();
  for (topology::Given& given : places.given) {
    PodSetResult& pod_set = ResultOf(assignment, given.pod_set);
    const PodSetDemand& demand = item_.demand->pod_sets[given.pod_set];
    const auto* before = FindAssignment(Held(), demand.spec->name);
    if (before != nullptr && before->delayed_topology_request) pod_set.delayed = kReady;
    pod_set.place = std::move(given);
  }
}

// An elastic workload cannot promise to stay in one domain (§12.4).
bool Placing::RefusesElastic(Assignment& assignment) const {
  if (old_slice_ == nullptr || !world_.config.gates.elastic_jobs_via_workload_slices_with_tas) {
    return false;
  }
  for (PodSetResult& pod_set : assignment.pod_sets) {
    const auto& request = item_.demand->pod_sets[pod_set.index].spec->topology_request;
    if (!request || (!request->required && !request->preferred)) continue;
    pod_set.failed = pod_set.complained = true;
    pod_set.place_problem = "is elastic and asks for a topology level";
    return true;
  }
  return false;
}

void Placing::Adjust(Assignment& assignment) const {
  if (!world_.config.gates.topology_aware_scheduling) return;
  if (assignment.mode() == FlavorMode::kNoFit || RefusesElastic(assignment)) return;
  if (!MarkWanting(assignment)) return;
  const std::vector<topology::Want> wants = WantsOf(assignment);
  if (wants.empty()) return;
  for (const topology::Want& want : wants) {
    if (want.request.pod != nullptr) continue;
    PodSetResult& pod_set = ResultOf(assignment, want.request.pod_set);
    pod_set.failed = pod_set.complained = pod_set.no_place = true;
    pod_set.place_problem = "gets contradicting values from its admission checks";
    return;
  }
  if (assignment.mode() == FlavorMode::kFit) {
    topology::Places places = Place(wants, false);
    Give(assignment, places);
    for (const uint32_t failed : places.failed) {
      PodSetResult& pod_set = ResultOf(assignment, failed);
      Complain(pod_set, places.failure);
      Downgrade(pod_set);
    }
  }
  if (assignment.mode() != FlavorMode::kPreempt || Replaces()) return;
  const topology::Places places = Place(wants, true);
  if (!places.ok()) {
    PodSetResult& pod_set = ResultOf(assignment, places.failed.front());
    pod_set.failed = pod_set.no_place = true;
    Complain(pod_set, places.failure);
    return;
  }
  for (const topology::Want& want : wants) {
    PodSetResult& pod_set = ResultOf(assignment, want.request.pod_set);
    pod_set.place.reset();
    Downgrade(pod_set);
  }
}

std::vector<Victim> Placing::VictimsBesideSlice(std::vector<SlotAmount> amounts,
                                                std::vector<CellId> needed,
                                                const std::vector<topology::Want>& wants) const {
  const VictimSearch search(world_, item_, queue_, std::move(amounts), std::move(needed), &wants);
  if (!world_.config.gates.elastic_jobs_via_workload_slices_with_tas) return search.Find();
  const QuotaTree::Mark mark = world_.tree.Here();
  world_.atlas.TakeOut(old_slice_->domains);
  // The slice may be chosen as well; its places must not leave twice.
  std::vector<DomainUse> domains = std::exchange(old_slice_->domains, {});
  std::vector<Victim> victims = search.Find();
  old_slice_->domains = std::move(domains);
  world_.tree.Undo(mark);
  return victims;
}

void Placing::Reserve(Assignment& assignment, const std::vector<Victim>& victims) const {
  if (assignment.mode() != FlavorMode::kPreempt || Replaces()) return;
  const std::vector<topology::Want> wants = WantsOf(assignment);
  if (wants.empty()) return;
  const QuotaTree::Mark mark = world_.tree.Here();
  for (const Victim& victim : victims) {
    if (!victim.item->hidden) TakeFromView(world_.tree, victim.item);
  }
  topology::Places places = Place(wants, victims.empty());
  world_.tree.Undo(mark);
  Give(assignment, places);
}

}  // namespace kueue::scheduling
