// Optional values. or() and orValue() are the evaluator's: they do not always look at their
// argument.
#include <cmath>

#include "cel/catalogue.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

Value Of(const Call& call) { return Value::Some(call[0]); }
Value None(const Call&) { return Value::None(); }

bool IsZero(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return !v.AsBool();
    case Kind::kInt:
      return v.AsInt() == 0;
    case Kind::kUint:
      return v.AsUint() == 0;
    case Kind::kDouble:
      return v.AsDouble() == 0;
    case Kind::kString:
    case Kind::kBytes:
      return v.AsText().empty();
    case Kind::kDuration:
      return v.AsNanoseconds() == 0;
    case Kind::kList:
    case Kind::kMap:
      return !v.from_tree() && v.size() == 0;
    default:
      return false;
  }
}
Value OfNonZero(const Call& call) { return IsZero(call[0]) ? Value::None() : Value::Some(call[0]); }

Value HasValue(const Call& call) {
  return call[0].is(Kind::kOptional) ? Value::Bool(call[0].has_inner()) : Value();
}
Value Inner(const Call& call) {
  if (!call[0].is(Kind::kOptional)) return {};
  if (!call[0].has_inner()) return Value::Error("optional.none() dereference");
  return call[0].inner();
}

Value Unwrap(const Call& call) {
  if (!call[0].is(Kind::kList)) return {};
  std::vector<Value> all;
  for (size_t i = 0; i < call[0].size(); ++i) {
    const Value element = call[0].At(i);
    if (!element.is(Kind::kOptional)) return {};
    if (element.has_inner()) all.push_back(element.inner());
  }
  return Value::List(std::move(all));
}

}  // namespace

std::vector<FunctionRow> OptionalFunctions() {
  const auto one = CostRule::kOne;
  return {
      {"optional.of", false, one, Of, {"(V) optional<V>"}},
      {"optional.none", false, one, None, {"() optional<V>"}},
      {"optional.ofNonZeroValue", false, one, OfNonZero, {"(V) optional<V>"}},
      {"optional.unwrap", false, one, Unwrap, {"(list<optional<V>>) list<V>"}},
      {"unwrapOpt", true, one, Unwrap, {"(list<optional<V>>) list<V>"}},
      {"hasValue", true, one, HasValue, {"(optional<V>) bool"}},
      {"value", true, one, Inner, {"(optional<V>) V"}},
      {"or", true, one, nullptr, {"(optional<V>, optional<V>) optional<V>"}},
      {"orValue", true, one, nullptr, {"(optional<V>, V) V"}},
  };
}

}  // namespace kueue::cel
