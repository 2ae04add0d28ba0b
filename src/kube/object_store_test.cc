#include "kube/object_store.h"

#include <gtest/gtest.h>

namespace kueue::kube {
namespace {

// The objects of these tests are plain strings: the store never looks inside.
ObjectPtr Make(const std::string& text) { return std::make_shared<const std::string>(text); }
std::string TextOf(const ObjectPtr& object) {
  return object == nullptr ? "(none)" : *static_cast<const std::string*>(object.get());
}

class ObjectStoreTest : public testing::Test {
 protected:
  // What changed, as "before>after" for each change.
  std::string Put(const std::string& uid, uint64_t version, const std::string& text) {
    std::vector<Change> changes;
    store.Upsert({{"a", "x"}, uid, version}, Make(text), changes);
    return Told(changes);
  }
  std::string Remove(const std::string& uid, std::optional<uint64_t> version) {
    std::vector<Change> changes;
    store.Remove({{"a", "x"}, uid, version}, now, changes);
    return Told(changes);
  }
  static std::string Told(const std::vector<Change>& changes) {
    std::string out;
    for (const Change& c : changes) {
      out += (out.empty() ? "" : " ") + TextOf(c.before) + ">" + TextOf(c.after);
    }
    return out;
  }

  ObjectStore store;
  base::Duration now{0};
};

TEST_F(ObjectStoreTest, OnlyNewerStatesAreTaken) {
  EXPECT_EQ(Put("u", 5, "five"), "(none)>five");
  EXPECT_EQ(Put("u", 5, "again"), "");
  EXPECT_EQ(Put("u", 4, "four"), "");
  EXPECT_EQ(Put("u", 10, "ten"), "five>ten");  // as numbers: "10" is not below "5"
}

TEST_F(ObjectStoreTest, ADeletedObjectStaysDeleted) {
  Put("u", 5, "five");
  EXPECT_EQ(Remove("u", std::nullopt), "five>(none)");
  EXPECT_EQ(Put("u", 6, "late"), "");
  EXPECT_EQ(Remove("u", 7), "");
  EXPECT_EQ(Put("u", 6, "later"), "");
}

TEST_F(ObjectStoreTest, ANewObjectOfThatNameIsAnother) {
  Put("u", 5, "five");
  Remove("u", std::nullopt);
  EXPECT_EQ(Put("v", 8, "new"), "(none)>new");
  EXPECT_EQ(Remove("u", 7), "");  // the deletion of the old one, heard of late
  EXPECT_EQ(Put("u", 6, "late"), "");
  EXPECT_EQ(TextOf(store.Find({"a", "x"})->object), "new");
}

TEST_F(ObjectStoreTest, AReplacementIsToldAsDeletionAndCreation) {
  Put("u", 5, "old");
  EXPECT_EQ(Put("v", 9, "new"), "old>(none) (none)>new");
}

TEST_F(ObjectStoreTest, AnEarlierDeletionDoesNotCoverALaterOne) {
  // v was created, observed and deleted by this process before the watch told of u's end.
  Put("v", 11, "v");
  Remove("v", std::nullopt);
  Remove("u", 10);
  EXPECT_EQ(Put("v", 11, "v"), "");
}

TEST_F(ObjectStoreTest, DeletionsAreForgottenAfterAWhile) {
  Put("u", 5, "five");
  Remove("u", 6);
  now = base::minutes(6);
  std::vector<Change> changes;
  store.Remove({{"a", "other"}, "w", 9}, now, changes);
  EXPECT_TRUE(store.Wants({{"a", "x"}, "u", 5}));
}

TEST_F(ObjectStoreTest, AListTellsOnlyDifferences) {
  Put("u", 5, "five");
  std::vector<Change> changes;
  store.Upsert({{"a", "y"}, "y", 6}, Make("gone"), changes);
  store.Upsert({{"a", "z"}, "z", 30}, Make("written since"), changes);
  store.Upsert({{"a", "k"}, "k", 7}, Make("kept"), changes);
  changes.clear();
  std::map<ObjectKey, ObjectStore::Entry> listed;
  listed[{"a", "x"}] = {Make("five"), "u", 5};
  listed[{"a", "n"}] = {Make("new"), "n", 9};
  store.Replace(std::move(listed), {{"a", "k"}}, 20, now, changes);
  EXPECT_EQ(Told(changes), "gone>(none) (none)>new");
  EXPECT_EQ(store.size(), 4u);
}

TEST_F(ObjectStoreTest, IndexesFollowTheObjects) {
  // Every letter of the text is a value.
  store.AddIndex("letters", [](const void* object) {
    std::vector<std::string> out;
    for (const char c : *static_cast<const std::string*>(object)) out.emplace_back(1, c);
    return out;
  });
  std::vector<Change> changes;
  store.Upsert({{"b", "x"}, "1", 1}, Make("ab"), changes);
  store.Upsert({{"a", "x"}, "2", 2}, Make("bc"), changes);
  const auto found = store.ByIndex("letters", "b");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(TextOf(found[0]), "bc");  // in key order
  store.Upsert({{"a", "x"}, "2", 3}, Make("cd"), changes);
  EXPECT_EQ(store.ByIndex("letters", "b").size(), 1u);
  EXPECT_EQ(store.ByIndex("letters", "d").size(), 1u);
  store.Remove({{"b", "x"}, "1", 4}, now, changes);
  EXPECT_TRUE(store.ByIndex("letters", "a").empty());
}

TEST_F(ObjectStoreTest, ListsOneNamespaceOrAll) {
  std::vector<Change> changes;
  for (const auto& [ns, name] : std::vector<std::pair<std::string, std::string>>{
           {"b", "1"}, {"a", "2"}, {"a", "1"}, {"ab", "1"}}) {
    store.Upsert({{ns, name}, ns + name, 1}, Make(ns + name), changes);
  }
  std::string all;
  for (const ObjectPtr& o : store.List("")) all += TextOf(o) + " ";
  EXPECT_EQ(all, "a1 a2 ab1 b1 ");
  EXPECT_EQ(store.List("a").size(), 2u);
  EXPECT_TRUE(store.List("c").empty());
}

TEST(ParseVersionTest, OnlyNumbersAreVersions) {
  EXPECT_EQ(ParseVersion("42"), 42u);
  EXPECT_EQ(ParseVersion(""), std::nullopt);
  EXPECT_EQ(ParseVersion("4x"), std::nullopt);
  EXPECT_EQ(ParseVersion("99999999999999999999999"), std::nullopt);
}

}  // namespace
}  // namespace kueue::kube
