#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"

namespace kueue::apiserver {
namespace {

using testing::ElementsAre;

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";

std::string Watch(const std::string& more) { return std::string(kMaps) + "?watch=1" + more; }

TEST(Watch, StartsWithWhatIsThereAndFollows) {
  ServerUnderTest t;
  t.MakeConfigMap("a");
  const auto watch = t.Get(Watch(""));
  t.MakeConfigMap("b");
  t.Merge(std::string(kMaps) + "/a", R"({"data":{"k":"v"}})");
  t.Ask("DELETE", std::string(kMaps) + "/b");
  EXPECT_THAT(watch->Events(), ElementsAre("ADDED a", "ADDED b", "MODIFIED a", "DELETED b"));
}

TEST(Watch, ReplaysFromAVersion) {
  ServerUnderTest t;
  const std::string version = t.MakeConfigMap("a")->Text({"metadata", "resourceVersion"});
  t.MakeConfigMap("b");
  const auto watch = t.Get(Watch("&resourceVersion=" + version));
  EXPECT_THAT(watch->Events(), ElementsAre("ADDED b"));
}

TEST(Watch, AForgottenVersionIsExpired) {
  ServerUnderTest t;
  const auto watch = t.Get(Watch("&resourceVersion=1"));
  EXPECT_THAT(watch->Events(), ElementsAre("ERROR Expired"));
  EXPECT_TRUE(watch->ended);
}

TEST(Watch, ObjectsEnterAndLeaveByTheirLabels) {
  ServerUnderTest t;
  t.MakeConfigMap("a");
  const auto watch = t.Get(Watch("&labelSelector=x%3D1"));
  t.Merge(std::string(kMaps) + "/a", R"({"metadata":{"labels":{"x":"1"}}})");
  t.Merge(std::string(kMaps) + "/a", R"({"data":{"k":"v"}})");
  t.Merge(std::string(kMaps) + "/a", R"({"metadata":{"labels":{"x":"2"}}})");
  t.Ask("DELETE", std::string(kMaps) + "/a");
  EXPECT_THAT(watch->Events(), ElementsAre("ADDED a", "MODIFIED a", "DELETED a"));
}

TEST(Watch, OtherNamespacesAreNotSeen) {
  ServerUnderTest t;
  const auto watch = t.Get(Watch(""));
  t.Post("/api/v1/namespaces/kube-system/configmaps", R"({"metadata":{"name":"z"}})");
  EXPECT_TRUE(watch->Events().empty());
}

TEST(Watch, InitialEventsEndWithABookmark) {
  ServerUnderTest t;
  t.MakeConfigMap("a");
  const auto watch = t.Get(Watch(
      "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"));
  EXPECT_THAT(watch->Events(), ElementsAre("ADDED a", "BOOKMARK"));
  EXPECT_NE(watch->body.find("k8s.io/initial-events-end"), std::string::npos);
}

TEST(Watch, BookmarksTellHowFarTheStoreHasCome) {
  // Only when something happened that this watch was not told.
  ServerUnderTest t;
  const auto watch = t.Get(Watch("&allowWatchBookmarks=true"));
  t.MakePod("p");
  t.executor.RunFor(base::minutes(1));
  EXPECT_THAT(watch->Events(), ElementsAre("BOOKMARK"));
  t.executor.RunFor(base::minutes(10));
  EXPECT_THAT(watch->Events(), ElementsAre("BOOKMARK"));
}

TEST(Watch, EndsAfterItsTime) {
  ServerUnderTest t;
  const auto watch = t.Get(Watch("&timeoutSeconds=5"));
  t.executor.RunFor(base::seconds(4));
  EXPECT_FALSE(watch->ended);
  t.executor.RunFor(base::seconds(1));
  EXPECT_TRUE(watch->ended);
  EXPECT_EQ(t.server.open_watches(), 0u);
}

TEST(Watch, TablesNameTheirColumnsOnce) {
  ServerUnderTest t;
  t.MakeConfigMap("a");
  t.MakeConfigMap("b");
  const auto watch = t.Ask("GET", Watch(""), "",
                           {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}});
  size_t found = 0;
  for (size_t at = 0; (at = watch->body.find("\"columnDefinitions\":null", at)) !=
                      std::string::npos; ++at) {
    ++found;
  }
  EXPECT_EQ(found, 1u);
}

}  // namespace
}  // namespace kueue::apiserver
