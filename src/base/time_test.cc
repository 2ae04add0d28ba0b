#include "base/time.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace kueue::base {
namespace {

Time At(int64_t micros) { return Time(Duration(micros)); }

TEST(Time, ReadsAndWritesRfc3339) {
  struct Row {
    const char* text;
    int64_t micros;
    const char *time, *micro_time;
  };
  const Row rows[] = {
      {"2026-01-02T03:04:05Z", 1767323045000000, "2026-01-02T03:04:05Z",
       "2026-01-02T03:04:05.000000Z"},
      {"2026-01-02T03:04:05+00:00", 1767323045000000, "2026-01-02T03:04:05Z",
       "2026-01-02T03:04:05.000000Z"},
      {"2026-01-02T03:04:05+02:00", 1767315845000000, "2026-01-02T01:04:05Z",
       "2026-01-02T01:04:05.000000Z"},
      {"2026-01-02T03:04:05-07:30", 1767350045000000, "2026-01-02T10:34:05Z",
       "2026-01-02T10:34:05.000000Z"},
      {"2026-01-02T03:04:05.5Z", 1767323045500000, "2026-01-02T03:04:05Z",
       "2026-01-02T03:04:05.500000Z"},
      {"2026-01-02T03:04:05.000006Z", 1767323045000006, "2026-01-02T03:04:05Z",
       "2026-01-02T03:04:05.000006Z"},
      {"2026-01-02T03:04:05.123456789Z", 1767323045123456, "2026-01-02T03:04:05Z",
       "2026-01-02T03:04:05.123456Z"},
      {"2024-02-29T00:00:00Z", 1709164800000000, "2024-02-29T00:00:00Z",
       "2024-02-29T00:00:00.000000Z"},
      {"1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"},
      {"1969-12-31T23:59:59.5Z", -500000, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.500000Z"},
      {"0001-01-01T00:00:00Z", -62135596800000000, "0001-01-01T00:00:00Z",
       "0001-01-01T00:00:00.000000Z"},
      {"9999-12-31T23:59:59Z", 253402300799000000, "9999-12-31T23:59:59Z",
       "9999-12-31T23:59:59.000000Z"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text);
    const auto time = ParseTime(row.text);
    ASSERT_TRUE(time.ok());
    EXPECT_EQ(*time, At(row.micros));
    EXPECT_EQ(FormatTime(*time), row.time);
    EXPECT_EQ(FormatMicroTime(*time), row.micro_time);
    EXPECT_EQ(ParseTime(row.micro_time).value(), *time);
  }
}

TEST(Time, RefusesOtherForms) {
  for (const char* text :
       {"", "2026-01-02", "2026-01-02T03:04Z", "2026-01-02T03:04:05", "2026-01-02 03:04:05Z",
        "2026-01-02t03:04:05Z", "2026-01-02T03:04:05z", "2026-1-02T03:04:05Z",
        "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05+0200", "2026-01-02T03:04:05+24:00",
        "2026-01-02T03:04:05+23:60", "2026-01-02T03:04:05Zx", " 2026-01-02T03:04:05Z",
        "+2026-01-02T03:04:05Z", "12026-01-02T03:04:05Z"}) {
    const auto time = ParseTime(text);
    ASSERT_FALSE(time.ok()) << text;
    EXPECT_EQ(time.error().code, Code::kBadRequest);
  }
}

TEST(Time, RefusesInstantsThatDoNotExist) {
  for (const char* text :
       {"2023-02-29T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-32T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-02T24:00:00Z",
        "2026-01-02T23:60:00Z", "2026-01-02T23:59:60Z"}) {
    EXPECT_FALSE(ParseTime(text).ok()) << text;
  }
}

TEST(Time, RefusesYearsThatFourDigitsCannotWrite) {
  EXPECT_FALSE(ParseTime("9999-12-31T23:59:59-00:01").ok());
  EXPECT_FALSE(ParseTime("0000-01-01T00:00:00+00:01").ok());
  EXPECT_TRUE(ParseTime("0000-01-01T00:00:00Z").ok());
}

TEST(Time, CutsToTheSecondBefore) {
  EXPECT_EQ(CutToSeconds(At(1999999)), At(1000000));
  EXPECT_EQ(CutToSeconds(At(-1)), At(-1000000));
}

TEST(Duration, ReadsGoTextAndWritesItsCanonicalForm) {
  struct Row {
    const char* text;
    int64_t micros;
    const char* canonical;
  };
  const Row rows[] = {
      {"0", 0, "0s"},
      {"-0", 0, "0s"},
      {"+0", 0, "0s"},
      {"0s", 0, "0s"},
      {"1s", 1000000, "1s"},
      {"+1s", 1000000, "1s"},
      {"-1s", -1000000, "-1s"},
      {"90s", 90000000, "1m30s"},
      {"1h", 3600000000, "1h0m0s"},
      {"1h30m", 5400000000, "1h30m0s"},
      {"1.5h", 5400000000, "1h30m0s"},
      {"300ms", 300000, "300ms"},
      {"100us", 100, "100µs"},
      {"100µs", 100, "100µs"},
      {"100μs", 100, "100µs"},
      {"1500us", 1500, "1.5ms"},
      {"999ns", 0, "0s"},
      {"1000ns", 1, "1µs"},
      {"-1500ns", -1, "-1µs"},
      {".5s", 500000, "500ms"},
      {"5.s", 5000000, "5s"},
      {"1.s2.m", 121000000, "2m1s"},
      {"1h1h", 7200000000, "2h0m0s"},
      {"24h", 86400000000, "24h0m0s"},
      {"2562047h47m16.854775807s", 9223372036854775, "2562047h47m16.854775s"},
      {"1m1ms1us", 60001001, "1m0.001001s"},
      {"0.1m", 6000000, "6s"},
      {"1.000001s", 1000001, "1.000001s"},
      {"3.3333333333333333333h", 12000000000, "3h20m0s"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text);
    const auto duration = ParseDuration(row.text);
    ASSERT_TRUE(duration.ok());
    if (std::string(row.text) == "3.3333333333333333333h") {
      // Endless fractions may lose the last microsecond.
      EXPECT_NEAR(duration->count(), row.micros, 1);
      continue;
    }
    EXPECT_EQ(duration->count(), row.micros);
    EXPECT_EQ(FormatDuration(*duration), row.canonical);
    EXPECT_EQ(ParseDuration(row.canonical).value(), *duration);
  }
}

TEST(Duration, RefusesOtherForms) {
  for (const char* text :
       {"", "s", "1", ".", "-", ".s", "1d", "1 s", " 1s", "1s ", "--1s", "1mh", "1sm", "1S",
        "1e3s", "1h-1m", "infs", "2562047h47m16.854775808s", "9999999999999999999999h",
        "99999999999999999999ns"}) {
    const auto duration = ParseDuration(text);
    ASSERT_FALSE(duration.ok()) << text;
    EXPECT_EQ(duration.error().code, Code::kBadRequest);
  }
}

TEST(Duration, RefusesMillionsOfDigitsWithoutOverflow) {
  std::string nines(1000000, '9');
  nines.push_back('h');
  EXPECT_FALSE(ParseDuration(nines).ok());
  std::string tiny(1000000, '0');
  tiny[1] = '.';
  tiny.append("1h");
  EXPECT_EQ(ParseDuration(tiny).value(), Duration(0));
}

TEST(Duration, WritesTheExtremes) {
  EXPECT_EQ(FormatDuration(Duration::min()), "-2562047788h0m54.775808s");
  EXPECT_EQ(FormatDuration(Duration::max()), "2562047788h0m54.775807s");
}

TEST(Age, IsShortenedAsKubectlDoes) {
  struct Row {
    int64_t millis;
    const char* text;
  };
  const int64_t day = 86400000;
  const Row rows[] = {
      {-3000, "<invalid>"},      {-2000, "<invalid>"},     {-1500, "0s"},
      {-1000, "0s"},             {-500, "0s"},             {0, "0s"},
      {999, "0s"},               {1000, "1s"},             {1999, "1s"},
      {60000, "60s"},            {119999, "119s"},         {120000, "2m"},
      {121000, "2m1s"},          {192000, "3m12s"},        {599000, "9m59s"},
      {600000, "10m"},           {601000, "10m"},          {3600000, "60m"},
      {10799000, "179m"},        {10800000, "3h"},         {10860000, "3h1m"},
      {28799000, "7h59m"},       {28800000, "8h"},         {28860000, "8h"},
      {day, "24h"},              {2 * day - 1000, "47h"},  {2 * day, "2d"},
      {183600000, "2d3h"},       {8 * day - 1000, "7d23h"}, {8 * day, "8d"},
      {365 * day, "365d"},       {730 * day - 1000, "729d"}, {730 * day, "2y"},
      {731 * day, "2y1d"},       {1195 * day, "3y100d"},   {8 * 365 * day - 1000, "7y364d"},
      {8 * 365 * day, "8y"},     {20 * 365 * day, "20y"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(FormatAge(milliseconds(row.millis)), row.text) << row.millis;
  }
}

TEST(RealClock, ElapsedDoesNotGoBack) {
  const RealClock clock;
  const Duration first = clock.Elapsed();
  EXPECT_GE(clock.Elapsed(), first);
}

}  // namespace
}  // namespace kueue::base
