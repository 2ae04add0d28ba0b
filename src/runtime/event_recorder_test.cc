#include "runtime/event_recorder.h"

#include <gtest/gtest.h>

#include "kube/testing/fake_cluster.h"

namespace kueue::runtime {
namespace {

const char kEvents[] = "/api/v1/namespaces/a/events";

class EventRecorderTest : public testing::Test {
 protected:
  static EventRecord About(const std::string& name, const std::string& message) {
    EventRecord record;
    record.regarding.kind = "ConfigMap";
    record.regarding.namespace_name = "a";
    record.regarding.name = name;
    record.reason = "Tested";
    record.message = message;
    return record;
  }
  int64_t CountOf(size_t i) const {
    return cluster.server.Under(kEvents).at(i).FindPath({"count"})->AsInt();
  }
  void Make(size_t max_pending, std::function<bool()> pressure = nullptr) {
    recorder = std::make_unique<EventRecorder>(
        cluster.client, cluster.executor, base::Random(1),
        EventRecorder::Options{"kueue", max_pending, std::move(pressure)});
  }
  void Run() { cluster.executor.RunReady(); }

  kube::FakeCluster cluster;
  std::unique_ptr<EventRecorder> recorder;
};

TEST_F(EventRecorderTest, WritesWhoWhatAndWhen) {
  Make(10);
  EventRecord record = About("x", "all is well");
  record.type = "Warning";
  recorder->Record(record);
  Run();
  const auto events = cluster.server.Under(kEvents);
  ASSERT_EQ(events.size(), 1u);
  const api::Json& event = events[0];
  const std::string name = event.StringAt({"metadata", "name"});
  EXPECT_EQ(name.substr(0, 2), "x.");
  EXPECT_EQ(name.size(), 2u + 16u);
  EXPECT_EQ(event.StringAt({"involvedObject", "name"}), "x");
  EXPECT_EQ(event.StringAt({"type"}), "Warning");
  EXPECT_EQ(event.StringAt({"reason"}), "Tested");
  EXPECT_EQ(event.StringAt({"message"}), "all is well");
  EXPECT_EQ(event.StringAt({"source", "component"}), "kueue");
  EXPECT_EQ(event.StringAt({"firstTimestamp"}), event.StringAt({"lastTimestamp"}));
  EXPECT_EQ(CountOf(0), 1);
  EXPECT_TRUE(recorder->idle());
}

TEST_F(EventRecorderTest, RepeatsRaiseTheCount) {
  Make(10);
  for (int i = 0; i < 3; ++i) {
    recorder->Record(About("x", "again"));
    Run();
    cluster.executor.RunFor(base::minutes(9));
  }
  recorder->Record(About("x", "something else"));
  Run();
  ASSERT_EQ(cluster.server.Under(kEvents).size(), 2u);
  EXPECT_EQ(CountOf(0) + CountOf(1), 3 + 1);
  EXPECT_EQ(recorder->counters().merged, 2u);
}

TEST_F(EventRecorderTest, AfterTenMinutesANewEventBegins) {
  Make(10);
  recorder->Record(About("x", "again"));
  Run();
  cluster.executor.RunFor(base::minutes(11));
  recorder->Record(About("x", "again"));
  Run();
  EXPECT_EQ(cluster.server.Under(kEvents).size(), 2u);
}

TEST_F(EventRecorderTest, WhatIsNotSentYetIsMergedInMemory) {
  Make(10);
  for (int i = 0; i < 100; ++i) recorder->Record(About("x", "often"));
  Run();
  EXPECT_EQ(CountOf(0), 100);
  EXPECT_EQ(recorder->counters().sent, 2u);  // the first, and the sum of the rest
}

TEST_F(EventRecorderTest, UnderPressureTheOldestAreShed) {
  Make(5, [] { return true; });
  for (int i = 0; i < 20; ++i) recorder->Record(About("x", "message " + std::to_string(i)));
  Run();
  const auto events = cluster.server.Under(kEvents);
  EXPECT_EQ(events.size(), 6u);  // one was under way, five waited
  EXPECT_EQ(recorder->counters().shed, 14u);
  bool newest = false;
  for (const auto& event : events) newest |= event.StringAt({"message"}) == "message 19";
  EXPECT_TRUE(newest);
}

TEST_F(EventRecorderTest, AnEventThatWasRemovedBeginsAnew) {
  Make(10);
  recorder->Record(About("x", "again"));
  Run();
  std::string path = kEvents;
  path += "/";
  path += cluster.server.Under(kEvents)[0].StringAt({"metadata", "name"});
  cluster.server.Remove(path);
  recorder->Record(About("x", "again"));
  Run();
  ASSERT_EQ(cluster.server.Under(kEvents).size(), 1u);
  EXPECT_EQ(CountOf(0), 1);
}

TEST_F(EventRecorderTest, ClusterScopedObjectsGoToDefault) {
  Make(10);
  EventRecord record = About("node", "hello");
  record.regarding.namespace_name = "";
  recorder->Record(record);
  Run();
  EXPECT_EQ(cluster.server.Under("/api/v1/namespaces/default/events").size(), 1u);
}

TEST_F(EventRecorderTest, LongMessagesAreCutBetweenCharacters) {
  Make(10);
  std::string text = "x";
  for (int i = 0; i < 1000; ++i) text += "\xC3\xA4";  // two bytes each
  recorder->Record(About("x", text));
  Run();
  const std::string message = cluster.server.Under(kEvents).at(0).StringAt({"message"});
  EXPECT_EQ(message.size(), 1023u);
  EXPECT_EQ(message.substr(message.size() - 5), "\xA4 ...");
}

TEST_F(EventRecorderTest, ARefusedEventIsForgotten) {
  Make(10);
  cluster.server.Intercept([](const net::Request&) {
    return kube::FakeServer::Refuse(403, "Forbidden");
  });
  recorder->Record(About("x", "never"));
  Run();
  EXPECT_TRUE(recorder->idle());
  EXPECT_EQ(recorder->counters().failed, 1u);
}

}  // namespace
}  // namespace kueue::runtime
