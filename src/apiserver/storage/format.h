#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apiserver/storage/database.h"
#include "apiserver/storage/storage.h"
#include "base/result.h"

// The form of the database file: tables, version of the form, checks. Private to storage.
//
//   meta     name, value         "format": the version of all this; "revision": of the last change
//   kinds    id, grp, kind       numbers for kinds
//   objects  kind, key, revision, sum, text     sum: over all of the row, see SumOf
namespace kueue::apiserver {

inline constexpr int64_t kFormat = 1;

// Takes a file of form `from` to the next one.
struct Migration {
  int64_t from;
  const char* sql;
};
// Of this program, oldest first, without gaps up to kFormat.
const std::vector<Migration>& Migrations();

// Opens `path`, making it if it is not there, with every write synced before it counts. A file of
// an older form is copied to "PATH.format-N" first and then taken to `newest` in one transaction.
// Errors say what to do: a newer form, a damaged file, a file of something else.
base::Result<std::unique_ptr<Database>> OpenFile(
    const std::string& path, const char* vfs, int64_t newest = kFormat,
    const std::vector<Migration>& steps = Migrations());
// A finished file that nobody may change: a backup. The same checks, but no migration.
base::Result<std::unique_ptr<Database>> OpenBackup(const std::string& path);

// All that `database` has, every row checked against its sum.
base::Result<StoredState> ReadState(Database& database);

int64_t SumOf(std::string_view group, std::string_view kind, std::string_view key,
              uint64_t revision, std::string_view text);

}  // namespace kueue::apiserver
