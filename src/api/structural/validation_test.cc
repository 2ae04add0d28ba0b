#include "api/structural/validation.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/structural/defaulting.h"
#include "api/structural/formats.h"
#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

Json Parse(const std::string& text) {
  auto json = ParseJson(text);
  EXPECT_TRUE(json.ok()) << text;
  return json.ok() ? std::move(*json) : Json();
}

// All mistakes as one text.
std::string Mistakes(const std::string& schema, const std::string& value) {
  const Schema read = ReadSchema(Parse(schema));
  const auto errors = CheckValue(read, Parse(value), "");
  return errors.empty() ? "" : AggregateText(errors);
}

std::string Changed(const std::string& schema, const std::string& before,
                    const std::string& after) {
  const Schema read = ReadSchema(Parse(schema));
  const Json old = Parse(before), now = Parse(after);
  const Correlation same(now, old, &read);
  const auto errors = CheckValue(read, now, "", &same);
  return errors.empty() ? "" : AggregateText(errors);
}

TEST(Validation, NamesTypeAndPlace) {
  EXPECT_EQ(Mistakes(R"({"type":"object","properties":{"n":{"type":"integer"}}})", R"({"n":"x"})"),
            R"(n: Invalid value: "string": n in body must be of type integer: "string")");
}

TEST(Validation, TakesWholeNumbersForIntegers) {
  EXPECT_EQ(Mistakes(R"({"type":"integer"})", "2.0"), "");
  EXPECT_NE(Mistakes(R"({"type":"integer"})", "2.5"), "");
}

TEST(Validation, BoundsMayBeExclusive) {
  const std::string schema = R"({"type":"integer","minimum":1,"exclusiveMinimum":true})";
  EXPECT_EQ(Mistakes(schema, "2"), "");
  EXPECT_EQ(Mistakes(schema, "1"), "<nil>: Invalid value: 1:  in body should be greater than 1");
}

TEST(Validation, LengthCountsCharacters) {
  EXPECT_EQ(Mistakes(R"({"type":"string","maxLength":2})", "\"éé\""), "");
  EXPECT_EQ(Mistakes(R"({"type":"object","properties":{"s":{"type":"string","maxLength":1}}})",
                     R"({"s":"ab"})"),
            "s: Too long: may not be more than 1 byte");
}

TEST(Validation, EnumTellsWhatThereIs) {
  EXPECT_EQ(Mistakes(R"({"type":"object","properties":{"e":{"type":"string","enum":["A","B"]}}})",
                     R"({"e":"C"})"),
            R"(e: Unsupported value: "C": supported values: "A", "B")");
}

TEST(Validation, AnyOfTellsOfTheClosestAlternative) {
  const std::string text = Mistakes(
      R"({"type":"object","anyOf":[{"required":["a"]},{"required":["b"],"maxProperties":0}]})",
      R"({"c":1})");
  EXPECT_NE(text.find("must validate at least one schema (anyOf)"), std::string::npos) << text;
  EXPECT_NE(text.find("a: Required value"), std::string::npos) << text;
}

TEST(Validation, ForgivesWhatDidNotChange) {
  const std::string schema =
      R"({"type":"object","properties":{"a":{"type":"integer","maximum":5},
          "b":{"type":"integer"}}})";
  EXPECT_EQ(Changed(schema, R"({"a":9})", R"({"a":9,"b":1})"), "");
  EXPECT_NE(Changed(schema, R"({"a":9})", R"({"a":8})"), "");
}

TEST(Validation, ForgivesEntriesThatHaveKeys) {
  const std::string schema =
      R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":
          {"type":"object","properties":{"k":{"type":"string"},
           "v":{"type":"integer","maximum":5}}}})";
  EXPECT_EQ(Changed(schema, R"([{"k":"a","v":9}])", R"([{"k":"b","v":1},{"k":"a","v":9}])"), "");
  EXPECT_NE(Changed(schema, R"([{"k":"a","v":9}])", R"([{"k":"b","v":9}])"), "");
}

TEST(Validation, SetsHaveNoDuplicates) {
  const Schema schema = ReadSchema(Parse(R"({"type":"array","x-kubernetes-list-type":"set"})"));
  const auto errors = CheckLists(schema, Parse(R"(["a","b","a","a"])"), "s");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].field, "s[2]");
  EXPECT_EQ(errors[0].message, R"(Duplicate value: "a")");
}

TEST(Validation, EmbeddedResourcesSayWhatTheyAre) {
  const Schema schema =
      ReadSchema(Parse(R"({"type":"object","x-kubernetes-embedded-resource":true})"));
  EXPECT_EQ(CheckEmbedded(schema, Parse("{}"), "e").size(), 2u);
  EXPECT_TRUE(CheckEmbedded(schema, Parse(R"({"apiVersion":"v1","kind":"Pod"})"), "e").empty());
}

TEST(Defaulting, FillsWhatIsAbsentBelowWhatIsThere) {
  const Schema schema = ReadSchema(Parse(
      R"({"type":"object","properties":{"a":{"type":"object","properties":
          {"b":{"type":"integer","default":7}}}}})"));
  Json without = Parse("{}"), with = Parse(R"({"a":{}})");
  FillDefaults(schema, without);
  FillDefaults(schema, with);
  EXPECT_EQ(without, Parse("{}"));
  EXPECT_EQ(with, Parse(R"({"a":{"b":7}})"));
}

TEST(Defaulting, NullGoesUnlessItIsAllowed) {
  const Schema schema =
      ReadSchema(Parse(R"({"type":"object","properties":{"a":{"type":"string"},"n":{"type":"string",
          "nullable":true},"d":{"type":"string","default":"x"}}})"));
  Json value = Parse(R"({"a":null,"n":null,"d":null})");
  DropNulls(schema, value);
  FillDefaults(schema, value);
  EXPECT_EQ(value, Parse(R"({"n":null,"d":"x"})"));
}

TEST(Pruning, TakesOutUnknownMembersAndNamesThem) {
  const Schema schema = ReadSchema(Parse(
      R"({"type":"object","properties":{"spec":{"type":"object","properties":
          {"free":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
           "l":{"type":"array","items":{"type":"object",
            "properties":{"k":{"type":"string"}}}}}}}})"));
  Json value = Parse(R"({"kind":"T","metadata":{},"extra":1,
                         "spec":{"x":1,"free":{"y":1},"l":[{"k":"1","z":1}]}})");
  EXPECT_EQ(Prune(schema, value), (std::vector<std::string>{"extra", "spec.l[0].z", "spec.x"}));
  EXPECT_EQ(value, Parse(R"({"kind":"T","metadata":{},"spec":{"free":{"y":1},"l":[{"k":"1"}]}})"));
}

TEST(Formats, KnowTheirTexts) {
  EXPECT_TRUE(HasFormat("date", "2024-02-29"));
  EXPECT_FALSE(HasFormat("date", "2023-02-29"));
  EXPECT_TRUE(HasFormat("ipv6", "fe80::1:2"));
  EXPECT_FALSE(HasFormat("ipv6", "1::2::3"));
  EXPECT_FALSE(HasFormat("cidr", "10.0.0.0/33"));
  EXPECT_TRUE(HasFormat("nothing-known", "x"));
}

TEST(ValueText, WritesNumbersAsTheRealServer) {
  EXPECT_EQ(DoubleText(1.5), "1.5");
  EXPECT_EQ(DoubleText(1e21), "1e+21");
  EXPECT_EQ(ValueText(Parse(R"({"b":1,"a":"<"})")), R"({"a":"\u003c","b":1})");
}

}  // namespace
}  // namespace kueue::api::structural
