#include "base/clock.h"

namespace kueue::base {

Time RealClock::Now() const {
  return std::chrono::floor<Duration>(std::chrono::system_clock::now());
}

Duration RealClock::Elapsed() const {
  return std::chrono::floor<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace kueue::base
