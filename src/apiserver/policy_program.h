#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/rules/expression_scope.h"
#include "api/types/json.h"
#include "cel/authorizer.h"
#include "cel/program.h"

// The expressions of a ValidatingAdmissionPolicy, compiled and evaluated.
namespace kueue::apiserver {

// What expressions look at; all must outlive the evaluation. Null pointers are null.
struct PolicyInput {
  const api::Json* object = nullptr;
  const api::Json* old_object = nullptr;
  const api::Json* request = nullptr;  // an AdmissionRequest without the objects
  const api::Json* namespace_object = nullptr;
  const api::Json* params = nullptr;
  const cel::AccessJudge* judge = nullptr;  // not null
  cel::AccessQuestion about_request;
};

// One reason to refuse a write.
struct PolicyDenial {
  std::string message;
  std::string reason = "Invalid";
  // An expression could not be computed. Otherwise it was false.
  bool failed = false;
  // Of an audit annotation: refuses whatever the binding's actions are.
  bool unconditional = false;
};

// Immutable; used by one thread at a time.
class PolicyProgram {
 public:
  // `spec` is that of a policy. What cannot be compiled fails when it is evaluated.
  explicit PolicyProgram(const api::Json& spec);

  // What speaks against the write, in the order of the policy. Evaluations that fail speak against
  // it if the failurePolicy is Fail.
  std::vector<PolicyDenial> Evaluate(const PolicyInput& input) const;
  // Whether all match conditions hold; without any they do. An error if they cannot be computed and
  // that speaks against the write: in the words of the answer.
  base::Result<bool> Matches(const PolicyInput& input) const;
  bool fails_closed() const { return fails_closed_; }

 private:
  struct Expression {
    std::string text;
    std::optional<cel::Program> program;
    std::string problem;
  };
  struct Validation {
    Expression condition;
    std::optional<Expression> told;  // messageExpression
    std::string message, reason;
  };
  struct Variable {
    std::string name;
    Expression expression;
  };
  class Run;

  static Expression Take(std::string text, base::Result<cel::Program> program);

  bool fails_closed_ = true;
  std::vector<Variable> variables_;
  std::vector<Expression> match_conditions_;
  std::vector<Validation> validations_;
  std::vector<Expression> audit_annotations_;
};

}  // namespace kueue::apiserver
