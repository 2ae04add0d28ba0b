#pragma once

#include "api/types/json.h"
#include "cel/value.h"

namespace kueue::api::structural {

// Shows a Json to expressions. The value is good while `json` lives and does not change.
cel::Value ExpressionValue(const Json& json);

}  // namespace kueue::api::structural
