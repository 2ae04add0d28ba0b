#pragma once

#include <memory>

#include "base/executor.h"
#include "base/random.h"
#include "controllers/settings.h"
#include "integrations/job.h"
#include "manager/queue_metrics.h"
#include "manager/scheduler_loop.h"
#include "net/http.h"
#include "scheduling/config.h"

namespace kueue::manager {

struct ManagerOptions {
  scheduling::Config scheduling;
  controllers::Settings controllers;
  MetricsSettings metrics;
  // Retries of parked work are not batched over a second: for players of recorded scenarios.
  bool retry_at_once = false;
  // Kinds of jobs that are managed.
  std::vector<const integrations::Integration*> integrations = integrations::AllIntegrations();
  std::string bearer_token;
  std::string user_agent = "kueue-cpp/manager";
};

// Controllers and scheduler against one API server. Everything runs on `executor`, in real or in
// virtual time; the transport's events must arrive on it.
class Manager {
 public:
  Manager(net::Transport& transport, base::Executor& executor, base::Random random,
          ManagerOptions options);
  ~Manager();

  // Lists everything, then reconciles and schedules. To be called on the executor.
  void Start();
  // All caches have been filled once and the scheduler runs.
  bool started() const;

  SchedulerLoop& scheduler();
  const scheduling::State& state() const;
  const kube::Cache& cache() const;
  const runtime::Driver& driver() const;
  // The metrics of queues and work, with gauges as they are now.
  QueueMetrics& metrics();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::manager
