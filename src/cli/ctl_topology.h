#pragma once

#include <string>

#include "cli/cluster_view.h"

namespace kueue::cli {

struct CtlTopologyFlags {
  ClusterFlags cluster;
  std::string topology;  // "": all
  std::string workload;  // "namespace/name"; "": print trees
};
// Prints topologies, or where the pods of a workload are; returns the exit code.
int CtlTopology(const CtlTopologyFlags& flags);

}  // namespace kueue::cli
