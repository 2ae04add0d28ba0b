#include "load_client.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace kueue::perf {
namespace {

[[noreturn]] void Fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

struct Connection {
  int descriptor = -1;
  SSL* tls = nullptr;
  std::string in;
  double sent = 0;
  bool done = false;
};

// The whole answer at the front of `in`: its size, status and body; 0 if more has to come.
size_t WholeAnswer(std::string_view in, int& status, std::string_view& body) {
  const size_t head = in.find("\r\n\r\n");
  if (head == std::string_view::npos) return 0;
  status = std::atoi(std::string(in.substr(9, 3)).c_str());
  const size_t at = in.find("Content-Length: ");
  if (at == std::string_view::npos || at > head) Fail("an answer without a length");
  const size_t length = std::strtoull(in.data() + at + 16, nullptr, 10);
  if (in.size() < head + 4 + length) return 0;
  body = in.substr(head + 4, length);
  return head + 4 + length;
}

}  // namespace

double Now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double Percentile(std::vector<double>& values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto at = static_cast<size_t>(std::ceil(part * static_cast<double>(values.size())));
  return values[std::clamp<size_t>(at, 1, values.size()) - 1];
}

class LoadClient::Impl {
 public:
  Impl(uint16_t port, std::string token, int connections)
      : token_(std::move(token)), poll_(epoll_create1(0)) {
    context_ = SSL_CTX_new(TLS_client_method());
    for (int i = 0; i < connections; ++i) Connect(i, port);
  }
  ~Impl() {
    for (Connection& c : connections_) {
      SSL_free(c.tls);
      close(c.descriptor);
    }
    SSL_CTX_free(context_);
    close(poll_);
  }

  void Connect(int number, uint16_t port) {
    Connection c;
    c.descriptor = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(c.descriptor, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
      Fail("connect");
    }
    const int one = 1;
    setsockopt(c.descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    c.tls = SSL_new(context_);
    SSL_set_fd(c.tls, c.descriptor);
    if (SSL_connect(c.tls) != 1) Fail("TLS");
    fcntl(c.descriptor, F_SETFL, O_NONBLOCK);
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.u32 = static_cast<uint32_t>(number);
    epoll_ctl(poll_, EPOLL_CTL_ADD, c.descriptor, &event);
    connections_.push_back(std::move(c));
  }

  // Requests are small enough for the socket's buffer, if not at once then in a moment.
  void Send(Connection& c, const std::string& request) {
    c.sent = Now();
    while (SSL_write(c.tls, request.data(), static_cast<int>(request.size())) <= 0) usleep(50);
  }

  void Read(Connection& c) {
    char buffer[65536];
    while (true) {
      const int n = SSL_read(c.tls, buffer, sizeof(buffer));
      if (n <= 0) {
        const int error = SSL_get_error(c.tls, n);
        if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
          Fail("the server closed a connection");
        }
        return;
      }
      c.in.append(buffer, static_cast<size_t>(n));
    }
  }

  template <class F>
  void Wait(F f) {
    epoll_event events[64];
    const int n = epoll_wait(poll_, events, 64, 100);
    for (int i = 0; i < n; ++i) f(static_cast<int>(events[i].data.u32));
  }

  const std::string token_;
  const int poll_;
  SSL_CTX* context_ = nullptr;
  std::vector<Connection> connections_;
};

LoadClient::LoadClient(uint16_t port, const std::string& token, int connections)
    : impl_(std::make_unique<Impl>(port, token, connections)) {}
LoadClient::~LoadClient() = default;

double LoadClient::Run(const NextRequest& next, const OnAnswer& on_answer) {
  const double started = Now();
  size_t open = impl_->connections_.size();
  const auto go_on = [&](int number) {
    Connection& c = impl_->connections_[static_cast<size_t>(number)];
    const std::string request = next(number);
    if (request.empty()) {
      --open;
    } else {
      impl_->Send(c, request);
    }
  };
  for (size_t i = 0; i < impl_->connections_.size(); ++i) go_on(static_cast<int>(i));
  while (open > 0) {
    impl_->Wait([&](int number) {
      Connection& c = impl_->connections_[static_cast<size_t>(number)];
      impl_->Read(c);
      Answer answer{number, 0, {}, 0};
      const size_t size = WholeAnswer(c.in, answer.status, answer.body);
      if (size == 0) return;
      answer.seconds = Now() - c.sent;
      on_answer(answer);
      c.in.erase(0, size);
      go_on(number);
    });
  }
  return Now() - started;
}

void LoadClient::Send(int connection, const std::string& request) {
  impl_->Send(impl_->connections_[static_cast<size_t>(connection)], request);
}

void LoadClient::Stream(const std::function<void(int, std::string_view)>& on_bytes,
                        const std::function<bool()>& done) {
  while (!done()) {
    impl_->Wait([&](int number) {
      Connection& c = impl_->connections_[static_cast<size_t>(number)];
      impl_->Read(c);
      on_bytes(number, c.in);
      c.in.clear();
    });
  }
}

std::string LoadClient::Request(const std::string& method, const std::string& target,
                                const std::string& body) const {
  std::string out = method + " " + target +
                    " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + impl_->token_ +
                    "\r\nAccept: application/json\r\n";
  if (!body.empty()) {
    out +=
        "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  return out + "\r\n" + body;
}

}  // namespace kueue::perf
