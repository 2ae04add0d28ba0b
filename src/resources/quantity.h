#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kueue::resources {

// A Kubernetes resource quantity: an exact number and the family of suffixes it was written with.
//
// Held as whole nano-units in 128 bits. Digits finer than a nano round away from zero. Numbers
// written with binary suffixes are cut to a magnitude of 2^63-1, as in Kubernetes; others keep
// their value up to 10^29 units and are cut to that (Kubernetes keeps them whole and then wraps
// them around when it needs an integer). Arithmetic saturates at 10^29 as well.
// A value: copy it freely.
class Quantity {
 public:
  enum class Format : uint8_t { kDecimalSI, kBinarySI, kDecimalExponent };

  constexpr Quantity() = default;

  // Reads the text form ("100m", "1.5Gi", "12e6", "-3"). Like Kubernetes it takes missing digits
  // for zero (".5", "5.", "-"), except in an exponent. Refuses anything else (kBadRequest), naming
  // the text and what is allowed. Exponents beyond +-999999 are refused; time is linear in the
  // length of any text (D4: "1e99999999999" is refused at once).
  static base::Result<Quantity> Parse(std::string_view text);

  static Quantity FromUnits(int64_t units, Format format = Format::kDecimalSI);
  static Quantity FromMilli(int64_t milli, Format format = Format::kDecimalSI);
  // Saturates like arithmetic.
  static Quantity FromNano(__int128 nano, Format format);

  // The canonical text: no fraction, the largest suffix that leaves an integer mantissa. Reads back
  // as an equal quantity. (A binary quantity without a suffix, "10000", reads back as a decimal
  // one, "10k", and stays that.)
  std::string ToString() const;

  // Rounded away from zero, as Kubernetes rounds, and saturated at 64 bits.
  int64_t Units() const;
  int64_t Milli() const;
  __int128 nano() const { return nano_; }
  Format format() const { return format_; }
  // Nearest double in whole units; for display and for the few places where the reference's
  // result depends on floating point.
  double ToDouble() const;

  bool IsZero() const { return nano_ == 0; }
  int Sign() const { return nano_ < 0 ? -1 : nano_ > 0 ? 1 : 0; }

  // Saturating. The left side's format stays, unless it is zero: then the right side's is taken.
  Quantity& operator+=(const Quantity& other);
  Quantity& operator-=(const Quantity& other);
  friend Quantity operator+(Quantity a, const Quantity& b) { return a += b; }
  friend Quantity operator-(Quantity a, const Quantity& b) { return a -= b; }

  // By value: "1" equals "1000m".
  friend constexpr bool operator==(const Quantity& a, const Quantity& b) {
    return a.nano_ == b.nano_;
  }
  friend constexpr bool operator<(const Quantity& a, const Quantity& b) {
    return a.nano_ < b.nano_;
  }
  friend constexpr bool operator>(const Quantity& a, const Quantity& b) { return b < a; }
  friend constexpr bool operator<=(const Quantity& a, const Quantity& b) { return !(b < a); }
  friend constexpr bool operator>=(const Quantity& a, const Quantity& b) { return !(a < b); }

 private:
  constexpr Quantity(__int128 nano, Format format) : nano_(nano), format_(format) {}
  __int128 nano_ = 0;
  Format format_ = Format::kDecimalSI;
};

}  // namespace kueue::resources
