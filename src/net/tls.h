#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

// Keys and certificates (ECDSA P-256) as PEM texts.
namespace kueue::net {

struct KeyPair {
  std::string certificate_pem, key_pem;
};

// A certificate authority of our own, valid from a day before `now` for ten years.
// Errors are kInternal with the reason OpenSSL gives, for example a name longer than 64 characters.
base::Result<KeyPair> MakeAuthority(const std::string& common_name, base::Time now);

struct LeafRequest {
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> hosts;  // DNS names and IP addresses of a server; empty: a client
  base::Duration valid_for = base::hours(24 * 365);
};
// Valid from a day before `now`, for `valid_for` from `now` or as long as the authority itself.
base::Result<KeyPair> IssueCertificate(const KeyPair& authority, const LeafRequest& request,
                                       base::Time now);

}  // namespace kueue::net
