#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cel/environment.h"
#include "cel/estimate.h"
#include "cel/type.h"
#include "cel/value.h"

namespace kueue::cel {

// Kubernetes' limits: one evaluation, all rules of one object, all match conditions of a webhook.
// https://kubernetes.io/docs/reference/using-api/cel/#resource-constraints
constexpr uint64_t kCallCostLimit = 1'000'000;
constexpr uint64_t kObjectCostBudget = 10'000'000;
constexpr uint64_t kMatchConditionsCostBudget = 2'500'000;

// What several evaluations together may still cost. Each takes its cost from it.
struct CostBudget {
  uint64_t remaining = kObjectCostBudget;
};

// The values of the variables for one evaluation. Cheap; belongs to one thread.
class Activation {
 public:
  explicit Activation(const Environment& environment) : values_(environment.variables().size()) {}
  // `variable` is what Environment::AddVariable returned. The value is read as the variable's
  // type says. A variable that is not set is an error only if the expression reads it.
  void Set(size_t variable, Value value) { values_[variable] = std::move(value); }
  const Value& Get(size_t variable) const { return values_[variable]; }

 private:
  std::vector<Value> values_;
};

// A compiled expression. Immutable: one Program may be evaluated by several threads at once.
class Program {
 public:
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // The value, or:
  //   kInvalid   the evaluation failed ("no such key: spec"): for a rule that is a refusal
  //   kTooLarge  the expression or the budget is used up
  // The value is good while the Program and the objects of the activation live. `cost`, when
  // given, is what the evaluation cost; the budget is charged in all cases.
  base::Result<Value> Evaluate(const Activation& activation, CostBudget* budget,
                               uint64_t* cost = nullptr) const;

  // What an evaluation may cost at most when the environment's variables, in their order, are
  // no larger than that; null: nothing is known of it. Saturates. Kubernetes refuses definitions
  // whose rules could become too expensive by this estimate.
  uint64_t EstimateCost(const std::vector<const SizeBound*>& bounds) const;

  // The static type of the result: a rule's must be bool (or dyn).
  const Type& result_type() const;
  TypeRef shared_result_type() const;  // the same, for longer than the Program lives
  // Whether the expression mentions the variable (what Environment::AddVariable returned).
  bool Reads(size_t variable) const;

 private:
  struct Compiled;
  explicit Program(std::unique_ptr<Compiled> compiled);
  friend base::Result<Program> Compile(std::string_view, const Environment&);
  std::unique_ptr<Compiled> compiled_;
};

// kInvalid with a text for people that shows each mistake in its place:
//   ERROR: <input>:1:6: undefined field 'nope'
//    | self.nope
//    | .....^
// Linear in the text, which may have 100,000 code points and be nested 250 deep.
base::Result<Program> Compile(std::string_view text, const Environment& environment);

}  // namespace kueue::cel
