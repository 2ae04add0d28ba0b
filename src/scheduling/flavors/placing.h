#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheduling/flavors/assignment.h"
#include "scheduling/preemption/search.h"
#include "scheduling/topology/atlas.h"
#include "scheduling/world.h"

namespace kueue::scheduling {

// Names in AdmissionCheck.spec.controllerName that change when places are given (§14.2).
inline constexpr char kMultiKueueController[] = "kueue.x-k8s.io/multikueue";
inline constexpr char kProvisioningController[] = "kueue.x-k8s.io/provisioning-request";

// Some domain of the assignment is a node that the workload's status calls unhealthy (§15.2).
bool HoldsFailedNode(const api::PodSetAssignment& assignment, const api::Workload& workload);

// The topology side of the assignment of one workload (spec/topology.md §14.2 to §14.5): what its
// pod sets want, and what that makes of an assignment that quota alone has judged.
class Placing {
 public:
  // `old_slice`: the running slice that the workload replaces, or null.
  Placing(World& world, const WorkItem& item, const ClusterQueue& queue, WorkItem* old_slice)
      : world_(world), item_(item), queue_(queue), old_slice_(old_slice) {}

  // After quota was looked at: gives places, or asks for preemption where there is room only on an
  // empty cluster, or refuses (§14.3). Only for assignments that are not refused already.
  void Adjust(Assignment& assignment) const;
  // What the victims have to make room for (§14.4). `assignment` was adjusted.
  std::vector<topology::Want> WantsOf(const Assignment& assignment) const;
  // The victim search for the successor of a running slice, whose own places are not in its way.
  std::vector<Victim> VictimsBesideSlice(std::vector<SlotAmount> amounts,
                                         std::vector<CellId> needed,
                                         const std::vector<topology::Want>& wants) const;
  // Places for an assignment that has to wait for its victims, so that it keeps them from others
  // of the cycle; without victims as on an empty cluster (§14.5).
  void Reserve(Assignment& assignment, const std::vector<Victim>& victims) const;

 private:
  // §2: asked for, or implied by the queue.
  bool Wants(const api::PodSet& pod_set) const;
  // False: the flavors that were assigned are no good for a pod set that wants a topology.
  bool MarkWanting(Assignment& assignment) const;
  bool RefusesElastic(Assignment& assignment) const;
  bool IsDelayed(FlavorId flavor) const;
  std::shared_ptr<const api::PodSpec> PodOf(const api::PodSet& pod_set) const;
  std::vector<api::TopologyDomain> HeldBy(const WorkItem& item, const std::string& pod_set) const;
  topology::Places Place(const std::vector<topology::Want>& wants, bool empty) const;
  void Give(Assignment& assignment, topology::Places& places) const;

  const api::Admission* Held() const { return item_.reserved ? item_.admission() : nullptr; }
  // It looks for places in place of a failed node; nobody leaves for that (§14.3).
  bool Replaces() const {
    return Held() != nullptr && !item_.object->status.unhealthy_nodes.empty();
  }

  World& world_;
  const WorkItem& item_;
  const ClusterQueue& queue_;
  WorkItem* const old_slice_;
};

}  // namespace kueue::scheduling
