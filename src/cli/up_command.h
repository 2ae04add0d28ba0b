#pragma once

#include <cstdint>
#include <string>
#include <vector>

// The embedded cluster: up, down, status, backup, restore, reset.
namespace kueue::cli {

struct UpFlags {
  std::string data_dir;
  std::string kubeconfig;
  std::string listen = "127.0.0.1:0";
  std::string nodes;  // "": those of the last start on the folder, or else one
  std::vector<std::string> users;  // "name" or "name:group,group"
  std::string audit_log;
  std::string metrics_addr;  // ADDRESS:PORT; "": no metrics port
  std::string config;         // a Configuration file; "": the defaults
  std::string feature_gates;  // "A=true,B=false"
  bool in_memory = false;
  bool remote = false;
  std::string dialect;  // "simple" or "off"; "": as the file says, failing that simple
  uint64_t seed = 0;
};

// Runs until SIGTERM or SIGINT.
int Up(const UpFlags& flags);
struct UserFlags {
  std::string data_dir, name, kubeconfig;
  std::vector<std::string> groups;
};
// Writes a kubeconfig for a further user of the instance that runs on the folder.
int AddUser(const UserFlags& flags);
int Down(const std::string& data_dir);
int Status(const std::string& data_dir);
// `file`: written by Backup, read by Restore.
int Backup(const std::string& data_dir, const std::string& file);
int Restore(const std::string& data_dir, const std::string& file);
int Reset(const std::string& data_dir);

}  // namespace kueue::cli
