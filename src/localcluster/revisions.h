#pragma once

#include <string>

#include "localcluster/workload_object.h"

// The templates a StatefulSet or DaemonSet has had: ControllerRevisions (apps/v1), which
// `kubectl rollout history` and `undo` read.
namespace kueue::localcluster {

struct RevisionState {
  WorkloadPtr current;  // of the template as it is now; null: `intents` make it
  std::string hash;     // of the template as it is now
  runtime::Intents intents;
};
// Finds the revision of `owner`'s template among those it controls; makes it or gives it the
// highest number where need be, and drops the oldest beyond spec.revisionHistoryLimit that are not
// in `used` (names).
RevisionState SyncRevisions(const WorkloadObject& owner, const Workloads& revisions,
                            const std::vector<std::string>& used);
// The template kept in a revision.
api::Json TemplateOfRevision(const WorkloadObject& revision);

}  // namespace kueue::localcluster
