#include "apiserver/store.h"

#include <gtest/gtest.h>

namespace kueue::apiserver {
namespace {

using api::Json;

const api::KindInfo& ConfigMaps() { return api::KindOf<api::ConfigMap>(); }

Json Named(const std::string& name, const std::string& value) {
  Json object = Json::MakeObject();
  object["metadata"].Set("name", name);
  object["data"].Set("k", value);
  return object;
}

std::string Listed(const Store& store, uint64_t revision, const std::string& prefix = "",
                   const std::string& from = "") {
  std::string out;
  store.ScanAt(revision, ConfigMaps(), prefix, from,
               [&](const std::string& key, const StoredPtr& object) {
                 out += key + "=" + object->object().StringAt({"data", "k"}) + " ";
                 return true;
               });
  return out;
}

TEST(Store, PutGivesTheRevisionAsResourceVersion) {
  Store store;
  const StoredPtr stored = store.Put(ConfigMaps(), "d/a", Named("a", "1"));
  EXPECT_EQ(stored->object().StringAt({"metadata", "resourceVersion"}),
            std::to_string(store.revision()));
  EXPECT_EQ(stored->Text().rfind(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":)", 0), 0u);
}

TEST(Store, TextWithoutKindIsTheRestOfTheObject) {
  Store store;
  const StoredPtr stored = store.Put(ConfigMaps(), "d/a", Named("a", "x,y"));
  std::string text;
  stored->AppendTextWithoutKind(text);
  EXPECT_EQ(text, R"({"metadata":{"name":"a","resourceVersion":"101"},"data":{"k":"x,y"}})");
}

TEST(Store, ScanAtShowsThePast) {
  // Pages of a list and exact reads see one state, whatever has been written since.
  Store store;
  store.Put(ConfigMaps(), "d/a", Named("a", "1"));
  store.Put(ConfigMaps(), "d/b", Named("b", "1"));
  const uint64_t then = store.revision();
  store.Put(ConfigMaps(), "d/a", Named("a", "2"));
  store.Put(ConfigMaps(), "d/a", Named("a", "3"));
  store.Remove(ConfigMaps(), "d/b");
  store.Put(ConfigMaps(), "d/c", Named("c", "1"));
  EXPECT_EQ(Listed(store, then), "d/a=1 d/b=1 ");
  EXPECT_EQ(Listed(store, then, "d/", "d/b"), "d/b=1 ");
  EXPECT_EQ(Listed(store, store.revision()), "d/a=3 d/c=1 ");
}

TEST(Store, KeysAreOrderedAsEtcdOrdersThem) {
  // "-" sorts before "/": objects of namespace "n-x" come before those of "n".
  Store store;
  store.Put(ConfigMaps(), StoreKey("n", "a"), Named("a", "1"));
  store.Put(ConfigMaps(), StoreKey("n-x", "a"), Named("a", "1"));
  EXPECT_EQ(Listed(store, store.revision()), "n-x/a=1 n/a=1 ");
}

TEST(Store, HistoryIsBounded) {
  Store::Options options;
  options.history = 2;
  Store store(options);
  for (int i = 0; i < 4; ++i) store.Put(ConfigMaps(), "d/a", Named("a", std::to_string(i)));
  EXPECT_EQ(store.compacted_revision(), store.revision() - 2);
  int replayed = 0;
  store.Replay(store.compacted_revision(), nullptr, [&](const StoreChange&) { ++replayed; });
  EXPECT_EQ(replayed, 2);
  store.Compact();
  EXPECT_EQ(store.compacted_revision(), store.revision());
}

TEST(Store, WatchersHearOfTheirKindInOrderAndMayLeaveMeanwhile) {
  Store store;
  std::string heard;
  Store::WatcherId first = 0;
  first = store.AddWatcher(&ConfigMaps(), [&](const StoreChange& change) {
    heard += "1:" + change.key + " ";
    store.RemoveWatcher(first);
  });
  store.AddWatcher(nullptr, [&](const StoreChange& change) { heard += "2:" + change.key + " "; });
  store.AddWatcher(&api::KindOf<api::Pod>(), [&](const StoreChange&) { heard += "3 "; });
  store.Put(ConfigMaps(), "d/a", Named("a", "1"));
  store.Remove(ConfigMaps(), "d/a");
  EXPECT_EQ(heard, "1:d/a 2:d/a 2:d/a ");
}

TEST(Store, ADeletionTellsTheLastStateUnderItsOwnRevision) {
  Store store;
  store.Put(ConfigMaps(), "d/a", Named("a", "1"));
  const StoredPtr last = store.Remove(ConfigMaps(), "d/a");
  EXPECT_EQ(last->revision(), store.revision());
  EXPECT_EQ(last->object().StringAt({"data", "k"}), "1");
  EXPECT_EQ(store.Get(ConfigMaps(), "d/a"), nullptr);
}

}  // namespace
}  // namespace kueue::apiserver
