#include "resources/amount.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kueue::resources {
namespace {

const Amount kUnlimited = Amount::Unlimited();
const Amount kLowest = Amount(INT64_MIN);

TEST(Amount, AddsBoundedNumbers) {
  EXPECT_EQ(Amount(2) + Amount(3), Amount(5));
  EXPECT_EQ(Amount(2) - Amount(3), Amount(-1));
}

TEST(Amount, UnlimitedStaysUnlimited) {
  EXPECT_EQ(kUnlimited + Amount(1), kUnlimited);
  EXPECT_EQ(Amount(1) + kUnlimited, kUnlimited);
  EXPECT_EQ(kUnlimited + Amount(-5), kUnlimited);
  EXPECT_EQ(kUnlimited - Amount(5), kUnlimited);
  EXPECT_EQ(kUnlimited + kLowest, kUnlimited);
  EXPECT_EQ(kUnlimited + kUnlimited, kUnlimited);
}

TEST(Amount, TakingUnlimitedAwayGivesTheLowest) {
  EXPECT_EQ(Amount(7) - kUnlimited, kLowest);
  EXPECT_EQ(Amount(-7) - kUnlimited, kLowest);
}

TEST(Amount, UnlimitedLessUnlimitedIsZero) { EXPECT_EQ(kUnlimited - kUnlimited, Amount(0)); }

TEST(Amount, SaturatesUpwardIntoUnlimited) {
  EXPECT_TRUE((Amount(INT64_MAX - 1) + Amount(1)).IsUnlimited());
  EXPECT_TRUE((Amount(INT64_MAX - 1) - kLowest).IsUnlimited());
}

TEST(Amount, SaturatesDownward) {
  EXPECT_EQ(kLowest + Amount(-1), kLowest);
  EXPECT_EQ(kLowest - Amount(1), kLowest);
}

TEST(Amount, ComparesUnlimitedAsTheGreatest) {
  EXPECT_LT(Amount(INT64_MAX - 1), kUnlimited);
  EXPECT_EQ(std::min(Amount(4), kUnlimited), Amount(4));
  EXPECT_EQ(std::max(Amount(4), kUnlimited), kUnlimited);
}

TEST(Amount, CompoundOperatorsFollowTheSameRules) {
  Amount amount(4);
  amount += Amount(3);
  amount -= Amount(1);
  EXPECT_EQ(amount, Amount(6));
  amount -= kUnlimited;
  EXPECT_EQ(amount, kLowest);
}

TEST(Amount, TextNamesUnlimited) {
  EXPECT_EQ(Amount(-12).ToString(), "-12");
  EXPECT_EQ(kUnlimited.ToString(), "<unlimited>");
}

TEST(SaturatingArithmetic, EndsAtTheExtremeOfTheRightSign) {
  EXPECT_EQ(SaturatingAdd(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(SaturatingAdd(INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(SaturatingSub(INT64_MIN, 1), INT64_MIN);
  EXPECT_EQ(SaturatingSub(0, INT64_MIN), INT64_MAX);
  EXPECT_EQ(SaturatingMul(INT64_MAX, 2), INT64_MAX);
  EXPECT_EQ(SaturatingMul(INT64_MAX, -2), INT64_MIN);
  EXPECT_EQ(SaturatingMul(-1, INT64_MIN), INT64_MAX);
  EXPECT_EQ(SaturatingMul(INT64_MIN, 0), 0);
  EXPECT_EQ(SaturatingMul(-3, 4), -12);
}

}  // namespace
}  // namespace kueue::resources
