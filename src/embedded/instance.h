#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/storage/backup.h"
#include "base/result.h"
#include "embedded/control_plane.h"
#include "embedded/users.h"

namespace kueue::embedded {

struct InstanceOptions {
  // Holds the lock, certificates, token, kubeconfig and what `kueue status` reads. Made if missing.
  std::string data_dir;
  std::string kubeconfig;             // "": <data_dir>/kubeconfig
  std::string address = "127.0.0.1";  // where to listen
  uint16_t port = 0;                  // 0: a free one
  // Allows an address that other machines can reach. Everybody needs the token either way.
  bool remote = false;
  // Where the manager's metrics are served over plain HTTP. Nothing: nowhere.
  std::optional<uint16_t> metrics_port;
  std::string metrics_address = "127.0.0.1";
  // Objects live as long as the process. Otherwise they are kept in <data_dir>/objects.db, and an
  // instance on the same folder goes on with them.
  bool in_memory = false;
  // Who else gets a kubeconfig at the start.
  std::vector<UserRequest> users;
  // Where requests are written down, one JSON line each; "": nowhere.
  std::string audit_log;
  uint64_t seed = 0;  // of generated names and uids; 0: from the system
  ControlPlaneOptions control_plane;
};

// What another process can know of a running instance.
struct InstanceInfo {
  int64_t pid = 0;
  std::string url, kubeconfig;
  std::vector<std::string> user_kubeconfigs;  // of `users`, in their order; in this process only
};

// A control plane in real time behind HTTPS on this machine: what `kueue up` runs.
class Instance {
 public:
  // Takes the folder, listens, writes the kubeconfig and starts. Errors say who holds the folder,
  // or what could not be written.
  static base::Result<std::unique_ptr<Instance>> Start(InstanceOptions options);
  // Stops: answers under way get a moment to end.
  ~Instance();

  const InstanceInfo& info() const;
  uint16_t metrics_port() const;  // 0: there is none
  const std::string& token() const;
  const std::string& authority_pem() const;
  // Waits until manager and cluster run, or `limit` has passed; true if they do.
  bool WaitUntilReady(base::Duration limit);
  void Stop();

 private:
  class Impl;
  explicit Instance(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The instance that runs on the folder: nothing if none does.
std::optional<InstanceInfo> FindInstance(const std::string& data_dir);
// Writes what the instance on the folder keeps to `file`, whether it runs or not.
base::Result<apiserver::BackupInfo> BackUpInstance(const std::string& data_dir,
                                                   const std::string& file);
// Puts a backup in the place of what an ended instance keeps. Errors: one runs, or `file` is no
// backup; nothing was changed then.
base::Result<apiserver::BackupInfo> RestoreInstance(const std::string& data_dir,
                                                    const std::string& file);
// Removes the files an ended instance left, each by its name, and then the folder if it is empty.
// False: no instance ever ran there, and nothing was touched. Errors: one runs, or a file stays.
base::Result<bool> RemoveInstanceFiles(const std::string& data_dir);
// The nodes that an instance on the folder was last started with, as text (file `nodes`): "" where
// nothing was kept. They are what the next start takes when it is told of none.
std::string RememberedNodes(const std::string& data_dir);
base::Status RememberNodes(const std::string& data_dir, const std::string& text);
// $XDG_DATA_HOME/kueue, ~/.local/share/kueue.
std::string DefaultDataDir();

}  // namespace kueue::embedded
