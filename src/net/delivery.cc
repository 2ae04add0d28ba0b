#include "net/delivery.h"

#include <utility>

namespace kueue::net {

Delivery::Delivery(ResponseEvents events, base::Executor& executor)
    : executor_(executor), events_(std::move(events)) {}

template <class F>
void Delivery::Deliver(bool last, F event) {
  if (cancelled()) return;
  // A callback may cancel; then it must not be destroyed while it runs.
  delivering_ = true;
  event();
  delivering_ = false;
  if (last || cancelled()) DropCallbacks();
}

void Delivery::DropCallbacks() {
  // They often own what owns this exchange. Their destructors may call Cancel again.
  const ResponseEvents events = std::exchange(events_, {});
  const std::function<void()> taken = std::exchange(on_taken_, nullptr);
}

void Delivery::Start(int status, Headers headers) {
  if (ended_ || cancelled()) return;
  executor_.Post([self = shared_from_this(), status, headers = std::move(headers)] {
    self->Deliver(false, [&] {
      if (self->events_.on_start) self->events_.on_start(status, headers);
    });
  });
}

void Delivery::Data(std::string chunk) {
  if (ended_ || cancelled()) return;
  backlog_.fetch_add(chunk.size(), std::memory_order_relaxed);
  executor_.Post([self = shared_from_this(), chunk = std::move(chunk)] {
    self->backlog_.fetch_sub(chunk.size(), std::memory_order_relaxed);
    self->Deliver(false, [&] {
      if (self->events_.on_data) self->events_.on_data(chunk);
      if (self->on_taken_ && !self->cancelled()) self->on_taken_();
    });
  });
}

void Delivery::End(base::Status status) {
  if (std::exchange(ended_, true) || cancelled()) return;
  executor_.Post([self = shared_from_this(), status = std::move(status)] {
    self->Deliver(true, [&] {
      if (self->events_.on_end) self->events_.on_end(status);
    });
  });
}

void Delivery::Cancel() {
  cancelled_.store(true, std::memory_order_release);
  if (!delivering_) DropCallbacks();
}

}  // namespace kueue::net
