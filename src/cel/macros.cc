// The macros of CEL as Kubernetes offers them.
#include <fmt/format.h>

#include "cel/parser.h"

namespace kueue::cel {
namespace {

using Op = Expr::Op;

struct Expansion {
  Expr* call;
  Ast* ast;
  std::vector<Issue>* issues;

  Expr* Fail(uint32_t offset, std::string message) const {
    issues->push_back({offset, std::move(message), false});
    return nullptr;
  }
  Expr* New(Macro macro) const {
    Expr* expr = ast->New(Op::kMacro, call->offset);
    expr->macro = macro;
    expr->name = call->name;
    expr->args.push_back(call->args[0]);
    return expr;
  }
  // Takes argument `i` for the name of a variable.
  bool Variable(size_t i, std::string_view* name) const {
    const Expr* arg = call->args[i];
    if (arg->op != Op::kName) {
      Fail(arg->offset, "argument must be a simple name");
      return false;
    }
    *name = arg->name;
    return true;
  }
};

Expr* ExpandHas(const Expansion& x) {
  Expr* arg = x.call->args[0];
  if (arg->op != Op::kSelect || arg->optional)
    return x.Fail(arg->offset, "invalid argument to has() macro");
  Expr* has = x.ast->New(Op::kHas, x.call->offset);
  has->name = arg->name;
  has->args = arg->args;
  return has;
}

// x.all(v, p), x.exists(v, p), x.map(v, p, f) and so on.
Expr* ExpandOneVariable(const Expansion& x) {
  const std::string_view name = x.call->name;
  const size_t count = x.call->args.size() - 1;
  Macro macro = Macro::kNone;
  if (count == 2) {
    macro = name == "all"          ? Macro::kAll
            : name == "exists"     ? Macro::kExists
            : name == "exists_one" ? Macro::kExistsOne
            : name == "map"        ? Macro::kMap
            : name == "filter"     ? Macro::kFilter
            : name == "sortBy"     ? Macro::kSortBy
            : name == "optMap"     ? Macro::kOptMap
            : name == "optFlatMap" ? Macro::kOptFlatMap
                                   : Macro::kNone;
  } else if (count == 3 && name == "map") {
    macro = Macro::kMap;
  }
  if (macro == Macro::kNone) return nullptr;
  Expr* expr = x.New(macro);
  if (!x.Variable(1, &expr->first_name)) return nullptr;
  if (macro == Macro::kFilter) {
    expr->filter = x.call->args[2];
    expr->args.push_back(expr->filter);
    return expr;
  }
  if (count == 3) {
    expr->filter = x.call->args[2];
    expr->args.push_back(expr->filter);
  }
  expr->args.push_back(x.call->args[count]);
  return expr;
}

// x.all(k, v, p), x.transformMap(k, v, p, f) and so on.
Expr* ExpandTwoVariables(const Expansion& x) {
  const std::string_view name = x.call->name;
  const size_t count = x.call->args.size() - 1;
  Macro macro = Macro::kNone;
  if (name == "transformList") macro = Macro::kMap;
  if (name == "transformMap") macro = Macro::kTransformMap;
  if (name == "transformMapEntry") macro = Macro::kTransformMapEntry;
  if (macro == Macro::kNone && count == 3) {
    macro = name == "all"                                 ? Macro::kAll
            : name == "exists"                            ? Macro::kExists
            : name == "existsOne" || name == "exists_one" ? Macro::kExistsOne
                                                          : Macro::kNone;
  }
  if (macro == Macro::kNone || (count != 3 && count != 4)) return nullptr;
  Expr* expr = x.New(macro);
  if (!x.Variable(1, &expr->first_name) || !x.Variable(2, &expr->second_name)) return nullptr;
  if (expr->first_name == expr->second_name)
    return x.Fail(x.call->args[2]->offset,
                  fmt::format("duplicate variable name: {}", expr->first_name));
  if (count == 4) {
    expr->filter = x.call->args[3];
    expr->args.push_back(expr->filter);
  }
  expr->args.push_back(x.call->args[count]);
  return expr;
}

// cel.bind(v, value, expression)
Expr* ExpandBind(const Expansion& x) {
  Expr* expr = x.ast->New(Op::kMacro, x.call->offset);
  expr->macro = Macro::kBind;
  expr->name = x.call->name;
  if (!x.Variable(1, &expr->first_name)) return nullptr;
  expr->args = {x.call->args[2], x.call->args[3]};
  return expr;
}

}  // namespace

Expr* ExpandMacro(Expr* call, bool bindings, Ast* ast, std::vector<Issue>* issues) {
  const Expansion x{call, ast, issues};
  const size_t count = call->args.size();
  if (!call->member) return call->name == "has" && count == 1 ? ExpandHas(x) : nullptr;
  if (bindings && call->name == "bind" && count == 4 && call->args[0]->op == Op::kName &&
      call->args[0]->name == "cel")
    return ExpandBind(x);
  const size_t before = issues->size();
  if (count == 3 || (count == 4 && call->name == "map")) return ExpandOneVariable(x);
  if (count < 4 || count > 5) return nullptr;
  Expr* expr = ExpandTwoVariables(x);
  return issues->size() == before ? expr : nullptr;
}

}  // namespace kueue::cel
