#include "cel/program.h"

#include <algorithm>

#include "cel/ast.h"
#include "cel/checker.h"
#include "cel/estimator.h"
#include "cel/evaluator.h"
#include "cel/issue.h"
#include "cel/parser.h"
#include "cel/planner.h"

namespace kueue::cel {

struct Program::Compiled {
  Ast ast;
  Environment environment;
};

Program::Program(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

const Type& Program::result_type() const { return *compiled_->ast.root->type; }

TypeRef Program::shared_result_type() const { return compiled_->ast.root->type; }

bool Program::Reads(size_t variable) const {
  const auto& nodes = compiled_->ast.nodes;
  return std::any_of(nodes.begin(), nodes.end(), [variable](const Expr& e) {
    return e.op == Expr::Op::kName && !e.local && e.slot == static_cast<int>(variable);
  });
}

uint64_t Program::EstimateCost(const std::vector<const SizeBound*>& bounds) const {
  return EstimateMostCost(compiled_->ast, bounds);
}

base::Result<Value> Program::Evaluate(const Activation& activation, CostBudget* budget,
                                      uint64_t* cost) const {
  const uint64_t limit = std::min(kCallCostLimit, budget->remaining);
  Evaluator evaluator(compiled_->ast, compiled_->environment, activation, limit);
  Value value = evaluator.Run(*compiled_->ast.root);
  budget->remaining -= std::min(budget->remaining, evaluator.cost());
  if (cost != nullptr) *cost = evaluator.cost();
  if (!value.error()) return value;
  return base::MakeError(evaluator.stopped() ? base::Code::kTooLarge : base::Code::kInvalid,
                         value.message());
}

base::Result<Program> Compile(std::string_view text, const Environment& environment) {
  auto compiled = std::make_unique<Program::Compiled>();
  compiled->environment = environment;
  std::vector<Issue> issues;
  const bool ready = Parse(text, environment.extras().bindings, &compiled->ast, &issues) &&
                     Check(compiled->environment, &compiled->ast, &issues) &&
                     Plan(&compiled->ast, &issues);
  if (!ready) return base::Invalid(DescribeIssues(text, std::move(issues)));
  return Program(std::move(compiled));
}

}  // namespace kueue::cel
