#pragma once

#include <string>

#include "api/types/json.h"

namespace kueue::conformance {

// Compares two stored objects by meaning: quantities by value, times by instant, empty objects and
// lists as absent, counters 0 in a status as absent, topology assignments by the domains they
// decode to. What the server owns in metadata does not count, nor do annotations of kueue-cpp.dev
// (they keep what an older version cannot say). Returns the first difference, or "".
std::string CompareObjects(const api::Json& wanted, const api::Json& got);

}  // namespace kueue::conformance
