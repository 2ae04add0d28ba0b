#include "apiserver/storage/crash_disk.h"

#include <sqlite3.h>

#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/random.h"

namespace kueue::apiserver {
namespace {

constexpr size_t kSector = 512;

struct Change {
  bool truncation;
  uint64_t offset;  // of a truncation: the size afterwards
  std::string bytes;
};

struct DiskFile {
  std::string current;  // what the process reads
  std::string durable;  // what is on the platters
  std::vector<Change> unsynced;
  std::vector<std::unique_ptr<char[]>> shared;  // regions of shared memory
};

void Apply(const Change& change, size_t length, std::string& content) {
  if (change.truncation) {
    content.resize(change.offset);
    return;
  }
  if (content.size() < change.offset + length) content.resize(change.offset + length);
  content.replace(change.offset, length, change.bytes, 0, length);
}

}  // namespace

class CrashDisk::Impl {
 public:
  explicit Impl(uint64_t seed)
      : name_("crash-disk-" + std::to_string(++last_number_)), random_(seed) {
    system_ = sqlite3_vfs_find(nullptr);
    vfs_ = *system_;
    vfs_.szOsFile = sizeof(Handle);
    vfs_.zName = name_.c_str();
    vfs_.pAppData = this;
    vfs_.pNext = nullptr;
    vfs_.xOpen = [](sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out) {
      if (out != nullptr) *out = flags;
      return static_cast<Impl*>(vfs->pAppData)->Open(path, file);
    };
    vfs_.xDelete = [](sqlite3_vfs* vfs, const char* path, int) {
      return static_cast<Impl*>(vfs->pAppData)->Delete(path);
    };
    vfs_.xAccess = [](sqlite3_vfs* vfs, const char* path, int, int* found) {
      Impl& disk = *static_cast<Impl*>(vfs->pAppData);
      const auto file = disk.files_.find(path);
      *found = file != disk.files_.end() && !file->second->current.empty();
      return SQLITE_OK;
    };
    vfs_.xFullPathname = [](sqlite3_vfs*, const char* path, int size, char* out) {
      sqlite3_snprintf(size, out, "%s", path);
      return SQLITE_OK;
    };
    KUEUE_CHECK(sqlite3_vfs_register(&vfs_, 0) == SQLITE_OK);
  }
  ~Impl() { sqlite3_vfs_unregister(&vfs_); }

  // SQLite allocates it and sees its first member only.
  struct Handle {
    sqlite3_file base;
    Impl* disk;
    std::shared_ptr<DiskFile>* file;
    uint64_t life;
  };

  int Open(const char* path, sqlite3_file* out) {
    auto* handle = reinterpret_cast<Handle*>(out);
    handle->base.pMethods = nullptr;
    if (crashed_) return SQLITE_IOERR;
    const std::string name = path != nullptr ? path : "temporary-" + std::to_string(++temporary_);
    std::shared_ptr<DiskFile>& file = files_[name];
    if (!file) file = std::make_shared<DiskFile>();
    handle->base.pMethods = Methods();
    handle->disk = this;
    handle->file = new std::shared_ptr<DiskFile>(file);
    handle->life = life_;
    return SQLITE_OK;
  }

  int Delete(const char* path) {
    if (crashed_) return SQLITE_IOERR;
    files_.erase(path);
    return SQLITE_OK;
  }

  // False: the power is gone, perhaps just now.
  bool Works(const Handle& handle) {
    if (handle.life != life_ || crashed_) return false;
    if (operations_left_ > 0 && --operations_left_ == 0) crashed_ = true;
    return true;
  }

  int Write(Handle& handle, Change change) {
    // An operation in the middle of which the power fails counts as one that was not synced.
    if (!Works(handle)) return SQLITE_IOERR_WRITE;
    DiskFile& file = **handle.file;
    const uint64_t end = change.offset + change.bytes.size();
    const uint64_t growth = end > file.current.size() ? end - file.current.size() : 0;
    if (!change.truncation && growth > 0 && Used() + growth > capacity_) return SQLITE_FULL;
    Apply(change, change.bytes.size(), file.current);
    file.unsynced.push_back(std::move(change));
    return crashed_ ? SQLITE_IOERR_WRITE : SQLITE_OK;
  }

  int Sync(Handle& handle) {
    if (!Works(handle) || crashed_) return SQLITE_IOERR_FSYNC;
    ++syncs_;
    DiskFile& file = **handle.file;
    for (const Change& change : file.unsynced) Apply(change, change.bytes.size(), file.durable);
    file.unsynced.clear();
    return SQLITE_OK;
  }

  void Restart() {
    for (auto& [name, file] : files_) {
      for (const Change& change : file->unsynced) {
        const uint64_t fate = random_.Below(3);
        if (fate == 0) continue;
        size_t length = change.bytes.size();
        if (fate == 1 && length > kSector) {
          length = kSector * static_cast<size_t>(random_.Below(length / kSector));
        }
        Apply(change, length, file->durable);
      }
      file->unsynced.clear();
      file->current = file->durable;
      file->shared.clear();
    }
    ++life_;
    crashed_ = false;
    operations_left_ = 0;
  }

  uint64_t Used() const {
    uint64_t bytes = 0;
    for (const auto& [name, file] : files_) bytes += file->current.size();
    return bytes;
  }

  static const sqlite3_io_methods* Methods();

  static inline int last_number_ = 0;
  const std::string name_;
  base::Random random_;
  sqlite3_vfs* system_ = nullptr;
  sqlite3_vfs vfs_ = {};
  std::map<std::string, std::shared_ptr<DiskFile>> files_;
  uint64_t life_ = 1;
  uint64_t temporary_ = 0;
  uint64_t operations_left_ = 0;  // 0: no crash is planned
  bool crashed_ = false;
  uint64_t capacity_ = ~uint64_t{0};
  uint64_t syncs_ = 0;
};

namespace {

template <class H>
H& HandleOf(sqlite3_file* file) {
  return *reinterpret_cast<H*>(file);
}

}  // namespace

const sqlite3_io_methods* CrashDisk::Impl::Methods() {
  static const sqlite3_io_methods methods = [] {
    sqlite3_io_methods m = {};
    m.iVersion = 2;
    m.xClose = [](sqlite3_file* file) {
      delete std::exchange(HandleOf<Handle>(file).file, nullptr);
      return SQLITE_OK;
    };
    m.xRead = [](sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
      Handle& handle = HandleOf<Handle>(file);
      if (handle.life != handle.disk->life_) return SQLITE_IOERR_READ;
      const std::string& content = (*handle.file)->current;
      const auto from = static_cast<size_t>(offset), wanted = static_cast<size_t>(size);
      const size_t there = from < content.size() ? std::min(wanted, content.size() - from) : 0;
      if (there > 0) std::memcpy(out, content.data() + from, there);
      if (there == wanted) return SQLITE_OK;
      std::memset(static_cast<char*>(out) + there, 0, wanted - there);
      return SQLITE_IOERR_SHORT_READ;
    };
    m.xWrite = [](sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
      Handle& handle = HandleOf<Handle>(file);
      return handle.disk->Write(
          handle, {false, static_cast<uint64_t>(offset),
                   std::string(static_cast<const char*>(bytes), static_cast<size_t>(size))});
    };
    m.xTruncate = [](sqlite3_file* file, sqlite3_int64 size) {
      Handle& handle = HandleOf<Handle>(file);
      return handle.disk->Write(handle, {true, static_cast<uint64_t>(size), ""});
    };
    m.xSync = [](sqlite3_file* file, int) {
      Handle& handle = HandleOf<Handle>(file);
      return handle.disk->Sync(handle);
    };
    m.xFileSize = [](sqlite3_file* file, sqlite3_int64* size) {
      *size = static_cast<sqlite3_int64>((*HandleOf<Handle>(file).file)->current.size());
      return SQLITE_OK;
    };
    m.xLock = [](sqlite3_file*, int) { return SQLITE_OK; };
    m.xUnlock = [](sqlite3_file*, int) { return SQLITE_OK; };
    m.xCheckReservedLock = [](sqlite3_file*, int* locked) {
      *locked = 0;
      return SQLITE_OK;
    };
    m.xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; };
    m.xSectorSize = [](sqlite3_file*) { return static_cast<int>(kSector); };
    m.xDeviceCharacteristics = [](sqlite3_file*) { return 0; };
    m.xShmMap = [](sqlite3_file* file, int region, int size, int, void volatile** out) {
      auto& shared = (*HandleOf<Handle>(file).file)->shared;
      while (shared.size() <= static_cast<size_t>(region)) {
        shared.push_back(std::make_unique<char[]>(static_cast<size_t>(size)));
      }
      *out = shared[static_cast<size_t>(region)].get();
      return SQLITE_OK;
    };
    m.xShmLock = [](sqlite3_file*, int, int, int) { return SQLITE_OK; };
    m.xShmBarrier = [](sqlite3_file*) {};
    m.xShmUnmap = [](sqlite3_file*, int) { return SQLITE_OK; };
    return m;
  }();
  return &methods;
}

CrashDisk::CrashDisk(uint64_t seed) : impl_(std::make_unique<Impl>(seed)) {}
CrashDisk::~CrashDisk() = default;
const char* CrashDisk::name() const { return impl_->name_.c_str(); }
void CrashDisk::CrashAfter(uint64_t operations) { impl_->operations_left_ = operations; }
bool CrashDisk::crashed() const { return impl_->crashed_; }
void CrashDisk::Restart() { impl_->Restart(); }
void CrashDisk::set_capacity(uint64_t bytes) { impl_->capacity_ = bytes; }
uint64_t CrashDisk::used() const { return impl_->Used(); }
uint64_t CrashDisk::syncs() const { return impl_->syncs_; }
std::string& CrashDisk::Content(const std::string& path) { return impl_->files_.at(path)->current; }

}  // namespace kueue::apiserver
