#include "resources/quantity.h"

#include <gtest/gtest.h>

#include <limits>

namespace kueue::resources {
namespace {

using Format = Quantity::Format;

Quantity Q(std::string_view text) {
  const auto quantity = Quantity::Parse(text);
  EXPECT_TRUE(quantity.ok()) << text;
  return quantity.ok() ? *quantity : Quantity();
}

TEST(Quantity, DefaultIsZero) {
  EXPECT_TRUE(Quantity().IsZero());
  EXPECT_EQ(Quantity().ToString(), "0");
  EXPECT_EQ(Quantity().format(), Format::kDecimalSI);
}

TEST(Quantity, RefusalNamesTheTextAndWhatIsAllowed) {
  const auto refused = Quantity::Parse("1KiB");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("'1KiB'"), std::string::npos);
  EXPECT_NE(refused.error().message.find("Ki"), std::string::npos);
}

TEST(Quantity, RefusalCutsALongText) {
  const auto refused = Quantity::Parse(std::string(100000, 'x'));
  ASSERT_FALSE(refused.ok());
  EXPECT_LT(refused.error().message.size(), 300u);
}

TEST(Quantity, RefusesANulByteInside) {
  EXPECT_FALSE(Quantity::Parse(std::string_view("1\0", 2)).ok());
  EXPECT_FALSE(Quantity::Parse(std::string_view("\0" "1", 2)).ok());
}

TEST(Quantity, ReadsMillionsOfDigits) {
  // Quadratic work would not end within the life of the test.
  const std::string zeros(3000000, '0'), nines(3000000, '9');
  EXPECT_EQ(Q(zeros + "7").ToString(), "7");
  EXPECT_EQ(Q("0." + zeros + "7").ToString(), "1n");
  EXPECT_EQ(Q("0." + zeros + "7Ki").ToString(), "1n");
  EXPECT_EQ(Q(nines).ToString(), "100000000000E");
  EXPECT_EQ(Q("-" + nines + "Ei").ToString(), "-9223372036854775807");
  EXPECT_EQ(Q("0." + nines + "Mi").ToString(), "1Mi");
  EXPECT_EQ(Q("1e-" + zeros + "3").ToString(), "1e-3");
  EXPECT_FALSE(Quantity::Parse("1e" + nines).ok());
}

TEST(Quantity, BoundsExponents) {
  EXPECT_EQ(Q("1e999999").ToString(), "100e27");
  EXPECT_EQ(Q("1e-999999").ToString(), "1e-9");
  EXPECT_EQ(Q("0e999999").ToString(), "0");
  EXPECT_FALSE(Quantity::Parse("1e1000000").ok());
  EXPECT_FALSE(Quantity::Parse("1e-1000000").ok());
}

TEST(Quantity, MovesThePointOverManyDigits) {
  const std::string zeros(500, '0');
  EXPECT_EQ(Q("0." + zeros + "1e501").ToString(), "1");
  EXPECT_EQ(Q("1" + zeros + "e-500").ToString(), "1");
  EXPECT_EQ(Q("1" + zeros + "1e-501").ToString(), "1000000001e-9");
}

TEST(Quantity, FromUnitsChoosesTheLargestSuffix) {
  EXPECT_EQ(Quantity::FromUnits(5000).ToString(), "5k");
  EXPECT_EQ(Quantity::FromUnits(5000, Format::kDecimalExponent).ToString(), "5e3");
  EXPECT_EQ(Quantity::FromUnits(2048, Format::kBinarySI).ToString(), "2Ki");
  EXPECT_EQ(Quantity::FromUnits(1000, Format::kBinarySI).ToString(), "1k");
  EXPECT_EQ(Quantity::FromUnits(10000, Format::kBinarySI).ToString(), "10000");
}

TEST(Quantity, FromMilliKeepsExtremes) {
  EXPECT_EQ(Quantity::FromMilli(1500).ToString(), "1500m");
  EXPECT_EQ(Quantity::FromMilli(2000).ToString(), "2");
  for (const int64_t value : {INT64_MAX, INT64_MIN}) {
    EXPECT_EQ(Quantity::FromMilli(value).Milli(), value);
    EXPECT_EQ(Quantity::FromUnits(value).Units(), value);
  }
}

TEST(Quantity, FromNanoSaturates) {
  const __int128 most = ~(__int128(1) << 127);
  EXPECT_EQ(Quantity::FromNano(most, Format::kDecimalSI).ToString(), "100000000000E");
  EXPECT_EQ(Quantity::FromNano(-most - 1, Format::kDecimalSI).ToString(), "-100000000000E");
}

TEST(Quantity, RoundsAwayFromZero) {
  EXPECT_EQ(Q("100u").Milli(), 1);
  EXPECT_EQ(Q("500m").Units(), 1);
  EXPECT_EQ(Q("-500m").Units(), -1);
  EXPECT_EQ(Q("1n").Units(), 1);
}

TEST(Quantity, SumKeepsTheLeftFormatUnlessZero) {
  EXPECT_EQ((Q("1Gi") + Q("1k")).format(), Format::kBinarySI);
  EXPECT_EQ((Q("0") + Q("1Gi")).ToString(), "1Gi");
  EXPECT_EQ((Q("1k") + Q("24")).ToString(), "1024");
  EXPECT_EQ((Q("0") - Q("1Gi")).ToString(), "-1Gi");
  EXPECT_EQ((Q("1") - Q("300m")).ToString(), "700m");
}

TEST(Quantity, SumsSaturate) {
  Quantity sum = Q("1e29");
  sum += sum;
  EXPECT_EQ(sum, Q("1e29"));
  Quantity difference = Q("-1e29");
  difference -= Q("1e29");
  EXPECT_EQ(difference, Q("-1e29"));
}

TEST(Quantity, ComparesByValue) {
  EXPECT_EQ(Q("1"), Q("1000m"));
  EXPECT_EQ(Q("1024Ki"), Q("1Mi"));
  EXPECT_LT(Q("1M"), Q("1Mi"));
  EXPECT_GT(Q("0"), Q("-1n"));
  EXPECT_LE(Q("1e3"), Q("1k"));
}

TEST(Quantity, ToDoubleIsTheNearest) {
  EXPECT_EQ(Q("100m").ToDouble(), 0.1);
  EXPECT_EQ(Q("300m").ToDouble(), 0.3);
  EXPECT_EQ(Q("1234567891n").ToDouble(), 1.234567891);
  EXPECT_EQ(Q("-1.5").ToDouble(), -1.5);
  EXPECT_EQ(Q("1Ei").ToDouble(), 1152921504606846976.0);
  EXPECT_EQ(Q("1e29").ToDouble(), 1e29);
  EXPECT_EQ(Q("99999999999999999999.5").ToDouble(), 1e20);
}

}  // namespace
}  // namespace kueue::resources
