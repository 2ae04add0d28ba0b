// The operators, and what the checker alone needs: choices and indexes.
#include <fmt/format.h>

#include <cmath>

#include "cel/catalogue.h"
#include "cel/moment.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

Value Overflow() { return Value::Error("integer overflow"); }
Value UnsignedOverflow() { return Value::Error("unsigned integer overflow"); }

Value OfInt(bool overflow, int64_t result) { return overflow ? Overflow() : Value::Int(result); }
Value OfUint(bool overflow, uint64_t result) {
  return overflow ? UnsignedOverflow() : Value::Uint(result);
}

Value Join(const Call& call, Value (*make)(std::string)) {
  const std::string_view a = call[0].AsText();
  const std::string_view b = call[1].AsText();
  call.work->Spend((a.size() + b.size()) / 16);
  std::string text;
  text.reserve(a.size() + b.size());
  text += a;
  text += b;
  return make(std::move(text));
}

Value AddDurations(const Value& a, const Value& b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a.AsNanoseconds(), b.AsNanoseconds(), &sum)) return Overflow();
  return Value::Duration(sum);
}

Value Add(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (a.is(Kind::kTimestamp) && b.is(Kind::kDuration)) return AddToTimestamp(a, b.AsNanoseconds());
  if (a.is(Kind::kDuration) && b.is(Kind::kTimestamp)) return AddToTimestamp(b, a.AsNanoseconds());
  if (a.kind() != b.kind()) return {};
  switch (a.kind()) {
    case Kind::kInt: {
      int64_t sum = 0;
      const bool overflow = __builtin_add_overflow(a.AsInt(), b.AsInt(), &sum);
      return OfInt(overflow, sum);
    }
    case Kind::kUint: {
      uint64_t sum = 0;
      const bool overflow = __builtin_add_overflow(a.AsUint(), b.AsUint(), &sum);
      return OfUint(overflow, sum);
    }
    case Kind::kDouble:
      return Value::Double(a.AsDouble() + b.AsDouble());
    case Kind::kString:
      return Join(call, &Value::String);
    case Kind::kBytes:
      return Join(call, &Value::Bytes);
    case Kind::kDuration:
      return AddDurations(a, b);
    case Kind::kList:
      return JoinLists(a, b, call.work);
    default:
      return {};
  }
}

Value Subtract(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (a.is(Kind::kTimestamp) && b.is(Kind::kDuration)) {
    if (b.AsNanoseconds() == INT64_MIN) return Overflow();
    return AddToTimestamp(a, -b.AsNanoseconds());
  }
  if (a.kind() != b.kind()) return {};
  switch (a.kind()) {
    case Kind::kInt: {
      int64_t difference = 0;
      const bool overflow = __builtin_sub_overflow(a.AsInt(), b.AsInt(), &difference);
      return OfInt(overflow, difference);
    }
    case Kind::kUint: {
      uint64_t difference = 0;
      const bool overflow = __builtin_sub_overflow(a.AsUint(), b.AsUint(), &difference);
      return OfUint(overflow, difference);
    }
    case Kind::kDouble:
      return Value::Double(a.AsDouble() - b.AsDouble());
    case Kind::kTimestamp:
      return TimestampDifference(a, b);
    case Kind::kDuration: {
      int64_t difference = 0;
      if (__builtin_sub_overflow(a.AsNanoseconds(), b.AsNanoseconds(), &difference))
        return Overflow();
      return Value::Duration(difference);
    }
    default:
      return {};
  }
}

Value Multiply(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (a.kind() != b.kind()) return {};
  if (a.is(Kind::kDouble)) return Value::Double(a.AsDouble() * b.AsDouble());
  if (a.is(Kind::kInt)) {
    int64_t product = 0;
    const bool overflow = __builtin_mul_overflow(a.AsInt(), b.AsInt(), &product);
    return OfInt(overflow, product);
  }
  if (!a.is(Kind::kUint)) return {};
  uint64_t product = 0;
  const bool overflow = __builtin_mul_overflow(a.AsUint(), b.AsUint(), &product);
  return OfUint(overflow, product);
}

Value Divide(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (a.kind() != b.kind()) return {};
  if (a.is(Kind::kDouble)) return Value::Double(a.AsDouble() / b.AsDouble());
  if (a.is(Kind::kInt)) {
    if (b.AsInt() == 0) return Value::Error("division by zero");
    if (a.AsInt() == INT64_MIN && b.AsInt() == -1) return Overflow();
    return Value::Int(a.AsInt() / b.AsInt());
  }
  if (!a.is(Kind::kUint)) return {};
  if (b.AsUint() == 0) return Value::Error("division by zero");
  return Value::Uint(a.AsUint() / b.AsUint());
}

Value Modulo(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (a.kind() != b.kind()) return {};
  if (a.is(Kind::kInt)) {
    if (b.AsInt() == 0) return Value::Error("modulus by zero");
    if (a.AsInt() == INT64_MIN && b.AsInt() == -1) return Overflow();
    return Value::Int(a.AsInt() % b.AsInt());
  }
  if (!a.is(Kind::kUint)) return {};
  if (b.AsUint() == 0) return Value::Error("modulus by zero");
  return Value::Uint(a.AsUint() % b.AsUint());
}

Value Negate(const Call& call) {
  if (call[0].is(Kind::kDouble)) return Value::Double(-call[0].AsDouble());
  if (!call[0].is(Kind::kInt)) return {};
  if (call[0].AsInt() == INT64_MIN) return Overflow();
  return Value::Int(-call[0].AsInt());
}

Value Not(const Call& call) {
  return call[0].is(Kind::kBool) ? Value::Bool(!call[0].AsBool()) : Value();
}

Value Same(const Call& call) { return Value::Bool(Equal(call[0], call[1], call.work)); }
Value Different(const Call& call) { return Value::Bool(!Equal(call[0], call[1], call.work)); }

template <class Decide>
Value Ordered(const Call& call, Decide decide) {
  const auto order = Order(call[0], call[1]);
  if (order.has_value()) return Value::Bool(decide(*order));
  const bool numbers = call[0].IsNumber() && call[1].IsNumber();
  return numbers ? Value::Error("NaN values cannot be ordered") : Value();
}
Value Less(const Call& call) {
  return Ordered(call, [](int order) { return order < 0; });
}
Value LessEqual(const Call& call) {
  return Ordered(call, [](int order) { return order <= 0; });
}
Value Greater(const Call& call) {
  return Ordered(call, [](int order) { return order > 0; });
}
Value GreaterEqual(const Call& call) {
  return Ordered(call, [](int order) { return order >= 0; });
}

Value In(const Call& call) {
  const Value& sought = call[0];
  const Value& range = call[1];
  if (range.is(Kind::kMap)) return Value::Bool(!range.Find(sought).absent());
  if (!range.is(Kind::kList)) return {};
  const size_t size = range.size();
  for (size_t i = 0; i < size; ++i)
    if (Equal(sought, range.At(i), call.work)) return Value::Bool(true);
  return Value::Bool(false);
}

const std::vector<const char*>& OrderSignatures() {
  static const std::vector<const char*> kSignatures = {"(bool, bool) bool",
                                                       "(int, int) bool",
                                                       "(int, double) bool",
                                                       "(int, uint) bool",
                                                       "(uint, uint) bool",
                                                       "(uint, double) bool",
                                                       "(uint, int) bool",
                                                       "(double, double) bool",
                                                       "(double, int) bool",
                                                       "(double, uint) bool",
                                                       "(string, string) bool",
                                                       "(bytes, bytes) bool",
                                                       "(timestamp, timestamp) bool",
                                                       "(duration, duration) bool"};
  return kSignatures;
}

}  // namespace

std::vector<FunctionRow> OperatorFunctions() {
  const auto one = CostRule::kOne;
  return {
      {"_+_",
       false,
       CostRule::kJoined,
       Add,
       {"(bytes, bytes) bytes", "(double, double) double", "(duration, duration) duration",
        "(duration, timestamp) timestamp", "(timestamp, duration) timestamp", "(int, int) int",
        "(list<A>, list<A>) list<A>", "(string, string) string", "(uint, uint) uint"}},
      {"_-_",
       false,
       one,
       Subtract,
       {"(double, double) double", "(duration, duration) duration", "(int, int) int",
        "(timestamp, duration) timestamp", "(timestamp, timestamp) duration", "(uint, uint) uint"}},
      {"_*_",
       false,
       one,
       Multiply,
       {"(double, double) double", "(int, int) int", "(uint, uint) uint"}},
      {"_/_",
       false,
       one,
       Divide,
       {"(double, double) double", "(int, int) int", "(uint, uint) uint"}},
      {"_%_", false, one, Modulo, {"(int, int) int", "(uint, uint) uint"}},
      {"-_", false, one, Negate, {"(double) double", "(int) int"}},
      {"!_", false, one, Not, {"(bool) bool"}},
      {"_==_", false, CostRule::kEquality, Same, {"(A, A) bool"}},
      {"_!=_", false, CostRule::kSmaller, Different, {"(A, A) bool"}},
      {"_<_", false, CostRule::kSmaller, Less, OrderSignatures()},
      {"_<=_", false, CostRule::kSmaller, LessEqual, OrderSignatures()},
      {"_>_", false, CostRule::kSmaller, Greater, OrderSignatures()},
      {"_>=_", false, CostRule::kSmaller, GreaterEqual, OrderSignatures()},
      {"@in", false, CostRule::kMembers, In, {"(A, list<A>) bool", "(A, map<A, B>) bool"}},
      {"_?_:_", false, one, nullptr, {"(bool, A, A) A"}},
      {"_[_]",
       false,
       one,
       nullptr,
       {"(list<A>, int) A", "(map<A, B>, A) B", "(optional<list<V>>, int) optional<V>",
        "(optional<map<K, V>>, K) optional<V>"}},
      {"_[?_]",
       false,
       one,
       nullptr,
       {"(list<V>, int) optional<V>", "(optional<list<V>>, int) optional<V>",
        "(map<K, V>, K) optional<V>", "(optional<map<K, V>>, K) optional<V>"}},
  };
}

}  // namespace kueue::cel
