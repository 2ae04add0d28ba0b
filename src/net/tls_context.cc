#include "net/tls_context.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace kueue::net {
namespace {

constexpr unsigned char kHttp11[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

base::Error TlsError(const std::string& what) {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  char reason[256] = "unknown reason";
  if (code != 0) ERR_error_string_n(code, reason, sizeof reason);
  return base::Invalid(what + ": " + reason);
}

// Every certificate in `pem`; empty if there is none or one of them is broken.
struct FreeCertificates {
  void operator()(STACK_OF(X509) * stack) const { sk_X509_pop_free(stack, X509_free); }
};
using Certificates = std::unique_ptr<STACK_OF(X509), FreeCertificates>;

Certificates ReadCertificates(const std::string& pem) {
  Certificates out(sk_X509_new_null());
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  while (X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr)) {
    sk_X509_push(out.get(), certificate);
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  BIO_free(bio);
  if (!at_end) return nullptr;
  ERR_clear_error();
  return out;
}

// The first certificate is ours, further ones lead to the authority.
base::Status UseKeyPair(SSL_CTX* context, const KeyPair& pair) {
  const Certificates chain = ReadCertificates(pair.certificate_pem);
  if (!chain || sk_X509_num(chain.get()) == 0) return TlsError("reading our certificate");
  BIO* bio = BIO_new_mem_buf(pair.key_pem.data(), static_cast<int>(pair.key_pem.size()));
  EVP_PKEY* key = PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr);
  BIO_free(bio);
  if (!key) return TlsError("reading our key");
  bool ok = SSL_CTX_use_certificate(context, sk_X509_value(chain.get(), 0)) == 1 &&
            SSL_CTX_use_PrivateKey(context, key) == 1 && SSL_CTX_check_private_key(context) == 1;
  EVP_PKEY_free(key);
  for (int i = 1; ok && i < sk_X509_num(chain.get()); ++i) {
    ok = SSL_CTX_add1_chain_cert(context, sk_X509_value(chain.get(), i)) == 1;
  }
  return ok ? base::Status() : TlsError("using our certificate and key");
}

base::Status Trust(SSL_CTX* context, const std::string& authority_pem, bool announce) {
  const Certificates authorities = ReadCertificates(authority_pem);
  if (!authorities || sk_X509_num(authorities.get()) == 0) {
    return TlsError("reading the authority's certificates");
  }
  for (int i = 0; i < sk_X509_num(authorities.get()); ++i) {
    X509* certificate = sk_X509_value(authorities.get(), i);
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate) != 1) {
      return TlsError("using the authority's certificates");
    }
    // Clients choose their certificate by this list.
    if (announce) SSL_CTX_add_client_CA(context, certificate);
  }
  return {};
}

int SelectProtocol(SSL*, const unsigned char** out, unsigned char* out_size,
                   const unsigned char* in, unsigned int in_size, void*) {
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_size, kHttp11, sizeof kHttp11, in, in_size) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

// Goes on whatever the verdict: it is kept in the session (SSL_get_verify_result).
int GoOn(int, X509_STORE_CTX*) { return 1; }

bool IsAddress(const std::string& host) {
  ASN1_OCTET_STRING* address = a2i_IPADDRESS(host.c_str());
  ASN1_OCTET_STRING_free(address);
  ERR_clear_error();
  return address != nullptr;
}

std::string TextOf(const ASN1_STRING* value) {
  unsigned char* utf8 = nullptr;
  const int size = ASN1_STRING_to_UTF8(&utf8, value);
  std::string out;
  if (size > 0) out.assign(reinterpret_cast<const char*>(utf8), static_cast<size_t>(size));
  OPENSSL_free(utf8);
  return out;
}

SSL_CTX* NewContext(const SSL_METHOD* method) {
  SSL_CTX* context = SSL_CTX_new(method);
  if (!context) return nullptr;
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  return context;
}

}  // namespace

base::Result<std::shared_ptr<TlsContext>> TlsContext::ForServer(
    const KeyPair& pair, const std::string& client_authority_pem) {
  SSL_CTX* context = NewContext(TLS_server_method());
  if (!context) return TlsError("preparing TLS");
  std::shared_ptr<TlsContext> out(new TlsContext(context));
  if (auto status = UseKeyPair(context, pair); !status) return status.error();
  SSL_CTX_set_alpn_select_cb(context, SelectProtocol, nullptr);
  static constexpr char kSessions[] = "kueue";
  // Without it, sessions of clients that were asked for a certificate cannot be resumed.
  SSL_CTX_set_session_id_context(context, reinterpret_cast<const unsigned char*>(kSessions),
                                 sizeof kSessions - 1);
  if (client_authority_pem.empty()) return out;
  if (auto status = Trust(context, client_authority_pem, true); !status) return status.error();
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_CLIENT_ONCE, GoOn);
  return out;
}

base::Result<std::shared_ptr<TlsContext>> TlsContext::ForClient(const std::string& authority_pem,
                                                                const KeyPair& pair,
                                                                bool insecure) {
  SSL_CTX* context = NewContext(TLS_client_method());
  if (!context) return TlsError("preparing TLS");
  std::shared_ptr<TlsContext> out(new TlsContext(context));
  SSL_CTX_set_alpn_protos(context, kHttp11, sizeof kHttp11);
  if (!pair.certificate_pem.empty()) {
    if (auto status = UseKeyPair(context, pair); !status) return status.error();
  }
  if (insecure) {
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
    return out;
  }
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  if (authority_pem.empty()) {
    if (SSL_CTX_set_default_verify_paths(context) != 1) return TlsError("system authorities");
    return out;
  }
  if (auto status = Trust(context, authority_pem, false); !status) return status.error();
  // An authority given to us is trusted even where it is not self-signed.
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), X509_V_FLAG_PARTIAL_CHAIN);
  return out;
}

TlsContext::~TlsContext() { SSL_CTX_free(context_); }

ssl_st* TlsContext::NewServerSession() const { return SSL_new(context_); }

ssl_st* TlsContext::NewClientSession(const std::string& host) const {
  SSL* session = SSL_new(context_);
  if (!session) return nullptr;
  const bool ok =
      IsAddress(host)
          ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host.c_str()) == 1
          : SSL_set1_host(session, host.c_str()) == 1 &&
                SSL_set_tlsext_host_name(session, host.c_str()) == 1;
  if (ok) return session;
  ERR_clear_error();
  SSL_free(session);
  return nullptr;
}

PeerIdentity PeerIdentityOf(ssl_st* session) {
  PeerIdentity out;
  X509* certificate = SSL_get0_peer_certificate(session);
  if (!certificate || SSL_get_verify_result(session) != X509_V_OK) return out;
  const X509_NAME* name = X509_get_subject_name(certificate);
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    const X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, i);
    const int nid = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
    const std::string text = TextOf(X509_NAME_ENTRY_get_data(entry));
    if (nid == NID_commonName) out.common_name = text;
    if (nid == NID_organizationName) out.organizations.push_back(text);
  }
  return out;
}

std::string VerifyFailureOf(ssl_st* session) {
  const long result = SSL_get_verify_result(session);
  return result == X509_V_OK ? std::string() : X509_verify_cert_error_string(result);
}

}  // namespace kueue::net
