#include "simulation/day.h"

#include <gtest/gtest.h>

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

TEST(Day, AnotherSeedIsAnotherDay) {
  DayOptions a, b;
  a.jobs = b.jobs = 20;
  a.length = b.length = base::hours(2);
  b.seed = 2;
  EXPECT_NE(RunDay(a).digest, RunDay(b).digest);
}

}  // namespace
}  // namespace kueue::simulation
