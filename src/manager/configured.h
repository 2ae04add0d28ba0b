#pragma once

#include <string>
#include <vector>

#include "api/types/kueue_configuration.h"
#include "base/result.h"
#include "manager/manager.h"

namespace kueue::manager {

struct Configured {
  ManagerOptions options;
  // Parts of the configuration that were set and change nothing in this habitat, each with its
  // path and why: for the log.
  std::vector<std::string> unused;
};

// The options a configuration stands for (spec/controllers.md §14.1); what it does not speak of is
// as in `options`. Errors (kInvalid) name the path and what is allowed.
base::Result<Configured> Configure(const api::Configuration& configuration,
                                   ManagerOptions options = {});

// Reads the file, YAML or JSON of config.kueue.x-k8s.io v1beta2 or v1beta1. An empty `path` stands
// for a file that sets nothing: the defaults. `gates`: "A=true,B=false" of a command line, which
// excludes featureGates in the file; "": none. Errors begin with the path of the file.
base::Result<Configured> ConfigureFromFile(const std::string& path, const std::string& gates,
                                           ManagerOptions options = {});

}  // namespace kueue::manager
