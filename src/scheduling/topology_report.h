#pragma once

#include <optional>
#include <string>

#include "scheduling/state.h"

namespace kueue::scheduling {

class World;

// See State::ReportTopology.
std::optional<State::TopologyReport> ReportOnTopology(World& world, const std::string& flavor);

}  // namespace kueue::scheduling
