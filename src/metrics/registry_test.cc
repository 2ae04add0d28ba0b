#include "metrics/registry.h"

#include <gtest/gtest.h>

#include <thread>

namespace kueue::metrics {
namespace {

TEST(Registry, TextIsSortedAndComplete) {
  Registry registry;
  Gauge& gauge = registry.AddGauge("z_pending", "Those who wait.", {"queue", "status"});
  gauge.Set({"b", "active"}, 2);
  gauge.Set({"a", "inadmissible"}, 1.5);
  gauge.Set({"a", "active"}, 3);
  registry.AddCounter("a_total", "All of them.", {}).Add({});
  registry.AddCounter("never_used_total", "Nothing.", {"x"});
  EXPECT_EQ(registry.Text(),
            "# HELP a_total All of them.\n"
            "# TYPE a_total counter\n"
            "a_total 1\n"
            "# HELP z_pending Those who wait.\n"
            "# TYPE z_pending gauge\n"
            "z_pending{queue=\"a\",status=\"active\"} 3\n"
            "z_pending{queue=\"a\",status=\"inadmissible\"} 1.5\n"
            "z_pending{queue=\"b\",status=\"active\"} 2\n");
}

TEST(Registry, HistogramHasCumulativeBuckets) {
  Registry registry;
  Histogram& histogram = registry.AddHistogram("wait_seconds", "Waits.", {"queue"}, {1, 5});
  histogram.Observe({"a"}, 0.5);
  histogram.Observe({"a"}, 1);
  histogram.Observe({"a"}, 3);
  histogram.Observe({"a"}, 100);
  EXPECT_EQ(registry.Text(),
            "# HELP wait_seconds Waits.\n"
            "# TYPE wait_seconds histogram\n"
            "wait_seconds_count{queue=\"a\"} 4\n"
            "wait_seconds_sum{queue=\"a\"} 104.5\n"
            "wait_seconds_bucket{queue=\"a\",le=\"1\"} 2\n"
            "wait_seconds_bucket{queue=\"a\",le=\"5\"} 3\n"
            "wait_seconds_bucket{queue=\"a\",le=\"+Inf\"} 4\n");
  EXPECT_EQ(histogram.Count({"a"}), 4u);
  EXPECT_EQ(histogram.Sum({"a"}), 104.5);
  EXPECT_EQ(histogram.Count({"b"}), 0u);
}

TEST(Registry, LabelValuesAreEscaped) {
  Registry registry;
  registry.AddGauge("g", "A gauge.", {"x"}).Set({"a\"b\\c\nd"}, 1);
  EXPECT_NE(registry.Text().find("g{x=\"a\\\"b\\\\c\\nd\"} 1\n"), std::string::npos);
}

TEST(Registry, SeriesAreRemovedByPartOfTheirLabels) {
  Registry registry;
  Gauge& gauge = registry.AddGauge("g", "A gauge.", {"queue", "role"});
  gauge.Set({"a", "leader"}, 1);
  gauge.Set({"a", "follower"}, 2);
  gauge.Set({"b", "follower"}, 3);
  EXPECT_EQ(gauge.RemoveMatching({{"no_such_label", "a"}}), 0u);
  EXPECT_EQ(gauge.RemoveMatching({{"queue", "a"}}), 2u);
  EXPECT_EQ(gauge.Value({"a", "leader"}), 0);
  EXPECT_EQ(gauge.Value({"b", "follower"}), 3);
  EXPECT_EQ(gauge.Remove({"b", "leader"}), 0u);
  EXPECT_EQ(gauge.Remove({"b", "follower"}), 1u);
  EXPECT_EQ(registry.Text(), "");
}

TEST(Registry, RemovedSeriesStartAnew) {
  Registry registry;
  Counter& counter = registry.AddCounter("c_total", "A counter.", {"x"});
  counter.Add({"a"}, 5);
  EXPECT_EQ(counter.RemoveMatching({}), 1u);
  counter.Add({"a"}, 0);
  EXPECT_EQ(counter.Value({"a"}), 0);
  EXPECT_NE(registry.Text().find("c_total{x=\"a\"} 0\n"), std::string::npos);
}

TEST(Registry, ThreadsMayCountTogether) {
  Registry registry;
  Counter& counter = registry.AddCounter("c_total", "A counter.", {"x"});
  const auto count = [&] {
    for (int i = 0; i < 1000; ++i) {
      counter.Add({i % 2 ? "a" : "b"});
      if (i % 100 == 0) registry.Text();
    }
  };
  std::thread one(count);
  std::thread two(count);
  one.join();
  two.join();
  EXPECT_EQ(counter.Value({"a"}) + counter.Value({"b"}), 2000);
}

TEST(Registry, ExponentialBuckets) {
  EXPECT_EQ(ExponentialBuckets(1, 2.5, 4), (std::vector<double>{1, 2.5, 6.25, 15.625}));
}

TEST(RegistryDeathTest, OurMistakesEndTheProcess) {
  Registry registry;
  Gauge& gauge = registry.AddGauge("g", "A gauge.", {"x"});
  EXPECT_DEATH(gauge.Set({}, 1), "g");
  EXPECT_DEATH(registry.AddCounter("g", "Taken.", {}), "twice");
  EXPECT_DEATH(registry.AddCounter("not a name", "Malformed.", {}), "not a name");
}

}  // namespace
}  // namespace kueue::metrics
