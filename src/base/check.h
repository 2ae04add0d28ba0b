#pragma once

#include <string>

namespace kueue::base {

// Ends the process after printing the failed condition, place and text. For our own mistakes only:
// what the world does wrong is a Result. Stays on in every build.
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line,
                              const std::string& text);

}  // namespace kueue::base

#define KUEUE_CHECK(condition)                                                   \
  do {                                                                           \
    if (!(condition)) [[unlikely]]                                               \
      ::kueue::base::CheckFailed(#condition, __FILE__, __LINE__, std::string()); \
  } while (false)

// As KUEUE_CHECK with a std::string that tells the numbers involved.
#define KUEUE_CHECK_MSG(condition, text)                                  \
  do {                                                                    \
    if (!(condition)) [[unlikely]]                                        \
      ::kueue::base::CheckFailed(#condition, __FILE__, __LINE__, (text)); \
  } while (false)
