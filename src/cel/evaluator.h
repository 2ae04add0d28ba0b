#pragma once

#include <cstdint>
#include <vector>

#include "cel/ast.h"
#include "cel/compare.h"
#include "cel/environment.h"
#include "cel/program.h"

namespace kueue::cel {

// One evaluation of one expression. Its recursion is as deep as the expression, which is limited.
class Evaluator {
 public:
  Evaluator(const Ast& ast, const Environment& environment, const Activation& activation,
            uint64_t cost_limit)
      : environment_(environment), activation_(activation), limit_(cost_limit) {
    if (ast.local_slots > 0) locals_.resize(static_cast<size_t>(ast.local_slots));
  }

  // The value, or an error value.
  Value Run(const Expr& root) {
    Value value = Evaluate(root);
    return stopped() ? Value::Error("operation cancelled: actual cost limit exceeded")
                     : std::move(value);
  }

  uint64_t cost() const { return cost_; }
  // Whether the cost limit, or the work beyond it, was used up.
  bool stopped() const { return cost_ > limit_ || work_.left == 0; }

 private:
  friend class Loop;

  // A variable of a macro. cel.bind and optMap compute theirs when it is first read, and
  // charge for it then.
  struct Local {
    Value value;
    const Expr* pending = nullptr;
    uint64_t pending_cost = 0;
  };
  Value Evaluate(const Expr& e);
  Value Name(const Expr& e);
  Value LocalValue(const Expr& e);
  Value Select(const Expr& e);
  Value Has(const Expr& e);
  Value Index(const Expr& e);
  Value Lookup(const Value& target, const Value& key);
  Value CallFunction(const Expr& e);
  Value ShortCircuit(const Expr& e);
  Value Membership(const Expr& e);
  Value ListLiteral(const Expr& e);
  Value MapLiteral(const Expr& e);
  Value Logic(const Expr& e, bool decisive);
  Value Conditional(const Expr& e);
  Value RunMacro(const Expr& e);
  Value OptionalMacro(const Expr& e);
  Value Sort(const Expr& e);

  void Charge(uint64_t cost) { cost_ += cost; }

  const Environment& environment_;
  const Activation& activation_;
  uint64_t cost_ = 0;
  uint64_t limit_;
  Work work_;
  std::vector<Local> locals_;
};

}  // namespace kueue::cel
