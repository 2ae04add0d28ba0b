// The macros, evaluated. Each loop is charged as the comprehension it stands for in Kubernetes:
// the step's own variables and calls are part of its cost.
#include <fmt/format.h>

#include <algorithm>

#include "cel/cost.h"
#include "cel/evaluator.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

// What the hidden parts of one step cost.
constexpr uint64_t kAllCheck = 2;
constexpr uint64_t kExistsCheck = 3;
constexpr uint64_t kReadResult = 1;
constexpr uint64_t kCount = 2;
constexpr uint64_t kAppend = 2;
constexpr uint64_t kInsert = 2;

// What Kubernetes calls the type here: not by its name in the language.
std::string InnerName(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return "types.Null";
    case Kind::kBool:
      return "types.Bool";
    case Kind::kInt:
      return "types.Int";
    case Kind::kUint:
      return "types.Uint";
    case Kind::kDouble:
      return "types.Double";
    case Kind::kString:
      return "types.String";
    case Kind::kBytes:
      return "types.Bytes";
    case Kind::kDuration:
      return "types.Duration";
    case Kind::kTimestamp:
      return "types.Timestamp";
    default:
      return std::string(value.TypeText());
  }
}

}  // namespace

// One run over a list or a map.
class Loop {
 public:
  Loop(Evaluator& evaluator, const Expr& e, Value range)
      : evaluator_(evaluator), e_(e), range_(std::move(range)), size_(range_.size()) {}

  Value Run() {
    switch (e_.macro) {
      case Macro::kAll:
        return RunLogic(false, kAllCheck);
      case Macro::kExists:
        return RunLogic(true, kExistsCheck);
      case Macro::kExistsOne:
        return RunCount();
      case Macro::kTransformMap:
      case Macro::kTransformMapEntry:
        return RunMap();
      default:
        return RunList();
    }
  }

 private:
  // Sets the variables for step `i`; false for an entry that does not exist.
  bool Step(size_t i) {
    Value first;
    Value second;
    if (range_.is(Kind::kList)) {
      Value element = range_.At(i);
      if (e_.second_slot >= 0) {
        first = Value::Int(static_cast<int64_t>(i));
        second = std::move(element);
      } else {
        first = std::move(element);
      }
    } else {
      auto [key, value] = range_.EntryAt(i);
      if (value.absent()) return false;
      first = std::move(key);
      second = std::move(value);
    }
    Variable(e_.first_slot) = std::move(first);
    if (e_.second_slot >= 0) Variable(e_.second_slot) = std::move(second);
    return true;
  }
  Value& Variable(int slot) { return evaluator_.locals_[static_cast<size_t>(slot)].value; }
  const Expr& Body() const { return *e_.args.back(); }

  // Whether the step passes the filter; a value that is an error otherwise.
  Value Passes(const Expr* filter) {
    if (filter == nullptr) return Value::Bool(true);
    Value value = evaluator_.Evaluate(*filter);
    if (value.is(Kind::kBool) || value.error()) return value;
    return Value::Error("no such overload");
  }

  Value RunLogic(bool decisive, uint64_t check) {
    Value failure;
    Value result = Value::Bool(!decisive);
    for (size_t i = 0; i < size_ && !evaluator_.stopped(); ++i) {
      evaluator_.Charge(check);
      if (result.AsBool() == decisive) break;
      if (!Step(i)) continue;
      evaluator_.Charge(1);
      Value value = evaluator_.Evaluate(Body());
      if (value.is(Kind::kBool)) {
        if (value.AsBool() == decisive) result = std::move(value);
      } else if (failure.absent()) {
        failure = value.error() ? std::move(value) : Value::Error("no such overload");
      }
    }
    evaluator_.Charge(kReadResult);
    return failure.absent() || result.AsBool() == decisive ? result : failure;
  }

  Value RunCount() {
    size_t count = 0;
    for (size_t i = 0; i < size_ && !evaluator_.stopped(); ++i) {
      if (!Step(i)) continue;
      Value value = Passes(&Body());
      if (value.error()) return value;
      if (!value.AsBool()) continue;
      evaluator_.Charge(kCount);
      ++count;
    }
    evaluator_.Charge(kReadResult + 1);
    return Value::Bool(count == 1);
  }

  Value RunList() {
    std::vector<Value> elements;
    const bool constant = Body().op == Expr::Op::kConstant && e_.macro != Macro::kFilter;
    for (size_t i = 0; i < size_ && !evaluator_.stopped(); ++i) {
      if (!Step(i)) continue;
      Value value = Passes(e_.filter);
      if (value.error()) return value;
      if (!value.AsBool()) continue;
      evaluator_.Charge(kAppend + (constant ? 0 : kListCost));
      if (e_.macro == Macro::kFilter) {
        evaluator_.Charge(1);
        elements.push_back(Variable(e_.first_slot));
        continue;
      }
      Value element = evaluator_.Evaluate(Body());
      if (element.error()) return element;
      elements.push_back(std::move(element));
    }
    evaluator_.Charge(kReadResult);
    return Value::List(std::move(elements));
  }

  Value RunMap() {
    const bool entries = e_.macro == Macro::kTransformMapEntry;
    Value::Entries all;
    for (size_t i = 0; i < size_ && !evaluator_.stopped(); ++i) {
      if (!Step(i)) continue;
      Value value = Passes(e_.filter);
      if (value.error()) return value;
      if (!value.AsBool()) continue;
      evaluator_.Charge(kInsert + (entries ? 0 : 1));
      Value body = evaluator_.Evaluate(Body());
      if (body.error()) return body;
      if (!entries) {
        all.emplace_back(Variable(e_.first_slot), std::move(body));
        continue;
      }
      if (!body.is(Kind::kMap)) return Value::Error("no such overload");
      for (size_t k = 0; k < body.size(); ++k) {
        auto entry = body.EntryAt(k);
        if (!entry.second.absent()) all.push_back(std::move(entry));
      }
    }
    evaluator_.Charge(kReadResult);
    return Finish(std::move(all));
  }

  static Value Finish(Value::Entries all) {
    const size_t size = all.size();
    Value map = Value::Map(all);
    if (map.size() == size) return map;
    // Some key came twice: the first that does is named.
    std::vector<Value> seen;
    Work work;
    for (const auto& [key, value] : all) {
      for (const Value& known : seen)
        if (Equal(known, key, &work))
          return Value::Error(
              fmt::format("insert failed: key {} already exists",
                          key.is(Kind::kString) ? std::string(key.AsText()) : key.ToString()));
      seen.push_back(key);
    }
    return map;
  }

  Evaluator& evaluator_;
  const Expr& e_;
  Value range_;
  size_t size_;
};

Value Evaluator::RunMacro(const Expr& e) {
  switch (e.macro) {
    case Macro::kOptMap:
    case Macro::kOptFlatMap:
      return OptionalMacro(e);
    case Macro::kSortBy:
      return Sort(e);
    case Macro::kBind:
      locals_[static_cast<size_t>(e.first_slot)] = {{}, e.args[0], 0};
      return Evaluate(*e.args[1]);
    default:
      break;
  }
  Value range = Evaluate(*e.args[0]);
  if (range.error()) return range;
  if (!range.is(Kind::kList) && !range.is(Kind::kMap))
    return Value::Error(fmt::format("got '{}', expected iterable type", InnerName(range)));
  return Loop(*this, e, std::move(range)).Run();
}

// x.optMap(v, f) is x.hasValue() ? optional.of(f of x.value()) : optional.none(). Kubernetes
// evaluates x a second time when v is first read, and charges for that.
Value Evaluator::OptionalMacro(const Expr& e) {
  const uint64_t before = cost_;
  Value target = Evaluate(*e.args[0]);
  if (target.error()) return target;
  if (!target.is(Kind::kOptional)) return Value::Error("no such overload");
  const uint64_t target_cost = cost_ - before;
  Charge(1);
  if (!target.has_inner()) {
    Charge(1);
    return Value::None();
  }
  locals_[static_cast<size_t>(e.first_slot)] = {target.inner(), nullptr, target_cost + 1};
  Value result = Evaluate(*e.args[1]);
  if (result.error()) return result;
  if (e.macro == Macro::kOptFlatMap)
    return result.is(Kind::kOptional) ? result : Value::Error("no such overload");
  Charge(1);
  return Value::Some(std::move(result));
}

// Sorts by the keys that the body gives; equal keys keep their order.
Value Evaluator::Sort(const Expr& e) {
  Value range = Evaluate(*e.args[0]);
  if (range.error()) return range;
  if (!range.is(Kind::kList)) return Value::Error("no such overload");
  Charge(3);
  std::vector<std::pair<Value, Value>> keyed;
  const size_t size = range.size();
  const bool constant = e.args[1]->op == Expr::Op::kConstant;
  for (size_t i = 0; i < size && !stopped(); ++i) {
    Value element = range.At(i);
    locals_[static_cast<size_t>(e.first_slot)].value = element;
    Charge(kAppend + (constant ? 0 : kListCost));
    Value key = Evaluate(*e.args[1]);
    if (key.error()) return key;
    if (!keyed.empty() && (key.kind() != keyed[0].first.kind() || !Order(key, key)))
      return Value::Error("list elements must have the same type");
    keyed.emplace_back(std::move(key), std::move(element));
  }
  Charge(e.ambiguous ? 1 : 1 + kListCost + 2 * size * size);
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
    return Order(a.first, b.first).value_or(0) < 0;
  });
  std::vector<Value> sorted;
  for (auto& entry : keyed) sorted.push_back(std::move(entry.second));
  return Value::List(std::move(sorted));
}

}  // namespace kueue::cel
