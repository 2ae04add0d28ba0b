#pragma once

#include "localcluster/workload_object.h"

namespace kueue::localcluster {

// One look at a ReplicaSet (apps/v1): as many active pods as spec.replicas asks for, and the
// status. `pods` are all pods it controls. Writes: the status, deletions, creations.
runtime::Intents PlanReplicaSet(const WorkloadObject& set, const Pods& pods, NameMemory& memory,
                                base::Time now);

}  // namespace kueue::localcluster
