#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/codec/codec.h"
#include "api/types/kueue.h"
#include "base/result.h"

// What a pod template says about where its pods shall run (spec/topology.md §1.3, §1.5, §18).
namespace kueue::integrations {

// How a framework numbers the pods of a pod set (spec/topology.md §1.5). Empty: it does not.
struct IndexLabels {
  std::string pod_index;
  std::string sub_group;
  std::optional<int32_t> sub_group_count;
};

// The topology request of a pod set from its template's annotations and its framework's labels;
// nothing if there is neither. kInvalid: an annotation that cannot be read.
base::Result<std::optional<api::PodSetTopologyRequest>> TopologyRequestOf(
    const api::ObjectMeta& pod_template, const IndexLabels& labels);

// Takes the layers out of the requests (gate TASMultiLayerTopology is off), or the requests as a
// whole (`topology_off`).
void LimitTopologyRequests(std::vector<api::PodSet>& pod_sets, bool topology_off);

// What a webhook refuses in a pod template (§18.1). `path` is that of the template's metadata;
// `count` of the pods made from it. `layers`: gate TASMultiLayerTopology.
std::vector<api::FieldError> CheckTopologyAnnotations(const api::ObjectMeta& pod_template,
                                                      const std::string& path, int32_t count,
                                                      bool layers);

// A pod template where it stands in its job.
struct TemplateAt {
  const api::ObjectMeta* metadata = nullptr;  // of the template; not owned
  std::string path;                           // of that metadata
  int32_t count = 0;
};
// Groups have two members, one of a single pod, that want the same (§18.2).
std::vector<api::FieldError> CheckTopologyGroups(const std::vector<TemplateAt>& templates);

}  // namespace kueue::integrations
