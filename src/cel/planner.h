#pragma once

#include <vector>

#include "cel/ast.h"
#include "cel/issue.h"

namespace kueue::cel {

// Prepares a checked expression for evaluation: computes constants, compiles constant patterns
// and settles what each name and selection costs (Expr::own_cost). False when a constant cannot
// be computed, for example duration("1x").
//
// The cost follows Kubernetes: reading a variable costs 1, and so does each field or index after
// it. A chain that is a branch of a choice, or is itself an index, is not charged for its start;
// one that starts with anything but a variable (a call, a literal) pays 1 for that start. Literals
// and what is computed here cost nothing.
bool Plan(Ast* ast, std::vector<Issue>* issues);

}  // namespace kueue::cel
