#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/time.h"

namespace boost::asio {
class io_context;
}

namespace kueue::net {

// One thread that waits for sockets and timers. Everything in net that touches a socket runs on it.
// Private to net; the only threads in net are these.
class EventLoop {
 public:
  // Starts the thread; `thread_name` shows in thread listings.
  explicit EventLoop(const std::string& thread_name);
  ~EventLoop();

  // Runs `task` on the loop's thread. Dropped after Finish. Thread-safe.
  void Post(std::function<void()> task);
  // Accepts no more tasks, waits until what was posted has run and all sockets and timers are done
  // (so the owner has those closed first, in a task), then joins the thread. Idempotent.
  // REQUIRES: not on the loop's thread.
  void Finish();
  bool OnThread() const;

  boost::asio::io_context& context();

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

// Runs one function later on the loop's thread, where all its methods are to be called. Setting it
// again replaces what was set; destroying it cancels.
class Timer {
 public:
  explicit Timer(EventLoop& loop);
  ~Timer();
  void Set(base::Duration delay, std::function<void()> task);
  void Cancel();

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::net
