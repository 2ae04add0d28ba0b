#include "apiserver/storage/database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace kueue::apiserver {

// ---- statements

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(database_, other.database_);
  std::swap(statement_, other.statement_);
  return *this;
}

Statement& Statement::Bind(int parameter, int64_t value) {
  KUEUE_CHECK(sqlite3_bind_int64(statement_, parameter, value) == SQLITE_OK);
  return *this;
}

Statement& Statement::BindText(int parameter, std::string_view text) {
  KUEUE_CHECK(sqlite3_bind_text64(statement_, parameter, text.data(), text.size(), SQLITE_STATIC,
                                  SQLITE_UTF8) == SQLITE_OK);
  return *this;
}

Statement& Statement::BindBlob(int parameter, std::string_view bytes) {
  KUEUE_CHECK(sqlite3_bind_blob64(statement_, parameter, bytes.data(), bytes.size(),
                                  SQLITE_STATIC) == SQLITE_OK);
  return *this;
}

base::Result<bool> Statement::Next() {
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) {
    sqlite3_reset(statement_);
    return false;
  }
  // Resetting forgets neither the code nor the message.
  base::Error error = database_->LastError();
  sqlite3_reset(statement_);
  return error;
}

base::Status Statement::Run() {
  while (true) {
    const auto row = Next();
    if (!row.ok()) return row.error();
    if (!*row) return {};
  }
}

void Statement::Reset() { sqlite3_reset(statement_); }

int64_t Statement::Int(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Statement::Text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes == nullptr
             ? std::string_view()
             : std::string_view(static_cast<const char*>(bytes), static_cast<size_t>(size));
}

// ---- the database

base::Result<std::unique_ptr<Database>> Database::Open(const std::string& path, Mode mode,
                                                       const char* vfs) {
  std::unique_ptr<Database> database(new Database(path));
  if (mode == Mode::kCreate && vfs == nullptr) {
    // Secrets are in it: nobody else may read it. What SQLite puts beside it follows its rights.
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0) ::close(descriptor);
  }
  int flags = SQLITE_OPEN_NOMUTEX;
  switch (mode) {
    case Mode::kReadOnly:
      flags |= SQLITE_OPEN_READONLY;
      break;
    case Mode::kReadWrite:
      flags |= SQLITE_OPEN_READWRITE;
      break;
    case Mode::kCreate:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
      break;
  }
  if (sqlite3_open_v2(path.c_str(), &database->handle_, flags, vfs) != SQLITE_OK) {
    return database->LastError();
  }
  sqlite3_extended_result_codes(database->handle_, 1);
  // Others only ever hold it for moments: a backup that begins, a person with the sqlite3 shell.
  sqlite3_busy_timeout(database->handle_, 10000);
  return database;
}

Database::~Database() { sqlite3_close_v2(handle_); }

base::Status Database::Run(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return LastError();
  return {};
}

base::Result<Statement> Database::Prepare(std::string_view sql) {
  Statement statement;
  statement.database_ = this;
  if (sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                         SQLITE_PREPARE_PERSISTENT, &statement.statement_, nullptr) != SQLITE_OK) {
    return LastError();
  }
  return statement;
}

base::Result<int64_t> Database::AskInt(const char* sql) {
  auto statement = Prepare(sql);
  if (!statement.ok()) return statement.error();
  const auto row = statement->Next();
  if (!row.ok()) return row.error();
  return *row ? statement->Int(0) : 0;
}

base::Result<std::string> Database::AskText(const char* sql) {
  auto statement = Prepare(sql);
  if (!statement.ok()) return statement.error();
  const auto row = statement->Next();
  if (!row.ok()) return row.error();
  return *row ? std::string(statement->Text(0)) : std::string();
}

bool Database::disk_was_full() const {
  const int code = sqlite3_errcode(handle_) & 0xff;
  const int system = sqlite3_system_errno(handle_);
  return code == SQLITE_FULL || (code == SQLITE_IOERR && (system == ENOSPC || system == EDQUOT));
}

bool Database::is_damaged() const {
  const int code = sqlite3_errcode(handle_) & 0xff;
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

base::Error Database::LastError() const {
  std::string text = path_ + ": " + sqlite3_errmsg(handle_);
  const int code = sqlite3_errcode(handle_) & 0xff;
  const int system = sqlite3_system_errno(handle_);
  // Of other errors the number is one of long ago.
  if (system != 0 && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN))
    text += std::string(" (") + std::strerror(system) + ")";
  return base::Unavailable(std::move(text));
}

}  // namespace kueue::apiserver
