#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "base/result.h"

namespace kueue::integrations {

// What admission adds to the pods of one pod set (spec/jobs.md §7.1).
struct PodSetInfo {
  std::string name;
  int32_t count = 0;
  api::StringMap annotations, labels, node_selector;
  std::vector<api::Toleration> tolerations;
  std::vector<api::PodSchedulingGate> scheduling_gates;
};

// Adds `more` to `info`. kInvalid if a key is in both with different values: nobody can decide that
// later either (spec/jobs.md §7.2).
base::Status Merge(PodSetInfo& info, const PodSetInfo& more);
base::Status MergeInto(api::PodTemplateSpec& pod_template, const PodSetInfo& info);

using FindFlavor =
    std::function<std::shared_ptr<const api::ResourceFlavor>(const std::string& name)>;

// One info per podSetAssignment. A flavor that cannot be found is kNotFound (try again later); a
// conflict between admission checks is kInvalid.
base::Result<std::vector<PodSetInfo>> InfosFromAdmission(const api::Workload& workload,
                                                         const FindFlavor& find_flavor);
// What the pod sets were like before admission: the values to restore on a stop.
std::vector<PodSetInfo> InfosFromPodSets(const api::Workload& workload);

}  // namespace kueue::integrations
