#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "runtime/driver.h"

namespace kueue::runtime {

// The keys of one reconciler, each in one state: idle (not held at all), ready, working, or working
// and to be ready again afterwards. Independent of that a key may have one deadline ahead and a
// count of failures.
class WorkQueue final : public Queue {
 public:
  // `on_ready(key)` is called when a key becomes ready; the queue does not order ready keys itself.
  WorkQueue(std::unique_ptr<Reconciler> reconciler, base::Executor& executor,
            std::function<void(const kube::ObjectKey&)> on_ready);
  ~WorkQueue() override;

  void Add(const kube::ObjectKey& key) override;
  void AddAfter(const kube::ObjectKey& key, base::Duration delay) override;

  Reconciler& reconciler() { return *reconciler_; }

  // ready -> working.
  void Begin(const kube::ObjectKey& key);
  // working -> idle, or ready if it was added meanwhile; to be added again after `look_again`.
  void EndWell(const kube::ObjectKey& key, std::optional<base::Duration> look_again);
  // working -> as EndWell, but the failure is counted. Returns how many there were in a row.
  // The caller says with Add or AddAfter when the key is tried again.
  int EndBadly(const kube::ObjectKey& key);

  ReconcilerCounters counters() const;
  bool idle() const { return counters_.waiting == 0 && counters_.working == 0; }

 private:
  struct State {
    bool ready = false, working = false, again = false;
    int failures = 0;
    base::TimerId timer = 0;  // 0: no deadline
    base::Duration deadline{0}, ready_since{0}, began{0};
  };
  using States = std::map<kube::ObjectKey, State>;

  void End(States::iterator it);
  void MakeReady(const kube::ObjectKey& key, State& state);
  void DropIfIdle(States::iterator it);
  base::Duration Elapsed() const { return executor_.clock().Elapsed(); }

  const std::unique_ptr<Reconciler> reconciler_;
  base::Executor& executor_;
  const std::function<void(const kube::ObjectKey&)> on_ready_;
  States states_;
  ReconcilerCounters counters_;
};

}  // namespace kueue::runtime
