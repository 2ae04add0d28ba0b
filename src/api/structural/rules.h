#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/codec/codec.h"
#include "api/structural/correlation.h"
#include "api/structural/schema.h"
#include "cel/program.h"
#include "cel/type.h"

// x-kubernetes-validations: rules in CEL that a schema carries.
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
namespace kueue::api::structural {

// The type expressions see; null where they see nothing (fields without a type). A resource has
// apiVersion, kind and the two names of its metadata whatever its schema says.
cel::TypeRef ExpressionType(const Schema& schema, bool resource);

struct CompiledRule {
  std::optional<cel::Program> program;  // none if `error`
  std::string error, message_error;     // why the expression is none
  bool uses_old_self = false;
  std::optional<cel::Program> message;
};
// `rule` of a value of type `self`.
CompiledRule CompileRule(const Rule& rule, const cel::TypeRef& self);

// Where a path such as ".spec.names['a']" leads, as "spec.names[a]"; nothing if it leads nowhere.
struct FoundField {
  std::string path;
  const Schema* schema = nullptr;
};
// `problem` says why there is none. Without `brackets` only ".name" is understood.
std::optional<FoundField> FindField(const Schema& schema, std::string_view json_path, bool brackets,
                                    std::string& problem);

// All rules of a schema, compiled. Refers to the schema, which must outlive it.
class RuleSet {
 public:
  // Null if the schema has no rules.
  static std::unique_ptr<RuleSet> Of(const Schema& schema, bool resource);
  ~RuleSet();

  struct Outcome {
    std::vector<FieldError> errors;
    std::vector<std::string> warnings;  // mistakes in what did not change
  };
  // `before` null: there is no old value. `correlation` null: nothing is let pass.
  Outcome Check(const Json& value, const Json* before, const Correlation* correlation,
                const std::string& path) const;

 private:
  struct Node;
  class Evaluation;
  explicit RuleSet(std::unique_ptr<Node> root);
  static std::unique_ptr<Node> Compile(const Schema& schema, bool resource);
  std::unique_ptr<Node> root_;
};

}  // namespace kueue::api::structural
