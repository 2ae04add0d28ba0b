#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "base/executor.h"
#include "net/http.h"

namespace kueue::net {

// Brings the parts of one answer from where they arise to the executor of the one who asked, in
// order, and nothing after the end or after Cancel. Private to net.
class Delivery : public std::enable_shared_from_this<Delivery> {
 public:
  // `executor` must outlive the producer's last call.
  Delivery(ResponseEvents events, base::Executor& executor);

  // ---- the producer: from one thread at a time
  void Start(int status, Headers headers);
  void Data(std::string chunk);
  // Only the first call counts.
  void End(base::Status status);

  // ---- the one who asked: on `executor`
  void Cancel();

  // ---- any thread
  bool cancelled() const { return cancelled_.load(std::memory_order_acquire); }
  // Bytes given to Data that on_data has not been called with yet.
  size_t backlog() const { return backlog_.load(std::memory_order_relaxed); }

  // Called on `executor` after each on_data, for a producer that waits for a smaller backlog.
  // To be set before the first Data.
  void OnTaken(std::function<void()> taken) { on_taken_ = std::move(taken); }

 private:
  // Runs `event` unless cancelled; lets go of the callbacks afterwards if `last` or cancelled.
  template <class F>
  void Deliver(bool last, F event);
  void DropCallbacks();

  base::Executor& executor_;
  std::atomic<bool> cancelled_{false};
  std::atomic<size_t> backlog_{0};
  bool ended_ = false;  // the producer's
  // The executor's:
  ResponseEvents events_;
  std::function<void()> on_taken_;
  bool delivering_ = false;
};

}  // namespace kueue::net
