#include "apiserver/storage/sqlite_storage.h"

#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"
#include "apiserver/storage/crash_disk.h"

namespace kueue::apiserver {
namespace {

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";

// A server that keeps its objects on a disk of the test's.
class Kept {
 public:
  explicit Kept(const CrashDisk& disk) {
    SqliteOptions options;
    options.path = "objects.db";
    options.vfs = disk.name();
    auto opened = SqliteStorage::Open(options, executor, executor);
    if (!opened.ok()) {
      error = opened.error().message;
      return;
    }
    storage = std::move(*opened);
    ServerOptions server_options;
    server_options.store.storage = storage.get();
    server = std::make_unique<ServerUnderTest>(executor, server_options);
  }

  base::VirtualExecutor executor{*base::ParseTime("2026-01-01T00:00:00Z")};
  std::unique_ptr<SqliteStorage> storage;
  std::unique_ptr<ServerUnderTest> server;
  std::string error;
};

std::string Big(size_t bytes) {
  return R"(,"annotations":{"a":")" + std::string(bytes, 'x') + "\"}";
}

TEST(SqliteStorage, KeepsObjectsAndRevisionsAcrossLives) {
  CrashDisk disk(1);
  std::string version;
  {
    Kept life(disk);
    ASSERT_EQ(life.error, "");
    EXPECT_EQ(life.server->MakeConfigMap("a")->code, 201);
    EXPECT_EQ(life.server->MakeConfigMap("b")->code, 201);
    EXPECT_EQ(life.server->Ask("DELETE", std::string(kMaps) + "/b")->code, 200);
    version = life.server->Get(kMaps)->Text({"metadata", "resourceVersion"});
  }
  Kept life(disk);
  ASSERT_EQ(life.error, "");
  EXPECT_EQ(life.server->Get(std::string(kMaps) + "/a")->code, 200);
  EXPECT_EQ(life.server->Get(std::string(kMaps) + "/b")->code, 404);
  EXPECT_EQ(life.server->Get(kMaps)->Text({"metadata", "resourceVersion"}), version)
      << "the revision of a deletion counts too";
}

TEST(SqliteStorage, AWatchFromBeforeTheRestartIsToldToListAgain) {
  CrashDisk disk(1);
  std::string old, newest;
  {
    Kept life(disk);
    old = life.server->MakeConfigMap("a")->Text({"metadata", "resourceVersion"});
    newest = life.server->MakeConfigMap("b")->Text({"metadata", "resourceVersion"});
  }
  Kept life(disk);
  const auto from_old = life.server->Get(std::string(kMaps) + "?watch=1&resourceVersion=" + old);
  EXPECT_EQ(from_old->Events(), std::vector<std::string>{"ERROR Expired"});
  const auto from_newest =
      life.server->Get(std::string(kMaps) + "?watch=1&resourceVersion=" + newest);
  life.server->MakeConfigMap("c");
  EXPECT_EQ(from_newest->Events(), std::vector<std::string>{"ADDED c"}) << "nothing was missed";
}

TEST(SqliteStorage, WritesThatComeTogetherShareOneSync) {
  CrashDisk disk(1);
  Kept life(disk);
  life.server->MakeConfigMap("first");
  const uint64_t before = disk.syncs();
  std::vector<std::shared_ptr<Reply>> replies;
  for (int i = 0; i < 50; ++i) {
    replies.push_back(
        life.server->Send("POST", kMaps, R"({"metadata":{"name":"m)" + std::to_string(i) + "\"}}"));
  }
  life.executor.RunReady();
  for (const auto& reply : replies) EXPECT_EQ(reply->code, 201);
  EXPECT_LE(disk.syncs() - before, 2u);
}

TEST(SqliteStorage, NothingIsShownBeforeItIsKept) {
  CrashDisk disk(1);
  Kept life(disk);
  const auto watch = life.server->Get(std::string(kMaps) + "?watch=1");
  const auto created = life.server->Send("POST", kMaps, R"({"metadata":{"name":"m"}})");
  const auto read = life.server->Send("GET", std::string(kMaps) + "/m", "");
  // The request, the read: the batch has not been handed over yet.
  while (created->code == 0) {
    EXPECT_TRUE(watch->Events().empty());
    EXPECT_NE(read->code, 200);
    ASSERT_TRUE(life.server->RunOne());
  }
  EXPECT_EQ(created->code, 201);
  EXPECT_EQ(read->code, 404);
  EXPECT_EQ(life.server->Get(std::string(kMaps) + "/m")->code, 200);
  EXPECT_EQ(watch->Events(), std::vector<std::string>{"ADDED m"});
}

TEST(SqliteStorage, AFullDiskRefusesWritesAndGoesOnWhenThereIsSpace) {
  CrashDisk disk(1);
  Kept life(disk);
  ASSERT_EQ(life.server->MakeConfigMap("a")->code, 201);
  const auto watch = life.server->Get(std::string(kMaps) + "?watch=1");
  const std::string version = life.server->Get(kMaps)->Text({"metadata", "resourceVersion"});
  disk.set_capacity(disk.used() + 20000);

  const auto refused = life.server->MakeConfigMap("b", Big(100000));
  EXPECT_EQ(refused->code, 507);
  EXPECT_EQ(refused->Text({"reason"}), "InsufficientStorage");
  EXPECT_NE(refused->Text({"message"}).find("objects.db"), std::string::npos) << refused->body;
  EXPECT_EQ(life.server->Get(std::string(kMaps) + "/b")->code, 404) << "half applied";
  EXPECT_EQ(life.server->Get(kMaps)->Text({"metadata", "resourceVersion"}), version);
  EXPECT_EQ(life.server->MakeConfigMap("c")->code, 507) << "until there is space for more";
  EXPECT_EQ(life.server->Ask("DELETE", std::string(kMaps) + "/a")->code, 507);
  EXPECT_EQ(life.server->Get(std::string(kMaps) + "/a")->code, 200) << "reading goes on";

  disk.set_capacity(disk.used() + (10u << 20));
  life.executor.RunFor(base::seconds(2));
  EXPECT_EQ(life.server->MakeConfigMap("b", Big(100000))->code, 201);
  EXPECT_EQ(watch->Events(), (std::vector<std::string>{"ADDED a", "ADDED b"}));
}

TEST(SqliteStorage, DependentsOfADeletedOwnerGoOnceThereIsSpace) {
  // What the garbage collector meant to write is not forgotten.
  CrashDisk disk(1);
  Kept life(disk);
  const std::string uid = life.server->MakeConfigMap("owner")->Text({"metadata", "uid"});
  life.server->MakeConfigMap(
      "dependent", R"(,"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner",)"
                   R"("uid":")" +
                       uid + "\"}]");
  const auto removed = life.server->Send("DELETE", std::string(kMaps) + "/owner", "");
  disk.CrashAfter(0);
  while (removed->code == 0) ASSERT_TRUE(life.server->RunOne());
  disk.set_capacity(0);
  life.executor.RunReady();
  EXPECT_EQ(life.server->Get(std::string(kMaps) + "/dependent")->code, 200);
  disk.set_capacity(~uint64_t{0});
  life.executor.RunFor(base::seconds(10));
  EXPECT_EQ(life.server->Get(std::string(kMaps) + "/dependent")->code, 404);
}

TEST(SqliteStorage, TheFileShrinksAfterMuchIsDeleted) {
  CrashDisk disk(1);
  Kept life(disk);
  for (int i = 0; i < 60; ++i) life.server->MakeConfigMap("m" + std::to_string(i), Big(100000));
  const size_t large = disk.Content("objects.db").size();
  for (int i = 0; i < 60; ++i) {
    life.server->Ask("DELETE", std::string(kMaps) + "/m" + std::to_string(i));
  }
  for (int i = 0; i < 600; ++i) life.server->MakeConfigMap("n" + std::to_string(i % 2), Big(9000));
  for (int i = 0; i < 600; ++i) {
    life.server->Merge(std::string(kMaps) + "/n0",
                       R"({"data":{"k":")" + std::to_string(i) + R"("}})");
  }
  EXPECT_LT(disk.Content("objects.db").size(), large / 2);
}

TEST(SqliteStorage, ADamagedObjectIsFoundAtTheStart) {
  CrashDisk disk(1);
  { Kept(disk).server->MakeConfigMap("precious"); }
  std::string& content = disk.Content("objects.db");
  const size_t at = content.find("\"precious\"");
  ASSERT_NE(at, std::string::npos);
  content[at + 2] = 'X';
  const Kept life(disk);
  EXPECT_NE(life.error.find("ConfigMap default/precious"), std::string::npos) << life.error;
  EXPECT_NE(life.error.find("kueue restore"), std::string::npos) << "says what to do";
  EXPECT_EQ(disk.Content("objects.db")[at + 2], 'X') << "nothing was touched";
}

}  // namespace
}  // namespace kueue::apiserver
