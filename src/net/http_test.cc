#include "net/http.h"

#include <gtest/gtest.h>

namespace kueue::net {
namespace {

TEST(Http, HeaderNamesCompareWithoutCase) {
  const Headers headers = {{"Content-Type", "a"}, {"content-type", "b"}};
  EXPECT_EQ(HeaderOf(headers, "CONTENT-TYPE"), "a");
  EXPECT_EQ(HeaderOf(headers, "Accept"), "");
}

TEST(Http, TargetIsSplitAndDecoded) {
  const Target target =
      ParseTarget("/api/v1//namespaces/a%2Fb/pods/?watch=1&labelSelector=a%3Db+c");
  EXPECT_EQ(target.path, (std::vector<std::string>{"api", "v1", "namespaces", "a/b", "pods"}));
  EXPECT_EQ(target.Query("watch"), "1");
  EXPECT_EQ(target.Query("labelSelector"), "a=b c");
  EXPECT_EQ(target.Query("limit"), std::nullopt);
}

TEST(Http, LastQueryValueCounts) {
  const Target target = ParseTarget("/x?a=1&a=2&b&=&&c=");
  EXPECT_EQ(target.Query("a"), "2");
  EXPECT_EQ(target.Query("b"), "");
  EXPECT_EQ(target.Query("c"), "");
}

TEST(Http, OddTargetsAreHarmless) {
  EXPECT_TRUE(ParseTarget("").path.empty());
  EXPECT_TRUE(ParseTarget("*").query.empty());
  EXPECT_EQ(ParseTarget("http://host:80/api?x=y#z").path, (std::vector<std::string>{"api"}));
  EXPECT_TRUE(ParseTarget("https://host").path.empty());
  EXPECT_EQ(ParseTarget("/a%2").path.at(0), "a%2");
  EXPECT_EQ(ParseTarget("/a%zz%").path.at(0), "a%zz%");
}

TEST(Http, EncodingRoundTrips) {
  std::string all;
  for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
  EXPECT_EQ(UrlDecode(UrlEncode(all)), all);
  EXPECT_EQ(UrlDecode(UrlEncode(all), true), all);
  EXPECT_EQ(UrlEncode("a b/c=d~"), "a%20b%2Fc%3Dd~");
}

}  // namespace
}  // namespace kueue::net
