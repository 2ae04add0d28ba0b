#pragma once

#include <string>

#include "simulation/day.h"

namespace kueue::cli {

// Runs a random day in virtual time and prints what happened, the digest and how long it took.
// `config`: a file with the manager's Configuration; "": the defaults.
int SimulateDay(simulation::DayOptions options, const std::string& config);

}  // namespace kueue::cli
