#include "resources/quantity.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/check.h"

namespace kueue::resources {
namespace {

using Int128 = __int128;
using Format = Quantity::Format;

constexpr Int128 kNanoPerUnit = 1000000000;
constexpr Int128 kNanoPerMilli = 1000000;

constexpr Int128 PowerOfTen(int exponent) {
  Int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// The largest magnitude a Quantity has. A round number, so that its text is short and reads back.
constexpr Int128 kMaxNano = PowerOfTen(38);
// Binary quantities end earlier, as they do in Kubernetes.
constexpr Int128 kMaxBinaryNano = Int128(INT64_MAX) * kNanoPerUnit;
// Nobody means an exponent of seven digits; a bound lets positions be plain integers.
constexpr int64_t kMaxExponent = 999999;

Int128 Saturate(Int128 nano) { return std::clamp(nano, -kMaxNano, kMaxNano); }

// --- Reading ---

struct Suffix {
  std::string_view text;
  int exponent;  // of ten for decimal suffixes, of two for binary ones
};
constexpr Suffix kDecimalSuffixes[] = {{"n", -9}, {"u", -6}, {"m", -3}, {"", 0},  {"k", 3},
                                       {"M", 6},  {"G", 9},  {"T", 12}, {"P", 15}, {"E", 18}};
constexpr Suffix kBinarySuffixes[] = {{"Ki", 10}, {"Mi", 20}, {"Gi", 30},
                                      {"Ti", 40}, {"Pi", 50}, {"Ei", 60}};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view TakeDigits(std::string_view& text) {
  size_t count = 0;
  while (count < text.size() && IsDigit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

// -1 or +1; takes the sign off the text.
int TakeSign(std::string_view& text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return 1;
  const int sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  return sign;
}

// A text split into its parts; the digits point into it.
struct Parts {
  int sign = 1;
  std::string_view whole, fraction;
  Format format = Format::kDecimalSI;
  int64_t exponent = 0;  // of ten, or of two in kBinarySI
};

// What follows the 'e': an optional sign and at least one digit, within kMaxExponent.
std::optional<int64_t> ReadExponent(std::string_view text) {
  const int sign = TakeSign(text);
  const std::string_view digits = TakeDigits(text);
  if (digits.empty() || !text.empty()) return std::nullopt;
  int64_t value = 0;
  for (const char c : digits) {
    value = value * 10 + (c - '0');
    if (value > kMaxExponent) return std::nullopt;
  }
  return sign * value;
}

bool ReadSuffix(std::string_view text, Parts& parts) {
  for (const Suffix& suffix : kDecimalSuffixes) {
    if (suffix.text != text) continue;
    parts.exponent = suffix.exponent;
    return true;
  }
  for (const Suffix& suffix : kBinarySuffixes) {
    if (suffix.text != text) continue;
    parts.format = Format::kBinarySI;
    parts.exponent = suffix.exponent;
    return true;
  }
  if (text[0] != 'e' && text[0] != 'E') return false;
  const auto exponent = ReadExponent(text.substr(1));
  if (!exponent) return false;
  parts.format = Format::kDecimalExponent;
  parts.exponent = *exponent;
  return true;
}

// Digits may be missing altogether ("k", "-", "." are zeros): Kubernetes reads them so.
std::optional<Parts> Split(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Parts parts;
  parts.sign = TakeSign(text);
  parts.whole = TakeDigits(text);
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    parts.fraction = TakeDigits(text);
  }
  if (!ReadSuffix(text, parts)) return std::nullopt;
  return parts;
}

// The magnitude in nano-units of a decimal number: its digits with the point moved. What is finer
// than a nano rounds up, what is larger than kMaxNano is cut to it.
Int128 DecimalNano(const Parts& parts) {
  // Digits before this position (counted over whole and fraction together) are whole nanos.
  const int64_t point = static_cast<int64_t>(parts.whole.size()) + parts.exponent + 9;
  Int128 nano = 0;
  bool finer = false;
  int64_t position = 0;
  for (const std::string_view digits : {parts.whole, parts.fraction}) {
    for (const char c : digits) {
      if (position++ >= point) {
        finer |= c != '0';
      } else {
        if (nano >= kMaxNano / 10) return kMaxNano;
        nano = nano * 10 + (c - '0');
      }
    }
  }
  for (; nano != 0 && position < point; ++position) {
    if (nano >= kMaxNano / 10) return kMaxNano;
    nano *= 10;
  }
  return nano + (finer ? 1 : 0);
}

// The magnitude in nano-units of digits times a power of two, rounded up and cut likewise.
Int128 BinaryNano(const Parts& parts) {
  const Int128 unit = (Int128(1) << parts.exponent) * kNanoPerUnit;
  // The fraction from its last digit on: each step divides what lies to the right by ten, and
  // remembers whether anything was lost.
  Int128 part = 0;
  bool finer = false;
  for (auto c = parts.fraction.rbegin(); c != parts.fraction.rend(); ++c) {
    part += (*c - '0') * unit;
    finer |= part % 10 != 0;
    part /= 10;
  }
  Int128 whole = 0;
  for (const char c : parts.whole) {
    whole = whole * 10 + (c - '0');
    if (whole > INT64_MAX >> parts.exponent) return kMaxBinaryNano;
  }
  return std::min(whole * unit + part + (finer ? 1 : 0), kMaxBinaryNano);
}

// --- Writing ---

std::string Digits(Int128 value) {
  if (value == 0) return "0";
  const bool minus = value < 0;
  std::string reversed;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    reversed += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (minus) reversed += '-';
  return {reversed.rbegin(), reversed.rend()};
}

std::string BinaryText(Int128 units) {
  std::string_view suffix;
  for (const Suffix& next : kBinarySuffixes) {
    if (units % 1024 != 0) break;
    units /= 1024;
    suffix = next.text;
  }
  return Digits(units) + std::string(suffix);
}

std::string DecimalText(Int128 nano, Format format) {
  const Suffix* suffix = std::begin(kDecimalSuffixes);
  int exponent = suffix->exponent;
  // Exponents have no end; suffixes stop at E.
  const bool endless = format == Format::kDecimalExponent;
  while (nano % 1000 == 0 && (endless || suffix + 1 != std::end(kDecimalSuffixes))) {
    nano /= 1000;
    exponent += 3;
    if (!endless) ++suffix;
  }
  if (!endless) return Digits(nano) + std::string(suffix->text);
  return Digits(nano) + (exponent == 0 ? "" : "e" + std::to_string(exponent));
}

// nano / divisor, rounded away from zero and cut to 64 bits.
int64_t Scaled(Int128 nano, Int128 divisor) {
  Int128 value = nano / divisor;
  if (nano % divisor != 0) value += nano < 0 ? -1 : 1;
  return static_cast<int64_t>(std::clamp<Int128>(value, INT64_MIN, INT64_MAX));
}

}  // namespace

base::Result<Quantity> Quantity::Parse(std::string_view text) {
  const auto parts = Split(text);
  if (!parts) {
    return base::BadRequest("'" + std::string(text.substr(0, 64)) +
                            "' is not a quantity: write a number like 2, 1.5 or 12e6, or one with "
                            "a suffix of n u m k M G T P E or Ki Mi Gi Ti Pi Ei");
  }
  if (parts->format != Format::kBinarySI) {
    return Quantity(parts->sign * DecimalNano(*parts), parts->format);
  }
  const Int128 nano = BinaryNano(*parts);
  // Less than one has no binary form.
  const bool tiny = nano > 0 && nano < kNanoPerUnit;
  return Quantity(parts->sign * nano, tiny ? Format::kDecimalSI : Format::kBinarySI);
}

Quantity Quantity::FromUnits(int64_t units, Format format) {
  return Quantity(units * kNanoPerUnit, format);
}
Quantity Quantity::FromMilli(int64_t milli, Format format) {
  return Quantity(milli * kNanoPerMilli, format);
}
Quantity Quantity::FromNano(Int128 nano, Format format) {
  return Quantity(Saturate(nano), format);
}

std::string Quantity::ToString() const {
  if (nano_ == 0) return "0";
  if (format_ != Format::kBinarySI) return DecimalText(nano_, format_);
  // Fractions and numbers below 1024 have no binary form.
  const Int128 units = nano_ / kNanoPerUnit;
  const bool small = units > -1024 && units < 1024;
  if (small || nano_ % kNanoPerUnit != 0) return DecimalText(nano_, Format::kDecimalSI);
  return BinaryText(units);
}

int64_t Quantity::Units() const { return Scaled(nano_, kNanoPerUnit); }
int64_t Quantity::Milli() const { return Scaled(nano_, kNanoPerMilli); }

double Quantity::ToDouble() const {
  if (nano_ % kNanoPerUnit == 0) return static_cast<double>(nano_ / kNanoPerUnit);
  // The standard's text conversion gives the nearest double; dividing would round twice.
  const std::string text = Digits(nano_) + "e-9";
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  KUEUE_CHECK_MSG(error == std::errc() && end == text.data() + text.size(), text);
  return value;
}

Quantity& Quantity::operator+=(const Quantity& other) {
  if (IsZero()) format_ = other.format_;
  // Both magnitudes are at most 10^38: the sum may pass 2^127.
  Int128 sum = 0;
  if (__builtin_add_overflow(nano_, other.nano_, &sum)) sum = nano_ < 0 ? -kMaxNano : kMaxNano;
  nano_ = Saturate(sum);
  return *this;
}

Quantity& Quantity::operator-=(const Quantity& other) {
  return *this += Quantity(-other.nano_, other.format_);
}

}  // namespace kueue::resources
