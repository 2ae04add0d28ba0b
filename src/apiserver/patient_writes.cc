#include "apiserver/patient_writes.h"

#include <utility>

#include "base/log.h"

namespace kueue::apiserver {

namespace {

constexpr base::Duration kTryAgain = base::seconds(5);

}  // namespace

WriteSession* PatientWrites::SessionOf(const std::string& key) {
  std::shared_ptr<WriteSession>& session = sessions_[key];
  if (session == nullptr) session = std::make_shared<WriteSession>();
  return session.get();
}

bool PatientWrites::Unfinished(const std::string& key, const ApiError* error,
                               std::function<void()> again) {
  const auto it = sessions_.find(key);
  if (it == sessions_.end()) return false;
  const std::shared_ptr<WriteSession> session = it->second;
  if (error != nullptr && error->pending) {
    // Whoever comes by while the answer is on its way need not ask a second time.
    if (session->waiting) {
      session->wanted.clear();
      return true;
    }
    session->waiting = true;
    writer_.AskWebhooks(*session, scope_.Wrap([session, again = std::move(again)] {
      session->waiting = false;
      again();
    }));
    return true;
  }
  sessions_.erase(it);
  if (error == nullptr || !session->judged) return false;
  base::LogWarn("apiserver", "a write of a controller is tried again later: " + error->message);
  executor_.PostAfter(kTryAgain, scope_.Wrap([again = std::move(again)] { again(); }));
  return true;
}

}  // namespace kueue::apiserver
