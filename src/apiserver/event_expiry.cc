#include "apiserver/event_expiry.h"

namespace kueue::apiserver {

EventExpiry::EventExpiry(base::Executor& executor, Store& store, base::Duration keep)
    : executor_(executor), store_(store), keep_(keep), events_(api::KindOf<api::Event>()) {
  // Events that are there already count from now on.
  store_.Scan(events_, "", "", [&](const std::string& key, const StoredPtr& object) {
    entries_.push_back({executor_.clock().Now(), object->revision(), key});
    return true;
  });
  if (!entries_.empty()) Arm();
  watcher_ = store_.AddWatcher(&events_, [this](const StoreChange& change) { OnChange(change); });
}

EventExpiry::~EventExpiry() {
  store_.RemoveWatcher(watcher_);
  if (armed_) executor_.Cancel(timer_);
}

void EventExpiry::OnChange(const StoreChange& change) {
  if (change.type == ChangeType::kDeleted) return;
  entries_.push_back({executor_.clock().Now(), change.object->revision(), change.key});
  Arm();
}

void EventExpiry::Arm() {
  if (armed_) return;
  armed_ = true;
  timer_ = executor_.PostAfter(base::minutes(1), scope_.Wrap([this] { Sweep(); }));
}

void EventExpiry::Sweep() {
  armed_ = false;
  if (store_.failure() != nullptr) return Arm();
  const base::Time now = executor_.clock().Now();
  while (!entries_.empty() && entries_.front().written + keep_ <= now) {
    const Entry entry = std::move(entries_.front());
    entries_.pop_front();
    const StoredPtr event = store_.Get(events_, entry.key);
    // An event that was written again since has a later entry.
    if (event != nullptr && event->revision() == entry.revision) store_.Remove(events_, entry.key);
  }
  if (!entries_.empty()) Arm();
}

}  // namespace kueue::apiserver
