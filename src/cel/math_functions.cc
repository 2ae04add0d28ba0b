// math.*, and base64.*: not part of Kubernetes' expressions, allowed by Environment::AllowExtras.
#include <fmt/format.h>

#include <cmath>

#include "base/base64.h"
#include "cel/base64.h"
#include "cel/catalogue.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

// The best of the arguments, or of one list.
template <class Better>
Value Best(const Call& call, Better better) {
  const bool list = call.count == 1 && call[0].is(Kind::kList);
  const size_t size = list ? call[0].size() : call.count;
  if (size == 0) return Value::Error(fmt::format("{}() of no values", call.function));
  Value best;
  for (size_t i = 0; i < size; ++i) {
    Value value = list ? call[0].At(i) : call[i];
    if (!value.IsNumber())
      return Value::Error(fmt::format("no such overload: {}({})", call.function, value.TypeText()));
    const auto order = best.absent() ? std::optional<int>() : Order(value, best);
    if (best.absent() || (order.has_value() && better(*order))) best = std::move(value);
  }
  return best;
}
Value Greatest(const Call& call) {
  return Best(call, [](int order) { return order > 0; });
}
Value Least(const Call& call) {
  return Best(call, [](int order) { return order < 0; });
}

template <double (*kChange)(double)>
Value Change(const Call& call) {
  return call[0].is(Kind::kDouble) ? Value::Double(kChange(call[0].AsDouble())) : Value();
}

Value Abs(const Call& call) {
  const Value& v = call[0];
  if (v.is(Kind::kUint)) return v;
  if (v.is(Kind::kDouble)) return Value::Double(std::fabs(v.AsDouble()));
  if (!v.is(Kind::kInt)) return {};
  if (v.AsInt() == INT64_MIN) return Value::Error("integer overflow");
  return Value::Int(std::abs(v.AsInt()));
}
Value Sign(const Call& call) {
  const Value& v = call[0];
  if (v.is(Kind::kInt)) return Value::Int(v.AsInt() < 0 ? -1 : v.AsInt() > 0 ? 1 : 0);
  if (v.is(Kind::kUint)) return Value::Uint(v.AsUint() > 0 ? 1 : 0);
  if (!v.is(Kind::kDouble)) return {};
  const double d = v.AsDouble();
  return Value::Double(std::isnan(d) ? d : d < 0 ? -1 : d > 0 ? 1 : 0);
}
Value Sqrt(const Call& call) {
  const Value& v = call[0];
  if (v.is(Kind::kInt)) return Value::Double(std::sqrt(static_cast<double>(v.AsInt())));
  if (v.is(Kind::kUint)) return Value::Double(std::sqrt(static_cast<double>(v.AsUint())));
  return v.is(Kind::kDouble) ? Value::Double(std::sqrt(v.AsDouble())) : Value();
}

Value IsNaN(const Call& call) {
  return call[0].is(Kind::kDouble) ? Value::Bool(std::isnan(call[0].AsDouble())) : Value();
}
Value IsInf(const Call& call) {
  return call[0].is(Kind::kDouble) ? Value::Bool(std::isinf(call[0].AsDouble())) : Value();
}
Value IsFinite(const Call& call) {
  return call[0].is(Kind::kDouble) ? Value::Bool(std::isfinite(call[0].AsDouble())) : Value();
}

template <class Combine>
Value Bits(const Call& call, Combine combine) {
  const Value& a = call[0];
  const Value& b = call.count > 1 ? call[1] : call[0];
  if (a.kind() != b.kind()) return {};
  if (a.is(Kind::kUint)) return Value::Uint(combine(a.AsUint(), b.AsUint()));
  if (!a.is(Kind::kInt)) return {};
  return Value::Int(static_cast<int64_t>(
      combine(static_cast<uint64_t>(a.AsInt()), static_cast<uint64_t>(b.AsInt()))));
}
Value BitAnd(const Call& call) {
  return Bits(call, [](uint64_t a, uint64_t b) { return a & b; });
}
Value BitOr(const Call& call) {
  return Bits(call, [](uint64_t a, uint64_t b) { return a | b; });
}
Value BitXor(const Call& call) {
  return Bits(call, [](uint64_t a, uint64_t b) { return a ^ b; });
}
Value BitNot(const Call& call) {
  return Bits(call, [](uint64_t a, uint64_t) { return ~a; });
}

template <class Move>
Value Shift(const Call& call, Move move) {
  if (!call[1].is(Kind::kInt)) return {};
  const int64_t by = call[1].AsInt();
  if (by < 0) return Value::Error(fmt::format("{}() negative offset: {}", call.function, by));
  const Value& v = call[0];
  if (v.is(Kind::kUint)) return Value::Uint(by > 63 ? 0 : move(v.AsUint(), by));
  if (!v.is(Kind::kInt)) return {};
  return Value::Int(by > 63 ? 0 : static_cast<int64_t>(move(static_cast<uint64_t>(v.AsInt()), by)));
}
Value ShiftLeft(const Call& call) {
  return Shift(call, [](uint64_t bits, int64_t by) { return bits << by; });
}
Value ShiftRight(const Call& call) {
  return Shift(call, [](uint64_t bits, int64_t by) { return bits >> by; });
}

Value Encode(const Call& call) {
  return call[0].is(Kind::kBytes) ? Value::String(base::EncodeBase64(call[0].AsText())) : Value();
}
Value Decode(const Call& call) {
  return call[0].is(Kind::kString) ? ReadBase64(call[0].AsText()) : Value();
}

}  // namespace

std::vector<FunctionRow> MathFunctions() {
  const auto one = CostRule::kOne;
  const std::vector<const char*> best = {"(int) int",
                                         "(uint) uint",
                                         "(double) double",
                                         "(list<int>) int",
                                         "(list<uint>) uint",
                                         "(list<double>) double",
                                         "(int, int) int",
                                         "(uint, uint) uint",
                                         "(double, double) double",
                                         "(int, uint) dyn",
                                         "(int, double) dyn",
                                         "(uint, int) dyn",
                                         "(uint, double) dyn",
                                         "(double, int) dyn",
                                         "(double, uint) dyn",
                                         "(dyn, dyn, dyn) dyn",
                                         "(dyn, dyn, dyn, dyn) dyn"};
  const std::vector<const char*> round = {"(double) double"};
  const std::vector<const char*> test = {"(double) bool"};
  const std::vector<const char*> sign = {"(int) int", "(uint) uint", "(double) double"};
  const std::vector<const char*> bits = {"(int, int) int", "(uint, uint) uint"};
  const std::vector<const char*> shift = {"(int, int) int", "(uint, int) uint"};
  return {
      {"math.greatest", false, one, Greatest, best},
      {"math.least", false, one, Least, best},
      {"math.abs", false, one, Abs, sign},
      {"math.sign", false, one, Sign, sign},
      {"math.ceil", false, one, Change<std::ceil>, round},
      {"math.floor", false, one, Change<std::floor>, round},
      {"math.round", false, one, Change<std::round>, round},
      {"math.trunc", false, one, Change<std::trunc>, round},
      {"math.sqrt", false, one, Sqrt, {"(int) double", "(uint) double", "(double) double"}},
      {"math.isNaN", false, one, IsNaN, test},
      {"math.isInf", false, one, IsInf, test},
      {"math.isFinite", false, one, IsFinite, test},
      {"math.bitAnd", false, one, BitAnd, bits},
      {"math.bitOr", false, one, BitOr, bits},
      {"math.bitXor", false, one, BitXor, bits},
      {"math.bitNot", false, one, BitNot, {"(int) int", "(uint) uint"}},
      {"math.bitShiftLeft", false, one, ShiftLeft, shift},
      {"math.bitShiftRight", false, one, ShiftRight, shift},
  };
}

std::vector<FunctionRow> EncoderFunctions() {
  const auto one = CostRule::kOne;
  return {
      {"base64.encode", false, one, Encode, {"(bytes) string"}},
      {"base64.decode", false, one, Decode, {"(string) bytes"}},
  };
}

}  // namespace kueue::cel
