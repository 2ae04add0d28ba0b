#include "net/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>

namespace kueue::net {
namespace {

const base::Time kNow = base::ParseTime("2040-05-06T07:08:09Z").value();

struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using Certificate = std::unique_ptr<X509, FreeCertificate>;

Certificate Read(const std::string& pem) {
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  Certificate certificate(PEM_read_bio_X509(bio, nullptr, nullptr, nullptr));
  BIO_free(bio);
  return certificate;
}

// OpenSSL's verdict on `leaf` for `purpose` at `at`.
int Verify(X509* authority, X509* leaf, int purpose, base::Time at) {
  X509_STORE* store = X509_STORE_new();
  X509_STORE_add_cert(store, authority);
  X509_STORE_CTX* context = X509_STORE_CTX_new();
  X509_STORE_CTX_init(context, store, leaf, nullptr);
  X509_STORE_CTX_set_purpose(context, purpose);
  X509_STORE_CTX_set_time(context, 0, std::chrono::system_clock::to_time_t(at));
  X509_STORE_CTX_set_flags(context, X509_V_FLAG_X509_STRICT);
  X509_verify_cert(context);
  const int error = X509_STORE_CTX_get_error(context);
  X509_STORE_CTX_free(context);
  X509_STORE_free(store);
  return error;
}

TEST(Tls, ServerCertificateIsGoodForItsHostsAndPurpose) {
  const KeyPair authority = MakeAuthority("an authority", kNow).value();
  LeafRequest request;
  request.common_name = "server";
  request.hosts = {"localhost", "127.0.0.1", "::1"};
  const KeyPair pair = IssueCertificate(authority, request, kNow).value();
  const Certificate root = Read(authority.certificate_pem);
  const Certificate leaf = Read(pair.certificate_pem);
  EXPECT_EQ(Verify(root.get(), leaf.get(), X509_PURPOSE_SSL_SERVER, kNow), X509_V_OK);
  EXPECT_NE(Verify(root.get(), leaf.get(), X509_PURPOSE_SSL_CLIENT, kNow), X509_V_OK);
  EXPECT_EQ(X509_check_host(leaf.get(), "localhost", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(leaf.get(), "elsewhere", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_ip_asc(leaf.get(), "127.0.0.1", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(leaf.get(), "0:0:0:0:0:0:0:1", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(leaf.get(), "127.0.0.2", 0), 0);
}

TEST(Tls, ClientCertificateCarriesNameAndOrganizations) {
  const KeyPair authority = MakeAuthority("an authority", kNow).value();
  LeafRequest request;
  request.common_name = "alice";
  request.organizations = {"system:masters", "team"};
  const KeyPair pair = IssueCertificate(authority, request, kNow).value();
  const Certificate leaf = Read(pair.certificate_pem);
  const Certificate root = Read(authority.certificate_pem);
  EXPECT_EQ(Verify(root.get(), leaf.get(), X509_PURPOSE_SSL_CLIENT, kNow), X509_V_OK);
  char* line = X509_NAME_oneline(X509_get_subject_name(leaf.get()), nullptr, 0);
  EXPECT_STREQ(line, "/O=system:masters/O=team/CN=alice");
  OPENSSL_free(line);
}

TEST(Tls, TimesComeFromTheGivenNow) {
  const KeyPair authority = MakeAuthority("an authority", kNow).value();
  LeafRequest request;
  request.common_name = "alice";
  request.valid_for = base::hours(1);
  const Certificate root = Read(authority.certificate_pem);
  const Certificate leaf = Read(IssueCertificate(authority, request, kNow).value().certificate_pem);
  const auto verdict = [&](base::Duration later) {
    return Verify(root.get(), leaf.get(), X509_PURPOSE_SSL_CLIENT, kNow + later);
  };
  EXPECT_EQ(verdict(-base::hours(24)), X509_V_OK);
  EXPECT_EQ(verdict(-base::hours(25)), X509_V_ERR_CERT_NOT_YET_VALID);
  EXPECT_EQ(verdict(base::minutes(59)), X509_V_OK);
  EXPECT_EQ(verdict(base::minutes(61)), X509_V_ERR_CERT_HAS_EXPIRED);
}

TEST(Tls, LeafEndsWithItsAuthority) {
  const KeyPair authority = MakeAuthority("an authority", kNow).value();
  LeafRequest request;
  request.common_name = "alice";
  request.valid_for = base::hours(24 * 365 * 50);
  const Certificate root = Read(authority.certificate_pem);
  const Certificate leaf = Read(IssueCertificate(authority, request, kNow).value().certificate_pem);
  EXPECT_EQ(ASN1_TIME_compare(X509_get0_notAfter(root.get()), X509_get0_notAfter(leaf.get())), 0);
}

TEST(Tls, BadInputIsAnError) {
  EXPECT_FALSE(MakeAuthority(std::string(65, 'x'), kNow).ok());
  EXPECT_FALSE(IssueCertificate({"garbage", "garbage"}, {}, kNow).ok());
  const KeyPair one = MakeAuthority("one", kNow).value();
  const KeyPair two = MakeAuthority("two", kNow).value();
  const auto mixed = IssueCertificate({one.certificate_pem, two.key_pem}, {}, kNow);
  ASSERT_FALSE(mixed.ok());
  EXPECT_THAT(mixed.error().message, testing::HasSubstr("does not belong"));
}

}  // namespace
}  // namespace kueue::net
