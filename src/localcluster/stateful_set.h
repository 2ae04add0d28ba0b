#pragma once

#include "localcluster/workload_object.h"

namespace kueue::localcluster {

// One look at a StatefulSet (apps/v1): pods <name>-<ordinal>, made in order and removed against it
// (OrderedReady) or all at once (Parallel), and replaced from the highest ordinal down to
// rollingUpdate.partition when the template changes. Volume claims are not made.
runtime::Intents PlanStatefulSet(const WorkloadObject& set, const Pods& pods,
                                 const Workloads& revisions, base::Time now);

}  // namespace kueue::localcluster
