#include "net/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

namespace kueue::net {
namespace {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Bio = std::unique_ptr<BIO, Deleter<BIO_free_all>>;
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Deleter<X509_EXTENSION_free>>;
using Names = std::unique_ptr<GENERAL_NAMES, Deleter<GENERAL_NAMES_free>>;

constexpr base::Duration kBackdating = base::hours(24);  // clocks differ between machines
constexpr base::Duration kAuthorityLife = base::hours(24 * 365 * 10);

// `what` with OpenSSL's own reason, whose queue of errors is emptied.
base::Error TlsError(const std::string& what) {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return base::Internal(what);
  char reason[256];
  ERR_error_string_n(code, reason, sizeof reason);
  return base::Internal(what + ": " + reason);
}

std::string TakeText(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return size > 0 ? std::string(data, static_cast<size_t>(size)) : std::string();
}

Bio ReadingFrom(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

bool SetTime(ASN1_TIME* field, base::Time t) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(t).time_since_epoch().count();
  return ASN1_TIME_set(field, static_cast<time_t>(seconds)) != nullptr;
}

bool SetSerial(X509* certificate) {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof bytes) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7f) | 0x40);  // positive, never short
  BIGNUM* number = BN_bin2bn(bytes, sizeof bytes, nullptr);
  const bool ok = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
  BN_free(number);
  return ok;
}

bool AddName(X509_NAME* name, int nid, const std::string& text) {
  return X509_NAME_add_entry_by_NID(name, nid, MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(text.data()),
                                    static_cast<int>(text.size()), -1, 0) == 1;
}

// Adds an extension given in OpenSSL's configuration syntax; for constant texts only.
bool AddExtension(X509* certificate, X509* issuer, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// The hosts as subject alternative names: addresses as such, everything else as a DNS name.
bool AddHosts(X509* certificate, const std::vector<std::string>& hosts) {
  const Names names(GENERAL_NAMES_new());
  if (!names) return false;
  for (const std::string& host : hosts) {
    GENERAL_NAME* name = GENERAL_NAME_new();
    if (!name || sk_GENERAL_NAME_push(names.get(), name) == 0) {
      GENERAL_NAME_free(name);
      return false;
    }
    if (ASN1_OCTET_STRING* address = a2i_IPADDRESS(host.c_str())) {
      GENERAL_NAME_set0_value(name, GEN_IPADD, address);
      continue;
    }
    ERR_clear_error();
    ASN1_IA5STRING* dns = ASN1_IA5STRING_new();
    if (!dns) return false;
    GENERAL_NAME_set0_value(name, GEN_DNS, dns);
    if (ASN1_STRING_set(dns, host.data(), static_cast<int>(host.size())) != 1) return false;
  }
  return X509_add1_ext_i2d(certificate, NID_subject_alt_name, names.get(), 0, 0) == 1;
}

// Names, key, times and serial number: what every certificate has. The caller adds the rest.
Certificate NewCertificate(const std::string& common_name,
                           const std::vector<std::string>& organizations, EVP_PKEY* key,
                           base::Time from, base::Time until) {
  Certificate certificate(X509_new());
  if (!certificate) return nullptr;
  X509* raw = certificate.get();
  X509_NAME* name = X509_get_subject_name(raw);
  bool ok = X509_set_version(raw, X509_VERSION_3) == 1 && SetSerial(raw) &&
            SetTime(X509_getm_notBefore(raw), from) && SetTime(X509_getm_notAfter(raw), until) &&
            X509_set_pubkey(raw, key) == 1;
  for (const std::string& organization : organizations) {
    ok = ok && AddName(name, NID_organizationName, organization);
  }
  ok = ok && AddName(name, NID_commonName, common_name);
  return ok ? std::move(certificate) : nullptr;
}

base::Result<KeyPair> ToPem(X509* certificate, EVP_PKEY* key) {
  const Bio certificate_out(BIO_new(BIO_s_mem()));
  const Bio key_out(BIO_new(BIO_s_mem()));
  if (!certificate_out || !key_out || PEM_write_bio_X509(certificate_out.get(), certificate) != 1 ||
      PEM_write_bio_PrivateKey(key_out.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return TlsError("writing a certificate");
  }
  return KeyPair{TakeText(certificate_out.get()), TakeText(key_out.get())};
}

base::Time NotAfter(const X509* certificate) {
  tm fields{};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &fields) != 1) return base::Time::max();
  return base::Time(base::seconds(timegm(&fields)));
}

}  // namespace

base::Result<KeyPair> MakeAuthority(const std::string& common_name, base::Time now) {
  const Key key(EVP_EC_gen("P-256"));
  if (!key) return TlsError("making a key for authority \"" + common_name + "\"");
  const Certificate certificate =
      NewCertificate(common_name, {}, key.get(), now - kBackdating, now + kAuthorityLife);
  X509* raw = certificate.get();
  const bool ok = raw && X509_set_issuer_name(raw, X509_get_subject_name(raw)) == 1 &&
                  AddExtension(raw, raw, NID_basic_constraints, "critical,CA:TRUE") &&
                  AddExtension(raw, raw, NID_key_usage,
                               "critical,digitalSignature,keyCertSign,cRLSign") &&
                  AddExtension(raw, raw, NID_subject_key_identifier, "hash") &&
                  X509_sign(raw, key.get(), EVP_sha256()) > 0;
  if (!ok) return TlsError("making a certificate for authority \"" + common_name + "\"");
  return ToPem(raw, key.get());
}

base::Result<KeyPair> IssueCertificate(const KeyPair& authority, const LeafRequest& request,
                                       base::Time now) {
  const Bio certificate_in = ReadingFrom(authority.certificate_pem);
  const Certificate issuer(PEM_read_bio_X509(certificate_in.get(), nullptr, nullptr, nullptr));
  if (!issuer) return TlsError("reading the authority's certificate");
  const Bio key_in = ReadingFrom(authority.key_pem);
  const Key issuer_key(PEM_read_bio_PrivateKey(key_in.get(), nullptr, nullptr, nullptr));
  if (!issuer_key) return TlsError("reading the authority's key");
  if (X509_check_private_key(issuer.get(), issuer_key.get()) != 1) {
    return TlsError("the authority's key does not belong to its certificate");
  }

  const std::string what = "issuing a certificate for \"" + request.common_name + "\"";
  const Key key(EVP_EC_gen("P-256"));
  if (!key) return TlsError(what);
  // A leaf that outlives its authority would be refused from then on without a visible reason.
  const base::Time until = std::min(now + request.valid_for, NotAfter(issuer.get()));
  const Certificate certificate = NewCertificate(request.common_name, request.organizations,
                                                 key.get(), now - kBackdating, until);
  X509* raw = certificate.get();
  const char* purpose = request.hosts.empty() ? "clientAuth" : "serverAuth";
  const bool ok =
      raw && X509_set_issuer_name(raw, X509_get_subject_name(issuer.get())) == 1 &&
      AddExtension(raw, issuer.get(), NID_basic_constraints, "critical,CA:FALSE") &&
      AddExtension(raw, issuer.get(), NID_key_usage, "critical,digitalSignature") &&
      AddExtension(raw, issuer.get(), NID_ext_key_usage, purpose) &&
      AddExtension(raw, issuer.get(), NID_authority_key_identifier, "keyid") &&
      (request.hosts.empty() || AddHosts(raw, request.hosts)) &&
      X509_sign(raw, issuer_key.get(), EVP_sha256()) > 0;
  if (!ok) return TlsError(what);
  return ToPem(raw, key.get());
}

}  // namespace kueue::net
