#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "apiserver/server.h"
#include "base/executor.h"
#include "base/random.h"
#include "embedded/manager_presence.h"
#include "localcluster/local_cluster.h"
#include "manager/manager.h"

namespace kueue::embedded {

struct ControlPlaneOptions {
  apiserver::ServerOptions server;
  localcluster::Options cluster;
  manager::ManagerOptions manager;
  // The manager is seen in the cluster as a Deployment and a Pod; see ManagerPresence.
  bool show_manager = false;
  PresenceOptions presence;
  // What the manager talks through instead of the transport into the server: for faults in
  // simulations. Absent: the transport itself, which outlives what is returned.
  std::function<std::unique_ptr<net::Transport>(net::Transport&, base::Executor&)>
      manager_transport;
};

// API server, simulated cluster and manager in one process, on one executor. The same object in
// real and in virtual time: who makes it chooses the executor and the seed.
//
// All calls on the executor, except constructing it before the executor runs anything.
class ControlPlane {
 public:
  // `executor` must outlive this; nothing of this may be running on it when this is destroyed.
  ControlPlane(base::Executor& executor, base::Random random, ControlPlaneOptions options);
  ~ControlPlane();

  // Starts cluster and manager. The API server answers from construction on.
  void Start();
  // As after a crash: the manager forgets everything, what it had under way is broken off, and a
  // new one begins. After Start.
  void RestartManager();
  // Manager and cluster have seen everything once and run.
  bool ready() const;

  apiserver::Server& server();
  manager::Manager& manager();
  // A transport into the server for further clients on the same executor.
  net::Transport& transport();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::embedded
