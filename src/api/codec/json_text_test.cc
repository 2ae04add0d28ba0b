#include "api/codec/json_text.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

Json Parse(std::string_view text) {
  auto parsed = ParseJson(text);
  EXPECT_TRUE(parsed.ok()) << text << ": " << (parsed.ok() ? "" : parsed.error().message);
  return parsed.ok() ? *std::move(parsed) : Json();
}

std::string ErrorOf(std::string_view text) {
  const auto parsed = ParseJson(text);
  EXPECT_FALSE(parsed.ok()) << text;
  return parsed.ok() ? "" : parsed.error().message;
}

TEST(ParseJson, RoundTripsCompactText) {
  for (const char* text :
       {"null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "\"\"",
        "[]", "{}", "[[],{}]", R"({"b":1,"a":[1,"x",null,{"c":true}]})", R"("\"\\\b\f\n\r\t")",
        "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""}) {
    EXPECT_EQ(WriteJson(Parse(text)), text);
  }
}

TEST(ParseJson, NumbersKeepTheirText) {
  for (const char* text : {"-0", "1.0", "1.50", "1e3", "1E+3", "-1.5e-7", "9223372036854775808",
                           "18446744073709551615", "-9223372036854775809",
                           "123456789012345678901234567890", "0.1", "-0.0", "0e0"}) {
    const Json value = Parse(text);
    EXPECT_EQ(value.type(), Json::Type::kNumber) << text;
    EXPECT_EQ(WriteJson(value), text);
  }
  for (const char* text : {"0", "7", "-7", "9223372036854775807", "-9223372036854775808"}) {
    EXPECT_EQ(Parse(text).type(), Json::Type::kInt) << text;
  }
}

TEST(ParseJson, ReadsEscapes) {
  EXPECT_EQ(Parse(R"("a\u0041\u00e9\ud83d\ude00\/")").AsString(), "aA\xc3\xa9\xf0\x9f\x98\x80/");
  EXPECT_EQ(Parse(R"({"a\u0041b":1})").AsObject()[0].key, "aAb");
}

TEST(ParseJson, ErrorsNameThePlace) {
  EXPECT_NE(ErrorOf("{\"a\": tru}").find("byte 6"), std::string::npos);
  EXPECT_NE(ErrorOf("[1,]").find("byte 3"), std::string::npos);
  EXPECT_NE(ErrorOf("{} x").find("more text"), std::string::npos);
  EXPECT_NE(ErrorOf("  ").find("empty"), std::string::npos);
  EXPECT_NE(ErrorOf("[1").find("ends"), std::string::npos);
}

TEST(ParseJson, IsStrict) {
  for (const char* text :
       {"", "01", "+1", "1.", ".5", "NaN", "'a'", "{a:1}", "[1 2]", "{\"a\" 1}", "\"\x01\"",
        "\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", R"("\ud800")", R"("\x")", "// c\n1",
        "{\"a\":1,}", "1e", "\xef\xbb\xbf{}"}) {
    ErrorOf(text);
  }
}

TEST(ParseJson, DepthIsBounded) {
  JsonLimits limits;
  limits.max_depth = 3;
  EXPECT_TRUE(ParseJson("[[[]]]", limits).ok());
  EXPECT_FALSE(ParseJson("[[[[]]]]", limits).ok());
  EXPECT_FALSE(ParseJson(std::string(8u << 20, '[')).ok());
  limits.max_depth = 1 << 30;
  EXPECT_FALSE(ParseJson(std::string(8u << 20, '['), limits).ok());
}

TEST(ParseJson, SizeIsBounded) {
  JsonLimits limits;
  limits.max_bytes = 4;
  EXPECT_TRUE(ParseJson("[12]", limits).ok());
  const auto refused = ParseJson("[123]", limits);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, base::Code::kTooLarge);
}

TEST(ParseJson, ReportsDuplicateKeysByPath) {
  std::vector<DuplicateKey> duplicates;
  const auto parsed = ParseJson(
      R"({"spec":{"containers":[{"name":"x"},{"name":"a","image":"i","name":"b"}]},"spec":1})", {},
      &duplicates);
  ASSERT_TRUE(parsed.ok());
  ASSERT_EQ(duplicates.size(), 2u);
  EXPECT_EQ(duplicates[0].path, "spec.containers[1].name");
  EXPECT_EQ(duplicates[1].path, "spec");
  EXPECT_EQ(WriteJson(*parsed), R"({"spec":1})");
}

TEST(ParseJson, DuplicatesInLargeObjects) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) {
    text += "\"k" + std::to_string(i % 900) + "\":" + std::to_string(i) + ",";
  }
  text.back() = '}';
  std::vector<DuplicateKey> duplicates;
  const auto parsed = ParseJson(text, {}, &duplicates);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->size(), 900u);
  EXPECT_EQ(duplicates.size(), 100u);
  EXPECT_EQ(parsed->Find("k5")->AsInt(), 905);
  EXPECT_EQ(parsed->Find("k105")->AsInt(), 105);
}

TEST(WriteJson, ReplacesBadBytes) {
  EXPECT_EQ(WriteJson(Json(std::string("a\xff" "b\xc3"))), "\"a\xef\xbf\xbd" "b\xef\xbf\xbd\"");
  EXPECT_EQ(WriteJson(Json(std::string("\x00\x1f\x7f<>&", 6))), "\"\\u0000\\u001f\x7f<>&\"");
}

TEST(WriteJson, Pretty) {
  EXPECT_EQ(WriteJsonPretty(Parse(R"({"a":[1,2],"b":{},"c":[]})")),
            "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": []\n}");
}

}  // namespace
}  // namespace kueue::api
