#pragma once

#include "localcluster/workload_object.h"

namespace kueue::localcluster {

// The revision of a ReplicaSet or Deployment.
inline constexpr char kRevision[] = "deployment.kubernetes.io/revision";

// One look at a Deployment (apps/v1). `sets` are the ReplicaSets it controls, `pods` theirs.
//
// Keeps one ReplicaSet for each template it has had, moves replicas from the old ones to the newest
// (RollingUpdate within maxSurge and maxUnavailable, or Recreate), stops doing so while
// spec.paused, keeps revisionHistoryLimit old ones, and tells Available and Progressing.
runtime::Intents PlanDeployment(const WorkloadObject& deployment, const Workloads& sets,
                                const Pods& pods, base::Time now);

}  // namespace kueue::localcluster
