#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

// Copies of a storage's file that stand alone.
namespace kueue::apiserver {

struct BackupInfo {
  uint64_t revision = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;  // of the file
};

// Writes what `database` holds at this moment to `file`, whether somebody works on it or not. The
// file appears when it is whole, synced and checked. Errors: it exists already, `database` is not
// there or is damaged, the disk is full.
base::Result<BackupInfo> BackUp(const std::string& database, const std::string& file);

// Puts the backup `file` in the place of `database`, which nobody may have open; what was there
// goes to "DATABASE.before-restore". Revisions go on from the higher of both, so that clients which
// knew the old state list again. Errors leave everything as it was.
base::Result<BackupInfo> RestoreBackup(const std::string& file, const std::string& database);

}  // namespace kueue::apiserver
