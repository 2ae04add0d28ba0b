#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cel/compare.h"
#include "cel/type.h"
#include "cel/value.h"

namespace kueue::cel {

// "%s: %d".format([...]): the text, or an error value.
Value FormatText(std::string_view format, const Value& arguments, Work* work);

// What is wrong with a format and arguments of these types; empty when nothing is. When it is one
// of the arguments, `wrong` is its number, otherwise arguments.size().
std::string CheckFormat(std::string_view format, const std::vector<TypeRef>& arguments,
                        size_t* wrong);

}  // namespace kueue::cel
