#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/tls.h"

struct ssl_st;      // OpenSSL's SSL
struct ssl_ctx_st;  // and SSL_CTX

namespace kueue::net {

// What one side of TLS connections has in common. Private to net. Immutable, thread-safe.
// TLS 1.2 and newer; ALPN knows http/1.1 only.
class TlsContext {
 public:
  // Asks clients for a certificate if `client_authority_pem` is not empty. A client without one, or
  // with one that does not verify, is let in without a name: the answer to its requests is a matter
  // of HTTP, where it can be explained.
  static base::Result<std::shared_ptr<TlsContext>> ForServer(
      const KeyPair& pair, const std::string& client_authority_pem);

  // Verifies servers against `authority_pem` (empty: the system's authorities) unless `insecure`.
  // Shows `pair` to servers that ask for it, if it is not empty.
  static base::Result<std::shared_ptr<TlsContext>> ForClient(const std::string& authority_pem,
                                                             const KeyPair& pair, bool insecure);
  ~TlsContext();

  // A new session, owned by the caller; nullptr if OpenSSL cannot.
  ssl_st* NewServerSession() const;
  // `host` (name or address) is what the server's certificate has to be for.
  ssl_st* NewClientSession(const std::string& host) const;

 private:
  explicit TlsContext(ssl_ctx_st* context) : context_(context) {}
  ssl_ctx_st* const context_;
};

// Common name and organisations of the verified certificate at the other end; empty without one.
struct PeerIdentity {
  std::string common_name;
  std::vector<std::string> organizations;
};
PeerIdentity PeerIdentityOf(ssl_st* session);

// Why the certificate at the other end did not verify; empty if it did or there was none.
std::string VerifyFailureOf(ssl_st* session);

}  // namespace kueue::net
