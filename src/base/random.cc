#include "base/random.h"

#include "base/check.h"

namespace kueue::base {
namespace {

uint64_t Rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

// SplitMix64: spreads a seed over the whole state, as the generator's authors advise.
uint64_t Spread(uint64_t& x) {
  x += 0x9e3779b97f4a7c15ULL;
  uint64_t z = x;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(uint64_t seed) {
  for (uint64_t& word : state_) word = Spread(seed);
}

uint64_t Random::Next() {
  const uint64_t result = Rotate(state_[1] * 5, 7) * 9;
  const uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = Rotate(state_[3], 45);
  return result;
}

uint64_t Random::Below(uint64_t bound) {
  KUEUE_CHECK(bound > 0);
  // Rejects the uneven tail, so every value is equally likely.
  const uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
  uint64_t x = Next();
  while (x >= limit) x = Next();
  return x % bound;
}

Random Random::Fork() { return Random(Next()); }

std::string Random::NameSuffix(int length) {
  static constexpr char kAlphabet[] = "bcdfghjklmnpqrstvwxz2456789";
  std::string out;
  for (int i = 0; i < length; ++i) out += kAlphabet[Below(sizeof(kAlphabet) - 1)];
  return out;
}

std::string Random::Uuid() {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  uint64_t word = 0;
  for (int i = 0; i < 32; ++i) {
    if (i % 16 == 0) word = Next();
    unsigned nibble = word & 15;
    word >>= 4;
    if (i == 12) nibble = 4;
    if (i == 16) nibble = 8 | (nibble & 3);
    if (i == 8 || i == 12 || i == 16 || i == 20) out += '-';
    out += kHex[nibble];
  }
  return out;
}

}  // namespace kueue::base
