#include "apiserver/storage/format.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "resources/resource_vector.h"

namespace kueue::apiserver {
namespace {

// "KUEU": tells our files from other programs'.
constexpr int64_t kApplicationId = 0x4b554555;

constexpr char kTables[] =
    "BEGIN;"
    "PRAGMA application_id = 1263879509;"
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE kinds(id INTEGER PRIMARY KEY, grp TEXT NOT NULL, kind TEXT NOT NULL,"
    " UNIQUE(grp, kind));"
    "CREATE TABLE objects(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, key TEXT NOT NULL,"
    " revision INTEGER NOT NULL, sum INTEGER NOT NULL, text BLOB NOT NULL, UNIQUE(kind, key));"
    "INSERT INTO meta VALUES('format', 1), ('revision', 0);"
    "COMMIT;";
static_assert(kApplicationId == 1263879509);

constexpr char kRemedy[] =
    "`kueue restore FILE` puts a backup in its place (the damaged file is kept beside it), "
    "`kueue reset` removes everything";

base::Error Damaged(const std::string& path, const std::string& what) {
  return base::Invalid(
      fmt::format("{} is damaged: {}; nothing was changed. {}", path, what, kRemedy));
}

// What went wrong with `database` last, said so that one knows what to do.
base::Error Explained(const Database& database, const base::Error& error) {
  return database.is_damaged() ? Damaged(database.path(), error.message) : error;
}

base::Status CheckOurs(Database& database) {
  const auto id = database.AskInt("PRAGMA application_id");
  if (!id.ok()) return Explained(database, id.error());
  if (*id != kApplicationId) {
    return base::Invalid(database.path() +
                         " is a database, but not one of kueue's; move it away or choose another "
                         "folder with --data-dir");
  }
  return {};
}

base::Result<int64_t> FormatOf(Database& database, int64_t newest) {
  if (auto ours = CheckOurs(database); !ours.ok()) return ours.error();
  const auto format = database.AskInt("SELECT value FROM meta WHERE name = 'format'");
  if (!format.ok()) return Explained(database, format.error());
  if (*format < 1) return Damaged(database.path(), "it does not say its format");
  if (*format > newest) {
    return base::Invalid(fmt::format(
        "{} has format {}, written by a newer kueue; this one reads up to {}. Run the newer "
        "version, or restore a backup that this one made",
        database.path(), *format, newest));
  }
  return *format;
}

// Pages and indexes fit together. Contents have sums of their own.
base::Status CheckStructure(Database& database) {
  const auto verdict = database.AskText("PRAGMA quick_check(1)");
  if (!verdict.ok()) return Explained(database, verdict.error());
  if (*verdict != "ok") return Damaged(database.path(), *verdict);
  return {};
}

base::Status Migrate(Database& database, int64_t format, int64_t newest,
                     const std::vector<Migration>& steps) {
  const std::string copy = fmt::format("{}.format-{}", database.path(), format);
  std::error_code ignored;
  std::filesystem::remove(copy, ignored);
  auto save = database.Prepare("VACUUM INTO ?");
  if (!save.ok()) return save.error();
  if (auto saved = save->BindText(1, copy).Run(); !saved.ok()) {
    return base::Unavailable(
        fmt::format("{} has the older format {} and cannot be saved to {} "
                    "before it is changed: {}",
                    database.path(), format, copy, saved.error().message));
  }
  if (auto begun = database.Run("BEGIN IMMEDIATE"); !begun.ok()) return begun;
  base::Status done;
  for (const Migration& step : steps) {
    if (step.from < format || !done.ok()) continue;
    done = database.Run(step.sql);
  }
  if (done.ok()) {
    done = database.Run(
        fmt::format("UPDATE meta SET value = {} WHERE name = 'format'; COMMIT", newest).c_str());
  }
  if (done.ok()) return {};
  const std::string why = done.error().message;
  // A failing rollback leaves what a crash would: the state before.
  const auto undone = database.Run("ROLLBACK");
  return base::Unavailable(
      fmt::format("{} cannot be brought from format {} to {}: {}; it is "
                  "unchanged{}, and its copy is {}",
                  database.path(), format, newest, why, undone.ok() ? "" : " on the disk", copy));
}

base::Status SetUp(Database& database) {
  // The first two count for a file that is still empty.
  return database.Run(
      "PRAGMA page_size = 8192;"
      "PRAGMA auto_vacuum = INCREMENTAL;"
      "PRAGMA journal_mode = WAL;"
      "PRAGMA synchronous = FULL;"
      "PRAGMA wal_autocheckpoint = 1000;"
      "PRAGMA journal_size_limit = 33554432;"
      "PRAGMA cache_size = -4096;"
      "PRAGMA foreign_keys = OFF;");
}

}  // namespace

const std::vector<Migration>& Migrations() {
  static const std::vector<Migration> none;
  return none;
}

base::Result<std::unique_ptr<Database>> OpenFile(const std::string& path, const char* vfs,
                                                 int64_t newest,
                                                 const std::vector<Migration>& steps) {
  auto opened = Database::Open(path, Database::Mode::kCreate, vfs);
  if (!opened.ok()) return opened.error();
  Database& database = **opened;
  // What is not ours is not even set up.
  const auto tables = database.AskInt("SELECT count(*) FROM sqlite_master");
  if (!tables.ok()) return Explained(database, tables.error());
  if (*tables > 0) {
    if (auto ours = CheckOurs(database); !ours.ok()) return ours.error();
  }
  if (auto set = SetUp(database); !set.ok()) return Explained(database, set.error());
  if (*tables == 0) {
    if (auto made = database.Run(kTables); !made.ok()) return made.error();
    return opened;
  }
  const auto format = FormatOf(database, newest);
  if (!format.ok()) return format.error();
  if (auto sound = CheckStructure(database); !sound.ok()) return sound.error();
  if (*format < newest) {
    if (auto done = Migrate(database, *format, newest, steps); !done.ok()) return done.error();
  }
  return opened;
}

base::Result<std::unique_ptr<Database>> OpenBackup(const std::string& path) {
  auto opened = Database::Open(path, Database::Mode::kReadOnly, nullptr);
  if (!opened.ok()) return opened.error();
  const auto format = FormatOf(**opened, kFormat);
  if (!format.ok()) return format.error();
  if (auto sound = CheckStructure(**opened); !sound.ok()) return sound.error();
  return opened;
}

int64_t SumOf(std::string_view group, std::string_view kind, std::string_view key,
              uint64_t revision, std::string_view text) {
  uint64_t sum = resources::Fnv1a64(text);
  for (const std::string_view part : {group, kind, key}) {
    sum = sum * 0x9E3779B97F4A7C15u ^ resources::Fnv1a64(part);
  }
  return static_cast<int64_t>(sum * 0x9E3779B97F4A7C15u ^ revision);
}

base::Result<StoredState> ReadState(Database& database) {
  StoredState state;
  const auto revision = database.AskInt("SELECT value FROM meta WHERE name = 'revision'");
  if (!revision.ok()) return Explained(database, revision.error());
  state.revision = static_cast<uint64_t>(*revision);
  auto rows = database.Prepare(
      "SELECT k.grp, k.kind, o.key, o.revision, o.sum, o.text FROM objects o "
      "LEFT JOIN kinds k ON k.id = o.kind ORDER BY o.id");
  if (!rows.ok()) return Explained(database, rows.error());
  std::string damaged;
  int64_t count = 0;
  while (true) {
    const auto row = rows->Next();
    if (!row.ok()) return Explained(database, row.error());
    if (!*row) break;
    StoredRecord record{std::string(rows->Text(0)), std::string(rows->Text(1)),
                        std::string(rows->Text(2)), static_cast<uint64_t>(rows->Int(3)),
                        std::string(rows->Text(5))};
    const bool good =
        SumOf(record.group, record.kind, record.key, record.revision, record.text) == rows->Int(4);
    if (!good || record.revision > state.revision) {
      if (++count <= 5)
        damaged += fmt::format("{}{} {}", count > 1 ? ", " : "", record.kind, record.key);
      continue;
    }
    state.records.push_back(std::move(record));
  }
  if (count > 0) {
    return Damaged(database.path(),
                   fmt::format("{} object{} not as written ({}{})", count,
                               count == 1 ? " is" : "s are", damaged, count > 5 ? ", ..." : ""));
  }
  return state;
}

}  // namespace kueue::apiserver
