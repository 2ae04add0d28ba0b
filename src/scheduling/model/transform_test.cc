#include "scheduling/model/transform.h"

#include <gtest/gtest.h>

namespace kueue::scheduling {
namespace {

using resources::Quantity;

Quantity Amount(const char* text) { return *Quantity::Parse(text); }

// spec/scheduling.md §1.7.
class TransformTest : public ::testing::Test {
 protected:
  void Add(const std::string& input, std::map<std::string, Quantity> outputs, bool replace = false,
           const std::string& multiply_by = "") {
    config_.transformations.push_back({input, replace, multiply_by, std::move(outputs)});
  }
  resources::ResourceVector Counted(const api::ResourceList& requests) {
    return CountedRequests(requests, config_);
  }
  Config config_;
};

TEST_F(TransformTest, RetainKeepsTheInputAndReplaceDropsIt) {
  Add("a.com/mig-1g", {{"a.com/memory", Amount("5")}});
  Add("a.com/mig-2g", {{"a.com/memory", Amount("10")}}, true);
  const auto counted = Counted({{"a.com/mig-1g", Amount("2")}, {"a.com/mig-2g", Amount("1")}});
  EXPECT_EQ(counted.Get("a.com/mig-1g"), 2);
  EXPECT_FALSE(counted.Has("a.com/mig-2g"));
  EXPECT_EQ(counted.Get("a.com/memory"), 20);
}

TEST_F(TransformTest, OutputsAreAddedToWhatIsAskedForDirectly) {
  Add("a.com/gpu", {{"cpu", Amount("500m")}}, true);
  EXPECT_EQ(Counted({{"a.com/gpu", Amount("3")}, {"cpu", Amount("1")}}).Get("cpu"), 2500);
}

TEST_F(TransformTest, MultiplierCountsWhereItIsAskedFor) {
  Add("a.com/gpucores", {{"a.com/total", Amount("1")}}, true, "a.com/gpu");
  EXPECT_EQ(
      Counted({{"a.com/gpucores", Amount("20")}, {"a.com/gpu", Amount("2")}}).Get("a.com/total"),
      40);
  EXPECT_EQ(Counted({{"a.com/gpucores", Amount("20")}}).Get("a.com/total"), 20);
}

// The exclusion runs first: neither an input nor a multiplier is left.
TEST_F(TransformTest, ExcludedResourcesAreNoInputs) {
  config_.exclude_resource_prefixes = {"x.com/"};
  Add("x.com/in", {{"out", Amount("1")}});
  Add("b.com/in", {{"out", Amount("1")}}, true, "x.com/times");
  const auto counted =
      Counted({{"x.com/in", Amount("9")}, {"b.com/in", Amount("2")}, {"x.com/times", Amount("7")}});
  EXPECT_EQ(counted.Get("out"), 2);
  EXPECT_EQ(counted.size(), 1u);
}

// Nothing is chained, and outputs may have an excluded prefix.
TEST_F(TransformTest, OutputsAreNotLookedAtAgain) {
  config_.exclude_resource_prefixes = {"x.com/"};
  Add("a", {{"b", Amount("2")}, {"x.com/c", Amount("3")}}, true);
  Add("b", {{"d", Amount("1")}}, true);
  const auto counted = Counted({{"a", Amount("1")}});
  EXPECT_EQ(counted.Get("b"), 2);
  EXPECT_EQ(counted.Get("x.com/c"), 3);
  EXPECT_FALSE(counted.Has("d"));
}

TEST_F(TransformTest, NegativeOutputsCancelOthersButNeverWhatIsRetained) {
  Add("a", {{"sum", Amount("-3")}}, true);
  Add("b", {{"sum", Amount("2")}}, true);
  EXPECT_EQ(Counted({{"a", Amount("1")}, {"b", Amount("2")}}).Get("sum"), 1);
  EXPECT_EQ(Counted({{"a", Amount("1")}, {"sum", Amount("7")}}).Get("sum"), 7);
}

// Exact until the end: a billionth times a billionth is something.
TEST_F(TransformTest, RoundsUpOnceAtTheEnd) {
  Add("a", {{"out", Amount("0.4")}}, true);
  Add("b", {{"out", Amount("0.6")}}, true);
  EXPECT_EQ(Counted({{"a", Amount("1")}, {"b", Amount("1")}}).Get("out"), 1);
  Add("n", {{"tiny", Amount("1n")}}, true, "n");
  EXPECT_EQ(Counted({{"n", Amount("1n")}}).Get("tiny"), 1);
  EXPECT_EQ(Counted({{"a", Amount("9e18")}, {"b", Amount("9e18")}}).Get("out"),
            9000000000000000000);
  EXPECT_EQ(Counted({{"b", Amount("9e22")}}).Get("out"), INT64_MAX);
}

}  // namespace
}  // namespace kueue::scheduling
