#include "manager/scheduler_loop.h"

#include "api/types/names.h"
#include "controllers/workload_status.h"
#include "scheduling/model/device_table.h"

namespace kueue::manager {

using scheduling::Plan;

namespace {

// Conflicts in a row before a write is given up.
constexpr int kMostAttempts = 10;

// The server may have carried the write out all the same.
bool MayBeDone(base::Code code) {
  return code == base::Code::kInternal || code == base::Code::kUnavailable ||
         code == base::Code::kTimeout;
}

kube::ObjectKey SplitKey(const std::string& key) {
  const size_t slash = key.find('/');
  return {key.substr(0, slash), key.substr(slash + 1)};
}

// Reasons, conditions and events written below are those of spec/scheduling.md §14.

// A number that two plans share if they say the same about the same workloads.
uint64_t DigestOf(const Plan& plan) {
  std::string text;
  for (const auto& r : plan.reservations) text += "r" + r.workload + "\n";
  for (const auto& e : plan.evictions) text += "e" + e.workload + "\n";
  for (const auto& q : plan.requeues) {
    text += "q" + q.workload + " " + q.condition_reason + " " + q.message + "\n";
  }
  return resources::Fnv1a64(text);
}

}  // namespace

SchedulerLoop::SchedulerLoop(scheduling::State& state, kube::Cache& cache, runtime::Driver& driver,
                             base::Executor& executor, bool retry_at_once)
    : state_(state),
      cache_(cache),
      driver_(driver),
      executor_(executor),
      retry_at_once_(retry_at_once) {}

SchedulerLoop::~SchedulerLoop() { executor_.Cancel(timer_); }

void SchedulerLoop::Start() {
  started_ = true;
  Wake();
}

void SchedulerLoop::OnPlan(std::function<void(const Plan&)> listener) {
  listeners_.push_back(std::move(listener));
}

void SchedulerLoop::Wake() {
  news_ = true;
  if (!started_ || posted_) return;
  posted_ = true;
  // As a timer: whatever else is due at this instant, and the facts it brings, come first.
  executor_.PostAfter(base::Duration(0), scope_.Wrap([this] { Cycle(); }));
}

void SchedulerLoop::Cycle() {
  posted_ = false;
  const base::Time now = executor_.clock().Now();
  retry_at_once_ ? state_.CarryOutAllRetries(now) : state_.CarryOutDueRetries(now);
  const bool news = news_;
  news_ = false;
  if (state_.HasHeads()) {
    const base::Duration began = executor_.clock().Elapsed();
    const Plan plan = scheduling::Step(state_, now);
    ++numbers_.cycles;
    if (watchers_.cycle) watchers_.cycle(plan, executor_.clock().Elapsed() - began);
    for (const auto& listener : listeners_) listener(plan);
    Apply(plan);
    if (plan.progressed() || news) seen_.clear();
    const bool said_before = !seen_.insert(DigestOf(plan)).second;
    // More may come: other heads after progress, or another flavor of a head that was refused.
    if (plan.progressed() || !said_before) {
      const bool keep_news = news_;
      Wake();
      news_ = keep_news;
    }
  }
  ArmTimer();
}

void SchedulerLoop::ArmTimer() {
  executor_.Cancel(timer_);
  timer_ = 0;
  const auto due = state_.NextDue();
  if (!due) return;
  timer_ = executor_.PostAfter(*due - executor_.clock().Now(), scope_.Wrap([this] {
    timer_ = 0;
    Wake();
  }));
}

void SchedulerLoop::Apply(const Plan& plan) {
  for (const auto& reservation : plan.reservations) Reserve(reservation);
  for (const auto& eviction : plan.evictions) EvictVictim(eviction);
  for (const auto& requeue : plan.requeues) SayWhy(requeue);
  for (const std::string& slice : plan.finished_slices) FinishSlice(slice);
}

// spec/scheduling.md §11: the slice that was replaced has done its part.
void SchedulerLoop::FinishSlice(const std::string& workload) {
  const auto before = cache_.Get<api::Workload>(SplitKey(workload));
  if (!before) return;
  api::Workload after = *before;
  const std::string message = "Replaced by a new slice of the same job";
  controllers::Finish(after, "WorkloadSliceReplaced", message, executor_.clock().Now());
  runtime::Intents intents;
  intents.Add(runtime::PatchStatus(*before, after));
  intents.events.push_back(
      {runtime::ReferenceTo(*before), "Normal", "WorkloadSliceReplaced", message});
  driver_.CarryOut(std::move(intents), scope_.Wrap([this, before](base::Result<api::Json> done) {
    if (done.ok() && watchers_.slice_replaced) watchers_.slice_replaced(*before);
  }));
}

// Writes what `change` makes of the newest state of the workload; after a conflict again, as long
// as it is the same object and `change` agrees (it returns no intents if it does not).
void SchedulerLoop::WriteStatus(const std::string& workload, const std::string& uid,
                                const Change& change, const std::function<void(bool)>& done,
                                int attempt) {
  const auto before = cache_.Get<api::Workload>(SplitKey(workload));
  if (!before || before->metadata.uid != uid) return done(false);
  std::optional<runtime::Intents> intents = change(*before);
  if (!intents) return done(false);
  if (intents->writes.empty()) return done(true);
  driver_.CarryOut(std::move(*intents), scope_.Wrap([this, workload, uid, change, done,
                                                     attempt](base::Result<api::Json> outcome) {
    if (outcome.ok()) return done(true);
    const bool conflict = outcome.error().code == base::Code::kConflict;
    if (!(conflict || MayBeDone(outcome.error().code)) || attempt >= kMostAttempts) {
      ++numbers_.failed_writes;
      return done(false);
    }
    // Somebody wrote first, and that is on its way into the cache. Or nobody knows whether it was
    // written: then the same write again tells, and until then it must count as done, or its quota
    // would be given away a second time.
    executor_.PostAfter(base::milliseconds(conflict ? attempt : 10 * attempt * attempt),
                        scope_.Wrap([this, workload, uid, change, done, attempt] {
                          WriteStatus(workload, uid, change, done, attempt + 1);
                        }));
  }));
}

// spec/scheduling.md §13.
void SchedulerLoop::Reserve(const scheduling::Reservation& reservation) {
  ++numbers_.reservations;
  const auto change = [this, reservation](const api::Workload& before) {
    const base::Time now = executor_.clock().Now();
    std::optional<runtime::Intents> intents;
    const bool gone = controllers::IsFinished(before) || !controllers::IsActive(before) ||
                      !state_.Assumes(reservation.workload, &reservation.admission);
    if (gone || controllers::HasQuotaReservation(before) != reservation.second_pass ||
        (reservation.second_pass && controllers::IsEvicted(before))) {
      return intents;
    }
    api::Workload after = before;
    controllers::SetQuotaReservation(after, reservation.admission, now);
    if (reservation.clears_unhealthy_nodes) after.status.unhealthy_nodes.clear();
    if (reservation.also_admitted) controllers::SyncAdmitted(after, now, Words());
    intents.emplace();
    intents->Add(runtime::PatchStatus(before, after));
    const auto subject = runtime::ReferenceTo(before);
    // What was told already is not told again (spec/topology.md §14.6).
    if (!controllers::HasQuotaReservation(before)) {
      intents->events.push_back({subject, "Normal", "QuotaReserved",
                                 "Quota reserved in ClusterQueue " + reservation.cluster_queue});
    }
    if (controllers::IsAdmitted(after) && !controllers::IsAdmitted(before)) {
      intents->events.push_back(
          {subject, "Normal", "Admitted", "Admitted by ClusterQueue " + reservation.cluster_queue});
    }
    return intents;
  };
  WriteStatus(reservation.workload, reservation.uid, change, [this, reservation](bool written) {
    // What came in between is not this write's to take back.
    if (written || !state_.Assumes(reservation.workload, &reservation.admission)) {
      return;
    }
    state_.ReservationFailed(reservation.workload, reservation.uid, executor_.clock().Now());
    Wake();
  });
}

// spec/scheduling.md §7.9.
void SchedulerLoop::EvictVictim(const scheduling::Eviction& eviction) {
  const auto victim_now = cache_.Get<api::Workload>(SplitKey(eviction.workload));
  if (victim_now && state_.Assumes(eviction.workload) &&
      !controllers::HasQuotaReservation(*victim_now)) {
    // Its reservation is still being written; the eviction follows that.
    executor_.PostAfter(base::milliseconds(10),
                        scope_.Wrap([this, eviction] { EvictVictim(eviction); }));
    return;
  }
  ++numbers_.evictions;
  const bool preempted = !eviction.preempted_reason.empty();
  const std::string message =
      preempted ? "Preempted to make room for workload " + eviction.by_workload + " (uid " +
                      eviction.by_uid + ") of ClusterQueue " + eviction.by_cluster_queue + ": " +
                      eviction.preempted_reason
      : eviction.evicted_reason == "FlavorMigration"
          ? "Gives way to variant " + eviction.by_workload + ", which fits in a better flavor"
          : "No other node can take the place of a failed one: " + eviction.message;
  // False: it leaves for another reason, and was not told.
  const auto sent = std::make_shared<bool>(false);
  const auto change = [this, eviction, message, preempted, sent](const api::Workload& before) {
    const base::Time now = executor_.clock().Now();
    std::optional<runtime::Intents> intents;
    if (!controllers::HasQuotaReservation(before) || controllers::IsFinished(before)) {
      return intents;
    }
    if (!state_.Evicts(eviction.workload)) return std::optional(runtime::Intents());  // it leaves
    api::Workload after = before;
    if (preempted) {
      controllers::SetWorkloadCondition(after, api::names::kPreempted, true,
                                        eviction.preempted_reason, message, now);
    }
    controllers::Evict(after, eviction.evicted_reason, "", message, now);
    *sent = true;
    intents.emplace();
    intents->Add(runtime::PatchStatus(before, after));
    const auto victim = runtime::ReferenceTo(before);
    if (preempted) intents->events.push_back({victim, "Normal", "Preempted", message});
    const std::string reason = controllers::EvictionEventReason(eviction.evicted_reason, "");
    intents->events.push_back({victim, "Normal", reason, message});
    if (!preempted) return intents;
    if (const auto preemptor = cache_.Get<api::Workload>(SplitKey(eviction.by_workload))) {
      intents->events.push_back({runtime::ReferenceTo(*preemptor), "Normal", "PreemptedWorkload",
                                 "Preempted workload " + eviction.workload});
    }
    return intents;
  };
  WriteStatus(eviction.workload, eviction.uid, change,
              [this, eviction, preempted, sent](bool written) {
                if (written) {
                  if (preempted && *sent && watchers_.preempted) watchers_.preempted(eviction);
                  return;
                }
                state_.EvictionFailed(eviction.workload, eviction.uid);
                Wake();
              });
}

// spec/topology.md §15.3: it keeps its quota and is tried again; its status says nothing of that.
void SchedulerLoop::SayNoPlace(const scheduling::Requeue& requeue) {
  const auto workload = cache_.Get<api::Workload>(SplitKey(requeue.workload));
  if (!workload || workload->metadata.uid != requeue.uid) return;
  driver_.RecordEvent(
      {runtime::ReferenceTo(*workload), "Warning", "SecondPassFailed",
       requeue.message.empty() ? "No place was found for its pods" : requeue.message});
}

// spec/scheduling.md §5.8: the reason a workload waits, written only when it says something new.
void SchedulerLoop::SayWhy(const scheduling::Requeue& requeue) {
  if (requeue.second_pass) return SayNoPlace(requeue);
  if (!requeue.write_status || requeue.condition_reason.empty()) return;
  const auto change = [this, requeue](const api::Workload& before) {
    std::optional<runtime::Intents> intents;
    if (controllers::HasQuotaReservation(before) || controllers::IsFinished(before)) {
      return intents;
    }
    api::Workload after = before;
    const bool changed = controllers::UnsetQuotaReservation(
        after, requeue.condition_reason, requeue.message, executor_.clock().Now(), Words());
    if (requeue.requeue_reason == "PreemptionGated") {
      controllers::SetWorkloadCondition(after, api::names::kBlockedOnPreemptionGates, true,
                                        "PreemptionGated", requeue.message,
                                        executor_.clock().Now());
    }
    after.status.resource_requests.clear();
    for (const api::PodSet& set : after.spec.pod_sets) {
      const auto it = requeue.requests.find(set.name);
      if (it == requeue.requests.end()) continue;
      api::PodSetRequest request{set.name, {}, {}};
      for (const auto& [resource, units] : it->second) {
        request.resources[resource] = scheduling::ShownAmount(state_.config(), resource, units);
      }
      after.status.resource_requests.push_back(std::move(request));
    }
    intents.emplace();
    intents->Add(runtime::PatchStatus(before, after));
    if (changed) {
      intents->events.push_back(
          {runtime::ReferenceTo(before), "Warning", requeue.condition_reason, requeue.message});
    }
    return intents;
  };
  WriteStatus(requeue.workload, requeue.uid, change, [](bool) {});
}

}  // namespace kueue::manager
