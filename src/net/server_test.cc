#include "net/server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>

namespace kueue::net {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class FunctionHandler final : public Handler {
 public:
  using Function = std::function<void(Request, std::shared_ptr<Responder>)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  void Handle(Request request, std::shared_ptr<Responder> responder) override {
    function_(std::move(request), std::move(responder));
  }

 private:
  const Function function_;
};

void Reply(Responder& responder, std::string body) {
  responder.Start(200, {{"Content-Type", "text/plain"}});
  responder.Write(std::move(body));
  responder.End();
}

// A client without any HTTP of its own, to see and send the very bytes. Reading gives up after a
// long time, so that a failing test ends.
class Wire {
 public:
  explicit Wire(uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval limit{20, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  ~Wire() { close(fd_); }
  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
  }
  // Until `end` has arrived, or the server has closed. What comes after it is kept.
  std::string ReadUntil(std::string_view end) {
    size_t searched = 0;
    while (true) {
      const size_t at = received_.find(end, searched);
      if (at != std::string::npos) return TakeReceived(at + end.size());
      searched = received_.size() - std::min(received_.size(), end.size());
      char buffer[16384];
      const ssize_t got = recv(fd_, buffer, sizeof buffer, 0);
      if (got <= 0) return TakeReceived(received_.size());
      received_.append(buffer, static_cast<size_t>(got));
    }
  }
  std::string ReadAll() { return ReadUntil(kNever); }

 private:
  std::string TakeReceived(size_t size) {
    std::string out = received_.substr(0, size);
    received_.erase(0, size);
    return out;
  }

  static constexpr std::string_view kNever = "\x01\x02\x03 never sent \x01\x02\x03";
  const int fd_;
  std::string received_;
};

std::unique_ptr<Server> Listen(Handler& handler, const ServerOptions& options = {}) {
  auto server = Server::Listen(options, handler);
  EXPECT_TRUE(server.ok());
  return std::move(*server);
}

FunctionHandler EchoTarget() {
  return FunctionHandler([](Request request, std::shared_ptr<Responder> responder) {
    Reply(*responder, request.method + " " + request.target + " " + request.body);
  });
}

TEST(Server, KnownLengthIsTold) {
  FunctionHandler handler = EchoTarget();
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(wire.ReadAll(),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n"
            "Connection: close\r\n\r\nGET /a ");
}

TEST(Server, RequestsSentAheadAreAnsweredInOrder) {
  FunctionHandler handler = EchoTarget();
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n");
  EXPECT_THAT(wire.ReadUntil("GET /1 "), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(wire.ReadUntil("GET /2 "), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(wire.ReadUntil("GET /3 "), StartsWith("HTTP/1.1 200"));
}

TEST(Server, StreamsInChunksAndKeepsTheConnection) {
  std::promise<std::shared_ptr<Responder>> promise;
  FunctionHandler handler([&promise](Request request, std::shared_ptr<Responder> responder) {
    if (request.target == "/watch") {
      promise.set_value(std::move(responder));
    } else {
      Reply(*responder, "second");
    }
  });
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("GET /watch HTTP/1.1\r\n\r\n");
  const std::shared_ptr<Responder> responder = promise.get_future().get();
  responder->Start(200, {});
  EXPECT_THAT(wire.ReadUntil("\r\n\r\n"), HasSubstr("Transfer-Encoding: chunked"));
  responder->Write("hello");
  EXPECT_EQ(wire.ReadUntil("hello\r\n"), "5\r\nhello\r\n");
  responder->Write("0123456789abcdef!");
  EXPECT_EQ(wire.ReadUntil("!\r\n"), "11\r\n0123456789abcdef!\r\n");
  responder->End();
  EXPECT_EQ(wire.ReadUntil("0\r\n\r\n"), "0\r\n\r\n");
  wire.Send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(wire.ReadUntil("second"), EndsWith("\r\n\r\nsecond"));
}

TEST(Server, OldClientsGetNoChunks) {
  std::promise<std::shared_ptr<Responder>> promise;
  FunctionHandler handler([&promise](Request, std::shared_ptr<Responder> responder) {
    promise.set_value(std::move(responder));
  });
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("GET / HTTP/1.0\r\n\r\n");
  const std::shared_ptr<Responder> responder = promise.get_future().get();
  responder->Start(200, {});
  const std::string head = wire.ReadUntil("\r\n\r\n");
  EXPECT_THAT(head, HasSubstr("Connection: close"));
  EXPECT_THAT(head, Not(HasSubstr("chunked")));
  responder->Write("a");
  responder->Write("b");
  responder->End();
  EXPECT_EQ(wire.ReadAll(), "ab");
}

TEST(Server, HeadGetsTheLengthOnly) {
  FunctionHandler handler = EchoTarget();
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("HEAD /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n");
  EXPECT_THAT(wire.ReadUntil("\r\n\r\n"), HasSubstr("Content-Length: 8\r\n"));
  EXPECT_THAT(wire.ReadUntil("GET /b "), StartsWith("HTTP/1.1 200"));
}

TEST(Server, SaysContinueToThoseWhoWait) {
  FunctionHandler handler = EchoTarget();
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(wire.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  wire.Send("abc");
  EXPECT_THAT(wire.ReadUntil("PUT / abc"), StartsWith("HTTP/1.1 200"));
}

TEST(Server, TooLargeBodyIsRefusedAndTheClientCanReadIt) {
  FunctionHandler handler = EchoTarget();
  ServerOptions options;
  options.max_body_bytes = 1000;
  const auto server = Listen(handler, options);
  Wire wire(server->port());
  wire.Send("PUT / HTTP/1.1\r\nContent-Length: 5000000\r\n\r\n" + std::string(5000000, 'x'));
  const std::string answer = wire.ReadUntil("}\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(answer, HasSubstr(R"({"kind":"Status","apiVersion":"v1",)"));
  EXPECT_THAT(answer, EndsWith("\"reason\":\"RequestEntityTooLarge\",\"code\":413}\n"));
}

TEST(Server, TooLargeHeaderAndGarbageAreRefused) {
  FunctionHandler handler = EchoTarget();
  ServerOptions options;
  options.max_header_bytes = 1000;
  const auto server = Listen(handler, options);
  Wire large(server->port());
  large.Send("GET / HTTP/1.1\r\nA: " + std::string(2000, 'x') + "\r\n\r\n");
  EXPECT_THAT(large.ReadUntil("}\n"), StartsWith("HTTP/1.1 431 "));
  Wire garbage(server->port());
  garbage.Send("hello there\r\n\r\n");
  EXPECT_THAT(garbage.ReadUntil("}\n"), StartsWith("HTTP/1.1 400 "));
  // The server is as well as before.
  Wire good(server->port());
  good.Send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(good.ReadUntil("GET / "), StartsWith("HTTP/1.1 200"));
}

TEST(Server, GivenUpRequestsAreAnswered500) {
  FunctionHandler handler([](Request, std::shared_ptr<Responder>) {});
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(wire.ReadUntil("}\n"), StartsWith("HTTP/1.1 500 "));
}

TEST(Server, HeadersCannotBeSmuggledIntoAnswers) {
  FunctionHandler handler([](Request, std::shared_ptr<Responder> responder) {
    responder->Start(200, {{"A", "b\r\nEvil: yes"}});
    responder->End();
  });
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(wire.ReadUntil("\r\n\r\n"), HasSubstr("A: b  Evil: yes\r\n"));
}

TEST(Server, UpgradeIsPassedOn) {
  FunctionHandler handler([](Request request, std::shared_ptr<Responder> responder) {
    Reply(*responder, std::string(HeaderOf(request.headers, "upgrade")));
  });
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n");
  EXPECT_THAT(wire.ReadUntil("SPDY/3.1"), EndsWith("\r\n\r\nSPDY/3.1"));
}

TEST(Server, ClientsThatDoNotReadAreDropped) {
  std::promise<void> dropped;
  FunctionHandler handler([&dropped](Request, std::shared_ptr<Responder> responder) {
    responder->Start(200, {});
    // More than the sockets' buffers and the limit take together.
    for (int i = 0; i < 64; ++i) responder->Write(std::string(1 << 20, 'x'));
    EXPECT_GT(responder->Backlog(), size_t{4} << 20);
    dropped.set_value();
  });
  ServerOptions options;
  options.max_backlog_bytes = 4u << 20;
  const auto server = Listen(handler, options);
  Wire wire(server->port());
  wire.Send("GET / HTTP/1.1\r\n\r\n");
  dropped.get_future().get();
  EXPECT_THAT(wire.ReadAll(), Not(EndsWith("0\r\n\r\n")));
}

TEST(Server, TheSlowestGoesWhenAllTogetherLeaveTooMuch) {
  std::promise<void> written;
  FunctionHandler handler([&written](Request request, std::shared_ptr<Responder> responder) {
    if (request.target == "/quick") return Reply(*responder, "quick");
    responder->Start(200, {});
    // More than the sockets' buffers and the bound for all take together.
    for (int i = 0; i < 64; ++i) responder->Write(std::string(1 << 20, 'x'));
    written.set_value();
  });
  ServerOptions options;
  options.max_backlog_bytes = size_t{1} << 30;
  options.max_total_backlog_bytes = 4u << 20;
  const auto server = Listen(handler, options);
  Wire slow(server->port());
  slow.Send("GET /slow HTTP/1.1\r\n\r\n");
  written.get_future().get();
  EXPECT_THAT(slow.ReadAll(), Not(EndsWith("0\r\n\r\n")));
  Wire quick(server->port());
  quick.Send("GET /quick HTTP/1.1\r\n\r\n");
  EXPECT_THAT(quick.ReadUntil("quick"), EndsWith("quick"));
}

TEST(Server, OneLargeWriteIsNoReasonToDropAnyone) {
  FunctionHandler handler([](Request, std::shared_ptr<Responder> responder) {
    std::string body;
    for (int i = 0; i < 30000; ++i) body.append(100, 'x');
    body += "end";
    Reply(*responder, std::move(body));
  });
  ServerOptions options;
  options.max_backlog_bytes = 1000;
  const auto server = Listen(handler, options);
  Wire wire(server->port());
  wire.Send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(wire.ReadUntil("end"), EndsWith("xend"));
}

TEST(Server, IdleConnectionsAreClosed) {
  FunctionHandler handler = EchoTarget();
  ServerOptions options;
  options.idle_timeout = base::milliseconds(40);
  const auto server = Listen(handler, options);
  Wire silent(server->port());
  Wire half(server->port());
  half.Send("GET / HT");
  EXPECT_EQ(silent.ReadAll(), "");
  EXPECT_EQ(half.ReadAll(), "");
}

TEST(Server, FurtherConnectionsWaitForAFreePlace) {
  FunctionHandler handler = EchoTarget();
  ServerOptions options;
  options.max_connections = 1;
  const auto server = Listen(handler, options);
  auto first = std::make_unique<Wire>(server->port());
  first->Send("GET /1 HTTP/1.1\r\n\r\n");
  first->ReadUntil("GET /1 ");
  Wire second(server->port());
  second.Send("GET /2 HTTP/1.1\r\n\r\n");
  first.reset();
  EXPECT_THAT(second.ReadUntil("GET /2 "), StartsWith("HTTP/1.1 200"));
}

TEST(Server, OneClientHasSoManyConnectionsAndNoMore) {
  FunctionHandler handler = EchoTarget();
  ServerOptions options;
  options.max_connections_per_client = 1;
  const auto server = Listen(handler, options);
  Wire first(server->port());
  first.Send("GET /1 HTTP/1.1\r\n\r\n");
  first.ReadUntil("GET /1 ");
  Wire second(server->port());
  EXPECT_EQ(second.ReadAll(), "");
  // Its place is free as soon as the server has closed the first.
  first.Send("GET /1 HTTP/1.1\r\nConnection: close\r\n\r\n");
  first.ReadAll();
  Wire third(server->port());
  third.Send("GET /3 HTTP/1.1\r\n\r\n");
  EXPECT_THAT(third.ReadUntil("GET /3 "), StartsWith("HTTP/1.1 200"));
}

TEST(Server, StopClosesOpenStreams) {
  std::promise<std::shared_ptr<Responder>> promise;
  FunctionHandler handler([&promise](Request, std::shared_ptr<Responder> responder) {
    responder->Start(200, {});
    promise.set_value(std::move(responder));
  });
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("GET / HTTP/1.1\r\n\r\n");
  const std::shared_ptr<Responder> responder = promise.get_future().get();
  server->Stop(base::Duration(0));
  EXPECT_TRUE(responder->Closed());
  wire.ReadAll();
  // Late writes are harmless, also after the server is gone.
  responder->Write("x");
  responder->End();
}

TEST(Server, StopLetsRunningAnswersEnd) {
  std::promise<std::shared_ptr<Responder>> promise;
  FunctionHandler handler([&promise](Request, std::shared_ptr<Responder> responder) {
    responder->Start(200, {});
    promise.set_value(std::move(responder));
  });
  const auto server = Listen(handler);
  Wire wire(server->port());
  wire.Send("GET / HTTP/1.1\r\n\r\n");
  const std::shared_ptr<Responder> responder = promise.get_future().get();
  wire.ReadUntil("\r\n\r\n");
  auto stopped = std::async(std::launch::async, [&] { server->Stop(base::seconds(20)); });
  responder->Write("last words");
  responder->End();
  EXPECT_EQ(wire.ReadAll(), "a\r\nlast words\r\n0\r\n\r\n");
  stopped.get();
  server->Stop(base::Duration(0));
}

TEST(Server, TakenPortIsAnError) {
  FunctionHandler handler = EchoTarget();
  const auto server = Listen(handler);
  ServerOptions options;
  options.port = server->port();
  const auto second = Server::Listen(options, handler);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().message, HasSubstr(std::to_string(server->port())));
  options.address = "not an address";
  EXPECT_FALSE(Server::Listen(options, handler).ok());
  options.tls = {"garbage", "garbage"};
  EXPECT_FALSE(Server::Listen(options, handler).ok());
}

}  // namespace
}  // namespace kueue::net
