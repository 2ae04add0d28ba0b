#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/event_loop.h"
#include "net/http.h"
#include "net/tls_context.h"

namespace kueue::net {

// A TCP connection, with or without TLS. Private to net. All methods and callbacks are on the
// loop's thread; callbacks are never called from within the method that was given them.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  class Impl;
  explicit Stream(std::unique_ptr<Impl> impl);
  ~Stream();

  // TLS only (plain: succeeds). The first thing to be done; for accepted connections only, Connect
  // does it for the others.
  void Handshake(std::function<void(base::Status)> done);
  // Up to `size` bytes into `data`, which must live until `done`. 0 bytes with success: the other
  // side has finished. One at a time.
  void Read(char* data, size_t size, std::function<void(size_t bytes, base::Status)> done);
  // All of `pieces`. One at a time.
  void Write(std::vector<std::string> pieces, std::function<void(base::Status)> done);
  // Says goodbye if the other side still listens (TLS wants that), closes, calls `done`.
  void Finish(std::function<void()> done);
  // Closes at once; operations under way fail. Idempotent.
  void Close();

  // A client of a TLS port that speaks plain HTTP: writes `answer` as it is and closes, then calls
  // `done`. To be called after a handshake that failed because of it (SpokePlainly).
  void AnswerPlainly(std::string answer, std::function<void()> done);
  bool SpokePlainly() const;

  // Address and verified certificate of the other side, after the handshake.
  Peer DescribePeer() const;

 private:
  const std::unique_ptr<Impl> impl_;
};

// Whom to connect to. `tls_name` is whom the certificate has to be for; empty: `host`.
struct Endpoint {
  std::string host;  // name or address
  std::string port;
  std::string tls_name;
};

// Connects to `endpoint`, with TLS if `tls` is given. `done` gets the stream or kUnavailable with
// the reason, on the loop's thread; at the latest after `timeout`. Calling what is returned gives
// up: `done` then gets an error at once, unless it has been called.
std::function<void()> Connect(EventLoop& loop, const Endpoint& endpoint,
                              std::shared_ptr<TlsContext> tls, base::Duration timeout,
                              std::function<void(base::Result<std::shared_ptr<Stream>>)> done);

// A listening socket.
class Listener {
 public:
  // Binds and listens; on any thread. Port 0 takes a free one. Connections use `tls` if given.
  static base::Result<std::unique_ptr<Listener>> Open(EventLoop& loop, const std::string& address,
                                                      uint16_t port,
                                                      std::shared_ptr<TlsContext> tls);
  ~Listener();
  uint16_t port() const;
  // The next connection (its handshake still to be done), or an error; after an error of the
  // system's (out of file descriptors) one may try again later. One at a time, on the loop.
  void Accept(std::function<void(base::Result<std::shared_ptr<Stream>>)> done);
  // On the loop's thread; a pending Accept fails. Idempotent.
  void Close();

 private:
  class Impl;
  explicit Listener(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::net
