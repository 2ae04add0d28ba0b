#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "net/event_loop.h"
#include "net/http.h"

namespace kueue::net {

// Where a handler's answer waits for the connection that writes it: filled on the handler's thread,
// emptied on the loop's. Private to net.
class Answer : public std::enable_shared_from_this<Answer> {
 public:
  // `flush` is called on the loop's thread when there is something to take. At a Write while more
  // than `max_backlog_bytes` are waiting, the answer gives up (`overrun` in Parts). `total` counts
  // what waits in all answers.
  Answer(std::shared_ptr<EventLoop> loop, size_t max_backlog_bytes,
         std::shared_ptr<std::atomic<size_t>> total, std::function<void()> flush);

  // ---- the handler's side, any thread. Destroying the responder unended abandons the answer.
  static std::shared_ptr<Responder> MakeResponder(std::shared_ptr<Answer> answer);

  // ---- the connection's side, on the loop's thread
  struct Parts {
    bool start = false;
    int status = 0;
    Headers headers;
    std::vector<std::string> chunks;
    bool end = false;
    bool abandoned = false;
    bool overrun = false;
  };
  // What has come since the last call.
  Parts Take();
  // The client has taken (or will never want) so many bytes.
  void Taken(size_t bytes);
  size_t backlog() const { return backlog_.load(std::memory_order_relaxed); }
  // Nothing more is wanted; `flush` is not called any more.
  void Close();

 private:
  class Handle;
  template <class F>
  void Add(F change);

  const std::shared_ptr<EventLoop> loop_;
  const size_t max_backlog_bytes_;
  std::atomic<bool> closed_{false};
  std::atomic<size_t> backlog_{0};
  const std::shared_ptr<std::atomic<size_t>> total_;
  base::Mutex mutex_;
  Parts parts_ GUARDED_BY(mutex_);
  bool flush_posted_ GUARDED_BY(mutex_) = false;
  std::function<void()> flush_;  // the loop's
};

}  // namespace kueue::net
