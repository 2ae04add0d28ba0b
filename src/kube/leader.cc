#include "kube/leader.h"

#include <utility>

#include "api/types/core.h"
#include "base/log.h"
#include "kube/back_off.h"

namespace kueue::kube {

base::Status CheckLeaderOptions(const LeaderOptions& options) {
  if (options.name.empty() || options.namespace_name.empty() || options.identity.empty()) {
    return base::Invalid("leader election needs the lease's namespace and name, and an identity");
  }
  if (options.retry_period <= base::Duration(0) || options.renew_deadline <= options.retry_period ||
      options.lease_duration <= options.renew_deadline) {
    return base::Invalid(
        "leader election needs leaseDuration > renewDeadline > retryPeriod > 0, not " +
        base::FormatDuration(options.lease_duration) + ", " +
        base::FormatDuration(options.renew_deadline) + ", " +
        base::FormatDuration(options.retry_period));
  }
  if (options.lease_duration < base::seconds(1)) {
    return base::Invalid("leader election needs a leaseDuration of at least 1s");
  }
  return {};
}

class LeaderElector::Impl {
 public:
  Impl(Client& client, base::Executor& executor, LeaderOptions options, LeaderCallbacks callbacks)
      : client_(client),
        executor_(executor),
        options_(std::move(options)),
        callbacks_(std::move(callbacks)),
        key_{options_.namespace_name, options_.name},
        kind_(api::KindOf<api::Lease>()) {
    const base::Status checked = CheckLeaderOptions(options_);
    KUEUE_CHECK_MSG(checked.ok(), checked.ok() ? std::string() : checked.error().message);
  }
  ~Impl() {
    executor_.Cancel(retry_timer_);
    executor_.Cancel(deadline_timer_);
  }

  void Try() {
    retry_timer_ = 0;
    const base::Duration sent_at = executor_.clock().Elapsed();
    client_.Get(kind_, key_, Guarded([this, sent_at](base::Result<api::Json> lease) {
                  if (lease.ok()) {
                    Observe(std::move(*lease));
                    return Consider(sent_at);
                  }
                  if (lease.error().code == base::Code::kNotFound) return Create(sent_at);
                  Failed("reading", lease.error());
                }));
  }

  void Stop(std::function<void()> done) {
    ++round_;  // answers under way do not count any more
    stopped_ = true;
    executor_.Cancel(retry_timer_);
    executor_.Cancel(deadline_timer_);
    if (!done) done = [] {};
    if (!std::exchange(leading_, false)) return executor_.Post(std::move(done));
    api::Json lease = lease_;
    api::Json& spec = lease["spec"];
    spec.Set("holderIdentity", "");
    spec.Set("leaseDurationSeconds", 1);
    spec.Set("renewTime", base::FormatMicroTime(executor_.clock().Now()));
    client_.Update(kind_, lease, "",
                   scope_.Wrap([done = std::move(done)](base::Result<api::Json>) { done(); }));
  }

  const std::string& leader() const { return leader_; }
  bool leading_ = false;
  bool started_ = false;

 private:
  // An answer that comes after leadership was given up or the candidacy ended means nothing.
  template <class F>
  Client::ObjectCallback Guarded(F f) {
    return scope_.Wrap([this, round = round_, f = std::move(f)](base::Result<api::Json> answer) {
      if (round == round_) f(std::move(answer));
    });
  }

  void Observe(api::Json lease) {
    const std::string version = lease.StringAt({"metadata", "resourceVersion"});
    if (version != observed_version_ || version.empty()) {
      observed_version_ = version;
      changed_at_ = executor_.clock().Elapsed();
    }
    lease_ = std::move(lease);
    const std::string holder = lease_.StringAt({"spec", "holderIdentity"});
    if (holder == leader_) return;
    leader_ = holder;
    if (!leader_.empty() && callbacks_.on_new_leader) callbacks_.on_new_leader(leader_);
  }

  base::Duration HeldFor() const {
    const api::Json* value = lease_.FindPath({"spec", "leaseDurationSeconds"});
    if (value == nullptr || !value->IsInt()) return options_.lease_duration;
    return base::seconds(std::clamp<int64_t>(value->AsInt(), 1, 86400));
  }

  // Another's lease is waited for; an own, free or expired one is taken.
  void Consider(base::Duration sent_at) {
    if (stopped_) return;
    const bool own = leader_ == options_.identity;
    if (!own && !leader_.empty()) {
      if (leading_) return Lose("another candidate holds the lease: " + leader_);
      if (executor_.clock().Elapsed() < changed_at_ + HeldFor()) return TryLater();
    }
    api::Json lease = lease_;
    api::Json& spec = lease["spec"];
    if (!own) {
      const api::Json* count = spec.Find("leaseTransitions");
      spec.Set("leaseTransitions", (count != nullptr && count->IsInt() ? count->AsInt() : 0) + 1);
    }
    Fill(spec, !own);
    client_.Update(kind_, lease, "", Guarded([this, sent_at](base::Result<api::Json> answer) {
                     OnWritten(sent_at, std::move(answer));
                   }));
  }

  void Create(base::Duration sent_at) {
    api::Json lease;
    lease.Set("apiVersion", kind_.ApiVersion());
    lease.Set("kind", std::string(kind_.kind));
    lease["metadata"].Set("name", key_.name);
    lease["metadata"].Set("namespace", key_.namespace_name);
    lease["spec"].Set("leaseTransitions", 0);
    Fill(lease["spec"], true);
    client_.Create(kind_, lease, Guarded([this, sent_at](base::Result<api::Json> answer) {
                     OnWritten(sent_at, std::move(answer));
                   }));
  }

  void Fill(api::Json& spec, bool acquire) const {
    const std::string now = base::FormatMicroTime(executor_.clock().Now());
    spec.Set("holderIdentity", options_.identity);
    const auto whole = std::chrono::ceil<base::seconds>(options_.lease_duration);
    spec.Set("leaseDurationSeconds", static_cast<int64_t>(whole.count()));
    if (acquire) spec.Set("acquireTime", now);
    spec.Set("renewTime", now);
  }

  void OnWritten(base::Duration sent_at, base::Result<api::Json> answer) {
    if (!answer.ok()) return Failed("writing", answer.error());
    Observe(std::move(*answer));
    if (stopped_) return;
    // From the moment of asking: the server may have answered late.
    executor_.Cancel(deadline_timer_);
    const base::Duration left = sent_at + options_.renew_deadline - executor_.clock().Elapsed();
    deadline_timer_ = executor_.PostAfter(left, [this] {
      deadline_timer_ = 0;
      Lose("the lease could not be renewed for " + base::FormatDuration(options_.renew_deadline));
    });
    TryLater();
    if (std::exchange(leading_, true)) return;
    base::LogInfo("leader", options_.identity + " leads (" + key_.ToString() + ")");
    if (callbacks_.on_started) callbacks_.on_started();
  }

  void Failed(const char* what, const base::Error& error) {
    const std::string text = std::string(what) + " the lease " + key_.ToString() + ": " +
                             error.message + " (" + base::CodeName(error.code) + ")";
    // Two candidates writing at once is the ordinary course of an election.
    const bool ordinary = error.code == base::Code::kConflict ||
                          error.code == base::Code::kAlreadyExists;
    ordinary ? base::LogDebug("leader", text) : base::LogWarn("leader", text);
    TryLater();
  }

  // Leads no more. Answers under way are void: they may come after another has begun to lead.
  void Lose(const std::string& why) {
    if (!std::exchange(leading_, false)) return;
    ++round_;
    executor_.Cancel(deadline_timer_);
    executor_.Cancel(retry_timer_);
    base::LogWarn("leader", options_.identity + " leads no more: " + why);
    // First: the callback may destroy this object.
    TryLater();
    if (callbacks_.on_lost) callbacks_.on_lost();
  }

  void TryLater() {
    // Candidates that began together spread out by their names.
    const auto spread = static_cast<int64_t>(BackOff::Hash(options_.identity) % 256);
    const base::Duration wait =
        leading_ ? options_.retry_period : options_.retry_period * (512 + spread) / 512;
    executor_.Cancel(retry_timer_);
    retry_timer_ = executor_.PostAfter(wait, [this] { Try(); });
  }

  Client& client_;
  base::Executor& executor_;
  const LeaderOptions options_;
  const LeaderCallbacks callbacks_;
  const ObjectKey key_;
  const api::KindInfo& kind_;
  api::Json lease_;  // as last read or written
  std::string observed_version_, leader_;
  base::Duration changed_at_{0};  // when the lease was last seen to change
  bool stopped_ = false;
  uint64_t round_ = 0;
  base::TimerId retry_timer_ = 0, deadline_timer_ = 0;
  base::Scope scope_;
};

LeaderElector::LeaderElector(Client& client, base::Executor& executor, LeaderOptions options,
                             LeaderCallbacks callbacks)
    : impl_(std::make_unique<Impl>(client, executor, std::move(options), std::move(callbacks))) {}
LeaderElector::~LeaderElector() = default;

void LeaderElector::Start() {
  KUEUE_CHECK(!impl_->started_);
  impl_->started_ = true;
  impl_->Try();
}
bool LeaderElector::leading() const { return impl_->leading_; }
const std::string& LeaderElector::leader() const { return impl_->leader(); }
void LeaderElector::Stop(std::function<void()> done) { impl_->Stop(std::move(done)); }

}  // namespace kueue::kube
