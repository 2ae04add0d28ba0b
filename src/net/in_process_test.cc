#include <gtest/gtest.h>

#include "net/client.h"

namespace kueue::net {
namespace {

// Keeps what arrives, for tests to answer as they like.
class KeepingHandler final : public Handler {
 public:
  void Handle(Request request, std::shared_ptr<Responder> responder) override {
    requests.push_back(std::move(request));
    responders.push_back(std::move(responder));
  }
  std::vector<Request> requests;
  std::vector<std::shared_ptr<Responder>> responders;
};

class InProcess : public testing::Test {
 protected:
  ResponseEvents Record() {
    ResponseEvents events;
    events.on_start = [this](int status, const Headers& headers) {
      log += "start " + std::to_string(status) + " " + std::string(HeaderOf(headers, "a")) + ";";
    };
    events.on_data = [this](std::string_view chunk) { log += std::string(chunk) + ";"; };
    events.on_end = [this](base::Status status) {
      log += status.ok() ? "end;" : std::string(base::CodeName(status.error().code)) + ";";
    };
    return events;
  }
  std::unique_ptr<Exchange> Get() {
    Request request;
    request.method = "GET";
    request.target = "/x";
    return transport->Send(std::move(request), Record());
  }

  base::VirtualExecutor executor{base::Time()};
  KeepingHandler handler;
  std::unique_ptr<Transport> transport = MakeInProcessTransport(handler, executor, executor);
  std::string log;
};

TEST_F(InProcess, EventsArriveInOrder) {
  const auto exchange = Get();
  EXPECT_TRUE(handler.requests.empty());
  executor.RunReady();
  ASSERT_EQ(handler.requests.size(), 1u);
  EXPECT_TRUE(handler.requests[0].peer.trusted);
  Responder& responder = *handler.responders[0];
  responder.Start(200, {{"A", "b"}});
  responder.Write("one");
  responder.Write("two");
  EXPECT_EQ(responder.Backlog(), 6u);
  responder.End();
  EXPECT_EQ(log, "");
  executor.RunReady();
  EXPECT_EQ(log, "start 200 b;one;two;end;");
  EXPECT_EQ(responder.Backlog(), 0u);
}

TEST_F(InProcess, CancelClosesTheResponder) {
  auto exchange = Get();
  executor.RunReady();
  Responder& responder = *handler.responders[0];
  responder.Start(200, {});
  EXPECT_FALSE(responder.Closed());
  exchange->Cancel();
  EXPECT_TRUE(responder.Closed());
  responder.Write("late");
  responder.End();
  executor.RunReady();
  EXPECT_EQ(log, "");
}

TEST_F(InProcess, DestroyingTheExchangeCancelsIt) {
  auto exchange = Get();
  executor.RunReady();
  exchange.reset();
  EXPECT_TRUE(handler.responders[0]->Closed());
}

TEST_F(InProcess, CancelledBeforeItWasHandledIsNeverHandled) {
  Get().reset();
  executor.RunReady();
  EXPECT_TRUE(handler.requests.empty());
}

TEST_F(InProcess, AbandonedResponderBreaksOff) {
  const auto exchange = Get();
  executor.RunReady();
  handler.responders[0]->Start(200, {});
  handler.responders.clear();
  executor.RunReady();
  EXPECT_EQ(log, "start 200 ;Unavailable;");
}

TEST_F(InProcess, CallbackMayDestroyItsExchange) {
  std::unique_ptr<Exchange> exchange;
  ResponseEvents events = Record();
  events.on_data = [this, &exchange](std::string_view chunk) {
    exchange.reset();
    log += std::string(chunk) + ";";
  };
  exchange = transport->Send({}, std::move(events));
  executor.RunReady();
  handler.responders[0]->Start(200, {});
  handler.responders[0]->Write("one");
  handler.responders[0]->Write("two");
  executor.RunReady();
  EXPECT_EQ(log, "start 200 ;one;");
}

TEST_F(InProcess, CallbacksAreReleasedAtTheEnd) {
  // A callback that owns its exchange must not keep itself alive for ever.
  auto owned = std::make_shared<std::unique_ptr<Exchange>>();
  const std::weak_ptr<std::unique_ptr<Exchange>> watch = owned;
  ResponseEvents events;
  events.on_end = [owned](base::Status) {};
  *owned = transport->Send({}, std::move(events));
  owned.reset();
  executor.RunReady();
  handler.responders[0]->Start(200, {});
  handler.responders[0]->End();
  executor.RunReady();
  EXPECT_TRUE(watch.expired());
}

TEST_F(InProcess, RequestsOfADeadTransportBreakOff) {
  const auto exchange = Get();
  transport.reset();
  executor.RunReady();
  EXPECT_TRUE(handler.requests.empty());
  EXPECT_EQ(log, "Unavailable;");
}

}  // namespace
}  // namespace kueue::net
