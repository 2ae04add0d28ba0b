#pragma once

#include <string>
#include <vector>

// The binary under the name kueue-controller-manager: the manager alone, with the flags of its
// Deployment.
namespace kueue::cli {

struct ManagerFlags {
  bool leader_elect = false;
  std::string metrics_address = ":8080";
  std::string health_address = ":8081";
  std::string kubeconfig;  // "": that of the pod's service account
  std::string config;      // file of the Configuration; "": the defaults
};

// Reads the flags. Nothing: `code` is what the process ends with (0 after --help), and why has been
// printed.
bool ParseManagerFlags(std::vector<std::string> arguments, ManagerFlags& flags, int& code);
// The whole program; returns its exit code.
int RunManager(std::vector<std::string> arguments);

}  // namespace kueue::cli
