#include "kube/informer.h"

#include <gtest/gtest.h>

#include "api/types/core.h"
#include "kube/testing/fake_cluster.h"

namespace kueue::kube {
namespace {

using api::ConfigMap;
using base::seconds;

const char kListOfMaps[] = "GET /api/v1/configmaps";  // also the request of a watch

std::string ValueOf(const std::shared_ptr<const ConfigMap>& object) {
  if (object == nullptr) return "-";
  const auto it = object->data.find("value");
  return it == object->data.end() ? "" : it->second;
}

class InformerTest : public testing::Test {
 protected:
  InformerTest() {
    cache.OnChange<ConfigMap>([this](const std::shared_ptr<const ConfigMap>& before,
                                     const std::shared_ptr<const ConfigMap>& after) {
      told.push_back((after ? after : before)->metadata.name + ":" + ValueOf(before) + ">" +
                     ValueOf(after));
    });
  }
  Informer& maps() { return *cache.Find(api::KindOf<ConfigMap>()); }
  void Start() {
    cache.Start([this] { ++ready; });
    cluster.executor.RunReady();
  }
  std::string Held(const std::string& name) const {
    return ValueOf(cache.Get<ConfigMap>({"a", name}));
  }
  std::vector<std::string> TakeTold() { return std::exchange(told, {}); }

  FakeCluster cluster;
  Cache cache{cluster.client, cluster.executor};
  std::vector<std::string> told;
  int ready = 0;
};

TEST_F(InformerTest, ListsThenWatches) {
  cluster.Put("x", "1");
  Start();
  EXPECT_EQ(ready, 1);
  EXPECT_TRUE(maps().synced());
  EXPECT_EQ(TakeTold(), (std::vector<std::string>{"x:->1"}));
  cluster.Put("y", "1");
  cluster.Put("x", "2");
  cluster.server.Remove(FakeCluster::PathOf("y"));
  cluster.executor.RunReady();
  EXPECT_EQ(told, (std::vector<std::string>{"y:->1", "x:1>2", "y:1>-"}));
  EXPECT_EQ(Held("x"), "2");
  EXPECT_EQ(maps().size(), 1u);
}

TEST_F(InformerTest, ReadyComesLaterAlsoWithoutInformers) {
  Cache empty(cluster.client, cluster.executor);
  bool called = false;
  empty.Start([&] { called = true; });
  EXPECT_FALSE(called);
  cluster.executor.RunReady();
  EXPECT_TRUE(called);
}

TEST_F(InformerTest, LongListsComeInPages) {
  for (int i = 0; i < 1203; ++i) cluster.Put("x" + std::to_string(i), "1");
  Start();
  EXPECT_EQ(maps().size(), 1203u);
  EXPECT_EQ(cluster.server.CountRequests(kListOfMaps), 4u);  // three pages and the watch
}

TEST_F(InformerTest, AListThatGrowsTooOldBetweenPagesBeginsAgain) {
  for (int i = 0; i < 700; ++i) cluster.Put("x" + std::to_string(i), "1");
  bool compacted = false;
  cluster.server.Intercept([&](const net::Request& request) -> std::optional<FakeServer::Answer> {
    if (request.target.find("continue=") != std::string::npos && !compacted) {
      compacted = true;
      return FakeServer::Refuse(410, "Expired");
    }
    return std::nullopt;
  });
  Start();
  EXPECT_TRUE(compacted);
  EXPECT_EQ(maps().size(), 700u);
  EXPECT_EQ(told.size(), 700u);
}

TEST_F(InformerTest, AFailingServerIsAskedAgainWithGrowingWaits) {
  bool broken = true;
  cluster.server.Intercept([&](const net::Request&) -> std::optional<FakeServer::Answer> {
    if (broken) return FakeServer::Answer{0, "", {}};
    return std::nullopt;
  });
  Start();
  cluster.executor.RunFor(base::minutes(10));
  const size_t tries = cluster.server.requests().size();
  EXPECT_GT(tries, 15u);
  EXPECT_LT(tries, 40u);
  EXPECT_EQ(ready, 0);
  broken = false;
  cluster.executor.RunFor(seconds(45));
  EXPECT_EQ(ready, 1);
}

TEST_F(InformerTest, ABrokenWatchGoesOnWhereItStopped) {
  cluster.Put("x", "1");
  Start();
  TakeTold();
  cluster.server.EndWatches();
  cluster.Put("x", "2");
  cluster.executor.RunFor(seconds(1));
  EXPECT_EQ(told, (std::vector<std::string>{"x:1>2"}));
  EXPECT_EQ(maps().counters().lists, 1u);
  EXPECT_EQ(cluster.server.open_watches(), 1u);
}

TEST_F(InformerTest, AfterCompactionTheDifferencesAreTold) {
  cluster.Put("same", "1");
  cluster.Put("changed", "1");
  cluster.Put("gone", "1");
  Start();
  TakeTold();
  cluster.server.EndWatches();
  cluster.Put("changed", "2");
  cluster.server.Remove(FakeCluster::PathOf("gone"));
  cluster.Put("new", "1");
  cluster.server.Compact();
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(told, (std::vector<std::string>{"gone:1>-", "changed:1>2", "new:->1"}));
  EXPECT_EQ(maps().counters().lists, 2u);
}

TEST_F(InformerTest, BookmarksMoveTheStartOfTheNextWatch) {
  Start();
  for (int i = 0; i < 5; ++i) cluster.server.Put("/api/v1/namespaces/a/secrets/s", {});
  cluster.server.Bookmark();
  cluster.executor.RunReady();
  cluster.server.EndWatches();
  cluster.server.Compact();
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(maps().counters().lists, 1u);
}

TEST_F(InformerTest, ARestoredServerIsBelieved) {
  // An older backup was restored: its versions are lower than those seen already.
  cluster.Put("x", "1");
  cluster.Put("lost", "1");
  Start();
  TakeTold();
  cluster.server.StartOver(50);
  cluster.Put("x", "0");
  cluster.server.Compact();
  // A watch from the future is refused by a real server; this one is told to.
  cluster.server.Intercept([](const net::Request& request) -> std::optional<FakeServer::Answer> {
    if (request.target.find("resourceVersion=102") == std::string::npos) return std::nullopt;
    return FakeServer::Refuse(504, "Timeout", "Too large resource version");
  });
  cluster.executor.RunFor(seconds(30));
  EXPECT_EQ(Held("x"), "0");
  EXPECT_EQ(Held("lost"), "-");
}

TEST_F(InformerTest, OwnWritesAreReadBeforeTheWatchTellsOfThem) {
  cluster.Put("x", "1");
  Start();
  TakeTold();
  cluster.server.HoldWatches(true);
  cluster.Put("x", "2");
  maps().ObserveWritten(*cluster.server.Find(FakeCluster::PathOf("x")));
  EXPECT_EQ(Held("x"), "2");
  EXPECT_EQ(TakeTold(), (std::vector<std::string>{"x:1>2"}));
  cluster.server.HoldWatches(false);
  cluster.executor.RunReady();
  EXPECT_TRUE(told.empty());  // nothing new
}

TEST_F(InformerTest, AnOldAnswerDoesNotUndoANewerEvent) {
  cluster.Put("x", "1");
  const api::Json old = *cluster.server.Find(FakeCluster::PathOf("x"));
  Start();
  cluster.Put("x", "2");
  cluster.executor.RunReady();
  maps().ObserveWritten(old);
  EXPECT_EQ(Held("x"), "2");
}

TEST_F(InformerTest, OwnDeletionsAreSeenAtOnceAndStay) {
  cluster.Put("x", "1");
  Start();
  cluster.server.HoldWatches(true);
  cluster.Put("x", "2");
  const api::Json late = *cluster.server.Find(FakeCluster::PathOf("x"));
  cluster.server.Remove(FakeCluster::PathOf("x"));
  maps().ObserveDeleted({"a", "x"}, maps().UidOf({"a", "x"}));
  EXPECT_EQ(Held("x"), "-");
  maps().ObserveWritten(late);
  EXPECT_EQ(Held("x"), "-");
  cluster.Put("x", "3");  // another object of that name
  TakeTold();
  cluster.server.HoldWatches(false);
  cluster.executor.RunReady();
  EXPECT_EQ(told, (std::vector<std::string>{"x:->3"}));
}

TEST_F(InformerTest, WhatWasWrittenDuringAListSurvivesIt) {
  // The list was made before the write, its answer is taken in after.
  Start();
  cluster.server.EndWatches();
  cluster.server.Compact();
  api::Json written = FakeCluster::MapOf("1");
  written["metadata"].Set("name", "x");
  written["metadata"].Set("namespace", "a");
  written["metadata"].Set("uid", "u");
  written["metadata"].Set("resourceVersion", "100000");
  maps().ObserveWritten(written);
  cluster.Put("y", "1");
  cluster.server.Compact();
  cluster.executor.RunFor(seconds(5));
  EXPECT_EQ(Held("x"), "1");
  EXPECT_EQ(Held("y"), "1");
}

TEST_F(InformerTest, AnObjectThatCannotBeReadIsLeftOut) {
  cluster.server.Put(FakeCluster::PathOf("bad"), FakeCluster::Text(R"({"data":{"value":[1]}})"));
  cluster.Put("good", "1");
  Start();
  EXPECT_TRUE(maps().synced());
  EXPECT_EQ(maps().size(), 1u);
  cluster.server.Put(FakeCluster::PathOf("bad"), FakeCluster::Text(R"({"data":7})"));
  cluster.Put("good", "2");
  cluster.executor.RunReady();
  EXPECT_EQ(Held("good"), "2");
  EXPECT_EQ(maps().counters().undecodable, 2u);
  cluster.Put("bad", "mended");
  cluster.executor.RunReady();
  EXPECT_EQ(Held("bad"), "mended");
}

TEST_F(InformerTest, FieldOwnershipIsNotKept) {
  api::Json object = FakeCluster::MapOf("1");
  object["metadata"]["managedFields"].Append(FakeCluster::Text(R"({"manager":"x"})"));
  cluster.server.Put(FakeCluster::PathOf("x"), object);
  Start();
  EXPECT_EQ(cache.Get<ConfigMap>({"a", "x"})->metadata.extra.get(), nullptr);
}

TEST_F(InformerTest, ChangesThatAHandlerCausesAreToldAfterwards) {
  // Every handler hears of changes in the order in which they happened.
  std::vector<std::string> second;
  bool done = false;
  maps().AddHandler([&](const Change& change) {
    if (std::exchange(done, true)) return;
    api::Json object = FakeCluster::MapOf("2");
    object["metadata"].Set("name", change.key.name);
    object["metadata"].Set("namespace", "a");
    object["metadata"].Set("uid", maps().UidOf(change.key));
    object["metadata"].Set("resourceVersion", "5000");
    maps().ObserveWritten(object);
    EXPECT_EQ(Held("x"), "2");
  });
  cache.OnChange<ConfigMap>([&](const std::shared_ptr<const ConfigMap>& before,
                                const std::shared_ptr<const ConfigMap>& after) {
    second.push_back(ValueOf(before) + ">" + ValueOf(after));
  });
  cluster.Put("x", "1");
  Start();
  EXPECT_EQ(second, (std::vector<std::string>{"->1", "1>2"}));
}

TEST_F(InformerTest, IndexesFindByDerivedValues) {
  maps().AddIndex("value", [](const void* object) {
    return std::vector<std::string>{static_cast<const ConfigMap*>(object)->data.at("value")};
  });
  cluster.Put("x", "red");
  cluster.Put("y", "blue");
  cluster.Put("z", "red");
  Start();
  EXPECT_EQ(cache.ByIndex<ConfigMap>("value", "red").size(), 2u);
  cluster.Put("x", "blue");
  cluster.executor.RunReady();
  const auto blue = cache.ByIndex<ConfigMap>("value", "blue");
  ASSERT_EQ(blue.size(), 2u);
  EXPECT_EQ(blue[0]->metadata.name, "x");
}

TEST_F(InformerTest, AWatchThatStaysSilentTooLongIsReplaced) {
  // Connections can die without either side hearing of it.
  Start();
  cluster.executor.RunFor(base::minutes(20));
  EXPECT_GE(maps().counters().watches, 3u);
  EXPECT_EQ(maps().counters().lists, 1u);
  EXPECT_EQ(cluster.server.open_watches(), 1u);
}

}  // namespace
}  // namespace kueue::kube
