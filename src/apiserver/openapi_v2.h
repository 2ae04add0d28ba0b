#pragma once

#include "api/types/json.h"

// OpenAPI version 3 in the words of version 2, which knows fewer: references stand alone, what has
// several forms loses its type, and there are no defaults.
namespace kueue::apiserver {

// A component's schema.
api::Json SchemaInVersion2(const api::Json& schema);
// A path's operations.
api::Json PathInVersion2(const api::Json& item);

}  // namespace kueue::apiserver
