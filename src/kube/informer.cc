#include "kube/informer.h"

#include <deque>
#include <utility>

#include "base/log.h"
#include "kube/back_off.h"
#include "kube/object_store.h"
#include "kube/status.h"

namespace kueue::kube {
namespace {

constexpr int64_t kPageSize = 500;
constexpr base::Duration kFirstRetry = base::milliseconds(100);
constexpr base::Duration kLongestRetry = base::seconds(30);
// The server ends a watch after so long (a minute spread over the kinds, so that they do not all
// come back together); a connection that died unnoticed is given up a little later.
constexpr int64_t kWatchSeconds = 300;
constexpr int64_t kWatchGraceSeconds = 30;
// A watch that lived so long was a good one: the next may follow at once.
constexpr base::Duration kGoodWatch = base::seconds(5);

}  // namespace

class Informer::Impl {
 public:
  Impl(Client& client, base::Executor& executor, const api::KindInfo& kind, MakeObject make)
      : client_(client),
        executor_(executor),
        kind_(kind),
        make_(std::move(make)),
        back_off_(kind.plural, kFirstRetry, kLongestRetry) {}

  ~Impl() {
    executor_.Cancel(retry_timer_);
    executor_.Cancel(silence_timer_);
  }

  void Start(std::function<void()> synced) {
    KUEUE_CHECK(!started_);
    started_ = true;
    on_synced_ = std::move(synced);
    List();
  }

  void ObserveWritten(const api::Json& object) {
    const ObjectIdentity identity = IdentityOf(object);
    if (identity.key.name.empty() || !store_.Wants(identity)) return;
    if (object.FindPath({"metadata", "managedFields"}) != nullptr) {
      Take(identity, api::Json(object));
    } else {
      TakeSlim(identity, object);
    }
    Tell();
  }

  void ObserveDeleted(const ObjectKey& key, const std::string& uid) {
    // Without a uid nothing tells the object meant from a later one of that name.
    if (uid.empty()) return;
    std::vector<Change> changes;
    store_.Remove(ObjectIdentity{key, uid, std::nullopt}, executor_.clock().Elapsed(), changes);
    Queue(std::move(changes));
    Tell();
  }

  Client& client_;
  base::Executor& executor_;
  const api::KindInfo& kind_;
  const MakeObject make_;
  ObjectStore store_;
  std::vector<Handler> handlers_;
  InformerCounters counters_;
  bool started_ = false, synced_ = false;

 private:
  std::string Name() const { return std::string(kind_.plural); }

  // ---- list

  void List() {
    ++counters_.lists;
    listed_.clear();
    left_alone_.clear();
    RequestPage("");
  }

  void RequestPage(const std::string& token) {
    ListOptions options;
    options.limit = whole_list_ ? 0 : kPageSize;
    options.continue_token = token;
    client_.List(kind_, "", options,
                 scope_.Wrap([this, token](base::Result<api::Json> page) {
                   if (page.ok()) return OnPage(std::move(*page));
                   OnListError(page.error(), !token.empty());
                 }));
  }

  void OnListError(const base::Error& error, bool between_pages) {
    if (between_pages && error.code == base::Code::kGone) {
      // The list grew too old between two pages. All at once cannot.
      whole_list_ = true;
      return List();
    }
    RetryLater(error, &Impl::List);
  }

  void OnPage(api::Json page) {
    api::Json* items = page.Find("items");
    if (items != nullptr && items->IsArray()) {
      for (api::Json& item : items->AsArray()) TakeListed(item);
    }
    const std::string token = page.StringAt({"metadata", "continue"});
    if (!token.empty()) return RequestPage(token);
    FinishList(page.StringAt({"metadata", "resourceVersion"}));
  }

  void TakeListed(api::Json& item) {
    const ObjectIdentity identity = IdentityOf(item);
    if (!store_.Wants(identity)) {
      // Held in this or a newer state, or known to be gone.
      left_alone_.insert(identity.key);
      return;
    }
    ObjectPtr object = Decode(identity, Slim(item));
    if (object == nullptr) {
      left_alone_.insert(identity.key);
      return;
    }
    listed_[identity.key] = {std::move(object), identity.uid, identity.version};
  }

  void FinishList(const std::string& version) {
    const std::optional<uint64_t> number = ParseVersion(version);
    if (number && newest_seen_ && *number < *newest_seen_) {
      // The server's counter went back: it was restored from an older state. What is held in
      // "newer" versions is void, and what Wants() refused has to be read again.
      base::LogWarn("informer", Name() + ": the server's history went back; reading all again");
      store_.ForgetVersions();
      newest_seen_.reset();
      return List();
    }
    std::vector<Change> changes;
    store_.Replace(std::move(listed_), left_alone_, number, executor_.clock().Elapsed(), changes);
    listed_.clear();
    left_alone_.clear();
    whole_list_ = false;
    Advance(version);
    Queue(std::move(changes));
    Tell();
    heard_since_list_ = false;
    synced_ = true;
    if (auto synced = std::exchange(on_synced_, nullptr)) synced();
    Watch();
  }

  // ---- watch

  void Watch() {
    ++counters_.watches;
    ListOptions options;
    options.resource_version = version_;
    options.timeout_seconds =
        kWatchSeconds + static_cast<int64_t>(BackOff::Hash(kind_.plural) % 60);
    watch_began_ = executor_.clock().Elapsed();
    silence_timer_ = executor_.PostAfter(
        base::seconds(options.timeout_seconds + kWatchGraceSeconds),
        [this] { OnWatchEnd({}); });
    watch_ = client_.Watch(kind_, "", options,
                           [this](WatchEvent event) { OnEvent(std::move(event)); },
                           [this](base::Status status) { OnWatchEnd(std::move(status)); });
  }

  void OnEvent(WatchEvent event) {
    if (event.type == WatchEventType::kError) return OnWatchEnd(ErrorOfStatus(event.object));
    heard_since_list_ = true;
    back_off_.Reset();
    const ObjectIdentity identity = IdentityOf(event.object);
    Advance(event.object.StringAt({"metadata", "resourceVersion"}));
    if (event.type == WatchEventType::kBookmark) return;
    ++counters_.events;
    if (event.type == WatchEventType::kDeleted) {
      std::vector<Change> changes;
      store_.Remove(identity, executor_.clock().Elapsed(), changes);
      Queue(std::move(changes));
    } else if (store_.Wants(identity)) {
      Take(identity, std::move(event.object));
    }
    Tell();
  }

  void OnWatchEnd(base::Status status) {
    watch_.reset();
    executor_.Cancel(silence_timer_);
    const bool was_good = executor_.clock().Elapsed() - watch_began_ >= kGoodWatch;
    if (was_good) back_off_.Reset();
    if (status.ok()) {
      if (was_good) return Watch();
      return RetryLater(base::Unavailable("the watch ended at once"), &Impl::Watch);
    }
    switch (status.error().code) {
      case base::Code::kGone:
        base::LogDebug("informer", Name() + ": history was compacted; listing again");
        if (heard_since_list_ || was_good) return List();
        return RetryLater(status.error(), &Impl::List);
      case base::Code::kTimeout:
        // Twice in a row may mean that the server has never come to the version asked for.
        return RetryLater(status.error(), back_off_.attempts() > 0 ? &Impl::List : &Impl::Watch);
      case base::Code::kUnavailable:
      case base::Code::kTooManyRequests:
        return RetryLater(status.error(), &Impl::Watch);
      default:
        // Not a matter of the connection: begin from a known state.
        return RetryLater(status.error(), &Impl::List);
    }
  }

  void RetryLater(const base::Error& error, void (Impl::*what)()) {
    const base::Duration wait = back_off_.Next();
    const int n = back_off_.attempts();
    // The first, then ever more rarely: a server that is away for long shall not fill the log.
    if ((n & (n - 1)) == 0) {
      base::LogWarn("informer", Name() + ": " + error.message + " (" +
                                    base::CodeName(error.code) + "), attempt " +
                                    std::to_string(n) + ", next in " + base::FormatDuration(wait));
    }
    retry_timer_ = executor_.PostAfter(wait, [this, what] { (this->*what)(); });
  }

  // ---- objects

  void Advance(const std::string& version) {
    if (version.empty()) return;
    version_ = version;
    if (const auto number = ParseVersion(version)) newest_seen_ = number;
  }

  // Field ownership is as large as the object itself and no reader's business here. Patches never
  // mention it, so it is not lost on the server.
  static const api::Json& Slim(api::Json& object) {
    if (api::Json* metadata = object.Find("metadata")) metadata->Erase("managedFields");
    return object;
  }

  ObjectPtr Decode(const ObjectIdentity& identity, const api::Json& object) {
    auto made = make_(object);
    if (made.ok()) return std::move(*made);
    ++counters_.undecodable;
    base::LogError("informer", std::string(kind_.kind) + " " + identity.key.ToString() +
                                   " is left out, it cannot be read: " + made.error().message);
    return nullptr;
  }

  void Take(const ObjectIdentity& identity, api::Json object) { TakeSlim(identity, Slim(object)); }
  void TakeSlim(const ObjectIdentity& identity, const api::Json& object) {
    ObjectPtr made = Decode(identity, object);
    if (made == nullptr) return;
    std::vector<Change> changes;
    store_.Upsert(identity, std::move(made), changes);
    Queue(std::move(changes));
  }

  void Queue(std::vector<Change> changes) {
    for (Change& change : changes) untold_.push_back(std::move(change));
  }

  // A handler may cause further changes; these are told when all handlers know the present one.
  void Tell() {
    if (telling_) return;
    telling_ = true;
    while (!untold_.empty()) {
      const Change change = std::move(untold_.front());
      untold_.pop_front();
      for (const Handler& handler : handlers_) handler(change);
    }
    telling_ = false;
  }

  BackOff back_off_;
  std::function<void()> on_synced_;
  std::deque<Change> untold_;
  bool telling_ = false;

  std::map<ObjectKey, ObjectStore::Entry> listed_;
  std::set<ObjectKey> left_alone_;  // listed, but to be left as held
  bool whole_list_ = false;         // without pages

  std::string version_;  // where the watch goes on
  std::optional<uint64_t> newest_seen_;
  bool heard_since_list_ = false;
  base::Duration watch_began_{0};
  base::TimerId retry_timer_ = 0, silence_timer_ = 0;
  std::unique_ptr<net::Exchange> watch_;
  base::Scope scope_;
};

Informer::Informer(Client& client, base::Executor& executor, const api::KindInfo& kind,
                   MakeObject make)
    : impl_(std::make_unique<Impl>(client, executor, kind, std::move(make))) {}
Informer::~Informer() = default;

void Informer::AddHandler(Handler handler) {
  KUEUE_CHECK(!impl_->started_);
  impl_->handlers_.push_back(std::move(handler));
}
void Informer::AddIndex(const std::string& name, IndexValues values) {
  KUEUE_CHECK(!impl_->started_);
  impl_->store_.AddIndex(name, std::move(values));
}
void Informer::Start(std::function<void()> synced) { impl_->Start(std::move(synced)); }
bool Informer::synced() const { return impl_->synced_; }

ObjectPtr Informer::Get(const ObjectKey& key) const {
  const ObjectStore::Entry* entry = impl_->store_.Find(key);
  return entry == nullptr ? nullptr : entry->object;
}
std::vector<ObjectPtr> Informer::List(const std::string& namespace_name) const {
  return impl_->store_.List(namespace_name);
}
std::vector<ObjectPtr> Informer::ByIndex(const std::string& index, const std::string& value) const {
  return impl_->store_.ByIndex(index, value);
}
size_t Informer::size() const { return impl_->store_.size(); }
std::string Informer::UidOf(const ObjectKey& key) const {
  const ObjectStore::Entry* entry = impl_->store_.Find(key);
  return entry == nullptr ? "" : entry->uid;
}

void Informer::ObserveWritten(const api::Json& object) { impl_->ObserveWritten(object); }
void Informer::ObserveDeleted(const ObjectKey& key, const std::string& uid) {
  impl_->ObserveDeleted(key, uid);
}
const api::KindInfo& Informer::kind() const { return impl_->kind_; }
const InformerCounters& Informer::counters() const { return impl_->counters_; }

}  // namespace kueue::kube
