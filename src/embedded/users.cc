#include "embedded/users.h"

#include <algorithm>

#include "embedded/data_folder.h"
#include "kube/kubeconfig.h"

namespace kueue::embedded {
namespace {

constexpr size_t kLongestName = 64;  // of a certificate's common name

bool IsPlain(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c > 0x20 && c != 0x7f && c != ',';
  });
}

// A name of a file, whatever the user is called.
std::string FileName(const std::string& user) {
  std::string name;
  for (const char c : user) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '@' || (c == '.' && !name.empty());
    name += plain ? c : '_';
  }
  return name;
}

base::Status Check(const UserRequest& user) {
  if (!IsPlain(user.name) || user.name.size() > kLongestName) {
    return base::Invalid("user '" + user.name +
                         "': a name has 1 to 64 characters and no blanks or commas");
  }
  for (const std::string& group : user.groups) {
    if (IsPlain(group) && group.size() <= kLongestName) continue;
    return base::Invalid("user '" + user.name + "', group '" + group +
                         "': a group has 1 to 64 characters and no blanks or commas");
  }
  return {};
}

}  // namespace

base::Result<UserRequest> ParseUser(const std::string& text) {
  UserRequest user;
  // The last colon that is followed by groups; names like system:serviceaccount:a:b are not meant
  // to be users here.
  const size_t colon = text.find(':');
  user.name = text.substr(0, colon);
  for (size_t at = colon; at != std::string::npos;) {
    const size_t end = text.find(',', at + 1);
    user.groups.push_back(text.substr(at + 1, end == std::string::npos ? end : end - at - 1));
    at = end;
  }
  if (auto s = Check(user); !s.ok()) return s.error();
  return user;
}

base::Result<std::string> WriteUser(const std::string& folder, const std::string& server,
                                    const UserRequest& user, const std::string& path,
                                    base::Time now) {
  if (auto s = Check(user); !s.ok()) return s.error();
  const std::string stem = folder + "/pki/ca";
  auto certificate = ReadFile(stem + ".crt");
  auto key = ReadFile(stem + ".key");
  if (!certificate.ok() || !key.ok()) {
    return base::NotFound("no control plane has run on " + folder +
                          " yet: start one with `kueue up`");
  }
  const net::KeyPair authority{*certificate, *key};
  net::LeafRequest request;
  request.common_name = user.name;
  request.organizations = user.groups;
  auto pair = net::IssueCertificate(authority, request, now);
  if (!pair.ok()) return pair.error();
  kube::KubeconfigEntry entry;
  entry.name = "kueue-" + user.name;
  entry.server = server;
  entry.authority_pem = authority.certificate_pem;
  entry.certificate_pem = pair->certificate_pem;
  entry.key_pem = pair->key_pem;
  const std::string target =
      path.empty() ? folder + "/users/" + FileName(user.name) + ".kubeconfig" : path;
  if (auto s = WriteFile(target, kube::WriteKubeconfig(entry), true); !s.ok()) return s.error();
  return target;
}

}  // namespace kueue::embedded
