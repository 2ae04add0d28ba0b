#pragma once

#include <string_view>
#include <vector>

#include "cel/ast.h"
#include "cel/issue.h"

namespace kueue::cel {

// Kubernetes' limits: code points of an expression, and nesting.
constexpr size_t kMostCodePoints = 100'000;
constexpr uint32_t kDeepest = 250;

// Fills `ast` from the text, macros resolved. False when something is wrong; `issues` says what.
// Time and stack are bounded: linear in the text and by kDeepest. `bindings` allows cel.bind.
bool Parse(std::string_view text, bool bindings, Ast* ast, std::vector<Issue>* issues);

// What a macro call becomes. Returns nullptr when the call is no macro, or is wrong (then there
// is an issue). `call` is a kCall whose args hold the receiver first when it is a member.
Expr* ExpandMacro(Expr* call, bool bindings, Ast* ast, std::vector<Issue>* issues);

}  // namespace kueue::cel
