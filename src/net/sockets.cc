#include "net/sockets.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <utility>

namespace kueue::net {

namespace asio = boost::asio;
using boost::system::error_code;
using asio::ip::tcp;

namespace {

// How long the other side has to answer our goodbye.
constexpr base::Duration kGoodbyeTime = base::seconds(1);

base::Status ToStatus(const error_code& error) {
  if (!error) return {};
  return base::Unavailable(error.message());
}

std::string ToText(const tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  const std::string port = std::to_string(endpoint.port());
  return endpoint.address().is_v6() ? "[" + address + "]:" + port : address + ":" + port;
}

// Small messages go out at once, and a peer that vanished is noticed within about a minute even if
// nothing is said.
void Tune(tcp::socket& socket) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::keep_alive(true), ignored);
  using Idle = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPIDLE>;
  using Interval = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPINTVL>;
  using Count = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPCNT>;
  socket.set_option(Idle(30), ignored);
  socket.set_option(Interval(10), ignored);
  socket.set_option(Count(3), ignored);
}

}  // namespace

class Stream::Impl {
 public:
  using Tls = asio::ssl::stream<tcp::socket>;

  Impl(EventLoop& loop, tcp::socket socket, std::shared_ptr<TlsContext> context, ssl_st* session)
      : goodbye_timer_(loop), context_(std::move(context)) {
    Tune(socket);
    error_code ignored;
    endpoint_ = socket.remote_endpoint(ignored);
    if (session) {
      tls_.emplace(std::move(socket), session);
    } else {
      plain_.emplace(std::move(socket));
    }
  }
  tcp::socket& socket() { return tls_ ? tls_->next_layer() : *plain_; }

  // Looks at the first byte without taking it: a TLS record begins with 22, a method with a letter.
  bool BeginsWithLetter() {
    char first = 0;
    const ssize_t size = ::recv(socket().native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT);
    return size == 1 && first >= 'A' && first <= 'Z';
  }

  bool spoke_plainly_ = false;
  Timer goodbye_timer_;
  const std::shared_ptr<TlsContext> context_;  // sessions point into it
  tcp::endpoint endpoint_;
  std::optional<tcp::socket> plain_;
  std::optional<Tls> tls_;
};

Stream::Stream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Stream::~Stream() = default;

void Stream::Handshake(std::function<void(base::Status)> done) {
  auto finish = [self = shared_from_this(), done = std::move(done)](const error_code& error) {
    base::Status status = ToStatus(error);
    if (error && self->impl_->tls_) {
      const std::string reason = VerifyFailureOf(self->impl_->tls_->native_handle());
      if (!reason.empty()) status = base::Unavailable(error.message() + ": " + reason);
    }
    done(status);
  };
  if (!impl_->tls_) {
    asio::post(impl_->plain_->get_executor(),
               [finish = std::move(finish)] { finish(error_code()); });
    return;
  }
  if (SSL_is_server(impl_->tls_->native_handle()) != 1) {
    impl_->tls_->async_handshake(Impl::Tls::client, std::move(finish));
    return;
  }
  impl_->socket().async_wait(tcp::socket::wait_read, [self = shared_from_this(),
                                                      finish = std::move(finish)](
                                                         const error_code& error) mutable {
    if (error) return finish(error);
    if (self->impl_->BeginsWithLetter()) {
      self->impl_->spoke_plainly_ = true;
      return finish(asio::error::make_error_code(asio::error::no_protocol_option));
    }
    self->impl_->tls_->async_handshake(Impl::Tls::server, std::move(finish));
  });
}

bool Stream::SpokePlainly() const { return impl_->spoke_plainly_; }

void Stream::AnswerPlainly(std::string answer, std::function<void()> done) {
  auto text = std::make_unique<std::string>(std::move(answer));
  const asio::const_buffer buffer = asio::buffer(*text);
  // What the client has sent is read first: closing over it would take the answer away with it.
  char dropped[4096];
  error_code ignored;
  impl_->socket().non_blocking(true, ignored);
  impl_->socket().read_some(asio::buffer(dropped), ignored);
  asio::async_write(impl_->socket(), buffer,
                    [self = shared_from_this(), text = std::move(text),
                     done = std::move(done)](const error_code&, size_t) {
                      self->Close();
                      done();
                    });
}

void Stream::Read(char* data, size_t size, std::function<void(size_t, base::Status)> done) {
  auto finish = [self = shared_from_this(), done = std::move(done)](const error_code& error,
                                                                    size_t bytes) {
    done(bytes, error == asio::error::eof ? base::Status() : ToStatus(error));
  };
  if (impl_->tls_) {
    impl_->tls_->async_read_some(asio::buffer(data, size), std::move(finish));
  } else {
    impl_->plain_->async_read_some(asio::buffer(data, size), std::move(finish));
  }
}

void Stream::Write(std::vector<std::string> pieces, std::function<void(base::Status)> done) {
  // On the heap, since buffers point into the strings while the handler moves.
  auto owned = std::make_unique<std::vector<std::string>>(std::move(pieces));
  std::vector<asio::const_buffer> buffers;
  buffers.reserve(owned->size());
  for (const std::string& piece : *owned) buffers.push_back(asio::buffer(piece));
  auto finish = [self = shared_from_this(), owned = std::move(owned), done = std::move(done)](
                    const error_code& error, size_t) { done(ToStatus(error)); };
  if (impl_->tls_) {
    asio::async_write(*impl_->tls_, std::move(buffers), std::move(finish));
  } else {
    asio::async_write(*impl_->plain_, std::move(buffers), std::move(finish));
  }
}

void Stream::Finish(std::function<void()> done) {
  auto close = [self = shared_from_this(), done = std::move(done)] {
    self->Close();
    done();
  };
  if (!impl_->tls_) {
    asio::post(impl_->plain_->get_executor(), std::move(close));
    return;
  }
  // Closing makes the shutdown fail, and so `done` is called then as well.
  impl_->goodbye_timer_.Set(kGoodbyeTime, [self = shared_from_this()] { self->Close(); });
  impl_->tls_->async_shutdown([close = std::move(close)](const error_code&) { close(); });
}

void Stream::Close() {
  impl_->goodbye_timer_.Cancel();
  error_code ignored;
  impl_->socket().shutdown(tcp::socket::shutdown_both, ignored);
  impl_->socket().close(ignored);
}

Peer Stream::DescribePeer() const {
  Peer peer;
  peer.address = ToText(impl_->endpoint_);
  if (impl_->tls_) {
    PeerIdentity identity = PeerIdentityOf(impl_->tls_->native_handle());
    peer.certificate_name = std::move(identity.common_name);
    peer.certificate_groups = std::move(identity.organizations);
  }
  return peer;
}

// ---- connecting

namespace {

class Connector : public std::enable_shared_from_this<Connector> {
 public:
  using Done = std::function<void(base::Result<std::shared_ptr<Stream>>)>;

  Connector(EventLoop& loop, const Endpoint& endpoint, std::shared_ptr<TlsContext> tls, Done done)
      : loop_(loop), host_(endpoint.host), name_(host_ + ":" + endpoint.port),
        tls_name_(endpoint.tls_name.empty() ? host_ : endpoint.tls_name), tls_(std::move(tls)),
        resolver_(loop.context()), socket_(loop.context()), timer_(loop), done_(std::move(done)) {}

  void Start(const std::string& port, base::Duration timeout) {
    timer_.Set(timeout, [self = shared_from_this()] { self->GiveUp("no connection in time"); });
    error_code not_an_address;
    const asio::ip::address address = asio::ip::make_address(host_, not_an_address);
    const int number = atoi(port.c_str());
    // Addresses need no resolver, and so none of its threads.
    if (!not_an_address && number > 0 && number < 65536) {
      Try(tcp::resolver::results_type::create(
          tcp::endpoint(address, static_cast<uint16_t>(number)), host_, port));
      return;
    }
    resolver_.async_resolve(host_, port, [self = shared_from_this()](
                                             const error_code& error,
                                             const tcp::resolver::results_type& results) {
      if (!self->done_) return;
      if (error) return self->Fail(error.message());
      self->Try(results);
    });
  }

  void GiveUp(const std::string& reason) {
    if (!done_) return;
    resolver_.cancel();
    Fail(reason);
  }

 private:
  void Try(const tcp::resolver::results_type& results) {
    asio::async_connect(socket_, results, [self = shared_from_this()](const error_code& error,
                                                                      const tcp::endpoint&) {
      if (!self->done_) return;
      if (error) return self->Fail(error.message());
      self->Connected();
    });
  }

  void Connected() {
    ssl_st* session = nullptr;
    if (tls_) {
      session = tls_->NewClientSession(tls_name_);
      if (!session) return Fail("no TLS session can be made for this host name");
    }
    stream_ = std::make_shared<Stream>(
        std::make_unique<Stream::Impl>(loop_, std::move(socket_), tls_, session));
    stream_->Handshake([self = shared_from_this()](base::Status status) {
      if (!self->done_) return;
      if (!status) return self->Fail(status.error().message);
      self->timer_.Cancel();
      std::exchange(self->done_, nullptr)(std::move(self->stream_));
    });
  }

  void Fail(const std::string& reason) {
    timer_.Cancel();
    error_code ignored;
    socket_.close(ignored);
    if (stream_) stream_->Close();
    std::exchange(done_, nullptr)(base::Unavailable("connecting to " + name_ + ": " + reason));
  }

  EventLoop& loop_;
  const std::string host_;
  const std::string name_;
  const std::string tls_name_;
  const std::shared_ptr<TlsContext> tls_;
  tcp::resolver resolver_;
  tcp::socket socket_;
  Timer timer_;
  Done done_;  // null once called
  std::shared_ptr<Stream> stream_;
};

}  // namespace

std::function<void()> Connect(EventLoop& loop, const Endpoint& endpoint,
                              std::shared_ptr<TlsContext> tls, base::Duration timeout,
                              std::function<void(base::Result<std::shared_ptr<Stream>>)> done) {
  auto connector =
      std::make_shared<Connector>(loop, endpoint, std::move(tls), std::move(done));
  connector->Start(endpoint.port, timeout);
  return [connector = std::weak_ptr<Connector>(connector)] {
    if (const auto alive = connector.lock()) alive->GiveUp("given up");
  };
}

// ---- listening

class Listener::Impl {
 public:
  Impl(EventLoop& loop, std::shared_ptr<TlsContext> tls)
      : loop_(loop), tls_(std::move(tls)), acceptor_(loop.context()) {}

  base::Status Open(const std::string& address, uint16_t port) {
    error_code error;
    const asio::ip::address ip = asio::ip::make_address(address, error);
    const tcp::endpoint endpoint(ip, port);
    if (!error) acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) port_ = acceptor_.local_endpoint(error).port();
    if (!error) return {};
    return base::Unavailable("listening on " + address + " port " + std::to_string(port) + ": " +
                             error.message());
  }

  void Accept(std::function<void(base::Result<std::shared_ptr<Stream>>)> done) {
    acceptor_.async_accept([this, done = std::move(done)](const error_code& error,
                                                          tcp::socket socket) {
      if (error) return done(base::Unavailable(error.message()));
      ssl_st* session = tls_ ? tls_->NewServerSession() : nullptr;
      if (tls_ && !session) return done(base::Internal("no TLS session"));
      done(std::make_shared<Stream>(
          std::make_unique<Stream::Impl>(loop_, std::move(socket), tls_, session)));
    });
  }

  EventLoop& loop_;
  const std::shared_ptr<TlsContext> tls_;
  tcp::acceptor acceptor_;
  uint16_t port_ = 0;
};

Listener::Listener(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Listener::~Listener() = default;

base::Result<std::unique_ptr<Listener>> Listener::Open(EventLoop& loop, const std::string& address,
                                                       uint16_t port,
                                                       std::shared_ptr<TlsContext> tls) {
  auto impl = std::make_unique<Impl>(loop, std::move(tls));
  if (auto status = impl->Open(address, port); !status) return status.error();
  return std::unique_ptr<Listener>(new Listener(std::move(impl)));
}

uint16_t Listener::port() const { return impl_->port_; }

void Listener::Accept(std::function<void(base::Result<std::shared_ptr<Stream>>)> done) {
  impl_->Accept(std::move(done));
}

void Listener::Close() {
  error_code ignored;
  impl_->acceptor_.close(ignored);
}

}  // namespace kueue::net
