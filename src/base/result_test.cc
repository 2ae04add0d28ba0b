#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace kueue::base {
namespace {

Result<int> Half(int n) {
  if (n % 2 != 0) return Invalid("odd");
  return n / 2;
}

TEST(Result, HoldsAValue) {
  const Result<int> result = Half(4);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(*result, 2);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = Half(3);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Code::kInvalid);
  EXPECT_EQ(result.error().message, "odd");
}

TEST(Result, MovesItsValueOut) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 5);
}

TEST(Result, ChangesInPlace) {
  Result<std::string> result = std::string("a");
  result->push_back('b');
  EXPECT_EQ(result.value(), "ab");
}

TEST(Result, VoidIsSuccessOrError) {
  EXPECT_TRUE(Status().ok());
  const Status failed = NotFound("gone");
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, Code::kNotFound);
}

TEST(ResultDeathTest, LookingAtTheValueOfAFailureTellsTheError) {
  const Result<int> result = Half(3);
  EXPECT_DEATH((void)result.value(), "odd");
}

TEST(ResultDeathTest, LookingForTheErrorOfASuccessEndsTheProcess) {
  const Result<int> result = Half(2);
  EXPECT_DEATH((void)result.error(), "!ok\\(\\)");
  EXPECT_DEATH((void)Status().error(), "!ok\\(\\)");
}

TEST(Error, CodesHaveNames) {
  EXPECT_STREQ(CodeName(Code::kConflict), "Conflict");
  EXPECT_STREQ(CodeName(Code::kInternal), "Internal");
  EXPECT_STREQ(CodeName(Unavailable("x").code), "Unavailable");
}

}  // namespace
}  // namespace kueue::base
