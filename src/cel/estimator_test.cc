#include <gtest/gtest.h>

#include <limits>

#include "cel/program.h"

namespace kueue::cel {
namespace {

uint64_t Estimate(const char* text, const TypeRef& self, const SizeBound& bound) {
  Environment environment;
  environment.AddVariable("self", self);
  const auto program = Compile(text, environment);
  EXPECT_TRUE(program.ok()) << text;
  return program.ok() ? program->EstimateCost({&bound}) : 0;
}

SizeBound ListOf(uint64_t most, uint64_t element) {
  SizeBound inner, list;
  inner.most = element;
  list.most = most;
  list.elements = std::make_shared<SizeBound>(inner);
  return list;
}

const TypeRef kTexts = Type::List(Type::Simple(Type::Kind::kString));

TEST(Estimator, CountsEveryStepOfALoop) {
  // The range, ten times three for the loop and three for x == '', and the result.
  EXPECT_EQ(Estimate("self.all(x, x == '')", kTexts, ListOf(10, 10)), 1u + 10 * (3 + 1) + 1);
}

TEST(Estimator, MultipliesLoopsWithinLoops) {
  const uint64_t one = Estimate("self.all(x, x == 'a')", kTexts, ListOf(100, 10));
  const uint64_t two = Estimate("self.all(x, self.all(y, x == y))", kTexts, ListOf(100, 10));
  EXPECT_GT(two, 50 * one);
}

TEST(Estimator, TextsOfAnySizeCostWithoutBound) {
  EXPECT_EQ(Estimate("string(self) + 'a' != ''", Type::Simple(Type::Kind::kInt), SizeBound()) >
                1'000'000'000,
            true);
}

TEST(Estimator, Saturates) {
  const auto most = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(Estimate("self.all(x, self.all(y, x == y))", kTexts, ListOf(most / 2, most / 2)), most);
}

}  // namespace
}  // namespace kueue::cel
