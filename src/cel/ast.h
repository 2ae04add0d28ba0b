#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cel/type.h"
#include "cel/value.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace kueue::cel {

struct Function;

// What a macro turns into. The evaluator runs them as they are; their cost is that of the loops
// they stand for.
enum class Macro : uint8_t {
  kNone,
  kAll,
  kExists,
  kExistsOne,
  kMap,     // with a filter when filter is set; filter() and transformList too
  kFilter,  // map of the variable itself
  kTransformMap,
  kTransformMapEntry,
  kSortBy,
  kOptMap,
  kOptFlatMap,
  kBind,
};

// One node of an expression. The parser makes it; the checker and the planner fill in the rest.
struct Expr {
  enum class Op : uint8_t {
    kConstant,  // value
    kName,      // name: a variable, or a type
    kSelect,    // args[0].name, or .?name when optional
    kHas,       // has(args[0].name)
    kIndex,     // args[0][args[1]], or [?...] when optional
    kCall,      // name(args), or args[0].name(args[1..]) when member
    kList,      // args; elements that are optional are in optional_args
    kMap,       // args: key, value, key, value
    kAnd,       // any number of args
    kOr,
    kConditional,  // args[0] ? args[1] : args[2]
    kMacro,        // args[0] is the range, then the predicates and results
  };
  Op op = Op::kConstant;
  Macro macro = Macro::kNone;
  bool optional = false;
  bool member = false;
  uint32_t offset = 0;  // where messages point to
  uint32_t depth = 1;
  std::string_view name;
  std::vector<Expr*> args;
  std::vector<bool> optional_args;  // kList: by element, kMap: by entry
  Value value;

  // Macros: names and slots of the variables. One variable: `first` only.
  std::string_view first_name, second_name;
  int first_slot = -1, second_slot = -1;
  Expr* filter = nullptr;

  // From the checker.
  TypeRef type;
  const Function* function = nullptr;
  const Type::Field* field = nullptr;  // kSelect and kHas on an object
  int slot = -1;                       // kName: a variable of the environment, or of a macro
  bool local = false;                  // kName: of a macro
  bool ambiguous = false;              // the overload shows at run time only

  // From the planner.
  uint8_t own_cost = 0;                // kName, kSelect, kIndex: see planner.h
  bool constant_set = false;           // `in` a list of constants
  std::shared_ptr<const Value> index;  // that list as a map, when it is long
  std::shared_ptr<const re2::RE2> pattern;
};

// Owns the nodes and the texts of one expression.
struct Ast {
  std::deque<Expr> nodes;
  std::deque<std::string> texts;
  std::deque<Value> constants;
  Expr* root = nullptr;
  int local_slots = 0;

  Expr* New(Expr::Op op, uint32_t offset) {
    nodes.emplace_back();
    nodes.back().op = op;
    nodes.back().offset = offset;
    return &nodes.back();
  }
  std::string_view Keep(std::string text) { return texts.emplace_back(std::move(text)); }
  // Keeps the value for as long as the expression lives and returns one that counts nothing.
  Value KeepConstant(Value value) { return constants.emplace_back(std::move(value)).Borrow(); }
};

}  // namespace kueue::cel
