#pragma once

#include <string_view>

#include "api/codec/descriptor.h"

// What the interpreters look up over and over, made once from the tables of all kinds: compiled
// patterns and parsed defaults. Safe from any thread.
namespace kueue::api {

// REQUIRES: the pattern stands in a table that some kind reaches.
bool PatternMatches(std::string_view pattern, std::string_view text);
// The field's default, or null.
const Json* DefaultOf(const FieldDescriptor& field);

}  // namespace kueue::api
