#pragma once

#include <memory>
#include <string>

#include "apiserver/authz.h"
#include "apiserver/call.h"
#include "apiserver/store.h"
#include "base/executor.h"
#include "metrics/registry.h"

// What the server counts about the requests it answers, under the names a Kubernetes API server
// uses for it: apiserver_request_total, apiserver_request_duration_seconds,
// apiserver_longrunning_requests, apiserver_current_inflight_requests, apiserver_resource_objects.
namespace kueue::apiserver {

class RequestMetrics {
 public:
  // Both must outlive this. An answer may end later than that; it is then counted nowhere.
  RequestMetrics(base::Executor& executor, const Store& store);

  // Counts the call from now on until its answer ends: puts itself in front of its responder.
  void Follow(Call& call, const AccessAttributes& access);
  // Answers /metrics and returns true.
  bool Handle(Call& call);

 private:
  struct Counters;
  class Following;

  base::Executor& executor_;
  const Store& store_;
  const std::shared_ptr<Counters> counters_;
};

}  // namespace kueue::apiserver
