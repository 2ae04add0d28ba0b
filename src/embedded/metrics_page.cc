#include "embedded/metrics_page.h"

#include <sys/resource.h>

#include <string>

#include "api/types/kueue.h"
#include "metrics/registry.h"

namespace kueue::embedded {
namespace {

double Seconds(base::Duration duration) { return static_cast<double>(duration.count()) / 1e6; }

// Counters of a registry only grow: they are raised to what was counted elsewhere.
void Raise(metrics::Counter& counter, const metrics::LabelValues& labels, double to) {
  const double by = to - counter.Value(labels);
  counter.Add(labels, by > 0 ? by : 0);
}

}  // namespace

class MetricsPage::Impl {
 public:
  explicit Impl(std::function<manager::Manager&()> manager) : manager_(std::move(manager)) {}

  std::string Text() {
    manager::Manager& manager = manager_();
    for (const runtime::ReconcilerCounters& counters : manager.driver().reconciler_counters()) {
      Raise(reconciles_, {counters.name, "success"}, static_cast<double>(counters.succeeded));
      Raise(reconciles_, {counters.name, "error"}, static_cast<double>(counters.failed));
      Raise(adds_, {counters.name}, static_cast<double>(counters.adds));
      Raise(work_, {counters.name}, Seconds(counters.worked));
      depth_.Set({counters.name}, static_cast<double>(counters.waiting));
      active_.Set({counters.name}, static_cast<double>(counters.working));
    }
    rusage times{};
    getrusage(RUSAGE_SELF, &times);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    Raise(cpu_, {}, seconds(times.ru_utime) + seconds(times.ru_stime));
    return manager.metrics().Text() + registry_.Text();
  }

 private:
  const std::function<manager::Manager&()> manager_;
  metrics::Registry registry_;
  metrics::Counter& reconciles_ =
      registry_.AddCounter("controller_runtime_reconcile_total",
                           "reconciliations by controller and result", {"controller", "result"});
  metrics::Gauge& active_ = registry_.AddGauge("controller_runtime_active_workers",
                                               "keys with writes under way", {"controller"});
  metrics::Counter& adds_ =
      registry_.AddCounter("workqueue_adds_total", "keys that began to wait", {"name"});
  metrics::Counter& work_ =
      registry_.AddCounter("workqueue_work_duration_seconds_total", "time spent on keys", {"name"});
  metrics::Gauge& depth_ = registry_.AddGauge("workqueue_depth", "keys that wait", {"name"});
  metrics::Counter& cpu_ =
      registry_.AddCounter("process_cpu_seconds_total", "CPU time of the process", {});
};

MetricsPage::MetricsPage(base::Executor& executor, std::function<manager::Manager&()> manager)
    : executor_(executor), impl_(std::make_shared<Impl>(std::move(manager))) {}
MetricsPage::~MetricsPage() = default;

void MetricsPage::Handle(net::Request request, std::shared_ptr<net::Responder> responder) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  const auto answer = [](net::Responder& to, int status, std::string text, std::string_view type) {
    to.Start(status, {{"Content-Type", std::string(type)}});
    to.Write(std::move(text));
    to.End();
  };
  if (request.method != "GET") return answer(*responder, 405, "only GET\n", "text/plain");
  if (path == "/healthz" || path == "/readyz") return answer(*responder, 200, "ok", "text/plain");
  if (path != "/metrics") {
    return answer(*responder, 404, "there is /metrics\n", "text/plain");
  }
  executor_.Post([impl = impl_, responder = std::move(responder), answer] {
    answer(*responder, 200, impl->Text(), metrics::Registry::kContentType);
  });
}

}  // namespace kueue::embedded
