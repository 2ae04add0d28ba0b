#include "cel/planner.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "cel/catalogue.h"
#include "cel/format_text.h"
#include "cel/patterns.h"

namespace kueue::cel {
namespace {

using Op = Expr::Op;

constexpr size_t kSmallSet = 8;

bool IsChain(const Expr* e) {
  return e->op == Op::kName || e->op == Op::kSelect || e->op == Op::kIndex ||
         e->op == Op::kConditional;
}

class Planner {
 public:
  Planner(Ast* ast, std::vector<Issue>* issues) : ast_(ast), issues_(issues) {}

  bool Run() {
    Visit(ast_->root);
    return issues_->empty();
  }

 private:
  void Fail(uint32_t offset, std::string message, bool without_place = false) {
    issues_->push_back({offset, std::move(message), without_place});
  }

  void Visit(Expr* e) {
    for (Expr* arg : e->args) Visit(arg);
    switch (e->op) {
      case Op::kName:
        e->own_cost = 1;
        break;
      case Op::kSelect:
        e->own_cost = IsChain(e->args[0]) ? 1 : 2;
        break;
      case Op::kHas:
        e->own_cost = IsChain(e->args[0]) ? 0 : 1;
        break;
      case Op::kIndex:
        e->own_cost = IsChain(e->args[0]) ? 1 : 2;
        ForgiveStart(e->args[1]);
        break;
      case Op::kConditional:
        ForgiveStart(e->args[1]);
        ForgiveStart(e->args[2]);
        break;
      case Op::kCall:
        VisitCall(e);
        break;
      case Op::kList:
      case Op::kMap:
        FoldLiteral(e);
        break;
      default:
        break;
    }
  }

  static void ForgiveStart(Expr* e) {
    if (!IsChain(e)) return;
    while ((e->op == Op::kSelect || e->op == Op::kIndex) && IsChain(e->args[0])) e = e->args[0];
    if (e->own_cost > 0) --e->own_cost;
  }

  static bool IsConstant(const Expr* e) { return e->op == Op::kConstant; }

  void Become(Expr* e, Value value) {
    e->op = Op::kConstant;
    e->value = ast_->KeepConstant(std::move(value));
  }

  void FoldLiteral(Expr* e) {
    const bool constant = std::all_of(e->args.begin(), e->args.end(), IsConstant) &&
                          std::count(e->optional_args.begin(), e->optional_args.end(), true) == 0;
    if (!constant) return;
    if (e->op == Op::kList) {
      std::vector<Value> elements;
      for (const Expr* arg : e->args) elements.push_back(arg->value);
      Become(e, Value::List(std::move(elements)));
      return;
    }
    Value::Entries entries;
    for (size_t i = 0; i < e->args.size(); i += 2)
      entries.emplace_back(e->args[i]->value, e->args[i + 1]->value);
    Become(e, Value::Map(std::move(entries)));
  }

  void VisitCall(Expr* e) {
    if (!e->member && e->args.size() == 1 && IsConstant(e->args[0]) && IsConversion(e->name)) {
      FoldConversion(e);
    } else if (e->name == "@in") {
      PlanMembership(e);
    } else if (e->name == "matches" || e->name == "find" || e->name == "findAll") {
      PlanPattern(e);
    } else if (e->name == "format" && e->member) {
      PlanFormat(e);
    }
  }

  void FoldConversion(Expr* e) {
    Work work;
    const Call call{&e->args[0]->value, 1, &work, nullptr, e->name};
    Value value;
    for (const Function::Variant& variant : e->function->variants) {
      value = variant.implementation(call);
      if (!value.absent()) break;
    }
    if (value.error() && (e->name == "timestamp" || e->name == "duration")) {
      Fail(e->args[0]->offset, fmt::format("invalid {} argument", e->name));
    } else if (value.error()) {
      Fail(e->offset, value.message());
    } else if (value.absent()) {
      Fail(e->offset,
           fmt::format("no such overload: {}({})", e->name, e->args[0]->value.TypeText()));
    } else {
      Become(e, std::move(value));
    }
  }

  void PlanMembership(Expr* e) {
    if (!IsConstant(e->args[1]) || !e->args[1]->value.is(Value::Kind::kList)) return;
    const Value& list = e->args[1]->value;
    Value::Entries entries;
    for (size_t i = 0; i < list.size(); ++i) {
      const Value element = list.At(i);
      if (element.is(Value::Kind::kList) || element.is(Value::Kind::kMap)) return;
      entries.emplace_back(element, Value::Bool(true));
    }
    e->constant_set = true;
    if (list.size() > kSmallSet)
      e->index = std::make_shared<const Value>(ast_->KeepConstant(Value::Map(std::move(entries))));
  }

  void PlanPattern(Expr* e) {
    const Expr* pattern = e->args[1];
    if (!IsConstant(pattern) || !pattern->value.is(Value::Kind::kString)) return;
    auto compiled = CompilePattern(pattern->value.AsText());
    if (compiled->ok())
      e->pattern = std::move(compiled);
    else if (e->name == "matches")
      Fail(pattern->offset, "invalid matches argument");
    else
      Fail(pattern->offset, PatternError(*compiled));
  }

  // A constant format and a literal list are checked now.
  void PlanFormat(Expr* e) {
    const Expr* format = e->args[0];
    const Expr* list = e->args[1];
    if (!IsConstant(format) || !format->value.is(Value::Kind::kString)) return;
    std::vector<TypeRef> types;
    std::vector<uint32_t> places;
    if (IsConstant(list) ? list->args.size() != list->value.size() : list->op != Op::kList) return;
    for (const Expr* arg : list->args) {
      types.push_back(arg->type);
      places.push_back(arg->offset);
    }
    size_t wrong = 0;
    const std::string message = CheckFormat(format->value.AsText(), types, &wrong);
    if (!message.empty()) Fail(wrong < places.size() ? places[wrong] : e->offset, message);
  }

  Ast* ast_;
  std::vector<Issue>* issues_;
};

}  // namespace

bool Plan(Ast* ast, std::vector<Issue>* issues) { return Planner(ast, issues).Run(); }

}  // namespace kueue::cel
