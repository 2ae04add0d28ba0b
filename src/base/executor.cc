#include "base/executor.h"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <thread>
#include <unordered_map>

#include "base/check.h"
#include "base/mutex.h"

namespace kueue::base {
namespace {

// When a delay from `now` ends. Delays beyond a century are cut to it: "never" may be asked for as
// Duration::max(), which must not overflow here or in the waits below.
Duration DeadlineAfter(Duration now, Duration delay) {
  return now + std::clamp<Duration>(delay, Duration(0), hours(24 * 36525));
}

// Timers by (deadline, id): ids grow, so equal deadlines keep the order in which they were set.
class TimerQueue {
 public:
  TimerId Add(Duration deadline, Task task) {
    const TimerId id = ++last_id_;
    deadlines_[id] = deadline;
    timers_.emplace(std::pair(deadline, id), std::move(task));
    return id;
  }
  // Hands the task out instead of destroying it: what it holds may call the executor again.
  Task Cancel(TimerId id) {
    const auto it = deadlines_.find(id);
    if (it == deadlines_.end()) return nullptr;
    const auto timer = timers_.find({it->second, id});
    Task task = std::move(timer->second);
    timers_.erase(timer);
    deadlines_.erase(it);
    return task;
  }
  bool empty() const { return timers_.empty(); }
  // REQUIRES: !empty().
  Duration NextDeadline() const { return timers_.begin()->first.first; }
  Task TakeNext() {
    Task task = std::move(timers_.begin()->second);
    deadlines_.erase(timers_.begin()->first.second);
    timers_.erase(timers_.begin());
    return task;
  }

 private:
  TimerId last_id_ = 0;
  std::map<std::pair<Duration, TimerId>, Task> timers_;
  std::unordered_map<TimerId, Duration> deadlines_;
};

}  // namespace

class VirtualExecutor::Impl final : public Clock {
 public:
  explicit Impl(Time start) : start_(start) {}
  Time Now() const override { return start_ + elapsed_; }
  Duration Elapsed() const override { return elapsed_; }

  bool RunOne() {
    if (ready_.empty()) return false;
    Task task = std::move(ready_.front());
    ready_.pop_front();
    ++tasks_run_;
    task();
    return true;
  }
  // Moves the next timer due up to `until` to the ready queue, clock included.
  bool Advance(Duration until) {
    if (timers_.empty() || timers_.NextDeadline() > until) return false;
    elapsed_ = std::max(elapsed_, timers_.NextDeadline());
    ready_.push_back(timers_.TakeNext());
    return true;
  }

  const Time start_;
  Duration elapsed_{0};
  std::deque<Task> ready_;
  TimerQueue timers_;
  uint64_t tasks_run_ = 0;
};

VirtualExecutor::VirtualExecutor(Time start) : impl_(std::make_unique<Impl>(start)) {}
VirtualExecutor::~VirtualExecutor() {
  // What dropped tasks hold may post or cancel while it goes, so the queues must still be whole.
  while (!impl_->ready_.empty() || !impl_->timers_.empty()) {
    std::deque<Task> ready;
    ready.swap(impl_->ready_);
    if (!impl_->timers_.empty()) ready.push_back(impl_->timers_.TakeNext());
  }
}
void VirtualExecutor::Post(Task task) {
  KUEUE_CHECK(task != nullptr);
  impl_->ready_.push_back(std::move(task));
}
TimerId VirtualExecutor::PostAfter(Duration delay, Task task) {
  KUEUE_CHECK(task != nullptr);
  return impl_->timers_.Add(DeadlineAfter(impl_->elapsed_, delay), std::move(task));
}
void VirtualExecutor::Cancel(TimerId id) { impl_->timers_.Cancel(id); }
const Clock& VirtualExecutor::clock() const { return *impl_; }
uint64_t VirtualExecutor::tasks_run() const { return impl_->tasks_run_; }

uint64_t VirtualExecutor::RunReady() { return RunUntil(impl_->Now()); }

uint64_t VirtualExecutor::RunUntil(Time until) {
  const uint64_t before = impl_->tasks_run_;
  const Duration end = until - impl_->start_;
  while (impl_->RunOne() || impl_->Advance(end)) {
  }
  impl_->elapsed_ = std::max(impl_->elapsed_, end);
  return impl_->tasks_run_ - before;
}

bool VirtualExecutor::RunUntilTrue(const std::function<bool()>& done, Time until) {
  const Duration end = until - impl_->start_;
  while (!done()) {
    if (!impl_->RunOne() && !impl_->Advance(end)) {
      impl_->elapsed_ = std::max(impl_->elapsed_, end);
      return done();
    }
  }
  return true;
}

class ThreadExecutor::Impl {
 public:
  Impl(const std::string& name, const Clock& clock) : clock_(clock) {
    thread_ = std::thread([this] { Run(); });
    pthread_setname_np(thread_.native_handle(), name.substr(0, 15).c_str());
  }

  void Post(Task task) {
    KUEUE_CHECK(task != nullptr);  // the loop below ends at an empty task
    {
      MutexLock lock(mutex_);
      if (stopping_) return;
      ready_.push_back(std::move(task));
    }
    wake_.notify_one();
  }

  TimerId PostAfter(Duration delay, Task task) {
    KUEUE_CHECK(task != nullptr);
    TimerId id = 0;
    {
      MutexLock lock(mutex_);
      if (stopping_) return 0;
      id = timers_.Add(DeadlineAfter(clock_.Elapsed(), delay), std::move(task));
    }
    wake_.notify_one();
    return id;
  }

  void Cancel(TimerId id) {
    Task cancelled;  // destroyed after the lock is gone
    MutexLock lock(mutex_);
    cancelled = timers_.Cancel(id);
  }

  void Stop() {
    KUEUE_CHECK(std::this_thread::get_id() != thread_.get_id());
    std::deque<Task> dropped;  // destroyed without the lock
    {
      MutexLock lock(mutex_);
      stopping_ = true;
      dropped.swap(ready_);
      while (!timers_.empty()) dropped.push_back(timers_.TakeNext());
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  const Clock& clock_;

 private:
  // The next task, waiting for one if need be; empty once stopping.
  Task Take() {
    MutexLock lock(mutex_);
    while (!stopping_) {
      const Duration now = clock_.Elapsed();
      // Timers go first, so a flood of posts cannot starve them.
      if (!timers_.empty() && timers_.NextDeadline() <= now) return timers_.TakeNext();
      if (!ready_.empty()) {
        Task task = std::move(ready_.front());
        ready_.pop_front();
        return task;
      }
      if (timers_.empty()) {
        wake_.wait(mutex_);
      } else {
        wake_.wait_for(mutex_, timers_.NextDeadline() - now);
      }
    }
    return nullptr;
  }
  void Run() {
    while (Task task = Take()) task();
  }

  Mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<Task> ready_ GUARDED_BY(mutex_);
  TimerQueue timers_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

ThreadExecutor::ThreadExecutor(const std::string& name, const Clock& clock)
    : impl_(std::make_unique<Impl>(name, clock)) {}
ThreadExecutor::~ThreadExecutor() { Stop(); }
void ThreadExecutor::Post(Task task) { impl_->Post(std::move(task)); }
TimerId ThreadExecutor::PostAfter(Duration delay, Task task) {
  return impl_->PostAfter(delay, std::move(task));
}
void ThreadExecutor::Cancel(TimerId id) { impl_->Cancel(id); }
const Clock& ThreadExecutor::clock() const { return impl_->clock_; }
void ThreadExecutor::Stop() { impl_->Stop(); }

void ThreadExecutor::RunAndWait(Task task) {
  // The promise travels with the task: dropped unrun, it breaks and the wait ends as well.
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> future = done->get_future();
  Post([task = std::move(task), done = std::move(done)] {
    task();
    done->set_value();
  });
  future.wait();
}

}  // namespace kueue::base
