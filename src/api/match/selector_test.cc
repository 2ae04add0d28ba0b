#include "api/match/selector.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

const StringMap kLabels = {{"a", "1"}, {"b", "x"}, {"e", ""}, {"example.com/k", "v"}, {"n", "10"}};

enum Answer { kMatches, kDoesNot, kRefused };

struct QueryRow {
  const char* text;
  Answer answer;
};

// Measured on Kubernetes (k8s.io/apimachinery v0.37.2) against kLabels.
constexpr QueryRow kQueries[] = {
    {"", kMatches},
    {" ", kMatches},
    {"a", kMatches},
    {"!a", kDoesNot},
    {"z", kDoesNot},
    {"!z", kMatches},
    {"a=1", kMatches},
    {"a==1", kMatches},
    {"a = 1", kMatches},
    {"a=2", kDoesNot},
    {"a!=1", kDoesNot},
    {"a!=2", kMatches},
    {"z!=1", kMatches},
    {"z=1", kDoesNot},
    {"a=1,b=x", kMatches},
    {"a=1,b=y", kDoesNot},
    {" a=1 , b=x ", kMatches},
    {"a in (1)", kMatches},
    {"a in (1,2)", kMatches},
    {"a in (2,3)", kDoesNot},
    {"a notin (1)", kDoesNot},
    {"a notin (2)", kMatches},
    {"z notin (1)", kMatches},
    {"z in (1)", kDoesNot},
    {"a in ( 1 , 2 )", kMatches},
    {"a in(1)", kMatches},
    {"a in (1),b notin (y),!z,n", kMatches},
    {"e=", kMatches},
    {"e in ()", kMatches},
    {"e in (,)", kMatches},
    {"a in (,1)", kMatches},
    {"e in (,1)", kMatches},
    {"z=", kDoesNot},
    {"e!=", kDoesNot},
    {"a!=", kMatches},
    {"e", kMatches},
    {"example.com/k=v", kMatches},
    {"example.com/k in (v)", kMatches},
    {"n>5", kMatches},
    {"n>10", kDoesNot},
    {"n<11", kMatches},
    {"n<10", kDoesNot},
    {"n > 5", kMatches},
    {"n > x", kRefused},
    {"b>1", kDoesNot},
    {"z>1", kDoesNot},
    {"z<1", kDoesNot},
    {"a in 1", kRefused},
    {"a in (1", kRefused},
    {"a in 1)", kRefused},
    {"a in", kRefused},
    {"a notin", kRefused},
    {"a,", kRefused},
    {"a,,b", kRefused},
    {",", kRefused},
    {",a", kRefused},
    {"=1", kRefused},
    {"==", kRefused},
    {"!", kRefused},
    {"!!a", kRefused},
    {"!a=1", kRefused},
    {"a!", kRefused},
    {"a=1=2", kRefused},
    {"a===1", kRefused},
    {"a b", kRefused},
    {"a=b c", kRefused},
    {"a=1 b=x", kRefused},
    {"in", kDoesNot},
    {"in=1", kDoesNot},
    {"in in (1)", kDoesNot},
    {"notin", kDoesNot},
    {"!in", kMatches},
    {"a in (b c)", kRefused},
    {"a=(1)", kRefused},
    {"(a)", kRefused},
    {"a/b/c=1", kRefused},
    {"/a", kRefused},
    {"a/", kRefused},
    {"-a=1", kRefused},
    {"a-=1", kRefused},
    {"a=-1", kRefused},
    {"a=1-", kRefused},
    {"a=a.b_c-d", kDoesNot},
    {"a=x/y", kRefused},
    {"UP.com/a", kRefused},
    {"a..b/c", kRefused},
    {"a=é", kRefused},
    {"é=1", kRefused},
    {"a\t=\n1", kMatches},
    {"a=!1", kRefused},
    {"a>1,a<3", kDoesNot},
    {"a in (1,1)", kMatches},
    {"a=1,a=1", kMatches},
    {"a=1,a=2", kDoesNot},
    {"a123456789012345678901234567890123456789012345678901234567890123", kRefused},
    {"a12345678901234567890123456789012345678901234567890123456789012", kDoesNot},
    {"a=a123456789012345678901234567890123456789012345678901234567890123", kRefused},
    {"n>+5", kRefused},
    {"n>05", kMatches},
    {"n>5.5", kRefused},
    {"n>-1", kRefused},
    {"a IN (1)", kRefused},
    {"n>", kRefused},
    {"n>5,", kRefused},
    {"n>5 6", kRefused},
};

TEST(LabelQuery, AnswersAsKubernetes) {
  for (const QueryRow& row : kQueries) {
    SCOPED_TRACE(row.text);
    const auto query = LabelQuery::Parse(row.text);
    EXPECT_EQ(query.ok(), row.answer != kRefused);
    if (!query.ok()) {
      EXPECT_EQ(query.error().code, base::Code::kBadRequest);
    } else {
      EXPECT_EQ(query->Matches(kLabels), row.answer == kMatches);
    }
  }
}

TEST(LabelQuery, EmptyTextAsksForNothing) {
  EXPECT_TRUE(LabelQuery::Parse(" ").value().empty());
  EXPECT_FALSE(LabelQuery::Parse("a").value().empty());
}

TEST(LabelQuery, RefusalNamesTheText) {
  const auto refused = LabelQuery::Parse("a in 1");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("'a in 1'"), std::string::npos);
}

LabelSelector WithExpression(std::string key, std::string op, std::vector<std::string> values) {
  LabelSelector selector;
  LabelSelectorRequirement requirement;
  requirement.key = std::move(key);
  requirement.op = std::move(op);
  requirement.values = std::move(values);
  selector.match_expressions.push_back(std::move(requirement));
  return selector;
}

bool Matches(const LabelSelector& selector) {
  const auto result = MatchesLabels(&selector, kLabels);
  EXPECT_TRUE(result.ok());
  return result.ok() && *result;
}

TEST(LabelSelector, AbsentMatchesNothingAndEmptyEverything) {
  EXPECT_FALSE(MatchesLabels(nullptr, kLabels).value());
  EXPECT_TRUE(Matches(LabelSelector()));
}

TEST(LabelSelector, AllLabelsMustMatch) {
  LabelSelector selector;
  selector.match_labels = {{"a", "1"}, {"b", "x"}};
  EXPECT_TRUE(Matches(selector));
  selector.match_labels["b"] = "y";
  EXPECT_FALSE(Matches(selector));
  selector.match_labels = {{"absent", ""}};
  EXPECT_FALSE(Matches(selector));
}

TEST(LabelSelector, ExpressionsMeanWhatTheirOperatorsSay) {
  EXPECT_TRUE(Matches(WithExpression("a", "In", {"0", "1"})));
  EXPECT_FALSE(Matches(WithExpression("z", "In", {"1"})));
  EXPECT_FALSE(Matches(WithExpression("a", "NotIn", {"1"})));
  EXPECT_TRUE(Matches(WithExpression("z", "NotIn", {"1"})));
  EXPECT_TRUE(Matches(WithExpression("e", "Exists", {})));
  EXPECT_TRUE(Matches(WithExpression("z", "DoesNotExist", {})));
}

TEST(LabelSelector, MalformedExpressionsNameKeyAndOperator) {
  for (const LabelSelector& selector :
       {WithExpression("a", "In", {}), WithExpression("a", "NotIn", {}),
        WithExpression("a", "Exists", {"1"}), WithExpression("a", "DoesNotExist", {"1"}),
        WithExpression("a", "Gt", {"0"}), WithExpression("a", "", {}),
        WithExpression("a", "In", {"x/y"}), WithExpression("-a", "Exists", {})}) {
    const auto result = MatchesLabels(&selector, kLabels);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, base::Code::kInvalid);
    EXPECT_NE(result.error().message.find(selector.match_expressions[0].key), std::string::npos);
    EXPECT_NE(result.error().message.find(selector.match_expressions[0].op), std::string::npos);
  }
}

TEST(LabelSelector, AMismatchDoesNotHideAMalformedExpression) {
  LabelSelector selector = WithExpression("a", "Bad", {});
  selector.match_labels = {{"a", "2"}};
  EXPECT_FALSE(MatchesLabels(&selector, kLabels).ok());
}

std::string Shown(std::string_view text) {
  const auto fields = ParseFieldSelector(text);
  if (!fields.ok()) return "refused";
  std::string out;
  for (const FieldRequirement& f : *fields) {
    out += "[" + f.field + (f.equal ? " is " : " is not ") + f.value + "]";
  }
  return out;
}

TEST(FieldSelector, SplitsIntoRequirements) {
  EXPECT_EQ(Shown(""), "");
  EXPECT_EQ(Shown("a=b"), "[a is b]");
  EXPECT_EQ(Shown("a==b"), "[a is b]");
  EXPECT_EQ(Shown("a!=b"), "[a is not b]");
  EXPECT_EQ(Shown("metadata.name=x,status.phase!=Running"),
            "[metadata.name is x][status.phase is not Running]");
  EXPECT_EQ(Shown("a="), "[a is ]");
  EXPECT_EQ(Shown("a=!b"), "[a is !b]");
}

TEST(FieldSelector, SkipsEmptyTerms) {
  EXPECT_EQ(Shown("a=b,"), "[a is b]");
  EXPECT_EQ(Shown("a=b,,c=d"), "[a is b][c is d]");
  EXPECT_EQ(Shown(","), "");
}

TEST(FieldSelector, BackslashesProtectSeparatorsInValues) {
  EXPECT_EQ(Shown("a=b\\,c,d=e"), "[a is b,c][d is e]");
  EXPECT_EQ(Shown("a=b\\=c"), "[a is b=c]");
  EXPECT_EQ(Shown("a=b\\\\"), "[a is b\\]");
}

TEST(FieldSelector, RefusesWhatItCannotSplit) {
  for (const char* text : {"a", "a=b=c", "a\\=b=c", "a=b,c", "a=b\\", "a=b\\x", "a!b", "a>1"}) {
    EXPECT_EQ(Shown(text), "refused") << text;
  }
}

}  // namespace
}  // namespace kueue::api
