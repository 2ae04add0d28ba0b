#include "api/structural/definition_schema.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/structural/rules.h"
#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

Json Parse(const std::string& text) {
  auto json = ParseJson(text);
  EXPECT_TRUE(json.ok()) << text;
  return json.ok() ? std::move(*json) : Json();
}

std::vector<std::string> Fields(const std::vector<FieldError>& errors) {
  std::vector<std::string> fields;
  for (const FieldError& error : errors) fields.push_back(error.field);
  return fields;
}

std::vector<std::string> Refused(const std::string& schema) {
  return Fields(CheckDefinitionSchema(Parse(schema), "s", {}));
}

TEST(DefinitionSchema, EverythingHasAType) {
  EXPECT_EQ(Refused(R"j({"type":"object","properties":{"a":{}}})j"),
            std::vector<std::string>{"s.properties[a].type"});
}

TEST(DefinitionSchema, LogicIsAboutValuesOnly) {
  EXPECT_EQ(Refused(R"j({"type":"object","anyOf":[{"type":"object"}]})j"),
            std::vector<std::string>{"s.anyOf[0].type"});
  EXPECT_EQ(Refused(R"j({"type":"object","oneOf":[{"properties":{"b":{"minLength":1}}}]})j"),
            std::vector<std::string>{"s.properties[b]"});
}

TEST(DefinitionSchema, DefaultsAreValid) {
  EXPECT_EQ(Refused(R"j({"type":"object","properties":{"a":{"type":"integer","default":"x"}}})j"),
            std::vector<std::string>{"s.properties[a].default"});
}

TEST(DefinitionSchema, RulesMustCompile) {
  EXPECT_EQ(Refused(R"j({"type":"object","x-kubernetes-validations":[{"rule":"self.none > 1"}]})j"),
            std::vector<std::string>{"s.x-kubernetes-validations[0].rule"});
}

TEST(DefinitionSchema, OldSelfNeedsAnEntryThatCanBeFoundAgain) {
  const std::string list = R"j({"type":"object","properties":{"l":{"type":"array","items":
      {"type":"integer","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}}})j";
  EXPECT_EQ(Refused(list).size(), 1u);
}

TEST(DefinitionSchema, RulesMayNotBecomeTooExpensive) {
  const char* endless = R"j({"type":"object","properties":{"a":{"type":"array","items":
      {"type":"string"},
      "x-kubernetes-validations":[{"rule":"self.all(x, self.all(y, x == y))"}]}}})j";
  const char* bounded =
      R"j({"type":"object","properties":{"a":{"type":"array","maxItems":10,"items":
      {"type":"string","maxLength":10},
      "x-kubernetes-validations":[{"rule":"self.all(x, self.all(y, x == y))"}]}}})j";
  EXPECT_EQ(Refused(endless).size(), 3u);
  EXPECT_TRUE(Refused(bounded).empty());
}

RuleSet::Outcome Judge(const Schema& schema, const std::string& now, const std::string& before) {
  const auto rules = RuleSet::Of(schema, false);
  const Json value = Parse(now);
  if (before.empty()) return rules->Check(value, nullptr, nullptr, "spec");
  const Json old = Parse(before);
  const Correlation same(value, old, &schema);
  return rules->Check(value, &old, &same, "spec");
}

TEST(Rules, TellTheirFieldAndReason) {
  const Schema schema = ReadSchema(Parse(R"j({"type":"object","properties":{"k":{"type":"string"}},
      "x-kubernetes-validations":[{"rule":"has(self.k)","fieldPath":".k",
                                   "reason":"FieldValueRequired"}]})j"));
  const auto outcome = Judge(schema, "{}", "");
  ASSERT_EQ(outcome.errors.size(), 1u);
  EXPECT_EQ(outcome.errors[0].field, "spec.k");
  EXPECT_EQ(outcome.errors[0].message, "Required value: failed rule: has(self.k)");
}

TEST(Rules, OfTransitionsNeedAnOldValue) {
  const Schema schema = ReadSchema(Parse(
      R"j({"type":"string","x-kubernetes-validations":
          [{"rule":"self == oldSelf","message":"m"}]})j"));
  EXPECT_TRUE(Judge(schema, "\"a\"", "").errors.empty());
  EXPECT_EQ(Judge(schema, "\"a\"", "\"b\"").errors.size(), 1u);
}

TEST(Rules, OnlyWarnOfWhatDidNotChange) {
  const Schema schema =
      ReadSchema(Parse(R"j({"type":"integer","x-kubernetes-validations":[{"rule":"self > 5"}]})j"));
  EXPECT_EQ(Judge(schema, "1", "2").errors.size(), 1u);
  const auto same = Judge(schema, "1", "1");
  EXPECT_TRUE(same.errors.empty());
  EXPECT_EQ(same.warnings.size(), 1u);
}

TEST(Rules, SpeakByExpression) {
  const Schema schema = ReadSchema(Parse(R"j({"type":"integer","x-kubernetes-validations":
      [{"rule":"self > 5","messageExpression":"'is ' + string(self)"}]})j"));
  const auto outcome = Judge(schema, "1", "");
  ASSERT_EQ(outcome.errors.size(), 1u);
  EXPECT_EQ(outcome.errors[0].message, "Invalid value: 1: is 1");
}

}  // namespace
}  // namespace kueue::api::structural
