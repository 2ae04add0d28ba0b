// Functions on lists, and sets.
#include <fmt/format.h>

#include <algorithm>

#include "cel/catalogue.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

constexpr int64_t kLongestRange = 10'000'000;

Value MixedTypes() { return Value::Error("list elements must have the same type"); }

Value IsSorted(const Call& call) {
  const Value& list = call[0];
  if (!list.is(Kind::kList)) return {};
  Value before;
  for (size_t i = 0; i < list.size(); ++i) {
    Value element = list.At(i);
    if (i > 0) {
      const auto order = Order(before, element);
      if (!order.has_value()) return {};
      if (*order > 0) return Value::Bool(false);
    }
    before = std::move(element);
  }
  return Value::Bool(true);
}

const Function& Plus() {
  static const Function& kPlus = *FindFunction("_+_", false, {});
  return kPlus;
}

Value Sum(const Call& call) {
  const Value& list = call[0];
  if (!list.is(Kind::kList)) return {};
  if (list.size() == 0) return Value::Int(0);
  Value total = list.At(0);
  if (!total.IsNumber() && !total.is(Kind::kDuration)) return {};
  for (size_t i = 1; i < list.size(); ++i) {
    const Value both[] = {total, list.At(i)};
    total = Plus().variants[0].implementation(Call{both, 2, call.work, nullptr, "_+_"});
    if (total.error() || total.absent()) return total;
  }
  return total;
}

// The element that `better` prefers to all others.
template <class Better>
Value Best(const Call& call, const char* name, Better better) {
  const Value& list = call[0];
  if (!list.is(Kind::kList)) return {};
  if (list.size() == 0) return Value::Error(fmt::format("{} called on empty list", name));
  Value best = list.At(0);
  for (size_t i = 1; i < list.size(); ++i) {
    Value element = list.At(i);
    const auto order = Order(element, best);
    if (order.has_value() && better(*order)) best = std::move(element);
  }
  return best;
}
Value Min(const Call& call) {
  return Best(call, "min", [](int order) { return order < 0; });
}
Value Max(const Call& call) {
  return Best(call, "max", [](int order) { return order > 0; });
}

Value IndexOf(const Call& call) {
  if (!call[0].is(Kind::kList)) return {};
  for (size_t i = 0; i < call[0].size(); ++i)
    if (Equal(call[0].At(i), call[1], call.work)) return Value::Int(static_cast<int64_t>(i));
  return Value::Int(-1);
}
Value LastIndexOf(const Call& call) {
  if (!call[0].is(Kind::kList)) return {};
  for (size_t i = call[0].size(); i > 0; --i)
    if (Equal(call[0].At(i - 1), call[1], call.work))
      return Value::Int(static_cast<int64_t>(i - 1));
  return Value::Int(-1);
}

Value Distinct(const Call& call) {
  if (!call[0].is(Kind::kList)) return {};
  std::vector<Value> all;
  for (size_t i = 0; i < call[0].size(); ++i) {
    Value element = call[0].At(i);
    const bool known = std::any_of(all.begin(), all.end(), [&](const Value& other) {
      return Equal(other, element, call.work);
    });
    if (!known) all.push_back(std::move(element));
  }
  return Value::List(std::move(all));
}

bool AppendFlat(const Value& list, int64_t levels, Work* work, std::vector<Value>* out) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (!work->Spend(1)) return false;
    Value element = list.At(i);
    if (levels > 0 && element.is(Kind::kList)) {
      if (!AppendFlat(element, levels - 1, work, out)) return false;
    } else {
      out->push_back(std::move(element));
    }
  }
  return true;
}

Value Flatten(const Call& call) {
  if (!call[0].is(Kind::kList)) return {};
  int64_t levels = 1;
  if (call.count == 2) {
    if (!call[1].is(Kind::kInt)) return {};
    levels = call[1].AsInt();
    if (levels < 0) return Value::Error("level must be non-negative");
  }
  std::vector<Value> all;
  AppendFlat(call[0], levels, call.work, &all);
  return Value::List(std::move(all));
}

Value Slice(const Call& call) {
  if (!call[0].is(Kind::kList) || !call[1].is(Kind::kInt) || !call[2].is(Kind::kInt)) return {};
  const int64_t start = call[1].AsInt();
  const int64_t end = call[2].AsInt();
  const auto size = static_cast<int64_t>(call[0].size());
  if (start < 0 || end < 0)
    return Value::Error(
        fmt::format("cannot slice({}, {}), negative indexes not supported", start, end));
  if (start > end)
    return Value::Error(fmt::format(
        "cannot slice({}, {}), start index must be less than or equal to end index", start, end));
  if (end > size)
    return Value::Error(fmt::format("cannot slice({}, {}), list is length {}", start, end, size));
  std::vector<Value> part;
  for (int64_t i = start; i < end; ++i) part.push_back(call[0].At(static_cast<size_t>(i)));
  return Value::List(std::move(part));
}

std::vector<Value> ElementsOf(const Value& list) {
  std::vector<Value> all;
  all.reserve(list.size());
  for (size_t i = 0; i < list.size(); ++i) all.push_back(list.At(i));
  return all;
}

Value Sort(const Call& call) {
  if (!call[0].is(Kind::kList)) return {};
  std::vector<Value> all = ElementsOf(call[0]);
  for (const Value& element : all) {
    if (element.kind() != all[0].kind()) return MixedTypes();
    if (!IsNan(element) && !Order(element, element).has_value()) return {};
  }
  // NaN goes first, so that the order is total.
  std::stable_sort(all.begin(), all.end(), [](const Value& a, const Value& b) {
    if (IsNan(a) || IsNan(b)) return IsNan(a) && !IsNan(b);
    return *Order(a, b) < 0;
  });
  return Value::List(std::move(all));
}

Value Reverse(const Call& call) {
  if (!call[0].is(Kind::kList)) return {};
  std::vector<Value> all = ElementsOf(call[0]);
  std::reverse(all.begin(), all.end());
  return Value::List(std::move(all));
}

Value Range(const Call& call) {
  if (!call[0].is(Kind::kInt)) return {};
  const int64_t size = std::max<int64_t>(call[0].AsInt(), 0);
  if (size > kLongestRange || !call.work->Spend(static_cast<uint64_t>(size)))
    return Value::Error(fmt::format("lists.range: size is too large, got {}", size));
  std::vector<Value> all;
  all.reserve(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i) all.push_back(Value::Int(i));
  return Value::List(std::move(all));
}

Value First(const Call& call) {
  if (!call[0].is(Kind::kList)) return {};
  return call[0].size() == 0 ? Value::None() : Value::Some(call[0].At(0));
}
Value Last(const Call& call) {
  if (!call[0].is(Kind::kList)) return {};
  return call[0].size() == 0 ? Value::None() : Value::Some(call[0].At(call[0].size() - 1));
}

bool HasElement(const Value& list, const Value& element, Work* work) {
  for (size_t i = 0; i < list.size(); ++i)
    if (Equal(list.At(i), element, work)) return true;
  return false;
}
bool HasAll(const Value& list, const Value& elements, Work* work) {
  for (size_t i = 0; i < elements.size(); ++i)
    if (!HasElement(list, elements.At(i), work)) return false;
  return true;
}
bool AreLists(const Call& call) { return call[0].is(Kind::kList) && call[1].is(Kind::kList); }

Value SetContains(const Call& call) {
  return AreLists(call) ? Value::Bool(HasAll(call[0], call[1], call.work)) : Value();
}
Value SetEquivalent(const Call& call) {
  if (!AreLists(call)) return {};
  return Value::Bool(HasAll(call[0], call[1], call.work) && HasAll(call[1], call[0], call.work));
}
Value SetIntersects(const Call& call) {
  if (!AreLists(call)) return {};
  for (size_t i = 0; i < call[0].size(); ++i)
    if (HasElement(call[1], call[0].At(i), call.work)) return Value::Bool(true);
  return Value::Bool(false);
}

}  // namespace

std::vector<FunctionRow> ListFunctions() {
  const auto traversal = CostRule::kTraversal;
  const std::vector<const char*> best = {"(list<int>) int",           "(list<uint>) uint",
                                         "(list<double>) double",     "(list<bool>) bool",
                                         "(list<duration>) duration", "(list<timestamp>) timestamp",
                                         "(list<string>) string",     "(list<bytes>) bytes"};
  const std::vector<const char*> sorted = {"(list<int>) bool",      "(list<uint>) bool",
                                           "(list<double>) bool",   "(list<bool>) bool",
                                           "(list<duration>) bool", "(list<timestamp>) bool",
                                           "(list<string>) bool",   "(list<bytes>) bool"};
  const std::vector<const char*> sort = {
      "(list<int>) list<int>",           "(list<uint>) list<uint>",
      "(list<double>) list<double>",     "(list<bool>) list<bool>",
      "(list<duration>) list<duration>", "(list<timestamp>) list<timestamp>",
      "(list<string>) list<string>",     "(list<bytes>) list<bytes>"};
  return {
      {"isSorted", true, traversal, IsSorted, sorted},
      {"sum",
       true,
       traversal,
       Sum,
       {"(list<int>) int", "(list<uint>) uint", "(list<double>) double",
        "(list<duration>) duration"}},
      {"min", true, traversal, Min, best},
      {"max", true, traversal, Max, best},
      {"indexOf", true, traversal, IndexOf, {"(list<A>, A) int"}},
      {"lastIndexOf", true, traversal, LastIndexOf, {"(list<A>, A) int"}},
      {"distinct", true, CostRule::kSquare, Distinct, {"(list<T>) list<T>"}},
      {"flatten",
       true,
       CostRule::kFlattened,
       Flatten,
       {"(list<list<T>>) list<T>", "(list<dyn>, int) list<dyn>"}},
      {"slice", true, CostRule::kNewList, Slice, {"(list<T>, int, int) list<T>"}},
      {"sort", true, CostRule::kSquare, Sort, sort},
      {"reverse", true, CostRule::kNewList, Reverse, {"(list<T>) list<T>"}},
      {"lists.range", false, CostRule::kNewList, Range, {"(int) list<int>"}},
      {"first", true, CostRule::kOne, First, {"(list<V>) optional<V>"}},
      {"last", true, CostRule::kOne, Last, {"(list<V>) optional<V>"}},
      {"sets.contains", false, CostRule::kPairs, SetContains, {"(list<T>, list<T>) bool"}},
      {"sets.equivalent", false, CostRule::kPairsTwice, SetEquivalent, {"(list<T>, list<T>) bool"}},
      {"sets.intersects", false, CostRule::kPairs, SetIntersects, {"(list<T>, list<T>) bool"}},
  };
}

}  // namespace kueue::cel
