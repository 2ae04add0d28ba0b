#pragma once

#include <filesystem>
#include <functional>
#include <optional>
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

// ---- parts for players with words of their own

// The folder's scenarios whose names start with one of the words, sorted; without words all of
// them. Empty too if there is no such folder.
std::vector<std::filesystem::path> ScenariosNamed(const std::string& folder,
                                                  const std::vector<std::string>& words);
// Nothing if the file cannot be read or is no JSON.
std::optional<api::Json> ReadScenario(const std::filesystem::path& file);
// The lines of a text file that are not empty; none if it cannot be read.
std::set<std::string> ReadLines(const std::string& path);

}  // namespace kueue::conformance
