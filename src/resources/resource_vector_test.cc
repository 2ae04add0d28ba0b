#include "resources/resource_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kueue::resources {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

Quantity Q(std::string_view text) { return Quantity::Parse(text).value(); }

ResourceVector Vector(const std::vector<ResourceVector::Entry>& entries) {
  ResourceVector vector;
  for (const auto& [name, units] : entries) vector.Set(name, units);
  return vector;
}

TEST(Units, CpuCountsInMilliAndRoundsUp) {
  EXPECT_EQ(RequestUnits("cpu", Q("1500m")), 1500);
  EXPECT_EQ(RequestUnits("cpu", Q("100u")), 1);
  EXPECT_EQ(RequestUnits("cpu", Q("2")), 2000);
}

TEST(Units, OthersCountWholeAndRoundUp) {
  EXPECT_EQ(RequestUnits("memory", Q("1Ki")), 1024);
  EXPECT_EQ(RequestUnits("memory", Q("0.5")), 1);
  EXPECT_EQ(RequestUnits("example.com/gpu", Q("3")), 3);
}

TEST(Units, RequestsAreCutAtBothEnds) {
  EXPECT_EQ(RequestUnits("cpu", Q("9223372036854775807")), INT64_MAX);
  EXPECT_EQ(RequestUnits("cpu", Q("-9223372036854775807")), INT64_MIN);
  EXPECT_EQ(RequestUnits("memory", Q("1e20")), INT64_MAX);
}

TEST(Units, QuotaFromTheLastWholeCoreOnIsUnlimited) {
  EXPECT_TRUE(QuotaUnits("cpu", Q("9223372036854775")).IsUnlimited());
  EXPECT_EQ(QuotaUnits("cpu", Q("9223372036854774")).value(), 9223372036854774000);
  // Between two whole cores it is still a number.
  EXPECT_EQ(QuotaUnits("cpu", Q("9223372036854774999m")).value(), 9223372036854774999);
  EXPECT_TRUE(QuotaUnits("memory", Q("9223372036854775807")).IsUnlimited());
  EXPECT_TRUE(QuotaUnits("memory", Q("8Ei")).IsUnlimited());
  EXPECT_EQ(QuotaUnits("memory", Q("9223372036854775806")).value(), INT64_MAX - 1);
}

TEST(Units, BackToQuantitiesInTheFormTheApiShows) {
  EXPECT_EQ(UnitsToQuantity("cpu", 1500).ToString(), "1500m");
  EXPECT_EQ(UnitsToQuantity("cpu", 2000).ToString(), "2");
  EXPECT_EQ(UnitsToQuantity("memory", 1 << 30).ToString(), "1Gi");
  EXPECT_EQ(UnitsToQuantity("ephemeral-storage", 2048).ToString(), "2Ki");
  EXPECT_EQ(UnitsToQuantity("hugepages-2Mi", 4 << 20).ToString(), "4Mi");
  EXPECT_EQ(UnitsToQuantity("pods", 1024).ToString(), "1024");
  EXPECT_EQ(UnitsToQuantity("example.com/gpu", 1000).ToString(), "1k");
}

TEST(Units, MemoryWithoutABinarySuffixIsDecimal) {
  EXPECT_EQ(UnitsToQuantity("memory", 10000).format(), Quantity::Format::kDecimalSI);
  EXPECT_EQ(UnitsToQuantity("memory", 10000).ToString(), "10k");
  EXPECT_EQ(UnitsToQuantity("memory", 1000).ToString(), "1k");
  EXPECT_EQ(UnitsToQuantity("memory", 0).ToString(), "0");
}

TEST(VectorOrder, HashesAsFnv1a) {
  EXPECT_EQ(Fnv1a64(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(Fnv1a64("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(Fnv1a64("foobar"), 0x85944171f73967e8ULL);
}

TEST(VectorOrder, WalksCommonNamesInTheKnownOrder) {
  const ResourceVector vector = Vector({{"cpu", 1}, {"memory", 2}, {"pods", 3}, {"storage", 4},
                                        {"ephemeral-storage", 5}, {"amd.com/gpu", 6},
                                        {"nvidia.com/gpu", 7}, {"example.com/gpu", 8},
                                        {"hugepages-2Mi", 9}});
  EXPECT_THAT(vector,
              ElementsAre(Pair("ephemeral-storage", 5), Pair("amd.com/gpu", 6), Pair("memory", 2),
                          Pair("nvidia.com/gpu", 7), Pair("pods", 3), Pair("example.com/gpu", 8),
                          Pair("hugepages-2Mi", 9), Pair("storage", 4), Pair("cpu", 1)));
  for (auto it = vector.begin(); it + 1 != vector.end(); ++it) {
    EXPECT_TRUE(VectorOrder()(it->first, (it + 1)->first));
  }
}

TEST(ResourceVector, MissingReadsZeroAndWrittenZeroStays) {
  ResourceVector vector;
  EXPECT_EQ(vector.Get("cpu"), 0);
  EXPECT_FALSE(vector.Has("cpu"));
  vector.Set("cpu", 0);
  EXPECT_TRUE(vector.Has("cpu"));
  EXPECT_EQ(vector.size(), 1u);
  vector.Erase("cpu");
  EXPECT_TRUE(vector.empty());
}

TEST(ResourceVector, SetReplaces) {
  ResourceVector vector = Vector({{"cpu", 1}});
  vector.Set("cpu", 2);
  EXPECT_THAT(vector, ElementsAre(Pair("cpu", 2)));
}

TEST(ResourceVector, AddsOverTheUnionOfNames) {
  ResourceVector vector = Vector({{"cpu", 1}, {"memory", INT64_MAX}});
  vector.Add(Vector({{"memory", 1}, {"pods", 3}}));
  EXPECT_EQ(vector, Vector({{"cpu", 1}, {"memory", INT64_MAX}, {"pods", 3}}));
}

TEST(ResourceVector, AddsItself) {
  ResourceVector vector = Vector({{"cpu", 1}, {"memory", 4}});
  vector.Add(vector);
  EXPECT_EQ(vector, Vector({{"cpu", 2}, {"memory", 8}}));
}

TEST(ResourceVector, SubtractingAnAbsentNameGoesNegative) {
  ResourceVector vector = Vector({{"cpu", 1}});
  vector.Sub(Vector({{"cpu", 3}, {"memory", 5}, {"pods", INT64_MIN}}));
  EXPECT_EQ(vector, Vector({{"cpu", -2}, {"memory", -5}, {"pods", INT64_MAX}}));
}

TEST(ResourceVector, MultipliesSaturating) {
  ResourceVector vector = Vector({{"cpu", 3}, {"memory", INT64_MAX / 2}});
  vector.Mul(4);
  EXPECT_EQ(vector, Vector({{"cpu", 12}, {"memory", INT64_MAX}}));
}

TEST(ResourceVector, DividesTowardZero) {
  ResourceVector vector = Vector({{"cpu", 7}, {"memory", -7}});
  vector.Div(2);
  EXPECT_EQ(vector, Vector({{"cpu", 3}, {"memory", -3}}));
  ResourceVector lowest = Vector({{"cpu", INT64_MIN}});
  lowest.Div(-1);
  EXPECT_EQ(lowest.Get("cpu"), INT64_MAX);
}

TEST(ResourceVector, ZeroDividedByZeroIsSkipped) {
  ResourceVector vector = Vector({{"cpu", 0}});
  vector.Div(0);
  EXPECT_EQ(vector, Vector({{"cpu", 0}}));
}

TEST(ResourceVectorDeathTest, DividingByZeroIsOurMistake) {
  ResourceVector vector = Vector({{"cpu", 1}});
  EXPECT_DEATH(vector.Div(0), "dividing cpu by zero");
}

TEST(ResourceVector, MaxTakesTheLargerPerName) {
  ResourceVector vector = Vector({{"cpu", 1}, {"memory", 9}});
  vector.Max(Vector({{"cpu", 4}, {"memory", 2}, {"pods", 0}}));
  EXPECT_EQ(vector, Vector({{"cpu", 4}, {"memory", 9}, {"pods", 0}}));
}

TEST(CountIn, ScarcestResourceDecides) {
  std::string limiting;
  const ResourceVector request = Vector({{"cpu", 500}, {"memory", 100}});
  EXPECT_EQ(request.CountIn(Vector({{"cpu", 2000}, {"memory", 350}}), &limiting), 3);
  EXPECT_EQ(limiting, "memory");
}

TEST(CountIn, EqualCountsNameTheAlphabeticallySmallest) {
  // In walking order memory comes before cpu.
  std::string limiting;
  const ResourceVector request = Vector({{"memory", 1}, {"cpu", 1}});
  EXPECT_EQ(request.CountIn(Vector({{"cpu", 2}, {"memory", 2}}), &limiting), 2);
  EXPECT_EQ(limiting, "cpu");
}

TEST(CountIn, ZeroRequestsDoNotLimit) {
  EXPECT_EQ(Vector({{"cpu", 0}}).CountIn({}), INT32_MAX);
  EXPECT_EQ(Vector({{"cpu", 0}, {"memory", 2}}).CountIn(Vector({{"memory", 4}})), 2);
}

TEST(CountIn, StaysWithinItsBounds) {
  EXPECT_EQ(Vector({{"cpu", 1}}).CountIn(Vector({{"cpu", INT64_MAX}})), INT32_MAX);
  EXPECT_EQ(Vector({{"cpu", 1}}).CountIn(Vector({{"cpu", -5}})), 0);
  EXPECT_EQ(Vector({{"cpu", -1}}).CountIn(Vector({{"cpu", INT64_MIN}})), INT32_MAX);
  EXPECT_EQ(Vector({{"cpu", 1}}).CountIn({}), 0);
}

TEST(CountIn, EmptyVectorGivesZero) {
  std::string limiting = "before";
  EXPECT_EQ(ResourceVector().CountIn(Vector({{"cpu", 1}}), &limiting), 0);
  EXPECT_EQ(limiting, "");
}

TEST(FlavorResource, OrdersByFlavorThenResource) {
  EXPECT_LT((FlavorResource{"a", "z"}), (FlavorResource{"b", "a"}));
  EXPECT_LT((FlavorResource{"a", "cpu"}), (FlavorResource{"a", "memory"}));
}

}  // namespace
}  // namespace kueue::resources
