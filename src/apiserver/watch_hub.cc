#include "apiserver/watch_hub.h"

#include <fmt/format.h>

#include <utility>

#include "api/codec/json_text.h"
#include "api/schema/conversion.h"
#include "apiserver/versions.h"

namespace kueue::apiserver {

using api::Json;

namespace {

// As often as Kubernetes tells its watchers how far they have come.
constexpr base::Duration kBookmarkEvery = base::minutes(1);

// The state before a change, as a deletion under the change's version: how an object that no longer
// matches leaves a watch.
StoredPtr LeavingObject(const StoreChange& change) {
  Json object = change.before->object();
  object["metadata"].Set("resourceVersion", std::to_string(change.revision));
  return std::make_shared<const StoredObject>(std::move(object), change.revision);
}

}  // namespace

class WatchHub::Session {
 public:
  Session(std::shared_ptr<Call> call, Store& store, Selector selector, std::string prefix,
          View view, bool bookmarks)
      : call_(std::move(call)),
        store_(store),
        selector_(std::move(selector)),
        prefix_(std::move(prefix)),
        view_(std::move(view)),
        stored_kind_(api::StoredKind(*view_.kind)),
        bookmarks_(bookmarks) {}
  ~Session() {
    if (watcher_ != 0) store_.RemoveWatcher(watcher_);
    call_->responder->End();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void Start() {
    net::Headers headers = AnswerHeaders(*call_, "application/json");
    call_->responder->Start(200, std::move(headers));
  }

  void SendInitialState() {
    const auto visit = [this](const std::string&, const StoredPtr& object) {
      if (selector_.Matches(object->object())) Send("ADDED", object);
      return true;
    };
    store_.ScanAt(store_.kept_revision(), stored_kind_, prefix_, "", visit);
    told_ = store_.kept_revision();
  }

  void SendError(const ApiError& error) {
    call_->responder->Write("{\"type\":\"ERROR\",\"object\":" + api::WriteJson(error.ToJson()) +
                            "}\n");
  }

  void SendBookmark(bool initial_end, base::Time now) {
    view_.now = now;
    call_->responder->Write(RenderBookmark(view_, store_.kept_revision(), initial_end, first_));
    first_ = false;
    told_ = store_.kept_revision();
  }

  void Follow(uint64_t after, const base::Clock& clock) {
    after_ = after;
    const auto tell = [this, &clock](const StoreChange& change) {
      if (change.revision > after_) Tell(change, clock.Now());
    };
    watcher_ = store_.AddWatcher(&stored_kind_, tell, Store::When::kKept);
  }

  void Tell(const StoreChange& change, base::Time now) {
    if (change.key.compare(0, prefix_.size(), prefix_) != 0 || Closed()) return;
    const bool before = change.before != nullptr && selector_.Matches(change.before->object());
    const bool after =
        change.type != ChangeType::kDeleted && selector_.Matches(change.object->object());
    if (!before && !after) return;
    view_.now = now;
    if (change.type == ChangeType::kDeleted) {
      Send("DELETED", change.object);
    } else if (!after) {
      Send("DELETED", LeavingObject(change));
    } else {
      Send(before ? "MODIFIED" : "ADDED", change.object);
    }
    told_ = change.revision;
  }

  const api::KindInfo& stored_kind() const { return stored_kind_; }
  bool Closed() const { return call_->responder->Closed(); }
  bool WantsBookmark() const { return bookmarks_ && told_ < store_.kept_revision(); }
  void set_told(uint64_t revision) { told_ = revision; }

 private:
  void Send(const char* type, const StoredPtr& object) {
    const auto shown = ShowAs(*view_.kind, object);
    if (!shown.ok()) return SendError(shown.error());
    call_->responder->Write(RenderEvent(view_, type, **shown, first_));
    first_ = false;
  }

  std::shared_ptr<Call> call_;
  Store& store_;
  Selector selector_;
  std::string prefix_;
  View view_;
  const api::KindInfo& stored_kind_;
  const bool bookmarks_;
  bool first_ = true;   // no event has been sent
  uint64_t told_ = 0;   // the client knows this version
  uint64_t after_ = 0;  // changes up to here are not for this watch
  Store::WatcherId watcher_ = 0;
};

WatchHub::WatchHub(base::Executor& executor, Store& store) : executor_(executor), store_(store) {
  store_watcher_ = store_.AddWatcher(
      nullptr, [this](const StoreChange&) { OnChange(); }, Store::When::kKept);
}

WatchHub::~WatchHub() {
  store_.RemoveWatcher(store_watcher_);
  if (bookmark_due_) executor_.Cancel(bookmark_timer_);
}

void WatchHub::Open(const std::shared_ptr<Call>& call, const ListRequest& list,
                    const Selector& selector, const std::string& prefix, const View& view) {
  auto session =
      std::make_unique<Session>(call, store_, selector, prefix, view, list.allow_bookmarks);
  session->Start();
  const std::optional<uint64_t> version = list.Version();
  const bool initial = list.send_initial_events.value_or(!version.has_value());
  if (version && !initial && *version < store_.compacted_revision()) {
    session->SendError(
        ExpiredError(fmt::format("version {} is too old: the oldest remembered is "
                                 "{}",
                                 *version, store_.compacted_revision())));
    return;
  }
  session->set_told(version.value_or(store_.kept_revision()));
  if (initial) {
    session->SendInitialState();
    if (list.send_initial_events && list.allow_bookmarks) {
      session->SendBookmark(true, view.now);
    }
  } else if (version && *version < store_.kept_revision()) {
    store_.Replay(*version, &api::StoredKind(*view.kind),
                  [&](const StoreChange& change) { session->Tell(change, view.now); });
  }
  if (ended_) return;
  session->Follow(initial ? 0 : version.value_or(0), executor_.clock());
  const SessionId id = next_session_++;
  sessions_.emplace(id, std::move(session));
  if (list.timeout) {
    executor_.PostAfter(*list.timeout, scope_.Wrap([this, id] { Close(id); }));
  }
}

void WatchHub::EndAll() {
  ended_ = true;
  sessions_.clear();
}

void WatchHub::OnChange() {
  // No timer runs while nothing changes.
  if (bookmark_due_ || sessions_.empty()) return;
  bookmark_due_ = true;
  bookmark_timer_ = executor_.PostAfter(kBookmarkEvery, scope_.Wrap([this] { OnBookmarkTime(); }));
}

void WatchHub::OnBookmarkTime() {
  bookmark_due_ = false;
  const base::Time now = executor_.clock().Now();
  for (auto it = sessions_.begin(); it != sessions_.end();) {
    if (it->second->Closed()) {
      it = sessions_.erase(it);
      continue;
    }
    if (it->second->WantsBookmark()) it->second->SendBookmark(false, now);
    ++it;
  }
}

void WatchHub::Close(SessionId id) { sessions_.erase(id); }

void WatchHub::CloseKind(const api::KindInfo& stored) {
  for (auto it = sessions_.begin(); it != sessions_.end();) {
    it = &it->second->stored_kind() == &stored ? sessions_.erase(it) : std::next(it);
  }
}

}  // namespace kueue::apiserver
