#pragma once

#include <string>

#include "cli/cluster_view.h"

namespace kueue::cli {

struct CtlExplainFlags {
  ClusterFlags cluster;
  std::string namespace_name;  // "": the context's
  std::string subject;         // a workload, or "job/NAME": the owner of one
};
// Prints why a workload waits; returns the exit code.
int CtlExplain(const CtlExplainFlags& flags);

}  // namespace kueue::cli
