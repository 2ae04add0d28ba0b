#pragma once

#include <cstdint>

#include "cel/catalogue.h"
#include "cel/value.h"

namespace kueue::cel {

// What creating a list or a map costs, whatever is in it.
constexpr uint64_t kListCost = 10;
constexpr uint64_t kMapCost = 30;
// What a question to the authorizer costs: two fit into one evaluation.
constexpr uint64_t kAccessCost = 350'000;

// Code points of a string, bytes, elements, entries; 1 for everything else.
uint64_t SizeOf(const Value& v);

// Whether the rule is one of an overload: a call whose overload is known only at run time (dyn
// arguments) costs 1 instead.
bool DependsOnOverload(CostRule rule);

// What a call costs: known once its result is.
uint64_t CallCost(CostRule rule, const Value* args, size_t count, const Value& result);

}  // namespace kueue::cel
