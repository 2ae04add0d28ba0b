#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "api/types/json.h"

// What the players of recorded scenarios share: finding them, choosing among them, comparing,
// counting.
namespace kueue::conformance {

struct Recorded {
  std::string folder;              // below ../shared/conformance, unless --data names another
  std::set<std::string> left_out;  // families that only play when they are named
  std::set<std::string> flags;     // further words starting with -- that are understood
  std::set<std::string> given;     // set by PlayRecorded: those of `flags` that were given
  // Empty when the scenario's outcome is as recorded; else the place and the lines that differ.
  std::function<std::vector<std::string>(const api::Json& scenario, const Recorded& self)> check;
};

// The lines that only one of the two has: "want ...", "got  ...", sorted. Empty if they are equal.
std::vector<std::string> Differences(const api::Json& want, const api::Json& got);

// PROGRAM [--data DIR] [family|name ...]: plays, prints the first difference of each failing
// scenario, then per family and in all "N passed, N failed". The exit code: 1 if any failed.
// Without data it says that it was skipped.
int PlayRecorded(int argc, char** argv, Recorded recorded);

}  // namespace kueue::conformance
