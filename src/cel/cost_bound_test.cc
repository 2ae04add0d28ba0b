// Nobody's expression may take longer than its cost allows: the cost counter decides, whatever the
// expression looks like.
#include <gtest/gtest.h>

#include <random>

#include "cel/program.h"

namespace kueue::cel {
namespace {

// Random loops over lists: nested up to `depth`, ending in comparisons.
class Expressions {
 public:
  // Whether lists.range may come up, whose size no estimate knows.
  Expressions(uint32_t seed, bool ranges) : random_(seed), ranges_(ranges) {}

  std::string Make() { return Condition(3); }

 private:
  uint32_t Pick(uint32_t n) { return static_cast<uint32_t>(random_()) % n; }

  std::string List(int depth) {
    switch (Pick(depth > 0 ? 5 : 3)) {
      case 0:
        return "[1, 2, 3, 4, 5]";
      case 1:
        return "self";
      case 2:
        return ranges_ ? "lists.range(" + std::to_string(Pick(40)) + ")" : "[0, 9]";
      case 3:
        return Loop(List(depth - 1), "map", Number(depth - 1));
      default:
        return Loop(List(depth - 1), "filter", Condition(depth - 1));
    }
  }

  std::string Number(int depth) {
    switch (Pick(depth > 0 ? 4 : 2)) {
      case 0:
        return std::to_string(Pick(9));
      case 1:
        return "7";
      case 2:
        return "(" + Number(depth - 1) + " + " + Number(depth - 1) + ")";
      default:
        return "size(" + List(depth - 1) + ")";
    }
  }

  std::string Condition(int depth) {
    switch (Pick(depth > 0 ? 5 : 1)) {
      case 0:
        return Number(depth - 1) + " <= " + Number(depth - 1);
      case 1:
        return Loop(List(depth - 1), "all", Condition(depth - 1));
      case 2:
        return Loop(List(depth - 1), "exists_one", Condition(depth - 1));
      case 3:
        return "(" + Condition(depth - 1) + " || " + Condition(depth - 1) + ")";
      default:
        return List(depth - 1) + " == " + List(depth - 1);
    }
  }

  std::string Loop(const std::string& range, const std::string& macro, const std::string& body) {
    const std::string name = "v" + std::to_string(fresh_++);
    const char* otherwise = macro == "map" ? "0" : "false";
    return range + "." + macro + "(" + name + ", " + name + " >= 0 ? " + body + " : " + otherwise +
           ")";
  }

  std::minstd_rand random_;
  const bool ranges_;
  uint32_t fresh_ = 0;
};

class CostBound : public testing::Test {
 protected:
  CostBound() { environment_.AddVariable("self", Type::List(Type::Simple(Type::Kind::kInt))); }

  base::Result<Value> Evaluate(const Program& program, uint64_t budget, uint64_t* cost) const {
    std::vector<Value> numbers;
    for (int64_t i = 0; i < 30; ++i) numbers.push_back(Value::Int(i));
    Activation activation(environment_);
    activation.Set(0, Value::List(std::move(numbers)));
    CostBudget left{budget};
    return program.Evaluate(activation, &left, cost);
  }

  Environment environment_;
};

// A step charges at most what it looks at: nothing here is larger than some 40 entries.
constexpr uint64_t kLargestStep = 200;

TEST_F(CostBound, EvaluationEndsWhereTheBudgetEnds) {
  int stopped = 0, whole = 0;
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    const std::string text = Expressions(seed, true).Make();
    const auto program = Compile(text, environment_);
    ASSERT_TRUE(program.ok()) << text << program.error().message;
    uint64_t full = 0;
    const auto free = Evaluate(*program, kObjectCostBudget, &full);
    if (!free.ok()) {
      EXPECT_EQ(free.error().code, base::Code::kTooLarge) << text;
      EXPECT_LE(full, kCallCostLimit + kLargestStep) << text;
      continue;
    }
    ASSERT_LE(full, kCallCostLimit) << text;
    uint64_t cost = 0;
    EXPECT_TRUE(Evaluate(*program, full, &cost).ok()) << text;
    EXPECT_EQ(cost, full) << text;
    ++whole;
    for (const uint64_t part : {full / 7, full / 2, full - full / 10}) {
      if (part + kLargestStep >= full) continue;
      EXPECT_FALSE(Evaluate(*program, part, &cost).ok()) << text << " with " << part;
      EXPECT_LE(cost, part + kLargestStep) << text;
      ++stopped;
    }
  }
  EXPECT_GT(whole, 200);
  EXPECT_GT(stopped, 50);
}

// No evaluation costs more than was estimated from the sizes, so a definition that is let in by the
// estimate never exceeds it.
TEST_F(CostBound, NoEvaluationCostsMoreThanWasEstimated) {
  SizeBound bound;
  bound.most = 30;
  bound.elements = std::make_shared<SizeBound>();
  int compared = 0;
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    const std::string text = Expressions(seed, false).Make();
    const auto program = Compile(text, environment_);
    ASSERT_TRUE(program.ok()) << text;
    uint64_t cost = 0;
    if (!Evaluate(*program, kObjectCostBudget, &cost).ok()) continue;
    EXPECT_LE(cost, program->EstimateCost({&bound})) << text;
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

// Kubernetes' limit of one evaluation, to the digit in what it lets pass and refuses.
TEST_F(CostBound, OneEvaluationMayCostAMillion) {
  const auto refused =
      Compile("lists.range(1000).map(x, lists.range(1000).map(y, y)).size() > 0", environment_);
  ASSERT_TRUE(refused.ok());
  uint64_t cost = 0;
  const auto value = Evaluate(*refused, kObjectCostBudget, &cost);
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().code, base::Code::kTooLarge);
  EXPECT_LE(cost, kCallCostLimit + 1000 * kLargestStep);
  EXPECT_GE(cost, kCallCostLimit);
}

}  // namespace
}  // namespace kueue::cel
