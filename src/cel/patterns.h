#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace kueue::cel {

// Never nullptr; the pattern may be refused (ok() is false).
std::shared_ptr<const re2::RE2> CompilePattern(std::string_view pattern);
// "error parsing regexp: ..." for a pattern that was refused.
std::string PatternError(const re2::RE2& pattern);

}  // namespace kueue::cel
