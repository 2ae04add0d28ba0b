#pragma once

#include <string>
#include <vector>

namespace kueue::cli {

// Runs the command line; returns the exit code: 0 done, 1 failed, 2 not understood. `name` is what
// the binary was started as.
int Run(const std::string& name, std::vector<std::string> arguments);

}  // namespace kueue::cli
