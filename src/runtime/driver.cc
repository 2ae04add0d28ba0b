#include "runtime/driver.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "base/log.h"
#include "kube/status.h"
#include "runtime/event_recorder.h"
#include "runtime/work_queue.h"

namespace kueue::runtime {
namespace {

using api::Json;
using base::Code;

// A write that the server refuses as wrong will be refused again: not more often than this.
constexpr base::Duration kLeastRetryOfRefused = base::seconds(1);
// A reconciler that asks to be called again at once shall not stop time.
constexpr base::Duration kLeastLookAgain = base::milliseconds(1);

std::string NameOf(const Write& write) {
  std::string name = std::string(write.kind->plural);
  if (!write.kind->group.empty()) name += "." + std::string(write.kind->group);
  return name + " " + write.key.ToString();
}

const char* VerbName(WriteVerb verb) {
  switch (verb) {
    case WriteVerb::kCreate: return "create";
    case WriteVerb::kMergePatch: return "patch";
    case WriteVerb::kDelete: return "delete";
    case WriteVerb::kCreateSub: return "create";
  }
  return "";
}

// Whether the write names its object as its kind wants it; the client insists on that.
bool IsAddressed(const Write& write) {
  if (write.verb == WriteVerb::kCreate) {
    return write.kind->namespaced == !write.body.StringAt({"metadata", "namespace"}).empty();
  }
  return !write.key.name.empty() && write.kind->namespaced == !write.key.namespace_name.empty();
}

bool IsRefusedAsWrong(Code code) {
  return code == Code::kInvalid || code == Code::kBadRequest || code == Code::kTooLarge ||
         code == Code::kForbidden;
}

// What was written is not what the cache showed: look again, soon.
bool IsStale(Code code) {
  return code == Code::kConflict || code == Code::kNotFound || code == Code::kAlreadyExists;
}

}  // namespace

class Driver::Impl {
 public:
  Impl(kube::Client& client, kube::Cache& cache, base::Executor& executor, base::Random random,
       DriverOptions options)
      : options_(std::move(options)),
        client_(client),
        cache_(cache),
        executor_(executor),
        events_(client, executor, random,
                {options_.component, options_.max_pending_events,
                 [this] { return in_flight_ >= options_.max_in_flight; }}) {}

  Queue& Add(std::unique_ptr<Reconciler> reconciler) {
    const size_t index = queues_.size();
    queues_.push_back(std::make_unique<WorkQueue>(
        std::move(reconciler), executor_, [this, index](const kube::ObjectKey& key) {
          ready_.emplace_back(index, key);
          Pump();
        }));
    return *queues_.back();
  }

  void Start() {
    started_ = true;
    Pump();
  }

  void CarryOut(Intents intents, std::function<void(base::Result<Json>)> done) {
    if (intents.writes.empty()) {
      Record(intents.events, "");
      return executor_.Post(scope_.Wrap([done = std::move(done)] {
        if (done) done(Json());
      }));
    }
    const Write& first = intents.writes.front();
    // Objects without a name yet are all different ones.
    const std::string target =
        NameOf(first) + (first.key.name.empty() ? " " + std::to_string(++unnamed_) : "");
    auto& jobs = jobs_[target];
    jobs.push_back({std::move(intents), std::move(done)});
    if (jobs.size() == 1) ready_jobs_.push_back(target);
    Pump();
  }

  bool idle() const {
    return ready_.empty() && jobs_.empty() && in_flight_ == 0 && events_.idle();
  }

  DriverCounters counters() const {
    DriverCounters out = counters_;
    out.events_sent = events_.counters().sent;
    out.events_merged = events_.counters().merged;
    out.events_shed = events_.counters().shed;
    out.events_failed = events_.counters().failed;
    return out;
  }

  std::vector<ReconcilerCounters> reconciler_counters() const {
    std::vector<ReconcilerCounters> out;
    for (const auto& queue : queues_) out.push_back(queue->counters());
    return out;
  }

  void Record(const std::vector<EventRecord>& events, const std::string& source) {
    for (EventRecord event : events) {
      if (event.source.empty()) event.source = source;
      events_.Record(event);
    }
  }

  void RecordEvent(const EventRecord& event) { events_.Record(event); }

 private:
  struct Job {
    Intents intents;
    std::function<void(base::Result<Json>)> done;
  };
  // Writes on their way, one after the other.
  struct Run {
    std::vector<Write> writes;
    size_t next = 0;
    std::string held_uid;  // of the object in the cache when the write was sent
    std::function<void(const Write&, const base::Result<Json>&)> on_written;
    // The outcome of the last write tried.
    std::function<void(const Write&, base::Result<Json>)> done;
  };
  using RunPtr = std::shared_ptr<Run>;

  // ---- what to do next

  bool HasRoom() const { return in_flight_ < options_.max_in_flight; }

  // One step a task, so that answers and watch events get their turn in between.
  void Pump() {
    if (!started_ || pumping_ || !HasRoom() || (ready_.empty() && ready_jobs_.empty())) return;
    pumping_ = true;
    executor_.Post(scope_.Wrap([this] {
      pumping_ = false;
      Step();
      Pump();
    }));
  }

  void Step() {
    if (!HasRoom()) return;
    if (!ready_jobs_.empty()) {
      const std::string target = std::move(ready_jobs_.front());
      ready_jobs_.pop_front();
      return BeginJob(target);
    }
    if (ready_.empty()) return;
    const auto [index, key] = std::move(ready_.front());
    ready_.pop_front();
    Reconcile(index, key);
  }

  void BeginJob(const std::string& target) {
    auto run = std::make_shared<Run>();
    run->writes = std::move(jobs_.at(target).front().intents.writes);
    run->done = [this, target](const Write&, base::Result<Json> outcome) {
      auto& jobs = jobs_.at(target);
      const Job job = std::move(jobs.front());
      jobs.pop_front();
      if (jobs.empty()) {
        jobs_.erase(target);
      } else {
        ready_jobs_.push_back(target);
      }
      if (outcome.ok()) Record(job.intents.events, "");
      if (job.done) job.done(std::move(outcome));
    };
    Begin(std::move(run));
  }

  void Reconcile(size_t index, const kube::ObjectKey& key) {
    WorkQueue& queue = *queues_[index];
    Reconciler& reconciler = queue.reconciler();
    queue.Begin(key);
    Intents intents = reconciler.Reconcile(key, executor_.clock().Now());
    if (intents.writes.empty()) return Succeeded(index, key, intents.events, intents.look_again);
    auto run = std::make_shared<Run>();
    run->writes = std::move(intents.writes);
    run->on_written = [&reconciler, key](const Write& write, const base::Result<Json>& outcome) {
      reconciler.OnWritten(key, write, outcome);
    };
    run->done = [this, index, key, events = std::move(intents.events),
                 look_again = intents.look_again](const Write& last, base::Result<Json> outcome) {
      if (outcome.ok()) return Succeeded(index, key, events, look_again);
      Failed(index, key, last, outcome.error());
    };
    Begin(std::move(run));
  }

  void Succeeded(size_t index, const kube::ObjectKey& key, const std::vector<EventRecord>& events,
                 std::optional<base::Duration> look_again) {
    WorkQueue& queue = *queues_[index];
    if (!events.empty()) Record(events, queue.reconciler().event_source());
    if (look_again) look_again = std::max(*look_again, kLeastLookAgain);
    queue.EndWell(key, look_again);
  }

  void Failed(size_t index, const kube::ObjectKey& key, const Write& write,
              const base::Error& error) {
    WorkQueue& queue = *queues_[index];
    const int failures = queue.EndBadly(key);
    const base::Duration delay = RetryDelay(error.code, failures);
    const std::string text = queue.reconciler().name() + " " + key.ToString() + ": " +
                             VerbName(write.verb) + " " + NameOf(write) +
                             (write.subresource.empty() ? "" : "/" + write.subresource) + ": " +
                             error.message + " (" + base::CodeName(error.code) + "), attempt " +
                             std::to_string(failures) + ", next in " + base::FormatDuration(delay);
    // The first and then ever more rarely; losing a race is ordinary.
    const bool rare = (failures & (failures - 1)) == 0;
    if (IsRefusedAsWrong(error.code) && rare) {
      base::LogError("driver", text);
    } else if (rare && (!IsStale(error.code) || failures > 4)) {
      base::LogWarn("driver", text);
    } else {
      base::LogDebug("driver", text);
    }
    queue.AddAfter(key, delay);
  }

  base::Duration RetryDelay(Code code, int failures) const {
    if (IsStale(code) && failures == 1) return base::Duration(0);
    base::Duration delay = options_.first_retry;
    for (int i = 1; i < failures && delay < options_.longest_retry; ++i) delay *= 2;
    if (IsRefusedAsWrong(code)) delay = std::max(delay, kLeastRetryOfRefused);
    return std::min(delay, options_.longest_retry);
  }

  // ---- writes

  void Begin(RunPtr run) {
    ++in_flight_;
    SendNext(std::move(run));
  }

  void SendNext(RunPtr run) {
    const Write& write = run->writes[run->next];
    KUEUE_CHECK(write.kind != nullptr);
    auto answered = scope_.Wrap([this, run](base::Result<Json> outcome) {
      OnAnswer(run, std::move(outcome));
    });
    if (!IsAddressed(write)) {
      return executor_.Post([answered]() mutable {
        answered(base::Invalid("the write names no object, or the wrong sort of namespace"));
      });
    }
    const kube::Informer* informer = cache_.Find(*write.kind);
    run->held_uid = informer == nullptr ? "" : informer->UidOf(write.key);
    ++counters_.writes_sent;
    switch (write.verb) {
      case WriteVerb::kCreate:
        return client_.Create(*write.kind, write.body, std::move(answered));
      case WriteVerb::kMergePatch:
        return client_.Patch(*write.kind, write.key, write.subresource, kube::PatchType::kMerge,
                             write.body, std::move(answered));
      case WriteVerb::kDelete:
        return client_.Delete(*write.kind, write.key, write.remove, std::move(answered));
      case WriteVerb::kCreateSub:
        return client_.CreateSub(*write.kind, write.key, write.subresource, write.body,
                                 std::move(answered));
    }
  }

  void OnAnswer(const RunPtr& run, base::Result<Json> outcome) {
    const Write& write = run->writes[run->next];
    if (!outcome.ok() && write.verb == WriteVerb::kDelete &&
        outcome.error().code == Code::kNotFound) {
      outcome = Json();
    }
    if (outcome.ok()) TakeIn(*run, write, *outcome);
    if (run->on_written) run->on_written(write, outcome);
    if (outcome.ok() && ++run->next < run->writes.size()) return SendNext(run);
    if (!outcome.ok()) {
      ++counters_.writes_failed;
      if (outcome.error().code == Code::kConflict) ++counters_.conflicts;
    }
    --in_flight_;
    run->done(write, std::move(outcome));
    Pump();
  }

  // Tells the cache what the answer says about the object, before anybody decides on it again.
  void TakeIn(const Run& run, const Write& write, const Json& answer) {
    kube::Informer* informer = cache_.Find(*write.kind);
    if (informer == nullptr) return;
    const bool is_object = answer.StringAt({"kind"}) == write.kind->kind;
    const bool going = !answer.StringAt({"metadata", "deletionTimestamp"}).empty();
    // A patch that takes away the last finalizer of an object on its way out removes it.
    if (is_object && !kube::StillThere(answer) && (going || write.verb == WriteVerb::kDelete)) {
      return informer->ObserveDeleted(write.key, answer.StringAt({"metadata", "uid"}));
    }
    if (is_object) return informer->ObserveWritten(answer);
    if (write.verb != WriteVerb::kDelete) return;
    std::string uid = write.remove.precondition_uid;
    if (uid.empty()) uid = answer.StringAt({"details", "uid"});
    if (uid.empty()) uid = run.held_uid;
    informer->ObserveDeleted(write.key, uid);
  }

  const DriverOptions options_;
  kube::Client& client_;
  kube::Cache& cache_;
  base::Executor& executor_;
  std::vector<std::unique_ptr<WorkQueue>> queues_;
  std::deque<std::pair<size_t, kube::ObjectKey>> ready_;  // index in queues_, in order of arrival
  // By target; the first of each is at work or its target in ready_jobs_.
  std::map<std::string, std::deque<Job>> jobs_;
  std::deque<std::string> ready_jobs_;
  uint64_t unnamed_ = 0;
  int in_flight_ = 0;
  bool started_ = false, pumping_ = false;
  DriverCounters counters_;
  EventRecorder events_;
  base::Scope scope_;
};

Driver::Driver(kube::Client& client, kube::Cache& cache, base::Executor& executor,
               base::Random random, DriverOptions options)
    : impl_(std::make_unique<Impl>(client, cache, executor, random, std::move(options))) {}
Driver::~Driver() = default;

Queue& Driver::Add(std::unique_ptr<Reconciler> reconciler) {
  return impl_->Add(std::move(reconciler));
}
void Driver::Start() { impl_->Start(); }
void Driver::CarryOut(Intents intents, std::function<void(base::Result<api::Json>)> done) {
  impl_->CarryOut(std::move(intents), std::move(done));
}
void Driver::RecordEvent(EventRecord event) { impl_->RecordEvent(event); }
bool Driver::idle() const { return impl_->idle(); }
uint64_t Driver::writes_sent() const { return impl_->counters().writes_sent; }
DriverCounters Driver::counters() const { return impl_->counters(); }
std::vector<ReconcilerCounters> Driver::reconciler_counters() const {
  return impl_->reconciler_counters();
}

}  // namespace kueue::runtime
