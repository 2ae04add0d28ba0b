#include "apiserver/storage/backup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "apiserver/server_under_test.h"
#include "apiserver/storage/sqlite_storage.h"

namespace kueue::apiserver {
namespace {

std::string FreshFolder(const std::string& name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("kueue-backup-" + name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string();
}

// A server on a database of the real file system.
struct OnFile {
  explicit OnFile(const std::string& path) {
    SqliteOptions options;
    options.path = path;
    auto opened = SqliteStorage::Open(options, executor, executor);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    storage = std::move(*opened);
    ServerOptions server_options;
    server_options.store.storage = storage.get();
    server = std::make_unique<ServerUnderTest>(executor, server_options);
  }
  bool Has(const std::string& name) const {
    return server->Get("/api/v1/namespaces/default/configmaps/" + name)->code == 200;
  }
  base::VirtualExecutor executor{*base::ParseTime("2026-01-01T00:00:00Z")};
  std::unique_ptr<SqliteStorage> storage;
  std::unique_ptr<ServerUnderTest> server;
};

TEST(Backup, OfARunningServerHoldsWhatWasAcknowledged) {
  const std::string folder = FreshFolder("running");
  OnFile life(folder + "/objects.db");
  life.server->MakeConfigMap("a");
  const auto info = BackUp(folder + "/objects.db", folder + "/copy");
  ASSERT_TRUE(info.ok()) << info.error().message;
  EXPECT_EQ(life.server->MakeConfigMap("b")->code, 201) << "the server goes on";
  const OnFile copy(folder + "/copy");
  EXPECT_TRUE(copy.Has("a"));
  EXPECT_FALSE(copy.Has("b"));
}

TEST(Backup, DoesNotOverwrite) {
  const std::string folder = FreshFolder("overwrite");
  { OnFile(folder + "/objects.db").server->MakeConfigMap("a"); }
  std::ofstream(folder + "/copy") << "mine";
  EXPECT_FALSE(BackUp(folder + "/objects.db", folder + "/copy").ok());
  EXPECT_EQ(std::filesystem::file_size(folder + "/copy"), 4u);
}

TEST(Backup, RestoringBringsTheStateBackAndRevisionsForward) {
  const std::string folder = FreshFolder("restore");
  const std::string path = folder + "/objects.db";
  uint64_t newest = 0;
  {
    OnFile life(path);
    life.server->MakeConfigMap("a");
    ASSERT_TRUE(BackUp(path, folder + "/copy").ok());
    life.server->MakeConfigMap("b");
    newest = life.server->server.store().revision();
  }
  const auto restored = RestoreBackup(folder + "/copy", path);
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  const OnFile life(path);
  EXPECT_TRUE(life.Has("a"));
  EXPECT_FALSE(life.Has("b"));
  EXPECT_GT(life.server->server.store().compacted_revision(), newest)
      << "whoever saw the old state has to list again";
  const OnFile old(path + ".before-restore");
  EXPECT_TRUE(old.Has("b"));
}

TEST(Backup, RestoringOverADamagedFileWorks) {
  const std::string folder = FreshFolder("damaged");
  const std::string path = folder + "/objects.db";
  { OnFile(path).server->MakeConfigMap("a"); }
  ASSERT_TRUE(BackUp(path, folder + "/copy").ok());
  std::ofstream(path) << std::string(50000, 'g');
  ASSERT_TRUE(RestoreBackup(folder + "/copy", path).ok());
  EXPECT_TRUE(OnFile(path).Has("a"));
}

TEST(Backup, WhatIsNoBackupIsNotRestored) {
  const std::string folder = FreshFolder("nobackup");
  const std::string path = folder + "/objects.db";
  { OnFile(path).server->MakeConfigMap("a"); }
  std::ofstream(folder + "/letter") << "Dear operator,\n";
  const auto restored = RestoreBackup(folder + "/letter", path);
  ASSERT_FALSE(restored.ok());
  EXPECT_TRUE(OnFile(path).Has("a"));
}

}  // namespace
}  // namespace kueue::apiserver
