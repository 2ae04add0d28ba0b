#include "api/match/name_rules.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

TEST(NameRules, DnsNames) {
  EXPECT_TRUE(IsDnsLabel("a-1"));
  EXPECT_FALSE(IsDnsLabel("a.b"));
  EXPECT_FALSE(IsDnsLabel("-a"));
  EXPECT_FALSE(IsDnsLabel(std::string(64, 'a')));
  EXPECT_TRUE(IsDnsSubdomain("a.b-c"));
  EXPECT_FALSE(IsDnsSubdomain("a..b"));
  EXPECT_FALSE(IsDnsSubdomain(""));
  EXPECT_FALSE(IsDnsSubdomain("A"));
}

TEST(NameRules, QualifiedNames) {
  EXPECT_TRUE(IsQualifiedName("cpu"));
  EXPECT_TRUE(IsQualifiedName("nvidia.com/gpu_0.A"));
  EXPECT_FALSE(IsQualifiedName("a/b/c"));
  EXPECT_FALSE(IsQualifiedName("/b"));
  EXPECT_FALSE(IsQualifiedName("a b"));
  EXPECT_FALSE(IsQualifiedName("a/" + std::string(64, 'x')));
}

// One sentence per broken rule: as many as there are causes in the answer.
TEST(NameRules, EveryBrokenRuleIsNamed) {
  EXPECT_EQ(QualifiedNameProblems("").size(), 2u);
  EXPECT_EQ(QualifiedNameProblems("a b").size(), 1u);
  EXPECT_EQ(QualifiedNameProblems("Bad_/x!").size(), 2u);
  EXPECT_TRUE(QualifiedNameProblems("a").empty());
}

TEST(NameRules, LabelValuesMayBeEmpty) {
  EXPECT_TRUE(IsLabelValue(""));
  EXPECT_TRUE(IsLabelValue("A_1"));
  EXPECT_FALSE(IsLabelValue("a/b"));
}

// The schema's pattern takes fractional exponents, which reading a quantity does not.
TEST(NameRules, QuantityText) {
  for (const char* good : {"1", "+1", "-0.5", ".5", "1.", "1Gi", "100m", "1e3", "1E-2", "1e1.5"}) {
    EXPECT_TRUE(IsQuantityText(good)) << good;
  }
  for (const char* bad : {"", ".", "1 ", "1Kib", "abc", "1e", "1,5", "--1", "1i"}) {
    EXPECT_FALSE(IsQuantityText(bad)) << bad;
  }
}

}  // namespace
}  // namespace kueue::api
