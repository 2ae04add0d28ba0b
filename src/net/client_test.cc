#include "net/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "net/server.h"
#include "net/tls.h"

namespace kueue::net {
namespace {

using testing::HasSubstr;

// What became of one request.
struct Outcome {
  int status = 0;
  Headers headers;
  std::string body;
  base::Status end;
};

// A TLS server and a client of it. Requests go to `handle`, on the server's thread.
class HttpClientTest : public testing::Test, public Handler {
 protected:
  HttpClientTest() {
    LeafRequest leaf;
    leaf.common_name = "server";
    leaf.hosts = {"localhost", "127.0.0.1"};
    server_options_.tls = IssueCertificate(authority_, leaf, clock_.Now()).value();
  }
  void StartServer() { server_ = Server::Listen(server_options_, *this).value(); }
  ClientOptions Options() const {
    ClientOptions options;
    options.host = "127.0.0.1";
    options.port = std::to_string(server_->port());
    options.authority_pem = authority_.certificate_pem;
    return options;
  }
  void Start() {
    StartServer();
    client_ = MakeHttpClient(Options(), executor_);
  }
  void Handle(Request request, std::shared_ptr<Responder> responder) override {
    handle_(std::move(request), std::move(responder));
  }

  struct Pending {
    std::shared_ptr<Outcome> outcome = std::make_shared<Outcome>();
    std::promise<void> ended;
    std::unique_ptr<Exchange> exchange;
    std::promise<std::string> first_data;
    bool got_data = false;
  };
  // Sends on the executor, where exchanges belong.
  std::shared_ptr<Pending> Send(Transport& client, Request request) {
    auto pending = std::make_shared<Pending>();
    ResponseEvents events;
    events.on_start = [pending](int status, const Headers& headers) {
      pending->outcome->status = status;
      pending->outcome->headers = headers;
    };
    events.on_data = [pending](std::string_view chunk) {
      pending->outcome->body += chunk;
      if (std::exchange(pending->got_data, true)) return;
      pending->first_data.set_value(std::string(chunk));
    };
    events.on_end = [pending](base::Status status) {
      pending->outcome->end = std::move(status);
      pending->ended.set_value();
    };
    executor_.RunAndWait([&] { pending->exchange = client.Send(std::move(request), events); });
    return pending;
  }
  Outcome Wait(const std::shared_ptr<Pending>& pending) {
    pending->ended.get_future().get();
    executor_.RunAndWait([&] { pending->exchange.reset(); });
    return *pending->outcome;
  }
  static Request Make(std::string method, std::string target, std::string body = "") {
    Request request;
    request.method = std::move(method);
    request.target = std::move(target);
    request.body = std::move(body);
    return request;
  }
  Outcome Get(std::string target) { return Wait(Send(*client_, Make("GET", std::move(target)))); }

  static void Reply(Responder& responder, std::string body) {
    responder.Start(200, {{"X-Answer", "yes"}});
    responder.Write(std::move(body));
    responder.End();
  }

  base::RealClock clock_;  // TLS looks at the machine's clock
  const KeyPair authority_ = MakeAuthority("test authority", clock_.Now()).value();
  ServerOptions server_options_;
  std::function<void(Request, std::shared_ptr<Responder>)> handle_ =
      [](Request request, std::shared_ptr<Responder> responder) {
        Reply(*responder, request.method + " " + request.target + " " + request.body + " " +
                              std::string(HeaderOf(request.headers, "authorization")));
      };
  base::ThreadExecutor executor_{"client", clock_};
  std::unique_ptr<Server> server_;
  std::unique_ptr<Transport> client_;
};

TEST_F(HttpClientTest, AsksAndIsAnswered) {
  Start();
  Request request = Make("POST", "/api?x=y", "body");
  request.headers = {{"Authorization", "Bearer token"}};
  const Outcome outcome = Wait(Send(*client_, std::move(request)));
  EXPECT_TRUE(outcome.end.ok());
  EXPECT_EQ(outcome.status, 200);
  EXPECT_EQ(HeaderOf(outcome.headers, "x-answer"), "yes");
  EXPECT_EQ(outcome.body, "POST /api?x=y body Bearer token");
}

TEST_F(HttpClientTest, PlainHttpWorksAsWell) {
  server_options_.tls = {};
  StartServer();
  ClientOptions options = Options();
  options.tls = false;
  client_ = MakeHttpClient(options, executor_);
  EXPECT_EQ(Get("/x").body, "GET /x  ");
}

TEST_F(HttpClientTest, HostNamesAreResolvedAndVerified) {
  StartServer();
  ClientOptions options = Options();
  options.host = "localhost";
  client_ = MakeHttpClient(options, executor_);
  EXPECT_EQ(Get("/x").status, 200);
}

TEST_F(HttpClientTest, ConnectionsAreReused) {
  std::vector<std::string> peers;
  handle_ = [&peers](Request request, std::shared_ptr<Responder> responder) {
    peers.push_back(request.peer.address);
    Reply(*responder, "");
  };
  Start();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Get("/").status, 200);
  server_->Stop(base::Duration(0));
  EXPECT_EQ(peers, std::vector<std::string>(3, peers.at(0)));
}

TEST_F(HttpClientTest, OtherAuthoritiesAreNotTrusted) {
  StartServer();
  ClientOptions options = Options();
  options.authority_pem = MakeAuthority("another", clock_.Now()).value().certificate_pem;
  client_ = MakeHttpClient(options, executor_);
  const Outcome outcome = Get("/");
  ASSERT_FALSE(outcome.end.ok());
  EXPECT_EQ(outcome.end.error().code, base::Code::kUnavailable);
  EXPECT_THAT(outcome.end.error().message, HasSubstr("certificate"));
  options.insecure = true;
  client_ = MakeHttpClient(options, executor_);
  EXPECT_EQ(Get("/").status, 200);
}

TEST_F(HttpClientTest, CertificatesForOtherHostsAreRefused) {
  LeafRequest leaf;
  leaf.common_name = "127.0.0.1";
  leaf.hosts = {"elsewhere", "127.0.0.2"};
  server_options_.tls = IssueCertificate(authority_, leaf, clock_.Now()).value();
  Start();
  EXPECT_THAT(Get("/").end.error().message, HasSubstr("mismatch"));
}

TEST_F(HttpClientTest, StreamsArriveAsWritten) {
  std::promise<std::shared_ptr<Responder>> promise;
  handle_ = [&promise](Request, std::shared_ptr<Responder> responder) {
    promise.set_value(std::move(responder));
  };
  Start();
  const auto pending = Send(*client_, Make("GET", "/watch"));
  const std::shared_ptr<Responder> responder = promise.get_future().get();
  responder->Start(200, {});
  responder->Write("one");
  EXPECT_EQ(pending->first_data.get_future().get(), "one");
  responder->Write("two");
  responder->End();
  const Outcome outcome = Wait(pending);
  EXPECT_TRUE(outcome.end.ok());
  EXPECT_EQ(outcome.body, "onetwo");
}

TEST_F(HttpClientTest, LargeBodiesGoBothWays) {
  // Larger than what the client reads ahead, so that it has to pause and resume.
  handle_ = [](Request request, std::shared_ptr<Responder> responder) {
    std::string body;
    for (int i = 0; i < 6; ++i) body += request.body;
    Reply(*responder, std::move(body));
  };
  Start();
  const Outcome outcome = Wait(Send(*client_, Make("PUT", "/", std::string(2000000, 'x'))));
  EXPECT_TRUE(outcome.end.ok());
  EXPECT_EQ(outcome.body.size(), 12000000u);
}

TEST_F(HttpClientTest, TooLargeBodyGetsThe413) {
  server_options_.max_body_bytes = 1000;
  Start();
  EXPECT_EQ(Wait(Send(*client_, Make("PUT", "/", std::string(100000, 'x')))).status, 413);
  EXPECT_EQ(Get("/").status, 200);
}

TEST_F(HttpClientTest, CancelIsNoticedByTheServer) {
  std::promise<std::shared_ptr<Responder>> promise;
  std::promise<void> second;
  handle_ = [&](Request request, std::shared_ptr<Responder> responder) {
    if (request.target == "/watch") {
      responder->Start(200, {});
      promise.set_value(std::move(responder));
    } else {
      Reply(*responder, "");
    }
  };
  Start();
  const auto pending = Send(*client_, Make("GET", "/watch"));
  const std::shared_ptr<Responder> responder = promise.get_future().get();
  responder->Write("x");
  pending->first_data.get_future().get();
  executor_.RunAndWait([&] { pending->exchange.reset(); });
  while (!responder->Closed()) {
    // Each round trip gives the server the time to see that the connection is gone.
    ASSERT_EQ(Get("/").status, 200);
  }
  EXPECT_EQ(pending->outcome->status, 200);
  EXPECT_EQ(pending->outcome->body, "x");
}

TEST_F(HttpClientTest, HundredRequestsAtOnce) {
  Start();
  std::vector<std::shared_ptr<Pending>> all;
  for (int i = 0; i < 100; ++i) {
    all.push_back(Send(*client_, Make("GET", "/" + std::to_string(i))));
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(Wait(all[static_cast<size_t>(i)]).body, "GET /" + std::to_string(i) + "  ");
  }
}

TEST_F(HttpClientTest, ClientCertificateNamesThePeer) {
  server_options_.client_authority_pem = authority_.certificate_pem;
  handle_ = [](Request request, std::shared_ptr<Responder> responder) {
    std::string text = request.peer.certificate_name;
    for (const std::string& group : request.peer.certificate_groups) text += "," + group;
    Reply(*responder, text);
  };
  StartServer();
  LeafRequest leaf;
  leaf.common_name = "alice";
  leaf.organizations = {"system:masters", "team"};
  const KeyPair pair = IssueCertificate(authority_, leaf, clock_.Now()).value();
  ClientOptions options = Options();
  options.certificate_pem = pair.certificate_pem;
  options.key_pem = pair.key_pem;
  client_ = MakeHttpClient(options, executor_);
  EXPECT_EQ(Get("/").body, "alice,system:masters,team");
  EXPECT_EQ(Get("/").body, "alice,system:masters,team");
}

TEST_F(HttpClientTest, WithoutAGoodCertificateThePeerHasNoName) {
  server_options_.client_authority_pem = authority_.certificate_pem;
  handle_ = [](Request request, std::shared_ptr<Responder> responder) {
    Reply(*responder, "name:" + request.peer.certificate_name);
  };
  Start();
  EXPECT_EQ(Get("/").body, "name:");
  const KeyPair other = MakeAuthority("another", clock_.Now()).value();
  LeafRequest leaf;
  leaf.common_name = "mallory";
  const KeyPair pair = IssueCertificate(other, leaf, clock_.Now()).value();
  ClientOptions options = Options();
  options.certificate_pem = pair.certificate_pem;
  options.key_pem = pair.key_pem;
  client_ = MakeHttpClient(options, executor_);
  EXPECT_EQ(Get("/").body, "name:");
}

TEST_F(HttpClientTest, ServerCertificateIsNoClientCertificate) {
  // Signed by the right authority, but for another purpose.
  server_options_.client_authority_pem = authority_.certificate_pem;
  handle_ = [](Request request, std::shared_ptr<Responder> responder) {
    Reply(*responder, "name:" + request.peer.certificate_name);
  };
  StartServer();
  ClientOptions options = Options();
  options.certificate_pem = server_options_.tls.certificate_pem;
  options.key_pem = server_options_.tls.key_pem;
  client_ = MakeHttpClient(options, executor_);
  EXPECT_EQ(Get("/").body, "name:");
}

TEST_F(HttpClientTest, ServerStopEndsAnOpenStream) {
  std::promise<std::shared_ptr<Responder>> promise;
  handle_ = [&promise](Request, std::shared_ptr<Responder> responder) {
    responder->Start(200, {});
    responder->Write("x");
    promise.set_value(std::move(responder));
  };
  Start();
  const auto pending = Send(*client_, Make("GET", "/watch"));
  const std::shared_ptr<Responder> responder = promise.get_future().get();
  pending->first_data.get_future().get();
  server_->Stop(base::Duration(0));
  const Outcome outcome = Wait(pending);
  ASSERT_FALSE(outcome.end.ok());
  EXPECT_EQ(outcome.end.error().code, base::Code::kUnavailable);
  EXPECT_TRUE(responder->Closed());
}

TEST_F(HttpClientTest, NobodyThereIsUnavailable) {
  Start();
  server_->Stop(base::Duration(0));
  const Outcome outcome = Get("/");
  ASSERT_FALSE(outcome.end.ok());
  EXPECT_EQ(outcome.end.error().code, base::Code::kUnavailable);
  EXPECT_THAT(outcome.end.error().message, HasSubstr("GET /: connecting to 127.0.0.1:"));
}

TEST_F(HttpClientTest, AfterAServerRestartRequestsGoOn) {
  // The idle connection is dead; the request has to find that out and take a new one.
  Start();
  EXPECT_EQ(Get("/").status, 200);
  server_options_.port = server_->port();
  server_.reset();
  StartServer();
  EXPECT_EQ(Get("/").status, 200);
}

TEST_F(HttpClientTest, SilenceEndsWithTimeout) {
  std::vector<std::shared_ptr<Responder>> kept;
  handle_ = [&kept](Request, std::shared_ptr<Responder> responder) {
    kept.push_back(std::move(responder));
  };
  StartServer();
  ClientOptions options = Options();
  options.response_timeout = base::milliseconds(20);
  client_ = MakeHttpClient(options, executor_);
  const Outcome outcome = Get("/");
  ASSERT_FALSE(outcome.end.ok());
  EXPECT_EQ(outcome.end.error().code, base::Code::kTimeout);
  server_->Stop(base::Duration(0));
}

TEST_F(HttpClientTest, DestroyingTheClientEndsWhatIsUnderWay) {
  std::promise<std::shared_ptr<Responder>> promise;
  handle_ = [&promise](Request, std::shared_ptr<Responder> responder) {
    promise.set_value(std::move(responder));
  };
  StartServer();
  ClientOptions options = Options();
  options.max_connections = 1;
  client_ = MakeHttpClient(options, executor_);
  const auto running = Send(*client_, Make("GET", "/1"));
  const auto waiting = Send(*client_, Make("GET", "/2"));
  const auto responder = promise.get_future().get();
  client_.reset();
  EXPECT_FALSE(Wait(running).end.ok());
  EXPECT_FALSE(Wait(waiting).end.ok());
}

TEST_F(HttpClientTest, FailedHandshakesDoNotHarmTheServer) {
  StartServer();
  ClientOptions plain = Options();
  plain.tls = false;
  client_ = MakeHttpClient(plain, executor_);
  const Outcome told = Get("/");
  EXPECT_EQ(told.status, 400);
  EXPECT_EQ(told.body, "Client sent an HTTP request to an HTTPS server.\n");
  client_ = MakeHttpClient(Options(), executor_);
  EXPECT_EQ(Get("/").status, 200);
}

TEST_F(HttpClientTest, UnusableOptionsAndRequestsAreToldAtTheEnd) {
  StartServer();
  ClientOptions options = Options();
  options.authority_pem = "garbage";
  client_ = MakeHttpClient(options, executor_);
  EXPECT_EQ(Get("/").end.error().code, base::Code::kInvalid);
  client_ = MakeHttpClient(Options(), executor_);
  EXPECT_EQ(Get("/a b").end.error().code, base::Code::kInvalid);
  EXPECT_EQ(Get("/\r\nX: y").end.error().code, base::Code::kInvalid);
}

}  // namespace
}  // namespace kueue::net
