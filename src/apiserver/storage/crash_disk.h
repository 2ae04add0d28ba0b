#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace kueue::apiserver {

// For tests: a disk in memory that SQLite writes to, and that can lose its power. What was not
// synced at that moment is gone, or partly gone: each write since the last sync survives whole, in
// part or not at all, by chance. One connection at a time. Not thread-safe.
class CrashDisk {
 public:
  // Registers itself as a file system of SQLite's.
  explicit CrashDisk(uint64_t seed);
  ~CrashDisk();

  // For SqliteOptions::vfs.
  const char* name() const;
  // The power fails in the middle of the operation after so many more writes, truncations and
  // syncs.
  void CrashAfter(uint64_t operations);
  // Nothing the old process does has an effect any more.
  bool crashed() const;
  // The machine starts again. Whoever had files open must have closed them.
  void Restart();

  // All files together have at most so many bytes; further writes find the disk full.
  void set_capacity(uint64_t bytes);
  uint64_t used() const;
  uint64_t syncs() const;
  // The content of a file, to be looked at or damaged.
  std::string& Content(const std::string& path);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::apiserver
