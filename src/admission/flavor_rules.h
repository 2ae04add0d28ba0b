#pragma once

#include <vector>

#include "api/codec/codec.h"
#include "api/types/kueue.h"

namespace kueue::admission {

// spec/api.md §3 (RF-W1, RF-W2, TOL-W1).
std::vector<api::FieldError> ValidateFlavor(const api::ResourceFlavor& flavor);

}  // namespace kueue::admission
