#include "embedded/audit_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/log.h"

namespace kueue::embedded {

base::Result<std::unique_ptr<AuditFile>> AuditFile::Open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return base::Unavailable("cannot write the audit log " + path + ": " + std::strerror(errno));
  }
  return std::unique_ptr<AuditFile>(new AuditFile(descriptor, path));
}

AuditFile::~AuditFile() { ::close(descriptor_); }

void AuditFile::Write(const std::string& line) {
  const std::string text = line + '\n';
  if (::write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size())) return;
  if (complained_) return;
  complained_ = true;
  base::LogWarn("audit", "a line could not be written to " + path_ + ": " + std::strerror(errno));
}

}  // namespace kueue::embedded
