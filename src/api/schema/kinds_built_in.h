#pragma once

#include <vector>

#include "api/schema/kind.h"

namespace kueue::api {

// The kinds of Kubernetes itself that are stored, from the facts: core first, then groups by name.
const std::vector<const KindInfo*>& BuiltInKinds();

}  // namespace kueue::api
