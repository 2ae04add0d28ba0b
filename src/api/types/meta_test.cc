#include "api/types/meta.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

Time At(int64_t microseconds) { return Time(Duration(microseconds)); }

Condition Ready(ConditionStatus status, std::string message) {
  Condition condition;
  condition.type = "Ready";
  condition.status = status;
  condition.reason = "Because";
  condition.message = std::move(message);
  return condition;
}

TEST(SetCondition, AddsWithWholeSeconds) {
  std::vector<Condition> conditions;
  EXPECT_TRUE(SetCondition(conditions, Ready(ConditionStatus::kTrue, "a"), At(5'900'000)));
  ASSERT_EQ(conditions.size(), 1u);
  EXPECT_EQ(conditions[0].last_transition_time, At(5'000'000));
  EXPECT_TRUE(IsConditionTrue(conditions, "Ready"));
  EXPECT_FALSE(IsConditionTrue(conditions, "Other"));
}

TEST(SetCondition, TransitionTimeMovesOnlyWithTheStatus) {
  std::vector<Condition> conditions;
  SetCondition(conditions, Ready(ConditionStatus::kTrue, "a"), At(5'000'000));
  EXPECT_TRUE(SetCondition(conditions, Ready(ConditionStatus::kTrue, "b"), At(9'000'000)));
  EXPECT_EQ(conditions[0].message, "b");
  EXPECT_EQ(conditions[0].last_transition_time, At(5'000'000));
  EXPECT_TRUE(SetCondition(conditions, Ready(ConditionStatus::kFalse, "b"), At(9'000'000)));
  EXPECT_EQ(conditions[0].last_transition_time, At(9'000'000));
}

TEST(SetCondition, SaysWhenNothingChanged) {
  std::vector<Condition> conditions;
  SetCondition(conditions, Ready(ConditionStatus::kTrue, "a"), At(5'000'000));
  EXPECT_FALSE(SetCondition(conditions, Ready(ConditionStatus::kTrue, "a"), At(9'000'000)));
}

TEST(ObjectMeta, KeyAndController) {
  ObjectMeta meta;
  meta.name = "a";
  EXPECT_EQ(KeyOf(meta), "a");
  meta.namespace_name = "ns";
  EXPECT_EQ(KeyOf(meta), "ns/a");
  meta.owner_references.resize(2);
  EXPECT_EQ(ControllerOf(meta), nullptr);
  meta.owner_references[1].controller = true;
  EXPECT_EQ(ControllerOf(meta), &meta.owner_references[1]);
}

}  // namespace
}  // namespace kueue::api
