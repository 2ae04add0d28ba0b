#include "cel/evaluator.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cel/catalogue.h"
#include "cel/cost.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;
using Op = Expr::Op;

constexpr size_t kMostArguments = 4;

Value NoSuchOverload() { return Value::Error("no such overload"); }

std::string KeyText(const Value& key) {
  if (key.is(Kind::kString)) return std::string(key.AsText());
  return key.is(Kind::kDouble) ? DoubleText(key.AsDouble()) : key.ToString();
}

Value NoSuchKey(std::string_view key) { return Value::Error(fmt::format("no such key: {}", key)); }

Value OutOfBounds(const Value& index) {
  return Value::Error(fmt::format("index out of bounds: {}", KeyText(index)));
}

// The element of a list; absent when the index is out of bounds.
Value ElementOf(const Value& list, const Value& index) {
  int64_t i = 0;
  switch (index.kind()) {
    case Kind::kInt:
      i = index.AsInt();
      break;
    case Kind::kUint:
      i = index.AsUint() > INT64_MAX ? -1 : static_cast<int64_t>(index.AsUint());
      break;
    case Kind::kDouble: {
      const double d = index.AsDouble();
      if (!(d >= -9e15 && d <= 9e15) || d != std::trunc(d))
        return Value::Error(fmt::format("unsupported index value {} in list", DoubleText(d)));
      i = static_cast<int64_t>(d);
      break;
    }
    default:
      return Value::Error(fmt::format("unsupported index type '{}' in list", index.TypeText()));
  }
  if (i < 0 || static_cast<uint64_t>(i) >= list.size()) return {};
  return list.At(static_cast<size_t>(i));
}

}  // namespace

Value Evaluator::Evaluate(const Expr& e) {
  if (stopped()) return Value::Error("operation cancelled: actual cost limit exceeded");
  switch (e.op) {
    case Op::kConstant:
      return e.value;
    case Op::kName:
      return Name(e);
    case Op::kSelect:
      return Select(e);
    case Op::kHas:
      return Has(e);
    case Op::kIndex:
      return Index(e);
    case Op::kCall:
      return CallFunction(e);
    case Op::kList:
      return ListLiteral(e);
    case Op::kMap:
      return MapLiteral(e);
    case Op::kAnd:
      return Logic(e, false);
    case Op::kOr:
      return Logic(e, true);
    case Op::kConditional:
      return Conditional(e);
    case Op::kMacro:
      return RunMacro(e);
  }
  return {};
}

Value Evaluator::Name(const Expr& e) {
  Charge(e.own_cost);
  if (e.local) return LocalValue(e);
  const auto variable = static_cast<size_t>(e.slot);
  const Value& value = activation_.Get(variable);
  if (value.absent()) return Value::Error(fmt::format("no such attribute(s): {}", e.name));
  return ReadAs(value, environment_.variables()[variable].type.get());
}

Value Evaluator::LocalValue(const Expr& e) {
  Local& local = locals_[static_cast<size_t>(e.slot)];
  if (local.pending != nullptr) {
    const Expr* pending = local.pending;
    local.pending = nullptr;
    local.value = Evaluate(*pending);
  }
  if (local.pending_cost > 0) {
    Charge(local.pending_cost);
    local.pending_cost = 0;
  }
  return local.value;
}

Value Evaluator::Select(const Expr& e) {
  Value target = Evaluate(*e.args[0]);
  if (target.error()) return target;
  Charge(e.own_cost - (e.own_cost > 0 ? 1U : 0U));
  const bool chained = target.is(Kind::kOptional);
  if (chained) {
    if (!target.has_inner()) return target;
    target = Value(target.inner());
  }
  if (!target.is(Kind::kMap)) return NoSuchKey(e.name);
  Value found = e.field != nullptr && target.IsObject() ? target.FindField(*e.field)
                                                        : target.FindText(e.name);
  if (found.absent() && (e.optional || chained)) return Value::None();
  if (e.own_cost > 0) Charge(1);
  if (found.absent()) return NoSuchKey(e.name);
  if (found.error()) return found;
  return e.optional || chained ? Value::Some(std::move(found)) : found;
}

Value Evaluator::Has(const Expr& e) {
  Value target = Evaluate(*e.args[0]);
  Charge(e.own_cost);
  if (target.error()) return target;
  if (target.is(Kind::kOptional)) {
    if (!target.has_inner()) return Value::Bool(false);
    target = Value(target.inner());
  }
  if (!target.is(Kind::kMap)) return NoSuchOverload();
  Value found = e.field != nullptr && target.IsObject() ? target.FindField(*e.field)
                                                        : target.FindText(e.name);
  return Value::Bool(!found.absent());
}

Value Evaluator::Lookup(const Value& target, const Value& key) {
  if (target.is(Kind::kList)) return ElementOf(target, key);
  if (target.is(Kind::kMap)) return target.Find(key);
  return NoSuchKey(KeyText(key));
}

Value Evaluator::Index(const Expr& e) {
  Value target = Evaluate(*e.args[0]);
  if (target.error()) return target;
  const Value key = Evaluate(*e.args[1]);
  if (key.error()) return key;
  Charge(e.own_cost - (e.own_cost > 0 ? 1U : 0U));
  const bool chained = target.is(Kind::kOptional);
  if (chained) {
    if (!target.has_inner()) return target;
    target = Value(target.inner());
  }
  Value found = Lookup(target, key);
  if (found.absent() && (e.optional || chained)) return Value::None();
  if (e.own_cost > 0) Charge(1);
  if (found.absent()) return target.is(Kind::kList) ? OutOfBounds(key) : NoSuchKey(KeyText(key));
  if (found.error()) return found;
  return e.optional || chained ? Value::Some(std::move(found)) : found;
}

// or() and orValue() do not evaluate their argument when there is a value, and cost nothing.
Value Evaluator::ShortCircuit(const Expr& e) {
  Value target = Evaluate(*e.args[0]);
  if (target.error()) return target;
  if (!target.is(Kind::kOptional)) return NoSuchOverload();
  if (!target.has_inner()) return Evaluate(*e.args[1]);
  return e.name == "orValue" ? Value(target.inner()) : target;
}

Value Evaluator::Membership(const Expr& e) {
  const Value sought = Evaluate(*e.args[0]);
  if (sought.error()) return sought;
  if (e.index != nullptr) return Value::Bool(!e.index->Find(sought).absent());
  const Value& list = e.args[1]->value;
  for (size_t i = 0; i < list.size(); ++i)
    if (Equal(sought, list.At(i), &work_)) return Value::Bool(true);
  return Value::Bool(false);
}

Value Evaluator::CallFunction(const Expr& e) {
  if (e.constant_set) return Membership(e);
  if (e.function->variants.empty()) return ShortCircuit(e);
  std::array<Value, kMostArguments> args;
  size_t failed = kMostArguments;  // all arguments are evaluated, and charged, all the same
  for (size_t i = 0; i < e.args.size(); ++i) {
    args[i] = Evaluate(*e.args[i]);
    if (args[i].error() && failed == kMostArguments) failed = i;
  }
  if (failed < kMostArguments) {
    Charge(1);
    return std::move(args[failed]);
  }
  const Call call{args.data(), e.args.size(), &work_, e.pattern.get(), e.name};
  for (const Function::Variant& variant : e.function->variants) {
    Value result = variant.implementation(call);
    if (result.absent()) continue;
    const bool plain = result.error() || (e.ambiguous && DependsOnOverload(variant.cost));
    Charge(plain ? 1 : CallCost(variant.cost, args.data(), e.args.size(), result));
    return result;
  }
  Charge(1);
  return NoSuchOverload();
}

Value Evaluator::ListLiteral(const Expr& e) {
  std::vector<Value> elements;
  elements.reserve(e.args.size());
  for (size_t i = 0; i < e.args.size(); ++i) {
    Value element = Evaluate(*e.args[i]);
    if (element.error()) return element;
    if (!e.optional_args[i]) {
      elements.push_back(std::move(element));
    } else if (!element.is(Kind::kOptional)) {
      return NoSuchOverload();
    } else if (element.has_inner()) {
      elements.push_back(element.inner());
    }
  }
  Charge(kListCost);
  return Value::List(std::move(elements));
}

Value Evaluator::MapLiteral(const Expr& e) {
  Value::Entries entries;
  entries.reserve(e.args.size() / 2);
  for (size_t i = 0; i < e.args.size(); i += 2) {
    Value key = Evaluate(*e.args[i]);
    if (key.error()) return key;
    Value value = Evaluate(*e.args[i + 1]);
    if (value.error()) return value;
    if (!e.optional_args[i / 2]) {
      entries.emplace_back(std::move(key), std::move(value));
    } else if (!value.is(Kind::kOptional)) {
      return NoSuchOverload();
    } else if (value.has_inner()) {
      entries.emplace_back(std::move(key), value.inner());
    }
  }
  Charge(kMapCost);
  return Value::Map(std::move(entries));
}

// One argument that is `decisive` decides, whatever errors the others are.
Value Evaluator::Logic(const Expr& e, bool decisive) {
  Value failure;
  for (const Expr* arg : e.args) {
    Value value = Evaluate(*arg);
    if (value.is(Kind::kBool)) {
      if (value.AsBool() == decisive) return value;
    } else if (failure.absent()) {
      failure = value.error() ? std::move(value) : NoSuchOverload();
    }
  }
  return failure.absent() ? Value::Bool(!decisive) : failure;
}

Value Evaluator::Conditional(const Expr& e) {
  Value condition = Evaluate(*e.args[0]);
  if (condition.error()) return condition;
  if (!condition.is(Kind::kBool)) return NoSuchOverload();
  return Evaluate(*e.args[condition.AsBool() ? 1 : 2]);
}

}  // namespace kueue::cel
