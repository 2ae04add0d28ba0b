#include "apiserver/storage/format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace kueue::apiserver {
namespace {

std::string FreshPath(const std::string& name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("kueue-format-" + name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return (folder / "objects.db").string();
}

std::string ErrorOf(const base::Result<std::unique_ptr<Database>>& opened) {
  return opened.ok() ? "" : opened.error().message;
}

const std::vector<Migration>& TwoSteps() {
  static const std::vector<Migration> steps = {
      {1, "ALTER TABLE objects ADD COLUMN note TEXT"},
      {2, "UPDATE meta SET value = value + 7 WHERE name = 'revision'"}};
  return steps;
}

TEST(Format, ANewerFormatIsRefusedWithAdvice) {
  const std::string path = FreshPath("newer");
  {
    ASSERT_TRUE(
        (*OpenFile(path, nullptr))->Run("UPDATE meta SET value = 9 WHERE name = 'format'").ok());
  }
  const std::string error = ErrorOf(OpenFile(path, nullptr));
  EXPECT_NE(error.find("format 9"), std::string::npos) << error;
  EXPECT_NE(error.find("newer version"), std::string::npos) << error;
}

TEST(Format, AnOlderFormatIsMigratedAfterACopy) {
  const std::string path = FreshPath("older");
  { ASSERT_EQ(ErrorOf(OpenFile(path, nullptr)), ""); }
  auto opened = OpenFile(path, nullptr, 3, TwoSteps());
  ASSERT_EQ(ErrorOf(opened), "");
  EXPECT_EQ(*(*opened)->AskInt("SELECT value FROM meta WHERE name = 'format'"), 3);
  EXPECT_EQ(*(*opened)->AskInt("SELECT value FROM meta WHERE name = 'revision'"), 7);
  const auto copy = OpenBackup(path + ".format-1");
  ASSERT_TRUE(copy.ok());
  EXPECT_EQ(*(*copy)->AskInt("SELECT value FROM meta WHERE name = 'revision'"), 0);
}

TEST(Format, AMigrationThatFailsChangesNothing) {
  const std::string path = FreshPath("fails");
  { ASSERT_EQ(ErrorOf(OpenFile(path, nullptr)), ""); }
  std::vector<Migration> steps = TwoSteps();
  steps[1].sql = "UPDATE nonsense SET x = 1";
  const std::string error = ErrorOf(OpenFile(path, nullptr, 3, steps));
  EXPECT_NE(error.find("unchanged"), std::string::npos) << error;
  auto opened = OpenFile(path, nullptr);
  ASSERT_EQ(ErrorOf(opened), "");
  EXPECT_FALSE((*opened)->Run("SELECT note FROM objects").ok());
}

TEST(Format, AnotherProgramsDatabaseIsLeftAlone) {
  const std::string path = FreshPath("foreign");
  {
    ASSERT_TRUE(
        (*Database::Open(path, Database::Mode::kCreate, nullptr))->Run("CREATE TABLE t(x)").ok());
  }
  const auto size = std::filesystem::file_size(path);
  EXPECT_NE(ErrorOf(OpenFile(path, nullptr)).find("not one of kueue's"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(path), size);
  auto database = Database::Open(path, Database::Mode::kReadWrite, nullptr);
  EXPECT_EQ(*(*database)->AskText("PRAGMA journal_mode"), "delete");
}

TEST(Format, GarbageIsReportedWithWhatToDo) {
  const std::string path = FreshPath("garbage");
  std::ofstream(path) << std::string(20000, 'g');
  const std::string error = ErrorOf(OpenFile(path, nullptr));
  EXPECT_NE(error.find("damaged"), std::string::npos) << error;
  EXPECT_NE(error.find("kueue restore"), std::string::npos) << error;
}

TEST(Format, ABrokenPageIsFound) {
  const std::string path = FreshPath("page");
  {
    auto database = OpenFile(path, nullptr);
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE((*database)
                      ->Run(("INSERT INTO objects(kind, key, revision, sum, text) VALUES(1, 'k" +
                             std::to_string(i) + "', 0, 0, zeroblob(2000))")
                                .c_str())
                      .ok());
    }
  }
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(8192 * 20);
  file << std::string(8192, '\x7f');
  file.close();
  EXPECT_NE(ErrorOf(OpenFile(path, nullptr)).find("damaged"), std::string::npos);
}

TEST(Format, FilesAreForTheirOwnerOnly) {
  const std::string path = FreshPath("rights");
  auto database = OpenFile(path, nullptr);
  for (const char* suffix : {"", "-wal"}) {
    const auto rights = std::filesystem::status(path + suffix).permissions();
    EXPECT_EQ(rights & (std::filesystem::perms::group_all | std::filesystem::perms::others_all),
              std::filesystem::perms::none)
        << suffix;
  }
}

}  // namespace
}  // namespace kueue::apiserver
