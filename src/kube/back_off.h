#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/time.h"

namespace kueue::kube {

// Growing waits between attempts: doubled each time, up to a bound, then stretched by up to a half.
// The stretch depends on the name and the attempt alone: clients with different names spread out,
// and the same run takes the same path.
class BackOff {
 public:
  BackOff(std::string_view name, base::Duration first, base::Duration longest)
      : seed_(Hash(name)), first_(first), longest_(longest) {}

  base::Duration Next() {
    base::Duration wait = first_;
    for (int i = 0; i < attempts_ && wait < longest_; ++i) wait *= 2;
    wait = std::min(wait, longest_);
    ++attempts_;
    const uint64_t step = (seed_ * (2 * static_cast<uint64_t>(attempts_) + 1)) >> 56;  // 0..255
    return wait + wait * static_cast<int64_t>(step) / 512;
  }
  void Reset() { attempts_ = 0; }
  int attempts() const { return attempts_; }

  // FNV-1a: the same on every machine.
  static uint64_t Hash(std::string_view text) {
    uint64_t hash = 14695981039346656037ull;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return hash;
  }

 private:
  const uint64_t seed_;
  const base::Duration first_, longest_;
  int attempts_ = 0;
};

}  // namespace kueue::kube
