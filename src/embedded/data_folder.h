#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "embedded/instance.h"
#include "net/tls.h"

// The files of an instance. Private to embedded.
namespace kueue::embedded {

// Holds the folder for one process: the kernel lets go of the lock whatever happens to us.
class FolderLock {
 public:
  // Makes the folder if need be. The error names the process that holds it.
  static base::Result<std::unique_ptr<FolderLock>> Take(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

// Where the objects are kept.
std::string DatabasePath(const std::string& folder);

// True if some process holds the folder's lock.
bool IsLocked(const std::string& folder);

struct Credentials {
  net::KeyPair authority, server;
  std::string token;         // the owner's
  std::string token_secret;  // signs tokens of service accounts
};
// Reads what the folder has and makes what it lacks or what has run out. Files of keys are readable
// by their owner only.
base::Result<Credentials> LoadCredentials(const std::string& folder, const std::string& address,
                                          base::Time now);

// Written whole or not at all (a temporary file is renamed). `secret`: mode 0600.
base::Status WriteFile(const std::string& path, const std::string& text, bool secret);
base::Result<std::string> ReadFile(const std::string& path);

base::Status WriteInfo(const std::string& folder, const InstanceInfo& info);
void RemoveInfo(const std::string& folder);
std::optional<InstanceInfo> ReadInfo(const std::string& folder);

}  // namespace kueue::embedded
