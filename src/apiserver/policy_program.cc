#include "apiserver/policy_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/rules/json_tree.h"

namespace kueue::apiserver {

using api::ExpressionScope;
using api::Json;
using cel::Value;

namespace {

constexpr size_t kLongestMessage = 5 * 1024;
constexpr size_t kDeepestVariables = 20;
constexpr char kOutOfBudget[] =
    "validation failed due to running out of cost budget, no further validation rules will be run";

std::string Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

const Json::Array& ItemsOf(const Json& object, std::string_view member) {
  static const Json::Array* const none = new Json::Array;
  const Json* list = object.Find(member);
  return list != nullptr && list->IsArray() ? list->AsArray() : *none;
}

Value ValueOf(const Json* json) { return json == nullptr ? Value::Null() : api::JsonValue(*json); }

}  // namespace

// The evaluations of one group of expressions: they share a budget, and each variable is computed
// once, when it is first read.
class PolicyProgram::Run final : public cel::Tree {
 public:
  Run(const PolicyProgram& policy, const PolicyInput& input, uint64_t budget)
      : policy_(policy), activation_(ExpressionScope::Slots()), known_(policy.variables_.size()) {
    budget_.remaining = budget;
    activation_.Set(ExpressionScope::kObject, ValueOf(input.object));
    activation_.Set(ExpressionScope::kOldObject, ValueOf(input.old_object));
    activation_.Set(ExpressionScope::kRequest, ValueOf(input.request));
    activation_.Set(ExpressionScope::kNamespaceObject, ValueOf(input.namespace_object));
    activation_.Set(ExpressionScope::kParams, ValueOf(input.params));
    activation_.Set(ExpressionScope::kVariables, Value::TreeMap(this, this));
    activation_.Set(ExpressionScope::kAuthorizer, cel::AuthorizerValue(*input.judge));
    activation_.Set(ExpressionScope::kRequestResource,
                    cel::ResourceCheckValue(*input.judge, input.about_request));
  }

  // The value, or the error in the words of the answer.
  base::Result<Value> Evaluate(const Expression& expression) {
    if (!expression.program.has_value()) {
      return base::Invalid(fmt::format("compilation error: {}", expression.problem));
    }
    auto value = expression.program->Evaluate(activation_, &budget_);
    if (value.ok()) return value;
    if (value.error().code == base::Code::kTooLarge && budget_.remaining == 0) {
      return base::MakeError(base::Code::kTooLarge, kOutOfBudget);
    }
    return base::Invalid(fmt::format("expression '{}' resulted in error: {}", expression.text,
                                     value.error().message));
  }

  // The variables, as a map.
  size_t Size(const void*) const override { return policy_.variables_.size(); }
  Value Element(const void*, size_t) const override { return {}; }
  bool KeepsNull() const override { return true; }
  Value Find(const void*, std::string_view key) const override {
    for (size_t i = 0; i < policy_.variables_.size(); ++i) {
      if (policy_.variables_[i].name == key) return VariableAt(i);
    }
    return {};
  }
  std::pair<std::string_view, Value> Entry(const void*, size_t i) const override {
    return {policy_.variables_[i].name, VariableAt(i)};
  }

 private:
  Value VariableAt(size_t i) const {
    if (!known_[i].absent()) return known_[i];
    // One that reads another is evaluated within that one's evaluation: the stack is finite.
    if (depth_ >= kDeepestVariables) {
      return Value::Error("variables refer to each other more than 20 deep");
    }
    ++depth_;
    known_[i] = Compute(policy_.variables_[i]);
    --depth_;
    return known_[i];
  }
  Value Compute(const Variable& variable) const {
    const Expression& expression = variable.expression;
    if (!expression.program.has_value()) {
      return Value::Error(fmt::format("composited variable \"{}\" fails to compile: {}",
                                      variable.name, expression.problem));
    }
    auto value = expression.program->Evaluate(activation_, &budget_);
    if (value.ok()) return *value;
    return Value::Error(fmt::format("composited variable \"{}\" fails to evaluate: {}",
                                    variable.name, value.error().message));
  }

  const PolicyProgram& policy_;
  cel::Activation activation_;
  mutable cel::CostBudget budget_;
  mutable std::vector<Value> known_;
  mutable size_t depth_ = 0;
};

PolicyProgram::Expression PolicyProgram::Take(std::string text,
                                              base::Result<cel::Program> program) {
  Expression expression;
  expression.text = std::move(text);
  if (program.ok()) {
    expression.program.emplace(*std::move(program));
  } else {
    expression.problem = program.error().message;
  }
  return expression;
}

PolicyProgram::PolicyProgram(const Json& spec)
    : fails_closed_(spec.StringAt({"failurePolicy"}, "Fail") != "Ignore") {
  using Result = ExpressionScope::Result;
  ExpressionScope::Has has;
  has.params = spec.Find("paramKind") != nullptr;
  has.variables = !ItemsOf(spec, "variables").empty();
  ExpressionScope scope(has);
  for (const Json& item : ItemsOf(spec, "variables")) {
    std::string name = item.StringAt({"name"});
    std::string text = item.StringAt({"expression"});
    auto program = scope.Declare(name, text);
    variables_.push_back({std::move(name), Take(std::move(text), std::move(program))});
  }
  const auto take = [&](const Json& item, const char* member, Result result, bool authorizer) {
    const std::string text = item.StringAt({member});
    return Take(text, scope.Compile(text, result, authorizer));
  };
  for (const Json& item : ItemsOf(spec, "matchConditions")) {
    match_conditions_.push_back(take(item, "expression", Result::kBool, true));
  }
  for (const Json& item : ItemsOf(spec, "validations")) {
    Validation validation;
    validation.condition = take(item, "expression", Result::kBool, true);
    if (!item.StringAt({"messageExpression"}).empty()) {
      validation.told = take(item, "messageExpression", Result::kText, false);
    }
    validation.message = item.StringAt({"message"});
    validation.reason = item.StringAt({"reason"}, "Invalid");
    validations_.push_back(std::move(validation));
  }
  for (const Json& item : ItemsOf(spec, "auditAnnotations")) {
    audit_annotations_.push_back(take(item, "valueExpression", Result::kTextOrNull, false));
  }
}

namespace {

PolicyDenial Failure(std::string message) {
  PolicyDenial denial;
  denial.message = std::move(message);
  denial.failed = true;
  return denial;
}

// What a message expression gave, if it can stand in an answer.
std::string UsableText(const base::Result<Value>& told) {
  if (!told.ok() || !told->is(Value::Kind::kString)) return "";
  std::string text = Trimmed(told->AsText());
  const bool usable = text.size() <= kLongestMessage && text.find('\n') == std::string::npos;
  return usable ? text : "";
}

}  // namespace

base::Result<bool> PolicyProgram::Matches(const PolicyInput& input) const {
  if (match_conditions_.empty()) return true;
  Run run(*this, input, cel::kMatchConditionsCostBudget);
  std::vector<std::string> errors;
  for (const Expression& condition : match_conditions_) {
    const auto value = run.Evaluate(condition);
    if (value.ok() && !value->IsTrue()) return false;
    if (value.ok()) continue;
    const std::string& text = value.error().message;
    if (std::find(errors.begin(), errors.end(), text) == errors.end()) errors.push_back(text);
  }
  if (errors.empty()) return true;
  if (!fails_closed_) return false;
  return base::Invalid(errors.size() == 1 ? errors[0]
                                          : fmt::format("[{}]", fmt::join(errors, ", ")));
}

std::vector<PolicyDenial> PolicyProgram::Evaluate(const PolicyInput& input) const {
  std::vector<PolicyDenial> denials;
  const auto fail = [&](std::string message) {
    if (fails_closed_) denials.push_back(Failure(std::move(message)));
  };
  const auto matches = Matches(input);
  if (!matches.ok()) fail(matches.error().message);
  if (!matches.ok() || !*matches) return denials;
  Run run(*this, input, cel::kObjectCostBudget);
  for (const Validation& validation : validations_) {
    const auto value = run.Evaluate(validation.condition);
    if (!value.ok()) {
      if (value.error().code == base::Code::kTooLarge) denials.clear();
      fail(value.error().message);
      if (value.error().code == base::Code::kTooLarge) return denials;
      continue;
    }
    if (value->IsTrue()) continue;
    PolicyDenial denial;
    denial.reason = validation.reason;
    if (validation.told) denial.message = UsableText(run.Evaluate(*validation.told));
    if (denial.message.empty()) denial.message = Trimmed(validation.message);
    if (denial.message.empty()) {
      denial.message = "failed expression: " + Trimmed(validation.condition.text);
    }
    denials.push_back(std::move(denial));
  }
  // Nobody keeps a record of requests here; what counts is that the values can be computed.
  Run audit(*this, input, cel::kObjectCostBudget);
  for (const Expression& annotation : audit_annotations_) {
    const auto value = audit.Evaluate(annotation);
    if (value.ok() || !fails_closed_) continue;
    denials.push_back(Failure(value.error().message));
    denials.back().unconditional = true;
  }
  return denials;
}

}  // namespace kueue::apiserver
