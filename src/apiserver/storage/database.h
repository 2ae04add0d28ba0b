#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

// SQLite as far as the storage needs it. Private to storage; a Database and its statements are used
// by one thread at a time.
namespace kueue::apiserver {

class Database;

// A prepared statement. After an error it is ready for the next run.
class Statement {
 public:
  Statement() = default;
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;

  // Parameters count from 1. Texts must live until Run or the last Next.
  Statement& Bind(int parameter, int64_t value);
  Statement& BindText(int parameter, std::string_view text);
  Statement& BindBlob(int parameter, std::string_view bytes);

  // Runs to the end, without looking at rows.
  base::Status Run();
  // Steps to the next row; false after the last.
  base::Result<bool> Next();
  void Reset();
  // Of the current row; columns count from 0. Texts live until the next step.
  int64_t Int(int column) const;
  std::string_view Text(int column) const;

 private:
  friend class Database;
  Database* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
};

class Database {
 public:
  enum class Mode { kReadOnly, kReadWrite, kCreate };
  // `vfs`: name of a registered SQLite file system, null for the default.
  static base::Result<std::unique_ptr<Database>> Open(const std::string& path, Mode mode,
                                                      const char* vfs);
  // Brings the log into the file if this is the last one that has it open.
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  base::Status Run(const char* sql);
  base::Result<Statement> Prepare(std::string_view sql);
  // The first column of the first row, as a number or text.
  base::Result<int64_t> AskInt(const char* sql);
  base::Result<std::string> AskText(const char* sql);

  const std::string& path() const { return path_; }
  // Of the last operation that failed: was the disk full?
  bool disk_was_full() const;
  // The same: is the file damaged, or no database at all?
  bool is_damaged() const;
  // The sentence for what went wrong last: "PATH: database or disk is full".
  base::Error LastError() const;

 private:
  explicit Database(std::string path) : path_(std::move(path)) {}
  const std::string path_;
  sqlite3* handle_ = nullptr;
};

}  // namespace kueue::apiserver
