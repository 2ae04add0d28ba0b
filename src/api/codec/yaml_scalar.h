#pragma once

#include <string_view>

#include "api/types/json.h"
#include "base/result.h"

namespace kueue::api {

// What an unquoted YAML scalar means: YAML 1.1's core types in the dialect of the Kubernetes
// tools. yes/no/on/off/y/n are booleans; 0x, 0o, 0b and a leading 0 make integers of another base;
// underscores in numbers are ignored; sexagesimal numbers and timestamps stay strings. Numbers
// that have no JSON form (.nan, .inf) are errors.
base::Result<Json> ResolvePlainScalar(std::string_view text);

// Some reader of YAML 1.1 would take the unquoted text for something else than a string.
bool NeedsQuotesToBeString(std::string_view text);

}  // namespace kueue::api
