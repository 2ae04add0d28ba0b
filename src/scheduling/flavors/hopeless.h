#pragma once

#include <vector>

#include "scheduling/queues/parked_shapes.h"
#include "scheduling/world.h"

namespace kueue::scheduling {

// Tells of parked workloads that another evaluation would end as the last one did and touch nobody
// else: no flavor of the ClusterQueue can give what they need at the very least, even if others
// left. Such heads need not be looked at one by one. "Hopeless" is certain; the opposite says
// nothing. Good as long as no usage and no quota changes.
//
// That is so if the first pod set that is assigned (spec/scheduling.md §6.3) asks for more of one
// resource
//  - than any flavor could give by itself, its cohort and all preemption (mode NoFit, §6.6); or
//  - than is free, in a ClusterQueue without a cohort that preempts nobody: what it then keeps for
//    itself (§5.6 E) nobody else wants.
class Hopeless {
 public:
  Hopeless(const World& world, const ClusterQueue& queue);
  bool operator()(ShapeGroup& group) const;

 private:
  struct Bound {
    ResourceId resource;
    Amount ever;  // more is never possible
    Amount now;   // more is not possible without preemption
  };
  void Judge(ShapeGroup& group) const;

  const World& world_;
  const ClusterQueue& queue_;
  bool alone_ = false;           // no cohort, preempts nobody
  bool single_flavors_ = false;  // no resource group has more than one flavor
  std::vector<Bound> bounds_;
};

}  // namespace kueue::scheduling
