#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "net/http.h"
#include "net/tls.h"

namespace kueue::net {

struct ServerOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 0;                 // 0: a free one, see Server::port()
  // Empty certificate: plain HTTP.
  KeyPair tls;
  // Client certificates are asked for and verified against it. A client without one, or with one
  // that does not verify, is served as well: its Peer has no certificate_name then.
  std::string client_authority_pem;
  size_t max_body_bytes = 3u << 20;     // a larger body gets 413
  size_t max_header_bytes = 64u << 10;  // a larger header gets 431
  size_t max_connections = 1000;     // further ones wait in the listen queue
  // Further ones from the same address are closed at once; 0: no such limit.
  size_t max_connections_per_client = 0;
  // A Write to a client that still has more than this to take drops the client. An answer may be
  // of any size if it comes in one Write, or all at once up to its End.
  size_t max_backlog_bytes = 16u << 20;
  // What all clients together have still to take: beyond this the one that has most to take is
  // dropped, as long as its answer goes on.
  size_t max_total_backlog_bytes = 256u << 20;
  // How long a client may leave us waiting: for its next request, for the rest of a header, for
  // more of a body, for taking an answer. Handlers may take as long as they like.
  base::Duration idle_timeout = base::seconds(300);
};

// HTTP/1.1 over TLS or plain, on a thread of its own; requests go to `handler` on that thread, one
// at a time. Malformed and too large requests are answered with a Status (JSON) without asking the
// handler; requests with `Upgrade` are passed on like any other. Responders may outlive the server.
class Server {
 public:
  // Listens at once. `handler` must outlive the server. Errors say what address and why.
  static base::Result<std::unique_ptr<Server>> Listen(const ServerOptions& options,
                                                      Handler& handler);
  // Closes everything and joins.
  ~Server();

  uint16_t port() const;
  // Stops accepting, gives running answers `grace` to end, then closes; returns when the thread has
  // ended, and the handler is not called any more. Idempotent. Not to be called from the handler.
  void Stop(base::Duration grace);

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::net
