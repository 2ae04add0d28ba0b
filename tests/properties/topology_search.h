#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What can be found by trying everything, to hold topology placement to it.
namespace kueue::properties {

// The fewest of these rooms that take `count` together; every choice is tried. REQUIRES at most 20
// rooms. One more than there are if all together do not.
size_t FewestOf(const std::vector<int>& rooms, int count);

// Halls of a few nodes with cpu, memory and pods, some tainted, some cordoned; requests of a few
// pods, in `steps` variations. "" or what is wrong: a placement that takes more than there is, or
// leaves the domain it was required to stay in; or a refusal although putting pod after pod on some
// node finds a way.
std::string CheckTopologySearch(uint64_t seed, int steps);

}  // namespace kueue::properties
