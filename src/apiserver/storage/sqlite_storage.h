#pragma once

#include <memory>
#include <string>

#include "apiserver/storage/storage.h"
#include "base/executor.h"
#include "base/result.h"

namespace kueue::apiserver {

struct SqliteOptions {
  std::string path;
  // A registered SQLite file system; null: the machine's.
  const char* vfs = nullptr;
  // While the disk is full, space is looked for so often.
  base::Duration try_again = base::milliseconds(500);
};

// Keeps changes in one SQLite file. Those that come while a transaction is under way go into the
// next one together: one sync for all of them.
class SqliteStorage final : public Storage {
 public:
  // Opens and reads the file, or makes it; blocks. Errors say what to do.
  // `store` is the store's executor, `disk` the one that waits for the disk; both must outlive
  // this, and nothing may be running on `store` when this is destroyed.
  static base::Result<std::unique_ptr<SqliteStorage>> Open(const SqliteOptions& options,
                                                           base::Executor& disk,
                                                           base::Executor& store);
  ~SqliteStorage() override;

  StoredState TakeState() override;
  void SetEvents(Events events) override;
  void Append(const StoreChange& change) override;
  const StorageFailure* failure() const override;

 private:
  class Impl;
  explicit SqliteStorage(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::apiserver
