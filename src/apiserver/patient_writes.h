#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "apiserver/writer.h"
#include "base/executor.h"

namespace kueue::apiserver {

// Writes of the server's own controllers that webhooks judge as they judge those of clients. A
// write that has to wait for one is made again by its controller when the answer is there, and one
// that a webhook refused some time later. Lives on the server's executor.
class PatientWrites {
 public:
  // Both must outlive this.
  PatientWrites(base::Executor& executor, Writer& writer) : executor_(executor), writer_(writer) {}

  // The session of the write that `key` names, for its context.
  WriteSession* SessionOf(const std::string& key);
  // To be told what came of the write; null: it was carried out. True: it is not done, and `again`
  // will be called. False: it is done, or refused by others than webhooks.
  bool Unfinished(const std::string& key, const ApiError* error, std::function<void()> again);

 private:
  base::Executor& executor_;
  Writer& writer_;
  // Of writes that wait.
  std::map<std::string, std::shared_ptr<WriteSession>> sessions_;
  base::Scope scope_;
};

}  // namespace kueue::apiserver
