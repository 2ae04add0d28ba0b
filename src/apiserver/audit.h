#pragma once

#include <map>
#include <memory>
#include <string>

#include "apiserver/authz.h"
#include "apiserver/call.h"
#include "base/executor.h"
#include "base/random.h"

// Who did what when: a line for every request, as audit.k8s.io/v1 Event of level Metadata.
namespace kueue::apiserver {

// Takes the lines. Whoever keeps them implements it; called on the server's executor.
class AuditSink {
 public:
  virtual ~AuditSink() = default;
  // One JSON object without a line end.
  virtual void Write(const std::string& line) = 0;
};

// What is known of a request so far.
struct AuditRecord {
  std::string id;
  std::string uri, verb, user_agent, address;
  User user;
  std::optional<User> impersonated;
  AccessAttributes access;
  std::string version;  // of the resource's group
  bool decided = false;
  Decision decision;
  base::Time received;
  // What admissions have added.
  std::shared_ptr<std::map<std::string, std::string>> annotations =
      std::make_shared<std::map<std::string, std::string>>();
};

class AuditLog {
 public:
  // `sink` and `executor` must outlive all requests.
  AuditLog(AuditSink& sink, const base::Executor& executor, base::Random random)
      : sink_(sink), executor_(executor), random_(random) {}

  // Begins a record of the call, whose answer is written down from now on: the start of one that
  // goes on (a watch), and its end. Fill in what becomes known.
  std::shared_ptr<AuditRecord> Follow(Call& call);

 private:
  AuditSink& sink_;
  const base::Executor& executor_;
  base::Random random_;
};

}  // namespace kueue::apiserver
