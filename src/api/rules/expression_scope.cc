#include "api/rules/expression_scope.h"

#include <algorithm>
#include <array>

#include "cel/authorizer.h"

namespace kueue::api {
namespace {

using cel::Type;
using cel::TypeRef;
using Fields = std::vector<std::pair<std::string, TypeRef>>;

constexpr char kVariablesType[] = "kubernetes.variables";

TypeRef Text() { return Type::Simple(Type::Kind::kString); }
TypeRef Whole() { return Type::Simple(Type::Kind::kInt); }
TypeRef Moment() { return Type::Simple(Type::Kind::kTimestamp); }

// The fields of an AdmissionRequest that expressions may read.
TypeRef RequestType() {
  static const TypeRef type = [] {
    const TypeRef kind =
        Type::PlainObject("kubernetes.GroupVersionKind",
                          Fields{{"group", Text()}, {"version", Text()}, {"kind", Text()}});
    const TypeRef resource =
        Type::PlainObject("kubernetes.GroupVersionResource",
                          Fields{{"group", Text()}, {"version", Text()}, {"resource", Text()}});
    const TypeRef user = Type::PlainObject(
        "kubernetes.UserInfo", Fields{{"username", Text()},
                                      {"uid", Text()},
                                      {"groups", Type::List(Text())},
                                      {"extra", Type::Map(Text(), Type::List(Text()))}});
    return Type::PlainObject("kubernetes.AdmissionRequest",
                             Fields{{"kind", kind},
                                    {"resource", resource},
                                    {"subResource", Text()},
                                    {"requestKind", kind},
                                    {"requestResource", resource},
                                    {"requestSubResource", Text()},
                                    {"name", Text()},
                                    {"namespace", Text()},
                                    {"operation", Text()},
                                    {"userInfo", user},
                                    {"dryRun", Type::Simple(Type::Kind::kBool)},
                                    {"options", Type::Dyn()}});
  }();
  return type;
}

TypeRef NamespaceType() {
  static const TypeRef type = [] {
    const TypeRef texts = Type::List(Text());
    const TypeRef metadata = Type::PlainObject("kubernetes.NamespaceMetadata",
                                               Fields{{"name", Text()},
                                                      {"generateName", Text()},
                                                      {"namespace", Text()},
                                                      {"labels", Type::Map(Text(), Text())},
                                                      {"annotations", Type::Map(Text(), Text())},
                                                      {"UID", Text()},
                                                      {"creationTimestamp", Moment()},
                                                      {"deletionGracePeriodSeconds", Whole()},
                                                      {"deletionTimestamp", Moment()},
                                                      {"generation", Whole()},
                                                      {"resourceVersion", Text()},
                                                      {"finalizers", texts}});
    const TypeRef condition =
        Type::PlainObject("kubernetes.NamespaceCondition", Fields{{"status", Text()},
                                                                  {"type", Text()},
                                                                  {"lastTransitionTime", Moment()},
                                                                  {"message", Text()},
                                                                  {"reason", Text()}});
    return Type::PlainObject(
        "kubernetes.Namespace",
        Fields{
            {"metadata", metadata},
            {"spec", Type::PlainObject("kubernetes.NamespaceSpec", Fields{{"finalizers", texts}})},
            {"status",
             Type::PlainObject("kubernetes.NamespaceStatus",
                               Fields{{"conditions", Type::List(condition)}, {"phase", Text()}})}});
  }();
  return type;
}

// The check of the result's type. Nothing: it is one that is allowed.
std::string ResultProblem(const Type& type, ExpressionScope::Result wanted) {
  using Kind = Type::Kind;
  using Result = ExpressionScope::Result;
  switch (wanted) {
    case Result::kAny:
      return "";
    case Result::kBool:
      return type.kind() == Kind::kBool ? "" : "must evaluate to bool but got " + type.ToString();
    case Result::kText:
      if (type.kind() == Kind::kString) return "";
      return "must evaluate to string but got " + type.ToString();
    case Result::kTextOrNull:
      if (type.kind() == Kind::kString || type.kind() == Kind::kNull) return "";
      return "must evaluate to one of [string null_type] but got " + type.ToString();
  }
  return "";
}

}  // namespace

ExpressionScope::ExpressionScope(Has has)
    : has_(has), variables_type_(Type::PlainObject(kVariablesType, {})) {}

cel::Environment ExpressionScope::Environment(bool with_authorizer) const {
  // A variable without a name cannot be referred to: the numbers stay the same.
  const auto named = [](bool has, const char* name) { return std::string(has ? name : ""); };
  cel::Environment environment;
  environment.AddVariable("object", Type::Dyn());
  environment.AddVariable("oldObject", Type::Dyn());
  environment.AddVariable("request", RequestType());
  environment.AddVariable(named(has_.namespace_object, "namespaceObject"), NamespaceType());
  environment.AddVariable(named(has_.params, "params"), Type::Dyn());
  environment.AddVariable(named(has_.variables, "variables"), variables_type_);
  environment.AddVariable(named(with_authorizer, "authorizer"), Type::Opaque(cel::kAuthorizerType));
  environment.AddVariable(named(with_authorizer, "authorizer.requestResource"),
                          Type::Opaque(cel::kResourceCheckType));
  return environment;
}

const cel::Environment& ExpressionScope::Slots() {
  static const cel::Environment slots = ExpressionScope(Has{}).Environment(true);
  return slots;
}

base::Result<cel::Program> ExpressionScope::Compile(std::string_view text, Result result,
                                                    bool with_authorizer) const {
  auto program = cel::Compile(text, Environment(with_authorizer));
  if (!program.ok()) return base::Invalid("compilation failed: " + program.error().message);
  std::string problem = ResultProblem(program->result_type(), result);
  if (!problem.empty()) return base::Invalid(std::move(problem));
  return program;
}

base::Result<cel::Program> ExpressionScope::Declare(std::string name, std::string_view text) {
  auto program = Compile(text, Result::kAny, true);
  TypeRef type = Type::Dyn();
  if (program.ok()) type = program->shared_result_type();
  variables_.emplace_back(std::move(name), std::move(type));
  variables_type_ = Type::PlainObject(kVariablesType, variables_);
  return program;
}

bool IsCelIdentifier(std::string_view name) {
  static constexpr std::array<std::string_view, 21> kReserved = {
      "true",     "false",   "null",      "in",       "as",  "break",  "const",
      "continue", "else",    "for",       "function", "if",  "import", "let",
      "loop",     "package", "namespace", "return",   "var", "void",   "while"};
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (name.empty() || !letter(name[0])) return false;
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
  const bool reserved = std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
  return plain && !reserved;
}

}  // namespace kueue::api
