#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/clock.h"

namespace kueue::base {

using Task = std::function<void()>;
using TimerId = uint64_t;  // 0 is never a timer

// Runs tasks one at a time, in the order posted; timers when they are due, equal deadlines in the
// order they were set. What is built on an Executor needs no locks among its own tasks.
// All methods are thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void Post(Task task) = 0;
  // Runs `task` once, `delay` from now (at once if negative). Cancel with the id returned.
  virtual TimerId PostAfter(Duration delay, Task task) = 0;
  // The task will not run, unless it is running or has run. Unknown ids are ignored.
  virtual void Cancel(TimerId id) = 0;
  virtual const Clock& clock() const = 0;
};

// Virtual time on the caller's thread: nothing runs until Run* is called, and the clock jumps from
// one timer to the next. Not thread-safe: everything happens on one thread. Same posts, same order.
class VirtualExecutor final : public Executor {
 public:
  explicit VirtualExecutor(Time start);
  ~VirtualExecutor() override;

  void Post(Task task) override;
  TimerId PostAfter(Duration delay, Task task) override;
  void Cancel(TimerId id) override;
  const Clock& clock() const override;

  // Runs what is ready now, and what that makes ready, without moving the clock.
  // Returns the number of tasks run.
  uint64_t RunReady();
  // Runs everything due up to `until` and leaves the clock there.
  uint64_t RunUntil(Time until);
  uint64_t RunFor(Duration d) { return RunUntil(clock().Now() + d); }
  // Runs until `done()` is true (asked after every task) or `until` is reached; true if done.
  bool RunUntilTrue(const std::function<bool()>& done, Time until);
  // Tasks run since the start: a cheap measure that two runs took the same path.
  uint64_t tasks_run() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Real time on a thread of its own. The destructor stops it.
class ThreadExecutor final : public Executor {
 public:
  // `name` shows in thread listings (15 characters at most count). `clock` must outlive this.
  ThreadExecutor(const std::string& name, const Clock& clock);
  ~ThreadExecutor() override;

  void Post(Task task) override;
  TimerId PostAfter(Duration delay, Task task) override;
  void Cancel(TimerId id) override;
  const Clock& clock() const override;

  // Lets the running task end, drops the rest and joins the thread. Later posts are dropped.
  // Must not be called from a task of this executor. Idempotent.
  void Stop();
  // Posts `task` and waits until it has run (or the executor has stopped).
  // Must not be called from a task of this executor.
  void RunAndWait(Task task);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Ties callbacks to the life of their owner: a wrapped function does nothing once the Scope is
// gone. Owner and callbacks must run on the same executor.
class Scope {
 public:
  Scope() : alive_(std::make_shared<bool>(true)) {}
  ~Scope() { *alive_ = false; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  template <class F>
  auto Wrap(F f) const {
    return [alive = alive_, f = std::move(f)](auto&&... args) mutable {
      if (*alive) f(std::forward<decltype(args)>(args)...);
    };
  }

 private:
  std::shared_ptr<bool> alive_;
};

}  // namespace kueue::base
