#include "embedded/data_folder.h"

#include <fcntl.h>
#include <openssl/rand.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "api/codec/json_text.h"

namespace kueue::embedded {
namespace {

std::string LockPath(const std::string& folder) { return folder + "/lock"; }
std::string InfoPath(const std::string& folder) { return folder + "/instance.json"; }

base::Error SystemError(const std::string& what) {
  return base::Unavailable(what + ": " + std::strerror(errno));
}

std::string RandomToken() {
  unsigned char bytes[24];
  RAND_bytes(bytes, sizeof(bytes));
  static constexpr char kHex[] = "0123456789abcdef";
  std::string token;
  for (const unsigned char b : bytes) {
    token += kHex[b >> 4];
    token += kHex[b & 15];
  }
  return token;
}

base::Result<net::KeyPair> ReadPair(const std::string& stem) {
  auto certificate = ReadFile(stem + ".crt");
  if (!certificate.ok()) return certificate.error();
  auto key = ReadFile(stem + ".key");
  if (!key.ok()) return key.error();
  return net::KeyPair{std::move(*certificate), std::move(*key)};
}

base::Status WritePair(const std::string& stem, const net::KeyPair& pair) {
  if (auto s = WriteFile(stem + ".key", pair.key_pem, true); !s.ok()) return s;
  return WriteFile(stem + ".crt", pair.certificate_pem, false);
}

}  // namespace

base::Result<std::unique_ptr<FolderLock>> FolderLock::Take(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return base::Unavailable("cannot make folder " + folder + ": " + error.message());
  ::chmod(folder.c_str(), 0700);
  const std::string path = LockPath(folder);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    base::Error failed = SystemError("cannot open " + path);
    failed.message += "; the folder must be writable: choose another with --data-dir";
    return failed;
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    char text[32] = {};
    const ssize_t length = ::pread(descriptor, text, sizeof(text) - 1, 0);
    ::close(descriptor);
    const std::string holder = length > 0 ? "process " + std::string(text) : "another process";
    return base::Error{base::Code::kConflict,
                       folder + " is in use by " + holder +
                           "; end it with `kueue down`, or choose another --data-dir"};
  }
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(descriptor, 0) != 0 ||
      ::pwrite(descriptor, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
    const base::Error failed = SystemError("cannot write " + path);
    ::close(descriptor);
    return failed;
  }
  return std::unique_ptr<FolderLock>(new FolderLock(descriptor));
}

std::string DatabasePath(const std::string& folder) { return folder + "/objects.db"; }

FolderLock::~FolderLock() { ::close(descriptor_); }

bool IsLocked(const std::string& folder) {
  const int descriptor = ::open(LockPath(folder).c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0;
  ::close(descriptor);
  return locked;
}

base::Status WriteFile(const std::string& path, const std::string& text, bool secret) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!parent.empty()) std::filesystem::create_directories(parent, ignored);
  const std::string draft = path + ".new";
  const int descriptor =
      ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, secret ? 0600 : 0644);
  if (descriptor < 0) return SystemError("cannot write " + draft);
  const bool written =
      ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(descriptor) == 0;
  ::close(descriptor);
  if (!written || ::rename(draft.c_str(), path.c_str()) != 0) {
    return SystemError("cannot write " + path);
  }
  return {};
}

base::Result<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return base::NotFound("cannot read " + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

base::Result<Credentials> LoadCredentials(const std::string& folder, const std::string& address,
                                          base::Time now) {
  Credentials credentials;
  const std::string authority_stem = folder + "/pki/ca";
  if (auto have = ReadPair(authority_stem); have.ok()) {
    credentials.authority = std::move(*have);
  } else {
    auto made = net::MakeAuthority("kueue-cpp authority", now);
    if (!made.ok()) return made.error();
    credentials.authority = std::move(*made);
    if (auto s = WritePair(authority_stem, credentials.authority); !s.ok()) return s.error();
  }
  // A fresh one at every start: it never runs out and always names the address in use.
  net::LeafRequest request;
  request.common_name = "kueue-cpp";
  request.hosts = {"localhost",  "127.0.0.1",          "::1",
                   "kubernetes", "kubernetes.default", "kubernetes.default.svc"};
  if (address != "127.0.0.1" && address != "::1") request.hosts.push_back(address);
  auto server = net::IssueCertificate(credentials.authority, request, now);
  if (!server.ok()) {
    return base::Invalid(authority_stem + ".crt and .key are not what kueue wrote (" +
                         server.error().message + "); `kueue reset --data-dir " + folder +
                         "` removes them");
  }
  credentials.server = std::move(*server);

  for (const auto& [path, secret] :
       {std::make_pair(folder + "/token", &credentials.token),
        std::make_pair(folder + "/pki/service-accounts.key", &credentials.token_secret)}) {
    if (auto kept = ReadFile(path); kept.ok() && !kept->empty()) {
      *secret = std::move(*kept);
      continue;
    }
    *secret = RandomToken();
    if (auto s = WriteFile(path, *secret, true); !s.ok()) return s.error();
  }
  return credentials;
}

base::Status WriteInfo(const std::string& folder, const InstanceInfo& info) {
  api::Json json;
  json.Set("pid", info.pid);
  json.Set("url", info.url);
  json.Set("kubeconfig", info.kubeconfig);
  return WriteFile(InfoPath(folder), api::WriteJsonPretty(json) + "\n", false);
}

void RemoveInfo(const std::string& folder) { ::unlink(InfoPath(folder).c_str()); }

std::optional<InstanceInfo> ReadInfo(const std::string& folder) {
  const auto text = ReadFile(InfoPath(folder));
  if (!text.ok()) return std::nullopt;
  const auto json = api::ParseJson(*text);
  if (!json.ok()) return std::nullopt;
  InstanceInfo info;
  const api::Json* pid = json->Find("pid");
  if (pid != nullptr && pid->IsInt()) info.pid = pid->AsInt();
  info.url = json->StringAt({"url"});
  info.kubeconfig = json->StringAt({"kubeconfig"});
  return info;
}

}  // namespace kueue::embedded
