#include "cli/manager_command.h"

#include <gtest/gtest.h>

namespace kueue::cli {
namespace {

TEST(ManagerFlags, TakesTheFlagsOfTheDeployment) {
  ManagerFlags flags;
  int code = 7;
  ASSERT_TRUE(ParseManagerFlags(
      {"--leader-elect=true", "--metrics-addr=:9090", "--health-probe-bind-address=:9091"}, flags,
      code));
  EXPECT_TRUE(flags.leader_elect);
  EXPECT_EQ(flags.metrics_address, ":9090");
  EXPECT_EQ(flags.health_address, ":9091");
}

TEST(ManagerFlags, LeaderElectionCanBeTurnedOff) {
  ManagerFlags flags;
  flags.leader_elect = true;
  int code = 7;
  ASSERT_TRUE(ParseManagerFlags({"--leader-elect=false"}, flags, code));
  EXPECT_FALSE(flags.leader_elect);
}

TEST(ManagerFlags, RefusesWhatItDoesNotKnow) {
  for (const char* argument : {"--metrics-addr=8080", "--metrics-addr=:99999", "--nonsense"}) {
    ManagerFlags flags;
    int code = 7;
    EXPECT_FALSE(ParseManagerFlags({argument}, flags, code)) << argument;
    EXPECT_EQ(code, 2) << argument;
  }
}

}  // namespace
}  // namespace kueue::cli
