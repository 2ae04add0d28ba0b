#pragma once

#include <vector>

#include "cel/ast.h"
#include "cel/environment.h"
#include "cel/issue.h"

namespace kueue::cel {

// Finds the type of every node, what names refer to and which functions are called. False when
// something is wrong; `issues` says what, all of it.
bool Check(const Environment& environment, Ast* ast, std::vector<Issue>* issues);

}  // namespace kueue::cel
