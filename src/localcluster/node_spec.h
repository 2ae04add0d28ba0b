#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/types/core.h"
#include "base/result.h"

namespace kueue::localcluster {

// On nodes: the text of the group a node was made from. Marks the node as ours.
inline constexpr char kNodeSpecAnnotation[] = "kueue-cpp.dev/node-spec";

// Equal nodes.
struct NodeGroup {
  int32_t count = 1;
  std::string name_prefix = "node";
  api::ResourceList capacity;  // complete, pods and ephemeral-storage included
  api::StringMap labels;       // beyond those every node has
  std::vector<api::Taint> taints;
  std::string text;  // as written, without spaces
};

// Reads a comma-separated list of groups:
//
//   4x(cpu=8,memory=32Gi,nvidia.com/gpu=1),2x(cpu=2,name-prefix=small)
//   cpu=8,memory=32Gi                                one node; brackets may be left out
//
// Inside a group: resource=quantity; name-prefix=text; label:key=value; taint:key=value:Effect or
// taint:key:Effect. cpu must be there; memory is 4Gi a cpu unless written, ephemeral-storage 100Gi,
// pods 110. Errors (kInvalid) name the part that is wrong and what is allowed. At most 100,000
// nodes in all.
base::Result<std::vector<NodeGroup>> ParseNodeSpec(std::string_view text);

// The nodes of the groups with labels, taints and complete status (times are `now`). Names are
// <prefix>-1, <prefix>-2, ...; groups of the same prefix go on counting.
std::vector<api::Node> BuildNodes(const std::vector<NodeGroup>& groups, base::Time now);

}  // namespace kueue::localcluster
