#include "cel/estimator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "cel/catalogue.h"
#include "cel/cost.h"

namespace kueue::cel {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

uint64_t Plus(uint64_t a, uint64_t b) { return a > kMost - b ? kMost : a + b; }
uint64_t Times(uint64_t a, uint64_t b) { return b != 0 && a > kMost / b ? kMost : a * b; }
// Rounded up.
uint64_t Part(uint64_t size, double factor) {
  const double cost = std::ceil(static_cast<double>(size) * factor);
  return cost >= 18446744073709551616.0 ? kMost : static_cast<uint64_t>(cost);
}
constexpr double kPerCharacter = 0.1, kPerPatternCharacter = 0.25;

struct Range {
  uint64_t least = 0, most = kMost;
  Range Union(const Range& other) const {
    return {std::min(least, other.least), std::max(most, other.most)};
  }
};
constexpr Range kOne = {1, 1};

// What is known of an expression's value.
struct Known {
  uint64_t cost = 0;
  std::optional<Range> size;
  const SizeBound* place = nullptr;  // where the value comes from
  std::optional<Range> elements;     // of a list that the expression makes

  Range SizeOrAny() const { return size.value_or(Range()); }
};

bool IsScalar(const Type* type) {
  if (type == nullptr) return false;
  switch (type->kind()) {
    case Type::Kind::kBool:
    case Type::Kind::kInt:
    case Type::Kind::kUint:
    case Type::Kind::kDouble:
    case Type::Kind::kDuration:
    case Type::Kind::kTimestamp:
      return true;
    case Type::Kind::kOptional:
      return IsScalar(type->param(0).get());
    default:
      return false;
  }
}

bool IsText(const Type* type) {
  return type != nullptr &&
         (type->kind() == Type::Kind::kString || type->kind() == Type::Kind::kBytes);
}

class Estimator {
 public:
  explicit Estimator(const std::vector<const SizeBound*>& bounds) : bounds_(bounds) {}

  Known Of(const Expr& e) {
    Known known = Shape(e);
    if (!known.size && known.place != nullptr) known.size = Range{0, known.place->most};
    if (!known.size && IsScalar(e.type.get())) known.size = kOne;
    return known;
  }

 private:
  using Op = Expr::Op;

  Known Shape(const Expr& e) {
    switch (e.op) {
      case Op::kConstant:
        return Constant(e);
      case Op::kName:
        return Name(e);
      case Op::kSelect:
        return Select(e);
      case Op::kHas:
        return {Of(*e.args[0]).cost, std::nullopt, nullptr, std::nullopt};
      case Op::kIndex:
        return Index(e);
      case Op::kCall:
        return Call(e);
      case Op::kList:
        return List(e);
      case Op::kMap:
        return Map(e);
      case Op::kAnd:
      case Op::kOr: {
        Known known;
        for (const Expr* arg : e.args) known.cost = Plus(known.cost, Of(*arg).cost);
        return known;
      }
      case Op::kConditional:
        return Conditional(e);
      case Op::kMacro:
        return Loop(e);
    }
    return {};
  }

  static Known Constant(const Expr& e) {
    Known known;
    const Value& value = e.value;
    if (value.is(Value::Kind::kList)) known.cost = kListCost;
    if (value.is(Value::Kind::kMap)) known.cost = kMapCost;
    const uint64_t size = SizeOf(value);
    known.size = Range{size, size};
    if (value.is(Value::Kind::kList)) {
      Range elements{size == 0 ? 0 : kMost, 0};
      for (size_t i = 0; i < value.size(); ++i) {
        const uint64_t element = SizeOf(value.At(i));
        elements = elements.Union({element, element});
      }
      known.elements = elements;
    }
    return known;
  }

  Known Name(const Expr& e) {
    Known known;
    if (e.local) {
      const auto local = locals_.find(e.slot);
      if (local != locals_.end()) known = local->second;
    } else if (e.slot >= 0 && static_cast<size_t>(e.slot) < bounds_.size()) {
      known.place = bounds_[static_cast<size_t>(e.slot)];
    }
    known.cost = 1;
    return known;
  }

  Known Select(const Expr& e) {
    const Known from = Of(*e.args[0]);
    Known known;
    const Type* type = e.args[0]->type.get();
    const bool charged = type != nullptr &&
                         (type->kind() == Type::Kind::kMap || type->kind() == Type::Kind::kObject);
    known.cost = Plus(from.cost, charged || e.optional ? 1 : 0);
    if (from.place != nullptr) {
      const auto field = from.place->fields.find(e.name);
      if (field != from.place->fields.end()) known.place = field->second.get();
    }
    return known;
  }

  Known Index(const Expr& e) {
    const Known from = Of(*e.args[0]), index = Of(*e.args[1]);
    Known known;
    known.cost = Plus(Plus(from.cost, index.cost), 1);
    known.size = from.elements;
    if (from.place != nullptr && from.place->elements != nullptr) {
      known.place = from.place->elements.get();
    }
    return known;
  }

  Known List(const Expr& e) {
    Known known;
    known.cost = kListCost;
    Range elements{e.args.empty() ? 0 : kMost, 0};
    for (const Expr* arg : e.args) {
      const Known element = Of(*arg);
      known.cost = Plus(known.cost, element.cost);
      elements = elements.Union(element.SizeOrAny());
    }
    known.size = Range{e.args.size(), e.args.size()};
    known.elements = elements;
    return known;
  }

  Known Map(const Expr& e) {
    Known known;
    known.cost = kMapCost;
    for (const Expr* arg : e.args) known.cost = Plus(known.cost, Of(*arg).cost);
    known.size = Range{e.args.size() / 2, e.args.size() / 2};
    return known;
  }

  Known Conditional(const Expr& e) {
    const Known condition = Of(*e.args[0]), yes = Of(*e.args[1]), no = Of(*e.args[2]);
    Known known;
    known.cost = Plus(condition.cost, std::max(yes.cost, no.cost));
    known.size = yes.SizeOrAny().Union(no.SizeOrAny());
    if (yes.elements && no.elements) known.elements = yes.elements->Union(*no.elements);
    return known;
  }

  // ---- calls

  // A tenth of the smaller value.
  static uint64_t Smaller(const Known& a, const Known& b) {
    return Part(std::min(a.SizeOrAny().most, b.SizeOrAny().most), kPerCharacter);
  }

  static uint64_t Pattern(const Known& text, const Known& pattern) {
    return Times(Part(Plus(text.SizeOrAny().most, 1), kPerCharacter),
                 Part(pattern.SizeOrAny().most, kPerPatternCharacter));
  }

  static bool IsOpaque(const Expr& e) {
    return e.type != nullptr && e.type->kind() == Type::Kind::kOpaque;
  }

  Known Call(const Expr& e) {
    std::vector<Known> args;
    uint64_t sum = 0;
    for (const Expr* arg : e.args) {
      args.push_back(Of(*arg));
      sum = Plus(sum, args.back().cost);
    }
    Known known;
    if (e.name == "dyn" && args.size() == 1) {
      known = args[0];
      known.cost = Plus(sum, 1);
      return known;
    }
    const CostRule rule = e.function != nullptr && !e.function->variants.empty()
                              ? e.function->variants[0].cost
                              : CostRule::kOne;
    known.cost = Plus(sum, CallCost(e, rule, args, known));
    return known;
  }

  uint64_t CallCost(const Expr& e, CostRule rule, const std::vector<Known>& args, Known& result) {
    const Range first = args.empty() ? Range() : args[0].SizeOrAny();
    switch (rule) {
      case CostRule::kFree:
        return 0;
      case CostRule::kFirst:
        if (IsText(e.type.get()) && e.name != "format") result.size = first;
        return Part(first.most, kPerCharacter);
      case CostRule::kSecond:
        return args.size() < 2 ? 1 : Part(args[1].SizeOrAny().most, kPerCharacter);
      case CostRule::kFirstTwice:
        return Twice(e, args, result);
      case CostRule::kResultTwice:
        return Joined(args, result);
      case CostRule::kEquality:
      case CostRule::kSmaller:
        if (IsOpaque(*e.args[0]) && e.name == "_==_") return 1;
        return Compares(e) ? Smaller(args[0], args[1]) : 1;
      case CostRule::kJoined:
        return Sum(e, args, result);
      case CostRule::kText:
        if (!IsText(e.args[0]->type.get())) return 1;
        if (!IsText(e.type.get()) || e.type->kind() == e.args[0]->type->kind()) return 1;
        return Part(first.most, kPerCharacter);
      case CostRule::kContains:
        return Times(Part(first.most, kPerCharacter),
                     Part(args[1].SizeOrAny().most, kPerCharacter));
      case CostRule::kPattern:
        if (e.name != "matches") result.size = Range{0, first.most};
        return Pattern(args[0], args[1]);
      case CostRule::kTraversal:
        return Traversal(e, args[0]);
      case CostRule::kMembers:
        if (e.args[1]->type != nullptr && e.args[1]->type->kind() == Type::Kind::kMap) return 1;
        return args[1].SizeOrAny().most;
      case CostRule::kContainsIp:
        return 4 + Part(args[1].SizeOrAny().most, kPerCharacter);
      case CostRule::kContainsCidr:
        return 7 + Part(args[1].SizeOrAny().most, kPerCharacter);
      case CostRule::kAccess: return kAccessCost;
      case CostRule::kNamedFormat:
        return Part(Part(args.back().SizeOrAny().most, kPerCharacter), 128 * kPerPatternCharacter);
      case CostRule::kPairs:
      case CostRule::kPairsTwice:
        return Plus(1, Times(Times(first.most, args[1].SizeOrAny().most),
                             rule == CostRule::kPairs ? 1 : 2));
      case CostRule::kSquare:
        return Plus(kListCost, Times(Times(first.most, first.most), 2));
      case CostRule::kNewList:
      case CostRule::kFlattened:
        return Plus(kListCost + 1, first.most);
      case CostRule::kOne:
        break;
    }
    return 1;
  }

  // Only texts, and what has no order, are compared piece by piece.
  static bool Compares(const Expr& e) {
    if (e.name == "_==_" || e.name == "_!=_") return true;
    return IsText(e.args[0]->type.get()) && IsText(e.args[1]->type.get());
  }

  static uint64_t Twice(const Expr& e, const std::vector<Known>& args, Known& result) {
    const Range text = args[0].SizeOrAny();
    if (e.name == "replace" && args.size() >= 3) {
      const Range from = args[1].SizeOrAny(), to = args[2].SizeOrAny();
      uint64_t count = 0, kept = 0;
      if (from.least == 0) {
        count = Plus(text.most, 1);
        kept = text.most;
      } else if (to.most <= from.least) {
        kept = text.most;
      } else {
        count = Part(text.most, 1.0 / static_cast<double>(from.least));
      }
      result.size = Range{0, Plus(Times(count, to.most), kept)};
    } else if (e.name == "split") {
      result.size = Range{0, text.most};
      if (args.size() > 2 && e.args[2]->op == Op::kConstant &&
          e.args[2]->value.is(Value::Kind::kInt)) {
        result.size->most = static_cast<uint64_t>(e.args[2]->value.AsInt());
      }
    }
    return Part(text.most, 2 * kPerCharacter);
  }

  static Range ElementsOf(const Expr& list, const Known& known) {
    if (known.place != nullptr && known.place->elements != nullptr) {
      return {0, known.place->elements->most};
    }
    const Type* type = list.type.get();
    if (type != nullptr && type->kind() == Type::Kind::kList && IsScalar(type->param(0).get())) {
      return kOne;
    }
    return {};
  }

  uint64_t Joined(const std::vector<Known>& args, Known& result) const {
    const uint64_t count = args[0].SizeOrAny().most;
    uint64_t element = kMost;
    if (args[0].place != nullptr && args[0].place->elements != nullptr) {
      element = args[0].place->elements->most;
    }
    uint64_t size = Times(count, element);
    if (args.size() > 1 && count > 0) {
      size = Plus(size, Times(args[1].SizeOrAny().most, count - 1));
    }
    result.size = Range{0, size};
    return Part(size, kPerCharacter);
  }

  static uint64_t Sum(const Expr& e, const std::vector<Known>& args, Known& result) {
    const Type* type = e.type.get();
    const bool list = type != nullptr && type->kind() == Type::Kind::kList;
    if (!IsText(type) && !list) return 1;
    const Range a = args[0].SizeOrAny(), b = args[1].SizeOrAny();
    result.size = Range{Plus(a.least, b.least), Plus(a.most, b.most)};
    if (args[0].elements && args[1].elements) {
      result.elements = args[0].elements->Union(*args[1].elements);
    }
    return list ? 1 : Part(result.size->most, kPerCharacter);
  }

  static uint64_t Traversal(const Expr& e, const Known& list) {
    const Type* type = e.args[0]->type.get();
    const uint64_t size = list.SizeOrAny().most;
    if (type == nullptr || type->kind() != Type::Kind::kList) return Part(size, kPerCharacter);
    uint64_t element = 1;
    if (IsText(type->param(0).get())) {
      element = Plus(1, Part(ElementsOf(*e.args[0], list).most, kPerCharacter));
    }
    return Times(size, element);
  }

  // ---- macros, as the loops they stand for

  void Bind(const Expr& e, const Expr& range_expr, const Known& range) {
    const Type* type = range_expr.type.get();
    const bool list = type == nullptr || type->kind() != Type::Kind::kMap;
    Known element, key;
    element.size = range.elements;
    if (range.place != nullptr) {
      if (range.place->elements != nullptr) element.place = range.place->elements.get();
      if (range.place->keys != nullptr) key.place = range.place->keys.get();
    }
    if (element.place != nullptr) element.size.reset();
    if (e.second_slot >= 0) {
      locals_[e.first_slot] = list ? Known() : key;
      locals_[e.second_slot] = element;
    } else {
      locals_[e.first_slot] = list ? element : key;
    }
  }

  Known Loop(const Expr& e) {
    const Known range = Of(*e.args[0]);
    if (e.macro == Macro::kBind || e.macro == Macro::kOptMap || e.macro == Macro::kOptFlatMap) {
      return Let(e, range);
    }
    Bind(e, *e.args[0], range);
    const uint64_t count = range.SizeOrAny().most;
    const Known filter = e.filter != nullptr ? Of(*e.filter) : Known();
    const Expr& body_expr = *e.args.back();
    const Known body = Of(body_expr);
    Known known;
    uint64_t step = 0, outside = 1;  // the result is read once
    switch (e.macro) {
      case Macro::kAll:
        step = Plus(body.cost, 3);
        known.size = kOne;
        break;
      case Macro::kExists:
        step = Plus(body.cost, 4);
        known.size = kOne;
        break;
      case Macro::kExistsOne:
        step = Plus(body.cost, 2);
        outside = 2;
        known.size = kOne;
        break;
      case Macro::kFilter:
        step = Plus(filter.cost, 2 + kListCost + 1);
        outside = 1 + kListCost;
        known.size = range.SizeOrAny();
        known.elements = locals_[e.first_slot].size;
        break;
      case Macro::kTransformMap:
      case Macro::kTransformMapEntry:
        step = Plus(Plus(filter.cost, body.cost), 3);
        outside = 1 + kMapCost;
        known.size = range.SizeOrAny();
        break;
      case Macro::kSortBy:
        step = Plus(body.cost, 2 + kListCost);
        outside = Plus(1 + 2 * kListCost, Times(Times(count, count), 2));
        known.size = range.SizeOrAny();
        break;
      default:
        step = Plus(Plus(filter.cost, body.cost), 2 + kListCost);
        outside = 1 + kListCost;
        known.size = range.SizeOrAny();
        known.elements = Range{0, body.SizeOrAny().most};
    }
    known.cost = Plus(Plus(range.cost, outside), Times(count, step));
    return known;
  }

  Known Let(const Expr& e, const Known& value) {
    Known bound = value;
    bound.cost = 0;
    locals_[e.first_slot] = bound;
    Known known = Of(*e.args.back());
    if (e.macro == Macro::kBind) {
      known.cost = Plus(Plus(value.cost, known.cost), kListCost);
      return known;
    }
    // hasValue() of the optional, value() of it once more, and optional.of() around the result.
    const uint64_t wrap = e.macro == Macro::kOptMap ? 1 : 0;
    known.cost =
        Plus(Plus(Plus(value.cost, 1), Plus(value.cost, 1)), Plus(known.cost, kListCost + wrap));
    return known;
  }

  const std::vector<const SizeBound*>& bounds_;
  std::map<int, Known> locals_;  // by slot
};

}  // namespace

uint64_t EstimateMostCost(const Ast& ast, const std::vector<const SizeBound*>& bounds) {
  return Estimator(bounds).Of(*ast.root).cost;
}

}  // namespace kueue::cel
