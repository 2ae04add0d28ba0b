#include "runtime/work_queue.h"

#include <utility>

namespace kueue::runtime {

WorkQueue::WorkQueue(std::unique_ptr<Reconciler> reconciler, base::Executor& executor,
                     std::function<void(const kube::ObjectKey&)> on_ready)
    : reconciler_(std::move(reconciler)), executor_(executor), on_ready_(std::move(on_ready)) {
  counters_.name = reconciler_->name();
}

WorkQueue::~WorkQueue() {
  for (const auto& [key, state] : states_) executor_.Cancel(state.timer);
}

void WorkQueue::Add(const kube::ObjectKey& key) {
  State& state = states_[key];
  if (state.working) {
    state.again = true;
  } else if (!state.ready) {
    MakeReady(key, state);
  }
}

void WorkQueue::AddAfter(const kube::ObjectKey& key, base::Duration delay) {
  if (delay <= base::Duration(0)) return Add(key);
  State& state = states_[key];
  const base::Duration deadline = Elapsed() + delay;
  if (state.timer != 0 && state.deadline <= deadline) return;
  if (state.timer == 0) ++counters_.delayed;
  executor_.Cancel(state.timer);
  state.deadline = deadline;
  state.timer = executor_.PostAfter(delay, [this, key] {
    states_[key].timer = 0;
    --counters_.delayed;
    Add(key);
  });
}

void WorkQueue::Begin(const kube::ObjectKey& key) {
  State& state = states_.at(key);
  KUEUE_CHECK(state.ready && !state.working);
  state.ready = false;
  state.working = true;
  state.began = Elapsed();
  counters_.waited += state.began - state.ready_since;
  ++counters_.reconciles;
  --counters_.waiting;
  ++counters_.working;
}

void WorkQueue::EndWell(const kube::ObjectKey& key, std::optional<base::Duration> look_again) {
  const auto it = states_.find(key);
  it->second.failures = 0;
  ++counters_.succeeded;
  End(it);
  if (!look_again) return;
  ++counters_.look_again;
  AddAfter(key, *look_again);
}

int WorkQueue::EndBadly(const kube::ObjectKey& key) {
  const auto it = states_.find(key);
  const int failures = ++it->second.failures;
  ++counters_.failed;
  End(it);
  return failures;
}

void WorkQueue::End(States::iterator it) {
  State& state = it->second;
  KUEUE_CHECK(state.working);
  state.working = false;
  --counters_.working;
  counters_.worked += Elapsed() - state.began;
  if (std::exchange(state.again, false)) return MakeReady(it->first, state);
  DropIfIdle(it);
}

void WorkQueue::MakeReady(const kube::ObjectKey& key, State& state) {
  state.ready = true;
  state.ready_since = Elapsed();
  ++counters_.adds;
  ++counters_.waiting;
  on_ready_(key);
}

void WorkQueue::DropIfIdle(States::iterator it) {
  const State& s = it->second;
  if (!s.ready && !s.working && s.timer == 0 && s.failures == 0) states_.erase(it);
}

ReconcilerCounters WorkQueue::counters() const { return counters_; }

}  // namespace kueue::runtime
