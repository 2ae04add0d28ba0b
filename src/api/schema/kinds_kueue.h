#pragma once

#include <vector>

#include "api/schema/kind.h"

namespace kueue::api {

// The kinds of group kueue.x-k8s.io: first all of v1beta2, which is stored, then those of v1beta1
// (spec/api.md §1.1), and last what only the simple dialect has.
const std::vector<const KindInfo*>& KueueKinds();

}  // namespace kueue::api
