#include "resources/amount.h"

namespace kueue::resources {

int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

int64_t SaturatingSub(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

int64_t SaturatingMul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

Amount operator+(Amount a, Amount b) {
  // Plain saturation would let Unlimited plus a negative number become bounded.
  if (a.IsUnlimited() || b.IsUnlimited()) return Amount::Unlimited();
  return Amount(SaturatingAdd(a.value_, b.value_));
}

Amount operator-(Amount a, Amount b) {
  if (a.IsUnlimited()) return b.IsUnlimited() ? Amount(0) : Amount::Unlimited();
  if (b.IsUnlimited()) return Amount(INT64_MIN);
  return Amount(SaturatingSub(a.value_, b.value_));
}

std::string Amount::ToString() const {
  return IsUnlimited() ? "<unlimited>" : std::to_string(value_);
}

}  // namespace kueue::resources
