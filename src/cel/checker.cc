#include "cel/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "cel/catalogue.h"
#include "cel/unifier.h"

namespace kueue::cel {
namespace {

using Op = Expr::Op;
using Kind = Type::Kind;

// More types within one type than any honest expression has.
constexpr uint32_t kHeaviestType = 2000;

struct NamedType {
  std::string_view name;
  TypeRef type;
};

const std::vector<NamedType>& NamedTypes() {
  static const std::vector<NamedType> kTypes = {
      {"bool", Type::Simple(Kind::kBool)},
      {"bytes", Type::Simple(Kind::kBytes)},
      {"double", Type::Simple(Kind::kDouble)},
      {"int", Type::Simple(Kind::kInt)},
      {"list", Type::List(Type::Dyn())},
      {"map", Type::Map(Type::Dyn(), Type::Dyn())},
      {"null_type", Type::Simple(Kind::kNull)},
      {"string", Type::Simple(Kind::kString)},
      {"type", Type::TypeOf(Type::Dyn())},
      {"uint", Type::Simple(Kind::kUint)},
      {"optional_type", Type::Optional(Type::Dyn())},
      {"google.protobuf.Duration", Type::Simple(Kind::kDuration)},
      {"google.protobuf.Timestamp", Type::Simple(Kind::kTimestamp)},
      {"net.IP", Type::Opaque("net.IP")},
      {"net.CIDR", Type::Opaque("net.CIDR")},
  };
  return kTypes;
}

class Checker {
 public:
  Checker(const Environment& environment, Ast* ast, std::vector<Issue>* issues)
      : environment_(environment), ast_(ast), issues_(issues) {}

  bool Run() {
    Visit(ast_->root);
    ast_->root->type = unifier_.Finish(ast_->root->type);
    if (unifier_.exhausted()) Fail(0, "the types of this expression are too involved");
    return issues_->empty();
  }

 private:
  struct Local {
    std::string_view name;
    TypeRef type;
    int slot;
  };

  TypeRef Fail(uint32_t offset, std::string message) {
    issues_->push_back({offset, std::move(message), false});
    return Type::Simple(Kind::kError);
  }
  std::string Show(const TypeRef& type) const { return unifier_.Finish(type)->ToString(); }

  TypeRef Visit(Expr* e) {
    e->type = TypeOf(e);
    if (e->type->weight() > kHeaviestType)
      e->type = Fail(e->offset, "the type of this expression is too large");
    return e->type;
  }

  TypeRef TypeOf(Expr* e) {
    switch (e->op) {
      case Op::kConstant:
        return ConstantType(e->value);
      case Op::kName:
        return NameType(e);
      case Op::kSelect:
        return SelectType(e);
      case Op::kHas:
        Visit(e->args[0]);
        FieldType(e, e->args[0]->type);
        return Type::Simple(Kind::kBool);
      case Op::kIndex: {
        Visit(e->args[0]);
        Visit(e->args[1]);
        return Resolve(e, e->optional ? "_[?_]" : "_[_]", false, {e->args[0], e->args[1]});
      }
      case Op::kCall:
        return CallType(e);
      case Op::kList:
        return ListType(e);
      case Op::kMap:
        return MapType(e);
      case Op::kAnd:
      case Op::kOr:
        for (Expr* arg : e->args) ExpectBool(arg);
        return Type::Simple(Kind::kBool);
      case Op::kConditional: {
        for (Expr* arg : e->args) Visit(arg);
        return Resolve(e, "_?_:_", false, e->args);
      }
      case Op::kMacro:
        return MacroType(e);
    }
    return Type::Dyn();
  }

  void ExpectBool(Expr* e) {
    Visit(e);
    if (!unifier_.Assign(e->type, Type::Simple(Kind::kBool)))
      Fail(e->offset, fmt::format("expected type 'bool' but found '{}'", Show(e->type)));
  }

  static TypeRef ConstantType(const Value& value) {
    switch (value.kind()) {
      case Value::Kind::kNull:
        return Type::Simple(Kind::kNull);
      case Value::Kind::kBool:
        return Type::Simple(Kind::kBool);
      case Value::Kind::kInt:
        return Type::Simple(Kind::kInt);
      case Value::Kind::kUint:
        return Type::Simple(Kind::kUint);
      case Value::Kind::kDouble:
        return Type::Simple(Kind::kDouble);
      case Value::Kind::kString:
        return Type::Simple(Kind::kString);
      case Value::Kind::kBytes:
        return Type::Simple(Kind::kBytes);
      default:
        return Type::Dyn();
    }
  }

  const Local* FindLocal(std::string_view name) const {
    for (auto it = locals_.rbegin(); it != locals_.rend(); ++it)
      if (it->name == name) return &*it;
    return nullptr;
  }

  // Turns the node into the constant that the name of a type stands for.
  static TypeRef BecomeTypeName(Expr* e, std::string_view name) {
    for (const NamedType& known : NamedTypes()) {
      if (known.name != name) continue;
      e->op = Op::kConstant;
      e->value = Value::TypeName(known.name);
      e->args.clear();
      return Type::TypeOf(known.type);
    }
    return nullptr;
  }

  TypeRef NameType(Expr* e) {
    if (const Local* local = FindLocal(e->name); local != nullptr) {
      e->slot = local->slot;
      e->local = true;
      return local->type;
    }
    e->slot = environment_.FindVariable(e->name);
    if (e->slot >= 0) return environment_.variables()[static_cast<size_t>(e->slot)].type;
    if (TypeRef type = BecomeTypeName(e, e->name); type != nullptr) return type;
    return Fail(e->offset, fmt::format("undeclared reference to '{}' (in container '')", e->name));
  }

  // "google.protobuf.Timestamp"; empty when the node is no chain of plain names, or the first
  // of them is a variable.
  std::string QualifiedName(const Expr* e) const {
    if (e->op == Op::kName) {
      const bool variable =
          FindLocal(e->name) != nullptr || environment_.FindVariable(e->name) >= 0;
      return variable ? std::string() : std::string(e->name);
    }
    if (e->op != Op::kSelect || e->optional) return {};
    std::string name = e->depth <= 4 ? QualifiedName(e->args[0]) : std::string();
    if (!name.empty()) name += "." + std::string(e->name);
    return name;
  }

  // A variable whose name has a dot in it ("authorizer.requestResource") comes before a field.
  TypeRef BecomeDottedVariable(Expr* e) {
    const Expr* first = e->args[0];
    if (first->op != Op::kName || e->optional || FindLocal(first->name) != nullptr) return nullptr;
    const int slot = environment_.FindDotted(first->name, e->name);
    if (slot < 0) return nullptr;
    const TypeRef& type = environment_.variables()[static_cast<size_t>(slot)].type;
    e->name = environment_.variables()[static_cast<size_t>(slot)].name;
    e->op = Op::kName;
    e->slot = slot;
    e->args.clear();
    return type;
  }

  TypeRef SelectType(Expr* e) {
    if (TypeRef type = BecomeDottedVariable(e); type != nullptr) return type;
    if (const std::string name = QualifiedName(e); !name.empty())
      if (TypeRef type = BecomeTypeName(e, name); type != nullptr) return type;
    Visit(e->args[0]);
    return FieldType(e, e->args[0]->type);
  }

  TypeRef FieldType(Expr* e, const TypeRef& target_type) {
    TypeRef target = unifier_.Resolve(target_type);
    const bool chained = target->kind() == Kind::kOptional;
    if (chained) target = unifier_.Resolve(target->param(0));
    TypeRef field;
    switch (target->kind()) {
      case Kind::kMap:
        field = target->param(1);
        break;
      case Kind::kObject:
        e->field = target->FindField(e->name);
        if (e->field == nullptr)
          return Fail(e->offset, fmt::format("undefined field '{}'", e->name));
        field = e->field->type;
        break;
      case Kind::kDyn:
      case Kind::kParam:
        field = Type::Dyn();
        break;
      case Kind::kError:
        return target;
      default:
        return Fail(e->offset,
                    fmt::format("type '{}' does not support field selection", Show(target)));
    }
    return chained || e->optional ? Type::Optional(field) : field;
  }

  TypeRef CallType(Expr* e) {
    std::string name(e->name);
    if (e->member && e->args[0]->op == Op::kName) {
      const std::string qualified = std::string(e->args[0]->name) + "." + name;
      if (FindFunction(qualified, false, environment_.extras()) != nullptr) {
        e->member = false;
        e->args.erase(e->args.begin());
        e->name = ast_->Keep(qualified);
        name = qualified;
      }
    }
    const bool format = e->member && name == "format";
    for (size_t i = 0; i < e->args.size(); ++i) {
      lenient_ += format && i > 0 ? 1 : 0;
      Visit(e->args[i]);
      lenient_ -= format && i > 0 ? 1 : 0;
    }
    return Resolve(e, name, e->member, e->args);
  }

  std::string Signature(const std::vector<TypeRef>& types, bool member) const {
    std::string text = member ? Show(types[0]) + ".(" : "(";
    for (size_t i = member ? 1 : 0; i < types.size(); ++i) {
      if (i > (member ? 1U : 0U)) text += ", ";
      text += Show(types[i]);
    }
    return text + ")";
  }

  bool Fits(const Overload& overload, const std::vector<TypeRef>& types, int base) {
    for (size_t i = 0; i < types.size(); ++i)
      if (!unifier_.Assign(types[i], unifier_.Instantiate(overload.params[i], base))) return false;
    return true;
  }

  // The type of a call of `name`, whose arguments have been visited.
  TypeRef Resolve(Expr* e, const std::string& name, bool member, const std::vector<Expr*>& args) {
    std::vector<TypeRef> types;
    for (const Expr* arg : args) types.push_back(arg->type);
    const Function* function = FindFunction(name, member, environment_.extras());
    const bool known =
        function != nullptr || FindFunction(name, !member, environment_.extras()) != nullptr;
    if (!known)
      return Fail(e->offset, fmt::format("undeclared reference to '{}' (in container '')", name));
    if (function == nullptr) return NoOverload(e, name, types, member);
    e->function = function;
    return ResolveTypes(e, *function, types);
  }

  TypeRef ResolveTypes(Expr* e, const Function& function, const std::vector<TypeRef>& types) {
    std::optional<TypeRef> result;
    bool ambiguous = false;
    for (const Overload& overload : function.overloads) {
      if (overload.params.size() != types.size()) continue;
      const int base = unifier_.AddParams(overload.placeholders);
      const size_t mark = unifier_.Mark();
      if (!Fits(overload, types, base)) {
        unifier_.Rewind(mark);
        continue;
      }
      // What the first that fits decides about open types holds for those behind it.
      const TypeRef type = unifier_.Instantiate(overload.result, base);
      ambiguous = result.has_value();
      if (!result.has_value())
        result = type;
      else if (Show(*result) != Show(type))
        result = Type::Dyn();
    }
    e->ambiguous = ambiguous;
    if (result.has_value()) return *result;
    return NoOverload(e, function.name, types, function.member);
  }

  TypeRef NoOverload(const Expr* e, const std::string& name, const std::vector<TypeRef>& types,
                     bool member) {
    for (const TypeRef& type : types)
      if (unifier_.Resolve(type)->kind() == Kind::kError) return unifier_.Resolve(type);
    return Fail(e->offset, fmt::format("found no matching overload for '{}' applied to '{}'", name,
                                       Signature(types, member)));
  }

  // The element's type: T of optional_type(T) when it is written with a question mark.
  TypeRef ElementType(const Expr* e, bool optional) {
    if (!optional) return e->type;
    TypeRef inner = unifier_.Fresh();
    if (!unifier_.Assign(e->type, Type::Optional(inner)))
      return Fail(e->offset,
                  fmt::format("expected type 'optional_type({0})' but found '{0}'", Show(e->type)));
    return inner;
  }

  // What the elements of one literal have in common: they must be of one type, except among the
  // arguments of format().
  struct Common {
    TypeRef first;
    bool mixed = false;
  };
  void Join(Common* common, const TypeRef& type, const Expr* e) {
    if (common->first == nullptr) {
      common->first = type;
    } else if (!unifier_.Unify(type, common->first)) {
      common->mixed = true;
      if (lenient_ == 0)
        Fail(e->offset,
             fmt::format("expected type '{}' but found '{}'", Show(common->first), Show(type)));
    }
  }
  TypeRef TypeOfAll(const Common& common) {
    if (common.mixed) return Type::Dyn();
    return common.first == nullptr ? unifier_.Fresh() : common.first;
  }

  TypeRef ListType(Expr* e) {
    Common common;
    for (size_t i = 0; i < e->args.size(); ++i) {
      Visit(e->args[i]);
      Join(&common, ElementType(e->args[i], e->optional_args[i]), e->args[i]);
    }
    return Type::List(TypeOfAll(common));
  }

  TypeRef MapType(Expr* e) {
    Common keys;
    Common values;
    for (size_t i = 0; i < e->args.size(); i += 2) {
      Visit(e->args[i]);
      Visit(e->args[i + 1]);
      Join(&keys, e->args[i]->type, e->args[i]);
      Join(&values, ElementType(e->args[i + 1], e->optional_args[i / 2]), e->args[i + 1]);
    }
    return Type::Map(TypeOfAll(keys), TypeOfAll(values));
  }

  int AddLocal(std::string_view name, const TypeRef& type) {
    // No two macros share a slot: a binding is evaluated late, in the middle of others.
    const int slot = ast_->local_slots++;
    locals_.push_back({name, type, slot});
    return slot;
  }

  // The types of a range's variables: elements or keys; index or key, and value.
  bool RangeTypes(const Expr* range, bool two, TypeRef* first, TypeRef* second) {
    const TypeRef type = unifier_.Resolve(range->type);
    switch (type->kind()) {
      case Kind::kList:
        *first = two ? Type::Simple(Kind::kInt) : type->param(0);
        *second = type->param(0);
        return true;
      case Kind::kMap:
        *first = type->param(0);
        *second = type->param(1);
        return true;
      case Kind::kDyn:
      case Kind::kParam:
        *first = *second = Type::Dyn();
        return true;
      case Kind::kError:
        *first = *second = type;
        return true;
      default:
        Fail(range->offset, fmt::format("expression of type '{}' cannot be range of a "
                                        "comprehension (must be list, map, or dynamic)",
                                        Show(type)));
        *first = *second = Type::Simple(Kind::kError);
        return false;
    }
  }

  TypeRef MacroType(Expr* e) {
    Visit(e->args[0]);
    if (e->macro == Macro::kBind) {
      e->first_slot = AddLocal(e->first_name, e->args[0]->type);
      TypeRef type = Visit(e->args[1]);
      locals_.pop_back();
      return type;
    }
    if (e->macro == Macro::kOptMap || e->macro == Macro::kOptFlatMap) return OptionalMacroType(e);
    TypeRef first;
    TypeRef second;
    const bool two = !e->second_name.empty();
    const bool iterable = RangeTypes(e->args[0], two, &first, &second);
    const size_t before = locals_.size();
    e->first_slot = AddLocal(e->first_name, first);
    if (two) e->second_slot = AddLocal(e->second_name, second);
    TypeRef type = iterable ? LoopType(e, first) : Type::Simple(Kind::kError);
    locals_.resize(before);
    return type;
  }

  // The type of a loop's filter has been bool; in Kubernetes it is the condition of a choice.
  void ExpectFilter(Expr* filter, const Expr* e, const TypeRef& result) {
    Visit(filter);
    if (unifier_.Assign(filter->type, Type::Simple(Kind::kBool))) return;
    Fail(e->offset,
         fmt::format("found no matching overload for '_?_:_' applied to '({0}, {1}, {1})'",
                     Show(filter->type), Show(result)));
  }

  TypeRef LoopType(Expr* e, const TypeRef& first) {
    Expr* body = e->args.back();
    switch (e->macro) {
      case Macro::kAll:
      case Macro::kExists:
        ExpectBool(body);
        return Type::Simple(Kind::kBool);
      case Macro::kExistsOne:
        ExpectFilter(body, e, Type::Simple(Kind::kInt));
        return Type::Simple(Kind::kBool);
      case Macro::kFilter: {
        TypeRef list = Type::List(first);
        ExpectFilter(body, e, list);
        return list;
      }
      case Macro::kMap: {
        TypeRef list = Type::List(Visit(body));
        if (e->filter != nullptr) ExpectFilter(e->filter, e, list);
        return list;
      }
      case Macro::kTransformMap: {
        TypeRef map = Type::Map(first, Visit(body));
        if (e->filter != nullptr) ExpectFilter(e->filter, e, map);
        return map;
      }
      case Macro::kTransformMapEntry:
        return EntriesType(e, body);
      default:
        return SortType(e, body);
    }
  }

  TypeRef EntriesType(Expr* e, Expr* body) {
    const TypeRef any = Type::Map(unifier_.Fresh(), unifier_.Fresh());
    Visit(body);
    if (!unifier_.Assign(body->type, any))
      return Fail(e->offset,
                  fmt::format("found no matching overload for 'cel.@mapInsert' applied to "
                              "'(map(dyn, dyn), {})'",
                              Show(body->type)));
    if (e->filter != nullptr) ExpectFilter(e->filter, e, any);
    return any;
  }

  TypeRef SortType(Expr* e, Expr* body) {
    const TypeRef key = unifier_.Resolve(Visit(body));
    const TypeRef range = unifier_.Resolve(e->args[0]->type);
    constexpr std::array<Kind, 11> kSortable = {
        Kind::kInt,    Kind::kUint,  Kind::kDouble, Kind::kBool,  Kind::kDuration, Kind::kTimestamp,
        Kind::kString, Kind::kBytes, Kind::kDyn,    Kind::kParam, Kind::kError};
    const bool list = range->kind() == Kind::kList || range->kind() == Kind::kDyn ||
                      range->kind() == Kind::kError || range->kind() == Kind::kParam;
    if (!list || std::find(kSortable.begin(), kSortable.end(), key->kind()) == kSortable.end())
      return Fail(e->offset, fmt::format("found no matching overload for "
                                         "'@sortByAssociatedKeys' applied to '{}.(list({}))'",
                                         Show(range), Show(key)));
    e->ambiguous = key->kind() == Kind::kDyn || key->kind() == Kind::kParam;
    return range->kind() == Kind::kList ? range : Type::List(Type::Dyn());
  }

  TypeRef OptionalMacroType(Expr* e) {
    TypeRef inner = unifier_.Fresh();
    if (!unifier_.Assign(e->args[0]->type, Type::Optional(inner)))
      return Fail(e->offset,
                  fmt::format("found no matching overload for 'hasValue' applied to '{}.()'",
                              Show(e->args[0]->type)));
    e->first_slot = AddLocal(e->first_name, inner);
    TypeRef type = Visit(e->args[1]);
    locals_.pop_back();
    if (e->macro == Macro::kOptMap) return Type::Optional(type);
    TypeRef wanted = Type::Optional(unifier_.Fresh());
    if (!unifier_.Assign(type, wanted))
      return Fail(e->offset,
                  fmt::format("found no matching overload for '_?_:_' applied to '(bool, {}, "
                              "optional_type(dyn))'",
                              Show(type)));
    return wanted;
  }

  const Environment& environment_;
  Ast* ast_;
  std::vector<Issue>* issues_;
  Unifier unifier_;
  std::vector<Local> locals_;
  int lenient_ = 0;
};

}  // namespace

bool Check(const Environment& environment, Ast* ast, std::vector<Issue>* issues) {
  return Checker(environment, ast, issues).Run();
}

}  // namespace kueue::cel
