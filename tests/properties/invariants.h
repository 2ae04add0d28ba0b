#pragma once

#include <string>

#include "random_world.h"

// What must hold in every world, by the numbers of design.md's list. Each returns "" or what is
// wrong.
namespace kueue::properties {

// (1) What a cycle gave is within what the limits allow, computed anew from the objects.
std::string CheckNoOverAdmission(RandomWorld& world);
// (2) Every active, unfinished workload is in exactly one place.
std::string CheckNobodyLost(RandomWorld& world);
// (3) One cause for each eviction, nobody sent away twice, and usage is the sum of admissions.
std::string CheckEvictions(RandomWorld& world);
std::string CheckUsage(RandomWorld& world);
// (4) A State built from today's objects alone, or from a fork, says the same.
std::string CheckRestart(RandomWorld& world);
// (7) The least change that is stated admits the workload, one unit less does not.
std::string CheckLeastChange(RandomWorld& world);
// (8) Told the same again, nothing moves.
std::string CheckSilence(RandomWorld& world);

}  // namespace kueue::properties
