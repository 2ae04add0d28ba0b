#pragma once

#include <string>
#include <vector>

#include "apiserver/call.h"

// /healthz, /livez and /readyz: whether the server works, as one word, check by check (?verbose)
// or one check alone (/readyz/ping). A server that answers is alive, so each check is passed.
namespace kueue::apiserver {

// Answers the call if its path is one of these and returns true.
bool HandleHealth(Call& call);
// All paths of health, each check's among them.
std::vector<std::string> HealthPaths();

}  // namespace kueue::apiserver
