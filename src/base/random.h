#pragma once

#include <cstdint>
#include <string>

namespace kueue::base {

// A seeded generator (xoshiro256**) with the same numbers on every machine and library.
// Not thread-safe: one owner each; give a part of its own to others with Fork().
class Random {
 public:
  explicit Random(uint64_t seed);

  uint64_t Next();
  // Uniform in [0, bound). REQUIRES: bound > 0.
  uint64_t Below(uint64_t bound);
  // True once in `n` on average. REQUIRES: n > 0.
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  // A generator whose numbers do not depend on how many this one hands out later.
  Random Fork();

  // `length` characters of the alphabet Kubernetes uses for generated names (no vowels, so no
  // words, and no characters that look alike).
  std::string NameSuffix(int length);
  // A version 4 UUID text.
  std::string Uuid();

 private:
  uint64_t state_[4];
};

}  // namespace kueue::base
