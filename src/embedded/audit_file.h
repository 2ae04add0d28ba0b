#pragma once

#include <memory>
#include <string>

#include "apiserver/audit.h"
#include "base/result.h"

namespace kueue::embedded {

// Appends audit lines to a file that its owner alone can read. A line that cannot be written is
// lost; that is said once.
class AuditFile final : public apiserver::AuditSink {
 public:
  static base::Result<std::unique_ptr<AuditFile>> Open(const std::string& path);
  ~AuditFile() override;
  void Write(const std::string& line) override;

 private:
  AuditFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  const int descriptor_;
  const std::string path_;
  bool complained_ = false;
};

}  // namespace kueue::embedded
