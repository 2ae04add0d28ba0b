#include "simulation/day.h"

#include <gtest/gtest.h>

#include "api/match/policy_annotations.h"

namespace kueue::simulation {
namespace {

// The best test of the architecture: nothing in the product reads a real clock, starts a thread or
// blocks, or this would not end, or not end the same.
TEST(Day, ThousandJobsInVirtualTimeTwiceToTheSameDigest) {
  const DayOptions options;
  const DayReport first = RunDay(options);
  EXPECT_EQ(first.created, options.jobs);
  EXPECT_EQ(first.finished, options.jobs);
  EXPECT_EQ(first.failed, 0);
  EXPECT_EQ(first.over_quota, 0);
  EXPECT_GT(first.evictions, 0) << "the day is meant to have preemption in it";
  const DayReport second = RunDay(options);
  EXPECT_EQ(first.digest, second.digest);
  EXPECT_EQ(first.tasks, second.tasks);
}

// Policies beyond the reference, each on for a short day of its own: everything that was submitted
// runs, and nobody gets more than there is.
DayReport DayWith(const api::StringMap& queue, const api::StringMap& local_queue = {}) {
  DayOptions options;
  options.jobs = 150;
  options.length = base::hours(4);
  options.queue_annotations = queue;
  options.local_queue_annotations = local_queue;
  const DayReport report = RunDay(options);
  EXPECT_EQ(report.created, options.jobs);
  EXPECT_EQ(report.finished, options.jobs);
  EXPECT_EQ(report.failed, 0);
  EXPECT_EQ(report.over_quota, 0);
  return report;
}

// What the others are compared with. Preempted work has run for seconds only, sometimes.
const DayReport& PlainDay() {
  static const DayReport report = DayWith({});
  return report;
}

TEST(Day, WithPriorityAging) {
  EXPECT_NE(DayWith({{api::names::kPriorityAgingInterval, "1m"}}).digest, PlainDay().digest);
}

TEST(Day, WithAMinimumRunTime) {
  ASSERT_TRUE(PlainDay().shortest_preempted_run);
  ASSERT_LT(*PlainDay().shortest_preempted_run, base::minutes(5));
  const DayReport report = DayWith({{api::names::kMinimumRunTime, "5m"}});
  if (report.shortest_preempted_run) {
    EXPECT_GE(*report.shortest_preempted_run, base::minutes(5));
  }
}

TEST(Day, WithPreemptionDamping) { DayWith({{api::names::kPreemptionDamping, "5m"}}); }

TEST(Day, WithBackfill) {
  EXPECT_NE(DayWith({{api::names::kBackfillRunTime, "10m"}}).digest, PlainDay().digest);
}

TEST(Day, WithWallTimeBudgets) {
  const api::StringMap budget{{api::names::kWallTimeBudget, "2h"},
                              {api::names::kWallTimePeriod, "30m"}};
  EXPECT_NE(DayWith({}, budget).digest, PlainDay().digest);
}

TEST(Day, AnotherSeedIsAnotherDay) {
  DayOptions a, b;
  a.jobs = b.jobs = 20;
  a.length = b.length = base::hours(2);
  b.seed = 2;
  EXPECT_NE(RunDay(a).digest, RunDay(b).digest);
}

}  // namespace
}  // namespace kueue::simulation
