#pragma once

#include "base/time.h"

namespace kueue::base {

// Where time comes from; a constructor argument of everything that needs it. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Wall-clock time, for what is shown and written.
  virtual Time Now() const = 0;
  // Time since an arbitrary start that never goes back, for measuring and for timers.
  virtual Duration Elapsed() const = 0;
};

// The machine's clocks.
class RealClock final : public Clock {
 public:
  Time Now() const override;
  Duration Elapsed() const override;
};

}  // namespace kueue::base
