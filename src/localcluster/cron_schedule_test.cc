#include "localcluster/cron_schedule.h"

#include <gtest/gtest.h>

namespace kueue::localcluster {
namespace {

// The first time after 2026-01-01 (a Thursday) 00:00:30 at which the schedule comes.
std::string After(const char* schedule, const char* time = "2026-01-01T00:00:30Z") {
  const auto parsed = CronSchedule::Parse(schedule);
  if (!parsed) return "not a schedule";
  const auto next = parsed->After(*base::ParseTime(time));
  return next ? base::FormatTime(*next) : "never";
}

TEST(CronSchedule, FollowsItsFields) {
  EXPECT_EQ(After("* * * * *"), "2026-01-01T00:01:00Z");
  EXPECT_EQ(After("*/15 * * * *"), "2026-01-01T00:15:00Z");
  EXPECT_EQ(After("5,10-12 3 * * *"), "2026-01-01T03:05:00Z");
  EXPECT_EQ(After("0 0 * * MON-wed"), "2026-01-05T00:00:00Z");
  EXPECT_EQ(After("0 12 1 feb *"), "2026-02-01T12:00:00Z");
  EXPECT_EQ(After("0 0 29 2 *"), "2028-02-29T00:00:00Z");
  EXPECT_EQ(After("50/5 * * * *"), "2026-01-01T00:50:00Z");
}

TEST(CronSchedule, TwoRestrictionsOfTheDayAreAlternatives) {
  EXPECT_EQ(After("0 0 13 * fri"), "2026-01-02T00:00:00Z");
  EXPECT_EQ(After("0 0 13 * *"), "2026-01-13T00:00:00Z");
}

TEST(CronSchedule, KnowsNames) {
  EXPECT_EQ(After("@hourly"), "2026-01-01T01:00:00Z");
  EXPECT_EQ(After("@weekly"), "2026-01-04T00:00:00Z");
  EXPECT_EQ(After("@every 1m30s"), "2026-01-01T00:02:00Z");
}

TEST(CronSchedule, RefusesWhatMakesNoSense) {
  for (const char* text : {"", "* * * *", "60 * * * *", "* * 0 * *", "5-3 * * * *", "*/0 * * * *",
                           "a b c d e", "@sometimes", "@every 1"}) {
    EXPECT_EQ(After(text), "not a schedule") << text;
  }
  EXPECT_EQ(After("0 0 30 2 *"), "never");
}

}  // namespace
}  // namespace kueue::localcluster
