#pragma once

#include <cstdint>
#include <vector>

#include "cel/ast.h"
#include "cel/estimate.h"

namespace kueue::cel {

// What a checked expression costs at most, as Kubernetes estimates it before it lets an expression
// in; saturates. `bounds` are those of the environment's variables, in their order; null: nothing
// is known.
uint64_t EstimateMostCost(const Ast& ast, const std::vector<const SizeBound*>& bounds);

}  // namespace kueue::cel
