#pragma once

#include <vector>

#include "base/time.h"
#include "scheduling/explanation.h"
#include "scheduling/world.h"

namespace kueue::scheduling {

// The least increase of `queue`'s nominal quota that lets `item` in at once when nobody is ahead
// (design.md, invariant 7): in one flavor if that is enough, the one that needs the fewest
// resources raised; else in one flavor of each resource group. Each increase is needed to the last
// unit. Empty: none helps, or none is needed. Tries things out in the tree and puts them back.
std::vector<QuotaIncrease> FindLeastChange(World& world, WorkItem& item, ClusterQueue& queue,
                                           base::Time now);

}  // namespace kueue::scheduling
