#pragma once

#include <memory>
#include <string>

#include "base/executor.h"
#include "net/http.h"

namespace kueue::net {

struct ClientOptions {
  std::string host;          // name or address
  std::string port;
  bool tls = true;
  std::string tls_name;      // whom the server's certificate has to be for; empty: `host`
  std::string authority_pem; // server certificates are verified against it; empty: the system's
  std::string certificate_pem, key_pem;  // client certificate, may be empty
  bool insecure = false;     // verify nothing; for tests against foreign servers
  base::Duration connect_timeout = base::seconds(10);  // TLS handshake included
  // From sending a request until the header of its answer; later it ends with kTimeout. 0: none.
  base::Duration response_timeout = base::seconds(60);
  // Further requests wait. A streaming answer (a watch) holds its connection while it lasts.
  size_t max_connections = 32;
};

// Keeps connections alive and reuses them. One thread for I/O; events are posted to `executor`,
// which must outlive the client. Whatever hinders it, unusable options included, is told as the end
// of each request (kUnavailable, kTimeout, kInvalid). A request on a reused connection that turns
// out to be closed is sent again on a new one, unless the server may have acted on it and doing it
// twice would matter (POST, PATCH). Destroying the client ends what is under way (kUnavailable).
std::unique_ptr<Transport> MakeHttpClient(const ClientOptions& options, base::Executor& executor);

// Calls `handler` in this process: requests are posted to `server_executor`, events to
// `client_executor` (they may be the same). Both and the handler must outlive the transport and its
// exchanges. With a VirtualExecutor the same calls give the same order. A request cancelled before
// the handler saw it is never handled.
std::unique_ptr<Transport> MakeInProcessTransport(Handler& handler, base::Executor& server_executor,
                                                  base::Executor& client_executor);

}  // namespace kueue::net
