#pragma once

#include <string>

namespace kueue::cli {

struct CtlTopologyFlags {
  std::string kubeconfig;  // "": $KUBECONFIG, else ~/.kube/config
  std::string context;     // "": the current one
  std::string topology;    // "": all
  std::string workload;    // "namespace/name"; "": print trees
};
// Prints topologies, or where the pods of a workload are; returns the exit code.
int CtlTopology(const CtlTopologyFlags& flags);

}  // namespace kueue::cli
