#include "apiserver/storage/backup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "apiserver/storage/format.h"

namespace kueue::apiserver {
namespace {

namespace fs = std::filesystem;

// Farther than any client of a state that nobody can read any more has got.
constexpr uint64_t kUnknownRevisions = 1000000;

base::Status SyncPath(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int why = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (synced) return {};
  return base::Unavailable("cannot sync " + path + ": " + std::strerror(why));
}

base::Status SyncFileAndFolder(const std::string& file) {
  if (auto synced = SyncPath(file); !synced.ok()) return synced;
  const std::string folder = fs::path(file).parent_path().string();
  return SyncPath(folder.empty() ? "." : folder);
}

base::Status Rename(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (!error) return {};
  return base::Unavailable(fmt::format("cannot rename {} to {}: {}", from, to, error.message()));
}

// Removes a draft unless it has become the real thing.
class Draft {
 public:
  explicit Draft(std::string path) : path_(std::move(path)) { Remove(); }
  ~Draft() { Remove(); }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  const std::string& path() const { return path_; }

 private:
  void Remove() {
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(path_ + suffix, ignored);
  }
  const std::string path_;
};

base::Result<BackupInfo> Check(const std::string& file) {
  auto database = OpenBackup(file);
  if (!database.ok()) return database.error();
  const auto state = ReadState(**database);
  if (!state.ok()) return state.error();
  std::error_code ignored;
  return BackupInfo{state->revision, state->records.size(), fs::file_size(file, ignored)};
}

base::Status CopyInto(Database& from, const std::string& file) {
  // Secrets are in it: nobody else may read it.
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return base::Unavailable("cannot write " + file + ": " + std::strerror(errno));
  }
  ::close(descriptor);
  auto copy = from.Prepare("VACUUM INTO ?");
  if (!copy.ok()) return copy.error();
  if (auto copied = copy->BindText(1, file).Run(); !copied.ok()) {
    return base::Unavailable(fmt::format("cannot write {}: {}", file, copied.error().message));
  }
  return {};
}

// The last revision of a database that may be damaged or missing; nothing if it does not say.
uint64_t RevisionOf(const std::string& path) {
  if (!fs::exists(path)) return 0;
  auto database = Database::Open(path, Database::Mode::kReadWrite, nullptr);
  if (!database.ok()) return 0;
  const auto revision = (*database)->AskInt("SELECT value FROM meta WHERE name = 'revision'");
  return revision.ok() ? static_cast<uint64_t>(*revision) : 0;
}

}  // namespace

base::Result<BackupInfo> BackUp(const std::string& database, const std::string& file) {
  std::error_code ignored;
  if (!fs::exists(database, ignored)) {
    return base::NotFound(database + " does not exist: nothing was ever kept there");
  }
  if (fs::exists(file, ignored)) {
    return base::Invalid(file + " exists already; choose another name or remove it first");
  }
  const Draft draft(file + ".new");
  // Readable and writable: after a crash its log has to be brought in before it can be read.
  auto opened = Database::Open(database, Database::Mode::kReadWrite, nullptr);
  if (!opened.ok()) return opened.error();
  if (auto copied = CopyInto(**opened, draft.path()); !copied.ok()) return copied.error();
  auto info = Check(draft.path());
  if (!info.ok()) return info.error();
  if (auto synced = SyncPath(draft.path()); !synced.ok()) return synced.error();
  if (auto renamed = Rename(draft.path(), file); !renamed.ok()) return renamed.error();
  if (auto synced = SyncFileAndFolder(file); !synced.ok()) return synced.error();
  return info;
}

base::Result<BackupInfo> RestoreBackup(const std::string& file, const std::string& database) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return base::NotFound(file + " does not exist");
  auto info = Check(file);
  if (!info.ok()) return info.error();
  const uint64_t before = RevisionOf(database);
  info->revision = std::max(info->revision, before) + (before == 0 ? kUnknownRevisions : 1);

  const Draft draft(database + ".new");
  {
    auto backup = OpenBackup(file);
    if (!backup.ok()) return backup.error();
    if (auto copied = CopyInto(**backup, draft.path()); !copied.ok()) return copied.error();
    auto copy = Database::Open(draft.path(), Database::Mode::kReadWrite, nullptr);
    if (!copy.ok()) return copy.error();
    const auto advanced = (*copy)->Run(
        fmt::format("UPDATE meta SET value = {} WHERE name = 'revision'", info->revision).c_str());
    if (!advanced.ok()) return advanced.error();
  }
  if (auto synced = SyncPath(draft.path()); !synced.ok()) return synced.error();
  // The old log belongs to the old file and goes with it.
  const std::string old = database + ".before-restore";
  for (const char* suffix : {"", "-wal"}) {
    fs::remove(old + suffix, ignored);
    if (!fs::exists(database + suffix, ignored)) continue;
    if (auto moved = Rename(database + suffix, old + suffix); !moved.ok()) return moved.error();
  }
  fs::remove(database + "-shm", ignored);
  if (auto renamed = Rename(draft.path(), database); !renamed.ok()) return renamed.error();
  if (auto synced = SyncFileAndFolder(database); !synced.ok()) return synced.error();
  return info;
}

}  // namespace kueue::apiserver
