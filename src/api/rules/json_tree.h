#pragma once

#include "api/types/json.h"
#include "cel/value.h"

// How expressions look into our objects: in place, without a copy.
namespace kueue::api {

// `json` as an expression sees it before a declared type is applied to it (cel::ReadAs): text and
// everything inside is borrowed, so the Json must outlive the Value and stay as it is. A number
// with a fraction is a double.
cel::Value JsonValue(const Json& json);

}  // namespace kueue::api
