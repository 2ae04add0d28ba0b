#pragma once

#include <functional>
#include <memory>

#include "base/executor.h"
#include "manager/manager.h"
#include "net/http.h"

namespace kueue::embedded {

// GET /metrics: what the manager counts, in Prometheus' text format, under the names of the
// reference's manager (kueue_..., controller_runtime_..., workqueue_...). Also /healthz and
// /readyz.
class MetricsPage final : public net::Handler {
 public:
  // `manager` gives the manager of the moment; called on the executor only. Both must outlive the
  // last answer.
  MetricsPage(base::Executor& executor, std::function<manager::Manager&()> manager);
  ~MetricsPage() override;

  // Any thread.
  void Handle(net::Request request, std::shared_ptr<net::Responder> responder) override;

 private:
  class Impl;
  base::Executor& executor_;
  std::shared_ptr<Impl> impl_;
};

}  // namespace kueue::embedded
