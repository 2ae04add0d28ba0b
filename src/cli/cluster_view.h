#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "base/result.h"
#include "scheduling/state.h"

namespace kueue::cli {

// Which cluster a question is for.
struct ClusterFlags {
  std::string kubeconfig;  // "": $KUBECONFIG, else ~/.kube/config
  std::string context;     // "": the current one
};

// A cluster as the scheduler sees it, from one list of each kind. What a manager is configured to
// do differently (fair sharing, for example) is not in the objects and not in here.
struct ClusterView {
  std::string namespace_name;  // the context's
  scheduling::State state{scheduling::Config()};
  std::vector<std::string> topology_flavors;  // by name, those with a topology
  std::vector<std::shared_ptr<const api::Workload>> workloads;
};

// Blocks until everything is read.
base::Result<ClusterView> ReadCluster(const ClusterFlags& flags);

}  // namespace kueue::cli
