#pragma once

#include <string>

#include "base/result.h"

namespace kueue::cli {

// Asks the server of a kubeconfig whether it is ready; waits for the answer, a few seconds at most.
base::Status CheckHealth(const std::string& kubeconfig);

}  // namespace kueue::cli
