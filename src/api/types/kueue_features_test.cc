#include "api/types/kueue_features.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

TEST(FeatureGates, StartWithTheirDefaults) {
  const FeatureGates gates;
  EXPECT_TRUE(gates.Enabled(Feature::kPartialAdmission));
  EXPECT_FALSE(gates.Enabled(Feature::kPriorityBoost));
}

TEST(FeatureGates, TheDefaultsSatisfyTheirNeeds) { EXPECT_TRUE(FeatureGates::Parse("").ok()); }

TEST(FeatureGates, AreSetByName) {
  const auto gates = FeatureGates::Parse("PriorityBoost=true, PartialAdmission=false");
  ASSERT_TRUE(gates.ok());
  EXPECT_TRUE(gates->Enabled(Feature::kPriorityBoost));
  EXPECT_FALSE(gates->Enabled(Feature::kPartialAdmission));
}

TEST(FeatureGates, ANameNobodyKnowsIsRefused) {
  EXPECT_EQ(FeatureGates::Parse("Nonsense=true").error().message,
            "there is no feature gate \"Nonsense\"");
}

TEST(FeatureGates, ALockedFeatureKeepsItsDefault) {
  EXPECT_FALSE(FeatureGates::Parse("TLSOptions=false").ok());
  EXPECT_TRUE(FeatureGates::Parse("TLSOptions=true").ok());
}

TEST(FeatureGates, AFeatureNeedsThoseItBuildsOn) {
  const auto gates = FeatureGates::Parse("FlavorFungibility=false");
  ASSERT_FALSE(gates.ok());
  EXPECT_NE(gates.error().message.find("FlavorFungibilityPreserveScanProgress"), std::string::npos);
}

TEST(FeatureGates, AllAlphaGivesWayToNames) {
  const auto gates = FeatureGates::Parse("AllAlpha=true,PriorityBoost=false");
  ASSERT_TRUE(gates.ok());
  EXPECT_TRUE(gates->Enabled(Feature::kConcurrentAdmission));
  EXPECT_FALSE(gates->Enabled(Feature::kPriorityBoost));
}

}  // namespace
}  // namespace kueue::api
