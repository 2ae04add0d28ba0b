#include "api/match/policy_annotations.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

TEST(PolicyAnnotations, AbsentOnesAreOff) {
  EXPECT_EQ(ReadQueuePolicies({{"other", "1h"}}), QueuePolicies());
  EXPECT_EQ(ReadWallTimeBudget({}), WallTimeBudget());
  EXPECT_EQ(ReadWallTimeBudget({{names::kWallTimePeriod, "1h"}}), WallTimeBudget());
}

TEST(PolicyAnnotations, AreDurationsAsGoWritesThem) {
  const QueuePolicies policies = ReadQueuePolicies({{names::kPriorityAgingInterval, "10m"},
                                                    {names::kPriorityAgingLimit, "7"},
                                                    {names::kMinimumRunTime, "1h30m"},
                                                    {names::kPreemptionDamping, "5m"},
                                                    {names::kBackfillRunTime, "2h"}});
  EXPECT_EQ(policies.aging_interval, base::minutes(10));
  EXPECT_EQ(policies.aging_limit, 7);
  EXPECT_EQ(policies.minimum_run, base::minutes(90));
  EXPECT_EQ(policies.damping, base::minutes(5));
  EXPECT_EQ(policies.backfill, base::hours(2));
  const WallTimeBudget budget = ReadWallTimeBudget({{names::kWallTimeBudget, "10h"}});
  EXPECT_EQ(budget.budget, base::hours(10));
  EXPECT_EQ(budget.period, base::hours(24));
}

TEST(PolicyAnnotations, DeletedRunsComeBackAsTheyWereWritten) {
  const DeletedRuns runs{*base::ParseTime("2026-03-01T00:00:00Z"), base::minutes(90)};
  EXPECT_EQ(DeletedRunsText(runs), "2026-03-01T00:00:00Z 1h30m0s");
  EXPECT_EQ(ReadDeletedRuns({{names::kWallTimeDeleted, DeletedRunsText(runs)}}), runs);
  for (const char* text : {"", "1h", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z soon",
                           "2026-03-01T00:00:00Z -1h", "yesterday 1h"}) {
    EXPECT_EQ(ReadDeletedRuns({{names::kWallTimeDeleted, text}}), DeletedRuns()) << text;
  }
}

// What cannot be read is refused where it is written, and off where it got in all the same.
TEST(PolicyAnnotations, WhatCannotBeReadIsRefusedAndOff) {
  for (const char* text : {"", "5", "soon", "-1h", "0s", "10000h", "500ms"}) {
    const StringMap annotations{{names::kMinimumRunTime, text}};
    const auto errors = CheckPolicyAnnotations(annotations);
    ASSERT_EQ(errors.size(), 1u) << text;
    EXPECT_EQ(errors[0].field, "metadata.annotations[kueue-cpp.dev/minimum-run-time]");
    EXPECT_EQ(ReadQueuePolicies(annotations), QueuePolicies()) << text;
  }
  for (const char* text : {"", "0", "-1", "1.5", "1000001", "many"}) {
    EXPECT_EQ(CheckPolicyAnnotations({{names::kPriorityAgingLimit, text}}).size(), 1u) << text;
  }
  EXPECT_TRUE(CheckPolicyAnnotations({{names::kPriorityAgingLimit, "5"},
                                      {names::kWallTimeBudget, "100h"},
                                      {"kueue-cpp.dev/other", "?"}})
                  .empty());
}

}  // namespace
}  // namespace kueue::api
