#include "scheduling/fairness/usage_ledger.h"

#include <gtest/gtest.h>

namespace kueue::scheduling {
namespace {

using base::seconds;
using resources::Quantity;

api::ResourceList Cpu(const std::string& text) { return {{"cpu", *Quantity::Parse(text)}}; }

class UsageLedgerTest : public testing::Test {
 protected:
  static AdmissionFairSharing Config() {
    AdmissionFairSharing config;
    config.half_life = seconds(60);
    config.sampling_interval = seconds(30);
    return config;
  }
  std::string Consumed() const { return ledger_.Find("ns/a")->consumed.at("cpu").ToString(); }

  UsageLedger ledger_{Config()};
  base::Time now_{seconds(1000)};
};

TEST(Scaled, CutsTheExactProductTowardZero) {
  // 1 - 0.5^(1/2) in the shortest digits that give the double back.
  EXPECT_EQ(Scaled(Cpu("1"), 0.2928932188134524).at("cpu").ToString(), "292893218n");
  EXPECT_EQ(Scaled(Cpu("3n"), 0.5).at("cpu").ToString(), "1n");
  EXPECT_EQ(Scaled(Cpu("-3n"), 0.5).at("cpu").ToString(), "-1n");
  EXPECT_EQ(
      Scaled({{"memory", *Quantity::Parse("9223372036854775807")}}, 1).at("memory").ToString(),
      "9223372036854775807");
}

TEST_F(UsageLedgerTest, UseFadesByHalfInAHalfLife) {
  ledger_.Sample("ns/a", Cpu("8"), {}, now_);
  ledger_.Sample("ns/a", {}, {}, now_ + seconds(60));
  EXPECT_EQ(Consumed(), "4");
}

TEST_F(UsageLedgerTest, WhatIsUsedNowIsTakenInAsTheRestFades) {
  ledger_.Sample("ns/a", Cpu("8"), Cpu("2"), now_);
  ledger_.Sample("ns/a", {}, Cpu("2"), now_ + seconds(60));
  EXPECT_EQ(Consumed(), "5");
}

TEST_F(UsageLedgerTest, NothingFadesBeforeTheIntervalIsOver) {
  ledger_.Sample("ns/a", Cpu("8"), {}, now_);
  const auto next = ledger_.Sample("ns/a", {}, {}, now_ + seconds(20));
  EXPECT_EQ(Consumed(), "8");
  EXPECT_EQ(next, seconds(10));
}

TEST_F(UsageLedgerTest, AnOpenPenaltyIsSampledAtOnce) {
  ledger_.Sample("ns/a", Cpu("8"), {}, now_);
  ledger_.Charge("ns/a", "ns/w", Cpu("1"), now_);
  ledger_.Sample("ns/a", {}, {}, now_ + seconds(15));
  EXPECT_LT(ledger_.Find("ns/a")->consumed.at("cpu"), *Quantity::Parse("8"));
}

TEST_F(UsageLedgerTest, APenaltyCountsUntilItIsSettledAndThenIsHistory) {
  ledger_.Sample("ns/a", {}, Cpu("0"), now_);
  ledger_.Charge("ns/a", "ns/w", Cpu("1"), now_);
  const double charged = ledger_.UsageOf("ns/a", 1);
  EXPECT_NEAR(charged, 0.292893218, 1e-9);
  ledger_.Settle("ns/a", "ns/w", Cpu("1"), now_);
  EXPECT_EQ(ledger_.UsageOf("ns/a", 1), charged);
  EXPECT_FALSE(ledger_.Find("ns/a")->HasPending());
  ledger_.Settle("ns/a", "ns/w", Cpu("1"), now_);
  EXPECT_EQ(ledger_.UsageOf("ns/a", 1), charged) << "settled once";
}

TEST_F(UsageLedgerTest, ASecondChargeReplacesTheFirst) {
  ledger_.Charge("ns/a", "ns/w", Cpu("1"), now_);
  ledger_.Charge("ns/a", "ns/w", Cpu("2"), now_);
  EXPECT_NEAR(ledger_.UsageOf("ns/a", 1), 2 * 0.292893218, 1e-8);
  EXPECT_TRUE(ledger_.Refund("ns/a", "ns/w"));
  EXPECT_EQ(ledger_.UsageOf("ns/a", 1), 0);
  EXPECT_FALSE(ledger_.Refund("ns/a", "ns/w"));
}

TEST_F(UsageLedgerTest, WhatWasPersistedIsAddedOnce) {
  ledger_.Charge("ns/a", "ns/w", Cpu("1"), now_);
  ledger_.Settle("ns/a", "ns/w", {}, now_);
  ledger_.Sample("ns/a", Cpu("4"), {}, now_);
  ledger_.Sample("ns/a", Cpu("4"), {}, now_);
  EXPECT_EQ(Consumed(), "4292893218n");
}

TEST_F(UsageLedgerTest, WeightDividesAndNoWeightComesLast) {
  ledger_.Sample("ns/a", Cpu("8"), {}, now_);
  EXPECT_EQ(ledger_.UsageOf("ns/a", 2), 4);
  EXPECT_EQ(ledger_.UsageOf("ns/a", 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ledger_.UsageOf("ns/b", 0), std::numeric_limits<double>::infinity()) << "also unused";
}

// Otherwise a quiet queue would have to be sampled for ever, only to move a time.
TEST_F(UsageLedgerTest, AHistoryThatDoesNotChangeRestsAndItsClockGoesOn) {
  EXPECT_EQ(ledger_.Sample("ns/a", {}, Cpu("0"), now_), std::nullopt);
  ledger_.Settle("ns/a", "ns/w", Cpu("8"), now_ + seconds(3630));
  EXPECT_EQ(Consumed(), "0") << "the workload runs since this moment only";
}

TEST_F(UsageLedgerTest, WithoutAHalfLifeThereIsNoPast) {
  UsageLedger ledger{AdmissionFairSharing{}};
  ledger.Sample("ns/a", Cpu("4"), Cpu("4"), now_);
  ledger.Charge("ns/a", "ns/w", Cpu("1"), now_);
  EXPECT_EQ(ledger.UsageOf("ns/a", 1), 0);
}

TEST_F(UsageLedgerTest, AClockThatGoesBackChangesNothing) {
  ledger_.Sample("ns/a", Cpu("8"), Cpu("0"), now_);
  ledger_.Charge("ns/a", "ns/w", Cpu("1"), now_);
  ledger_.Sample("ns/a", {}, Cpu("0"), now_ - seconds(60));
  EXPECT_EQ(Consumed(), "8");
  EXPECT_EQ(ledger_.Find("ns/a")->last_update, now_);
}

}  // namespace
}  // namespace kueue::scheduling
