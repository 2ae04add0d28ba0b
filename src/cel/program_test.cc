#include "cel/program.h"

#include <gtest/gtest.h>

#include <string>

#include "cel/test_bench.h"

namespace kueue::cel {
namespace {

std::string Repeat(std::string_view text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Program, MessagesShowThePlace) {
  const Bench bench;
  EXPECT_EQ(bench.Run("self.name == 'é' &&\n  self.nope").text,
            "? ERROR: <input>:2:7: undefined field 'nope'\n |   self.nope\n | ......^");
  EXPECT_EQ(bench.Run("'é' + 1").text,
            "? ERROR: <input>:1:5: found no matching overload for '_+_' applied to "
            "'(string, int)'\n | 'é' + 1\n | ....^");
}

TEST(Program, AllMistakesAreReported) {
  const Bench bench;
  const std::string text = bench.Run("self.nope && self.labels + 1").text;
  EXPECT_NE(text.find("undefined field 'nope'"), std::string::npos);
  EXPECT_NE(text.find("'_+_' applied to '(map(string, string), int)'"), std::string::npos);
}

// Kubernetes' limits; beyond them nothing is parsed, so that no text can use up the stack.
TEST(Program, SizeAndNestingAreLimited) {
  const Bench bench;
  EXPECT_EQ(bench.Run("\"" + std::string(100'000, 'x') + "\"").text,
            "? ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100002, "
            "limit 100000");
  for (const char* open : {"(", "[", "{1:", "!(", "-(", "size(", "[1].map(x,", "self.a["})
    EXPECT_EQ(bench.Run(Repeat(open, 90'000 / std::string(open).size())).text.substr(0, 2), "? ")
        << open;
  EXPECT_NE(bench.Run(Repeat("1+", 5000) + "1").text.find("max recursion depth exceeded"),
            std::string::npos);
  EXPECT_NE(bench.Run("self" + Repeat(".a", 5000)).text.find("max recursion depth exceeded"),
            std::string::npos);
  EXPECT_EQ(bench.Run(Repeat("!", 90'000) + "true").text, "true");
  EXPECT_EQ(bench.Run(Repeat("true && ", 9'000) + "true").text, "true");
}

TEST(Program, OneEvaluationMayCostAMillion) {
  const Bench bench;
  const auto program =
      Compile("lists.range(1000).map(x, lists.range(1000).map(y, y))", bench.environment());
  ASSERT_TRUE(program.ok());
  CostBudget budget;
  const auto value = program->Evaluate(bench.activation(), &budget);
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().code, base::Code::kTooLarge);
  EXPECT_EQ(value.error().message, "operation cancelled: actual cost limit exceeded");
  EXPECT_LT(budget.remaining, kObjectCostBudget - kCallCostLimit + 1);
}

// An error that && or || would swallow must not swallow the limit.
TEST(Program, TheLimitIsNotAbsorbed) {
  const Bench bench;
  const auto outcome =
      bench.Run("lists.range(1000).all(x, lists.range(1000).all(y, y >= 0)) || true");
  EXPECT_EQ(outcome.text, "! operation cancelled: actual cost limit exceeded");
}

TEST(Program, EvaluationsShareABudget) {
  const Bench bench;
  const auto program = Compile("self.ports.all(p, p > 0)", bench.environment());
  ASSERT_TRUE(program.ok());
  CostBudget budget{30};
  uint64_t cost = 0;
  EXPECT_TRUE(program->Evaluate(bench.activation(), &budget, &cost).ok());
  EXPECT_EQ(budget.remaining, 30 - cost);
  EXPECT_TRUE(program->Evaluate(bench.activation(), &budget).ok());
  const auto last = program->Evaluate(bench.activation(), &budget);
  ASSERT_FALSE(last.ok());
  EXPECT_EQ(last.error().code, base::Code::kTooLarge);
}

// Kubernetes' cost takes comparing and joining for nearly free; values that share their parts
// would make either exponential.
TEST(Program, SharedPartsDoNotExplode) {
  const Bench bench;
  std::string deep;
  std::string names;
  for (int i = 0; i < 60; ++i) {
    const std::string name = "v" + std::to_string(i);
    const std::string from = i == 0 ? "1" : "v" + std::to_string(i - 1);
    deep += "[[" + from + ", " + from + "]].map(" + name + ", ";
    names += ")";
  }
  const std::string value = deep + "v59 == v59" + names;
  EXPECT_FALSE(bench.Run(value).text.empty());
  const std::string two = deep + "[v59] == [v59.map(x, x)]" + names;
  EXPECT_FALSE(bench.Run(two).text.empty());
}

TEST(Program, AVariableThatIsNotSetIsAnErrorWhenRead) {
  Environment environment;
  environment.AddVariable("self", Type::Dyn());
  const auto program = Compile("true || self", environment);
  ASSERT_TRUE(program.ok()) << program.error().message;
  CostBudget budget;
  EXPECT_TRUE(program->Evaluate(Activation(environment), &budget).ok());
  const auto reads = Compile("self.x == 1", environment);
  ASSERT_TRUE(reads.ok());
  const auto value = reads->Evaluate(Activation(environment), &budget);
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().code, base::Code::kInvalid);
  EXPECT_EQ(value.error().message, "no such attribute(s): self");
}

TEST(Program, TheResultHasAStaticType) {
  const Bench bench;
  const auto type = [&](std::string_view text) {
    const auto program = Compile(text, bench.environment());
    return program.ok() ? program->result_type().ToString() : program.error().message;
  };
  EXPECT_EQ(type("self.replicas > 1"), "bool");
  EXPECT_EQ(type("'x' + self.name"), "string");
  EXPECT_EQ(type("object.x"), "dyn");
  EXPECT_EQ(type("self.items.map(i, i.value)"), "list(int)");
  EXPECT_EQ(type("[]"), "list(dyn)");
  EXPECT_EQ(type("self.?name"), "optional_type(string)");
}

TEST(Program, ABindingIsEvaluatedOnceAndLate) {
  const Bench bench({.bindings = true});
  EXPECT_EQ(bench.Run("cel.bind(x, [1].map(a, a), [5].map(b, x[0] + b))").text, "[6]");
  EXPECT_EQ(bench.Run("[1, 2].map(a, cel.bind(x, a * 10, x + x))").text, "[20, 40]");
  EXPECT_EQ(bench.Run("cel.bind(x, 1 / 0, x == 1)").text, "! division by zero");
}

TEST(Program, HostTextThatCannotBeReadIsAnError) {
  const TestTree tree(R"({"when":"yesterday","blob":"@"})");
  Environment environment;
  const auto type = Type::Object("Self", {{"when", Type::Simple(Type::Kind::kTimestamp)},
                                          {"blob", Type::Simple(Type::Kind::kBytes)}});
  const size_t self = environment.AddVariable("self", type);
  Activation activation(environment);
  activation.Set(self, tree.Root());
  CostBudget budget;
  for (const char* text : {"self.when == self.when", "size(self.blob) == 1"}) {
    const auto program = Compile(text, environment);
    ASSERT_TRUE(program.ok());
    EXPECT_FALSE(program->Evaluate(activation, &budget).ok()) << text;
  }
}

// https://kubernetes.io/docs/reference/using-api/cel/#escaping
TEST(EscapeIdentifier, FollowsKubernetes) {
  EXPECT_EQ(EscapeIdentifier("name"), "name");
  EXPECT_EQ(EscapeIdentifier("a.b"), "a__dot__b");
  EXPECT_EQ(EscapeIdentifier("x-prop"), "x__dash__prop");
  EXPECT_EQ(EscapeIdentifier("a/b"), "a__slash__b");
  EXPECT_EQ(EscapeIdentifier("redact__d"), "redact__underscores__d");
  EXPECT_EQ(EscapeIdentifier("namespace"), "__namespace__");
  EXPECT_EQ(EscapeIdentifier("1x"), "");
  EXPECT_EQ(EscapeIdentifier("a b"), "");
  EXPECT_EQ(EscapeIdentifier(""), "");
}

}  // namespace
}  // namespace kueue::cel
