#pragma once

#include <cstdint>
#include <string>

namespace kueue::resources {

// A bounded 64-bit number or Unlimited, the quota side of every comparison
// (spec/scheduling.md §1.1). Sums saturate and never wrap; a sum that saturates upward *is*
// Unlimited.
class Amount {
 public:
  constexpr Amount() = default;
  constexpr explicit Amount(int64_t value) : value_(value) {}
  static constexpr Amount Unlimited() { return Amount(INT64_MAX); }

  constexpr int64_t value() const { return value_; }
  constexpr bool IsUnlimited() const { return value_ == INT64_MAX; }

  friend Amount operator+(Amount a, Amount b);
  friend Amount operator-(Amount a, Amount b);
  Amount& operator+=(Amount b) { return *this = *this + b; }
  Amount& operator-=(Amount b) { return *this = *this - b; }
  friend constexpr auto operator<=>(Amount, Amount) = default;

  // The number, or "<unlimited>".
  std::string ToString() const;

 private:
  int64_t value_ = 0;
};

// Saturating 64-bit arithmetic for request vectors (spec/scheduling.md §1.1, §1.3).
int64_t SaturatingAdd(int64_t a, int64_t b);
int64_t SaturatingSub(int64_t a, int64_t b);
int64_t SaturatingMul(int64_t a, int64_t b);

}  // namespace kueue::resources
