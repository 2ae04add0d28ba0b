#include "apiserver/storage/sqlite_storage.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "apiserver/storage/format.h"
#include "apiserver/store.h"
#include "base/check.h"
#include "base/log.h"

namespace kueue::apiserver {
namespace {

// Names and not a KindInfo: the definition of a custom resource may go before the disk gets here.
using KindName = std::pair<std::string, std::string>;  // group, kind

struct Row {
  KindName kind;
  std::string key;
  StoredPtr object;  // null: deleted
};

struct Batch {
  uint64_t revision = 0;  // of its last change
  std::vector<Row> rows;
  size_t bytes = 0;
};

// As large as what one wants to be able to write when space has come back.
constexpr size_t kProbeBytes = 1u << 20;
// Pages given back to the file system at a time, once more than a quarter of the file is unused.
constexpr int64_t kFewFreePages = 256;
constexpr int kBatchesBetweenLooks = 64;

std::string FreeSpaceText(const std::string& path) {
  struct statvfs info = {};
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (::statvfs(folder.empty() ? "." : folder.c_str(), &info) != 0) return "";
  return fmt::format(", {} bytes are free there",
                     static_cast<uint64_t>(info.f_bavail) * info.f_frsize);
}

// The file and what is prepared for it. On the disk's executor, after Open.
class Keeper {
 public:
  explicit Keeper(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  base::Status Prepare() {
    struct Wanted {
      Statement& statement;
      const char* sql;
    };
    const Wanted wanted[] = {
        {put_,
         "INSERT INTO objects(kind, key, revision, sum, text) VALUES(?, ?, ?, ?, ?) "
         "ON CONFLICT(kind, key) DO UPDATE SET revision = excluded.revision, sum = excluded.sum, "
         "text = excluded.text"},
        {remove_, "DELETE FROM objects WHERE kind = ? AND key = ?"},
        {advance_, "UPDATE meta SET value = ? WHERE name = 'revision'"},
        {add_kind_, "INSERT OR IGNORE INTO kinds(grp, kind) VALUES(?, ?)"},
        {find_kind_, "SELECT id FROM kinds WHERE grp = ? AND kind = ?"},
    };
    for (const Wanted& one : wanted) {
      auto prepared = database_->Prepare(one.sql);
      if (!prepared.ok()) return prepared.error();
      one.statement = std::move(*prepared);
    }
    return {};
  }

  base::Status Write(const Batch& batch) {
    if (auto begun = database_->Run("BEGIN IMMEDIATE"); !begun.ok()) return Explain(begun, batch);
    base::Status status = WriteRows(batch);
    if (status.ok()) status = advance_.Bind(1, static_cast<int64_t>(batch.revision)).Run();
    if (status.ok()) status = database_->Run("COMMIT");
    if (status.ok()) {
      GiveBackSpace();
      return {};
    }
    const base::Status explained = Explain(status, batch);
    Abandon();
    return explained;
  }

  // Whether there is room again.
  base::Status Probe() {
    const std::string sql = fmt::format(
        "BEGIN IMMEDIATE;"
        "CREATE TABLE probe(x); INSERT INTO probe VALUES(zeroblob({})); DROP TABLE probe;"
        "COMMIT",
        kProbeBytes);
    base::Status status = database_->Run(sql.c_str());
    if (status.ok()) return {};
    Batch none;
    none.bytes = kProbeBytes;
    const base::Status explained = Explain(status, none);
    Abandon();
    return explained;
  }

 private:
  void Abandon() {
    kind_ids_.clear();
    // Some errors have rolled back already; then there is nothing to do.
    if (auto undone = database_->Run("ROLLBACK"); !undone.ok()) {
      base::LogDebug("apiserver", undone.error().message);
    }
  }

  base::Status Explain(const base::Status& status, const Batch& batch) {
    const std::string& path = database_->path();
    if (database_->disk_was_full()) {
      return base::Unavailable(fmt::format(
          "the disk is full: {} bytes cannot be written to {}{}; nothing was changed, and writes "
          "go on by themselves when there is space",
          batch.bytes, path, FreeSpaceText(path)));
    }
    return base::Unavailable(
        fmt::format("{} bytes cannot be written: {}; nothing was changed, and "
                    "writes go on by themselves when it can be written",
                    batch.bytes, status.error().message));
  }

  base::Status WriteRows(const Batch& batch) {
    for (const Row& row : batch.rows) {
      const auto id = IdOf(row.kind);
      if (!id.ok()) return id.error();
      base::Status status;
      if (row.object == nullptr) {
        status = remove_.Bind(1, *id).BindText(2, row.key).Run();
      } else {
        const std::string& text = row.object->Text();
        const uint64_t revision = row.object->revision();
        const int64_t sum = SumOf(row.kind.first, row.kind.second, row.key, revision, text);
        status = put_.Bind(1, *id)
                     .BindText(2, row.key)
                     .Bind(3, static_cast<int64_t>(revision))
                     .Bind(4, sum)
                     .BindBlob(5, text)
                     .Run();
      }
      if (!status.ok()) return status;
    }
    return {};
  }

  base::Result<int64_t> IdOf(const KindName& kind) {
    const auto known = kind_ids_.find(kind);
    if (known != kind_ids_.end()) return known->second;
    add_kind_.BindText(1, kind.first).BindText(2, kind.second);
    if (auto added = add_kind_.Run(); !added.ok()) return added.error();
    const auto row = find_kind_.BindText(1, kind.first).BindText(2, kind.second).Next();
    if (!row.ok()) return row.error();
    KUEUE_CHECK(*row);
    const int64_t id = find_kind_.Int(0);
    find_kind_.Reset();
    kind_ids_[kind] = id;
    return id;
  }

  // A file that has shrunk inside shrinks outside too, a little at a time. Failing is no harm.
  void GiveBackSpace() {
    if (++batches_ % kBatchesBetweenLooks != 0) return;
    const auto free = database_->AskInt("PRAGMA freelist_count");
    const auto all = database_->AskInt("PRAGMA page_count");
    if (!free.ok() || !all.ok() || *free < kFewFreePages || *free < *all / 4) return;
    if (auto s = database_->Run("PRAGMA incremental_vacuum(256)"); !s.ok()) {
      base::LogDebug("apiserver", s.error().message);
    }
  }

  std::unique_ptr<Database> database_;  // outlives the statements
  Statement put_, remove_, advance_, add_kind_, find_kind_;
  std::map<KindName, int64_t> kind_ids_;
  int batches_ = 0;
};

}  // namespace

class SqliteStorage::Impl {
 public:
  Impl(std::shared_ptr<Keeper> keeper, StoredState state, const SqliteOptions& options,
       base::Executor& disk, base::Executor& store)
      : keeper_(std::move(keeper)),
        state_(std::move(state)),
        options_(options),
        disk_(disk),
        store_(store) {}

  StoredState TakeState() { return std::exchange(state_, {}); }
  void SetEvents(Events events) { events_ = std::move(events); }
  const StorageFailure* failure() const { return failure_ ? &*failure_ : nullptr; }

  void Append(const StoreChange& change) {
    KUEUE_CHECK(!failure_);
    KUEUE_CHECK(change.revision > open_.revision);
    open_.revision = change.revision;
    const bool gone = change.type == ChangeType::kDeleted;
    // The text is made here: later it is read on two threads.
    open_.bytes += gone ? 0 : change.object->Text().size();
    open_.rows.push_back({{std::string(change.kind->group), std::string(change.kind->kind)},
                          change.key,
                          gone ? nullptr : change.object});
    if (writing_ || flush_posted_) return;
    flush_posted_ = true;
    // Behind all requests that wait already: their changes come along.
    store_.Post(scope_.Wrap([this] {
      flush_posted_ = false;
      Flush();
    }));
  }

 private:
  void Flush() {
    if (writing_ || open_.rows.empty()) return;
    writing_ = true;
    auto batch = std::make_shared<Batch>(std::exchange(open_, {}));
    KeepLastOfEachKey(*batch);
    disk_.Post([keeper = keeper_, batch, &store = store_,
                done = scope_.Wrap([this](uint64_t revision, const base::Status& status) {
                  OnWritten(revision, status);
                })]() mutable {
      base::Status status = keeper->Write(*batch);
      store.Post([done = std::move(done), revision = batch->revision,
                  status = std::move(status)]() mutable { done(revision, status); });
    });
  }

  static void KeepLastOfEachKey(Batch& batch) {
    if (batch.rows.size() < 2) return;
    std::set<std::pair<const KindName&, std::string_view>> seen;
    std::vector<Row> last;
    for (auto row = batch.rows.rbegin(); row != batch.rows.rend(); ++row) {
      if (seen.emplace(row->kind, row->key).second) last.push_back(*row);
    }
    batch.rows.assign(std::make_move_iterator(last.rbegin()), std::make_move_iterator(last.rend()));
  }

  void OnWritten(uint64_t revision, const base::Status& status) {
    writing_ = false;
    if (!status.ok()) return Fail(status.error().message);
    // The next batch is on its way while this one is told.
    Flush();
    if (events_.kept) events_.kept(revision);
  }

  void Fail(const std::string& message) {
    base::LogError("apiserver", message);
    failure_ = StorageFailure{message};
    open_ = Batch();
    if (events_.lost) events_.lost();
    TryLater();
  }

  void TryLater() {
    store_.PostAfter(options_.try_again, scope_.Wrap([this] {
      disk_.Post([keeper = keeper_, &store = store_,
                  done = scope_.Wrap([this](const base::Status& s) { OnProbed(s); })]() mutable {
        base::Status status = keeper->Probe();
        store.Post(
            [done = std::move(done), status = std::move(status)]() mutable { done(status); });
      });
    }));
  }

  void OnProbed(const base::Status& status) {
    if (!status.ok()) {
      failure_ = StorageFailure{status.error().message};
      return TryLater();
    }
    base::LogInfo("apiserver", options_.path + " can be written again");
    failure_.reset();
  }

  const std::shared_ptr<Keeper> keeper_;
  StoredState state_;
  const SqliteOptions options_;
  base::Executor& disk_;
  base::Executor& store_;
  Events events_;
  Batch open_;            // waits for the transaction under way
  bool writing_ = false;  // a batch is on its way to the disk and back
  bool flush_posted_ = false;
  std::optional<StorageFailure> failure_;
  base::Scope scope_;
};

SqliteStorage::SqliteStorage(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SqliteStorage::~SqliteStorage() = default;

base::Result<std::unique_ptr<SqliteStorage>> SqliteStorage::Open(const SqliteOptions& options,
                                                                 base::Executor& disk,
                                                                 base::Executor& store) {
  auto database = OpenFile(options.path, options.vfs);
  if (!database.ok()) return database.error();
  auto state = ReadState(**database);
  if (!state.ok()) return state.error();
  auto keeper = std::make_shared<Keeper>(std::move(*database));
  if (auto ready = keeper->Prepare(); !ready.ok()) return ready.error();
  return std::unique_ptr<SqliteStorage>(new SqliteStorage(
      std::make_unique<Impl>(std::move(keeper), std::move(*state), options, disk, store)));
}

StoredState SqliteStorage::TakeState() { return impl_->TakeState(); }
void SqliteStorage::SetEvents(Events events) { impl_->SetEvents(std::move(events)); }
void SqliteStorage::Append(const StoreChange& change) { impl_->Append(change); }
const StorageFailure* SqliteStorage::failure() const { return impl_->failure(); }

}  // namespace kueue::apiserver
