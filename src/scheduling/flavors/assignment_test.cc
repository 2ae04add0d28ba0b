#include "scheduling/flavors/assignment.h"

#include <gtest/gtest.h>

namespace kueue::scheduling {
namespace {

// §16 (50).
TEST(BetterTest, FittingFlavorBeatsOneWithoutCandidatesAtALowerLevel) {
  EXPECT_TRUE(Better({Fitness::kFit, 2}, {Fitness::kNoCandidates, 0}, true));
  EXPECT_FALSE(Better({Fitness::kNoCandidates, 0}, {Fitness::kFit, 2}, true));
}

// §6.2, §16 (51).
TEST(BetterTest, PreferenceDecidesWhichKeyIsFirst) {
  const Rating borrowing{Fitness::kFit, 1}, preempting{Fitness::kPreempt, 0};
  EXPECT_TRUE(Better(borrowing, preempting, false));
  EXPECT_TRUE(Better(preempting, borrowing, true));
}

TEST(BetterTest, NoFitIsNeverBetterAndEqualsAreNot) {
  EXPECT_FALSE(Better({Fitness::kNoFit, 0}, {Fitness::kNoFit, 5}, false));
  EXPECT_FALSE(Better({Fitness::kFit, 1}, {Fitness::kFit, 1}, false));
  EXPECT_TRUE(Better({Fitness::kNoCandidates, 9}, {Fitness::kNoFit, 0}, false));
}

// §6.1: a pod set without complaint fits, even without flavors.
TEST(PodSetResultTest, ModeIsThatOfTheWorstResource) {
  PodSetResult result;
  EXPECT_EQ(result.mode(), FlavorMode::kFit);
  result.complained = true;
  EXPECT_EQ(result.mode(), FlavorMode::kNoFit);
  result.choices.resize(2);
  result.choices[1].rating.fitness = Fitness::kReclaim;
  EXPECT_EQ(result.mode(), FlavorMode::kPreempt);
}

TEST(AssignmentTest, WithoutPodSetsNothingFits) {
  EXPECT_EQ(Assignment().mode(), FlavorMode::kNoFit);
}

}  // namespace
}  // namespace kueue::scheduling
