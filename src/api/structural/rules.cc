#include "api/structural/rules.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "api/rules/json_tree.h"
#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

using cel::Type;
using cel::TypeRef;

constexpr size_t kLongestMessage = 5 * 1024;

std::string Trimmed(std::string_view text) {
  const char* blanks = " \t\n\v\f\r";
  const size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return "";
  return std::string(text.substr(from, text.find_last_not_of(blanks) - from + 1));
}

Type::ListKind ListKindOf(const Schema& schema) {
  if (schema.list_type == "set") return Type::ListKind::kSet;
  if (schema.list_type == "map") return Type::ListKind::kMap;
  return Type::ListKind::kAtomic;
}

TypeRef TextType(const Schema& schema) {
  if (schema.format == "byte") return Type::Simple(Type::Kind::kBytes);
  if (schema.format == "duration") return Type::Simple(Type::Kind::kDuration);
  if (schema.format == "date" || schema.format == "date-time") {
    return Type::Simple(Type::Kind::kTimestamp);
  }
  return Type::Simple(Type::Kind::kString);
}

TypeRef ObjectType(const Schema& schema, bool resource) {
  if (schema.additional_properties != nullptr) {
    TypeRef values =
        ExpressionType(*schema.additional_properties, schema.additional_properties->embedded);
    if (values == nullptr) return nullptr;
    return Type::Map(Type::Simple(Type::Kind::kString), std::move(values));
  }
  std::vector<std::pair<std::string, TypeRef>> fields;
  const TypeRef text = Type::Simple(Type::Kind::kString);
  if (resource) {
    fields.emplace_back("apiVersion", text);
    fields.emplace_back("kind", text);
    fields.emplace_back("metadata",
                        Type::Object("object", {{"name", text}, {"generateName", text}}));
  }
  for (const Property& property : schema.properties) {
    const bool given = resource && (property.name == "apiVersion" || property.name == "kind" ||
                                    property.name == "metadata");
    TypeRef type = given ? nullptr : ExpressionType(property.schema, property.schema.embedded);
    if (type != nullptr) fields.emplace_back(property.name, std::move(type));
  }
  return Type::Object("object", std::move(fields));
}

// One step of a field path: ".name" or "['name']".
std::optional<std::string> TakeStep(std::string_view& rest, bool brackets, std::string& problem) {
  if (rest.front() == '.') {
    rest.remove_prefix(1);
    const size_t end = std::min(rest.find_first_of(".[]"), rest.size());
    if (end == 0 && rest.empty()) {
      problem = "unexpected end of JSON path";
      return std::nullopt;
    }
    std::string name(rest.substr(0, std::max<size_t>(end, 1)));
    rest.remove_prefix(std::max<size_t>(end, 1));
    return name;
  }
  if (rest.front() != '[') {
    problem =
        fmt::format("expected [ or . but got: {}", rest.substr(0, rest.find_first_of(".[]", 1)));
    return std::nullopt;
  }
  if (!brackets) {
    problem = "array notation is not allowed";
    return std::nullopt;
  }
  std::string name;
  size_t at = 1;
  if (at >= rest.size() || rest[at] != '\'') {
    problem = at >= rest.size() ? "unexpected end of JSON path"
                                : fmt::format("expected single quoted string but got {}",
                                              rest.substr(1, rest.find_first_of(".[]", 1) - 1));
    return std::nullopt;
  }
  for (++at; at < rest.size() && rest[at] != '\''; ++at) {
    if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
    name += rest[at];
  }
  if (at + 1 >= rest.size() || rest[at + 1] != ']') {
    problem = "unexpected end of JSON path";
    return std::nullopt;
  }
  rest.remove_prefix(at + 2);
  return name;
}

FieldError ErrorFor(const Rule& rule, std::string path, const Schema& schema, const Json& value,
                    const std::string& detail) {
  const bool compound = schema.type == "object" || schema.type == "array";
  if (rule.reason == "FieldValueForbidden") return Forbidden(std::move(path), detail);
  if (rule.reason == "FieldValueRequired") return Required(std::move(path), detail);
  if (rule.reason == "FieldValueDuplicate") {
    if (!compound) return Duplicate(std::move(path), value);
    return {FieldErrorType::kDuplicate, std::move(path), "Duplicate value"};
  }
  if (compound) return InvalidWithoutValue(std::move(path), detail);
  return Invalid(std::move(path), value, detail);
}

std::string RuleText(const Rule& rule) {
  return Trimmed(rule.message.empty() ? rule.rule : rule.message);
}

}  // namespace

TypeRef ExpressionType(const Schema& schema, bool resource) {
  if (schema.int_or_string) return Type::Dyn();
  if (schema.type == "array") {
    if (schema.items == nullptr) return nullptr;
    TypeRef items = ExpressionType(*schema.items, schema.items->embedded);
    if (items == nullptr) return nullptr;
    return Type::List(std::move(items), ListKindOf(schema), schema.list_map_keys);
  }
  if (schema.type == "object") return ObjectType(schema, resource);
  if (schema.type == "string") return TextType(schema);
  if (schema.type == "boolean") return Type::Simple(Type::Kind::kBool);
  if (schema.type == "number") return Type::Simple(Type::Kind::kDouble);
  if (schema.type == "integer") return Type::Simple(Type::Kind::kInt);
  return nullptr;
}

CompiledRule CompileRule(const Rule& rule, const TypeRef& self) {
  CompiledRule compiled;
  const bool optional = rule.optional_old_self.value_or(false);
  cel::Environment environment, without_old;
  environment.AddVariable("self", self);
  environment.AddVariable("oldSelf", optional ? Type::Optional(self) : self);
  without_old.AddVariable("self", self);
  auto program = cel::Compile(rule.rule, environment);
  if (!program.ok()) {
    compiled.error = "compilation failed: " + program.error().message;
    return compiled;
  }
  if (program->result_type().kind() != Type::Kind::kBool) {
    compiled.error = "cel expression must evaluate to a bool";
    return compiled;
  }
  compiled.uses_old_self =
      rule.rule.find("oldSelf") != std::string::npos && !cel::Compile(rule.rule, without_old).ok();
  compiled.program = std::move(*program);
  if (rule.message_expression.empty()) return compiled;
  auto message = cel::Compile(rule.message_expression, environment);
  if (!message.ok()) {
    compiled.message_error = "messageExpression compilation failed: " + message.error().message;
  } else if (message->result_type().kind() != Type::Kind::kString) {
    compiled.message_error = "messageExpression must evaluate to a string";
  } else {
    compiled.message = std::move(*message);
  }
  return compiled;
}

std::optional<FoundField> FindField(const Schema& schema, std::string_view json_path, bool brackets,
                                    std::string& problem) {
  FoundField found;
  found.schema = &schema;
  std::string_view rest = json_path;
  while (!rest.empty()) {
    const auto name = TakeStep(rest, brackets, problem);
    if (!name) return std::nullopt;
    const Schema& at = *found.schema;
    if (!at.properties.empty()) {
      found.path = ChildPath(found.path, *name);
      found.schema = at.FindProperty(*name);
    } else {
      found.path = KeyPath(found.path, *name);
      found.schema = at.additional_properties.get();
    }
    if (found.schema == nullptr) {
      problem = "does not refer to a valid field";
      return std::nullopt;
    }
  }
  return found;
}

struct RuleSet::Node {
  const Schema* schema = nullptr;
  TypeRef self;
  std::vector<CompiledRule> rules;  // of schema->rules
  std::vector<std::string> paths;   // of their fieldPath, normalized; "" if there is none
  std::unique_ptr<Node> items, additional;
  std::map<std::string, std::unique_ptr<Node>, std::less<>> properties;
};

RuleSet::RuleSet(std::unique_ptr<Node> root) : root_(std::move(root)) {}
RuleSet::~RuleSet() = default;

std::unique_ptr<RuleSet::Node> RuleSet::Compile(const Schema& schema, bool resource) {
  auto node = std::make_unique<Node>();
  node->schema = &schema;
  if (!schema.rules.empty()) {
    node->self = ExpressionType(schema, resource);
    for (const Rule& rule : schema.rules) {
      if (node->self == nullptr) break;
      node->rules.push_back(CompileRule(rule, node->self));
      std::string problem;
      const auto field = rule.field_path.empty()
                             ? std::nullopt
                             : FindField(schema, rule.field_path, true, problem);
      node->paths.push_back(field ? field->path : "");
    }
  }
  bool any = !node->rules.empty();
  if (schema.items != nullptr) {
    node->items = Compile(*schema.items, schema.items->embedded);
    any = any || node->items != nullptr;
  }
  if (schema.additional_properties != nullptr) {
    node->additional =
        Compile(*schema.additional_properties, schema.additional_properties->embedded);
    any = any || node->additional != nullptr;
  }
  for (const Property& property : schema.properties) {
    auto child = Compile(property.schema, property.schema.embedded);
    if (child == nullptr) continue;
    node->properties.emplace(property.name, std::move(child));
    any = true;
  }
  return any ? std::move(node) : nullptr;
}

std::unique_ptr<RuleSet> RuleSet::Of(const Schema& schema, bool resource) {
  auto root = Compile(schema, resource);
  if (root == nullptr) return nullptr;
  return std::unique_ptr<RuleSet>(new RuleSet(std::move(root)));
}

// The rules of one object, on one budget.
class RuleSet::Evaluation {
 public:
  // What is let pass at a place: what is correlated with it, or else with its parent.
  struct Forgiven {
    std::optional<Correlation> here, parent;
    bool Forgives() const {
      if (here) return here->Equal();
      return parent && parent->Equal();
    }
    Forgiven Member(const std::string& name) const {
      if (!here) return *this;
      if (!parent && (name == "apiVersion" || name == "kind")) return {};
      return {here->Member(name), here};
    }
    Forgiven Entry(size_t index) const {
      if (!here) return *this;
      return {here->Entry(index), here};
    }
  };

  void Value(const Node& node, const Json& value, const Json* before, const Forgiven& forgiven,
             const std::string& path) {
    if (value.IsNull() || stopped_) return;
    Rules(node, value, before, forgiven, path);
    if (stopped_) return;
    if (value.IsArray() && node.items != nullptr) {
      for (size_t i = 0; i < value.size() && !stopped_; ++i) {
        const Json& entry = value.AsArray()[i];
        const Json* old = before != nullptr ? FindByKeys(*before, entry, *node.schema) : nullptr;
        Value(*node.items, entry, old, forgiven.Entry(i), IndexPath(path, i));
      }
    }
    if (!value.IsObject()) return;
    for (const Json::Member& member : value.AsObject()) {
      if (stopped_) return;
      const Json* old = before != nullptr ? before->Find(member.key) : nullptr;
      if (node.additional != nullptr) {
        Value(*node.additional, member.value, old, forgiven.Member(member.key),
              KeyPath(path, member.key));
      }
      const auto property = node.properties.find(member.key);
      if (property != node.properties.end()) {
        Value(*property->second, member.value, old, forgiven.Member(member.key),
              ChildPath(path, member.key));
      }
    }
  }

  RuleSet::Outcome Take() { return std::move(outcome_); }

 private:
  static std::string Place(const std::string& path) { return path.empty() ? "<nil>" : path; }

  void Add(FieldError error) { outcome_.errors.push_back(std::move(error)); }

  void Rules(const Node& node, const Json& value, const Json* before, const Forgiven& forgiven,
             const std::string& path) {
    if (node.rules.empty()) return;
    cel::Environment environment;
    environment.AddVariable("self", node.self);
    environment.AddVariable("oldSelf", node.self);
    const cel::Value self = cel::ReadAs(JsonValue(value), node.self.get());
    cel::Activation plain(environment), optional(environment);
    plain.Set(0, self);
    optional.Set(0, self);
    optional.Set(1, cel::Value::None());
    if (before != nullptr && !before->IsNull()) {
      const cel::Value old = cel::ReadAs(JsonValue(*before), node.self.get());
      plain.Set(1, old);
      optional.Set(1, cel::Value::Some(old));
    }
    const Json type(node.schema->type);
    for (size_t i = 0; i < node.rules.size() && !stopped_; ++i) {
      const CompiledRule& compiled = node.rules[i];
      const Rule& rule = node.schema->rules[i];
      if (!compiled.program) {
        Add(Invalid(Place(path), type, "rule compile error: " + compiled.error));
        continue;
      }
      const bool takes_none = rule.optional_old_self.value_or(false);
      const bool old = before != nullptr && !before->IsNull();
      if (compiled.uses_old_self && !old && !takes_none) continue;
      const auto result = compiled.program->Evaluate(takes_none ? optional : plain, &budget_);
      if (!result.ok()) {
        Failed(result.error(), rule, type, path);
        continue;
      }
      if (!result->IsTrue()) Broken(node, i, value, plain, forgiven, path);
    }
  }

  void Failed(const base::Error& error, const Rule& rule, const Json& type,
              const std::string& path) {
    if (error.code == base::Code::kTooLarge) {
      stopped_ = true;
      if (budget_.remaining == 0) {
        Add(Invalid(Place(path), type,
                    "validation failed due to running out of cost budget, no further validation "
                    "rules will be run"));
        return;
      }
      Add(Invalid(Place(path), type,
                  fmt::format("'{}': no further validation rules will be run due to call cost "
                              "exceeds limit for rule: {}",
                              error.message, RuleText(rule))));
      return;
    }
    if (error.message.rfind("no such overload", 0) == 0) {
      Add(Invalid(Place(path), type,
                  fmt::format("'{}': call arguments did not match a supported operator, function "
                              "or macro signature for rule: {}",
                              error.message, RuleText(rule))));
      return;
    }
    Add(Invalid(Place(path), type,
                fmt::format("{} evaluating rule: {}", error.message, RuleText(rule))));
  }

  void Broken(const Node& node, size_t i, const Json& value, const cel::Activation& activation,
              const Forgiven& forgiven, const std::string& path) {
    const CompiledRule& compiled = node.rules[i];
    const Rule& rule = node.schema->rules[i];
    std::string detail;
    if (compiled.message) detail = Message(*compiled.message, activation);
    if (detail.empty()) {
      detail = rule.message.empty() ? "failed rule: " + RuleText(rule) : Trimmed(rule.message);
    }
    const std::string& below = node.paths[i];
    std::string at = below.empty() ? path : ChildPath(path, below);
    FieldError error = ErrorFor(rule, Place(at), *node.schema, value, detail);
    if (!compiled.uses_old_self && forgiven.Forgives()) {
      outcome_.warnings.push_back(error.field + ": " + error.message);
    } else {
      Add(std::move(error));
    }
  }

  // "" if the expression says nothing that can be shown.
  std::string Message(const cel::Program& program, const cel::Activation& activation) {
    const auto text = program.Evaluate(activation, &budget_);
    if (!text.ok() || !text->is(cel::Value::Kind::kString)) return "";
    std::string message = Trimmed(text->AsText());
    if (message.size() > kLongestMessage || message.find('\n') != std::string::npos) return "";
    return message;
  }

  cel::CostBudget budget_;
  bool stopped_ = false;
  RuleSet::Outcome outcome_;
};

RuleSet::Outcome RuleSet::Check(const Json& value, const Json* before,
                                const Correlation* correlation, const std::string& path) const {
  Evaluation evaluation;
  Evaluation::Forgiven forgiven;
  if (correlation != nullptr) forgiven.here = *correlation;
  evaluation.Value(*root_, value, before, forgiven, path);
  return evaluation.Take();
}

}  // namespace kueue::api::structural
