#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace kueue::base {

void CheckFailed(const char* condition, const char* file, int line, const std::string& text) {
  std::fprintf(stderr, "internal error: %s does not hold at %s:%d%s%s\n", condition, file, line,
               text.empty() ? "" : ": ", text.c_str());
  std::fflush(stderr);
  std::abort();
}

}  // namespace kueue::base
