#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/executor.h"
#include "kube/client.h"

namespace kueue::kube {

// Defaults as spec/controllers.md §14 (leaderElection).
struct LeaderOptions {
  std::string namespace_name, name;  // of the Lease
  std::string identity;              // of this candidate; unlike any other's
  base::Duration lease_duration = base::seconds(15);  // others wait so long after a renewal
  base::Duration renew_deadline = base::seconds(10);  // without one so long, leadership is given up
  base::Duration retry_period = base::seconds(2);     // between attempts
};

// kInvalid unless lease_duration > renew_deadline > retry_period > 0 and the names are set. Only
// with this order has a leader stopped before another one can begin.
base::Status CheckLeaderOptions(const LeaderOptions& options);

struct LeaderCallbacks {
  std::function<void()> on_started;  // this candidate leads from now on
  // It does not lead any more. It goes on as a candidate; who wants to end ends in this callback.
  std::function<void()> on_lost;
  std::function<void(const std::string& identity)> on_new_leader;  // may be null; own one included
};

// Elects one leader among candidates through a coordination.k8s.io/v1 Lease. Clocks of different
// machines are never compared: a lease has run out when it has not changed for its duration, as
// measured here. Everything on one executor, the one the client's answers come on.
class LeaderElector {
 public:
  // REQUIRES: CheckLeaderOptions(options) is ok. `client` and `executor` outlive the elector.
  LeaderElector(Client& client, base::Executor& executor, LeaderOptions options,
                LeaderCallbacks callbacks);
  // Stops silently: no callback, the lease is left to run out.
  ~LeaderElector();

  // Begins as a candidate. Once only.
  void Start();
  bool leading() const;
  // Who holds the lease as far as known, "" if nobody.
  const std::string& leader() const;
  // Ends the candidacy; a lease that is held is given free, so that another may lead at once.
  // No further callbacks but `done`, which runs when the server has been told (or could not be).
  void Stop(std::function<void()> done);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::kube
