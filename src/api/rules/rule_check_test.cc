#include "api/rules/rule_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/rules/rule_plan.h"
#include "api/schema/kind.h"

namespace kueue::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr ValueOps kText{.kind = FieldKind::kString};
constexpr ValueOps kWhole{.kind = FieldKind::kInt64};
constexpr ValueOps kEither{.kind = FieldKind::kIntOrString};

FieldDescriptor FieldOf(std::string_view name, const ValueOps& ops) {
  FieldDescriptor field;
  field.json_name = name;
  field.ops = &ops;
  return field;
}

using Rules = std::vector<CelRule>;

// An object with a text, a number, an int-or-string, a map-like list and an atomic one. The plan of
// a table is kept by its address, so tables are never freed.
struct Widget {
  StructDescriptor* item = new StructDescriptor;
  StructDescriptor* table = new StructDescriptor;
  ValueOps* entry = new ValueOps{.kind = FieldKind::kStruct};
  ValueOps* list = new ValueOps{.kind = FieldKind::kList};

  explicit Widget(std::vector<CelRule> rules = {}, std::vector<CelRule> of_items = {},
                  std::vector<CelRule> of_text = {}) {
    item->fields = {FieldOf("name", kText), FieldOf("size", kWhole)};
    item->rules = std::move(of_items);
    entry->described = item;
    list->item = entry;
    table->fields = {FieldOf("text", kText), FieldOf("size", kWhole), FieldOf("either", kEither),
                     FieldOf("named", *list), FieldOf("plain", *list)};
    table->fields[0].rules = std::move(of_text);
    table->fields[3].list_type = ListType::kMap;
    table->fields[3].list_keys = {"name"};
    table->rules = std::move(rules);
  }

  std::vector<std::string> Told(std::string_view after, std::string_view before = "") const {
    const Json now = ParseJson(after).value();
    const Json was = before.empty() ? Json() : ParseJson(before).value();
    std::vector<FieldError> errors;
    CheckTableRules(*table, now, before.empty() ? nullptr : &was, errors);
    std::vector<std::string> lines;
    for (const FieldError& e : errors) {
      lines.push_back(std::string(CauseReason(e.type)) + " " + e.field + ": " + e.message);
    }
    return lines;
  }
};

TEST(TableRules, ABrokenRuleIsToldWithItsMessage) {
  const Widget widget(Rules{{"self.size > 1", " must be large \n"}, {"self.size < 9", ""}});
  EXPECT_THAT(widget.Told(R"({"size":1})"), ElementsAre("FieldValueInvalid <nil>: must be large"));
  EXPECT_THAT(widget.Told(R"({"size":9})"),
              ElementsAre("FieldValueInvalid <nil>: failed rule: self.size < 9"));
}

TEST(TableRules, TheExpressionOfTheMessageComesFirstIfItGivesALine) {
  const Widget widget(Rules{{"self.size > 1", "plain", "'size is ' + string(self.size)"},
                            {"self.size > 2", "plain", "'two\\nlines'"},
                            {"self.size > 3", "plain", "'  '"},
                            {"self.size > 4", "plain", "self.text"}});
  EXPECT_THAT(widget.Told(R"({"size":1})"),
              ElementsAre("FieldValueInvalid <nil>: size is 1", "FieldValueInvalid <nil>: plain",
                          "FieldValueInvalid <nil>: plain", "FieldValueInvalid <nil>: plain"));
}

TEST(TableRules, ReasonAndFieldPath) {
  const Widget widget(Rules{{"self.size > 1", "m", "", "FieldValueForbidden", ".text"}},
                      {{"has(self.size)", "m", "", "FieldValueRequired", ".size"}});
  EXPECT_THAT(widget.Told(R"({"size":1,"plain":[{"name":"a"}]})"),
              ElementsAre("FieldValueForbidden text: m", "FieldValueRequired plain[0].size: m"));
}

TEST(TableRules, ARuleThatFailsIsTold) {
  const Widget widget(Rules{{"self.size > 1", "the size"}, {"self.either < 3", "the other"}});
  EXPECT_THAT(
      widget.Told(R"({"either":"x"})"),
      ElementsAre("FieldValueInvalid <nil>: no such key: size evaluating rule: the size",
                  "FieldValueInvalid <nil>: 'no such overload': call arguments did not match a "
                  "supported operator, function or macro signature for rule: the other"));
}

TEST(TableRules, TransitionRulesNeedAComparableValue) {
  const Widget widget({}, {{"self.size >= oldSelf.size", "may not shrink"}},
                      {{"self == oldSelf", "stays"}});
  EXPECT_THAT(widget.Told(R"({"text":"a"})"), IsEmpty());
  EXPECT_THAT(widget.Told(R"({"text":"a"})", "{}"), IsEmpty());
  EXPECT_THAT(widget.Told(R"({"text":"a"})", R"({"text":"b"})"),
              ElementsAre("FieldValueInvalid text: stays"));
  // Entries of a map-like list are found by their keys, those of other lists never.
  EXPECT_THAT(widget.Told(R"({"named":[{"name":"b","size":1},{"name":"c","size":1}]})",
                          R"({"named":[{"name":"a","size":9},{"name":"b","size":2}]})"),
              ElementsAre("FieldValueInvalid named[0]: may not shrink"));
  EXPECT_THAT(
      widget.Told(R"({"plain":[{"name":"a","size":1}]})", R"({"plain":[{"name":"a","size":2}]})"),
      IsEmpty());
}

TEST(TableRules, OptionalOldSelfIsLookedAtOnACreateToo) {
  const Widget widget(
      {{"!oldSelf.hasValue() || oldSelf.value().size <= self.size", "m", "", "", "", true},
       {"oldSelf.hasValue()", "needs one", "", "", "", true}});
  EXPECT_THAT(widget.Told(R"({"size":1})"), ElementsAre("FieldValueInvalid <nil>: needs one"));
  EXPECT_THAT(widget.Told(R"({"size":1})", R"({"size":2})"),
              ElementsAre("FieldValueInvalid <nil>: m"));
}

TEST(TableRules, PartsThatDidNotChangeAreLetPass) {
  const Widget widget({}, {{"self.size > 1", "must be large"}});
  constexpr const char* kBefore = R"({"named":[{"name":"a","size":1}],"plain":[{"size":1}]})";
  EXPECT_THAT(
      widget.Told(R"({"text":"x","named":[{"name":"a","size":1}],"plain":[{"size":1}]})", kBefore),
      IsEmpty());
  // The entry of a list without keys has nothing to be compared with once the list changed.
  EXPECT_THAT(widget.Told(R"({"named":[{"name":"b","size":2},{"name":"a","size":1}],
                              "plain":[{"size":1},{"size":2}]})",
                          kBefore),
              ElementsAre("FieldValueInvalid plain[0]: must be large"));
}

TEST(TableRules, TextsThatCannotBeCompiledAreToldAndNotUsed) {
  const Widget widget(Rules{{"self.nope", "m"}, {"self.size", "m"}, {"self.size > 1", "m"}});
  EXPECT_THAT(widget.Told(R"({"size":1})"),
              ElementsAre(HasSubstr("rule compile error: ERROR: <input>:1:5: undefined field"),
                          HasSubstr("cel expression must evaluate to a bool"),
                          "FieldValueInvalid <nil>: m"));
}

// 300 entries against each other twice: more than one evaluation may cost.
TEST(TableRules, AnEvaluationMayNotCostTooMuch) {
  const Widget widget(
      Rules{{"self.plain.all(a, self.plain.all(b, self.plain.all(c, a.size + b.size + "
             "c.size >= 0)))",
             "sums"},
            {"self.size > 1", "not looked at any more"}});
  std::string entries = R"({"size":0})";
  for (int i = 0; i < 300; ++i) entries += R"(,{"size":1})";
  EXPECT_THAT(widget.Told(R"({"size":1,"plain":[)" + entries + "]}"),
              ElementsAre(HasSubstr("no further validation rules will be run due to call cost "
                                    "exceeds limit for rule: sums")));
}

// Fourteen rules of which each may be evaluated, but not all.
TEST(TableRules, TheRulesOfAnObjectShareABudget) {
  const std::string rule = "self.plain.all(a, self.plain.all(b, a.size + b.size >= 0))";
  const Widget widget(std::vector<CelRule>(14, CelRule{rule, "sums"}));
  std::string entries = R"({"size":0})";
  for (int i = 0; i < 330; ++i) entries += R"(,{"size":1})";
  EXPECT_THAT(widget.Told(R"({"plain":[)" + entries + "]}"),
              ElementsAre("FieldValueInvalid <nil>: validation failed due to running out of cost "
                          "budget, no further validation rules will be run"));
}

// What a server would tell us when it is given the definition.
TEST(TableRules, AllRulesOfTheTablesCompile) {
  size_t kinds = 0;
  for (const KindInfo* kind : AllKinds()) {
    if (!kind->custom_resource) continue;
    EXPECT_THAT(BrokenRules(*kind->table), IsEmpty()) << kind->kind;
    kinds += RulePlanOf(*kind->table) != nullptr ? 1 : 0;
  }
  EXPECT_GT(kinds, 8U);
}

}  // namespace
}  // namespace kueue::api
