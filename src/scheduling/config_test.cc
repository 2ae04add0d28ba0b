#include "scheduling/config.h"

#include <gtest/gtest.h>

namespace kueue::scheduling {
namespace {

TEST(SetGateTest, KnowsGatesByTheirPublicNames) {
  Gates gates;
  EXPECT_TRUE(SetGate(gates, "PartialAdmission", false));
  EXPECT_FALSE(gates.partial_admission);
  EXPECT_TRUE(SetGate(gates, "PriorityBoost", true));
  EXPECT_TRUE(gates.priority_boost);
}

// Gates of other parts of the product are not for the decision.
TEST(SetGateTest, ToldOthersApart) {
  Gates gates;
  EXPECT_FALSE(SetGate(gates, "VisibilityOnDemand", false));
}

}  // namespace
}  // namespace kueue::scheduling
