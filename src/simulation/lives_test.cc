#include "simulation/lives.h"

#include <gtest/gtest.h>

namespace kueue::simulation {
namespace {

class LivesTest : public testing::TestWithParam<uint64_t> {};

// More of them: tests/properties/lives.cc.
TEST_P(LivesTest, Holds) {
  LivesOptions options;
  options.seed = GetParam();
  const LivesReport report = Lives(options).Run();
  for (const std::string& problem : report.problems) ADD_FAILURE() << problem;
  EXPECT_GT(report.jobs, 0);
}

// The same with all policies beyond the reference.
class LivesWithPoliciesTest : public testing::TestWithParam<uint64_t> {};

TEST_P(LivesWithPoliciesTest, Holds) {
  LivesOptions options;
  options.seed = GetParam();
  options.policies = true;
  const LivesReport report = Lives(options).Run();
  for (const std::string& problem : report.problems) ADD_FAILURE() << problem;
  EXPECT_GT(report.jobs, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LivesWithPoliciesTest, testing::Range<uint64_t>(101, 109));
INSTANTIATE_TEST_SUITE_P(Seeds, LivesTest, testing::Range<uint64_t>(1, 31));

}  // namespace
}  // namespace kueue::simulation
