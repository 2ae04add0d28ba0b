#include "api/match/limit_range.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"

namespace kueue::api {
namespace {

Quantity Amount(const char* text) { return *Quantity::Parse(text); }

LimitRange Range(const char* text) { return ReadLimitRange(*ParseJson(text)); }

PodSpec PodOf(ResourceList requests, ResourceList limits = {}) {
  PodSpec pod;
  Container& container = pod.containers.emplace_back();
  container.name = "c";
  container.resources.requests = std::move(requests);
  container.resources.limits = std::move(limits);
  return pod;
}

TEST(LimitRangeTest, IsReadFromItsObject) {
  const LimitRange range = Range(R"({"metadata":{"namespace":"ns","name":"r"},"spec":{"limits":[
      {"type":"Container","max":{"cpu":"2"},"min":{"cpu":"100m"},"default":{"cpu":1},
       "defaultRequest":{"memory":"1Gi"}}]}})");
  EXPECT_EQ(range.namespace_name, "ns");
  ASSERT_EQ(range.items.size(), 1u);
  EXPECT_EQ(range.items[0].max.at("cpu"), Amount("2"));
  EXPECT_EQ(range.items[0].default_limits.at("cpu"), Amount("1"));
  EXPECT_EQ(range.items[0].default_requests.at("memory"), Amount("1Gi"));
}

TEST(LimitRangeTest, SummaryKeepsTheNarrowestBoundsAndTheFirstDefaults) {
  const LimitRange a = Range(R"({"spec":{"limits":[{"type":"Container","max":{"cpu":"2"},
      "min":{"cpu":"1"},"default":{"cpu":"1"}}]}})");
  const LimitRange b = Range(R"({"spec":{"limits":[{"type":"Container","max":{"cpu":"3"},
      "min":{"cpu":"2"},"default":{"cpu":"5","memory":"1"}},{"type":"PersistentVolumeClaim"}]}})");
  const LimitSummary summary = Summarize({&a, &b});
  EXPECT_EQ(summary.container->max.at("cpu"), Amount("2"));
  EXPECT_EQ(summary.container->min.at("cpu"), Amount("2"));
  EXPECT_EQ(summary.container->default_limits.at("cpu"), Amount("1"));
  EXPECT_EQ(summary.container->default_limits.at("memory"), Amount("1"));
  EXPECT_FALSE(summary.pod);
}

// A default request beats the container's own limit: limits stand in for requests only afterwards.
TEST(LimitRangeTest, DefaultsFillWhatIsMissing) {
  const LimitRange range = Range(R"({"spec":{"limits":[{"type":"Container",
      "default":{"cpu":"4"},"defaultRequest":{"cpu":"1","memory":"7"}}]}})");
  PodSpec pod = PodOf({{"memory", Amount("3")}}, {{"cpu", Amount("2")}});
  FillLimitDefaults(Summarize({&range}), pod);
  EXPECT_EQ(pod.containers[0].resources.limits.at("cpu"), Amount("2"));
  EXPECT_EQ(pod.containers[0].resources.requests.at("cpu"), Amount("1"));
  EXPECT_EQ(pod.containers[0].resources.requests.at("memory"), Amount("3"));
}

TEST(LimitRangeTest, PodDefaultsNeedResourcesOfThePodItself) {
  const LimitRange range =
      Range(R"({"spec":{"limits":[{"type":"Pod","defaultRequest":{"cpu":"1"}}]}})");
  PodSpec pod = PodOf({});
  FillLimitDefaults(Summarize({&range}), pod);
  EXPECT_FALSE(pod.resources);
  pod.resources.emplace();
  FillLimitDefaults(Summarize({&range}), pod);
  EXPECT_EQ(pod.resources->requests.at("cpu"), Amount("1"));
}

TEST(LimitRangeTest, ContainersAreHeldWithinTheirBounds) {
  const LimitRange range = Range(R"({"spec":{"limits":[{"type":"Container",
      "max":{"cpu":"2"},"min":{"memory":"10"}}]}})");
  const LimitSummary summary = Summarize({&range});
  EXPECT_EQ(FindOutOfBounds(summary, PodOf({{"cpu", Amount("2")}})), "");
  // The limit counts as well.
  EXPECT_NE(FindOutOfBounds(summary, PodOf({{"cpu", Amount("1")}}, {{"cpu", Amount("3")}})), "");
  EXPECT_NE(FindOutOfBounds(summary, PodOf({{"memory", Amount("9")}})), "");
  PodSpec init = PodOf({});
  init.init_containers = PodOf({{"cpu", Amount("3")}}).containers;
  EXPECT_NE(FindOutOfBounds(summary, init), "");
}

TEST(LimitRangeTest, PodsAreHeldWithinTheirBoundsAsAWhole) {
  const LimitRange range = Range(R"({"spec":{"limits":[{"type":"Pod","max":{"cpu":"3"}}]}})");
  PodSpec pod = PodOf({{"cpu", Amount("2")}});
  EXPECT_EQ(FindOutOfBounds(Summarize({&range}), pod), "");
  pod.overhead["cpu"] = Amount("1500m");
  EXPECT_NE(FindOutOfBounds(Summarize({&range}), pod), "");
}

TEST(LimitRangeTest, RuntimeClassHasItsOverhead) {
  const RuntimeClass kata = ReadRuntimeClass(
      *ParseJson(R"({"metadata":{"name":"kata"},"overhead":{"podFixed":{"cpu":"250m"}}})"));
  EXPECT_EQ(kata.name, "kata");
  EXPECT_EQ(kata.overhead.at("cpu"), Amount("250m"));
}

}  // namespace
}  // namespace kueue::api
