#pragma once

#include <string>

#include "api/codec/descriptor.h"
#include "api/types/json.h"

// Whether two objects say the same.
namespace kueue::api::properties {

enum class Absence {
  kAsTyped,  // a member that is absent equals a zero one where its C++ member cannot tell
  kIsZero,   // it always does; members without a C++ member are compared by their type too
};

// The path of the first value that means something else in `after` than in `before`, with both
// values; empty if there is none. Quantities, times and durations are compared by value. Members
// no table knows must be equal as they stand, and with kAsTyped those without a C++ member.
std::string FirstDifference(const StructDescriptor& table, const Json& before, const Json& after,
                            Absence absence = Absence::kAsTyped);

}  // namespace kueue::api::properties
