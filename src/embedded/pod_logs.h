#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/log_source.h"
#include "base/executor.h"
#include "kube/informer.h"
#include "localcluster/pod_log.h"

namespace kueue::embedded {

// The logs of pods: of simulated ones what SimulatedLog says, of the pod that shows this process
// the process' own last lines. A log that is followed stays open until its container has ended, the
// pod is gone or the reader goes away.
//
// `cache` and `executor` must outlive it; to be used on that executor.
class PodLogs final : public apiserver::LogSource {
 public:
  // Before the cache is started.
  PodLogs(kube::Cache& cache, base::Executor& executor);

  void Read(const api::Json& pod, const apiserver::LogQuery& query,
            std::shared_ptr<net::Responder> responder) override;

 private:
  struct Follower {
    kube::ObjectKey key;
    std::string uid;
    apiserver::LogQuery query;
    size_t told = 0;        // lines of a simulated log that were told or skipped
    uint64_t told_own = 0;  // the same of the process' own log
    std::shared_ptr<net::Responder> responder;
  };
  void OnPod(const std::shared_ptr<const api::Pod>& before,
             const std::shared_ptr<const api::Pod>& after);
  void ReadOwn(const apiserver::LogQuery& query, std::shared_ptr<net::Responder> responder);
  void TellOwn();

  base::Executor& executor_;
  std::list<Follower> followers_;
  bool looking_ = false;  // a look at the process' own log is on its way
  base::Scope scope_;
};

}  // namespace kueue::embedded
