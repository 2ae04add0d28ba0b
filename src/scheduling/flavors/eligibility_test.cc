#include "scheduling/flavors/eligibility.h"

#include <gtest/gtest.h>

namespace kueue::scheduling {
namespace {

class EligibilityTest : public ::testing::Test {
 protected:
  Refusal Check() const { return CheckEligibility(pods_, &flavor_, options_); }
  api::PodSpec& pod() { return pods_.pod_template.spec; }
  void RequireIn(const std::string& key, const std::string& value) {
    if (!pod().affinity) pod().affinity.emplace().node_affinity.emplace();
    auto& selector =
        pod().affinity->node_affinity->required_during_scheduling_ignored_during_execution;
    if (!selector) selector.emplace();
    selector->node_selector_terms.emplace_back();
    selector->node_selector_terms.back().match_expressions.push_back({key, "In", {value}, {}});
  }

  api::PodSet pods_;
  EligibilityOptions options_;
  api::ResourceFlavor flavor_;
};

TEST_F(EligibilityTest, MissingFlavorIsRefused) {
  EXPECT_EQ(CheckEligibility(pods_, nullptr, {}), Refusal::kMissing);
}

TEST_F(EligibilityTest, UntoleratedTaintIsRefused) {
  flavor_.spec.node_taints = {{"spot", "true", "NoSchedule", {}, {}}};
  EXPECT_EQ(Check(), Refusal::kTaint);
  pod().tolerations = {{"spot", "Exists", "", "", {}, {}}};
  EXPECT_EQ(Check(), Refusal::kNone);
}

// §16 (58).
TEST_F(EligibilityTest, FlavorTolerationsHelpAndPreferNoScheduleIsIgnored) {
  flavor_.spec.node_taints = {{"spot", "true", "NoSchedule", {}, {}},
                              {"slow", "", "PreferNoSchedule", {}, {}}};
  flavor_.spec.tolerations = {{"spot", "Equal", "true", "", {}, {}}};
  EXPECT_EQ(Check(), Refusal::kNone);
}

// §16 (57): keys that are no label of this flavor do not count.
TEST_F(EligibilityTest, SelectorKeysUnknownToTheFlavorDoNotCount) {
  flavor_.spec.node_labels = {{"type", "spot"}};
  pod().node_selector = {{"zone", "a"}};
  EXPECT_EQ(Check(), Refusal::kNone);
  pod().node_selector["type"] = "reserved";
  EXPECT_EQ(Check(), Refusal::kNodeLabels);
}

TEST_F(EligibilityTest, RequiredAffinityHasToMatch) {
  flavor_.spec.node_labels = {{"type", "spot"}};
  RequireIn("type", "reserved");
  EXPECT_EQ(Check(), Refusal::kNodeLabels);
  RequireIn("type", "spot");
  EXPECT_EQ(Check(), Refusal::kNone);
}

// §16 (56).
TEST_F(EligibilityTest, TermEmptiedOfUnknownKeysLetsAllPass) {
  flavor_.spec.node_labels = {{"type", "spot"}};
  RequireIn("type", "reserved");
  RequireIn("zone", "a");
  EXPECT_EQ(Check(), Refusal::kNone);
}

TEST_F(EligibilityTest, FlavorWithoutLabelsAcceptsAnySelector) {
  pod().node_selector = {{"type", "spot"}};
  EXPECT_EQ(Check(), Refusal::kNone);
}

TEST_F(EligibilityTest, TopologyFlavorsTakeOnlyPodSetsThatAskForOne) {
  flavor_.spec.topology_name = "racks";
  EXPECT_EQ(Check(), Refusal::kHasTopology);
  pods_.topology_request.emplace().required = "rack";
  EXPECT_EQ(Check(), Refusal::kLacksLevel);
  const std::vector<std::string> keys{"block", "rack"};
  options_.level_keys = &keys;
  EXPECT_EQ(Check(), Refusal::kNone);
  flavor_.spec.topology_name.reset();
  EXPECT_EQ(Check(), Refusal::kNeedsTopology);
}

}  // namespace
}  // namespace kueue::scheduling
