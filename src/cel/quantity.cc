// Kubernetes' resource quantities: exact numbers in nano-units.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cel/catalogue.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;
using Nano = __int128;

constexpr Nano kNano = 1'000'000'000;
// Larger magnitudes are cut to this, so that sums stay within 128 bits.
constexpr Nano kLargest =
    static_cast<Nano>(1'000'000'000'000'000'000) * 10'000'000'000'000'000'000U;

struct QuantityBox : OpaqueBox {
  QuantityBox(Nano n, bool w) : nano(n), whole(w) {}
  bool Equals(const OpaqueBox& other) const override {
    return nano == static_cast<const QuantityBox&>(other).nano;
  }
  std::string ToString() const override;
  Nano nano;
  // Whether it was written as a whole number: Kubernetes takes "1k" and "1.5k" for integers, but
  // not "1000m" or "1.0", nor what has more than 18 digits or is as large as "1Pi".
  bool whole;
};

Nano Cut(Nano value) { return std::clamp(value, -kLargest, kLargest); }
Nano Times(Nano value, Nano factor) {
  Nano product = 0;
  return __builtin_mul_overflow(value, factor, &product) ? kLargest : Cut(product);
}

// The decimal exponent, or the power of two, that a suffix stands for.
bool ReadSuffix(std::string_view suffix, int* ten, int* two) {
  static constexpr std::string_view kDecimal = "num kMGTPE";
  if (suffix.empty()) return true;
  if (suffix.size() > 1 && suffix[1] != 'i' && (suffix[0] == 'e' || suffix[0] == 'E')) {
    int64_t exponent = 0;
    if (!ReadInt(suffix.substr(1), &exponent) || std::abs(exponent) > 999999) return false;
    *ten = static_cast<int>(exponent);
    return true;
  }
  const size_t place = kDecimal.find(suffix[0]);
  if (place == std::string_view::npos || suffix[0] == ' ') {
    if (suffix != "Ki") return false;
    *two = 10;
    return true;
  }
  *ten = static_cast<int>(place) * 3 - 9;
  if (suffix.size() == 1) return true;
  if (suffix.size() != 2 || suffix[1] != 'i' || place < 5) return false;
  *two = (static_cast<int>(place) - 3) * 10;
  *ten = 0;
  return true;
}

// digits * 10^ten * 2^two in nano-units, away from zero when it is finer. Powers of two are cut to
// 64 bits of units.
Nano Scale(Nano digits, int ten, int two, bool more) {
  Nano value = Times(digits, static_cast<Nano>(1) << two);
  int exponent = ten + 9;
  for (; exponent > 0 && value != 0 && value < kLargest; --exponent) value = Times(value, 10);
  bool rest = more;
  for (; exponent < 0 && (value != 0 || rest); ++exponent) {
    rest |= value % 10 != 0;
    value /= 10;
    if (value == 0) break;
  }
  if (rest) ++value;
  return two > 0 ? std::min(value, static_cast<Nano>(INT64_MAX) * kNano) : value;
}

bool ReadQuantity(std::string_view text, Nano* out, bool* whole) {
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  constexpr Nano kEnoughDigits = static_cast<Nano>(1'000'000'000'000'000'000) * 1000;
  constexpr Nano kWholeDigits = 1'000'000'000'000'000'000;
  constexpr int kWholeBits = 40;
  Nano digits = 0;
  int fraction = 0;
  int dropped = 0;
  bool more = false;
  bool point = false;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      if (digits < kEnoughDigits) {
        digits = digits * 10 + (c - '0');
        fraction += point ? 1 : 0;
      } else {
        more |= c != '0';
        dropped += point ? 0 : 1;
      }
    } else {
      break;
    }
  }
  int ten = 0;
  int two = 0;
  if (at == 0 || !ReadSuffix(text.substr(at), &ten, &two)) return false;
  const Nano value = Scale(digits, ten - fraction + dropped, two, more);
  *whole = two > 0 ? !point && two <= kWholeBits : digits < kWholeDigits && ten >= fraction;
  *out = negative ? -value : value;
  return true;
}

std::string QuantityBox::ToString() const {
  const Nano size = nano < 0 ? -nano : nano;
  std::string units;
  for (Nano rest = size / kNano; rest > 0 || units.empty(); rest /= 10)
    units.insert(units.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  std::string fraction = fmt::format("{:09d}", static_cast<int64_t>(size % kNano));
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return fmt::format("quantity({}{}{}{})", nano < 0 ? "-" : "", units, fraction.empty() ? "" : ".",
                     fraction);
}

Value Make(Nano nano, bool whole) {
  return Value::Opaque(Kind::kQuantity, new QuantityBox(Cut(nano), whole));
}
Nano NanoOf(const Value& v) { return v.As<QuantityBox>().nano; }
bool Are(const Call& call, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!call[i].is(Kind::kQuantity)) return false;
  return true;
}

Value ToQuantity(const Call& call) {
  if (!call[0].is(Kind::kString)) return {};
  Nano nano = 0;
  bool whole = false;
  if (ReadQuantity(call[0].AsText(), &nano, &whole)) return Make(nano, whole);
  return Value::Error(
      "quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}
Value IsQuantity(const Call& call) {
  if (!call[0].is(Kind::kString)) return {};
  Nano nano = 0;
  bool whole = false;
  return Value::Bool(ReadQuantity(call[0].AsText(), &nano, &whole));
}

bool IsWhole(const Value& v) {
  const Nano units = v.As<QuantityBox>().nano / kNano;
  return v.As<QuantityBox>().whole && units >= INT64_MIN && units <= INT64_MAX;
}
Value IsInteger(const Call& call) { return Are(call, 1) ? Value::Bool(IsWhole(call[0])) : Value(); }
Value AsInteger(const Call& call) {
  if (!Are(call, 1)) return {};
  if (!IsWhole(call[0])) return Value::Error("cannot convert value to integer");
  return Value::Int(static_cast<int64_t>(NanoOf(call[0]) / kNano));
}
Value AsFloat(const Call& call) {
  if (!Are(call, 1)) return {};
  // As a product of a whole number and a power of ten, like Kubernetes, not as a quotient.
  Nano digits = NanoOf(call[0]);
  int exponent = -9;
  while (exponent < 0 && digits % 10 == 0 && digits != 0) {
    digits /= 10;
    ++exponent;
  }
  return Value::Double(static_cast<double>(digits) * std::pow(10.0, exponent));
}
Value Sign(const Call& call) {
  if (!Are(call, 1)) return {};
  const Nano nano = NanoOf(call[0]);
  return Value::Int(nano < 0 ? -1 : nano > 0 ? 1 : 0);
}

Value Plus(const Call& call, int sign) {
  if (!Are(call, 1)) return {};
  const bool whole = call[0].As<QuantityBox>().whole;
  if (call[1].is(Kind::kInt))
    return Make(NanoOf(call[0]) + static_cast<Nano>(call[1].AsInt()) * kNano * sign, whole);
  if (!Are(call, 2)) return {};
  return Make(NanoOf(call[0]) + NanoOf(call[1]) * sign, whole && call[1].As<QuantityBox>().whole);
}
Value Add(const Call& call) { return Plus(call, 1); }
Value Subtract(const Call& call) { return Plus(call, -1); }

Value IsGreater(const Call& call) {
  return Are(call, 2) ? Value::Bool(NanoOf(call[0]) > NanoOf(call[1])) : Value();
}
Value IsLess(const Call& call) {
  return Are(call, 2) ? Value::Bool(NanoOf(call[0]) < NanoOf(call[1])) : Value();
}
Value Compare(const Call& call) {
  if (!Are(call, 2)) return {};
  const Nano a = NanoOf(call[0]);
  const Nano b = NanoOf(call[1]);
  return Value::Int(a < b ? -1 : a > b ? 1 : 0);
}

}  // namespace

std::vector<FunctionRow> QuantityFunctions() {
  const auto one = CostRule::kOne;
  const std::vector<const char*> sum = {
      "(kubernetes.Quantity, kubernetes.Quantity) kubernetes.Quantity",
      "(kubernetes.Quantity, int) kubernetes.Quantity"};
  const std::vector<const char*> test = {"(kubernetes.Quantity, kubernetes.Quantity) bool"};
  return {
      {"quantity", false, CostRule::kFirst, ToQuantity, {"(string) kubernetes.Quantity"}},
      {"isQuantity", false, CostRule::kFirst, IsQuantity, {"(string) bool"}},
      {"isInteger", true, one, IsInteger, {"(kubernetes.Quantity) bool"}},
      {"asInteger", true, one, AsInteger, {"(kubernetes.Quantity) int"}},
      {"asApproximateFloat", true, one, AsFloat, {"(kubernetes.Quantity) double"}},
      {"sign", false, one, Sign, {"(kubernetes.Quantity) int"}},
      {"add", true, one, Add, sum},
      {"sub", true, one, Subtract, sum},
      {"isGreaterThan", true, one, IsGreater, test},
      {"isLessThan", true, one, IsLess, test},
      {"compareTo", true, one, Compare, {"(kubernetes.Quantity, kubernetes.Quantity) int"}},
  };
}

}  // namespace kueue::cel
