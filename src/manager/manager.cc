#include "manager/manager.h"

#include "controllers/core_controllers.h"
#include "controllers/dialect_controllers.h"
#include "controllers/topology_controllers.h"
#include "integrations/job.h"
#include "manager/metrics_feed.h"

namespace kueue::manager {

class Manager::Impl {
 public:
  Impl(net::Transport& transport, base::Executor& executor, base::Random random,
       ManagerOptions options)
      : options_(Settled(std::move(options))),
        client_(transport, options_.bearer_token, options_.user_agent),
        cache_(client_, executor),
        driver_(client_, cache_, executor, random, DriverOptions()),
        state_(options_.scheduling),
        scheduler_(state_, cache_, driver_, executor, options_.retry_at_once),
        topology_({cache_, driver_, state_, executor.clock(), options_.controllers,
                   [this] { scheduler_.Wake(); }}),
        controllers_({cache_, driver_, state_, executor.clock(), options_.controllers,
                      options_.integrations, [this] { scheduler_.Wake(); }}),
        metrics_(options_.metrics, options_.controllers.gates),
        feed_(
            {cache_, state_, executor.clock(), metrics_, options_.metrics, options_.integrations}) {
    scheduler_.Watch(
        {[this](const scheduling::Plan& plan, base::Duration took) { feed_.OnCycle(plan, took); },
         [this](const scheduling::Eviction& eviction) { feed_.OnPreempted(eviction); },
         [this](const api::Workload& slice) { feed_.OnSliceReplaced(slice); }});
    controllers::AddDialectControllers(cache_, driver_, options_.controllers);
  }

  // One gate, one wording everywhere.
  static ManagerOptions Settled(ManagerOptions options) {
    const scheduling::Gates& gates = options.scheduling.gates;
    options.controllers.wording = {gates.unadmitted_workloads_observability,
                                   gates.unadmitted_workloads_explicit_status};
    // ClusterQueues of the dialect may ask for it where nobody configured it.
    auto& by_past_use = options.scheduling.admission_fair_sharing;
    if (options.controllers.simple_dialect && !by_past_use) {
      by_past_use.emplace();
      by_past_use->half_life = base::minutes(10);
      by_past_use->sampling_interval = base::minutes(5);
      by_past_use->only_by_strategy = true;
    }
    return options;
  }
  static runtime::DriverOptions DriverOptions() {
    runtime::DriverOptions options;
    options.component = "kueue-admission";
    return options;
  }

  const ManagerOptions options_;
  kube::Client client_;
  kube::Cache cache_;
  runtime::Driver driver_;
  scheduling::State state_;
  SchedulerLoop scheduler_;
  controllers::TopologyControllers topology_;
  controllers::CoreControllers controllers_;
  QueueMetrics metrics_;
  MetricsFeed feed_;
  bool started_ = false;
};

Manager::Manager(net::Transport& transport, base::Executor& executor, base::Random random,
                 ManagerOptions options)
    : impl_(std::make_unique<Impl>(transport, executor, random, std::move(options))) {}
Manager::~Manager() = default;

void Manager::Start() {
  impl_->cache_.Start([impl = impl_.get()] {
    impl->driver_.Start();
    impl->scheduler_.Start();
    impl->feed_.Start();
    impl->started_ = true;
  });
}

bool Manager::started() const { return impl_->started_; }
SchedulerLoop& Manager::scheduler() { return impl_->scheduler_; }
const scheduling::State& Manager::state() const { return impl_->state_; }
const kube::Cache& Manager::cache() const { return impl_->cache_; }
const runtime::Driver& Manager::driver() const { return impl_->driver_; }
QueueMetrics& Manager::metrics() {
  impl_->feed_.Refresh();
  return impl_->metrics_;
}

}  // namespace kueue::manager
