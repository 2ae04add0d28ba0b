#pragma once

#include "localcluster/workload_object.h"

namespace kueue::localcluster {

using Nodes = std::vector<std::shared_ptr<const api::Node>>;

// One look at a DaemonSet (apps/v1): one pod for each node that its template's selector, affinity
// and tolerations allow; pods of an older template are replaced within
// updateStrategy.rollingUpdate.maxUnavailable. maxSurge is not followed.
runtime::Intents PlanDaemonSet(const WorkloadObject& set, const Pods& pods, const Nodes& nodes,
                               const Workloads& revisions, NameMemory& memory, base::Time now);

}  // namespace kueue::localcluster
