#include <atomic>
#include <memory>
#include <utility>

#include "base/check.h"
#include "net/client.h"
#include "net/delivery.h"

namespace kueue::net {
namespace {

// The handler's end of an exchange.
class InProcessResponder final : public Responder {
 public:
  explicit InProcessResponder(std::shared_ptr<Delivery> delivery)
      : delivery_(std::move(delivery)) {}
  ~InProcessResponder() override {
    delivery_->End(base::Unavailable("the server gave up the request without ending its answer"));
  }

  void Start(int status, Headers headers) override {
    KUEUE_CHECK(!std::exchange(started_, true));
    delivery_->Start(status, std::move(headers));
  }
  void Write(std::string chunk) override {
    KUEUE_CHECK(started_);
    if (!chunk.empty()) delivery_->Data(std::move(chunk));
  }
  void End() override {
    KUEUE_CHECK(started_);
    delivery_->End({});
  }
  bool Closed() const override { return delivery_->cancelled(); }
  size_t Backlog() const override { return delivery_->backlog(); }

 private:
  const std::shared_ptr<Delivery> delivery_;
  bool started_ = false;
};

class InProcessExchange final : public Exchange {
 public:
  explicit InProcessExchange(std::shared_ptr<Delivery> delivery)
      : delivery_(std::move(delivery)) {}
  ~InProcessExchange() override { delivery_->Cancel(); }
  void Cancel() override { delivery_->Cancel(); }

 private:
  const std::shared_ptr<Delivery> delivery_;
};

class InProcessTransport final : public Transport {
 public:
  InProcessTransport(Handler& handler, base::Executor& server_executor,
                     base::Executor& client_executor)
      : handler_(handler), server_executor_(server_executor), client_executor_(client_executor) {}
  ~InProcessTransport() override { *alive_ = false; }

  std::unique_ptr<Exchange> Send(Request request, ResponseEvents events) override {
    request.peer = Peer();
    request.peer.address = "in-process";
    request.peer.trusted = true;
    auto delivery = std::make_shared<Delivery>(std::move(events), client_executor_);
    auto responder = std::make_shared<InProcessResponder>(delivery);
    server_executor_.Post([&handler = handler_, alive = alive_, request = std::move(request),
                           responder = std::move(responder)]() mutable {
      // A request cancelled before the handler saw it never happened.
      if (*alive && !responder->Closed()) {
        handler.Handle(std::move(request), std::move(responder));
      }
    });
    return std::make_unique<InProcessExchange>(std::move(delivery));
  }

 private:
  Handler& handler_;
  base::Executor& server_executor_;
  base::Executor& client_executor_;
  const std::shared_ptr<std::atomic<bool>> alive_ = std::make_shared<std::atomic<bool>>(true);
};

}  // namespace

std::unique_ptr<Transport> MakeInProcessTransport(Handler& handler, base::Executor& server_executor,
                                                  base::Executor& client_executor) {
  return std::make_unique<InProcessTransport>(handler, server_executor, client_executor);
}

}  // namespace kueue::net
