#pragma once

#include "simulation/day.h"

namespace kueue::cli {

// Runs a random day in virtual time and prints what happened, the digest and how long it took.
int SimulateDay(const simulation::DayOptions& options);

}  // namespace kueue::cli
