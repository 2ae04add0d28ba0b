#include "base/random.h"

#include <gtest/gtest.h>

#include <map>

namespace kueue::base {
namespace {

TEST(Random, GivesTheSameNumbersOnEveryMachine) {
  // xoshiro256** with a SplitMix64 seed, as published.
  Random random(42);
  EXPECT_EQ(random.Next(), 1546998764402558742u);
  EXPECT_EQ(random.Next(), 6990951692964543102u);
  EXPECT_EQ(random.Next(), 12544586762248559009u);
}

TEST(Random, EqualSeedsAgreeAndOthersDiffer) {
  Random a(7), b(7), c(8);
  EXPECT_EQ(a.Next(), b.Next());
  EXPECT_NE(a.Next(), c.Next());
}

TEST(Random, SeedZeroIsAsGoodAsAny) {
  Random random(0);
  EXPECT_NE(random.Next(), 0u);
  EXPECT_NE(random.Next(), random.Next());
}

TEST(Random, BelowStaysBelowAndReachesAll) {
  Random random(1);
  std::map<uint64_t, int> seen;
  for (int i = 0; i < 7000; ++i) ++seen[random.Below(7)];
  ASSERT_EQ(seen.size(), 7u);
  for (const auto& [value, count] : seen) {
    EXPECT_LT(value, 7u);
    EXPECT_NEAR(count, 1000, 150);
  }
}

TEST(Random, BelowTakesExtremeBounds) {
  Random random(1);
  EXPECT_EQ(random.Below(1), 0u);
  EXPECT_LT(random.Below(UINT64_MAX), UINT64_MAX);
  EXPECT_LT(random.Below(uint64_t{1} << 63), uint64_t{1} << 63);
}

TEST(RandomDeathTest, BelowZeroIsOurMistake) {
  Random random(1);
  EXPECT_DEATH(random.Below(0), "bound > 0");
}

TEST(Random, OneInOneIsAlwaysTrue) {
  Random random(1);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(random.OneIn(1));
}

TEST(Random, ForkDoesNotDependOnLaterNumbers) {
  Random a(3), b(3);
  Random fork_a = a.Fork();
  Random fork_b = b.Fork();
  b.Next();
  EXPECT_EQ(fork_a.Next(), fork_b.Next());
  EXPECT_NE(a.Next(), fork_a.Next());
}

TEST(Random, NameSuffixUsesTheAlphabetOfGeneratedNames) {
  Random random(5);
  const std::string suffix = random.NameSuffix(500);
  EXPECT_EQ(suffix.size(), 500u);
  EXPECT_EQ(suffix.find_first_not_of("bcdfghjklmnpqrstvwxz2456789"), std::string::npos);
  EXPECT_EQ(random.NameSuffix(0), "");
}

TEST(Random, UuidHasVersionAndVariant) {
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    const std::string uuid = random.Uuid();
    ASSERT_EQ(uuid.size(), 36u);
    EXPECT_EQ(uuid.find_first_not_of("0123456789abcdef-"), std::string::npos);
    for (const size_t dash : {8, 13, 18, 23}) EXPECT_EQ(uuid[dash], '-');
    EXPECT_EQ(uuid[14], '4');
    EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
  }
  EXPECT_NE(random.Uuid(), random.Uuid());
}

}  // namespace
}  // namespace kueue::base
